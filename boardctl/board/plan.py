"""The geometry of a board for the page, the templates and the documentation.

The page receives `picture(layout)` as JSON, and the drawings use the same numbers. Lengths are in
millimetres, and y points down.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import acos, copysign, cos, dist, hypot, radians, sin, tan
from typing import Any, Final

from boardctl.board.shape import CIRCUIT, GAME_HOLE, Lamp, Layout, Place, Run, Text, Window

NUMBER_SIZE: Final = 3.0
"""The height of the engraved hole numbers."""
LINE_LENGTH: Final = 12.0
"""The length of a line across one track."""
STREET: Final = 30
"""The number of holes in a street."""
TICK_LENGTH: Final = 7.0
"""The length of the tick after every fifth hole if no gap separates the groups of five."""
GLASS: Final = (27.0, 15.0)
"""The window for the OLED: its active area of 21.7 × 11.2 mm, plus a margin of glass."""

Bend = tuple[Place, Place, Place, Place]
"""A cubic Bézier curve: start, two control points, end."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A short engraved line across a track, just before a hole: a skunk line or a street's end."""

    name: str
    start: Place
    end: Place


def holes(layout: Layout, track: int) -> list[Lamp]:
    """Return the lamps of a track in the order of play."""
    lamps = {lamp.name: lamp for lamp in layout.lamps}
    way = ["start1", "start2", *range(1, CIRCUIT // layout.laps + 1), GAME_HOLE]
    return [lamps[f"track{track}.{step}"] for step in way]


def lanes(layout: Layout) -> list[list[Bend]]:
    """Return, for each track, the path of its pegs, from the first start hole to the game hole."""
    return [
        [_bend(layout, one, other) for one, other in pairwise(way)]
        for way in (holes(layout, track) for track in range(1, layout.tracks + 1))
    ]


def _bend(layout: Layout, one: Lamp, other: Lamp) -> Bend:
    """Return the path from one hole to the next: straight along a strip, curved between strips."""
    start, end = (one.x, one.y), (other.x, other.y)
    away, towards = _direction(layout, one, other, True), _direction(layout, one, other, False)
    turn = acos(max(-1.0, min(1.0, away[0] * towards[0] + away[1] * towards[1])))
    # The control points that best approximate an arc over this chord.
    reach = dist(start, end) * (2 / 3 * tan(turn / 4) / sin(turn / 2) if turn > 0.01 else 1 / 3)
    return (
        start,
        (start[0] + reach * away[0], start[1] + reach * away[1]),
        (end[0] - reach * towards[0], end[1] - reach * towards[1]),
        end,
    )


def _direction(layout: Layout, one: Lamp, other: Lamp, leaving: bool) -> Place:
    """Return the direction in which the path leaves `one` or reaches `other`, a unit vector."""
    runs = (_run_of(layout, one), _run_of(layout, other))
    if runs[0] is runs[1] and runs[0].leaves == runs[0].arrives:
        length = dist((one.x, one.y), (other.x, other.y))
        return (other.x - one.x) / length, (other.y - one.y) / length
    run, lamp = (runs[0], one) if leaving else (runs[1], other)
    back = _is_backwards(layout, run)
    turn = radians(_angle_at(run, lamp) + (180 if back else 0))
    return cos(turn), sin(turn)


def _angle_at(run: Run, lamp: Lamp) -> float:
    share = (lamp.index - run.first) / max(1, len(run.places) - 1)
    return run.leaves + share * (run.arrives - run.leaves)


def _is_backwards(layout: Layout, run: Run) -> bool:
    """Return whether the data signal runs against the direction of play in this run."""
    steps = [_order(lamp.name) for lamp in _lamps_of(layout, run)]
    return len(steps) > 1 and steps[0] > steps[-1]


def _order(name: str) -> int:
    place = name.rpartition(".")[2]
    return int(place) if place.isdecimal() else {"start1": -1}.get(place, 0)


def _run_of(layout: Layout, lamp: Lamp) -> Run:
    return next(r for r in reversed(layout.runs) if r.first <= lamp.index)


def _lamps_of(layout: Layout, run: Run) -> list[Lamp]:
    last = run.first + len(run.places)
    return [lamp for lamp in layout.lamps if run.first <= lamp.index < last]


def marks(layout: Layout) -> list[Mark]:
    """Return a mark across each track for every line of the layout, such as the skunk line."""
    return [
        _mark_before(layout, name, track, hole)
        for name, hole in layout.lines.items()
        for track in range(1, layout.tracks + 1)
    ]


def streets(layout: Layout, size: float) -> list[Mark]:
    """Return the marks for the ends of the streets, `street1`, `street2` …, across each track:
    before hole 31, before 61 (the double skunk line), and before 91 (the skunk line). On a board
    with two laps, the marks are those of the first lap.

    Args:
        layout: the board.
        size: the length of a mark in millimetres.
    """
    ends = range(STREET, min(CIRCUIT, CIRCUIT // layout.laps + 1), STREET)
    return [
        _mark_before(layout, f"street{street}", track, hole + 1, size)
        for street, hole in enumerate(ends, 1)
        for track in range(1, layout.tracks + 1)
    ]


def around(layout: Layout, track: int, hole: int) -> tuple[Lamp, Lamp]:
    """Return the lamps of a hole and of the previous hole on the same lap. The second start hole
    precedes the first hole of a lap."""
    start, *way = holes(layout, track)[1:-1]
    place = (hole - 1) % len(way)
    return way[place - 1] if place else start, way[place]


def _mark_before(
    layout: Layout, name: str, track: int, hole: int, size: float = LINE_LENGTH
) -> Mark:
    return _mark_between(layout, name, *around(layout, track, hole), size)


def ticks(layout: Layout) -> list[Mark]:
    """Return the ticks that separate groups of five holes, where no dark LED separates them."""
    return [
        _mark_between(layout, "five", one, other, TICK_LENGTH)
        for track in range(1, layout.tracks + 1)
        for number, (one, other) in enumerate(pairwise(holes(layout, track)[2:-1]), 1)
        if number % 5 == 0
        and abs(one.index - other.index) == 1
        and _is_one_piece(layout, one, other)
    ]


def _is_one_piece(layout: Layout, one: Lamp, other: Lamp) -> bool:
    return _run_of(layout, one) is _run_of(layout, other)


def _mark_between(
    layout: Layout, name: str, one: Lamp, other: Lamp, size: float = LINE_LENGTH
) -> Mark:
    start, first, second, end = _bend(layout, one, other)
    x, y = (
        (a + 3 * b + 3 * c + d) / 8 for a, b, c, d in zip(start, first, second, end, strict=True)
    )
    run, rise = end[0] + second[0] - first[0] - start[0], end[1] + second[1] - first[1] - start[1]
    length = hypot(run, rise)
    across = (-rise / length * size / 2, run / length * size / 2)
    return Mark(name, (x - across[0], y - across[1]), (x + across[0], y + across[1]))


def numbers(layout: Layout) -> list[Text]:
    """Return the numbers of every fifth hole, next to the runs that have numbers."""
    found = []
    lines = marks(layout)
    for run in layout.runs:
        if run.numbers is None:
            continue
        for lamp in _lamps_of(layout, run):
            place = lamp.name.rpartition(".")[2]
            if not place.isdecimal() or int(place) % 5 or int(place) > CIRCUIT:
                continue
            turn = radians(_angle_at(run, lamp) + 90)
            text = _figures(layout, int(place))
            half = abs(cos(turn)) * len(text) * NUMBER_SIZE * 0.45
            half += abs(sin(turn)) * NUMBER_SIZE / 2
            away = copysign(abs(run.numbers) + half, run.numbers)
            number = Text(
                round(lamp.x + away * cos(turn), 3),
                round(lamp.y + away * sin(turn), 3),
                NUMBER_SIZE,
                text,
            )
            if not any(_touches(mark, number) for mark in lines):
                found.append(number)
    return found


def _touches(mark: Mark, number: Text) -> bool:
    """Return whether a line would overlap a number, so that the number must be omitted."""
    return any(dist((number.x, number.y), end) < number.size for end in (mark.start, mark.end))


def _figures(layout: Layout, hole: int) -> str:
    """Return `30`, or `30/90` if pegs pass the hole twice."""
    circuit = CIRCUIT // layout.laps
    return "/".join(str(hole + lap * circuit) for lap in range(layout.laps))


def svg_path(bends: list[Bend]) -> str:
    """Return a path as the `d` attribute of an SVG path."""
    parts = [f"M{bends[0][0][0]:.3f} {bends[0][0][1]:.3f}"]
    for _, one, two, end in bends:
        parts.append("C" + " ".join(f"{n:.3f}" for n in (*one, *two, *end)))
    return "".join(parts)


def _window(window: Window) -> dict[str, float]:
    return {"x": window.x, "y": window.y, "width": window.width, "height": window.height}


def picture(layout: Layout) -> dict[str, Any]:
    """Return the geometry as JSON, for `/api/layout`: the page draws its board using only this
    data.

    `lamps` contains the lamps, each with its position in the frame (`index`). `lanes` contains SVG
    paths, one per track. The other keys contain the remaining elements of the drawing.
    """
    return {
        "name": layout.name,
        "title": layout.title,
        "width": layout.width,
        "height": layout.height,
        "corner": layout.corner,
        "hole": layout.hole,
        "tracks": layout.tracks,
        "laps": layout.laps,
        "leds": layout.leds,
        "lamps": [
            {"index": lamp.index, "x": lamp.x, "y": lamp.y, "name": lamp.name}
            for lamp in layout.lamps
        ],
        "lanes": [svg_path(lane) for lane in lanes(layout)],
        "lines": [
            {
                "name": mark.name,
                "x1": round(mark.start[0], 3),
                "y1": round(mark.start[1], 3),
                "x2": round(mark.end[0], 3),
                "y2": round(mark.end[1], 3),
            }
            for mark in (*marks(layout), *ticks(layout))
        ],
        "numbers": [{"x": n.x, "y": n.y, "size": n.size, "text": n.text} for n in numbers(layout)],
        "texts": [{"x": t.x, "y": t.y, "size": t.size, "text": t.text} for t in layout.texts],
        "display": _window(layout.display),
        "keypad": _window(layout.keypad),
        "fixings": [
            {"x": x, "y": y, "diameter": layout.mounting_hole_diameter}
            for x, y in layout.mounting_holes
        ],
    }


def flatten(bends: list[Bend], steps: int = 40) -> list[Place]:
    """Return a path of Bézier curves as a polyline. Straight parts are kept."""
    points = [bends[0][0]]
    for start, one, two, end in bends:
        straight = dist(start, one) + dist(one, two) + dist(two, end) - dist(start, end) < 1e-3
        for n in [steps] if straight else range(1, steps + 1):
            t = n / steps
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            points.append(
                (
                    sum(w * p[0] for w, p in zip(weights, (start, one, two, end), strict=True)),
                    sum(w * p[1] for w, p in zip(weights, (start, one, two, end), strict=True)),
                )
            )
    return points


def window(layout: Layout) -> Window:
    """Return the OLED's window in the front plate, in the middle of the display area."""
    place = layout.display
    width, height = min(GLASS[0], place.width), min(GLASS[1], place.height)
    x, y = place.x + (place.width - width) / 2, place.y + (place.height - height) / 2
    return Window(x, y, width, height)
