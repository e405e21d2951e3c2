"""The wiring of a board: pin connections, and the data path through the strips.

The pins are taken from the daemon's config, the pieces from the layout. The upper part shows the
connections to the Pi wire by wire, the lower part the carrier plate from the front, with the data
path from piece to piece.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist
from typing import Any, Final, Protocol

from boardctl.board.shape import Layout, Place, Run
from boardctl.board.sheet import Box, Circle, Line, Shape, Sheet, Words
from boardctl.board.sheet import Layer as _Layer
from boardctl.drawings.parts import Currents, name_pieces
from boardctl.drawings.template import before, piece

HEADER: Final[Mapping[int, int]] = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8,
    15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22,
    26: 37, 27: 13,
}  # fmt: skip
"""BCM number -> pin of the 40-pin header (Raspberry Pi documentation, "GPIO")."""
SPI: Final[Mapping[int, tuple[int, int]]] = {0: (10, 11), 1: (20, 21)}
"""SPI bus -> BCM numbers of its data (MOSI) and clock."""
SDA, SCL = 2, 3
POWER_BUTTON: Final = 26
"""BCM number of the button that shuts the Pi down, as the card image has it."""

INK: Final = _Layer("ink", "#202020", 0.3)
PALE: Final = _Layer("pale", "#8a8a8a", 0.25)
PART: Final = _Layer("part", "#202020", 0.4, "#f4f1ea")
DATA: Final = _Layer("data", "#0050c8", 0.6)
POWER: Final = _Layer("power", "#c02020", 0.6)
GROUND: Final = _Layer("ground", "#202020", 0.6)
SIGNAL: Final = _Layer("signal", "#0a7a5a", 0.5)
PLATE: Final = _Layer("plate", "#8a8a8a", 0.3, "#fbfaf7")
FED: Final = _Layer("fed", "#c02020", 0.6, "#fbe9e7")
"""The style of a piece at whose start power is fed in."""


class Part(Protocol):
    """A part of the config: a driver and its options."""

    @property
    def driver(self) -> str: ...

    @property
    def options(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: its start and signal name, its end, and what is in between (a level shifter, a
    fuse), if anything."""

    layer: _Layer
    start: str
    end: str
    through: str = ""


@dataclass(frozen=True, slots=True)
class Device:
    """A part and the wires that connect it to the Pi."""

    name: str
    wires: tuple[Wire, ...]


def devices(parts: Mapping[str, Part]) -> list[Device]:
    """The devices connected to the Pi, from the config's `leds`, `keys` and `display`, and the
    supplies. A part that is both lights and keys is drawn once; a voice has no wires."""
    drawn: dict[str, tuple[Device, ...]] = {}
    for name in ("leds", "keys", "display"):
        if name in parts:
            part = parts[name]
            device = _chip(name, parts) if part.driver == _CHIP else None
            drawn.setdefault(part.driver, device or _DEVICES.get(part.driver, _other)(part))
    own = Device(PI_SUPPLY, (Wire(POWER, "USB power plug of the Pi", "USB"),))
    return [own, *(device for some in drawn.values() for device in some)]


PI_SUPPLY: Final = "The Pi's own supply"


def _pin(bcm: int) -> str:
    return f"pin {HEADER[bcm]}  GPIO{bcm}"


_GATES: Final = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
"""OE, A and Y of the four gates of a 74AHCT125 (SCLS264)."""


def _shifted(strip: str, wires: tuple[tuple[_Layer, int, str, str], ...]) -> tuple[Device, ...]:
    """A strip behind a level shifter: layer, GPIO, input and resistor of every line to it."""
    used = _GATES[: len(wires)]
    tied = [pin for gate in _GATES for pin in gate[: 1 if gate in used else 2]]
    grounds = " ".join(map(str, sorted([7, *tied])))
    return (
        *_supply("pin 6  GND"),
        Device(
            "Level shifter 74AHCT125",
            (
                *(
                    Wire(layer, _pin(bcm), f"{gate[1]} (A)")
                    for gate, (layer, bcm, _, _) in zip(used, wires, strict=True)
                ),
                Wire(POWER, FUSED, "14 (VCC)"),
                Wire(GROUND, "supply GND", f"{grounds} (GND, OE, unused A)"),
                Wire(GROUND, "its 14 (VCC)", "7 (GND)", "100 nF"),
            ),
        ),
        Device(
            strip,
            (
                *(
                    Wire(layer, f"level shifter {gate[2]} (Y)", end, through)
                    for gate, (layer, _, end, through) in zip(used, wires, strict=True)
                ),
                *_FED,
            ),
        ),
    )


FUSED: Final = "fused +5 V"
"""What comes out of the one fuse, and goes everywhere."""


def _supply(ground: str) -> tuple[Device, ...]:
    wires = (Wire(GROUND, ground, "GND"), Wire(POWER, FUSED, "+5 V", "fuse"))
    return (Device(SUPPLY, wires),)


SUPPLY: Final = "Supply 5 V of the strip"


_FED: Final = (
    Wire(POWER, FUSED, "+5 V"),
    Wire(GROUND, "supply GND", "GND"),
    Wire(GROUND, "its +5 V", "GND", "1000 µF, + at +5 V"),
)


def _ws2812(part: Part) -> tuple[Device, ...]:
    data, _ = SPI[part.options.bus]
    return _shifted("Strip, piece 1 (WS2812B)", ((DATA, data, "DIN", "330 Ω"),))


def _apa102(part: Part) -> tuple[Device, ...]:
    data, clock = SPI[part.options.bus]
    return _shifted("Strip, piece 1 (APA102)", ((DATA, data, "DI", ""), (SIGNAL, clock, "CI", "")))


def _matrix(part: Part) -> tuple[Device, ...]:
    rows = (Wire(SIGNAL, _pin(p), f"row {n}") for n, p in enumerate(part.options.rows, 1))
    columns = (Wire(SIGNAL, _pin(p), f"column {n}") for n, p in enumerate(part.options.columns, 1))
    return (Device("Keypad 4 × 4", (*rows, *columns)),)


def _oled(part: Part) -> tuple[Device, ...]:
    wires = (
        Wire(POWER, "pin 1  3.3 V", "VCC"),
        Wire(GROUND, "pin 9  GND", "GND"),
        Wire(SIGNAL, _pin(SDA), "SDA"),
        Wire(SIGNAL, _pin(SCL), "SCL"),
    )
    return (Device("OLED display", wires),)


def _lcd(part: Part) -> tuple[Device, ...]:
    """An LCD and its level shifter, with the names that are printed on most: the LCD needs 5 V for
    its contrast, and its expander pulls SDA and SCL up to its supply, which would damage a Pi's
    pins."""
    shifter = (
        Wire(POWER, "pin 1  3.3 V", "LV"),
        Wire(POWER, "pin 2  5 V", "HV"),
        Wire(GROUND, "pin 9  GND", "GND"),
        Wire(SIGNAL, _pin(SDA), "LV1"),
        Wire(SIGNAL, _pin(SCL), "LV2"),
    )
    lcd = (
        Wire(POWER, "I2C level shifter, HV", "VCC"),
        Wire(GROUND, "I2C level shifter, GND", "GND"),
        Wire(SIGNAL, "I2C level shifter, HV1", "SDA"),
        Wire(SIGNAL, "I2C level shifter, HV2", "SCL"),
    )
    return (Device("I2C level shifter BSS138", shifter), Device("LCD with PCF8574", lcd))


def _buttons(part: Part) -> tuple[Device, ...]:
    wires = (Wire(SIGNAL, _pin(p), f"key {key}") for key, p in part.options.buttons.items())
    ground = Wire(GROUND, "pin 14  GND", "other side of all")
    return (Device("Push buttons", (*wires, ground)),)


def _usb(name: str, *more: Device) -> Callable[[Part], tuple[Device, ...]]:
    def device(part: Part) -> tuple[Device, ...]:
        where = getattr(part.options, "port", None) or getattr(part.options, "device", "")
        return (Device(name, (Wire(SIGNAL, f"USB  {where}", "USB"),)), *more)

    return device


def _behind(start: str, ground: str, end: str = "DIN") -> tuple[Device, ...]:
    """A strip that gets its data from another device than the Pi."""
    data = Wire(DATA, start, end, "330 Ω")
    return (*_supply(ground), Device("Strip, piece 1 (WS2812B)", (data, *_FED)))


_CHIP: Final = "serial_board"
_CHIP_BUTTONS: Final = (
    "D2 or GP10", "D3 or GP11", "D9 or GP12", "D10 or GP13", "D11 or GP14", "D12 or GP15",
)  # fmt: skip
"""The firmware's pins for single buttons, of an Arduino and of a Pico."""


def _chip(first: str, parts: Mapping[str, Part]) -> tuple[Device, ...]:
    """A microcontroller with what the config says that it has: the strip, keys, or both. `first`
    is the part whose options are those of the port."""
    has = {name for name, part in parts.items() if part.driver == _CHIP}
    found = _usb("Microcontroller (firmware/)")(parts[first])
    if "leds" in has:
        end = "DIN (D8; from GP22 through a level shifter)"
        found += _behind("microcontroller, data", "microcontroller, GND", end)
    if "keys" in has:
        rows = Wire(SIGNAL, "microcontroller, rows", "rows 1 to 4 (A0 to A3, or GP2 to GP5)")
        columns = "columns 1 to 4 (D4 to D7, or GP6 to GP9)"
        wires = (rows, Wire(SIGNAL, "microcontroller, columns", columns))
        found += (Device("Keypad 4 × 4", wires),)
        keys = zip(_CHIP_BUTTONS, parts[first].options.buttons, strict=False)
        if some := tuple(Wire(SIGNAL, f"microcontroller, {at}", f"key {key}") for at, key in keys):
            ground = Wire(GROUND, "microcontroller, GND", "other side of all")
            found += (Device("Push buttons", (*some, ground)),)
    return found


def _wled(part: Part) -> tuple[Device, ...]:
    wires = (
        Wire(SIGNAL, f"network  {part.options.host}", "Wi-Fi"),
        Wire(POWER, FUSED, "+5 V"),
    )
    return (Device("WLED box", wires), *_behind("WLED box, data", "WLED box, GND"))


def _other(part: Part) -> tuple[Device, ...]:
    """An unknown part: its driver's name and its options."""
    names = [name for name in getattr(type(part.options), "__slots__", ()) if name[0] != "_"]
    wires = (Wire(SIGNAL, f"{name} {getattr(part.options, name)}", name) for name in names)
    return (Device(part.driver, tuple(wires)),)


_DEVICES: Final = {
    "ws2812_spi": _ws2812,
    "apa102_spi": _apa102,
    "gpio_matrix": _matrix,
    "gpio_buttons": _buttons,
    "usb_numpad": _usb("USB number pad"),
    "adalight": _usb(
        "Adalight controller", *_behind("Adalight controller, data", "Adalight controller, GND")
    ),
    "wled": _wled,
    "oled": _oled,
    "lcd": _lcd,
}

ROW: Final = 6.5
WIDTH: Final = 300.0
"""Minimum width of the picture."""
PI_WIDTH: Final = 104.0
PITCH: Final = 4.2
"""Between two pins of the drawn header."""
HEADER_AT: Final = (14.0, 20.0)
"""The place of its pin 1 in the picture."""
DEVICE_WIDTH: Final = 104.0
BETWEEN: Final = 44.0
"""Width of the box for intermediate parts."""


def table(parts: Mapping[str, Part], fuse: float) -> str:
    """The wires as a table of Markdown, for `wiring.md`, with the amperes of the fuse."""
    lines = ["| from | through | to | of |", "|---|---|---|---|"]
    for device in (_fused(device, fuse) for device in devices(parts)):
        lines += (f"| {w.start} | {w.through} | {w.end} | {device.name} |" for w in device.wires)
    return "\n".join(lines) + "\n"


def wiring(
    layout: Layout,
    parts: Mapping[str, Part],
    feeds: tuple[int, ...],
    figures: Currents,
) -> Sheet:
    """Draw the picture: pins above, the data path below.

    Args:
        parts: the config's `leds`, `keys` and `display`, if configured.
        feeds: the numbers of the pieces at whose starts power is fed in.
        figures: the board's currents, with the fuse.
    """
    width = max(WIDTH, layout.width)
    sheet = Sheet(f"{layout.title}: wiring", -12, -12, width + 12, 0)
    joined = devices(parts)
    joined = [
        _fused_apart(device, feeds, figures.own_fuse)
        if figures.own_fuse
        else _fused(device, figures.fuse)
        for device in joined
    ]
    sheet.add(Words(INK, 0, -5, 4, f"boardctl {layout.name}: wiring", "left", bold=True))
    bottom = _block_diagram(sheet, joined, width)
    top = bottom + 18
    words = (
        "The way of the data (blue) from piece to piece, seen from the front; +5 V and GND go "
        f"along with it and are fed in at {name_pieces(feeds)} (red)."
    )
    sheet.add(Words(INK, 0, top - 6, 2.8, words, "left"))
    sheet.add(*(_moved(shape, top) for shape in _way(layout, feeds)))
    sheet.bottom = top + layout.height + 12
    return sheet


def _fused(device: Device, amperes: float) -> Device:
    """A device with the fuse's rating where its wires name the fuse."""
    rated = (
        replace(wire, through=f"fuse {amperes:g} A") if wire.through == "fuse" else wire
        for wire in device.wires
    )
    return Device(device.name, tuple(rated))


def _fused_apart(device: Device, feeds: tuple[int, ...], amperes: float) -> Device:
    """A device with a fuse of its own for each feed in place of one for all."""
    wires: list[Wire] = []
    for wire in device.wires:
        if device.name == SUPPLY and wire.start == FUSED:
            through = f"fuse {amperes:g} A"
            wires += (Wire(POWER, f"{FUSED}, piece {n}", "+5 V", through) for n in feeds)
        elif wire == _FED[0]:
            wires += (Wire(POWER, f"{FUSED}, piece {n}", f"+5 V, piece {n}") for n in feeds)
        elif wire.start == FUSED:
            wires.append(Wire(POWER, f"{FUSED}, piece {feeds[0]}", wire.end, wire.through))
        else:
            wires.append(wire)
    return Device(device.name, tuple(wires))


def _header(joined: list[Device]) -> list[Shape]:
    """The Pi's header as seen from above, its used pins in their wires' colours."""
    used = {}
    for device in joined:
        for wire in device.wires:
            if match := re.match(r"pin (\d+) ", wire.start):
                used[int(match[1])] = wire.layer
    left, top = HEADER_AT
    shapes: list[Shape] = [
        Box(PALE, left - PITCH / 2, top - PITCH / 2, 2 * PITCH, 20 * PITCH, 0.6),
        Box(PALE, left - PITCH / 2, top - PITCH / 2, PITCH, PITCH),  # pin 1
    ]
    for pin in range(1, 41):
        row, column = divmod(pin - 1, 2)
        x, y = left + column * PITCH, top + row * PITCH
        layer = used.get(pin)
        ring = PALE if layer is None else _Layer(f"pin {layer.name}", layer.line, 0.2, layer.line)
        shapes.append(Circle(ring, x, y, 2.4))
        beside = (x - 3.0, "right") if column == 0 else (x + 3.0, "left")
        colour = PALE if layer is None else INK
        shapes.append(Words(colour, beside[0], y, 1.7, str(pin), beside[1], bold=pin in used))  # type: ignore[arg-type]
    foot = top + 20 * PITCH
    for n, words in enumerate(("pin 1 is beside", "the card; seen", "from above")):
        shapes.append(Words(PALE, left + PITCH / 2, foot + 1.5 + 3.4 * n, 2.0, words))
    return shapes


def _block_diagram(sheet: Sheet, joined: list[Device], width: float) -> float:
    """Draw every wire as a horizontal line from the Pi's box to its device's; returns the lower
    edge."""
    left, right = PI_WIDTH, width - DEVICE_WIDTH
    middle = (left + right) / 2
    rows = sum(len(device.wires) + 1 for device in joined)
    least = HEADER_AT[1] + 20 * PITCH + 10
    height = max((rows + 0.95 * len(joined) + 1.2) * ROW, least)
    sheet.add(Box(PART, 0, 2, PI_WIDTH, height, 3))
    sheet.add(Words(INK, PI_WIDTH / 2, 7, 3.0, "Raspberry Pi and supplies", bold=True))
    if any(wire.start.startswith("pin ") for device in joined for wire in device.wires):
        sheet.add(*_header(joined))
    y = 2 + 1.2 * ROW
    for device in joined:
        size = (len(device.wires) + 1.3) * ROW
        sheet.add(Box(PART, right, y, DEVICE_WIDTH, size, 3))
        y += 0.75 * ROW
        sheet.add(Words(INK, right + 4, y, 3.0, device.name, "left", bold=True))
        y += ROW
        for wire in device.wires:
            sheet.add(Words(INK, left - 4, y, 2.8, wire.start, "right"))
            sheet.add(Words(INK, right + 4, y, 2.8, wire.end, "left"))
            sheet.add(Line(wire.layer, ((left, y), (right, y))))
            if wire.through:
                sheet.add(Box(PART, middle - BETWEEN / 2, y - 2.6, BETWEEN, 5.2, 1.5))
                sheet.add(Words(INK, middle, y, 2.5, wire.through))
            y += ROW
        y += 0.15 * ROW
    return 2 + height


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
"""How far a link stands out where the data turns back, as a part of its length …"""
MOST_BOW: Final = 6.0
"""… and at most, in millimetres."""


def _links(runs: Sequence[Run]) -> Iterator[tuple[Place, ...]]:
    """The wires from single pixel to single pixel and from piece to piece, each as a line."""
    for run in runs:
        if run.strip is None:
            yield from pairwise(run.places)
    for one, other in pairwise(runs):
        yield _link(one, other)


def _link(one: Run, other: Run) -> tuple[Place, ...]:
    """The wire from a piece to the next. Between two strips of opposite directions it is a bow
    outwards: straight, it would cover the ends of strips between them, and their wires."""
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
    """The direction from a place to the next, one millimetre long; none if there is one place."""
    if len(places) < 2:
        return 0.0, 0.0
    (x, y), (to_x, to_y) = places
    far = dist(*places)
    return (to_x - x) / far, (to_y - y) / far


def _inked(shape: Shape) -> Shape:
    """A shape of the carrier plate in a pale colour."""
    if isinstance(shape, Line):
        return Line(PALE, shape.points, shape.closed)
    assert not isinstance(shape, Box | Words)
    return type(shape)(PALE, shape.x, shape.y, shape.diameter, shape.name)


def _beside(run: Run) -> Place:
    """The position of a piece's number: at its middle, between two LEDs."""
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
