"""The voltage drop and the heat along the supply's path on a circuit board: in the transistors that
protect against a reversed supply, and in the cable between two panels."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, dist
from typing import Final

from boardctl.drawings import parts
from boardctl.drawings.pcb import footprints as kinds
from boardctl.drawings.pcb.design import Design
from boardctl.drivers.budget import Options as Power

SLACK: Final = 60.0
"""The millimetres that the two ends of a cable between panels need, in addition to the distance."""


@dataclass(frozen=True, slots=True)
class Protection:
    """The parallel transistors, with their total current in amperes, the voltage drop in volts, the
    power in each in watts, and its maximum temperature rise above the air in kelvin."""

    amperes: float
    volts: float
    watts: float
    kelvin: float


def protection(amperes: float, transistors: int) -> Protection:
    """Compute the protection, using the datasheet's figures for hot silicon on the smallest
    pads."""
    each, ohms = amperes / transistors, kinds.WARMED * kinds.ON_OHMS
    watts = each**2 * ohms
    return Protection(amperes, each * ohms, watts, watts * kinds.KELVIN_PER_WATT)


@dataclass(frozen=True, slots=True)
class Cable:
    """The supply's two wires between the panels: the maximum current in amperes, the wire as AWG
    and mm², its length in metres, and the total voltage drop in both wires."""

    amperes: float
    gauge: int
    area: float
    metres: float
    volts: float


def cable(whole: tuple[Design, ...], power: Power) -> Cable:
    """Return the cable between two panels. Its wires can carry the fuse's current. Continuously,
    they carry at most the current for the LEDs on the panel without a fuse, within the budget."""
    fed = next(made for made in whole if all(part.reference != "J1" for part in made.parts))
    each = power.red + power.green + power.blue + power.idle
    amperes = min(power.milliamps, len(fed.order) * each) / 1000
    found = parts.wire(parts.rated(kinds.FUSE_AMPERES))
    assert found is not None, "there is wire for every fuse of the table"
    gauge, area = found
    ends = [
        (part.x, part.y)
        for made in whole
        for part in made.parts
        if part.part is kinds.TERMINAL and part.reference != "J1"
    ]
    metres = ceil((dist(*ends) + SLACK) / 50) / 20
    return Cable(amperes, gauge, area, metres, 2 * metres * parts.COPPER * amperes / area)
