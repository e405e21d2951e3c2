"""Cribbage: six-card for two, three and four, and the referee of five-card cribbage.

`rules` plays the phases; `table` the cards before the play, `series` the play, `hands` the show,
`claims` muggins, `told` points that are told; `knowledge` is what is known of the cards;
`pegging` and `show` count known cards; `prompts` and `pictures` are what can be seen of it.
"""

from boardctl.games.cribbage.rules import Cribbage

GAME = Cribbage()
