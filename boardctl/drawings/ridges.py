"""Tactile lines: ridges across each track at the ends of the streets.

There is one ridge after the first street, two on the double skunk line, and three on the skunk
line, so that a finger following a track can tell its position. The ridges are on small strips that
are glued onto the front plate. These are printed (`strips`) or cut from swell paper with the
full-scale sheet (`sheet`), which also shows the strips' positions. On a track with two laps, the
ridges refer to the first lap.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Final, NamedTuple

from boardctl.board import plan
from boardctl.board.shape import Layout, LayoutError, Place
from boardctl.board.sheet import CUT, NOTE, Box, Circle, Layer, Line, Sheet, Words, bar
from boardctl.drawings.template import BORDER, EDGE, FOOT

WIDE: Final = 1.2
"""The width of a ridge in mm. A fingertip distinguishes lines of a millimetre or more."""
APART: Final = 2.5
"""The distance in mm between the middles of two ridges: about that of two braille dots."""
LONG: Final = 8.0
"""The length of a ridge across its track in mm."""
HIGH: Final = 1.0
"""The height of a ridge above its strip in mm."""
THICK: Final = 0.6
"""The thickness of a strip in mm."""
RIM: Final = 0.8
"""The margin of a strip around its ridges in mm."""
CLEAR: Final = 0.5
"""The minimum distance from a strip to a hole in mm."""
RAISED: Final = Layer("raised", "#101010", 0.1, fill="#101010")
"""The layer of the ridges: black, which makes swell paper rise."""


class Strip(NamedTuple):
    """The strip with the ridges at the end of a street on one track: its middle, the direction of
    play as a unit vector, and the number of ridges."""

    name: str
    x: float
    y: float
    forward: Place
    ridges: int

    @property
    def width(self) -> float:
        """The width along the track in mm."""
        return (self.ridges - 1) * APART + WIDE + 2 * RIM

    @property
    def corners(self) -> tuple[Place, ...]:
        """The strip's corners."""
        return self._rectangle(0.0, self.width, LONG + 2 * RIM)

    @property
    def raised(self) -> Iterator[tuple[Place, ...]]:
        """The corners of each ridge, in the direction of play."""
        for n in range(self.ridges):
            yield self._rectangle((n - (self.ridges - 1) / 2) * APART, WIDE, LONG)

    def _rectangle(self, at: float, width: float, length: float) -> tuple[Place, ...]:
        run, rise = self.forward
        return tuple(
            (self.x + along * run - sideways * rise, self.y + along * rise + sideways * run)
            for along, sideways in (
                (at - width / 2, -length / 2),
                (at + width / 2, -length / 2),
                (at + width / 2, length / 2),
                (at - width / 2, length / 2),
            )
        )


def strips(layout: Layout) -> list[Strip]:
    """Return the strips of a board, street by street and track by track.

    Raises:
        LayoutError: if there is no room for a strip between two holes.
    """
    found = []
    for number, mark in enumerate(plan.streets(layout, LONG)):
        street = number // layout.tracks + 1
        (x1, y1), (x2, y2) = mark.start, mark.end
        length = hypot(x2 - x1, y2 - y1)
        forward = ((y2 - y1) / length, (x1 - x2) / length)
        strip = Strip(mark.name, (x1 + x2) / 2, (y1 + y2) / 2, forward, street)
        for lamp in layout.lamps:
            if _distance(strip, (lamp.x, lamp.y)) < layout.hole / 2 + CLEAR:
                size = {"width": f"{strip.width:g}", "length": f"{LONG + 2 * RIM:g}"}
                fields = {"street": street, "clear": f"{CLEAR:g}", "name": lamp.name, **size}
                raise LayoutError("no-room-ridge", f"layout {layout.name}", **fields)
        found.append(strip)
    return found


def _distance(strip: Strip, place: Place) -> float:
    """Return the distance in mm from a strip to a point, or 0 if the point is inside the strip."""
    run, rise = strip.forward
    x, y = place[0] - strip.x, place[1] - strip.y
    along = abs(x * run + y * rise) - strip.width / 2
    sideways = abs(y * run - x * rise) - LONG / 2 - RIM
    return hypot(max(0.0, along), max(0.0, sideways))


def sheet(layout: Layout) -> Sheet:
    """Return the sheet of strips at their positions, at full scale over the front plate's holes. It
    is printed on swell paper, or used for marking the plate."""
    drawn = Sheet(
        f"{layout.title}: ridges",
        -BORDER,
        -BORDER,
        layout.width + BORDER,
        layout.height + FOOT,
        core=(-EDGE, -EDGE, layout.width + EDGE, layout.height + EDGE),
    )
    found = strips(layout)
    drawn.add(*(Line(RAISED, ridge, closed=True) for strip in found for ridge in strip.raised))
    drawn.add(*(Line(CUT, strip.corners, closed=True) for strip in found))
    drawn.add(
        Box(NOTE, 0, 0, layout.width, layout.height, layout.corner),
        *(Circle(NOTE, lamp.x, lamp.y, layout.hole, lamp.name) for lamp in layout.lamps),
        *bar(0, layout.height + 7),
    )
    words = (
        f"boardctl {layout.name}: ridges, seen from the front. Red: cut. Black: raised. "
        "Grey: the front plate."
    )
    drawn.add(Words(NOTE, 0, layout.height + 15, 2.5, words, "left"))
    return drawn


def printed(layout: Layout) -> bytes:
    """Return the OpenSCAD source of the strips with their ridges, one row per street. Print the
    strips face up and glue them on."""
    long = LONG + 2 * RIM
    lines = [
        f"// {layout.title}: ridges to be felt, drawn by boardctl; do not edit. Millimetres.",
        f"module ridge() {{ translate([-{WIDE / 2}, 0, 0]) cube([{WIDE}, {LONG}, {HIGH}]); }}",
    ]
    for number, strip in enumerate(strips(layout)):
        street, track = divmod(number, layout.tracks)
        parts = [f"cube([{strip.width:.3f}, {long:.3f}, {THICK}]);"]
        for n in range(strip.ridges):
            place = f"[{RIM + WIDE / 2 + n * APART:.3f}, {RIM}, {THICK}]"
            parts.append(f"translate({place}) ridge();")
        at = f"[{track * (strip.width + 3):.3f}, {-street * (long + 3):.3f}, 0]"
        lines.append(f"translate({at}) {{ {' '.join(parts)} }} // {strip.name}, track {track + 1}")
    return ("\n".join(lines) + "\n").encode()
