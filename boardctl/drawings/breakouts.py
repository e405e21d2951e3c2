"""An Arduino Nano and a Pico, seen from above, with their pins in place and the names of the pins
in use.

Both are drawn with the USB plug at the top. Sources: Arduino Nano pinout (A000005); Raspberry Pi
Pico Datasheet, figure 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from boardctl.board.shape import Place
from boardctl.board.sheet import Box, Circle, Layer, Shape, Words
from boardctl.drawings.connections import BLACK, BOARD, COPPER, INK, METAL, PALE
from boardctl.drawings.wires import CHIP_BUTTONS, DATA, GROUND, MICROCONTROLLER, SIGNAL, Device


class Breakout(NamedTuple):
    """A microcontroller board: the names of the pins on each side, from the USB plug down.

    `open` contains the pins to which nothing may be connected while a USB cable powers the board.
    `ground_after` is the pin above the GND pin that is used, on the right. If `numbered`, the pins
    have numbers, anticlockwise from the upper left.
    """

    name: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    open: frozenset[str]
    ground_after: str
    numbered: bool


NANO: Final = Breakout(
    "Arduino Nano (an Uno has the same names)",
    ("D13", "3V3", "REF", *(f"A{n}" for n in range(8)), "5V", "RST", "GND", "VIN"),
    (*(f"D{n}" for n in range(12, 1, -1)), "GND", "RST", "RX0", "TX1"),
    frozenset({"5V", "VIN"}),
    "D2",
    numbered=False,
)
PICO: Final = Breakout(
    "Raspberry Pi Pico",
    ("GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7", "GP8", "GP9", "GND",
     "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15"),
    ("VBUS", "VSYS", "GND", "3V3EN", "3V3", "REF", "GP28", "GND", "GP27", "GP26", "RUN", "GP22",
     "GND", "GP21", "GP20", "GP19", "GP18", "GND", "GP17", "GP16"),
    frozenset({"VBUS", "VSYS", "3V3"}),
    "GP22",
    numbered=True,
)  # fmt: skip
PINS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    NANO.name: {
        "data": ("D8",),
        "rows": ("A0", "A1", "A2", "A3"),
        "columns": ("D4", "D5", "D6", "D7"),
    },
    PICO.name: {
        "data": ("GP22",),
        "rows": ("GP2", "GP3", "GP4", "GP5"),
        "columns": ("GP6", "GP7", "GP8", "GP9"),
    },
}
"""By board: the firmware's pins for the terminals in the drawing of the connections."""
_DATA: Final = {NANO.name: "330 Ω, then DIN", PICO.name: "level shifter 2 (A)"}
Align = Literal["left", "centre", "right"]
_STEP: Final = 4.4
"""The distance between two pins of the drawing, in millimetres."""
_WIDE: Final = 30.0
HEIGHT: Final = 20 * _STEP + 20
"""The height of the drawing."""


def uses(board: Breakout, devices: Sequence[Device]) -> dict[str, tuple[Layer, str]]:
    """Return the pins in use by name, each with the layer of its wire and the wire's other end."""
    wires = [wire for device in devices for wire in device.wires]
    starts = {wire.start.partition(", ")[2]: wire for wire in wires if _is_chips(wire.start)}
    found: dict[str, tuple[Layer, str]] = {}
    for terminal, wire in starts.items():
        pins = PINS[board.name].get(terminal, ())
        if terminal == "data":
            found[pins[0]] = DATA, _DATA[board.name]
        elif pins:
            word = terminal.removesuffix("s")
            found |= {pin: (SIGNAL, f"keypad, {word} {n}") for n, pin in enumerate(pins, 1)}
        elif terminal in CHIP_BUTTONS:
            found[terminal.split(" or ")[board is PICO]] = SIGNAL, f"button, {wire.end}"
    if starts:
        found["GND"] = GROUND, "GND of the supply"
    return found


def _is_chips(start: str) -> bool:
    return start.lower().startswith("microcontroller, ")


def breakouts(devices: Sequence[Device], width: float, top: float) -> list[Shape]:
    """Draw both boards side by side, or nothing if no device is a microcontroller.

    Args:
        devices: the devices of the drawing.
        width: the width of the drawing in millimetres.
        top: the upper edge in millimetres.
    """
    if not any(device.name == MICROCONTROLLER for device in devices):
        return []
    shapes: list[Shape] = [
        Words(
            INK,
            0,
            top + 2,
            2.8,
            "Either of these boards, from above, with the pins in use.",
            "left",
        )
    ]
    for n, board in enumerate((NANO, PICO)):
        middle = width * (1 + 2 * n) / 4
        shapes += _board(board, uses(board, devices), middle - _WIDE / 2, top + 10)
    return shapes


def _board(
    board: Breakout, used: Mapping[str, tuple[Layer, str]], x: float, y: float
) -> Iterator[Shape]:
    middle, foot = x + _WIDE / 2, y + 6 + len(board.left) * _STEP
    yield Words(INK, middle, y - 3, 2.4, board.name, bold=True)
    yield Box(BOARD, x, y, _WIDE, foot - y, 1.5)
    yield Box(METAL, middle - 4, y - 0.5, 8, 5, 0.6)
    yield Words(INK, middle, y + 2, 1.6, "USB")
    yield Box(BLACK, middle - 3.5, (y + foot) / 2 - 3.5, 7, 7, 0.5)
    for names, edge, side in ((board.left, x, -1), (board.right, x + _WIDE, 1)):
        for n, name in enumerate(names):
            number = n + 1 if side < 0 else 2 * len(names) - n
            use = used.get(name)
            if name == "GND" and (side < 0 or names[n - 1] != board.ground_after):
                use = None
            at = edge, y + 6 + n * _STEP
            yield from _pin(board, name, use, at, side, str(number) if board.numbered else "")


def _pin(
    board: Breakout,
    name: str,
    use: tuple[Layer, str] | None,
    place: Place,
    side: int,
    number: str,
) -> Iterator[Shape]:
    """Draw a pin with its name and, beside the board, its number and use. `side` is 1 on the right
    of the board, and -1 on the left."""
    x, y = place
    inward: Align = "right" if side > 0 else "left"
    outward: Align = "left" if side > 0 else "right"
    ink = PALE if use is None else INK
    dot = COPPER if use is None else Layer(f"pin {use[0].name}", "#ffffff", 0.2, use[0].line)
    yield Circle(dot, x - side * 2, y, 2.2)
    yield Words(ink, x - side * 4, y, 1.7, name, inward, use is not None)
    where = "leave open" if name in board.open else "" if use is None else use[1]
    if where:
        words = f"{where} (pin {number})" if number else where
        yield Words(ink, x + side * 2, y, 1.9, words, outward)
