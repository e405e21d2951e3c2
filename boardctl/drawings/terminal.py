"""A layout as a text map for a terminal."""

from __future__ import annotations

from typing import Final

from boardctl.board.shape import Layout
from boardctl.text import columns as text_columns
from boardctl.text import wrapped

COLUMN: Final = 4.5
"""Millimetres per column: less than the pitch of any strip, so that no two holes share a letter
…"""
ROW: Final = 6.9
"""… and per line."""


def show(layout: Layout, legend: str, width: int | None = None) -> str:
    """Return the board as lines of text, followed by a legend of its letters.

    A board that does not fit into `width` columns is drawn smaller, so that several holes may share
    a letter.
    """
    fits = COLUMN if width is None else max(COLUMN, layout.width / (max(width, 24) - 3))
    row_height = ROW * fits / COLUMN
    columns, rows = int(layout.width / fits) + 1, int(layout.height / row_height) + 1
    grid = [[" "] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            place = (column * fits, row * row_height)
            if any(window.near(*place, by=0.1) for window in (layout.display, layout.keypad)):
                grid[row][column] = "#"
    for lamp in layout.lamps:
        grid[int(lamp.y / row_height)][int(lamp.x / fits)] = _letter(lamp.name)
    edge = "+" + "-" * columns + "+"
    body = (f"|{''.join(line)}|" for line in grid)
    return "\n".join((edge, *body, edge, *wrapped(legend, width or text_columns(legend))))


def _letter(name: str) -> str:
    group, _, place = name.rpartition(".")
    if group.startswith("won"):
        return "w"
    if not group.startswith("track"):
        return "*"
    if place.startswith("start"):
        return "S"
    if place == "121":
        return "G"
    return "o" if int(place) % 5 == 0 else group.removeprefix("track")
