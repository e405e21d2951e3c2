"""Noddy, for two or for four as partners: the game that cribbage developed from.

`rules` plays the phases; `show` counts cards. Source: docs/rules/noddy.md.
"""

from boardctl.games.noddy.rules import Noddy

GAME = Noddy()
