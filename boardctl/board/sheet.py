"""A sheet: shapes on named layers, in millimetres, for writing as SVG, DXF or PDF.

y points down, and the first plate's corner is at (0, 0), so coordinates are those of the layout.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Final, Literal

from boardctl.board.shape import Place


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer's style: the colour and width (mm) of its lines, and its fill colour. `number` is the
    AutoCAD colour index in a DXF file."""

    name: str
    line: str | None
    width: float = 0.2
    fill: str | None = None
    number: int = 7


CUT: Final = Layer("cut", "#d00000", 0.1, number=1)
DRILL: Final = Layer("drill", "#0040d0", 0.1, number=5)
ENGRAVE: Final = Layer("engrave", "#000000", 0.25, number=7)
NOTE: Final = Layer("note", "#707070", 0.2, number=8)
LAYERS: Final = (CUT, DRILL, ENGRAVE, NOTE)
"""The layers for manufacturing: cut, drilled, engraved, and notes for the maker."""


@dataclass(frozen=True, slots=True)
class Circle:
    layer: Layer
    x: float
    y: float
    diameter: float
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A polyline."""

    layer: Layer
    points: tuple[Place, ...]
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with rounded corners."""

    layer: Layer
    x: float
    y: float
    width: float
    height: float
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """Text for people to read, not for engraving. `size` is the height of a capital letter, and (x,
    y) is the middle of the text's left end, its centre or the middle of its right end. The text has
    its layer's line colour."""

    layer: Layer
    x: float
    y: float
    size: float
    text: str
    align: Literal["left", "centre", "right"] = "centre"
    bold: bool = False


Shape = Circle | Line | Box | Words


@dataclass(slots=True)
class Sheet:
    """A drawing: its title, its corners, and its shapes in drawing order.

    `core` (left, top, right, bottom) is the part to print on tiles, because tiles have their own
    title. By default, it is the whole sheet.
    """

    title: str
    left: float
    top: float
    right: float
    bottom: float
    shapes: list[Shape] = field(default_factory=list)
    core: tuple[float, float, float, float] | None = None

    def add(self, *shapes: Shape) -> None:
        self.shapes.extend(shapes)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def layers(self) -> Iterable[Layer]:
        """Return the layers that are used, in order of first appearance."""
        return dict.fromkeys(shape.layer for shape in self.shapes)


def circle_points(x: float, y: float, diameter: float, count: int = 48) -> tuple[Place, ...]:
    """Return the corners of a polygon that approximates a circle."""
    return tuple(
        (x + diameter / 2 * cos(2 * pi * n / count), y + diameter / 2 * sin(2 * pi * n / count))
        for n in range(count)
    )


BAR: Final = 100.0
"""The length in millimetres of the bar for checking prints."""


def bar(x: float, y: float) -> tuple[Shape, ...]:
    """Return a bar of exactly 100 mm from (x, y) to the right."""
    ends = tuple(Line(NOTE, ((at, y - 1.5), (at, y + 1.5))) for at in (x, x + BAR))
    tens = tuple(Line(NOTE, ((x + 10 * n, y - 0.8), (x + 10 * n, y + 0.8))) for n in range(1, 10))
    return (
        Line(NOTE, ((x, y), (x + BAR, y))),
        *ends,
        *tens,
        Words(NOTE, x + BAR + 3, y, 2.5, "100 mm: measure before you cut", "left"),
    )
