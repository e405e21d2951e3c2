"""The circuit board of a layout: every part placed, every net named, every wire drawn.

The front has the LEDs, each with its capacitor, and the +5 V plane; the back the GND plane, the
wires from one piece to the next, and everything taller than an LED: terminal, bulk capacitor and
headers. The LEDs are chained in the layout's order, including dark ones, so the same config works
for this board and one of strips. The Pi's +5 V pins are not connected: it has a separate supply,
and neither must feed the other. A layout longer than common fabricators make is cut at the widest
gap between its LEDs; a cable carries supply and data between the two panels. Deterministic for a
given layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, dist, hypot, radians, sin
from typing import Final

from boardctl.board.shape import Layout, LayoutError, Place, Window
from boardctl.drawings import case
from boardctl.drawings.pcb import footprints as kinds
from boardctl.drawings.pcb.footprints import Pad, Part
from boardctl.drawings.pcb.router import BACK, CLEARANCE, FRONT, STEP, VIA, WIDTH, NoWay, Router
from boardctl.drawings.wiring import HEADER, SCL, SDA, SPI
from boardctl.drivers import gpio_matrix

LARGEST: Final = (500.0, 400.0)
"""Maximum size of two-layer boards at common fabricators (JLCPCB, "Capabilities", and
others: 400 × 500 mm; read in November 2026)."""
GROUND: Final = "GND"
POWER: Final = "+5V"
INLET: Final = "VIN"
EDGE: Final = 0.5
"""Minimum distance of copper from an edge in millimetres."""
WASHER: Final = 7.0
"""Diameter of the copper-free area around a mounting hole: an M3 washer's."""
SUPPLY_WIDTH: Final = 3.0
SEAM: Final = 0.5
"""Between two panels, in millimetres: what a fabricator's outline may be off, twice."""
_DIRECT: Final = 12.0
"""LEDs of a piece closer than this are connected by a straight wire on the front."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A part on the board: its reference, position, rotation in degrees counterclockwise, and the
    net of each pad. `lamp` is the LED's lamp, "" for a dark one."""

    reference: str
    part: Part
    x: float
    y: float
    turn: float
    nets: dict[str, str]
    lamp: str = ""

    def at(self, x: float, y: float) -> Place:
        """Board coordinates of a point in the part's coordinates."""
        a = radians(self.turn)
        return (
            round(self.x + x * cos(a) + y * sin(a), 4),
            round(self.y - x * sin(a) + y * cos(a), 4),
        )

    def pad(self, number: str) -> Place:
        """The centre of a pad on the board."""
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


@dataclass(slots=True)
class Design:
    """A board, or one panel of it, in the layout's millimetres from `left` to `right`; `panel`
    counts from 1, and is 0 for a whole board. `order` lists the references of its LEDs in data
    order."""

    layout: Layout
    opening: Window | None
    left: float
    right: float
    panel: int = 0
    pico: bool = False
    parts: list[Placed] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    vias: list[Via] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    @property
    def nets(self) -> list[str]:
        """Every net once, in order of appearance."""
        names = dict.fromkeys((GROUND, POWER, INLET))
        for part in self.parts:
            names.update(dict.fromkeys(part.nets.values()))
        return list(names)


def panels(layout: Layout, *, pico: bool = False) -> tuple[Design, ...]:
    """Design the board of a layout, in one or two panels, with a header for a Pi or a socket for a
    Pico. Raises LayoutError if something does not fit."""
    opening = case.opening(layout)
    if _is_made(layout.width, layout.height):
        made = Design(layout, opening, 0.0, layout.width, pico=pico)
        _leds(made)
        _others(made)
        _Wires(made).draw()
        return (made,)
    seam = _seam(layout)
    middle = opening.x + opening.width / 2
    both = []
    for panel, left, right in ((1, 0.0, seam - SEAM / 2), (2, seam + SEAM / 2, layout.width)):
        inside = left < middle < right
        made = Design(layout, opening if inside else None, left, right, panel, pico)
        _leds(made)
        both.append(made)
    crossing = _crossing(*both)
    pad = layout.keypad.x + layout.keypad.width / 2
    for made in both:
        keys = made.left < pad < made.right
        if keys and "D1" not in made.order:
            raise LayoutError(
                f"layout {layout.name}: cut in two, the keypad's panel does not have the first LED"
            )
        _others(made, supply=not keys, pi=keys, crossing=crossing)
        _Wires(made).draw()
    return tuple(both)


def _is_made(width: float, height: float) -> bool:
    return max(width, height) <= LARGEST[0] and min(width, height) <= LARGEST[1]


def _seam(layout: Layout) -> float:
    """Where the layout is cut from top to bottom: in the middle of the widest gap between its LEDs
    that leaves two panels a fabricator makes. Raises LayoutError."""
    whole = Design(layout, None, 0.0, layout.width)
    _leds(whole)
    boxes = [outline(part) for part in whole.parts]
    o = case.opening(layout)
    boxes.append((o.x - 3, o.y, o.x + o.width + 3, o.y + o.height))
    boxes += [(x - 5, y - 5, x + 5, y + 5) for x, y in layout.mounting_holes]
    best = (2.0, 0.0)
    for tenths in range(round(10 * layout.width)):
        x = tenths / 10
        if _is_made(x, layout.height) and _is_made(layout.width - x, layout.height):
            best = max(best, (round(min(max(b[0] - x, x - b[2]) for b in boxes), 4), x))
    if not best[1]:
        raise LayoutError(
            f"layout {layout.name}: a circuit board of {layout.width:g} × {layout.height:g} mm is "
            f"larger than the {LARGEST[0]:g} × {LARGEST[1]:g} mm that common fabricators make, and "
            "its LEDs leave no gap where it could be cut in two"
        )
    return best[1]


def _crossing(one: Design, other: Design) -> list[str]:
    """The nets of the cable between two panels: supply, and the data that passes from an LED of one
    to an LED of the other."""
    own = [{net for part in made.parts for net in part.nets.values()} for made in (one, other)]
    data = sorted(
        (own[0] & own[1]) - {POWER, GROUND}, key=lambda net: int(net.removeprefix("DATA"))
    )
    return [POWER, GROUND, *data, GROUND]


def _leds(made: Design) -> None:
    """Place the LEDs and their capacitors; the last LED's output is not connected."""
    layout = made.layout
    lamps = {lamp.index: lamp.name for lamp in layout.lamps}
    total = layout.leds
    for run in layout.runs:
        for n, (x, y) in enumerate(run.places):
            index = run.first + n
            if not made.left < x < made.right:
                continue
            share = n / max(1, len(run.places) - 1)
            heading = run.leaves + share * (run.arrives - run.leaves)
            nets = {"1": POWER, "2": f"DATA{index + 1}", "3": GROUND, "4": f"DATA{index}"}
            if index == total - 1:
                del nets["2"]
            turn = (180 - heading) % 360
            reference = f"D{index + 1}"
            led = Placed(reference, kinds.LED, x, y, turn, nets, lamps.get(index, ""))
            made.parts.append(led)
            made.order.append(reference)
            at = led.at(-1.2, -3.5)
            made.parts.append(
                Placed(f"C{index + 1}", kinds.CAPACITOR, *at, turn, {"1": POWER, "2": GROUND})
            )


def outline(part: Placed, margin: float = 0.0) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a part's body and pads."""
    corners = []
    half = (part.part.size[0] / 2, part.part.size[1] / 2)
    boxes = [(*part.part.centre, *half)]
    boxes += [(pad.x, pad.y, pad.width / 2, pad.height / 2) for pad in part.part.pads]
    for x, y, w, h in boxes:
        corners += [part.at(x + dx * w, y + dy * h) for dx in (-1, 1) for dy in (-1, 1)]
    xs, ys = [c[0] for c in corners], [c[1] for c in corners]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


Box = tuple[float, float, float, float]


def _apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


class _Room:
    """Finds space for groups of parts, clear of other parts, edges, openings and screws."""

    def __init__(self, made: Design) -> None:
        layout = made.layout
        self._made = made
        self._taken = [outline(part, 1.2) for part in made.parts]
        if (o := made.opening) is not None:
            self._taken.append((o.x - 1, o.y - 1, o.x + o.width + 1, o.y + o.height + 1))
        for x, y in layout.mounting_holes:
            self._taken.append((x - 5, y - 5, x + 5, y + 5))

    def place(self, group: list[Placed], name: str) -> None:
        """Place a group, in coordinates from its centre, as close to the keypad as possible,
        rotated if needed. Raises LayoutError."""
        layout, pad = self._made.layout, self._made.layout.keypad
        middle = (pad.x + pad.width / 2, pad.y + pad.height / 2)
        nodes = [
            (column * STEP, row * STEP)
            for column in range(0, int(layout.width / STEP), 4)
            for row in range(0, int(layout.height / STEP), 4)
        ]
        nodes.sort(key=lambda node: (round(dist(node, middle), 3), node))
        for x, y in nodes:
            for turn in (0.0, 90.0):
                here = [_moved(part, x, y, turn) for part in group]
                boxes = [outline(part, 1.3) for part in here]
                inside = all(
                    box[0] > self._made.left + 2
                    and box[1] > 2
                    and box[2] < self._made.right - 2
                    and box[3] < layout.height - 2
                    for box in boxes
                )
                if inside and all(_apart(box, t) for box in boxes for t in self._taken):
                    self._made.parts += here
                    self._taken += boxes
                    return
        raise LayoutError(f"layout {layout.name}: there is no room on a circuit board for {name}")


def _moved(part: Placed, x: float, y: float, turn: float) -> Placed:
    a = radians(turn)
    return Placed(
        part.reference,
        part.part,
        round(x + part.x * cos(a) + part.y * sin(a), 4),
        round(y - part.x * sin(a) + part.y * cos(a), 4),
        part.turn + turn,
        part.nets,
    )


def _others(
    made: Design, *, supply: bool = True, pi: bool = True, crossing: list[str] | None = None
) -> None:
    """Place supply, level shifter and headers, each group where it fits; on a panel, only its own
    groups and the cable's header."""
    room = _Room(made)
    if supply:
        _inlet(made, room)
    if pi:
        _computer(made, room)
    if crossing:
        nets = {str(n): net for n, net in enumerate(crossing, 1)}
        cable = kinds.cable(len(crossing))
        room.place([Placed(f"J{4 + made.panel}", cable, 0, 0, 0, nets)], "the cable's header")


def _inlet(made: Design, room: _Room) -> None:
    count = made.layout.leds
    room.place(
        [
            Placed("J1", kinds.TERMINAL, -11.43, 0, 0, {"1": INLET, "2": GROUND}),
            Placed("F1", kinds.FUSE, -2.54, -2.54, 0, {"1": INLET, "2": POWER}),
            Placed(f"C{count + 1}", kinds.BULK, 8.89, 0, 0, {"1": POWER, "2": GROUND}),
        ],
        "terminal, fuse and bulk capacitor",
    )


def _pi(made: Design, room: _Room) -> None:
    keys = gpio_matrix.Options()
    pins = {HEADER[SPI[0][0]]: "SPI"}
    pins |= {HEADER[pin]: f"ROW{n}" for n, pin in enumerate(keys.rows, 1)}
    pins |= {HEADER[pin]: f"COLUMN{n}" for n, pin in enumerate(keys.columns, 1)}
    pins |= {HEADER[SDA]: "SDA", HEADER[SCL]: "SCL", 1: "+3V3"}
    pins |= dict.fromkeys(GROUND_PINS, GROUND)
    room.place(
        [Placed("J2", kinds.PI, 0, 0, 0, {str(pin): net for pin, net in sorted(pins.items())})],
        "the Pi's header",
    )


def _computer(made: Design, room: _Room) -> None:
    count = made.layout.leds
    if made.pico:
        nets = {str(pin): net for pin, net in PICO_PINS.items()}
        room.place([Placed("J2", kinds.PICO, 0, 0, 0, nets)], "the Pico's socket")
    else:
        _pi(made, room)
    room.place(
        [
            Placed(
                "U1",
                kinds.SHIFTER,
                0,
                0,
                0,
                {"1": GROUND, "2": "SPI", "3": GROUND, "4": "DATA5V", "5": POWER},
            ),
            Placed("R1", kinds.RESISTOR, 5.08, 0.95, 0, {"1": "DATA5V", "2": "DATA0"}),
            Placed(f"C{count + 2}", kinds.CAPACITOR, 0, -3.81, 180, {"1": POWER, "2": GROUND}),
        ],
        "the level shifter",
    )
    names = [f"ROW{n}" for n in range(1, 5)] + [f"COLUMN{n}" for n in range(1, 5)]
    room.place(
        [Placed("J3", kinds.KEYPAD, 0, 0, 0, {str(n): name for n, name in enumerate(names, 1)})],
        "the keypad's header",
    )
    if made.pico:
        return
    display = {"1": GROUND, "2": "+3V3", "3": "SCL", "4": "SDA"}
    room.place([Placed("J4", kinds.DISPLAY, 0, 0, 0, display)], "the display's header")


GROUND_PINS: Final = (6, 9)
"""Pins of the 40-pin header that are connected to GND; so are six more, which do not need wires
(Raspberry Pi documentation, "GPIO")."""


PICO_PINS: Final = {
    **{4 + n: f"ROW{n + 1}" for n in range(4)},
    8: GROUND,
    **{9 + n: f"COLUMN{n + 1}" for n in range(4)},
    28: GROUND,
    29: "SPI",
}
"""Pins of a Pico: GP2 to GP9 for the keypad, GP22 for the data, as in `firmware/chip_rp2040.c`. It
has more GND pins, which the wires need not reach."""


class _Wires:
    """Routes the wires of a board whose parts are placed."""

    def __init__(self, made: Design) -> None:
        self.made = made
        layout = made.layout
        self._router = Router(layout.width, layout.height)
        self._numbers = {name: n for n, name in enumerate(made.nets, 1)}
        self._by = {part.reference: part for part in made.parts}

    def draw(self) -> None:
        self._obstacles()
        self._ground()
        self._supply()
        for one, other in self._pairs():
            self._straight(one, other)
        self._escapes()
        self._local()
        self._links()

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

    def _track(self, net: str, layer: int, *way: Place, width: float = WIDTH) -> None:
        for start, end in pairwise(way):
            if start != end:
                self.made.tracks.append(Track(net, layer, start, end, width))
                self._router.block_line(layer, start, end, width, self._numbers[net])

    def _via(self, net: str, x: float, y: float) -> None:
        if any(via.net == net and dist((via.x, via.y), (x, y)) < 0.01 for via in self.made.vias):
            return
        self.made.vias.append(Via(net, x, y))
        half = VIA / 2
        for layer in (FRONT, BACK):
            self._router.block(layer, x - half, y - half, x + half, y + half, self._numbers[net])

    def _ground(self) -> None:
        """Connect every GND pad on the front to the plane on the back by a via."""
        beside = {
            kinds.LED: {"3": (2.45, 2.9)},
            kinds.CAPACITOR: {"2": (1.95, 0.0)},
            kinds.SHIFTER: {"1": (-2.54, -0.95), "3": (-2.54, 0.95)},
        }
        for part in self.made.parts:
            for number, place in beside.get(part.part, {}).items():
                via = part.at(*place)
                self._via(GROUND, *via)
                self._track(GROUND, FRONT, part.pad(number), via, width=0.4)

    def _supply(self) -> None:
        """Connect the terminal to the fuse; the plane does the rest."""
        if "J1" not in self._by:
            return
        terminal, fuse = self._by["J1"], self._by["F1"]
        ends = (terminal.pad("1"), fuse.pad("1"))
        self._track(INLET, FRONT, *ends, width=SUPPLY_WIDTH)

    def _pairs(self) -> list[tuple[Placed, Placed]]:
        """LEDs that follow one another on this panel."""
        pairs = [(self._by[one], self._by[other]) for one, other in pairwise(self.made.order)]
        return [(one, other) for one, other in pairs if one.nets["2"] == other.nets["4"]]

    def _straight(self, one: Placed, other: Placed) -> None:
        """Connect two neighbours of a piece on the front."""
        if not self._is_straight(one, other):
            return
        out, into = one.pad("2"), other.pad("4")
        self._track(one.nets["2"], FRONT, out, one.at(-3.47, 0.42), into)

    @staticmethod
    def _is_straight(one: Placed, other: Placed) -> bool:
        turned = abs((one.turn - other.turn + 180) % 360 - 180)
        ahead = one.at(-1, 0)
        way = (other.x - one.x, other.y - one.y)
        along = way[0] * (ahead[0] - one.x) + way[1] * (ahead[1] - one.y)
        return turned < 30 and hypot(*way) < _DIRECT and along > 0.9 * hypot(*way)

    def _escapes(self) -> None:
        """Place a via before the first LED of every piece and behind its last."""
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
            f"layout {self.made.layout.name}: no room for a via at LED {part.reference}"
        )

    def _local(self) -> None:
        """Connect the Pi's header to the keypad's, the display's and the level shifter."""
        cable = self._cable()
        terminal = (self._by["J1"], "2") if "J1" in self._by else None
        if cable is not None:
            grounds = [number for number, net in cable.nets.items() if net == GROUND]
            terminal = terminal or (cable, grounds[0])
            for number in grounds:
                if (cable, number) != terminal:
                    self._join(GROUND, (cable, number), terminal)
        assert terminal is not None, "a panel has a terminal or a cable"
        if "J2" not in self._by:
            self._plane(terminal)
            return
        pi = self._by["J2"]
        pins = {net: number for number, net in pi.nets.items() if net != GROUND}
        shifter, resistor = self._by["U1"], self._by["R1"]
        grounded = [(pi, number) for number, net in pi.nets.items() if net == GROUND]
        if "J4" in self._by:
            grounded.insert(0, (self._by["J4"], "1"))
        for ground in grounded:
            self._join(GROUND, ground, terminal)  # what the wires leave of the plane
        self._join(GROUND, (shifter, "1"), grounded[0])
        self._join(GROUND, (shifter, "3"), grounded[0])
        beside = self._by[f"C{self.made.layout.leds + 2}"]
        self._join(GROUND, (beside, "2"), (shifter, "3"))
        self._plane(terminal)
        self._join("DATA5V", (shifter, "4"), (resistor, "1"))
        self._join("SPI", (pi, pins["SPI"]), (shifter, "2"))
        pairs = [
            (net, part, number)
            for part in (self._by.get("J4"), self._by["J3"])
            if part is not None
            for number, net in part.nets.items()
            if net != GROUND
        ]
        pairs.sort(key=lambda pair: (dist(pi.pad(pins[pair[0]]), pair[1].pad(pair[2])), pair[0]))
        for net, part, number in pairs:
            self._join(net, (pi, pins[net]), (part, number))

    def _cable(self) -> Placed | None:
        """The header of the cable to the other panel."""
        return self._by[f"J{4 + self.made.panel}"] if self.made.panel else None

    def _plane(self, terminal: tuple[Placed, str]) -> None:
        """Wires to LEDs here and there, whatever the others leave of the GND plane."""
        runs = self.made.layout.runs
        for run in runs[:: max(1, len(runs) // 3)]:
            own = [n for n in range(len(run.places)) if f"D{run.first + n + 1}" in self._by]
            if own:
                near = min(own, key=lambda n: dist(run.places[n], terminal[0].pad(terminal[1])))
                self._join(GROUND, terminal, (self._by[f"D{run.first + near + 1}"], "3"))

    def _links(self) -> None:
        """Connect each piece to the next, shortest first."""
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
        for a, out, b, into in links:
            self._join(a.nets[out], (a, out), (b, into))

    def _nodes(self, part: Placed, number: str) -> list[tuple[int, int, int]]:
        """The grid nodes from which a pad can be reached."""
        if (part.reference, number) in self._ends:
            column, row = self._ends[part.reference, number]
            return [(column, row, BACK)]
        column, row = self._router.near(*part.pad(number))
        pad = next(p for p in part.part.pads if p.number == number)
        return [(column, row, layer) for layer in ((BACK, FRONT) if pad.drill else (FRONT,))]

    def _join(self, net: str, one: tuple[Placed, str], other: tuple[Placed, str]) -> None:
        number = self._numbers[net]
        try:
            way = self._router.way(number, self._nodes(*one)[0], set(self._nodes(*other)))
        except NoWay as error:
            raise LayoutError(
                f"layout {self.made.layout.name}: no way on two layers from {one[0].reference} "
                f"to {other[0].reference}"
            ) from error
        for part, pad, node in ((*one, way[0]), (*other, way[-1])):
            if (part.reference, pad) not in self._ends:
                self._track(net, node[2], part.pad(pad), _place(node))
        for start, end in _legs(way):
            if start[2] != end[2]:
                self._via(net, *_place(start))
            else:
                self._track(net, start[2], _place(start), _place(end))


def _place(node: tuple[int, int, int]) -> Place:
    return round(node[0] * STEP, 4), round(node[1] * STEP, 4)


def _legs(
    way: list[tuple[int, int, int]],
) -> Iterator[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    """A path as straight segments: intermediate nodes on a line are left out."""
    start = way[0]
    for before, here, after in zip(way, way[1:], [*way[2:], None], strict=False):
        if after is None or _step(before, here) != _step(here, after):
            yield start, here
            start = here


def _step(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, int, int]:
    return other[0] - one[0], other[1] - one[1], other[2] - one[2]


def _pad_box(part: Placed, pad: Pad) -> Box:
    corners = [
        part.at(pad.x + dx * pad.width / 2, pad.y + dy * pad.height / 2)
        for dx in (-1, 1)
        for dy in (-1, 1)
    ]
    xs, ys = [c[0] for c in corners], [c[1] for c in corners]
    return min(xs), min(ys), max(xs), max(ys)


assert CLEARANCE < EDGE
