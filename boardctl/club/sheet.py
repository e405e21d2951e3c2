"""The printed sheet for an evening: rounds with space for results, and standings. This module uses
reportlab."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table, TableStyle

from boardctl import text
from boardctl.club.evening import Draw, Standing
from boardctl.club.store import Meeting

SIZES: Final = {"a4": A4, "letter": LETTER}
FONT: Final = "BoardctlSans"
"""The page's font, which is embedded in the file."""
OTHER: Final = "HeiseiKakuGo-W5"
"""Adobe's Japanese font, for letters that the page's font lacks. It is not embedded. A PDF viewer
without this font uses another Japanese font."""

LETTERS: Final = 60
"""The maximum number of letters printed of a name, because a row longer than a page cannot be
printed."""


def cut(words: str, letters: int = LETTERS) -> str:
    """Return text for printing, truncated to the maximum number of letters."""
    return words if len(words) <= letters else f"{words[: letters - 1]}…"


@cache
def font() -> TTFont:
    """Register the page's font and the Japanese font with reportlab, and return the page's font."""
    found = TTFont(FONT, Path(__file__).parent / "sans.ttf")
    pdfmetrics.registerFont(found)
    pdfmetrics.registerFont(UnicodeCIDFont(OTHER))
    return found


def pieces(words: str) -> list[tuple[str, str]]:
    """Split text by font into pairs of a font name and letters."""
    has = font().face.charToGlyph
    split = groupby(words, lambda letter: FONT if ord(letter) in has else OTHER)
    return [(name, "".join(letters)) for name, letters in split]


def _markup(words: str) -> str:
    """Return text as paragraph markup, with each piece in its font."""
    return "".join(
        escape(letters) if name == FONT else f'<font name="{name}">{escape(letters)}</font>'
        for name, letters in pieces(words)
    )


def _row(meeting: Meeting, words: Callable[..., str]) -> list[str]:
    """Return the cells in the row of a meeting: table, players, winner, spread, initials."""
    head = [str(meeting.table), f"{cut(meeting.one)} – {cut(meeting.two)}"]
    won = meeting.result
    if won is None:
        return [*head, "", "", ""]
    spread = f"{won.spread}{' S' if won.skunk else ''}"
    return [*head, cut(won.winner), spread, words(won.mark) if won.mark else ""]


def summary(standings: Sequence[Standing], words: Callable[..., str]) -> list[list[str]]:
    """Return the standings as table rows with a heading, sorted as the American Cribbage Congress
    does: by game points, games won, and spread.

    Before the first result, the figures are left blank, so that they can be filled in by hand from
    the score cards.
    """
    heads = ("player", "games", "points", "games-won", "skunks", "plus", "minus", "net")
    rows = [["", *(words(head) for head in heads)]]
    for s in standings:
        figures = [s.rank, s.games, s.points, s.won, s.skunks, s.plus, s.minus, f"{s.net:+}"]
        rank, *others = map(str, figures)
        if not any(one.games for one in standings):
            rank, others = "", [""] * len(others)
        rows.append([rank, cut(s.name), *others])
    return rows


def write(
    name: str,
    draws: Sequence[Draw],
    meetings: Sequence[Meeting],
    standings: Sequence[Standing],
    paper: str = "a4",
    language: str = "en",
) -> bytes:
    """Return the PDF. The file for an evening is always identical.

    Args:
        name: of the evening.
        draws: the evening's rounds, one per page.
        meetings: the meetings of those rounds, with their results.
        standings: the standings for the last page. A playoff has neither standings nor this page.
        paper: a key of `SIZES`.
        language: of the headings.
    """
    font()
    words = text.saying("club", language)
    stream = io.BytesIO()
    document = SimpleDocTemplate(
        stream,
        pagesize=SIZES[paper],
        leftMargin=18 * mm,
        rightMargin=18 * mm,
        topMargin=12 * mm,
        bottomMargin=12 * mm,
        invariant=1,
        title=name,
        author="",
        creator="boardctl",
        initialFontName=FONT,
    )
    head = ParagraphStyle("head", fontName=FONT, fontSize=16, leading=24)
    small = ParagraphStyle("small", fontName=FONT, fontSize=9, leading=11)
    large = ParagraphStyle("large", fontName=FONT, fontSize=12, leading=14)
    below = ParagraphStyle("below", large, spaceBefore=2 * mm)
    story: list[object] = []

    def page(heading: str, rows: list[list[str]], widths: list[float], *notes: str) -> None:
        """Write a table between its heading and notes. If everything then fits on one page, use
        large type and leave room for handwriting."""
        below_it = [Paragraph(_markup(note), below) for note in notes]
        room = document.height - 12 - head.leading  # a frame's padding is 6 on each side
        room -= sum(note.wrap(document.width, room)[1] + below.spaceBefore for note in below_it)
        for style, padding in ((large, 2.3 * mm), (small, 0.9 * mm), (small, 0.5 * mm)):
            grid = table(rows, widths, style, padding)
            if grid.wrap(document.width, room)[1] <= room:
                break
        story.extend((Paragraph(_markup(heading), head), grid, *below_it))

    def table(
        rows: list[list[str]], widths: list[float], style: ParagraphStyle, room: float
    ) -> Table:
        cells = [
            [Paragraph(_markup(item), style if n else small) for item in row]
            for n, row in enumerate(rows)
        ]
        wide = [width * mm for width in widths]
        grid = Table(cells, colWidths=wide, repeatRows=1, hAlign="LEFT")
        grid.setStyle(
            TableStyle(
                [
                    ("GRID", (0, 0), (-1, -1), 0.25, colors.grey),
                    ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
                    ("FONTNAME", (0, 0), (-1, -1), FONT),
                    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                    ("TOPPADDING", (0, 0), (-1, -1), room),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), room),
                ]
            )
        )
        return grid

    for number, drawn in enumerate(draws, 1):
        rows = [[words(c) for c in ("table", "players", "winner", "spread", "initials")]]
        for meeting in (m for m in meetings if m.round == number):
            rows.append(_row(meeting, words))
        skunk = any(m.round == number and m.result and m.result.skunk for m in meetings)
        notes = [words("skunk-mark")] if skunk else []
        if drawn.bye is not None:
            notes.append(words("bye", name=cut(drawn.bye)))
        heading = f"{cut(name)} · {words('round', round=number)}"
        page(heading, rows, [17, 70, 42, 16, 24], *notes)
        story.append(PageBreak())
    if standings:  # a playoff has none
        heading = f"{cut(name)} · {words('standings')}"
        page(heading, summary(standings, words), [10, 50, 15, 18, 15, 17, 15, 15, 17])
    document.build(story)
    return stream.getvalue()
