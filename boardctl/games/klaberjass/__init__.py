"""Klaberjass for two: the referee.

`rules` plays the phases, based on what `deal` knows about the cards and their sequences; `state`
scores a deal; `prompts` says what may be entered next.
"""

from boardctl.games.klaberjass.rules import Klaberjass

GAME = Klaberjass()
