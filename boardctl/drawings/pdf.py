"""Write sheets as PDF using reportlab: whole, or in tiles for A4 or Letter paper.

Every page has a 100 mm bar to check that the printer does not scale.
"""

from __future__ import annotations

import io
from itertools import groupby
from math import ceil
from typing import Final, Literal

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from boardctl.board.shape import Place
from boardctl.board.sheet import NOTE, Box, Circle, Line, Shape, Sheet, Words, bar

Paper = Literal["a4", "letter", "whole"]
SIZES: Final = {"a4": (A4[0] / mm, A4[1] / mm), "letter": (LETTER[0] / mm, LETTER[1] / mm)}
MARGIN: Final = 10.0
"""The margin that any printer may leave blank."""
FOOT: Final = 14.0
"""The height of the bar and the tile's name below the picture."""
OVERLAP: Final = 10.0
"""The overlap of neighbouring tiles, for gluing."""
CAPITALS: Final = 0.718
"""The height of Helvetica's capitals as a fraction of the font size (Adobe's metrics)."""
JAPANESE: Final = "HeiseiKakuGo-W5"
"""A Japanese font that every PDF reader has."""


def write(sheets: list[Sheet], paper: Paper = "a4") -> bytes:
    """Return the file's content, which is always the same for the same sheets."""
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1, pageCompression=1)
    canvas.setTitle(sheets[0].title)
    canvas.setCreator("boardctl")
    for number, sheet in enumerate(sheets):
        if paper == "whole":
            canvas.setPageSize((sheet.width * mm, sheet.height * mm))
            _draw(canvas, sheet, (sheet.left, sheet.bottom))
            canvas.showPage()
        else:
            _tile(canvas, sheet, SIZES[paper], f"sheet{number}")
    canvas.save()
    return stream.getvalue()


def tiles(sheet: Sheet, size: Place) -> tuple[bool, int, int]:
    """Return the tiling of a sheet with the fewest pages: whether the paper is in landscape format,
    and the numbers of columns and rows."""
    left, top, right, bottom = _core(sheet)
    ways = []
    for landscape in (False, True):
        width, height = _room(size, landscape)
        columns, rows = _pages(right - left, width), _pages(bottom - top, height)
        ways.append((columns * rows, landscape, columns, rows))
    return min(ways)[1:]


def _core(sheet: Sheet) -> tuple[float, float, float, float]:
    return sheet.core or (sheet.left, sheet.top, sheet.right, sheet.bottom)


def _pages(length: float, room: float) -> int:
    return 1 if length <= room else ceil((length - OVERLAP) / (room - OVERLAP))


def _room(size: Place, landscape: bool) -> Place:
    width, height = (size[1], size[0]) if landscape else size
    return width - 2 * MARGIN, height - 2 * MARGIN - FOOT


def _tile(canvas: Canvas, sheet: Sheet, size: Place, form: str) -> None:
    """Draw the sheet once as a form, and a clipped view of it on each page."""
    landscape, columns, rows = tiles(sheet, size)
    width, height = _room(size, landscape)
    page = (size[1], size[0]) if landscape else size
    core = _core(sheet)
    canvas.beginForm(form, 0, 0, sheet.width * mm, sheet.height * mm)
    _draw(canvas, sheet, (sheet.left, sheet.bottom))
    canvas.endForm()
    for row in range(rows):
        for column in range(columns):
            canvas.setPageSize((page[0] * mm, page[1] * mm))
            left = core[0] - sheet.left + column * (width - OVERLAP)
            top = core[1] - sheet.top + row * (height - OVERLAP)
            shown = (
                min(width, core[2] - sheet.left - left),
                min(height, core[3] - sheet.top - top),
            )
            window = canvas.beginPath()
            window.rect(
                MARGIN * mm, (page[1] - MARGIN - shown[1]) * mm, shown[0] * mm, shown[1] * mm
            )
            canvas.saveState()
            canvas.clipPath(window, stroke=0)
            canvas.translate((MARGIN - left) * mm, (page[1] - MARGIN + top - sheet.height) * mm)
            canvas.doForm(form)
            canvas.restoreState()
            name = f"{chr(ord('A') + row)}{column + 1}" if columns * rows > 1 else ""
            foot = Sheet("", 0, 0, page[0], page[1])
            foot.add(*bar(MARGIN, page[1] - MARGIN - 3))
            words = f"{name}  {sheet.title}".strip()
            foot.add(
                Words(NOTE, page[0] - MARGIN, page[1] - MARGIN - 8, 2.5, words, "right", bold=True)
            )
            foot.add(*_cut_marks(column, row, columns, rows, shown))
            _draw(canvas, foot, (0, page[1]))
            canvas.showPage()


def _cut_marks(column: int, row: int, columns: int, rows: int, shown: Place) -> list[Shape]:
    """Draw dashes in the middle of the overlap, for aligning the next page."""
    right, below = MARGIN + shown[0], MARGIN + shown[1]
    upright = [MARGIN + OVERLAP / 2] * (column > 0)
    upright += [right - OVERLAP / 2] * (column < columns - 1)
    level = [MARGIN + OVERLAP / 2] * (row > 0) + [below - OVERLAP / 2] * (row < rows - 1)
    return [
        *(Line(NOTE, ((x, y), (x, y + 4))) for x in upright for y in (MARGIN - 4, below)),
        *(Line(NOTE, ((x, y), (x + 4, y))) for y in level for x in (MARGIN - 4, right)),
    ]


def _draw(canvas: Canvas, sheet: Sheet, corner: Place) -> None:
    """Draw a sheet so that its point `corner` is at the lower left of the page."""
    for shape in sheet.shapes:
        layer = shape.layer
        canvas.setLineWidth(layer.width * mm)
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        if layer.line:
            canvas.setStrokeColor(HexColor(layer.line))
        if layer.fill:
            canvas.setFillColor(HexColor(layer.fill))
        style = {"stroke": int(bool(layer.line)), "fill": int(bool(layer.fill))}
        if isinstance(shape, Circle):
            x, y = (shape.x - corner[0]) * mm, (corner[1] - shape.y) * mm
            canvas.circle(x, y, shape.diameter / 2 * mm, **style)
        elif isinstance(shape, Box):
            x = (shape.x - corner[0]) * mm
            y = (corner[1] - shape.y - shape.height) * mm
            size = (shape.width * mm, shape.height * mm, shape.radius * mm)
            canvas.roundRect(x, y, *size, **style)
        elif isinstance(shape, Line):
            path = canvas.beginPath()
            first, *rest = (
                ((px - corner[0]) * mm, (corner[1] - py) * mm) for px, py in shape.points
            )
            path.moveTo(*first)
            for point in rest:
                path.lineTo(*point)
            if shape.closed:
                path.close()
            canvas.drawPath(path, stroke=style["stroke"], fill=style["fill"] and shape.closed)
        else:
            _type(canvas, shape, corner)


def _type(canvas: Canvas, words: Words, corner: Place) -> None:
    canvas.setFillColor(HexColor(words.layer.line or "#000000"))
    size = words.size / CAPITALS * mm
    pieces = _pieces(words)
    length = sum(pdfmetrics.stringWidth(text, font, size) for text, font in pieces)
    share = {"left": 0.0, "centre": 0.5, "right": 1.0}[words.align]
    x = (words.x - corner[0]) * mm - share * length
    y = (corner[1] - words.y - words.size / 2) * mm
    for text, font in pieces:
        canvas.setFont(font, size)
        canvas.drawString(x, y, text)
        x += pdfmetrics.stringWidth(text, font, size)


def _pieces(words: Words) -> list[tuple[str, str]]:
    """Split text by font, because no standard PDF font contains all letters and suits."""
    return [
        ("".join(letters), font)
        for font, letters in groupby(words.text, lambda letter: _font(letter, words.bold))
    ]


def _font(letter: str, bold: bool) -> str:
    """Return Helvetica if it contains the letter (WinAnsi), ZapfDingbats for suits, and otherwise
    the Japanese font."""
    if letter in "♠♥♦♣":
        return "ZapfDingbats"
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        if JAPANESE not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(UnicodeCIDFont(JAPANESE))
        return JAPANESE
    return "Helvetica-Bold" if bold else "Helvetica"
