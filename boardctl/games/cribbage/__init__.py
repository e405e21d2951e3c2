"""Cribbage: six-card for two, three and four, and the referee of five-card cribbage.

`rules` plays the phases: `before_play` handles the cards before the play, `play` the play, `hands`
the show, `claims` muggins, `point_claims` points that are entered directly; `show` counts known
cards; `prompts` and `display` are the view of a game.
"""

from boardctl.games.cribbage.rules import Cribbage

GAME = Cribbage()
