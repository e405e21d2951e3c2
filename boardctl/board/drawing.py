"""A picture of the lit board, for the documentation and `boardctl draw layout`."""

from __future__ import annotations

from boardctl.board import plan
from boardctl.board.palette import Colour
from boardctl.board.render import Picture, lit
from boardctl.board.shape import Layout, Window
from boardctl.board.sheet import Box, Circle, Layer, Line, Sheet, Words
from boardctl.games import Line as GameLine
from boardctl.games import Scoreboard, Standing

WOOD = Layer("wood", "#3d2716", 0.6, "#6a4529")
LANE = Layer("lane", "#7d5636", 10.0)
GROOVE = Layer("groove", "#93693f", 0.3)
HOLE = Layer("hole", "#94714f", 0.25, "#1d120a")
WORDS = Layer("words", "#ecd9b4", 0.35)
GLASS = Layer("glass", "#2b1a0e", 0.4, "#12161c")
MARGIN = 4.0


def felt(colour: Colour) -> str:
    """Return a light's colour for a screen, `#rrggbb`. Screens are not linear, and dark colours
    vanish on them, so the colour is chosen to look as bright as the light."""
    return "#" + "".join(f"{round(255 * (share / 255) ** 0.45):02x}" for share in colour)


def board(layout: Layout, picture: Picture | None = None, *, dark: bool = False) -> Sheet:
    """Draw the board with a picture lit on it, by default a game in progress. With `dark`, nothing
    is lit, and every lamp's element is named after the lamp, so that a viewer program can light
    it."""
    sheet = Sheet(layout.title, -MARGIN, -MARGIN, layout.width + MARGIN, layout.height + MARGIN)
    sheet.add(Box(WOOD, 0, 0, layout.width, layout.height, layout.corner))
    for bends in plan.lanes(layout):
        sheet.add(Line(LANE, tuple(plan.flatten(bends))))
    for bends in plan.lanes(layout):
        sheet.add(Line(GROOVE, tuple(plan.flatten(bends))))
    marks = (*plan.marks(layout), *plan.ticks(layout))
    sheet.add(*(Line(WORDS, (mark.start, mark.end)) for mark in marks))
    for words in (*plan.numbers(layout), *layout.texts):
        sheet.add(Words(WORDS, words.x, words.y, words.size, words.text))
    for window in (plan.window(layout), layout.keypad):
        sheet.add(Box(GLASS, window.x, window.y, window.width, window.height, 2.0))
    sheet.add(
        *(Circle(WORDS, x, y, layout.mounting_hole_diameter) for x, y in layout.mounting_holes)
    )
    _keys(sheet, layout.keypad)
    lights = {} if dark else lit(layout, picture or under_way(layout), 0.0)
    for lamp in layout.lamps:
        sheet.add(Circle(HOLE, lamp.x, lamp.y, layout.hole, lamp.name if dark else ""))
        colour = lights.get(lamp.name)
        if colour is not None:
            light = Layer(f"light-{felt(colour)[1:]}", None, 0.0, felt(colour))
            sheet.add(Circle(light, lamp.x, lamp.y, layout.hole * 0.9, lamp.name))
    return sheet


KEY = Layer("key", "#55606c", 0.3, "#232a33")
LEGEND = ("123A", "456B", "789C", "*0#D")


def _keys(sheet: Sheet, window: Window) -> None:
    """Draw the keypad in its window."""
    width, height = window.width / 4, window.height / 4
    for row, names in enumerate(LEGEND):
        for column, name in enumerate(names):
            x, y = window.x + column * width, window.y + row * height
            sheet.add(Box(KEY, x + 1.5, y + 1.5, width - 3, height - 3, 1.5))
            size = min(width, height) / 4
            sheet.add(Words(WORDS, x + width / 2, y + height / 2, size, name))


def under_way(layout: Layout) -> Picture:
    """Return a sample game: one side is past the double skunk line, the other is not."""
    scores = ((84, 76), (57, 45), (68, 62))[: layout.tracks]
    lines = (GameLine("double-skunk", 61), GameLine("skunk", 91))
    board_ = Scoreboard(tuple(Standing(*score) for score in scores), lines=lines, dealer=1, turn=2)
    return Picture(board_, won=(3, 2, 1)[: layout.tracks])
