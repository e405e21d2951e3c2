"""The case: the stack of layers with their thicknesses, and the sizes of the parts inside it.

The plates, the screws in the parts list, the circuit board and (through `layout.scad`) the OpenSCAD
tray all use these figures. Lengths are in millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardctl.board.shape import Layout, Window

FRONT: Final = 3.0
DIFFUSER: Final = 0.3
GUIDE: Final = 6.0
LIGHTS: Final = 2.0
"""A strip's board (0.4) and the LED on it (1.6). The light guide rests on the LEDs."""
CARRIER: Final = 3.0
ROOM: Final = 32.0
"""Below the carrier: the Pi on its posts, its header, and the plugs of jumper wires."""
FLOOR: Final = 2.4
INSERT: Final = 5.7
"""A brass insert for M3 in the top of each post."""
SCREWS: Final = (10, 12, 16, 20, 25, 30)
"""The available lengths of countersunk screws."""
PI_SCREW: Final = "M2.5 × 6"
SPLICE_SCREW: Final = "M3 × 8"
GLAND: Final = "PG7"
"""The screw and the gland that fit the holes in `hardware/enclosure.scad`."""
STACK: Final = FRONT + DIFFUSER + GUIDE + LIGHTS + CARRIER
"""The thickness a screw passes through before it reaches its insert."""

SMALL: Final = 40.0
"""A display area narrower than this has room only for the OLED. A wider one also has room for an
LCD."""


@dataclass(frozen=True, slots=True)
class Module:
    """A display with its board: width, height, and depth behind the front plate's face."""

    name: str
    width: float
    height: float
    depth: float


OLED: Final = Module("OLED 0.96 inch, SSD1306", 27.5, 28.0, 7.0)
"""The display of every board; it runs on the Pi's 3.3 V."""
LCD: Final = Module("LCD 1602 with PCF8574 backpack", 80.0, 36.0, 22.0)
"""The alternative if there is room: HD44780 1602A, board 80 × 36, bezel 71.2 × 25.2, with the
backpack and its pins. It needs 5 V and a level shifter for I2C."""
KEYPAD_DEPTH: Final = 9.5
"""The maximum depth of a keypad behind the front plate's face: 1.8 mm are left to the front of a
circuit board, for its flat parts and the ends of soldered pins. It fills the front plate's window
except for the play."""
AROUND: Final = 4.0
"""Additional space around the window of a keypad or display behind the front plate …"""
PLAY: Final = 0.5
"""… or around its board, if that is larger."""


@dataclass(frozen=True, slots=True)
class Pi:
    """A Raspberry Pi: the size of its board, the distances between its holes, and its height above
    the circuit board."""

    name: str
    width: float
    height: float
    holes: tuple[float, float]
    tall: float


PIS: Final = (
    Pi("zero", 65.0, 30.0, (58.0, 23.0), 23.0),
    Pi("full", 85.0, 56.0, (58.0, 49.0), 23.0),
)
"""Raspberry Pi mechanical drawings; the height is that of the header with a jumper's plug on it,
which is more than an Ethernet socket's 16."""


def display(layout: Layout) -> Module:
    """Return the largest display that fits the display area of a layout. The plates and the tray
    leave room for this display."""
    return OLED if layout.display.width < SMALL else LCD


def opening(layout: Layout) -> Window:
    """Return the opening for the display in the light guide, the carrier and the circuit board. The
    display's whole board fits through it."""
    window, module = layout.display, display(layout)
    width = max(window.width + 2 * AROUND, module.width + 2 * PLAY)
    height = max(window.height + 2 * AROUND, module.height + 2 * PLAY)
    return Window(
        window.x + (window.width - width) / 2,
        window.y + (window.height - height) / 2,
        width,
        height,
    )


def screw_length() -> int:
    """Return the shortest available screw that passes through the stack and fills its insert."""
    return next(length for length in SCREWS if length >= STACK + INSERT)
