"""A circuit board as data: the positions and nets of its parts, its wires and its vias.

The front has the LEDs, each with its capacitor, and the +5 V plane. The back has the GND plane, the
wires from one piece to the next, and everything taller than an LED: terminal, bulk capacitor and
headers. `panels` makes it from a layout.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Final

from boardctl.board.shape import Layout, Place, Window
from boardctl.drawings.pcb.footprints import Part
from boardctl.drawings.pcb.router import CLEARANCE, WIDTH

GROUND: Final = "GND"
POWER: Final = "+5V"
INLET: Final = "VIN"
FUSED: Final = "FUSED"
EDGE: Final = 0.5
"""The minimum distance of copper from an edge in millimetres."""
WASHER: Final = 7.0
"""The diameter of the copper-free area around a mounting hole: that of an M3 washer."""
assert CLEARANCE < EDGE


@dataclass(frozen=True, slots=True)
class Placed:
    """A part on the board: its reference, position, rotation in degrees counterclockwise, and the
    net of each pad. `lamp` is the LED's lamp, or "" for a dark LED."""

    reference: str
    part: Part
    x: float
    y: float
    turn: float
    nets: dict[str, str]
    lamp: str = ""

    def at(self, x: float, y: float) -> Place:
        """Return the board coordinates of a point given in the part's coordinates."""
        a = radians(self.turn)
        return (
            round(self.x + x * cos(a) + y * sin(a), 4),
            round(self.y - x * sin(a) + y * cos(a), 4),
        )

    def pad(self, number: str) -> Place:
        """Return the centre of a pad on the board."""
        pad = next(p for p in self.part.pads if p.number == number)
        return self.at(pad.x, pad.y)


@dataclass(frozen=True, slots=True)
class Track:
    """A straight wire of a net on one layer."""

    net: str
    layer: int
    start: Place
    end: Place
    width: float = WIDTH


@dataclass(frozen=True, slots=True)
class Via:
    """A plated hole that joins front and back."""

    net: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Area:
    """A separate plane for a net on the front, in place of the +5 V plane."""

    net: str
    corners: tuple[Place, ...]


@dataclass(slots=True)
class Design:
    """A board, or one panel of it, from `left` to `right` in the layout's millimetres. `panel` is
    the panel's number from 1, or 0 for a whole board. `order` lists the references of its LEDs in
    data order."""

    layout: Layout
    opening: Window | None
    left: float
    right: float
    panel: int = 0
    pico: bool = False
    parts: list[Placed] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    vias: list[Via] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    @property
    def nets(self) -> list[str]:
        """All nets without duplicates, in order of appearance."""
        names = dict.fromkeys((GROUND, POWER, INLET, FUSED))
        for part in self.parts:
            names.update(dict.fromkeys(part.nets.values()))
        return list(names)


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def outline(part: Placed, margin: float = 0.0) -> Box:
    """Return the left, top, right and bottom edges of a part's body and pads."""
    corners = []
    half = (part.part.size[0] / 2, part.part.size[1] / 2)
    boxes = [(*part.part.centre, *half)]
    boxes += [(pad.x, pad.y, pad.width / 2, pad.height / 2) for pad in part.part.pads]
    for x, y, w, h in boxes:
        corners += [part.at(x + dx * w, y + dy * h) for dx in (-1, 1) for dy in (-1, 1)]
    xs, ys = [c[0] for c in corners], [c[1] for c in corners]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def apart(one: Box, other: Box) -> bool:
    """Return whether two boxes do not overlap."""
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
