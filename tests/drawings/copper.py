"""A circuit board's copper, read again from its Gerber and drill files by gerbonara and shapely.

Connections are found from touching shapes, never from the net names in Gerbers. The voltage drop in
a plane is solved on a half-millimetre grid of the same copper.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

GRID: Final = 0.5
SHEET: Final = 0.0172 / 35e-3 * 1e-3
"""The resistance in ohms of a square of copper 35 µm thick: 0.0172 Ω·mm²/m divided by 35 µm."""

Place = tuple[float, float]


def _shape(primitive: Any) -> Any:
    """Return a gerbonara primitive as a shapely polygon."""
    from shapely import LineString, Point, Polygon

    kind = type(primitive).__name__
    if kind == "Circle":
        return Point(primitive.x, primitive.y).buffer(primitive.r)
    if kind == "Line":
        ends = [(primitive.x1, primitive.y1), (primitive.x2, primitive.y2)]
        return LineString(ends).buffer(primitive.width / 2)
    if kind == "Rectangle":
        from shapely.affinity import rotate

        w, h = primitive.w / 2, primitive.h / 2
        box = Polygon(
            [
                (primitive.x - w, primitive.y - h),
                (primitive.x + w, primitive.y - h),
                (primitive.x + w, primitive.y + h),
                (primitive.x - w, primitive.y + h),
            ]
        )
        return rotate(box, primitive.rotation, use_radians=True)
    if kind == "ArcPoly":
        return Polygon(primitive.outline).buffer(0)
    raise TypeError(f"a primitive that was not expected: {primitive!r}")


class Copper:
    """Both layers of a board and the connections between them. Positions are as in the layout: y
    points down."""

    def __init__(self, archive: bytes) -> None:
        from gerbonara import MM, ExcellonFile, LayerStack
        from shapely import STRtree

        with TemporaryDirectory() as folder:
            zipfile.ZipFile(io.BytesIO(archive)).extractall(folder)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)  # "G90" after the drill's header
                stack = LayerStack.open(Path(folder))
                self.layers: list[list[Any]] = []
                for side in ("top", "bottom"):
                    shapes: list[Any] = []
                    for thing in stack[f"{side} copper"].objects:
                        assert thing.polarity_dark, "copper is only ever added"
                        for primitive in thing.to_primitives(MM):
                            shape = _shape(primitive)
                            shapes += getattr(shape, "geoms", [shape])
                    self.layers.append(shapes)
                self.paste: list[Place] = []
                for thing in stack["top paste"].objects:
                    left_bottom, right_top = thing.bounding_box(MM)
                    self.paste.append(
                        (
                            (left_bottom[0] + right_top[0]) / 2,
                            -(left_bottom[1] + right_top[1]) / 2,
                        )
                    )
                plated = ExcellonFile.open(Path(folder) / "PTH.drl")
                self.holes = [(hole.x, -hole.y) for hole in plated.objects]
        self._trees = [STRtree(shapes) for shapes in self.layers]
        count = len(self.layers[0])
        self._parent = list(range(count + len(self.layers[1])))
        for offset, tree, shapes in zip((0, count), self._trees, self.layers, strict=True):
            pairs = tree.query(shapes, predicate="intersects")
            for one, other in zip(*pairs, strict=True):
                self._join(offset + int(one), offset + int(other))
        for x, y in self.holes:
            found = [self.shapes_at(layer, x, y) for layer in (0, 1)]
            ids = [*found[0], *(count + n for n in found[1])]
            for other in ids[1:]:
                self._join(ids[0], other)

    def _root(self, n: int) -> int:
        while self._parent[n] != n:
            self._parent[n] = self._parent[self._parent[n]]
            n = self._parent[n]
        return n

    def _join(self, one: int, other: int) -> None:
        self._parent[self._root(one)] = self._root(other)

    def shapes_at(self, layer: int, x: float, y: float) -> list[int]:
        """Return the shapes of a layer that cover a position."""
        from shapely import Point

        found = self._trees[layer].query(Point(x, -y), predicate="intersects")
        return [int(n) for n in found]

    def net(self, place: Place, layer: int = 0) -> int:
        """Return the net of a position, as an arbitrary number; -1 for bare board."""
        found = self.shapes_at(layer, *place)
        return self._root(found[0] + (len(self.layers[0]) if layer else 0)) if found else -1

    def polygons(self, layer: int, net: int) -> list[Any]:
        """Return the copper of a net on a layer."""
        offset = len(self.layers[0]) if layer else 0
        return [s for n, s in enumerate(self.layers[layer]) if self._root(n + offset) == net]


def drop(
    polygons: Iterable[Any],
    size: Place,
    inlet: Place,
    loads: Iterable[tuple[float, float, float]],
) -> tuple[Any, float, float]:
    """Return the voltage drop in a plane, and the current in it.

    Args:
        polygons: the plane's copper.
        size: the board's width and height in millimetres.
        inlet: the position where the current enters.
        loads: positions of the loads, and their amperes.

    Returns:
        The volts lost at every point of the grid (NaN without copper), the highest at a load, and
        the highest current in amperes per millimetre of width.
    """
    import numpy as np
    from shapely import contains_xy, union_all

    columns, rows = int(size[0] / GRID) + 1, int(size[1] / GRID) + 1
    xs, ys = np.meshgrid(np.arange(columns) * GRID, np.arange(rows) * GRID)
    copper = contains_xy(union_all(list(polygons)), xs, -ys)
    # No current flows beyond the parts that the inlet reaches: flood from it, in whole rows and
    # columns.
    start = (round(inlet[1] / GRID), round(inlet[0] / GRID))
    reached = np.zeros_like(copper)
    reached[start] = copper[start] = True
    while True:
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        grown &= copper
        if (grown == reached).all():
            break
        reached = grown
    across = (reached[:, 1:] & reached[:, :-1]).astype(float) / SHEET
    down = (reached[1:] & reached[:-1]).astype(float) / SHEET
    total = np.zeros(reached.shape)
    total[:, 1:] += across
    total[:, :-1] += across
    total[1:] += down
    total[:-1] += down
    demand = np.zeros(reached.shape)
    spots = np.argwhere(reached)
    most = []
    for x, y, amperes in loads:
        near = np.array((y, x)) / GRID
        spot = tuple(spots[((spots - near) ** 2).sum(axis=1).argmin()])
        demand[spot] += amperes
        most.append(spot)
    free = reached.copy()
    free[start] = False
    diagonal = np.where(free & (total > 0), total, 1.0)

    def flow(volts: Any) -> Any:
        volts = np.where(free, volts, 0.0)
        out = total * volts
        out[:, 1:] -= across * volts[:, :-1]
        out[:, :-1] -= across * volts[:, 1:]
        out[1:] -= down * volts[:-1]
        out[:-1] -= down * volts[1:]
        return np.where(free, out, 0.0)

    volts = np.zeros(reached.shape)
    rest = np.where(free, demand, 0.0)
    better = rest / diagonal
    step = better.copy()
    before = (rest * better).sum()
    goal = 1e-10 * before
    for _ in range(20_000):
        if before <= goal:
            break
        image = flow(step)
        length = before / (step * image).sum()
        volts += length * step
        rest -= length * image
        better = rest / diagonal
        now = (rest * better).sum()
        step = better + now / before * step
        before = now
    density = (
        max(
            float(np.abs(across * (volts[:, 1:] - volts[:, :-1])).max()),
            float(np.abs(down * (volts[1:] - volts[:-1])).max()),
        )
        / GRID
    )
    worst = max(float(volts[spot]) for spot in most)
    return np.where(reached, volts, np.nan), worst, density


def contours(volts: Any) -> dict[int, list[tuple[float, float, float]]]:
    """Return spans of a grid row (x, y, length), grouped by whole millivolts, for drawing."""
    import numpy as np

    spans: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for row in range(0, volts.shape[0], 4):
        line = volts[row, ::4]
        column = 0
        while column < len(line):
            if np.isnan(line[column]):
                column += 1
                continue
            level = int(line[column] * 1000)
            end = column
            while end < len(line) and not np.isnan(line[end]) and int(line[end] * 1000) == level:
                end += 1
            spans[level].append((column * 4 * GRID, row * GRID, (end - column) * 4 * GRID))
            column = end
    return spans
