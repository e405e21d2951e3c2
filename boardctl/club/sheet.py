"""The printed sheet of an evening: rounds with space for results, and standings. Uses reportlab."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table, TableStyle

from boardctl import text
from boardctl.club.evening import Draw, Standing
from boardctl.club.store import Meeting

SIZES: Final = {"a4": A4, "letter": LETTER}
FONT: Final = "HeiseiKakuGo-W5"
"""A font that every PDF reader has; an English sheet may contain Japanese names too."""

LETTERS: Final = 60
"""Of a name are printed; a row that is longer than a page cannot be."""


def cut(words: str, letters: int = LETTERS) -> str:
    """Words as they are printed: no more letters than there is room for."""
    return words if len(words) <= letters else f"{words[: letters - 1]}…"


def write(
    name: str,
    draws: Sequence[Draw],
    meetings: Sequence[Meeting],
    standings: Sequence[Standing],
    paper: str = "a4",
    language: str = "en",
) -> bytes:
    """The PDF; the same evening always gives an identical file."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))

    def words(code: str, **fields: object) -> str:
        return text.say("club", code, fields, (), language)

    stream = io.BytesIO()
    document = SimpleDocTemplate(
        stream, pagesize=SIZES[paper], invariant=1, title=name, author="", creator="boardctl"
    )
    head = ParagraphStyle("head", fontName=FONT, fontSize=16, leading=24)
    cell = ParagraphStyle("cell", fontName=FONT, fontSize=9, leading=11)
    story: list[object] = []

    def table(rows: list[list[str]], widths: list[float]) -> None:
        cells = [[Paragraph(escape(item), cell) for item in row] for row in rows]
        grid = Table(cells, colWidths=[width * mm for width in widths], repeatRows=1)
        grid.setStyle(
            TableStyle(
                [
                    ("GRID", (0, 0), (-1, -1), 0.25, colors.grey),
                    ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
                    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ]
            )
        )
        story.append(grid)

    for number, drawn in enumerate(draws, 1):
        story.append(Paragraph(escape(f"{cut(name)} · {words('round', round=number)}"), head))
        rows = [[words(c) for c in ("table", "players", "winner", "spread", "initials")]]
        for meeting in (m for m in meetings if m.round == number):
            won = meeting.result
            rows.append(
                [
                    str(meeting.table),
                    f"{cut(meeting.one)} – {cut(meeting.two)}",
                    "" if won is None else cut(won.winner),
                    "" if won is None else f"{won.spread}{' S' if won.skunk else ''}",
                    words("corrected") if won is not None and won.corrected else "",
                ]
            )
        table(rows, [14, 66, 40, 18, 30])
        if drawn.bye is not None:
            story.append(Paragraph(escape(words("bye", name=cut(drawn.bye))), cell))
        story.append(PageBreak())
    story.append(Paragraph(escape(f"{cut(name)} · {words('standings')}"), head))
    rows = [
        ["", *(words(c) for c in ("player", "games", "won", "skunks", "points", "net", "plus"))]
    ]
    rows += [
        [
            str(f)
            for f in (s.rank, cut(s.name), s.games, s.won, s.skunks, s.points, f"{s.net:+}", s.plus)
        ]
        for s in standings
    ]
    table(rows, [10, 58, 16, 16, 16, 20, 16, 16])
    document.build(story)
    return stream.getvalue()
