"""The circuit boards: what lies in hardware/ is what is drawn; through KiCad without an error; and
read back from the Gerbers' copper as the layout has it."""

from __future__ import annotations

import csv
import io
import os
from itertools import pairwise
from math import cos, dist, radians, sin
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.board import layout as layouts
from boardctl.board.shape import Layout, LayoutError
from boardctl.cli import main
from boardctl.drawings import svg
from boardctl.drawings.pcb import folder, kicad, orders
from boardctl.drawings.pcb.design import Design, design
from boardctl.drawings.pcb.fabrication import fabricate
from boardctl.drawings.pcb.footprints import FUSE, TERMINAL
from boardctl.drawings.sheet import Circle, Layer, Line, Sheet, Words
from boardctl.drivers.budget import Options as Power
from tests.parts import need

HARDWARE = Path(__file__).parents[2] / "hardware"
NAMES = tuple(name for name in layouts.names() if name != "classic-3")
SMALLEST = min(NAMES, key=lambda name: layouts.load(name).leds)
EVERY = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == SMALLEST else pytest.mark.long) for name in NAMES],
)
MOST_LOST = 0.3
"""Volts between the terminal and any LED, there and back, at the whole budget."""


@pytest.fixture(scope="module")
def designs() -> dict[str, Design]:
    return {}


def made(designs: dict[str, Design], name: str) -> Design:
    if name not in designs:
        designs[name] = design(layouts.load(name))
    return designs[name]


@EVERY
def test_what_lies_in_hardware_is_what_is_drawn(designs: dict[str, Design], name: str) -> None:
    for file, data in folder.source(made(designs, name), Power()):
        assert (HARDWARE / name / "board" / file).read_bytes() == data, "make boards"


@EVERY
def test_every_led_is_in_the_middle_of_its_hole_and_every_other_part_apart(
    designs: dict[str, Design], name: str
) -> None:
    board = layouts.load(name)
    parts = {part.reference: part for part in made(designs, name).parts}
    for lamp in board.lamps:
        led = parts[f"D{lamp.index + 1}"]
        assert dist((led.x, led.y), (lamp.x, lamp.y)) < 1e-3
        assert led.lamp == lamp.name
    assert made(designs, name).order == [f"D{n}" for n in range(1, board.leds + 1)]


@EVERY
def test_the_lists_for_assembly_have_every_part_once(designs: dict[str, Design], name: str) -> None:
    design_ = made(designs, name)
    bill = list(csv.DictReader(io.StringIO(orders.bill(design_))))
    named = [reference for row in bill for reference in row["Designator"].split(",")]
    assert sorted(named) == sorted(part.reference for part in design_.parts)
    assert all(row["Part number"] and row["Manufacturer"] for row in bill)
    placed = {row["Designator"] for row in csv.DictReader(io.StringIO(orders.placement(design_)))}
    machine = {
        reference
        for row in bill
        if row["Place"].endswith("machine")
        for reference in row["Designator"].split(",")
    }
    assert placed == machine
    one, five = orders.cost(design_, 1), orders.cost(design_, 5)
    assert one.total < five.total < 5 * one.total


def test_the_pis_supply_is_never_joined_to_the_strips(designs: dict[str, Design]) -> None:
    pi = next(part for part in made(designs, SMALLEST).parts if part.reference == "J2")
    assert not {"2", "4", "17"} & set(pi.nets), "5 V stays open; 3.3 V is taken at pin 1 alone"


def test_fuse_and_terminal_carry_more_than_the_budget() -> None:
    assert float(FUSE.value.split()[0]) > Power().milliamps / 1000
    assert float(TERMINAL.value.split()[-2]) > float(FUSE.value.split()[0])


def test_a_board_that_no_common_fabricator_makes_is_refused() -> None:
    with pytest.raises(LayoutError, match="541 × 220 mm is larger than the 500 × 400 mm"):
        design(layouts.load("classic-3"))
    result = CliRunner().invoke(main, ["draw", "board", "--layout", "classic-3", "--out", "x"])
    assert result.exit_code == 1
    assert "larger than the 500" in result.output


def leads(board: Layout, index: int, across: float, along: float) -> tuple[float, float]:
    """A place beside an LED by the layout alone: along the data's way, and to its right."""
    run = next(r for r in board.runs if r.first <= index < r.first + len(r.places))
    n = index - run.first
    share = n / max(1, len(run.places) - 1)
    turn = radians(run.leaves + share * (run.arrives - run.leaves))
    x, y = run.places[n]
    return (
        x + along * cos(turn) - across * sin(turn),
        y + along * sin(turn) + across * cos(turn),
    )


@pytest.mark.long
@pytest.mark.kicad
@EVERY
def test_kicad_and_the_copper_itself(designs: dict[str, Design], name: str) -> None:
    """One after the other, since each takes the one before: the design rules, the same bytes as in
    hardware/, LEDs in the layout's order by touching copper, and the voltage that is lost."""
    need("kicad")
    for package in ("gerbonara", "shapely"):
        pytest.importorskip(package, reason=f"needs {package}; make drawings-check")
    from tests.drawings import copper

    board, design_ = layouts.load(name), made(designs, name)
    fabrication = fabricate(kicad.board(design_), kicad.project())
    assert fabrication.errors == ()
    assert fabrication.unrouted == 0
    drawn = dict(folder.source(design_, Power())) | {"gerbers.zip": fabrication.zipped()}
    for file, data in drawn.items():
        kept = HARDWARE / name / "board" / file
        if os.environ.get("BOARDCTL_DRAW"):
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(data)
        assert kept.read_bytes() == data, "make boards"
    read = copper.Copper(fabrication.zipped())
    order_of_the_layout(board, read)
    picture = supply(board, design_, read, copper)
    kept = HARDWARE / name / "board" / "copper.svg"
    if os.environ.get("BOARDCTL_DRAW"):
        kept.write_bytes(picture)
    assert kept.exists()


def order_of_the_layout(board: Layout, read: Any) -> None:
    """Pads by the package alone (DIN behind on the right of the data's way, VDD before on it)."""
    count = board.leds
    into = [read.net(leads(board, n, 1.6, -2.45)) for n in range(count)]
    out = [read.net(leads(board, n, -1.6, 2.45)) for n in range(count)]
    power = {read.net(leads(board, n, 1.6, 2.45)) for n in range(count)}
    ground = {read.net(leads(board, n, -1.6, -2.45)) for n in range(count)}
    assert len(power) == len(ground) == 1
    assert power != ground
    assert -1 not in {*into, *out, *power, *ground}
    for n, (one, other) in enumerate(pairwise(range(count))):
        assert out[one] == into[other], f"LED {n} does not lead to LED {n + 1}"
    assert len({*into, *out}) == count + 1, "no two links touch"
    assert not {*into, *out} & (power | ground)
    for lamp in board.lamps:
        near = [p for p in read.paste if dist(p, (lamp.x, lamp.y)) < 3.2]
        pads = sorted(near, key=lambda p: dist(p, (lamp.x, lamp.y)))[:4]
        middle = (sum(p[0] for p in pads) / 4, sum(p[1] for p in pads) / 4)
        assert dist(middle, (lamp.x, lamp.y)) < 0.05, lamp.name


def supply(board: Layout, design_: Design, read: Any, copper: Any) -> bytes:
    """The whole budget in the LEDs that are farthest from the terminal, each at full white."""
    power = Power()
    by = {part.reference: part for part in design_.parts}
    inlets = by["F1"].pad("2"), by["J1"].pad("2")
    each = (power.red + power.green + power.blue + power.idle) / 1000
    leds = sorted(
        (by[name] for name in design_.order),
        key=lambda led: -dist((led.x, led.y), inlets[0]),
    )[: int(power.milliamps / 1000 / each)]
    lost, density, planes = 0.0, 0.0, []
    for layer, inlet, number in ((0, inlets[0], "1"), (1, inlets[1], "3")):
        net = read.net(inlet, layer)
        loads = [(*(led.pad("1") if number == "1" else led.at(2.45, 2.9)), each) for led in leds]
        volts, worst, dense = copper.drop(
            read.polygons(layer, net), (board.width, board.height), inlet, loads
        )
        lost += worst
        density = max(density, dense)
        planes.append(volts)
    assert lost < MOST_LOST, f"{lost:.3f} V"
    return svg.write(picture(board, planes, lost, density, copper, len(leds)))


def picture(
    board: Layout, planes: list[Any], lost: float, density: float, copper: Any, many: int
) -> Sheet:
    sheet = Sheet(f"{board.title}: voltage lost", -4, -4, board.width + 4, 2 * board.height + 26)
    ink = Layer("ink", "#202020", 0.3)
    for n, (volts, name) in enumerate(zip(planes, ("+5 V, front", "GND, back"), strict=True)):
        top = n * (board.height + 10)
        for level, spans in sorted(copper.contours(volts).items()):
            shade = max(0, 235 - 12 * level)
            layer = Layer(f"{level} mV", f"#f0{shade:02x}{shade // 2:02x}", 2.0)
            for x, y, length in spans:
                sheet.add(Line(layer, ((x, top + y), (x + length, top + y))))
        sheet.add(Words(ink, 4, top + board.height + 4, 3.5, name, "left"))
    for lamp in board.lamps:
        sheet.add(Circle(ink, lamp.x, lamp.y, 1.0))
    words = (
        f"{many} LEDs at full white, those farthest from the terminal: {1000 * lost:.0f} mV lost "
        f"there and back, {density:.2f} A a millimetre at most; a shade is 1 mV"
    )
    sheet.add(Words(ink, 4, 2 * board.height + 18, 3.5, words, "left"))
    return sheet
