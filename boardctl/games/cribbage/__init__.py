"""Six-card cribbage for two, three and four players, and the referee of five-card cribbage.

`rules` implements the differences from other race games (`games.common.race`). `show` counts hands
and the crib. `point_claims` handles points that are claimed, or entered without cards.
"""

from boardctl.games.cribbage.rules import Cribbage

GAME = Cribbage()
