"""Pinochle for two, for three (auction with a widow) and for four (partners).

`two_hands` is a relative of Bezique with its own pack; `rules` plays the auction games for three
and four, using `deal` (what is known about the cards), `bidding`, `melds`, `tricks` and
`settlement`; `prompts` says what may be entered next. Sources: docs/rules/pinochle.md,
docs/rules/pinochle-3-4.md.
"""

from boardctl.games.pinochle.seats import Pinochle

GAME = Pinochle()
"""The referee of Pinochle; the number of seats selects its form."""
