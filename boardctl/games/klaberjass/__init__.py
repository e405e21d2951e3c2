"""Klaberjass for two: the referee.

`rules` plays the phases and says what may be entered next, based on what `deal` knows about the
cards and their sequences; `state` scores a deal.
"""

from boardctl.games.klaberjass.rules import Klaberjass

GAME = Klaberjass()
