"""The parts list of a board, with the formula of every computed figure.

The strips, pixels, plates and windows are derived from the layout. The supply, the fuse, the wire
and the power injection points are derived from the current budget in the `[power]` section of the
configuration.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, dist, sqrt
from typing import Final, NamedTuple

from boardctl.board import plan
from boardctl.board.shape import Layout
from boardctl.drawings import case
from boardctl.drivers import budget as limits
from boardctl.drivers.budget import Options as Power
from boardctl.text import SpokenError

RATED: Final = ((3, 0.5), (6, 0.75), (10, 1.0), (16, 1.5))
"""The minimum wire cross-section in mm² by the current of the fuse in amperes (IEC 60335-1, table
11, for flexible cords)."""
ONE_FUSE: Final = 6.0
"""The maximum current in amperes for a single fuse at the supply. Above this current each feed has
a separate fuse, so no wire needs the cross-section for the whole current."""
COPPER: Final = 0.0172
"""The resistivity of copper at 20 °C, in Ω·mm²/m."""
RAIL: Final = 0.035 * 4.0
"""The cross-section in mm² of one power rail of a strip: 35 µm copper, about 4 mm wide. This figure
is not measured. A strip with 70 µm copper has twice this cross-section."""
STRIP_DROP: Final = 0.3
"""The maximum voltage drop along the strip: colours are correct down to about 4.5 V …"""
WIRE_DROP: Final = 0.15
"""… and along the supply wires."""
LEAD: Final = 0.5
"""The length in metres of the wire from the supply to the strip, one way."""
WIRES: Final = ((24, 0.205), (22, 0.326), (20, 0.518), (18, 0.823), (16, 1.31), (14, 2.08))
"""AWG -> mm² (ASTM B258)."""


ZERO: Final = (
    "http://itnews.com.ua/news/94034-raspberry-pi-predstavila-kroshechnyj-kompyuter-zero-2-w-s-4-"
    "yadernym-chipom-za-15, 29 October 2021"
)
"""The page where the price of a Zero 2 W is published."""
BLADE: Final = "mini blade fuse, in-line holder with leads"
SHIFTER: Final = "Level shifter 74AHCT125"
BYPASS: Final = "Capacitor 100 nF"
STRIPBOARD: Final = "Piece of stripboard"
PLUG: Final = "Plug and socket JST-SM, 2 pins"
KEYPAD: Final = "Keypad 4 × 4, 16 keys (0–9 A–D * #)"
JUMPERS: Final = "Jumper wires, socket to socket"


class PartsError(SpokenError):
    """The error for a power budget for which no parts list is possible."""


class Part(NamedTuple):
    """A line in the list. `dollars` is the total price, and `source` says where the price is
    published."""

    quantity: str
    part: str
    note: str
    dollars: float
    source: str = "estimate"


class Wiring(NamedTuple):
    """A wiring other than that in the list, with the parts to omit and to add."""

    name: str
    without: tuple[str, ...]
    more: tuple[Part, ...]


OTG: Final = Part(
    "1", "USB OTG adapter, micro-USB to USB-A", "only for a Zero, whose USB socket is small", 2
)
WIRINGS: Final = (
    Wiring(
        "Pi and microcontroller: Arduino",
        (SHIFTER, BYPASS, STRIPBOARD, PLUG),
        (Part("1", "Arduino Nano or Uno, with its USB cable", "ATmega328P, 16 MHz, 5 V", 8), OTG),
    ),
    Wiring(
        "Pi and microcontroller: Pico",
        (PLUG,),
        (Part("1", "Raspberry Pi Pico with header, and a USB cable", "any kind", 8), OTG),
    ),
    Wiring(
        "Pi and WLED",
        (SHIFTER, BYPASS, STRIPBOARD, PLUG, KEYPAD, JUMPERS),
        (
            Part("1", "WLED controller for WS2812B, 5 V", "with its own level shifter", 18),
            Part("1", "USB number pad", "20 keys or more", 10),
            Part("1 set", "Jumper wires, socket to socket", "display 4", 1),
            OTG,
        ),
    ),
)
"""The alternative wirings of wiring.md, with their parts by the names in the list."""


@dataclass(frozen=True, slots=True)
class Currents:
    """The electrical figures for a board, in amperes, metres, volts and ohms. `most` is the current
    in the most heavily loaded feed. `own_fuse` is the rating of each feed's own fuse, or 0 if one
    fuse at the supply protects all feeds."""

    budget: float
    length: float
    supply: float
    fuse: float
    feeds: int
    apart: float
    gauge: int
    area: float
    most: float
    own_fuse: float


def _area(amperes: float) -> float:
    return 2 * LEAD * COPPER * amperes / WIRE_DROP


def rated(fuse: float) -> float:
    """Return the smallest cross-section (in mm²) allowed for a wire behind a fuse with this rating
    (in amperes)."""
    return next(area for amperes, area in RATED if fuse <= amperes)


def wire(area: float) -> tuple[int, float] | None:
    """Return the thinnest wire of at least this cross-section, as AWG and mm², or None if no wire
    is thick enough."""
    return next((w for w in WIRES if w[1] >= area), None)


def currents(layout: Layout, power: Power) -> Currents:
    """Compute the electrical figures. Raises PartsError for a budget that exceeds the tables."""
    budget = power.milliamps / 1000
    length = sum(len(run.places) * run.every for run in layout.runs) / 1000
    rail = 2 * COPPER / RAIL
    apart = sqrt(2 * STRIP_DROP / (budget / length * rail))
    supply, fuse = limits.supply(budget), limits.fuse(budget)
    if supply is None or fuse is None:
        largest = min(limits.SUPPLIES[-1], limits.FUSES[-1])
        most = limits.from_supply(round(1000 * largest))
        fields = {"value": power.milliamps, "amperes": f"{largest:g}", "most": most}
        raise PartsError("budget-too-large", "power.milliamps", **fields)
    shares = _shares(layout, apart)
    heaviest = max(shares.values()) / length * budget
    own = (limits.fuse(heaviest) or fuse) if budget > ONE_FUSE and len(shares) > 1 else 0
    needed = max(_area(heaviest if own else budget), rated(own or fuse))
    lead = wire(needed)
    if lead is None:
        raise PartsError(
            "wire-too-thick", "power.milliamps", value=power.milliamps, area=f"{needed:.1f}"
        )
    gauge, area = lead
    return Currents(
        budget,
        length,
        supply,
        fuse,
        ceil(length / apart),
        apart,
        gauge,
        area,
        heaviest,
        own,
    )


def feeds(layout: Layout, power: Power) -> tuple[int, ...]:
    """Return the numbers (from 1) of the pieces at whose start power is fed in."""
    return tuple(_shares(layout, currents(layout, power).apart))


def _shares(layout: Layout, apart: float) -> dict[int, float]:
    """Return the pieces at whose start power is fed in, and the metres of strip that each feed
    supplies."""
    shares, at = {1: 0.0}, 1
    for number, run in enumerate(layout.runs, 1):
        length = len(run.places) * run.every / 1000
        if number > 1 and shares[at] + length > apart:
            at = number
            shares[at] = 0.0
        shares[at] += length
    return shares


def parts(layout: Layout, power: Power) -> list[Part]:
    """Return the parts to buy or cut for a board."""
    figures = currents(layout, power)
    return [
        *_lights(layout),
        *_electrics(layout, figures, feeds(layout, power)),
        *_controls(layout),
        *_plates(layout),
    ]


def cut(sizes: Iterable[int], reel: int) -> list[list[int]]:
    """Cut pieces with these numbers of LEDs from reels of `reel` LEDs. The longest are cut first,
    each from the first reel on which enough is left."""
    reels: list[list[int]] = []
    for size in sorted(sizes, reverse=True):
        for one in reels:
            if sum(one) + size <= reel:
                one.append(size)
                break
        else:
            reels.append([size])
    return reels


def _lights(layout: Layout) -> list[Part]:
    found = []
    for density in sorted({run.strip for run in layout.runs if run.strip}):
        sizes = [len(run.places) for run in layout.runs if run.strip == density]
        metres = ceil(max(sizes) / density)
        reels = cut(sizes, metres * density)
        spare = len(reels) * metres * density - sum(sizes)
        if spare < SPARE * sum(sizes):
            reels.append([])
            spare += metres * density
        pieces = sorted(Counter(sizes).items(), reverse=True)
        lengths = ", ".join(f"{many} × {size}" for size, many in pieces)
        plan = "; ".join(" + ".join(map(str, reel)) or "spare" for reel in reels)
        found.append(
            Part(
                f"{len(reels)} × {metres} m",
                f"WS2812B strip, {density} LEDs a metre, 5 V, 10 mm wide, not in silicone",
                f"{sum(sizes)} LEDs in pieces of {lengths}; cut {plan}; {spare} LEDs are spare",
                len(reels) * metres * density * 0.08,
            )
        )
    single = sum(len(run.places) for run in layout.runs if run.strip is None)
    if single:
        found.append(
            Part(
                str(single + 2),
                "WS2812B single pixel on a round board of 10 mm",
                "two spare",
                0.3 * (single + 2),
            )
        )
    return found


SPARE: Final = 0.05
"""The fraction of a strip's LEDs to keep as spares, because one LED is always cut in two."""


def links(layout: Layout) -> int:
    """Return the number of three-wire links between pieces or single pixels."""
    pixels = sum(len(run.places) - 1 for run in layout.runs if run.strip is None)
    return len(layout.runs) - 1 + pixels


TERMINAL: Final = 5
"""The wires that a lever terminal joins. A wire from one terminal to the next takes a place in
both."""


def joints(layout: Layout, power: Power) -> int:
    """Return the number of wire ends to solder to strips and pixels."""
    return 6 * links(layout) + 2 * len(feeds(layout, power)) + 1


def terminals(feeds: int) -> int:
    """Return the number of terminals that connect the supply, the level shifter and the leads to
    this many fed pieces. Half of them are for +5 V and half for GND."""
    return 2 * ceil(feeds / (TERMINAL - 2))


def _electrics(layout: Layout, figures: Currents, fed: tuple[int, ...]) -> list[Part]:
    way = sum(dist(one.places[-1], other.places[0]) for one, other in pairwise(layout.runs))
    wired = sum(run.every * (len(run.places) - 1) for run in layout.runs if run.strip is None)
    thin = (way + wired) * 1.5 / 1000
    thick = 2 * thin + 2 * LEAD * len(fed)
    metres = ceil(thin + LEAD)
    wire = f"AWG {figures.gauge} ({figures.area:g} mm²)"
    return [
        Part(
            "1",
            f"Power supply 5 V, {figures.supply:g} A",
            "for the strip alone",
            8 + 1.5 * figures.supply,
        ),
        Part(
            "1",
            "Adapter from a barrel plug, 5.5 × 2.1 mm, to screw terminals",
            "if the supply has such a plug; for its full current; outside the tray",
            1,
        ),
        Part("1", f"Fuse {figures.fuse:g} A with holder", f"{BLADE}; in the +5 V wire", 3)
        if not figures.own_fuse
        else Part(
            str(len(fed)),
            f"Fuse {figures.own_fuse:g} A with holder",
            f"{BLADE}; in the +5 V wires, one for each feed: {name_pieces(fed)}",
            3 * len(fed),
        ),
        Part(
            "1",
            "Capacitor 1000 µF, 6.3 V or more",
            "electrolytic, with two wires; at piece 1",
            0.5,
        ),
        Part(
            "1",
            SHIFTER,
            "DIP-14",
            0.7,
        ),
        Part("1", BYPASS, "ceramic, with two wires; at the level shifter", 0.1),
        Part("1", STRIPBOARD, "for the level shifter", 1),
        Part("1", "Resistor 330 Ω", "0.25 W, with two wires; in the data wire", 0.1),
        Part(
            f"{max(1, ceil(thick))} m",
            f"Wire {wire}, red and black",
            f"feeds {name_pieces(fed)}, {2 * LEAD:g} m each, and joins the pieces",
            0.8 * max(1, ceil(thick)),
        ),
        Part(
            f"{metres} m",
            "Wire AWG 24, for data",
            f"{links(layout)} links of three wires",
            0.5 * metres,
        ),
        Part(
            str(terminals(len(fed))),
            f"Lever terminal, 5 wires, {figures.fuse:g} A or more",
            "half for +5 V, half for GND: joins supply, level shifter and the leads to "
            f"{name_pieces(fed)}",
            0.6 * terminals(len(fed)),
        ),
        Part(
            "1",
            PLUG,
            "between Pi and level shifter, for data and ground; never +5 V: it carries only 3 A",
            0.5,
        ),
    ]


def name_pieces(numbers: tuple[int, ...]) -> str:
    """Return a list of pieces in words: `piece 1`, `pieces 1, 10 and 19`."""
    *most, last = map(str, numbers)
    return f"pieces {', '.join(most)} and {last}" if most else f"piece {last}"


def _controls(layout: Layout) -> list[Part]:
    """Return the Pi and its parts. The source for its power supply is the Raspberry Pi
    documentation, "Power supply"."""
    keypad = layout.keypad
    option = (
        ""
        if case.display(layout) is case.OLED
        else "; or an LCD 16 × 2 with PCF8574 and a level shifter BSS138"
    )
    return [
        Part("1", "Raspberry Pi", "Zero 2 W or any later", 15, ZERO),
        Part("1", "Header of 2 × 20 pins", "if the Pi has none", 3),
        Part("1", "microSD card, 2 GB or more", "for the card image", 6),
        Part(
            "1",
            "The Pi's own USB supply",
            "5.1 V: 2.5 A for a Zero 2 W or 3, 3 A for a 4, 5 A for a 5",
            10,
        ),
        Part(
            "1",
            "OLED 0.96 inch SSD1306, I2C, 3.3 V",
            f"window {plan.GLASS[0]:g} × {plan.GLASS[1]:g} mm{option}",
            5,
        ),
        Part(
            "1",
            KEYPAD,
            f"window {keypad.width:g} × {keypad.height:g} mm, at most {case.KEYPAD_DEPTH:g} deep",
            4,
        ),
        Part("1 set", JUMPERS, "keypad 8, display 4, data and ground 2", 2),
    ]


TRAY: Final = 2.0
"""The cost of a tray's filament in dollars per square decimetre of board."""


def _plates(layout: Layout) -> list[Part]:
    size = f"{layout.width:.1f} × {layout.height:.1f} mm"
    area = layout.width * layout.height / 1e4
    screw = "M3" if layout.mounting_hole_diameter >= 3 else "M2.5"
    return [
        Part("1", f"Front plate, {size}, 3 mm plywood", f"{len(layout.lamps)} holes", 2 * area),
        Part("1", f"Light guide, {size}, 6 mm black MDF", "a well for every LED", 2 * area),
        Part("1", f"Carrier plate, {size}, 3 mm plywood", "the strips are glued on it", area),
        Part("1", f"Diffuser film, {size}", "between front plate and light guide", 2),
        Part(
            "1",
            f"Tray, {size}, {case.ROOM + case.FLOOR:g} mm high",
            "printed from enclosure.scad, or of wood",
            TRAY * area,
        ),
        Part(
            str(len(layout.mounting_holes)),
            f"Screw {screw} × {case.screw_length()}, countersunk; brass insert {case.INSERT:g} mm",
            f"through {case.STACK:g} mm of plates and LEDs into the tray's posts",
            0.2 * len(layout.mounting_holes),
        ),
        Part("4", f"Screw {case.PI_SCREW}, self-tapping", "the Pi on the tray's posts", 0.4),
        Part(
            "1 set",
            f"Screws {case.SPLICE_SCREW} with nuts",
            "two for each splice of a tray that is printed in pieces",
            2,
        ),
        Part(
            "1",
            f"Cable gland {case.GLAND}",
            "in the tray's rear wall, for the strip's supply",
            0.5,
        ),
    ]


JOINT: Final = 1.5
PIECE: Final = 3.0
FIXED: Final = 480.0
CUTTING: Final = 120.0
ESTIMATED: Final = "November 2026"
"""Minutes for a soldered end; for cutting, cleaning and gluing a piece; for plates, wiring and
first test; and for the latter with an ordered circuit board. Estimates: nobody has built one
yet."""


def hours(layout: Layout, power: Power) -> float:
    """Return the estimated number of hours needed to build a board from strips."""
    pieces = sum(1 if run.strip else len(run.places) for run in layout.runs)
    return (JOINT * joints(layout, power) + PIECE * pieces + FIXED) / 60


def markdown(layout: Layout, power: Power) -> str:
    """Return the list as a Markdown table with the total. Raises PartsError."""
    listed = parts(layout, power)
    rows = [f"| {part.quantity} | {part.part} | {part.note} |" for part in listed]
    lines = [
        f"# Parts: {layout.title} (`{layout.name}`)",
        "",
        "| quantity | part | note |",
        "|---|---|---|",
        *rows,
        "",
        cost(layout, power),
    ]
    return "\n".join(lines) + "\n"


def cost(layout: Layout, power: Power) -> str:
    """Return a sentence with the sum of the prices and the hours of work. Raises PartsError."""
    total = sum(part.dollars for part in parts(layout, power))
    return (
        f"They cost about {total:.0f} US dollars (estimated in {ESTIMATED}). Building takes about "
        f"{hours(layout, power):.0f} hours, with {joints(layout, power)} wire ends to solder."
    )


def other_wirings() -> str:
    """Return the table in `hardware/README.md` that lists the changes to the parts list for other
    wirings."""
    rows = ["| wiring | leave out | take in addition |", "|---|---|---|"]
    for wiring in WIRINGS:
        more = "; ".join(
            f"{part.part} ({part.note}, ~{part.dollars:.0f} dollars)" for part in wiring.more
        )
        rows.append(f"| {wiring.name} | {'; '.join(wiring.without)} | {more} |")
    return "\n".join(rows) + "\n"


def table(layout: Layout, power: Power) -> str:
    """Return the list as CSV."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(Part._fields)
    writer.writerows(
        part._replace(dollars=f"{part.dollars:.2f}")  # type: ignore[arg-type]
        for part in parts(layout, power)
    )
    return stream.getvalue()
