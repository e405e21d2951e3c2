"""Klaberjass for two: the referee.

`rules` plays the phases, over what `deal` knows of the cards; `declarations` settles the sequences,
`settlement` adds up, `offers` says what is due.
"""

from boardctl.games.klaberjass.rules import Klaberjass

GAME = Klaberjass()
