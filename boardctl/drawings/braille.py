"""Tactile key labels: large print with braille at full scale, and the same as raised caps.

The braille is uncontracted Unified English Braille, in Unicode cells from 2800 on (bit n is dot n +
1). The sizes are from "Size and Spacing of Braille Characters" by the Braille Authority of North
America.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardctl.board.shape import Layout
from boardctl.board.sheet import CUT, NOTE, Box, Circle, Layer, Sheet, Words, bar
from boardctl.drawings.labels import INK, KEYS

DOT: Final = 1.44
"""The diameter of a dot's base in mm."""
HIGH: Final = 0.48
"""The height of a dot in mm."""
APART: Final = 2.34
"""Millimetres between the centres of two dots of a cell."""
CELL: Final = 6.2
"""Millimetres from one cell to the next."""
DOTS: Final = Layer("dots", "#101010", 0.1, fill="#101010")
_LETTERS: Final = dict(zip("ABCD", "⠁⠃⠉⠙", strict=True))
_DIGITS: Final = dict(zip("1234567890", "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚", strict=True))
CELLS: Final = {
    **_LETTERS, **{digit: f"⠼{cell}" for digit, cell in _DIGITS.items()}, "#": "⠸⠹", "*": "⠐⠔",
}  # fmt: skip
"""Each key's name in braille; a digit begins with the sign for numbers."""
MARKED: Final = {"5": "dot", "#": "bar", "*": "ring", "A": "edge", "B": "edge", "C": "edge",
                 "D": "edge"}  # fmt: skip
"""The keys with an additional raised mark: the middle key, yes, no, and the players' keys."""
_EDGE: Final = 0.6
_THICK: Final = 1.2
"""The thickness of a cap in mm."""


def dots(cell: str) -> tuple[tuple[float, float], ...]:
    """Return the centres of the dots in a cell in mm, relative to dot 1, with y pointing down."""
    mask = ord(cell) - 0x2800
    column = {0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 1}
    return tuple((column[n] * APART, n % 3 * APART) for n in range(6) if mask >> n & 1)


def places(key: str, width: float, height: float) -> Iterator[tuple[float, float]]:
    """Return the centres of the braille dots for a key, in the lower half of its label, measured
    from the label's upper left corner."""
    cells = CELLS[key]
    wide = (len(cells) - 1) * CELL + APART
    left, top = (width - wide) / 2, height * 0.72 - APART
    for n, cell in enumerate(cells):
        for x, y in dots(cell):
            yield left + n * CELL + x, top + y


def labels(layout: Layout) -> Sheet:
    """Return a sheet of sixteen labels in large print and braille, for swell paper, for an
    embosser, or for checking the caps."""
    window = layout.keypad
    width, height = window.width / 4, window.height / 4
    sheet = Sheet(
        f"{layout.title}: keys in braille and large print",
        -10, -10, max(window.width, 170) + 10, window.height + 22,
    )  # fmt: skip
    for row, names in enumerate(KEYS):
        for column, key in enumerate(names):
            x, y = column * width, row * height
            sheet.add(Box(CUT, x + _EDGE, y + _EDGE, width - 2 * _EDGE, height - 2 * _EDGE, 1.2))
            above = height * 0.72 - APART - DOT / 2 - 2 * _EDGE
            size = min(0.36 * height, 0.8 * above)
            middle = y + _EDGE + above / 2
            sheet.add(Words(INK, x + width / 2, middle, size, key, bold=True))
            for dx, dy in places(key, width, height):
                sheet.add(Circle(DOTS, x + dx, y + dy, DOT, key))
    sheet.add(*bar(0, window.height + 7))
    words = f"boardctl {layout.name}: keys in braille (dots {DOT} mm, {APART} mm apart)"
    sheet.add(Words(NOTE, 0, window.height + 15, 2.5, words, "left"))
    return sheet


def caps(layout: Layout) -> bytes:
    """Return OpenSCAD source: a plate for each key with its braille, and a raised mark on 5, `#`,
    `*` and the players' keys. Print the caps face up and glue them on."""
    window = layout.keypad
    width, height = window.width / 4, window.height / 4
    high = height - 2 * _EDGE
    lines = [
        f"// {layout.title}: key caps in braille, drawn by boardctl; do not edit. Millimetres.",
        "$fn = 24;",
        # A spherical cap: `d` wide at its base and `h` high.
        "module dot(d, h) { r = (d * d / 4 + h * h) / (2 * h);",
        "  intersection() { translate([0, 0, h - r]) sphere(r);",
        "    translate([-d, -d, 0]) cube([2 * d, 2 * d, h]); } }",
        f"module plate() {{ cube([{width - 2 * _EDGE:.3f}, {high:.3f}, {_THICK}]); }}",
        "module ring() { difference() { cylinder(d = 4, h = 0.8); cylinder(d = 2.4, h = 0.8); } }",
    ]
    for row, names in enumerate(KEYS):
        for column, key in enumerate(names):
            at = f"translate([{column * (width + 2):.3f}, {-row * (height + 2):.3f}, 0])"
            parts = ["plate();"]
            for x, y in places(key, width, height):
                place = f"[{x - _EDGE:.3f}, {high - (y - _EDGE):.3f}, {_THICK}]"
                parts.append(f"translate({place}) dot({DOT}, {HIGH});")
            middle = f"[{width / 2 - _EDGE:.3f}, {high - 0.25 * height:.3f}, {_THICK}]"
            match MARKED.get(key):
                case "dot":
                    parts.append(f"translate({middle}) dot(3, 1);")
                case "bar":
                    parts.append(
                        f"translate({middle}) translate([-3, -0.6, 0]) cube([6, 1.2, 0.8]);"
                    )
                case "ring":
                    parts.append(f"translate({middle}) ring();")
                case "edge":
                    parts.append(f"translate([0, 0, {_THICK}]) cube([1, {high:.3f}, 0.8]);")
            lines.append(f"{at} {{ {' '.join(parts)} }} // key {key}")
    return ("\n".join(lines) + "\n").encode()
