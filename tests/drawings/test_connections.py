"""The picture of the connections: every wire leads from pin to pin, and none covers another."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from pathlib import Path

import pytest

from boardctl.app import config
from boardctl.board import layout as layouts
from boardctl.board.shape import Place
from boardctl.board.sheet import Box, Circle, Line, Shape, Words
from boardctl.drawings import wires
from boardctl.drawings.commands.draw import wired
from boardctl.drawings.connections import (
    COPPER,
    EVEN,
    HEADER,
    ODD,
    PART_WIDTH,
    PITCH,
    PRINT,
    connections,
)
from boardctl.drawings.wires import Device, devices, fused
from tests.drawings.drawn import HARDWARE, box_of

WIDTH = 320.0
CONFIGS = sorted((HARDWARE / "wiring").glob("*.toml"))
LAYERS = (wires.DATA, wires.POWER, wires.GROUND, wires.SIGNAL)


def drawn(path: Path) -> tuple[list[Device], list[Shape]]:
    settings = config.load(path)
    joined = [fused(d, 4) for d in devices(wired(settings, layouts.load(settings.layout)))]
    return joined, connections(joined, WIDTH)[0]


def wire_lines(shapes: list[Shape]) -> list[Line]:
    return [shape for shape in shapes if isinstance(shape, Line) and shape.layer in LAYERS]


def pin(number: int) -> Place:
    """Return the place of a header's pin: the odd ones are inside, as on a Pi with its plugs at the
    bottom."""
    return EVEN if number % 2 == 0 else ODD, HEADER + (number - 1) // 2 * PITCH


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_wire_begins_and_ends_at_a_pin(path: Path) -> None:
    joined, shapes = drawn(path)
    lines = wire_lines(shapes)
    starts = [line.points[0] for line in lines]
    used = [int(w.start.split()[1]) for d in joined for w in d.wires if w.start.startswith("pin ")]
    for number in used:
        assert pin(number) in starts, number
    header = {pin(number): number for number in range(1, 41)}
    assert sorted(header[start] for start in starts if start in header) == sorted(used)
    pads = {(s.x, s.y) for s in shapes if isinstance(s, Circle) and s.layer == COPPER}
    edge = WIDTH - PART_WIDTH
    ends = {end for line in lines for end in (line.points[0], line.points[-1])}
    arriving = {end for end in ends if end[0] == edge}
    without = [w for d in joined for w in d.wires if w.start.startswith("network ")]
    assert arriving <= pads
    assert len({pad for pad in pads if pad[0] == edge}) == len(arriving) + len(without)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_no_wire_runs_on_another(path: Path) -> None:
    """If two wires share a line, they are joined: they share an end or a dot."""
    _, shapes = drawn(path)
    dots = {(s.x, s.y) for s in shapes if isinstance(s, Circle) and s.layer.name.startswith("dot")}
    for one, other in combinations(wire_lines(shapes), 2):
        joints = {one.points[0], one.points[-1]} & {other.points[0], other.points[-1]}
        if joints or any(touches(one, dot) and touches(other, dot) for dot in dots):
            continue
        for part, second in product(pairwise(one.points), pairwise(other.points)):
            assert along(part, second) < 0.5, (one, other)


def along(one: tuple[Place, Place], other: tuple[Place, Place]) -> float:
    """Return the length over which two parts of wires are less than half a millimetre apart."""
    for run, level in ((0, 1), (1, 0)):
        levels = [place[level] for place in (*one, *other)]
        if max(levels) - min(levels) < 0.5:
            low = max(min(p[run] for p in one), min(p[run] for p in other))
            return min(max(p[run] for p in one), max(p[run] for p in other)) - low
    return 0.0


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_no_line_runs_through_words(path: Path) -> None:
    """A part in a wire, such as a fuse, covers the wire below its name."""
    _, shapes = drawn(path)
    parts = [shape for shape in shapes if isinstance(shape, Box) and shape.width < 20]
    for words in (shape for shape in shapes if isinstance(shape, Words)):
        if any(
            part.x < words.x < part.x + part.width and part.y < words.y < part.y + part.height
            for part in parts
        ):
            continue
        left, top, right, bottom = box_of(words)
        right -= 0.25 * (right - left)  # small letters
        for line in wire_lines(shapes):
            for (x, y), (to_x, to_y) in pairwise(line.points):
                inside = (
                    min(x, to_x) < right
                    and max(x, to_x) > left
                    and min(y, to_y) < bottom
                    and max(y, to_y) > top
                )
                assert not inside, (words.text, line)


def touches(line: Line, place: Place) -> bool:
    """Return whether a place is on a line of horizontal and vertical parts."""
    return any(
        all(min(a[n], b[n]) - 0.01 <= place[n] <= max(a[n], b[n]) + 0.01 for n in (0, 1))
        for a, b in pairwise(line.points)
    )


def test_the_level_shifter_has_its_pins_in_their_places() -> None:
    """Its pins run anticlockwise from the notch on its left: 1 to 7 below, 8 to 14 above
    (SCLS264)."""
    _, shapes = drawn(next(path for path in CONFIGS if path.stem == "pi-strip"))
    chip = next(s for s in shapes if isinstance(s, Words) and s.text == "74AHCT125")
    places = {
        int(s.text): (s.x, s.y)
        for s in shapes
        if isinstance(s, Words) and s.layer == PRINT and s.text.isdigit() and abs(s.y - chip.y) < 9
    }
    assert sorted(places) == list(range(1, 15))
    for number in range(1, 8):
        (x, y), (above_x, above_y) = places[number], places[15 - number]
        assert x == above_x
        assert above_y < chip.y < y
    assert [places[n][0] for n in range(1, 8)] == sorted(places[n][0] for n in range(1, 8))
