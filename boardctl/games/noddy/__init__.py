"""Noddy, the game from which cribbage developed, for two players or for four as partners.

`rules` plays the phases. `show` counts hands. Source: docs/rules/noddy.md.
"""

from boardctl.games.noddy.rules import Noddy

GAME = Noddy()
