"""The wiring of a board: its connections, and the path of the data through the strips.

The pins are taken from the daemon's configuration, and the pieces from the layout. The upper half
shows the parts and every wire between them. The lower half shows the carrier plate from the front,
with the data path from piece to piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import dist
from typing import Final

from boardctl.board.shape import Layout, Place, Run
from boardctl.board.sheet import Box, Layer, Line, Shape, Sheet, Words
from boardctl.drawings.breakouts import HEIGHT, breakouts
from boardctl.drawings.connections import INK, PALE, connections
from boardctl.drawings.parts import Currents, name_pieces
from boardctl.drawings.template import before, piece
from boardctl.drawings.wires import DATA, Part, devices, fused, fused_apart

PLATE: Final = Layer("plate", "#8a8a8a", 0.3, "#fbfaf7")
FED: Final = Layer("fed", "#c02020", 0.6, "#fbe9e7")
"""The style of a piece at whose start power is fed in."""
WIDTH: Final = 300.0
"""The minimum width of the picture."""


def wiring(
    layout: Layout,
    parts: Mapping[str, Part],
    feeds: tuple[int, ...],
    figures: Currents,
) -> Sheet:
    """Draw the picture, with the pins above and the data path below.

    Args:
        parts: the config's `leds`, `keys` and `display`, if configured.
        feeds: the numbers of the pieces at whose starts power is fed in.
        figures: the board's currents, with the fuse.
    """
    width = max(WIDTH, layout.width)
    sheet = Sheet(f"{layout.title}: wiring", -12, -12, width + 12, 0)
    joined = devices(parts)
    joined = [
        fused_apart(device, feeds, figures.own_fuse)
        if figures.own_fuse
        else fused(device, figures.fuse)
        for device in joined
    ]
    sheet.add(Words(INK, 0, -5, 4, f"boardctl {layout.name}: wiring", "left", bold=True))
    sheet.add(
        Words(PALE, width, -5, 2.2, "A dot joins lines. Lines that cross are not joined.", "right")
    )
    shapes, bottom = connections(joined, width)
    sheet.add(*shapes)
    chips = breakouts(joined, width, bottom + 12)
    sheet.add(*chips)
    top = bottom + 18 + (HEIGHT + 8 if chips else 0)
    words = (
        "The way of the data (blue) from piece to piece, seen from the front; +5 V and GND go "
        f"along with it and are fed in at {name_pieces(feeds)} (red)."
    )
    sheet.add(Words(INK, 0, top - 6, 2.8, words, "left"))
    sheet.add(*(_moved(shape, top) for shape in _way(layout, feeds)))
    sheet.bottom = top + layout.height + 12
    return sheet


def _way(layout: Layout, feeds: tuple[int, ...]) -> list[Shape]:
    shapes: list[Shape] = [Box(PLATE, 0, 0, layout.width, layout.height, layout.corner)]
    for run in layout.runs:
        shapes += (_inked(shape) for shape in piece(run))
    shapes += (Line(DATA, points) for points in _links(layout.runs))
    for number, run in enumerate(layout.runs, 1):
        x, y = _beside(run)
        fed = number in feeds
        shapes.append(Box(FED if fed else PLATE, x - 3.4, y - 2.6, 6.8, 5.2, 1.5))
        shapes.append(Words(INK, x, y, 2.8, str(number), bold=True))
    return shapes


BOW: Final = 0.15
"""The distance that a link protrudes where the data turns back, as a fraction of its length …"""
MOST_BOW: Final = 6.0
"""… and at most, in millimetres."""


def _links(runs: Sequence[Run]) -> Iterator[tuple[Place, ...]]:
    """Return the wires between single pixels and between pieces, each as a line."""
    for run in runs:
        if run.strip is None:
            yield from pairwise(run.places)
    for one, other in pairwise(runs):
        yield _link(one, other)


def _link(one: Run, other: Run) -> tuple[Place, ...]:
    """Return the wire from one piece to the next. If the two strips run in opposite directions, the
    wire bends outward, because a straight one would cover the ends and wires of other strips."""
    start, end = one.places[-1], other.places[0]
    out, back = _heading(one.places[-2:]), _heading(other.places[:2])
    if out[0] * back[0] + out[1] * back[1] >= 0:
        return start, end
    bow = 4 * min(BOW * dist(start, end), MOST_BOW)
    parts = [n / 12 for n in range(13)]
    return tuple(
        (
            start[0] + part * (end[0] - start[0]) + bow * part * (1 - part) * out[0],
            start[1] + part * (end[1] - start[1]) + bow * part * (1 - part) * out[1],
        )
        for part in parts
    )


def _heading(places: Sequence[Place]) -> Place:
    """Return the direction from one point to the next as a vector one millimetre long, or a zero
    vector if there is only one point."""
    if len(places) < 2:
        return 0.0, 0.0
    (x, y), (to_x, to_y) = places
    far = dist(*places)
    return (to_x - x) / far, (to_y - y) / far


def _inked(shape: Shape) -> Shape:
    """Return a shape from the carrier plate's drawing in a pale colour."""
    if isinstance(shape, Line):
        return Line(PALE, shape.points, shape.closed)
    assert not isinstance(shape, Box | Words)
    return type(shape)(PALE, shape.x, shape.y, shape.diameter, shape.name)


def _beside(run: Run) -> Place:
    """Return the position of a piece's number: beside the middle of the piece, between two LEDs."""
    places = run.places
    if len(places) == 1:
        return before(run)
    half = len(places) // 2
    one, other = places[half - 1], places[half]
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _moved(shape: Shape, down: float) -> Shape:
    if isinstance(shape, Line):
        return Line(shape.layer, tuple((x, y + down) for x, y in shape.points), shape.closed)
    if isinstance(shape, Box):
        return Box(shape.layer, shape.x, shape.y + down, shape.width, shape.height, shape.radius)
    if isinstance(shape, Words):
        return Words(
            shape.layer, shape.x, shape.y + down, shape.size, shape.text, shape.align, shape.bold
        )
    return type(shape)(shape.layer, shape.x, shape.y + down, shape.diameter, shape.name)
