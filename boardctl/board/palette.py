"""Colours and levels of light.

An LED's numbers are linear in light, so the distances between these colours can be computed for
every kind of colour vision (tests/board/test_palette.py does, by Viénot, Brettel and Mollon 1999
and by Machado, Oliveira and Fernandes 2009). Colour is never the only sign: each side has its own
track, front pegs are bright and back pegs dim, and every mark has a place of its own.
"""

from __future__ import annotations

from typing import Final

from boardctl.drivers.ports import Colour

SIDES: Final = (Colour(255, 96, 0), Colour(0, 64, 255), Colour(240, 255, 135))
"""Orange, blue and a pale lime: apart for every kind of colour vision, in hue and in light."""
NEUTRAL: Final = Colour(150, 150, 150)
"""Marks and lines, which belong to no side."""

FRONT: Final = 1.0
"""A front peg."""
BACK: Final = 0.15
"""A back peg; a lamp of the games won that stands for a row already full."""
PREVIEW: Final = 0.4
"""The hole where a counted hand will take the front peg."""
FAINT: Final = 0.03
"""A pip, a hole on the way of a preview, a line across the track."""
DARKEST: Final = 0.12
"""The least brightness of a whole board: below it the levels would run into one another."""


def colour_of(side: int) -> Colour:
    """A side's colour; sides count from 1."""
    return SIDES[(side - 1) % len(SIDES)]


def scaled(colour: Colour, level: float) -> Colour:
    """A colour at a level of light from 0 to 1; what is lit never quite goes out."""
    return Colour(*(max(1, round(c * level)) if c and level else 0 for c in colour))
