"""Belote, for four as partners or for two, and Coinche.

`rules` plays the phases; `ranking` is what cards are worth and which may be played, `deal` what is
known of a deal's cards, `bidding` who takes, `declarations` runs and squares, `settlement` what a
deal brings; `prompts` and `display` are what can be seen of a game. Source: docs/rules/belote.md.
"""

from boardctl.games.belote.rules import Belote

GAME = Belote()
"""The referee of Belote."""
