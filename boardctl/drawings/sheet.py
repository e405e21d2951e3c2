"""A sheet: shapes on named layers in millimetres, before they are SVG, DXF or PDF.

y grows downwards and the first plate's corner is at (0, 0), as in the layout, so what a drawing
says of a hole is what the layout says of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Final, Literal

from boardctl.board.shape import Place


@dataclass(frozen=True, slots=True)
class Layer:
    """How a layer looks: the colour and width (mm) of its lines, and what its shapes are filled
    with. `number` is the AutoCAD colour index in a DXF."""

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
"""The layers of what is made: cut through, drilled, engraved, and what only the maker reads."""


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
    """A rectangle with round corners."""

    layer: Layer
    x: float
    y: float
    width: float
    height: float
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """Type, for people to read and not for a machine to engrave; `size` is its capitals' height
    and (x, y) the middle of its left, centre or right end. It has its layer's line colour."""

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
    """A drawing that grows: its title, its corners, and its shapes in drawing order.

    `core` is what must be printed where the sheet is cut into tiles (left, top, right, bottom);
    what is around it the tiles say themselves. Without it, that is the whole sheet.
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
        """The layers in use, in the order in which they first appear."""
        return dict.fromkeys(shape.layer for shape in self.shapes)


def circle_points(x: float, y: float, diameter: float, count: int = 48) -> tuple[Place, ...]:
    """A circle as the corners of a polygon."""
    return tuple(
        (x + diameter / 2 * cos(2 * pi * n / count), y + diameter / 2 * sin(2 * pi * n / count))
        for n in range(count)
    )


BAR: Final = 100.0
"""Length of the bar by which a print is checked, in millimetres."""


def bar(x: float, y: float) -> tuple[Shape, ...]:
    """A bar of exactly 100 mm from (x, y) to the right."""
    ends = tuple(Line(NOTE, ((at, y - 1.5), (at, y + 1.5))) for at in (x, x + BAR))
    tens = tuple(Line(NOTE, ((x + 10 * n, y - 0.8), (x + 10 * n, y + 0.8))) for n in range(1, 10))
    return (
        Line(NOTE, ((x, y), (x + BAR, y))),
        *ends,
        *tens,
        Words(NOTE, x + BAR + 3, y, 2.5, "100 mm: measure before you cut", "left"),
    )
