"""The files for an order, except the Gerbers: bill of materials, placement list and cost
estimate."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from boardctl.drawings.pcb.design import Design, Placed

SETUP: Final = 8.0 + 1.5
JOINT: Final = 0.0017
"""US dollars for the setup with its stencil, and for a joint. Source: JLCPCB,
https://support.jlcpcb.com/article/83-smt-assembly-faqs, read in November 2026."""
KIND: Final = 3.0
SQUARE_CENTIMETRE: Final = 0.08
SHIPPING: Final = 35.0
ESTIMATED: Final = "November 2026"
PRICE: Final = ("US dollars each", "Price from")
"""Estimates in US dollars: for each kind of part that must be loaded, for a square centimetre of
two-layer board in orders of five, and for the parcel."""


TURNED: Final = {"SOT-23": 180.0}
"""Degrees by which JLCPCB's library rotates a package against KiCad's, by the start of its name.
Source: https://github.com/matthewlai/JLCKicadTools, cpl_rotations_db.csv, read in November 2026.
The file has no line for the LED or for two-terminal chips."""


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost estimate in US dollars for a number of boards."""

    boards: int
    copper: float
    parts: float
    assembly: float

    def __add__(self, other: Cost) -> Cost:
        """Return the sum of two orders: the copper, parts and assembly of both, with one
        shipment."""
        return Cost(
            self.boards,
            self.copper + other.copper,
            self.parts + other.parts,
            self.assembly + other.assembly,
        )

    @property
    def total(self) -> float:
        return self.copper + self.parts + self.assembly + SHIPPING


def is_assembled(part: Placed) -> bool:
    """Return whether the fabricator's machine places this part. Parts on the back are soldered by
    hand."""
    return not part.part.back


def _number(part: Placed) -> tuple[str, int]:
    letters = part.reference.rstrip("0123456789")
    return letters, int(part.reference.removeprefix(letters))


def bill(made: Design) -> str:
    """Return the bill of materials as CSV, with one line for each kind of part."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(
        (
            "Comment",
            "Designator",
            "Footprint",
            "Manufacturer",
            "Part number",
            "LCSC part",
            "Quantity",
            "Place",
            *PRICE,
        )
    )

    def kind(part: Placed) -> str:
        return f"{not is_assembled(part)}{part.part.name}{part.part.value}"

    bought = [part for part in made.parts if not part.part.is_bare]
    for _, same in groupby(sorted(bought, key=lambda p: (kind(p), _number(p))), key=kind):
        parts = list(same)
        part = parts[0].part
        lines.writerow(
            (
                part.value,
                ",".join(p.reference for p in parts),
                part.name,
                part.maker,
                part.number,
                part.lcsc,
                len(parts),
                "front, by machine" if is_assembled(parts[0]) else "back, by hand",
                f"{part.dollars:.2f}",
                part.source,
            )
        )
    return out.getvalue()


def placement(made: Design) -> str:
    """Return the placement list (CPL) as CSV: positions in millimetres as in the Gerber files, so y
    is negative, and rotations in JLCPCB's convention."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(("Designator", "Mid X", "Mid Y", "Layer", "Rotation"))
    for part in sorted(made.parts, key=_number):
        if is_assembled(part):
            more = next((by for name, by in TURNED.items() if part.part.name.startswith(name)), 0.0)
            turn = (part.turn + more) % 360
            lines.writerow(
                (part.reference, f"{part.x:.3f}mm", f"{-part.y:.3f}mm", "Top", f"{turn:g}")
            )
    return out.getvalue()


def cost(made: Design, boards: int) -> Cost:
    """Return the estimated cost of assembled boards. Fabricators make at least five boards."""
    placed = [part for part in made.parts if is_assembled(part)]
    joints = sum(len(part.part.pads) for part in placed)
    kinds = len({part.part.name for part in placed})
    area = max(5, boards) * (made.right - made.left) * made.layout.height / 100
    return Cost(
        boards,
        area * SQUARE_CENTIMETRE,
        boards * sum(part.part.dollars for part in made.parts),
        SETUP + kinds * KIND + boards * joints * JOINT,
    )
