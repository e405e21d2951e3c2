"""Labels for a USB number pad, in print or in large print with braille.

A pad has `7 8 9` on top, and its other keys have their own signs: `/ * - +` are the players' keys
`A` to `D`, Enter is `#`, and the decimal point is `*` (`drivers.usb_numpad`). Each label is as
large as the top of a key.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from boardctl.board.sheet import CUT, NOTE, Box, Circle, Sheet, Words, bar
from boardctl.drawings import braille
from boardctl.drawings.labels import INK, draw_label, label

PITCH: Final = 19.05
"""Millimetres from one key to the next."""
TOP: Final = 13.0
"""The width and height of a key's flat top, in mm."""
_ROWS: Final = (("", "A", "B", "C"), ("7", "8", "9", "D"), ("4", "5", "6", ""),
                ("1", "2", "3", "#"), ("0", "", "*", ""))  # fmt: skip
_TALL: Final = frozenset({"D", "#"})
_WIDE: Final = frozenset({"0"})


class Slot(NamedTuple):
    """The top of a key: the character that it types, and its upper left corner and size in mm."""

    key: str
    x: float
    y: float
    width: float
    height: float


SLOTS: Final = tuple(
    Slot(
        key,
        column * PITCH,
        row * PITCH,
        TOP + PITCH * (key in _WIDE),
        TOP + PITCH * (key in _TALL),
    )
    for row, keys in enumerate(_ROWS)
    for column, key in enumerate(keys)
    if key
)
"""The keys of a pad, row by row; Num Lock types nothing."""


def labels(game: str, language: str, *, felt: bool = False) -> Sheet:
    """Return a sheet of sixteen labels.

    Args:
        game: the game whose labels are printed.
        language: the language of the words.
        felt: whether the labels are in large print with braille instead.
    """
    width, height = 4 * PITCH, 5 * PITCH
    kind = "braille and large print" if felt else f"{game} ({language})"
    sheet = Sheet(f"Number pad: keys in {kind}", -10, -10, max(width, 170) + 10, height + 22)
    for key, x, y, wide, high in SLOTS:
        if not felt:
            what = label(key, game, language)
            words = () if key.isdigit() else what.words[:1]
            draw_label(sheet, what._replace(words=words), key, x, y, wide, high)
            continue
        sheet.add(Box(CUT, x, y, wide, high, 1.2))
        places = list(braille.places(key, wide, high))
        above = min(dy for _, dy in places) - braille.DOT / 2
        size = min(0.7 * above, 0.55 * wide)
        sheet.add(Words(INK, x + wide / 2, y + above / 2, size, key, bold=True))
        for dx, dy in places:
            sheet.add(Circle(braille.DOTS, x + dx, y + dy, braille.DOT, key))
    sheet.add(*bar(0, height + 7))
    sheet.add(Words(NOTE, 0, height + 15, 2.5, f"boardctl number pad: keys in {kind}", "left"))
    return sheet
