"""The wires of a board: every connection between the parts in its configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from boardctl.board.sheet import Layer

HEADER: Final[Mapping[int, int]] = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8,
    15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22,
    26: 37, 27: 13,
}  # fmt: skip
"""The pin of the 40-pin header by BCM number (Raspberry Pi documentation, "GPIO")."""
SPI: Final[Mapping[int, tuple[int, int]]] = {0: (10, 11), 1: (20, 21)}
"""The BCM numbers of data (MOSI) and clock by SPI bus."""
SDA, SCL = 2, 3
POWER_BUTTON: Final = 26
"""The BCM number of the button that shuts the Pi down, as in the card image."""

DATA: Final = Layer("data", "#0050c8", 0.6)
POWER: Final = Layer("power", "#c02020", 0.6)
GROUND: Final = Layer("ground", "#202020", 0.6)
SIGNAL: Final = Layer("signal", "#0a7a5a", 0.5)


class Part(Protocol):
    """A part in the configuration: a driver and its options."""

    @property
    def driver(self) -> str: ...

    @property
    def options(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire: its start and signal name, its end, and any parts in the wire (a level shifter, a
    fuse)."""

    layer: Layer
    start: str
    end: str
    through: str = ""


@dataclass(frozen=True, slots=True)
class Device:
    """A part and the wires that connect it to the Pi."""

    name: str
    wires: tuple[Wire, ...]


def devices(parts: Mapping[str, Part]) -> list[Device]:
    """Return the devices that are connected to the Pi according to the configuration's `leds`,
    `keys` and `display`, and the supplies. A part that is used for both lights and keys is drawn
    once. A voice has no wires."""
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


GATES: Final = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
"""OE, A and Y of the four gates of a 74AHCT125 (SCLS264)."""


def _shifted(strip: str, wires: tuple[tuple[Layer, int, str, str], ...]) -> tuple[Device, ...]:
    """Return a strip behind a level shifter, with the layer, GPIO, input and resistor of each line
    to it."""
    used = GATES[: len(wires)]
    tied = [pin for gate in GATES for pin in gate[: 1 if gate in used else 2]]
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
"""The name of the fused +5 V, which feeds every part."""


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
    """Return an LCD and its level shifter, with the names usually printed on them. The LCD needs 5
    V for its contrast, and its expander pulls SDA and SCL up to that voltage, which would damage a
    Pi's pins."""
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
    """Return a strip that receives its data from a device other than the Pi."""
    data = Wire(DATA, start, end, "330 Ω")
    return (*_supply(ground), Device("Strip, piece 1 (WS2812B)", (data, *_FED)))


_CHIP: Final = "serial_board"
MICROCONTROLLER: Final = "Microcontroller (firmware/)"
CHIP_BUTTONS: Final = (
    "D2 or GP10", "D3 or GP11", "D9 or GP12", "D10 or GP13", "D11 or GP14", "D12 or GP15",
)  # fmt: skip
"""The firmware's pins for single buttons, of an Arduino and of a Pico."""


def _chip(first: str, parts: Mapping[str, Part]) -> tuple[Device, ...]:
    """Return a microcontroller with its configured parts: the strip, keys, or both. `first` is the
    part with the options of the port."""
    has = {name for name, part in parts.items() if part.driver == _CHIP}
    found = _usb(MICROCONTROLLER)(parts[first])
    if "leds" in has:
        end = "DIN (D8; from GP22 through a level shifter)"
        found += _behind("microcontroller, data", "microcontroller, GND", end)
    if "keys" in has:
        rows = Wire(SIGNAL, "microcontroller, rows", "rows 1 to 4 (A0 to A3, or GP2 to GP5)")
        columns = "columns 1 to 4 (D4 to D7, or GP6 to GP9)"
        wires = (rows, Wire(SIGNAL, "microcontroller, columns", columns))
        found += (Device("Keypad 4 × 4", wires),)
        keys = zip(CHIP_BUTTONS, parts[first].options.buttons, strict=False)
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
    """Return a part of an unknown kind, as its driver's name and its options."""
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


def fused(device: Device, amperes: float) -> Device:
    """Return a device after adding the fuse's rating to the wires that include the fuse."""
    rated = (
        replace(wire, through=f"fuse {amperes:g} A") if wire.through == "fuse" else wire
        for wire in device.wires
    )
    return Device(device.name, tuple(rated))


def fused_apart(device: Device, feeds: tuple[int, ...], amperes: float) -> Device:
    """Return a device with a separate fuse for each feed instead of one for all."""
    wires: list[Wire] = []
    for wire in device.wires:
        if device.name == SUPPLY and wire.start == FUSED:
            through = f"fuse {amperes:g} A"
            wires += (
                Wire(POWER, f"{FUSED}, piece {n}", f"+5 V to piece {n}", through) for n in feeds
            )
        elif wire == _FED[0]:
            wires += (Wire(POWER, f"{FUSED}, piece {n}", f"+5 V, piece {n}") for n in feeds)
        elif wire.start == FUSED:
            wires.append(Wire(POWER, f"{FUSED}, piece {feeds[0]}", wire.end, wire.through))
        else:
            wires.append(wire)
    return Device(device.name, tuple(wires))


def table(parts: Mapping[str, Part], fuse: float) -> str:
    """Return the wires as a Markdown table for `wiring.md`, with the fuse's rating in amperes."""
    lines = ["| from | through | to | of |", "|---|---|---|---|"]
    for device in (fused(device, fuse) for device in devices(parts)):
        lines += (f"| {w.start} | {w.through} | {w.end} | {device.name} |" for w in device.wires)
    return "\n".join(lines) + "\n"
