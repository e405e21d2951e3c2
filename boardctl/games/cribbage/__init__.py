"""Cribbage: six-card for two, three and four, and the referee of five-card cribbage.

`rules` has the differences from other races (`games.common.race`); `show` counts hands and the
crib; `point_claims` handles points that are claimed or entered without cards.
"""

from boardctl.games.cribbage.rules import Cribbage

GAME = Cribbage()
