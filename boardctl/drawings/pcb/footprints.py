"""The parts of the circuit board: their pads, bodies, manufacturers and prices.

Pads are in millimetres from the part's centre, x to the right and y downwards, seen from the front
without rotation. A part with `back` is mounted on the back and soldered from the front, so its pads
are given as seen from the front. Prices are for small quantities, in US dollars. Those without a
source are estimates made in November 2026.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardctl.board.shape import Place


@dataclass(frozen=True, slots=True)
class Pad:
    """One pad: its number, centre and size. `drill` is 0 for a pad that is only on the front."""

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: float = 0.0
    round: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A kind of part. `size` is the size of its body, and `height` is its height in millimetres
    above the side on which it is mounted."""

    name: str
    value: str
    maker: str
    number: str
    pads: tuple[Pad, ...]
    size: Place
    height: float
    dollars: float
    back: bool = False
    source: str = "estimate"
    """Where the price is published."""
    centre: Place = (0.0, 0.0)
    """The centre of the body, relative to the origin of the pads."""
    lcsc: str = ""
    """The part's number at the shop LCSC, which supplies JLCPCB's assembly, or an empty string if
    no number is confirmed. Each is named with this maker's number in at least two published lists,
    for WS2812B-V5 one of them the shop's own datasheet. LCSC itself was not asked."""

    @property
    def is_bare(self) -> bool:
        """Whether the part is only a hole, which is neither bought nor mounted."""
        return not self.number


def _row(count: int, columns: int = 1) -> tuple[Pad, ...]:
    """Return header pins 2.54 mm apart, numbered along the rows as on a Pi. Pin 1 is square. For
    mounting on the back, the columns are swapped, so that the numbers are correct as seen from
    there."""
    pads = []
    for n in range(count * columns):
        row, column = divmod(n, columns)
        x = 2.54 * ((columns - 1) / 2 - column)
        y = 2.54 * (row - (count - 1) / 2)
        pads.append(Pad(str(n + 1), x, y, 1.7, 1.7, 1.0, round=n > 0))
    return tuple(pads)


LED: Final = Part(
    "LED_WS2812B_5050",
    "WS2812B-V5",
    "WorldSemi",
    "WS2812B-V5",
    (
        Pad("1", -2.45, -1.6, 1.5, 0.9),
        Pad("2", -2.45, 1.6, 1.5, 0.9),
        Pad("3", 2.45, 1.6, 1.5, 0.9),
        Pad("4", 2.45, -1.6, 1.5, 0.9),
    ),
    (5.0, 5.0),
    1.6,
    0.06,
    lcsc="C2846931",
)
"""1 VDD, 2 DOUT, 3 VSS, 4 DIN. Pads as in KiCad's LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm."""

CAPACITOR: Final = Part(
    "C_0603",
    "100 nF, 50 V, X7R",
    "Samsung Electro-Mechanics",
    "CL10B104KB8NNNC",
    (Pad("1", -0.775, 0, 0.8, 0.95), Pad("2", 0.775, 0, 0.8, 0.95)),
    (1.6, 0.8),
    0.8,
    0.01,
    lcsc="C1591",
)
RESISTOR: Final = Part(
    "R_0603",
    "330 Ω",
    "Yageo",
    "RC0603FR-07330RL",
    (Pad("1", -0.825, 0, 0.8, 0.95), Pad("2", 0.825, 0, 0.8, 0.95)),
    (1.6, 0.8),
    0.5,
    0.01,
)
SHIFTER: Final = Part(
    "SOT-23-5",
    "74AHCT1G125",
    "Texas Instruments",
    "SN74AHCT1G125DBVR",
    (
        Pad("1", -1.1375, -0.95, 1.325, 0.6),
        Pad("2", -1.1375, 0.0, 1.325, 0.6),
        Pad("3", -1.1375, 0.95, 1.325, 0.6),
        Pad("4", 1.1375, 0.95, 1.325, 0.6),
        Pad("5", 1.1375, -0.95, 1.325, 0.6),
    ),
    (1.6, 2.9),
    1.45,
    0.15,
    lcsc="C7484",
)
"""1 OE (active low), 2 A, 3 GND, 4 Y, 5 VCC (SCLS379)."""
FUSE_AMPERES: Final = 4.0
"""The rating that `budget.fuse` returns for the usual budget."""
FUSE: Final = Part(
    "Fuse_1206",
    f"{FUSE_AMPERES:g} A, very fast",
    "Littelfuse",
    "0466004.NR",
    (Pad("1", -1.5, 0, 1.4, 1.8), Pad("2", 1.5, 0, 1.4, 1.8)),
    (3.2, 1.6),
    0.6,
    0.48,
    source="novapart.co/products/0466004.NR at 0.436 euros, read in November 2026",
)
"""The height is limited because the light guide and the keypad are above the fuse. A fuse carries
three quarters of its rating for hours (Littelfuse, 466 series): 3 A, the usual budget."""
ON_OHMS: Final = 0.033
WARMED: Final = 2.0
KELVIN_PER_WATT: Final = 156.0
FET: Final = Part(
    "SOT-23-6",
    "P-channel MOSFET, 20 V",
    "onsemi",
    "FDC604P",
    (
        Pad("1", -1.1375, -0.95, 1.325, 0.6),
        Pad("2", -1.1375, 0.0, 1.325, 0.6),
        Pad("3", -1.1375, 0.95, 1.325, 0.6),
        Pad("4", 1.1375, 0.95, 1.325, 0.6),
        Pad("5", 1.1375, 0.0, 1.325, 0.6),
        Pad("6", 1.1375, -0.95, 1.325, 0.6),
    ),
    (1.6, 2.9),
    1.1,
    0.20,
    source="novapart.co/products/FDC604P at 0.181 euros, read in November 2026",
)
"""1, 2, 5, 6 drain, 3 gate, 4 source. Its datasheet has 33 mΩ at most with 4.5 V at the gate and 25
°C (`ON_OHMS`), at most 8 V there, and for its package 156 °C a watt on the smallest pads
(`KELVIN_PER_WATT`; 78 on a square inch). Hot silicon conducts worse: `WARMED`, a factor of two,
exceeds the values of such datasheets at 125 °C. Two transistors side by side share the current."""
TERMINAL: Final = Part(
    "Terminal_5.08_2",
    "screw terminal, 13.5 A",
    "Phoenix Contact",
    "1729128",
    (
        Pad("1", 0, -2.54, 2.6, 2.6, 1.3),
        Pad("2", 0, 2.54, 2.6, 2.6, 1.3, round=True),
    ),
    (8.2, 10.2),
    10.0,
    0.9,
    back=True,
)
"""1 +5 V, 2 GND."""
BULK: Final = Part(
    "CP_Radial_D10_P5",
    "1000 µF, 16 V",
    "Panasonic",
    "EEU-FM1C102",
    (Pad("1", -2.5, 0, 2.0, 2.0, 0.9), Pad("2", 2.5, 0, 2.0, 2.0, 0.9, round=True)),
    (10.0, 10.0),
    20.0,
    0.6,
    back=True,
)
"""1 plus, 2 minus."""
PI: Final = Part(
    "Header_2x20",
    "to the Pi, 40-way ribbon",
    "Samtec",
    "TSW-120-07-G-D",
    _row(20, 2),
    (5.1, 50.8),
    8.5,
    1.5,
    back=True,
)


def _sides() -> tuple[Pad, ...]:
    """Return a Pico's two rows of pins, 17.78 mm apart. They are numbered around the Pico and
    mirrored, as seen from the back with the USB plug at the top."""
    right = [Pad(str(n + 1), 8.89, 2.54 * (n - 9.5), 1.7, 1.7, 1.0, round=n > 0) for n in range(20)]
    left = [Pad(str(40 - n), -8.89, 2.54 * (n - 9.5), 1.7, 1.7, 1.0, round=True) for n in range(20)]
    return (*right, *left)


PICO: Final = Part(
    "Socket_Pico",
    "socket for a Raspberry Pi Pico, two rows of 20",
    "Samtec",
    "SSW-120-01-G-S",
    _sides(),
    (21.0, 76.0),
    13.0,
    3.0,
    back=True,
    centre=(0.0, -12.5),
)
"""Two sockets of 20. The body includes 25 mm for the plug of its USB cable."""
KEYPAD: Final = Part(
    "Header_1x8",
    "keypad",
    "Samtec",
    "TSW-108-07-G-S",
    _row(8),
    (2.54, 20.4),
    8.5,
    0.4,
    back=True,
)


def cable(pins: int) -> Part:
    """Return the header for the data cable between two panels, with one pin for each wire."""
    return Part(
        f"Header_1x{pins}",
        "data, other panel",
        "Samtec",
        f"TSW-1{pins:02d}-07-G-S",
        _row(pins),
        (2.54, 2.54 * pins),
        8.5,
        0.1 * pins,
        back=True,
    )


DISPLAY: Final = Part(
    "Header_1x4",
    "display, I2C, 3.3 V",
    "Samtec",
    "TSW-104-07-G-S",
    _row(4),
    (2.54, 10.2),
    8.5,
    0.2,
    back=True,
)
BUTTON: Final = Part(
    "Header_1x2",
    "power button",
    "Samtec",
    "TSW-102-07-G-S",
    _row(2),
    (2.54, 5.1),
    8.5,
    0.1,
    back=True,
)


def test_point(what: str) -> Part:
    """Return a bare plated hole, named after its signal, for the probe of a meter or an
    oscilloscope."""
    pads = (Pad("1", 0, 0, 2.0, 2.0, 1.0, round=True),)
    return Part("TestPoint", what, "", "", pads, (2.0, 2.0), 0.0, 0.0, back=True)
