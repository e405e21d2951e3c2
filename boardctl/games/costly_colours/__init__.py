"""Costly Colours, for two: an English cousin of cribbage without a crib.

`rules` plays the phases; `mogging` is the exchange of a card; `show` counts cards. Source:
docs/rules/costly-colours.md.
"""

from boardctl.games.costly_colours.rules import CostlyColours

GAME = CostlyColours()
