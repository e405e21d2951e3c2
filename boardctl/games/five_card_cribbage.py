"""Five-card cribbage for two players, the older game: 61 points, “three for last”, one series.

It uses the referee of `games.cribbage`. Source: docs/rules/cribbage.md 8.
"""

from boardctl.games.cribbage.rules import Cribbage

GAME = Cribbage(five=True)
