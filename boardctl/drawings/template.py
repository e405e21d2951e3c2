"""The template: what to cut, drill and engrave, plate by plate.

The board has three plates: the front plate with the visible holes, the light guide with a well for
every LED to stop stray light, and the carrier plate with the strips glued on in the order of the
data signal. All are seen from the front.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, hypot, radians, sin
from typing import Final, Literal, get_args

from boardctl.board import plan
from boardctl.board.shape import Layout, Place, Run, Window
from boardctl.board.sheet import (
    CUT,
    DRILL,
    ENGRAVE,
    NOTE,
    Box,
    Circle,
    Line,
    Shape,
    Sheet,
    Words,
    bar,
)
from boardctl.drawings import case, strokes

Plate = Literal["front", "guide", "carrier"]
PLATES: Final[tuple[Plate, ...]] = get_args(Plate)
TITLES: Final[dict[Plate, str]] = {
    "front": "front plate",
    "guide": "light guide",
    "carrier": "carrier plate",
}
BORDER: Final = 12.0
"""The margin around the plate."""
EDGE: Final = 3.0
"""The part of the margin printed on tiles."""
FOOT: Final = 22.0
"""The space below the plate for the bar and the title."""
WELL: Final = 1.5
"""The additional width of a well over the hole above it, if there is space …"""
WELL_WALL: Final = 1.2
"""… for a wall of this thickness."""
STRIP: Final = 10.0
"""The width of a strip, and the diameter of a single pixel's board."""
NUMBER: Final = 8.5
"""The distance from a piece's first LED to the piece's number."""
SLOT: Final = (30.0, 8.0)
"""The cable opening in the carrier, behind the keypad."""


def template(layout: Layout, plate: Plate = "front") -> Sheet:
    """Draw one plate of a board."""
    sheet = Sheet(
        f"{layout.title}: {TITLES[plate]}",
        -BORDER,
        -BORDER,
        layout.width + BORDER,
        layout.height + FOOT,
        core=(-EDGE, -EDGE, layout.width + EDGE, layout.height + EDGE),
    )
    sheet.add(Box(CUT, 0, 0, layout.width, layout.height, layout.corner))
    sheet.add(
        *(
            Circle(DRILL, x, y, layout.mounting_hole_diameter, "mounting-hole")
            for x, y in layout.mounting_holes
        )
    )
    draw = {"front": _front, "guide": _guide, "carrier": _carrier}[plate]
    sheet.add(*draw(layout))
    sheet.add(*bar(0, layout.height + 7))
    words = (
        f"boardctl {layout.name}: {TITLES[plate]}, {layout.width:.1f} × {layout.height:.1f} mm, "
        "seen from the front. Red: cut. Blue: drill. Black: engrave. Grey: for you."
    )
    sheet.add(Words(NOTE, 0, layout.height + 15, 2.5, words, "left"))
    # A group per layer; machines engrave and drill before cutting the plate out.
    order = (ENGRAVE, DRILL, CUT, NOTE)
    sheet.shapes.sort(key=lambda shape: order.index(shape.layer))
    return sheet


def _front(layout: Layout) -> list[Shape]:
    shapes: list[Shape] = [
        _opening(plan.window(layout)),
        _opening(layout.keypad),
        *_lcd(layout),
        *(Circle(DRILL, lamp.x, lamp.y, layout.hole, lamp.name) for lamp in layout.lamps),
    ]
    shapes += _lane_borders(layout)
    marks = [*plan.marks(layout), *plan.ticks(layout)]
    shapes += (Line(ENGRAVE, (mark.start, mark.end)) for mark in marks)
    for words in (*plan.numbers(layout), *layout.texts):
        shapes += (
            Line(ENGRAVE, points)
            for points in strokes.engrave(words.text, words.x, words.y, words.size)
        )
    return shapes


def _lcd(layout: Layout) -> list[Shape]:
    """Draw the cut-outs for an LCD as an alternative, on a plate that has room for one."""
    if case.display(layout) is case.OLED:
        return []
    place = layout.display
    words = f"{place.width:g} × {place.height:g} for an LCD"
    at = place.x + place.width / 2, place.y + place.height - 2.2
    return [
        Box(NOTE, place.x, place.y, place.width, place.height, 1.0),
        Words(NOTE, *at, 2.0, words),
    ]


def _opening(window: Window, more: float = 0.0) -> Box:
    return Box(
        CUT,
        window.x - more,
        window.y - more,
        window.width + 2 * more,
        window.height + 2 * more,
        1.0,
    )


LANE: Final = 5.0
"""The distance from the middle of a track to its engraved border."""


def _lane_borders(layout: Layout) -> list[Shape]:
    """Return a border around each track."""
    shapes: list[Shape] = []
    for bends in plan.lanes(layout):
        way = plan.flatten(bends)
        right, left = [], []
        for n, (x, y) in enumerate(way):
            before, after = way[max(0, n - 1)], way[min(len(way) - 1, n + 1)]
            run, rise = after[0] - before[0], after[1] - before[1]
            length = hypot(run, rise)
            right.append((x - rise / length * LANE, y + run / length * LANE))
            left.append((x + rise / length * LANE, y - run / length * LANE))
        end, start = _cap(way[-2], way[-1]), _cap(way[1], way[0])
        shapes.append(Line(ENGRAVE, (*left, *end, *reversed(right), *start), closed=True))
    return shapes


def _cap(before: Place, end: Place) -> list[Place]:
    """Return a semicircle around the end of a track, from its left side to its right side."""
    run, rise = end[0] - before[0], end[1] - before[1]
    length = hypot(run, rise)
    forward = (run / length * LANE, rise / length * LANE)
    return [
        (
            end[0] + forward[0] * cos(radians(turn)) - forward[1] * sin(radians(turn)),
            end[1] + forward[1] * cos(radians(turn)) + forward[0] * sin(radians(turn)),
        )
        for turn in range(-90, 91, 15)
    ]


def well(layout: Layout) -> float:
    """Return the diameter of the light guide's wells, which are wider than the holes as far as the
    walls allow."""
    nearest = min(dist(one, other) for run in layout.runs for one, other in pairwise(run.places))
    return max(layout.hole, min(layout.hole + WELL, nearest - WELL_WALL))


def _guide(layout: Layout) -> list[Shape]:
    diameter = well(layout)
    return [
        _opening(case.opening(layout)),
        _opening(layout.keypad, case.AROUND),
        *(Circle(DRILL, lamp.x, lamp.y, diameter, lamp.name) for lamp in layout.lamps),
    ]


def _carrier(layout: Layout) -> list[Shape]:
    keypad = layout.keypad
    shapes: list[Shape] = [
        _opening(case.opening(layout)),
        Box(
            CUT,
            keypad.x + (keypad.width - SLOT[0]) / 2,
            keypad.y + (keypad.height - SLOT[1]) / 2,
            *SLOT,
            SLOT[1] / 2,
        ),
    ]
    for number, run in enumerate(layout.runs, 1):
        shapes += piece(run)
        x, y = before(run)
        shapes.append(Words(NOTE, x, y, 3.0, str(number), bold=True))
    return shapes


def before(run: Run) -> Place:
    """Return the position of a piece's number: before its first LED or, if a single LED is near the
    edge, behind it."""
    (x, y), turn = run.places[0], radians(run.leaves)
    if len(run.places) == 1 and x < 2 * NUMBER:
        return x + NUMBER, y
    return x - NUMBER * cos(turn), y - NUMBER * sin(turn)


def piece(run: Run) -> list[Shape]:
    """Return the marks for a piece of strip: its outline, an arrow in the direction of the data,
    and a cross for every LED. Single pixels are circles."""
    shapes: list[Shape] = []
    if run.strip is None:
        shapes += (Circle(ENGRAVE, x, y, STRIP, "pixel") for x, y in run.places)
    else:
        shapes.append(Line(ENGRAVE, _outline(run), closed=True))
        shapes += _arrow(run)
    for x, y in run.places:
        shapes.append(Line(ENGRAVE, ((x - 1, y), (x + 1, y))))
        shapes.append(Line(ENGRAVE, ((x, y - 1), (x, y + 1))))
    return shapes


def _outline(run: Run) -> tuple[Place, ...]:
    turn = radians(run.leaves)
    forward = (cos(turn) * run.every / 2, sin(turn) * run.every / 2)
    sideways = (-sin(turn) * STRIP / 2, cos(turn) * STRIP / 2)
    (x1, y1), (x2, y2) = run.places[0], run.places[-1]
    return (
        (x1 - forward[0] + sideways[0], y1 - forward[1] + sideways[1]),
        (x2 + forward[0] + sideways[0], y2 + forward[1] + sideways[1]),
        (x2 + forward[0] - sideways[0], y2 + forward[1] - sideways[1]),
        (x1 - forward[0] - sideways[0], y1 - forward[1] - sideways[1]),
    )


def _arrow(run: Run) -> list[Shape]:
    """Return two short strokes, between the first two LEDs or before a single LED."""
    turn = radians(run.leaves)
    x, y = run.places[0]
    step = run.every / 2 if len(run.places) > 1 else 0
    tip = (x + (step + 1) * cos(turn), y + (step + 1) * sin(turn))
    barbs = (
        (tip[0] + 2.2 * cos(turn + side), tip[1] + 2.2 * sin(turn + side))
        for side in (radians(150), radians(-150))
    )
    return [Line(ENGRAVE, (barb, tip)) for barb in barbs]
