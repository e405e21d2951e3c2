"""Pinochle for two, for three (auction with a widow) and for four (partners).

`two_hands` is Bezique with another pack; `rules` plays the auction of three and four, over `deal`
(what is known of the cards), `bidding`, `melds`, `tricks` and `settlement`; `prompts` and `display`
are what can be seen of it. Sources: docs/rules/pinochle.md, docs/rules/pinochle-3-4.md.
"""

from boardctl.games.pinochle.seats import Pinochle

GAME = Pinochle()
"""The referee of Pinochle, whose form follows from the number of seats."""
