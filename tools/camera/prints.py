"""Printed matter that is not a card: pages, titles, tables, bar codes and patterns.

The network must learn indices among other letters and figures, because tables also have books,
newspapers and boxes on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from tools.camera import samples
from tools.camera.decks import Image

Chance = np.random.Generator

SIDE: Final = 448
"""The number of pixels along each side of a page."""

_LETTERS: Final = "AKQJ1023456789AKQJabcdefghijklmnopqrstuvwxyzBCDEFGHILMNOPRSTUVXYZ&%$§?!*+"


def pages(chance: Chance, from_fonts: Sequence[str], count: int) -> list[Image]:
    """Yield `count` pictures of printed matter."""
    return [_page(chance, from_fonts) for _ in range(count)]


def _page(chance: Chance, from_fonts: Sequence[str]) -> Image:
    light = chance.random() < 0.6
    if light:
        ground = np.full((SIDE, SIDE, 3), chance.uniform(170, 255, 3)).astype(np.uint8)
    else:
        ground = samples.texture(chance, SIDE, SIDE)
    picture = Pillow.fromarray(ground)
    draw = ImageDraw.Draw(picture)
    for _ in range(int(chance.integers(0, 7))):
        _shape(chance, draw)
    for _ in range(int(chance.integers(0, 5))):
        _text(chance, draw, from_fonts, light)
    if chance.random() < 0.2:
        _bars(chance, draw)
    if chance.random() < 0.3:
        for _ in range(int(chance.integers(3, 25))):  # single letters and figures
            font = _font(chance, from_fonts, chance.uniform(14, 90))
            place = tuple(chance.uniform(-20, SIDE, 2))
            draw.text(place, _LETTERS[chance.integers(len(_LETTERS))], _ink(chance, light), font)
    return np.asarray(picture, np.uint8)


def _font(chance: Chance, from_fonts: Sequence[str], size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(from_fonts[int(chance.integers(len(from_fonts)))], int(size))


def _ink(chance: Chance, light: bool) -> tuple[int, int, int]:
    """Return a pair of colours: dark on light, or any colour on another."""
    if light and chance.random() < 0.7:
        black = int(chance.integers(0, 70))
        return (black, black, black) if chance.random() < 0.7 else (20, 20, 200)
    red, green, blue = (int(each) for each in chance.integers(0, 256, 3))
    return red, green, blue


def _shape(chance: Chance, draw: ImageDraw.ImageDraw) -> None:
    colour = _ink(chance, False)
    x, y = chance.uniform(-40, SIDE, 2)
    width, height = chance.uniform(10, 260, 2)
    how = chance.random()
    if how < 0.35:
        draw.rectangle((x, y, x + width, y + height), colour)
    elif how < 0.6:
        draw.ellipse((x, y, x + width, y + height), colour)
    elif how < 0.8:
        corners = chance.uniform(-80, 80, (int(chance.integers(3, 8)), 2))
        draw.polygon([(float(x + a), float(y + b)) for a, b in corners], colour)
    else:  # a pattern of one sign
        step = chance.uniform(14, 60)
        size = step * chance.uniform(0.3, 0.9)
        for row in np.arange(y, y + height, step):
            for column in np.arange(x, x + width, step):
                draw.ellipse((column, row, column + size, row + size), colour)


def _text(
    chance: Chance, draw: ImageDraw.ImageDraw, from_fonts: Sequence[str], light: bool
) -> None:
    """Draw lines of words or figures, or a title."""
    title = chance.random() < 0.4
    size = chance.uniform(28, 110) if title else chance.uniform(7, 26)
    font, ink = _font(chance, from_fonts, size), _ink(chance, light)
    x, y = chance.uniform(-0.1, 0.6, 2) * SIDE
    figures = chance.random() < 0.25
    letters = "0123456789 .,:A" if figures else _LETTERS + "      eeaatt"
    for _ in range(int(chance.integers(1, 3 if title else 24))):
        count = int(chance.integers(2, 12 if title else 60))
        words = "".join(letters[each] for each in chance.integers(len(letters), size=count))
        draw.text((x, y), words, ink, font)
        y += size * 1.2


def _bars(chance: Chance, draw: ImageDraw.ImageDraw) -> None:
    x, y = chance.uniform(0, 0.7, 2) * SIDE
    height = chance.uniform(20, 120)
    for _ in range(int(chance.integers(10, 50))):
        width = float(chance.integers(1, 5))
        draw.rectangle((x, y, x + width, y + height), (10, 10, 10))
        x += width + float(chance.integers(1, 5))
