"""Cribbage: six-card for two, three and four, and the referee of five-card cribbage.

`rules` says what differs from other races (`games.common.race`); `show` counts hands and the crib;
`point_claims` is what is stated: points that are claimed or entered without cards.
"""

from boardctl.games.cribbage.rules import Cribbage

GAME = Cribbage()
