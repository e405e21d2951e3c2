"""Belote, for four as partners or for two, and Coinche.

`rules` plays the phases and lists the possible entries; `deal` has the knowledge about a deal's
cards, the auction, runs and squares; `state` scores a deal.

Source: docs/rules/belote.md.
"""

from boardctl.games.belote.rules import Belote

GAME = Belote()
"""The referee of Belote."""
