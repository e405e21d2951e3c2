"""The parts list of a board, with every computed figure beside its formula.

What is bought follows from the layout (strip, pixels, plates, windows) and from the current budget
in the config's `[power]`: supply, fuse, wire, and where power is fed in.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, dist, sqrt
from typing import Final, NamedTuple

from boardctl.board.shape import Layout
from boardctl.drivers.budget import Options as Power

PI: Final = 1.2
"""Amperes a Raspberry Pi with a small display is counted for."""
RESERVE: Final = 1.25
"""A supply should not be run at its limit."""
SUPPLIES: Final = (3, 4, 5, 6, 8, 10, 15)
"""Amperes that 5 V supplies are sold with."""
FUSES: Final = (2, 3, 4, 5, 7.5, 10, 15)
COPPER: Final = 0.0172
"""Resistivity of copper, Ω·mm²/m, at 20 °C."""
RAIL: Final = 0.035 * 4.0
"""Cross-section in mm² of one power rail of a strip: 35 µm copper, about 4 mm wide. Not measured;
a strip of 70 µm copper is twice as good."""
STRIP_DROP: Final = 0.3
"""Volts that may be lost along the strip: colours stay true down to about 4.5 V …"""
WIRE_DROP: Final = 0.15
"""… and volts that may be lost in the wire that feeds it."""
LEAD: Final = 0.5
"""Metres of wire from the supply to the strip, there; as much goes back."""
SMALL: Final = 40.0
"""A display's window narrower than this, in mm, is for an OLED; wider, for an LCD of 16 × 2."""
WIRES: Final = ((24, 0.205), (22, 0.326), (20, 0.518), (18, 0.823), (16, 1.31), (14, 2.08))
"""AWG -> mm² (ASTM B258)."""


class Part(NamedTuple):
    """A line of the list."""

    quantity: str
    part: str
    note: str


@dataclass(frozen=True, slots=True)
class Currents:
    """The electrical figures of a board. Amperes, metres, volts, ohms."""

    budget: float
    length: float
    supply: int
    fuse: float
    feeds: int
    apart: float
    gauge: int
    area: float

    @property
    def formulas(self) -> tuple[str, ...]:
        rail = 2 * COPPER / RAIL
        return (
            f"Supply: {RESERVE} × (budget {self.budget:g} A + Pi {PI} A) = "
            f"{RESERVE * (self.budget + PI):.2f} A, so {self.supply} A.",
            f"Fuse: the next above the budget of {self.budget:g} A, so {self.fuse:g} A.",
            f"Strip: both rails 2 × {COPPER} Ω·mm²/m ÷ {RAIL:.2f} mm² = {rail:.3f} Ω/m. With "
            f"{self.budget:g} A spread over {self.length:.2f} m, a length d fed at one end "
            f"loses i·r·d²/2 with i = {self.budget / self.length:.2f} A/m; at most "
            f"{STRIP_DROP} V is lost up to d = {self.apart:.2f} m, so power is fed in at "
            f"{self.feeds} {'place' if self.feeds == 1 else 'places'}.",
            f"Wire: 2 × {LEAD} m × {COPPER} Ω·mm²/m × {self.budget:g} A ÷ {WIRE_DROP} V = "
            f"{_area(self.budget):.2f} mm², so AWG {self.gauge} ({self.area:g} mm²).",
        )


def _area(amperes: float) -> float:
    return 2 * LEAD * COPPER * amperes / WIRE_DROP


def currents(layout: Layout, power: Power) -> Currents:
    """What the wires must carry."""
    budget = power.milliamps / 1000
    length = sum(len(run.places) * run.every for run in layout.runs) / 1000
    rail = 2 * COPPER / RAIL
    apart = sqrt(2 * STRIP_DROP / (budget / length * rail))
    gauge, area = next((w for w in WIRES if w[1] >= _area(budget)), WIRES[-1])
    return Currents(
        budget,
        length,
        next((n for n in SUPPLIES if n >= RESERVE * (budget + PI)), SUPPLIES[-1]),
        next((n for n in FUSES if n > budget), FUSES[-1]),
        ceil(length / apart),
        apart,
        gauge,
        area,
    )


def feeds(layout: Layout, power: Power) -> tuple[int, ...]:
    """The numbers of the pieces (from 1) at whose beginnings power is fed in."""
    figures = currents(layout, power)
    found, since = [1], 0.0
    for number, run in enumerate(layout.runs, 1):
        length = len(run.places) * run.every / 1000
        if number > 1 and since + length > figures.apart:
            found.append(number)
            since = 0.0
        since += length
    return tuple(found)


def parts(layout: Layout, power: Power) -> list[Part]:
    """Everything that one buys or cuts for a board."""
    figures = currents(layout, power)
    return [
        *_lights(layout),
        *_electrics(layout, figures, feeds(layout, power)),
        *_controls(layout),
        *_plates(layout),
    ]


def _lights(layout: Layout) -> list[Part]:
    found = []
    for density in sorted({run.strip for run in layout.runs if run.strip}):
        runs = [run for run in layout.runs if run.strip == density]
        pieces = Counter(len(run.places) for run in runs)
        leds = sum(len(run.places) for run in runs)
        cut = ", ".join(f"{many} × {size}" for size, many in sorted(pieces.items(), reverse=True))
        metres = leds / density
        found.append(
            Part(
                f"{metres:.2f} m",
                f"WS2812B strip, {density} LEDs a metre, 5 V, 10 mm wide, not in silicone",
                f"{leds} LEDs, cut into pieces of {cut}; buy {ceil(metres)} m",
            )
        )
    single = sum(len(run.places) for run in layout.runs if run.strip is None)
    if single:
        found.append(
            Part(
                str(single),
                "WS2812B single pixel on a round board of 10 mm",
                "joined by wire; a LED cut from the strip serves as well",
            )
        )
    return found


def _electrics(layout: Layout, figures: Currents, fed: tuple[int, ...]) -> list[Part]:
    jumpers = len(layout.runs) - 1
    way = sum(dist(one.places[-1], other.places[0]) for one, other in pairwise(layout.runs))
    wired = sum(run.every * (len(run.places) - 1) for run in layout.runs if run.strip is None)
    thin = 3 * (way + wired) * 1.5 / 1000
    return [
        Part("1", f"Power supply 5 V, {figures.supply} A", "for board and Pi together"),
        Part("1", f"Fuse {figures.fuse:g} A with holder", "in the +5 V wire of the strip"),
        Part("1", "Capacitor 1000 µF, 6.3 V or more", "across +5 V and GND at piece 1"),
        Part("1", "Level shifter 74AHCT125", "3.3 V data to 5 V; unused inputs to GND"),
        Part("1", "Resistor 330 Ω", "in the data wire, at piece 1"),
        Part(
            f"{2 * LEAD * len(fed):.1f} m",
            f"Wire AWG {figures.gauge} ({figures.area:g} mm²), red and black",
            f"feeds the beginning of {name_pieces(fed)}",
        ),
        Part(
            f"{max(1, ceil(thin))} m",
            "Wire AWG 24, three colours",
            f"{jumpers} joints of three wires between the pieces, {way / 1000:.2f} m as the crow "
            "flies",
        ),
        Part(
            "1", f"Screw terminal or connector for {figures.supply} A", "where the supply comes in"
        ),
        Part("1", "Plug and socket JST-SM, 3 pins", "between Pi and strip, so the plates part"),
    ]


def name_pieces(numbers: tuple[int, ...]) -> str:
    """`piece 1`, `pieces 1, 10 and 19`."""
    *most, last = map(str, numbers)
    return f"pieces {', '.join(most)} and {last}" if most else f"piece {last}"


def _controls(layout: Layout) -> list[Part]:
    display, keypad = layout.display, layout.keypad
    small = display.width < SMALL
    shifter = Part("1", "Level shifter BSS138, 2 channels", "between the Pi and the LCD's 5 V I2C")
    return [
        Part("1", "Raspberry Pi with header", "Zero 2 W or any later"),
        *([] if small else [shifter]),
        Part(
            "1",
            "OLED 0.96 inch SSD1306, I2C" if small else "LCD 16 × 2 HD44780 with PCF8574, I2C",
            f"window {display.width:g} × {display.height:g} mm",
        ),
        Part(
            "1",
            "Keypad 4 × 4, 16 keys (0–9 A–D * #)",
            f"window {keypad.width:g} × {keypad.height:g} mm",
        ),
        Part("1 set", "Jumper wires, socket to socket", "keypad 8, display 4, data 2"),
    ]


def _plates(layout: Layout) -> list[Part]:
    size = f"{layout.width:.1f} × {layout.height:.1f} mm"
    return [
        Part("1", f"Front plate, {size}, 3 mm plywood", f"{len(layout.lamps)} holes"),
        Part("1", f"Light guide, {size}, 6 mm black MDF", "a well for every LED"),
        Part("1", f"Carrier plate, {size}, 3 mm plywood", "the strips are glued on it"),
        Part("1", f"Diffuser film, {size}", "between front plate and light guide"),
        Part(
            str(len(layout.fixings)),
            "Screw M3 × 25 with nut" if layout.mounting_hole >= 3 else "Screw M2.5 × 25 with nut",
            "through all plates",
        ),
    ]


def markdown(layout: Layout, power: Power) -> str:
    """The list as a table, and under it the formulas."""
    lines = [
        f"# Parts: {layout.title} (`{layout.name}`)",
        "",
        "| quantity | part | note |",
        "|---|---|---|",
        *(f"| {part.quantity} | {part.part} | {part.note} |" for part in parts(layout, power)),
        "",
        "How the figures come about:",
        "",
        *(f"* {formula}" for formula in currents(layout, power).formulas),
    ]
    return "\n".join(lines) + "\n"


def table(layout: Layout, power: Power) -> str:
    """The list as CSV."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(Part._fields)
    writer.writerows(parts(layout, power))
    return stream.getvalue()
