"""The colours and brightness levels of the lights.

LED values are linear in light, so the distances between these colours can be computed for every
kind of colour vision (tests/board/test_palette.py does so, following Viénot, Brettel and Mollon
1999 and Machado, Oliveira and Fernandes 2009). Colour is never the only cue: each side has its own
track, front pegs are bright, back pegs are dim, and every mark has its own position.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Colour(NamedTuple):
    """The colour of an LED: red, green and blue, each from 0 to 255."""

    red: int
    green: int
    blue: int


Frame = bytes
"""The whole strip: three bytes (red, green, blue) per LED, in the strip's order."""

SIDES: Final = (Colour(255, 96, 0), Colour(0, 64, 255), Colour(240, 255, 135))
"""Orange, blue and a pale lime differ in hue and lightness, so every kind of colour vision can tell
them apart."""
NEUTRAL: Final = Colour(150, 150, 150)
"""Marks and lines that belong to no side."""

FRONT: Final = 1.0
"""A front peg."""
BACK: Final = 0.15
"""A back peg; a games-won lamp of a row that is already full."""
PREVIEW: Final = 0.4
"""The target hole of a previewed hand."""
FAINT: Final = 0.03
"""A pip, a hole crossed by a preview, or a line across the track."""
DARKEST: Final = 0.12
"""The lowest brightness of the board. Below it the levels look alike."""
