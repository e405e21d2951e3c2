"""Cribbage: six-card for two, three and four, and the referee of five-card cribbage.

`rules` plays the phases on the values of `state`: `play` the play, `show` the hands and the crib,
`point_claims` points that are claimed or entered without cards; `display` is the view of a game.
"""

from boardctl.games.cribbage.rules import Cribbage

GAME = Cribbage()
