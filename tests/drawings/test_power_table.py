"""docs/notes/lights.md, "Power": the voltage at every LED, from a ladder of resistors.

Each LED draws the same share of the budget, as when everything is white. The ladder adds up the
drop of every resistance between the supply and a LED; it does not use the closed formula of the
parts list, so each checks the other.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist
from typing import Final

import pytest

from boardctl.board.shape import Layout
from boardctl.drawings import parts
from boardctl.drivers.budget import Options as Power
from tests.drawings.drawn import EVERY, HARDWARE, LAYOUTS

PAGE: Final = HARDWARE.parent / "docs/notes/lights.md"
SUPPLY: Final = 5.0
LOW_SUPPLY: Final = 4.75
"""5 V minus 5 %, as the supplies of the parts list may deliver."""
LEAST: Final = 4.5
"""The minimum volts; wiring.md requires them at the far end."""
PIS: Final = {"Zero 2 W or 3": 2.5, "4": 3.0, "5": 5.0}
"""The amperes of each Pi's supply, as in the parts list."""
UNDER_VOLTAGE: Final = 4.63
"""The volts below which a Pi warns (Raspberry Pi documentation, "Power supply warnings")."""
DETOUR: Final = 1.5
"""A wire between two pieces is longer than the straight line, as in the parts list."""
AS_LIGHT: Final = ("red", "green", "blue", "idle")


def least_voltage(layout: Layout, power: Power, fed: tuple[int, ...], supply: float) -> float:
    """Return the volts at the LED with the lowest voltage.

    Args:
        fed: the pieces at whose starts power is fed in, from 1.
        supply: the volts at the supply, after the fuse.
    """
    figures = parts.currents(layout, power)
    each = figures.budget / layout.leds
    rail = 2 * parts.COPPER / parts.RAIL
    wire = 2 * parts.COPPER / figures.area
    found = []
    for start, end in pairwise((*fed, len(layout.runs) + 1)):
        steps = []
        before = None
        for run in layout.runs[start - 1 : end - 1]:
            for number, place in enumerate(run.places):
                if number:
                    steps.append(rail * run.every / 1000)
                elif before is None:
                    steps.append(wire * parts.LEAD)
                else:
                    steps.append(wire * DETOUR * dist(before, place) / 1000)
                before = place
        volts = supply
        for at, ohms in enumerate(steps):
            volts -= ohms * each * (len(steps) - at)
        found.append(volts)
    return min(found)


def rows() -> list[str]:
    out = [
        "| board | fed at | lowest, supply 5 V | supply 4.75 V | fed at piece 1 alone | fuse | "
        "all white without a budget |",
        "|---|---|---|---|---|---|---|",
    ]
    power = Power()
    for name, layout in sorted(LAYOUTS.items()):
        fed = parts.feeds(layout, power)
        figures = parts.currents(layout, power)
        unlimited = layout.leds * sum(getattr(power, kind) for kind in AS_LIGHT) / 1000
        volts = [
            least_voltage(layout, power, fed, SUPPLY),
            least_voltage(layout, power, fed, LOW_SUPPLY),
            least_voltage(layout, power, (1,), SUPPLY),
        ]
        cells = [
            name,
            parts.name_pieces(fed),
            *(f"{one:.2f} V" for one in volts),
            f"{figures.fuse:g} A",
            f"{unlimited:.1f} A, {unlimited / figures.fuse:.1f} × the fuse",
        ]
        out.append(f"| {' | '.join(cells)} |")
    return out


def shared() -> list[str]:
    """Return the rows of each Pi that would share the strip's supply and lead."""
    out = ["| Pi | supply 5 V | supply 4.75 V |", "|---|---|---|"]
    (area,) = {parts.currents(layout, Power()).area for layout in LAYOUTS.values()}
    for name, amperes in PIS.items():
        drop = 2 * parts.COPPER / area * parts.LEAD * (Power().milliamps / 1000 + amperes)
        cells = [reaching(supply - drop) for supply in (SUPPLY, LOW_SUPPLY)]
        out.append(f"| {name}, {amperes:g} A | {' | '.join(cells)} |")
    return out


def reaching(volts: float) -> str:
    judgement = "wrong" if volts < UNDER_VOLTAGE else "marginal" if volts < LOW_SUPPLY else "right"
    return f"{judgement}, {volts:.2f} V"


TABLES: Final = {"power": rows, "shared": shared}


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_the_one_computed(name: str) -> None:
    table = "\n".join(TABLES[name]())
    page = PAGE.read_text("utf-8")
    made = re.sub(rf"<!-- {name} -->\n(\|.*\n)*", f"<!-- {name} -->\n{table}\n", page)
    assert f"<!-- {name} -->" in page
    assert page == made, f"docs/notes/lights.md should have\n{table}"


def test_the_pis_supplies_are_those_of_the_parts_list() -> None:
    listed = parts.parts(next(iter(LAYOUTS.values())), Power())
    (note,) = [part.note for part in listed if part.part == "The Pi's own USB supply"]
    assert note.endswith(", ".join(f"{amperes:g} A for a {name}" for name, amperes in PIS.items()))


def test_the_page_says_when_a_pi_reports_too_little_voltage() -> None:
    page = " ".join(PAGE.read_text("utf-8").split())
    assert f"A Pi reports under-voltage below {UNDER_VOLTAGE} V" in page


@EVERY
def test_the_far_end_keeps_what_wiring_asks_for(name: str) -> None:
    layout, power = LAYOUTS[name], Power()
    fed = parts.feeds(layout, power)
    least = least_voltage(layout, power, fed, SUPPLY)
    assert least >= LEAST
    assert least >= SUPPLY - parts.STRIP_DROP - parts.WIRE_DROP, "as the parts list promises"
    assert least_voltage(layout, power, (1,), SUPPLY) <= least


@pytest.mark.parametrize("milliamps", [1000, 2000, 6000])
@EVERY
def test_it_does_with_another_budget(name: str, milliamps: int) -> None:
    layout, power = LAYOUTS[name], Power(milliamps=milliamps)
    fed = parts.feeds(layout, power)
    assert least_voltage(layout, power, fed, SUPPLY) >= LEAST
