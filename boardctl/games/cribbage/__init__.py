"""Cribbage for two: the referee. `rules` plays the phases."""

from boardctl.games.cribbage.rules import Cribbage

GAME = Cribbage()
