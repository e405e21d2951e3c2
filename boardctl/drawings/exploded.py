"""An exploded view of the case, seen from above and from the front left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, radians, sin
from typing import Final

from boardctl.board import plan
from boardctl.board.shape import Layout, Place, Window
from boardctl.board.sheet import Layer, Line, Sheet, Words, circle_points
from boardctl.drawings import case, inside

APART: Final = 0.5
"""The distance between layers in the picture, as a fraction of the board's height."""
TURN, TILT = radians(-18), radians(55)
INK: Final = Layer("ink", "#202020", 0.3)
AXIS: Final = Layer("axis", "#b0b0b0", 0.3)
HOLE: Final = Layer("holes", "#303030", 0.2, "#8a6a42")
_FILLS: Final = ("#caa472", "#f3f3f3", "#3b3b3b", "#e8e2d0", "#d9b98a", "#9db3c4")


def exploded(layout: Layout) -> Sheet:
    """Draw the exploded view: front plate, diffuser, light guide, LEDs on the carrier, and the tray
    with the Pi."""
    opening, keypad, display = case.opening(layout), layout.keypad, plan.window(layout)
    wide = Window(
        keypad.x - case.AROUND,
        keypad.y - case.AROUND,
        keypad.width + 2 * case.AROUND,
        keypad.height + 2 * case.AROUND,
    )
    lamps = [(lamp.x, lamp.y) for lamp in layout.lamps]
    leds = [place for run in layout.runs for place in run.places]
    length, apart = case.screw_length(), APART * layout.height
    layers: tuple[tuple[str, Iterable[Window], Iterable[Place], float], ...] = (
        (f"front plate, {case.FRONT:g} mm, screws M3 × {length}", (display, keypad), lamps, 4.0),
        (f"diffuser, {case.DIFFUSER:g} mm", (opening, wide), (), 0.0),
        (f"light guide, {case.GUIDE:g} mm, on the LEDs", (opening, wide), lamps, 5.0),
        (f"carrier, {case.CARRIER:g} mm, strips {case.LIGHTS:g} mm", (opening,), leds, 3.5),
        (f"tray, {case.ROOM:g} mm inside, M3 inserts", (), (), 0.0),
    )
    shapes: list[Line | Words] = []
    for x, y in layout.mounting_holes:
        ends = (_projected(x, y, 0), _projected(x, y, -apart * (len(layers) - 1)))
        shapes.append(Line(AXIS, ends))
    for number in reversed(range(len(layers))):
        words, windows, holes, size = layers[number]
        down = -apart * number
        fill = Layer(f"layer {number}", "#202020", 0.3, _FILLS[number])
        shapes.append(Line(fill, _plate(layout, down), closed=True))
        open_ = Layer("openings", "#202020", 0.2, "#ffffff")
        for window in windows:
            shapes.append(Line(open_, _box(window, down), closed=True))
        for x, y in holes:
            points = circle_points(x, y, size, 10)
            shapes.append(Line(HOLE, tuple(_projected(*p, down) for p in points), closed=True))
        if number == len(layers) - 1:
            pi = case.PIS[-1]
            x, y = inside.pi_place(layout, pi, inside.hanging(layout))
            board = Window(x - pi.width / 2, y - pi.height / 2, pi.width, pi.height)
            green = Layer("pi", "#202020", 0.3, "#2f7d4f")
            shapes.append(Line(green, _box(board, down), closed=True))
        right = _projected(layout.width, layout.height, down)
        shapes.append(Words(INK, right[0] + 6, right[1], 6.0, words, "left"))
    return _sheet(f"{layout.title}: the case", shapes)


def _sheet(title: str, shapes: Sequence[Line | Words]) -> Sheet:
    """Return a sheet around the lines, with room for the words on the right."""
    xs = [p[0] for s in shapes if isinstance(s, Line) for p in s.points]
    ys = [p[1] for s in shapes if isinstance(s, Line) for p in s.points]
    sheet = Sheet(title, min(xs) - 6, min(ys) - 6, max(xs) + 170, max(ys) + 6)
    sheet.add(*shapes)
    return sheet


def _projected(x: float, y: float, z: float) -> Place:
    along = x * cos(TURN) - y * sin(TURN)
    away = x * sin(TURN) + y * cos(TURN)
    return round(along, 2), round(away * cos(TILT) - z * sin(TILT), 2)


def _box(window: Window, z: float) -> tuple[Place, ...]:
    right, bottom = window.x + window.width, window.y + window.height
    corners = ((window.x, window.y), (right, window.y), (right, bottom), (window.x, bottom))
    return tuple(_projected(x, y, z) for x, y in corners)


def _plate(layout: Layout, z: float) -> tuple[Place, ...]:
    r, w, h = layout.corner, layout.width, layout.height
    points = []
    for cx, cy, start in ((w - r, h - r, 0), (r, h - r, 90), (r, r, 180), (w - r, r, 270)):
        for step in range(0, 91, 15):
            a = radians(start + step)
            points.append(_projected(cx + r * cos(a), cy + r * sin(a), z))
    return tuple(points)
