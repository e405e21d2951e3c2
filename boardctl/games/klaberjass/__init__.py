"""Klaberjass for two: the referee.

`rules` plays the phases, based on what `deal` knows about the cards; `declarations` settles
sequences, `settlement` computes the score; `prompts` says what may be entered next.
"""

from boardctl.games.klaberjass.rules import Klaberjass

GAME = Klaberjass()
