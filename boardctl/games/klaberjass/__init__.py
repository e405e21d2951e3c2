"""Klaberjass for two: the referee.

`rules` plays the phases, based on what `deal` knows about the cards; `declarations` settles the
`sequences`, `settlement` computes the score; `prompts` and `display` are the view of a game.
"""

from boardctl.games.klaberjass.rules import Klaberjass

GAME = Klaberjass()
