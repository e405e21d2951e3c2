"""Labels for playing cards, in braille and print: two for each card, for opposite corners.

Each label has two cells, without a number sign: the rank (`x` is ten) and the first letter of the
suit. This is the convention of the American Printing House for the Blind (H. Caton, E. Pester and
E. J. Bradley, "Read Again", 1990: "gh", the seven of hearts).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardctl.board.sheet import CUT, NOTE, Box, Circle, Sheet, Words, bar
from boardctl.drawings.braille import APART, CELL, DOT, DOTS, dots
from boardctl.drawings.labels import INK, RED
from boardctl.games.cards import CARDS, Card

WIDTH: Final = 12.0
HEIGHT: Final = 14.0
"""The size of a label in mm. A label covers the printed index of a card, so it repeats the index in
print."""
GAP: Final = 1.5
_ACROSS: Final = 13
_CELLS: Final = dict(zip("A23456789TJQKSHDC", "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠭⠚⠟⠅⠎⠓⠙⠉", strict=True))
_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def cells(card: Card) -> str:
    """Return the two braille cells of a card."""
    return "".join(_CELLS[letter] for letter in str(card))


def places(card: Card) -> Iterator[tuple[float, float]]:
    """Return the centres of the dots for a card, in mm from the upper left corner of its label."""
    left = (WIDTH - CELL - APART) / 2
    top = HEIGHT - 1.8 - DOT / 2 - 2 * APART
    for n, cell in enumerate(cells(card)):
        for x, y in dots(cell):
            yield left + n * CELL + x, top + y


def labels() -> Sheet:
    """Return a sheet of 104 labels, two rows for each suit."""
    pitch, row_height = WIDTH + GAP, HEIGHT + GAP
    height = 8 * row_height
    sheet = Sheet("Labels for cards, in braille and print", -10, -10, 190, height + 22)
    for n, card in enumerate(CARDS):
        suit, rank = divmod(n, _ACROSS)
        for copy in (0, 1):
            x, y = rank * pitch, (2 * suit + copy) * row_height
            name = str(card)
            sheet.add(Box(CUT, x, y, WIDTH, HEIGHT, 1.2))
            layer = RED if name[1] in "HD" else INK
            shown = f"{name[0].replace('T', '10')}{_SIGNS[name[1]]}"
            sheet.add(Words(layer, x + WIDTH / 2, y + 3, 3.2, shown, bold=True))
            for dx, dy in places(card):
                sheet.add(Circle(DOTS, x + dx, y + dy, DOT, name))
    sheet.add(*bar(0, height + 7))
    sheet.add(Words(NOTE, 0, height + 15, 2.5, "boardctl: labels for cards in braille", "left"))
    return sheet
