"""Noddy, for two or for four as partners: the game that cribbage came from.

`rules` plays the phases; `pegging` and `show` count cards; `prompts` and `display` are what can be
seen of a game. Source: docs/rules/noddy.md.
"""

from boardctl.games.noddy.rules import Noddy

GAME = Noddy()
