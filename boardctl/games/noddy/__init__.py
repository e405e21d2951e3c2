"""Noddy, for two players or for four as partners, the game from which cribbage developed.

`rules` plays the phases. `show` counts hands. Source: docs/rules/noddy.md.
"""

from boardctl.games.noddy.rules import Noddy

GAME = Noddy()
