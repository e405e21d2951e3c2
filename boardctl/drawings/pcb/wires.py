"""Draw the wires of a circuit board whose parts have been placed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from math import dist, hypot
from typing import Final

from boardctl.board.shape import LayoutError, Place
from boardctl.drawings.pcb import footprints as kinds
from boardctl.drawings.pcb.design import (
    EDGE,
    FUSED,
    GROUND,
    INLET,
    POWER,
    WASHER,
    Area,
    Box,
    Design,
    Placed,
    Track,
    Via,
)
from boardctl.drawings.pcb.footprints import Pad
from boardctl.drawings.pcb.router import BACK, FRONT, STEP, VIA, WIDTH, Node, NoWay, Router

SUPPLY_WIDTH: Final = 3.0
TIE_WIDTH: Final = 0.8
"""The width of the wires from the transistors' sources to the bulk capacitor. The wires of a Pico's
socket would cut one of them off from the plane; with a Pi's header KiCad finds both joined."""
COOLED: Final = ((0.8, -4.4), (11.4, -4.4), (11.4, -1.66), (2.84, -1.66), (2.84, 1.0), (0.8, 1.0))
"""The corners of the area from fuse to transistors, in the fuse's coordinates: above the
transistors' gates and sources, and down to the fuse's second pad."""
_DIRECT: Final = 12.0
"""LEDs of one piece that are closer together than this are connected by a straight wire on the
front."""


Join = tuple[str, tuple[Placed, str], tuple[Placed, str]]
"""A wire to route: its net, and the parts and pads at its ends."""
ATTEMPTS: Final = 20


class Wires:
    """A router for the wires of a board whose parts have been placed."""

    def __init__(self, made: Design) -> None:
        self.made = made
        layout = made.layout
        self._router = Router(layout.width, layout.height)
        self._numbers = {name: n for n, name in enumerate(made.nets, 1)}
        self._by = {part.reference: part for part in made.parts}

    def draw(self) -> None:
        """Route everything. A wire without a route is routed first in the next attempt."""
        joins = [*self._local(), *self._links()]
        for _ in range(ATTEMPTS):
            failed = self._attempt(joins)
            if failed is None:
                self._islands()
                self._spare_vias()
                return
            joins.remove(failed)
            joins.insert(0, failed)
        _, (one, _), (other, _) = joins[0]
        raise LayoutError(
            "no-way", f"layout {self.made.layout.name}", one=one.reference, two=other.reference
        )

    def _attempt(self, joins: list[Join]) -> Join | None:
        """Draw everything except the connections of islands, with the wires in this order. Return
        the first wire without a route, if any."""
        made = self.made
        made.tracks.clear()
        made.vias.clear()
        made.areas.clear()
        self._router = Router(made.layout.width, made.layout.height)
        self._obstacles()
        self._ground()
        self._supply()
        for one, other in self._pairs():
            self._straight(one, other)
        self._escapes()
        for join in joins:
            try:
                self._join(*join)
            except NoWay:
                return join
        return None

    def _obstacles(self) -> None:
        made, layout, router = self.made, self.made.layout, self._router
        w, h, o = layout.width, layout.height, made.opening
        boxes = [
            (0, 0, w, EDGE),
            (0, h - EDGE, w, h),
            (0, 0, made.left + EDGE, h),
            (made.right - EDGE, 0, w, h),
        ]
        if o is not None:
            boxes.append((o.x - EDGE, o.y - EDGE, o.x + o.width + EDGE, o.y + o.height + EDGE))
        for layer in (FRONT, BACK):
            for box in boxes:
                router.block(layer, *box)
            for x, y in layout.mounting_holes:
                r = WASHER / 2
                router.block(layer, x - r, y - r, x + r, y + r)
        for part in made.parts:
            for pad in part.part.pads:
                net = part.nets.get(pad.number)
                number = self._numbers[net] if net else -1
                for layer in (FRONT, BACK) if pad.drill else (FRONT,):
                    router.block(layer, *_pad_box(part, pad), number)
                if pad.drill:
                    router.drill(*part.at(pad.x, pad.y), max(pad.width, pad.height), number)
                else:
                    router.keep_vias_off(*_pad_box(part, pad))

    def _track(self, net: str, layer: int, *way: Place, width: float = WIDTH) -> None:
        for start, end in pairwise(way):
            if start != end:
                self.made.tracks.append(Track(net, layer, start, end, width))
                self._router.block_line(layer, start, end, width, self._numbers[net])

    def _via(self, net: str, x: float, y: float) -> None:
        self.made.vias.append(Via(net, x, y))
        half = VIA / 2
        for layer in (FRONT, BACK):
            self._router.block(layer, x - half, y - half, x + half, y + half, self._numbers[net])
        self._router.drill(x, y, VIA, self._numbers[net])

    def _ground(self) -> None:
        """Connect every GND pad on the front to the plane on the back by a via."""
        beside = {
            kinds.LED: {"3": (2.45, 2.9)},
            kinds.CAPACITOR: {"2": (1.95, 0.0)},
            kinds.SHIFTER: {"1": (-2.54, -0.95), "3": (-2.54, 0.95)},
            kinds.FET: {"3": (-1.1375, 1.9)},
        }
        for part in self.made.parts:
            for number, place in beside.get(part.part, {}).items():
                via = part.at(*place)
                self._via(GROUND, *via)
                self._track(GROUND, FRONT, part.pad(number), via, width=0.4)

    def _supply(self) -> None:
        """Connect the terminal to the fuse, and the fuse to the transistors, with an area that also
        cools the transistors. The plane connects the other parts."""
        if "J1" not in self._by:
            return
        terminal, fuse = self._by["J1"], self._by["F1"]
        ends = (terminal.pad("1"), fuse.pad("1"))
        self._track(INLET, FRONT, *ends, width=SUPPLY_WIDTH)
        corners = tuple(fuse.at(x, y) for x, y in COOLED)
        self.made.areas.append(Area(FUSED, corners))
        for (left, top), (right, bottom) in ((COOLED[0], COOLED[2]), (COOLED[0], COOLED[4])):
            (x1, y1), (x2, y2) = fuse.at(left, top), fuse.at(right, bottom)
            box = (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
            self._router.block(FRONT, *box, self._numbers[FUSED])
        if self.made.pico:
            bulk = next(part for part in self.made.parts if part.part is kinds.BULK)
            for fet in (self._by["Q1"], self._by["Q2"]):
                way = (fet.pad("4"), fet.at(1.1375, 3.2), bulk.pad("1"))
                self._track(POWER, FRONT, *way, width=TIE_WIDTH)

    def _pairs(self) -> list[tuple[Placed, Placed]]:
        """Return the pairs of neighbouring LEDs in the data order on this panel."""
        pairs = [(self._by[one], self._by[other]) for one, other in pairwise(self.made.order)]
        return [(one, other) for one, other in pairs if one.nets["2"] == other.nets["4"]]

    def _straight(self, one: Placed, other: Placed) -> None:
        """Connect two neighbouring LEDs in a piece, on the front."""
        if not self._is_straight(one, other):
            return
        out, into = one.pad("2"), other.pad("4")
        self._track(one.nets["2"], FRONT, out, one.at(-3.47, 0.42), into)

    @staticmethod
    def _is_straight(one: Placed, other: Placed) -> bool:
        turned = abs((one.turn - other.turn + 180) % 360 - 180)
        next_point = one.at(-1, 0)
        way = (other.x - one.x, other.y - one.y)
        along = way[0] * (next_point[0] - one.x) + way[1] * (next_point[1] - one.y)
        return turned < 30 and hypot(*way) < _DIRECT and along > 0.9 * hypot(*way)

    def _escapes(self) -> None:
        """Place a via before the first LED and after the last LED of every piece."""
        self._ends: dict[tuple[str, str], tuple[int, int]] = {}
        joined: set[tuple[str, str]] = set()
        for a, b in self._pairs():
            joined |= {(a.reference, "2"), (b.reference, "4")}
            if not self._is_straight(a, b):
                self._escape(a, "2", (-4.3, 1.6))
                self._escape(b, "4", (4.3, -1.6))
        for reference in self.made.order:
            led = self._by[reference]
            for number, wanted in (("2", (-4.3, 1.6)), ("4", (4.3, -1.6))):
                if number in led.nets and (reference, number) not in joined:
                    self._escape(led, number, wanted)

    def _escape(self, part: Placed, number: str, wanted: Place) -> None:
        net = part.nets[number]
        x, y = part.at(*wanted)
        column, row = self._router.near(x, y)
        around = sorted(
            (
                (dist(((column + c) * STEP, (row + r) * STEP), (x, y)), column + c, row + r)
                for c in range(-4, 5)
                for r in range(-4, 5)
            ),
        )
        for _, c, r in around:
            if self._router.via_fits(c, r, self._numbers[net]):
                place = (round(c * STEP, 4), round(r * STEP, 4))
                self._via(net, *place)
                self._track(net, FRONT, part.pad(number), place)
                self._ends[part.reference, number] = (c, r)
                return
        raise LayoutError(
            "no-room-via", f"layout {self.made.layout.name}", reference=part.reference
        )

    def _local(self) -> Iterator[Join]:
        """Return the wires between the Pi's header, the keypad's header, the display's header and
        the level shifter."""
        terminal = self._ground_at()
        cable = self._cable()
        for part in self.made.parts:
            if part.part is kinds.TERMINAL and (part, "2") != terminal:
                yield GROUND, (part, "2"), terminal
        if cable is not None:
            for number, net in cable.nets.items():
                if net == GROUND and (cable, number) != terminal:
                    yield GROUND, (cable, number), terminal
        if "J2" not in self._by:
            yield from self._plane(terminal)
            return
        pi = self._by["J2"]
        pins = {net: number for number, net in pi.nets.items() if net != GROUND}
        shifter, resistor = self._by["U1"], self._by["R1"]
        grounded = [(pi, number) for number, net in pi.nets.items() if net == GROUND]
        if "J4" in self._by:
            grounded.insert(0, (self._by["J4"], "1"))
            grounded.insert(1, (self._by["J7"], "2"))
        for ground in grounded:
            yield GROUND, ground, terminal  # the remaining parts of the plane
        yield GROUND, (shifter, "1"), grounded[0]
        yield GROUND, (shifter, "3"), grounded[0]
        beside = self._by[f"C{self.made.layout.leds + 2}"]
        yield GROUND, (beside, "2"), (shifter, "3")
        yield from self._plane(terminal)
        yield "DATA5V", (shifter, "4"), (resistor, "1")
        yield "DATA0", (resistor, "2"), (self._by["TP1"], "1")
        yield "SPI", (pi, pins["SPI"]), (shifter, "2")
        pairs = [
            (net, part, number)
            for part in (self._by.get("J4"), self._by.get("J7"), self._by["J3"])
            if part is not None
            for number, net in part.nets.items()
            if net != GROUND
        ]
        pairs.sort(key=lambda pair: (dist(pi.pad(pins[pair[0]]), pair[1].pad(pair[2])), pair[0]))
        for net, part, number in pairs:
            yield net, (pi, pins[net]), (part, number)

    def _ground_at(self) -> tuple[Placed, str]:
        """Return the part and its pad that bring GND to the panel."""
        own = [part for part in self.made.parts if part.part is kinds.TERMINAL]
        return self._by.get("J1", own[0]), "2"

    def _cable(self) -> Placed | None:
        """Return the header of the data cable to the other panel."""
        return self._by[f"J{4 + self.made.panel}"] if self.made.panel else None

    def _plane(self, terminal: tuple[Placed, str]) -> Iterator[Join]:
        """Connect LEDs at intervals to the plane, before other wires divide it."""
        runs = self.made.layout.runs
        for run in runs[:: max(1, len(runs) // 3)]:
            own = [n for n in range(len(run.places)) if f"D{run.first + n + 1}" in self._by]
            if own:
                near = min(own, key=lambda n: dist(run.places[n], terminal[0].pad(terminal[1])))
                yield GROUND, terminal, (self._by[f"D{run.first + near + 1}"], "3")

    def _links(self) -> list[Join]:
        """Connect each piece to the next, shortest connection first."""
        links = []
        if "R1" in self._by:
            links.append((self._by["R1"], "2", self._by[self.made.order[0]], "4"))
        links += [(a, "2", b, "4") for a, b in self._pairs() if not self._is_straight(a, b)]
        cable = self._cable()
        ends = {net: n for n, net in cable.nets.items()} if cable is not None else {}
        for reference in self.made.order:
            led = self._by[reference]
            for number in ("2", "4"):
                net = led.nets.get(number, "")
                if cable is not None and net in ends:
                    links.append((cable, ends[net], led, number))
        links.sort(key=lambda link: dist(link[0].pad(link[1]), link[2].pad(link[3])))
        return [(a.nets[out], (a, out), (b, into)) for a, out, b, into in links]

    def _spare_vias(self) -> None:
        """Remove unnecessary vias, whose two wires are on the same layer."""
        meeting: dict[tuple[str, Place], set[int]] = {}
        for track in self.made.tracks:
            for end in (track.start, track.end):
                meeting.setdefault((track.net, end), set()).add(track.layer)
        self.made.vias[:] = [
            via
            for via in self.made.vias
            if via.net == GROUND or len(meeting.get((via.net, (via.x, via.y)), ())) > 1
        ]

    def _islands(self) -> None:
        """Add wires to connect the parts that other wires have cut off from the GND plane."""
        number = self._numbers[GROUND]
        part, pin = self._ground_at()
        main = self._router.flooded(number, (*self._router.near(*part.pad(pin)), BACK))
        for place in self._grounded():
            if any(self._is_in(main, other) for other in self._wired(place)):
                continue
            here = (*self._router.near(*place), BACK)
            ends = sorted(main, key=lambda node: (dist(node, here), node))[:3]
            way = self._from_hole(number, here, set(ends))
            self._track(GROUND, way[0][2], place, _place(here))
            self._draw(GROUND, way)
            main |= self._router.flooded(number, here)

    def _grounded(self) -> list[Place]:
        """Return every plated hole of GND: vias, and the pads of parts."""
        pads = [
            part.at(pad.x, pad.y)
            for part in self.made.parts
            for pad in part.part.pads
            if pad.drill and part.nets.get(pad.number) == GROUND
        ]
        return [(via.x, via.y) for via in self.made.vias if via.net == GROUND] + pads

    def _wired(self, place: Place) -> set[Place]:
        """Return the points on the back that are connected to a hole by GND wires, including the
        hole itself."""
        behind = set(self._grounded())
        beside: dict[Place, list[Place]] = {}
        for track in self.made.tracks:
            if track.net == GROUND:
                beside.setdefault(track.start, []).append(track.end)
                beside.setdefault(track.end, []).append(track.start)
                if track.layer == BACK:
                    behind |= {track.start, track.end}
        seen = {place}
        stack = [place]
        while stack:
            for other in beside.get(stack.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return seen & behind

    def _is_in(self, nodes: set[Node], place: Place) -> bool:
        """Return whether a point's node, or a neighbour of it, is among these nodes. Neighbours
        count because a hole may be off the grid."""
        column, row = self._router.near(*place)
        return any((column + c, row + r, BACK) in nodes for c in (-1, 0, 1) for r in (-1, 0, 1))

    def _from_hole(self, net: int, node: Node, ends: set[Node]) -> list[Node]:
        """Return a route from a plated hole on either layer. Raises LayoutError."""
        for layer in (BACK, FRONT):
            with suppress(NoWay):
                return self._router.way(net, (node[0], node[1], layer), ends)
        x, y = (f"{place * STEP:.0f}" for place in node[:2])
        raise LayoutError("plane-cut", f"layout {self.made.layout.name}", x=x, y=y)

    def _nodes(self, part: Placed, number: str) -> list[Node]:
        """Return the grid nodes from which a pad can be reached."""
        if (part.reference, number) in self._ends:
            column, row = self._ends[part.reference, number]
            return [(column, row, BACK)]
        column, row = self._router.near(*part.pad(number))
        pad = next(p for p in part.part.pads if p.number == number)
        return [(column, row, layer) for layer in ((BACK, FRONT) if pad.drill else (FRONT,))]

    def _join(self, net: str, one: tuple[Placed, str], other: tuple[Placed, str]) -> None:
        way = self._router.way(self._numbers[net], self._nodes(*one)[0], set(self._nodes(*other)))
        for part, pad, node in ((*one, way[0]), (*other, way[-1])):
            if (part.reference, pad) not in self._ends:
                self._track(net, node[2], part.pad(pad), _place(node))
        self._draw(net, way)

    def _draw(self, net: str, way: list[Node]) -> None:
        for start, end in _legs(way):
            if start[2] == end[2]:
                self._track(net, start[2], _place(start), _place(end))
            elif not self._router.is_drilled(start[0], start[1], self._numbers[net]):
                self._via(net, *_place(start))


def _place(node: Node) -> Place:
    return round(node[0] * STEP, 4), round(node[1] * STEP, 4)


def _legs(
    way: list[Node],
) -> Iterator[tuple[Node, Node]]:
    """Return a path as straight segments, without the intermediate nodes on each line."""
    start = way[0]
    for before, here, after in zip(way, way[1:], [*way[2:], None], strict=False):
        if after is None or _step(before, here) != _step(here, after):
            yield start, here
            start = here


def _step(one: Node, other: Node) -> Node:
    return other[0] - one[0], other[1] - one[1], other[2] - one[2]


def _pad_box(part: Placed, pad: Pad) -> Box:
    corners = [
        part.at(pad.x + dx * pad.width / 2, pad.y + dy * pad.height / 2)
        for dx in (-1, 1)
        for dy in (-1, 1)
    ]
    xs, ys = [c[0] for c in corners], [c[1] for c in corners]
    return min(xs), min(ys), max(xs), max(ys)
