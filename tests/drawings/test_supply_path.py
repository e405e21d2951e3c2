"""A circuit board's path from the supply to the LEDs, and related parts: polarity, transistors, the
cables of two panels, the power button, test points, print, and rotations for the machine."""

from __future__ import annotations

import csv
import io
from functools import cache
from math import cos, dist, radians, sin

import pytest

from boardctl.drawings import parts, wires
from boardctl.drawings.pcb import folder, orders, silk, supply
from boardctl.drawings.pcb.design import FUSED, GROUND, INLET, POWER, Design, Placed
from boardctl.drawings.pcb.footprints import BULK, FET, FUSE_AMPERES, LED, TERMINAL
from boardctl.drawings.pcb.panels import panels, placed
from boardctl.drawings.pcb.router import BACK, FRONT
from boardctl.drivers import gpio_matrix
from boardctl.drivers.budget import Options as Power
from tests.drawings.drawn import EVERY, HARDWARE, LAYOUTS, overlap

SMALLEST = min(LAYOUTS, key=lambda name: LAYOUTS[name].leds)
GATE_MOST = 8.0
"""Volts between gate and source of an FDC604P (absolute maximum ratings)."""
JUNCTION_MOST = 150.0
LEAST_AT_A_LED = 4.5
"""The minimum volts: wiring.md requires them at the far end, and 5.0 at the supply."""
LOST_IN_PLANES = 0.3
"""The maximum volts; test_circuit_board checks every board for it."""


@cache
def flat(name: str) -> tuple[Design, ...]:
    """A board's parts without wires; no test changes them."""
    return placed(LAYOUTS[name])


@cache
def routed(name: str) -> tuple[Design, ...]:
    """The same with wires."""
    return panels(LAYOUTS[name])


def of(whole: tuple[Design, ...]) -> dict[str, Placed]:
    return {part.reference: part for made in whole for part in made.parts}


@pytest.mark.slow
@EVERY
def test_the_supply_passes_the_fuse_and_then_the_transistors(name: str) -> None:
    by = of(flat(name))
    assert by["J1"].nets == {"1": INLET, "2": GROUND}
    assert by["F1"].nets == {"1": INLET, "2": FUSED}
    fets = [part for part in by.values() if part.part is FET]
    assert len(fets) == 2
    for fet in fets:
        drains = {"1", "2", "5", "6"}
        assert fet.nets == dict.fromkeys(drains, FUSED) | {"3": GROUND, "4": POWER}
    others = [part for part in by.values() if part.reference not in {"J1", "F1", "Q1", "Q2"}]
    assert not {INLET, FUSED} & {net for part in others for net in part.nets.values()}


def test_the_transistors_stay_cool_and_leave_the_leds_their_volts() -> None:
    usual, fused = (supply.protection(a, 2) for a in (Power().milliamps / 1000, FUSE_AMPERES))
    assert fused.watts == pytest.approx((FUSE_AMPERES / 2) ** 2 * 0.066)
    assert 60 + fused.kelvin < JUNCTION_MOST - 25, "in a case of 60 °C"
    assert 60 + supply.protection(FUSE_AMPERES, 1).kelvin > JUNCTION_MOST, "one alone would not"
    assert 5.0 - usual.volts - LOST_IN_PLANES > LEAST_AT_A_LED
    assert GATE_MOST > 5.5, "the most that a supply of 5 V gives"


def test_the_cables_wires_carry_the_fuse_and_lose_little() -> None:
    whole = flat("classic-3")
    lead = supply.cable(whole, Power())
    by = of(whole)
    far = next(made for made in whole if "J1" not in {part.reference for part in made.parts})
    assert lead.amperes == pytest.approx(min(3.0, len(far.order) * 0.043))
    assert lead.area >= parts.rated(FUSE_AMPERES)
    assert dict(parts.WIRES)[lead.gauge] == lead.area
    ends = by["J8"], by["J9"]
    assert all(end.part is TERMINAL and end.nets == {"1": POWER, "2": GROUND} for end in ends)
    way = dist((ends[0].x, ends[0].y), (ends[1].x, ends[1].y))
    assert way + 40 < 1000 * lead.metres < way + 150
    protected = supply.protection(Power().milliamps / 1000, 2).volts
    assert 5.0 - LOST_IN_PLANES - protected - lead.volts > LEAST_AT_A_LED
    assert supply.cable(whole, Power(milliamps=20)).amperes == 0.02, "the budget is the limit"
    page = folder.page(whole, Power())
    assert f"AWG {lead.gauge} ({lead.area:g} mm²)" in page


@EVERY
def test_the_power_button_is_where_the_guide_has_it(name: str) -> None:
    by = of(flat(name))
    net = by["J2"].nets["37"]
    assert by["J7"].nets == {"1": net, "2": GROUND}
    guide = (HARDWARE.parent / "wiring.md").read_text("utf-8")
    assert f"pin {wires.HEADER[wires.POWER_BUTTON]} (GPIO{wires.POWER_BUTTON})" in guide


def test_why_there_is_no_header_for_a_speaker() -> None:
    """If the keypad ever stops using these pins, a header can be drawn."""
    keys = gpio_matrix.Options()
    clock, frame, data = 18, 19, 21  # "PCM" in the Raspberry Pi documentation, GPIO
    assert {clock, frame, data} & {*keys.rows, *keys.columns} == {frame, data}
    page = " ".join((HARDWARE / "README.md").read_text("utf-8").split())
    assert "the keypad uses GPIO19 and GPIO21" in page


@pytest.mark.long
@EVERY
def test_the_area_of_the_fused_supply_covers_the_drains_alone(name: str) -> None:
    (made,) = [made for made in routed(name) if made.areas]
    (area,) = made.areas
    assert area.net == FUSED
    for part in made.parts:
        for pad in part.part.pads:
            if not pad.drill or part.part in (TERMINAL, BULK):
                covered = inside(part.pad(pad.number), area.corners)
                is_its_own = part.nets.get(pad.number) == FUSED and part.part is FET
                assert covered == (is_its_own or (part.reference, pad.number) == ("F1", "2"))


def inside(place: tuple[float, float], corners: tuple[tuple[float, float], ...]) -> bool:
    """Return whether a place is in a polygon: a ray from it crosses the edges an odd number of
    times."""
    x, y = place
    crossed = 0
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossed += 1
    return crossed % 2 == 1


@pytest.mark.long
@EVERY
def test_every_via_joins_two_layers(name: str) -> None:
    """For the planes' nets, the plane is on the back or the front."""
    for made in routed(name):
        for via in made.vias:
            if via.net not in (GROUND, POWER):
                here = (via.x, via.y)
                joined = [t for t in made.tracks if t.net == via.net and here in (t.start, t.end)]
                assert {track.layer for track in joined} == {FRONT, BACK}, via


@EVERY
def test_test_points_are_bare_and_where_the_supply_has_come_far(name: str) -> None:
    for made in flat(name):
        points = {part.part.value: part for part in made.parts if part.part.is_bare}
        assert {POWER, GROUND} <= set(points)
        if any(part.reference == "U1" for part in made.parts):
            assert points["DATA0"].nets == {"1": "DATA0"}
        inlet = next(part for part in made.parts if part.part is TERMINAL)
        leds = [part for part in made.parts if part.part is LED]
        far = max(dist((led.x, led.y), (inlet.x, inlet.y)) for led in leds)
        for net in (POWER, GROUND):
            point = points[net]
            assert point.nets == {"1": net}
            assert dist((point.x, point.y), (inlet.x, inlet.y)) > 0.75 * far
        listed = orders.bill(made) + orders.placement(made)
        assert not [part.reference for part in points.values() if part.reference in listed]


def boxes(made: Design, layer: int) -> list[tuple[str, tuple[float, ...]]]:
    """Return every printed text with its rectangle."""
    found: list[tuple[str, tuple[float, ...]]] = []
    for one in silk.printed(made):
        if one.layer == layer:
            wide, high = len(one.words) * one.size * 0.95 / 2, one.size / 2
            turn = radians(one.turn)
            w = abs(wide * cos(turn)) + abs(high * sin(turn))
            h = abs(wide * sin(turn)) + abs(high * cos(turn))
            found.append((one.words, (one.x - w, one.y - h, one.x + w, one.y + h)))
    return found


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize("layer", [FRONT, BACK], ids=["front", "back"])
def test_nothing_printed_lies_over_another_or_over_a_pad(name: str, layer: int) -> None:
    for made in flat(name):
        texts = boxes(made, layer)
        for n, (words, box) in enumerate(texts):
            for other, its in texts[n + 1 :]:
                assert not overlap(box, its), f"{words} over {other}"
            for part in made.parts:
                for pad in part.part.pads:
                    if pad.drill or layer == FRONT:
                        x, y = part.pad(pad.number)
                        r = min(pad.width, pad.height) / 2
                        place = (x - r, y - r, x + r, y + r)
                        assert not overlap(box, place), f"{words} over {part.reference}"


@EVERY
def test_plus_and_minus_stand_beside_their_screws(name: str) -> None:
    for made in flat(name):
        signs = [one for one in silk.printed(made) if one.words in ("+", "-")]
        for part in made.parts:
            if part.part is TERMINAL:
                for sign, number, other in (("+", "1", "2"), ("-", "2", "1")):
                    here, there = part.pad(number), part.pad(other)
                    near = [
                        one
                        for one in signs
                        if dist((one.x, one.y), here) < 6
                        and dist((one.x, one.y), here) < dist((one.x, one.y), there)
                    ]
                    assert {one.layer for one in near} == {FRONT, BACK}, part.reference
                    assert {one.words for one in near} == {sign}, part.reference


def test_machines_turn_these_packages_as_the_fabricators_table_says() -> None:
    (made,) = flat(SMALLEST)
    turned = {
        row["Designator"]: float(row["Rotation"])
        for row in csv.DictReader(io.StringIO(orders.placement(made)))
    }
    for part in made.parts:
        if orders.is_assembled(part):
            more = 180 if part.reference in ("U1", "Q1", "Q2") else 0
            assert turned[part.reference] == pytest.approx((part.turn + more) % 360)
