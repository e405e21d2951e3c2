"""Klaberjass for two: the referee.

`rules` plays the phases, over what `deal` knows of the cards; `declarations` settles the sequences,
`settlement` adds up; `prompts` and `display` are what can be seen of a game.
"""

from boardctl.games.klaberjass.rules import Klaberjass

GAME = Klaberjass()
