"""Belote, for four players as partners or for two players, and Coinche.

`rules` plays the phases and lists the possible entries. `deal` tracks the cards, the auction, and
the runs and squares of a deal. `state` scores a deal.

Source: docs/rules/belote.md.
"""

from boardctl.games.belote.rules import Belote

GAME = Belote()
"""The referee of Belote."""
