"""Costly Colours for two players, an English relative of cribbage without a crib.

`rules` plays the phases. `mogging` is the exchange of a card. `show` counts hands. Source:
docs/rules/costly-colours.md.
"""

from boardctl.games.costly_colours.rules import CostlyColours

GAME = CostlyColours()
