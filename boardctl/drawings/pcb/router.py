"""Route wires on two layers of copper: A* on a grid, around existing obstacles.

The grid's step is a quarter of the pitch of a header, so that pins are on the grid and one wire
fits between two pins. Routing is deterministic: the same obstacles in the same order lead to the
same routes.
"""

from __future__ import annotations

import heapq
from math import ceil, floor, hypot
from typing import Final

from boardctl.board.shape import Place

STEP: Final = 0.635
WIDTH: Final = 0.25
CLEARANCE: Final = 0.2
VIA: Final = 0.6
DRILL: Final = 0.3
FRONT: Final = 0
BACK: Final = 1
PLANE_WIDTH: Final = 0.25
PLANE_CLEARANCE: Final = 0.25
"""The narrowest part of a plane, and its distance from other copper."""
_VIA_COST: Final = 12.0
_FRONT_COST: Final = 3.0
"""The cost factor of a wire on the front, which cuts the +5 V plane between the LEDs."""
_BLOCKED: Final = -1
_FREE: Final = 0

Node = tuple[int, int, int]
"""Column, row, layer."""


class NoWay(Exception):
    """The error raised if there is no free route between two points."""


class Router:
    """The routing grid of a board. Net numbers begin at 1. Coordinates are in millimetres."""

    def __init__(self, width: float, height: float) -> None:
        self.columns = int(width / STEP) + 1
        self.rows = int(height / STEP) + 1
        cells = self.columns * self.rows
        self._tracks = [[_FREE] * cells, [_FREE] * cells]
        self._vias = [[_FREE] * cells, [_FREE] * cells]
        self._planes = [[_FREE] * cells, [_FREE] * cells]
        self._joined: dict[tuple[int, int], int] = {}

    def block(
        self, layer: int, left: float, top: float, right: float, bottom: float, net: int = _BLOCKED
    ) -> None:
        """Reserve a rectangle for the copper of a net, or block it for everything (-1)."""
        for room, cells in (
            (WIDTH / 2 + CLEARANCE, self._tracks[layer]),
            (VIA / 2 + CLEARANCE, self._vias[layer]),
            (PLANE_WIDTH / 2 + PLANE_CLEARANCE, self._planes[layer]),
        ):
            far = hypot(room, STEP / 2)
            for row in range(
                max(0, ceil((top - far) / STEP)),
                min(self.rows - 1, floor((bottom + far) / STEP)) + 1,
            ):
                for column in range(
                    max(0, ceil((left - far) / STEP)),
                    min(self.columns - 1, floor((right + far) / STEP)) + 1,
                ):
                    x, y = column * STEP, row * STEP
                    beside = max(left - x, 0.0, x - right)
                    above = max(top - y, 0.0, y - bottom)
                    # A wire between two nodes passes a corner closer than either node.
                    least = hypot(room, STEP / 2) if beside and above else room
                    if hypot(beside, above) < least - 1e-9:
                        cell = row * self.columns + column
                        owner = cells[cell]
                        cells[cell] = net if owner in (_FREE, net) else _BLOCKED

    def block_line(self, layer: int, one: Place, other: Place, width: float, net: int) -> None:
        """Reserve the area around a net's track."""
        length = hypot(other[0] - one[0], other[1] - one[1])
        steps = max(1, ceil(length / 0.3))
        for n in range(steps + 1):
            x = one[0] + (other[0] - one[0]) * n / steps
            y = one[1] + (other[1] - one[1]) * n / steps
            self.block(layer, x - width / 2, y - width / 2, x + width / 2, y + width / 2, net)

    def drill(self, x: float, y: float, diameter: float, net: int) -> None:
        """Add a plated hole of a net, which joins both layers and keeps all vias away."""
        room = diameter / 2 + VIA / 2
        for row in range(ceil((y - room) / STEP), floor((y + room) / STEP) + 1):
            for column in range(ceil((x - room) / STEP), floor((x + room) / STEP) + 1):
                inside = 0 <= row < self.rows and 0 <= column < self.columns
                if inside and hypot(column * STEP - x, row * STEP - y) < room:
                    for cells in self._vias:
                        cells[row * self.columns + column] = _BLOCKED
        node = self.near(x, y)
        if hypot(node[0] * STEP - x, node[1] * STEP - y) < 0.01:
            self._joined[node] = net

    def keep_vias_off(self, left: float, top: float, right: float, bottom: float) -> None:
        """Keep all vias off a pad that is soldered with paste, even those of its own net, because a
        hole would drain the solder."""
        room = VIA / 2
        for row in range(
            max(0, ceil((top - room) / STEP)), min(self.rows - 1, floor((bottom + room) / STEP)) + 1
        ):
            for column in range(
                max(0, ceil((left - room) / STEP)),
                min(self.columns - 1, floor((right + room) / STEP)) + 1,
            ):
                for cells in self._vias:
                    cells[row * self.columns + column] = _BLOCKED

    def flooded(self, net: int, start: Node) -> set[Node]:
        """Return the nodes on a layer that a plane of the net reaches from one of these nodes."""
        layer = start[2]
        cells = self._planes[layer]
        seen = {start}
        stack = [start]
        while stack:
            column, row, _ = stack.pop()
            for dc, dr in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                node = c, r, _ = column + dc, row + dr, layer
                inside = 0 < c < self.columns - 1 and 0 < r < self.rows - 1
                if inside and node not in seen and cells[r * self.columns + c] in (_FREE, net):
                    seen.add(node)
                    stack.append(node)
        return seen

    def near(self, x: float, y: float) -> tuple[int, int]:
        """Return the grid node nearest to a point."""
        return round(x / STEP), round(y / STEP)

    def is_drilled(self, column: int, row: int, net: int) -> bool:
        """Return whether a plated hole of a net is at a node."""
        return self._joined.get((column, row)) == net

    def via_fits(self, column: int, row: int, net: int) -> bool:
        """Return whether a via of a net may be at a node, or already is."""
        if self.is_drilled(column, row, net):
            return True
        if not (0 < column < self.columns - 1 and 0 < row < self.rows - 1):
            return False
        cell = row * self.columns + column
        return all(cells[cell] in (_FREE, net) for cells in self._vias)

    def way(self, net: int, start: Node, ends: set[Node]) -> list[Node]:
        """Return the cheapest route between nodes. Raises NoWay."""
        columns = self.columns
        goal = min(ends)

        def rest(node: Node) -> float:
            return (
                min(hypot(node[0] - e[0], node[1] - e[1]) for e in ends)
                if len(ends) < 4
                else hypot(node[0] - goal[0], node[1] - goal[1])
            )

        best: dict[Node, float] = {start: 0.0}
        before: dict[Node, Node] = {}
        heap: list[tuple[float, float, Node]] = [(rest(start), 0.0, start)]
        closed: set[Node] = set()
        while heap:
            _, cost, node = heapq.heappop(heap)
            if node in closed:
                continue
            if node in ends:
                path = [node]
                while path[-1] in before:
                    path.append(before[path[-1]])
                return path[::-1]
            closed.add(node)
            column, row, layer = node
            cells = self._tracks[layer]
            each = _FRONT_COST if layer == FRONT else 1.0
            steps: list[tuple[Node, float]] = []
            for dc, dr, length in _MOVES:
                c, r = column + dc, row + dr
                if not (1 <= c < columns - 1 and 1 <= r < self.rows - 1):
                    continue
                passed = (r * columns + c, row * columns + c, r * columns + column)
                if all(cells[cell] in (_FREE, net) for cell in passed):
                    steps.append(((c, r, layer), length * each))
            if self.via_fits(column, row, net):
                steps.append(((column, row, 1 - layer), _VIA_COST))
            for after, price in steps:
                total = cost + price
                if total < best.get(after, 1e18) - 1e-9:
                    best[after] = total
                    before[after] = node
                    heapq.heappush(heap, (total + rest(after), total, after))
        raise NoWay(f"net {net}: no way from {start}")


_MOVES: Final = tuple((dc, dr, hypot(dc, dr)) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr)
