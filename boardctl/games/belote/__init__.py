"""Belote, for four as partners or for two, and Coinche.

`rules` plays the phases and says what may be entered next; `deal` is what is known about the cards
of a deal, with the auction, runs and squares, `state` the score of a deal.

Source: docs/rules/belote.md.
"""

from boardctl.games.belote.rules import Belote

GAME = Belote()
"""The referee of Belote."""
