"""Printed score cards in the format of the American Cribbage Congress. Each game has a line for the
opponent, game points, plus and minus spread, and initials. Below these lines are the totals, games
won, net spread and the checker's signature.

The opponents in rounds already drawn are printed. The others are left blank. This module uses
reportlab.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from boardctl import text
from boardctl.club.evening import Draw
from boardctl.club.sheet import FONT, SIZES, cut, font, pieces

MARGIN = 8 * mm
COLUMNS = (0.08, 0.40, 0.13, 0.13, 0.13, 0.13)
"""The widths of number, opponent, game points, plus, minus and initials, as fractions of a card."""

NUMBER = 0.6
"""The position of the player's congress number, as a fraction of a card's width."""


def write(
    name: str,
    players: Sequence[str],
    rounds: int,
    draws: Sequence[Draw],
    paper: str = "a4",
    language: str = "en",
) -> bytes:
    """Return the PDF, with four cards per page. The file for an evening is always identical.

    Args:
        name: of the evening.
        players: the players, in the order of the draw, which gives them their numbers.
        rounds: the number of lines on a card.
        draws: the rounds drawn so far.
        paper: a key of `sheet.SIZES`.
        language: of the headings.
    """
    font()
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=SIZES[paper], invariant=1, initialFontName=FONT)
    canvas.setTitle(name)
    wide, high = SIZES[paper]
    size = ((wide - 3 * MARGIN) / 2, (high - 3 * MARGIN) / 2)
    for place, player in enumerate(players):
        column, row = place % 2, place // 2 % 2
        corner = (MARGIN + column * (size[0] + MARGIN), MARGIN + (1 - row) * (size[1] + MARGIN))
        _card(
            canvas,
            corner,
            size,
            f"{place + 1}  {player}",
            name,
            _met(player, rounds, draws),
            language,
        )
        if place % 4 == 3:
            canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _met(player: str, rounds: int, draws: Sequence[Draw]) -> list[str]:
    """Return a player's opponents, round by round: an empty string if the round has not been drawn,
    or “–” for a bye."""
    found = [""] * rounds
    for number, drawn in enumerate(draws[:rounds]):
        found[number] = "–" if drawn.bye == player else ""
        for one, two in drawn.pairs:
            if player in (one, two):
                found[number] = two if player == one else one
    return found


def _card(
    canvas: Canvas,
    corner: tuple[float, float],
    size: tuple[float, float],
    title: str,
    evening: str,
    opponents: Sequence[str],
    language: str,
) -> None:
    words = text.saying("club", language)
    (x, y), (wide, high) = corner, size
    line = min(7 * mm, (high - 18 * mm) / (len(opponents) + 3))
    top = y + high - 14 * mm
    edges = [x]
    for share in COLUMNS:
        edges.append(edges[-1] + share * wide)
    canvas.setLineWidth(0.4)
    canvas.rect(x, y, wide, high)
    _type(canvas, x + 2 * mm, y + high - 6 * mm, cut(title), 12, wide - 4 * mm)
    _type(canvas, x + 2 * mm, y + high - 10.5 * mm, cut(evening), 7, NUMBER * wide - 4 * mm)
    entry = f"{words('acc-number')}:"
    _type(canvas, x + NUMBER * wide, y + high - 10.5 * mm, entry, 7, wide / 5)
    heads = ("", words("opponent"), words("card-points"), "+", "−", words("initials"))
    rows = [heads, *((str(n), met, "", "", "", "") for n, met in enumerate(opponents, 1))]
    rows.append(("", words("sums"), "", "", "", ""))
    height = min(8.0, line * 0.6)
    for number, cells in enumerate(rows):
        base = top - (number + 1) * line
        canvas.line(x, base, x + wide, base)
        for left, right, cell in zip(edges[:-1], edges[1:], cells, strict=True):
            _type(canvas, left + mm, base + line * 0.3, cut(cell), height, right - left - 2 * mm)
    bottom = top - len(rows) * line
    for edge in edges[1:-1]:
        canvas.line(edge, top, edge, bottom)
    canvas.line(x, top, x + wide, top)
    for place, below in enumerate(("games-won", "net", "checked")):
        left = x + wide * place / 3 + mm
        _type(canvas, left, bottom - line * 0.7, f"{words(below)}:", height, wide / 5)
    canvas.line(x, bottom - line, x + wide, bottom - line)


def _type(canvas: Canvas, x: float, y: float, words: str, size: float, room: float) -> None:
    """Write text at a position, in smaller type if it is too wide. All lengths are in typographic
    points."""
    split = pieces(words)
    wide = sum(pdfmetrics.stringWidth(letters, name, size) for name, letters in split)
    size = min(size, size * room / wide) if wide else size
    for name, letters in split:
        canvas.setFont(name, size)
        canvas.drawString(x, y, letters)
        x += pdfmetrics.stringWidth(letters, name, size)
