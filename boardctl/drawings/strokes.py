"""A single-stroke font for engraving: capitals, digits and a few signs as polylines.

A normal font would be engraved as outlines, and would look different on every machine. A stroke is
one pass of a laser or a V-cutter. Each glyph is drawn on a grid 4 wide and 6 high, with y
downwards. The strokes are pairs of digits (x, y) joined by a line.
"""

from __future__ import annotations

from typing import Final

from boardctl.board.shape import Place

HEIGHT: Final = 6
GAP: Final = 2
"""The space between glyphs in grid steps."""

_GLYPHS: Final = {
    "A": "0602204246 0444",
    "B": "06003041423303 334445360600",
    "C": "4130100105163645",
    "D": "0600304145360600",
    "E": "40000646 0333",
    "F": "400006 0333",
    "G": "41301001051636454323",
    "H": "0006 4046 0343",
    "I": "1030 1636 2026",
    "J": "4045361605",
    "K": "0006 4003 1346",
    "L": "000646",
    "M": "0600234046",
    "N": "06004640",
    "O": "100105163645413010",
    "P": "060030414233 3303",
    "Q": "100105163645413010 2446",
    "R": "060030414233 3303 2346",
    "S": "413010010213334445361605",
    "T": "0040 2026",
    "U": "000516364540",
    "V": "002640",
    "W": "0016233640",
    "X": "0046 4006",
    "Y": "002340 2326",
    "Z": "00400646",
    "0": "100105163645413010",
    "1": "112026 1636",
    "2": "01103041420646",
    "3": "01103041423313 334445361605",
    "4": "36300444",
    "5": "400003334445361605",
    "6": "4130100105163645443303",
    "7": "004016",
    "8": "100102133342413010 1304051636454433",
    "9": "0516364541301001021343",
    ".": "2526",
    "-": "1333",
    "/": "0640",
    "+": "1333 2224",
    "?": "01103041422324 2626",
    " ": "",
}
_NARROW: Final = {"I": (1, 3), "1": (1, 3), ".": (2, 2), "-": (1, 3), " ": (0, 2)}


def _strokes(glyph: str) -> list[list[tuple[int, int]]]:
    return [
        [(int(stroke[n]), int(stroke[n + 1])) for n in range(0, len(stroke), 2)]
        for stroke in _GLYPHS[glyph].split()
    ]


def has_glyphs(text: str) -> bool:
    """Return whether the font contains every character in a text."""
    return all(letter in _GLYPHS for letter in text.upper())


def width(text: str, size: float) -> float:
    """Return the width of a text in millimetres, if its letters are `size` high."""
    steps = sum(right - left for left, right in map(_sides, text.upper()))
    return (steps + GAP * (len(text) - 1)) * size / HEIGHT


def _sides(glyph: str) -> tuple[int, int]:
    return _NARROW.get(glyph, (0, 4))


def engrave(text: str, x: float, y: float, size: float) -> list[tuple[Place, ...]]:
    """Return the strokes for a text centred at (x, y).

    Raises:
        KeyError: if a character is not in the font.
    """
    scale = size / HEIGHT
    at = x - width(text, size) / 2
    lines = []
    for glyph in text.upper():
        left, right = _sides(glyph)
        for stroke in _strokes(glyph):
            lines.append(
                tuple(
                    (at + (column - left) * scale, y + (row - HEIGHT / 2) * scale)
                    for column, row in stroke
                )
            )
        at += (right - left + GAP) * scale
    return lines
