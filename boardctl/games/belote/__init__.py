"""Belote, for four players as partners or for two players, and Coinche.

`rules` plays the phases and lists the possible entries. `deal` holds the knowledge about the cards
of a deal, the auction, runs and squares. `state` scores a deal.

Source: docs/rules/belote.md.
"""

from boardctl.games.belote.rules import Belote

GAME = Belote()
"""The referee of Belote."""
