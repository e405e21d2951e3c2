"""The circuit boards: the files in hardware/ are up to date, pass KiCad without errors, and the
copper read back from the Gerbers matches the layout."""

from __future__ import annotations

import csv
import io
import os
import re
from dataclasses import replace
from itertools import pairwise
from math import cos, dist, hypot, radians, sin
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.board import layout as layouts
from boardctl.board import svg
from boardctl.board.shape import Layout, LayoutError
from boardctl.board.sheet import Circle, Layer, Line, Sheet, Words
from boardctl.commands import main
from boardctl.drawings import case
from boardctl.drawings.pcb import folder, kicad, orders
from boardctl.drawings.pcb import picture as pictures
from boardctl.drawings.pcb.design import GROUND, Design, outline
from boardctl.drawings.pcb.fabrication import fabricate
from boardctl.drawings.pcb.footprints import FUSE, LED, TERMINAL
from boardctl.drawings.pcb.panels import LARGEST, SEAM, panels
from boardctl.drawings.pcb.router import BACK, DRILL, FRONT
from boardctl.drivers.budget import Options as Power
from boardctl.text import sentence
from tests.drawings.drawn import box_of, over_one_another, overlap
from tests.parts import need

pytestmark = pytest.mark.slow

HARDWARE = Path(__file__).parents[2] / "hardware"
FIRMWARE = Path(__file__).parents[2] / "firmware"
GROUNDS = {3, 8, 13, 18, 23, 28, 33, 38}
GP = dict(
    zip(
        (*range(23), 26, 27, 28),
        (pin for pin in range(1, 35) if pin not in (3, 8, 13, 18, 23, 28, 30, 33)),
        strict=True,
    )
)
"""The pin of a Pico by GPIO (Raspberry Pi Pico Datasheet, figure 3)."""
NAMES = layouts.names()
SMALLEST = min(NAMES, key=lambda name: layouts.load(name).leds)
EVERY = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == SMALLEST else pytest.mark.long) for name in NAMES],
)
MOST_LOST = 0.3
"""The maximum voltage drop between the terminal and any LED, in both directions, at the full
budget."""


MOST_DENSE = 3.9
"""The amperes per millimetre of width that heat a strip of 1 mm, 35 µm thick, by 30 °C (IPC-2221:
0.048 · 30^0.44 · 54.3^0.725, with the section in square mils)."""


Designs = dict[str, tuple[Design, ...]]


@pytest.fixture(scope="module")
def designs() -> Designs:
    return {}


def made(designs: Designs, name: str) -> tuple[Design, ...]:
    if name not in designs:
        designs[name] = panels(layouts.load(name))
    return designs[name]


@EVERY
def test_what_lies_in_hardware_is_what_is_drawn(designs: Designs, name: str) -> None:
    for file, data in folder.source(made(designs, name), Power()):
        assert (HARDWARE / name / "board" / file).read_bytes() == data, "make boards"


@EVERY
def test_no_text_lies_over_another(designs: Designs, name: str) -> None:
    for panel in made(designs, name):
        for layer in (FRONT, BACK):
            sheet = pictures.side(panel, layer)
            assert over_one_another(sheet.shapes) == [], sheet.title


@EVERY
def test_no_name_lies_over_a_pad_or_across_the_edge_of_a_part(designs: Designs, name: str) -> None:
    for panel in made(designs, name):
        for layer in (FRONT, BACK):
            sheet = pictures.side(panel, layer)
            solid = [
                (shape.layer.name, box_round(shape))
                for shape in sheet.shapes
                if isinstance(shape, Line) and shape.layer.name in ("pads", "other parts")
            ]
            bodies = [box for kind, box in solid if kind != "pads"]
            for words in (shape for shape in sheet.shapes if isinstance(shape, Words)):
                here = box_of(words)
                assert sheet.left < here[0], (sheet.title, words.text)
                assert here[2] < sheet.right, (sheet.title, words.text)
                if any(within(here, body) for body in bodies):
                    continue
                for kind, box in solid:
                    hidden = kind == "pads" and any(within(box, body) for body in bodies)
                    assert hidden or not overlap(here, box), (sheet.title, words.text, kind)


def within(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Return whether a box is inside another one."""
    return other[0] <= one[0] and one[2] <= other[2] and other[1] <= one[1] and one[3] <= other[3]


def box_round(line: Line) -> tuple[float, float, float, float]:
    xs, ys = zip(*line.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


@EVERY
def test_the_picture_of_the_back_shows_each_connectors_first_pin(
    designs: Designs, name: str
) -> None:
    for panel in made(designs, name):
        words = [one for one in pictures.side(panel, BACK).shapes if isinstance(one, Words)]
        ones = [one for one in words if one.text == "1"]
        for part in panel.parts:
            if part.reference.startswith("J") and part.part is not TERMINAL:
                x, y = part.pad("1")
                near = [one for one in ones if dist((one.x, one.y), (panel.right - x, y)) < 5]
                assert near, part.reference


@EVERY
def test_every_led_is_in_the_middle_of_its_hole_and_every_other_part_apart(
    designs: Designs, name: str
) -> None:
    board = layouts.load(name)
    parts = {part.reference: part for panel in made(designs, name) for part in panel.parts}
    for lamp in board.lamps:
        led = parts[f"D{lamp.index + 1}"]
        assert dist((led.x, led.y), (lamp.x, lamp.y)) < 1e-3
        assert led.lamp == lamp.name
    order = [reference for panel in made(designs, name) for reference in panel.order]
    assert order == [f"D{n}" for n in range(1, board.leds + 1)]
    for panel in made(designs, name):
        assert panel.right - panel.left <= LARGEST[0]
        for part in panel.parts:
            left, _, right, _ = outline(part)
            assert panel.left < left
            assert right < panel.right


@EVERY
def test_the_lists_for_assembly_have_every_part_once(designs: Designs, name: str) -> None:
    for design_ in made(designs, name):
        the_lists(design_)


LCSC = {"WS2812B-V5": "C2846931", "CL10B104KB8NNNC": "C1591", "SN74AHCT1G125DBVR": "C7484"}


def the_lists(design_: Design) -> None:
    bill = list(csv.DictReader(io.StringIO(orders.bill(design_))))
    named = [reference for row in bill for reference in row["Designator"].split(",")]
    bought = [part.reference for part in design_.parts if not part.part.is_bare]
    assert sorted(named) == sorted(bought)
    assert all(row["Part number"] and row["Manufacturer"] for row in bill)
    shop = {row["Part number"]: row["LCSC part"] for row in bill if row["LCSC part"]}
    assert shop.items() <= LCSC.items()
    assert "WS2812B-V5" in shop
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


def test_the_pis_supply_is_never_joined_to_the_strips(designs: Designs) -> None:
    (whole,) = made(designs, SMALLEST)
    pi = next(part for part in whole.parts if part.reference == "J2")
    assert not {"2", "4", "17"} & set(pi.nets), "5 V stays open; 3.3 V is taken at pin 1 alone"


@EVERY
def test_what_is_on_the_front_is_below_light_guide_and_keypad(designs: Designs, name: str) -> None:
    room = case.STACK - case.CARRIER - case.KEYPAD_DEPTH
    assert room > 1.5, "for the ends of soldered pins"
    for panel in made(designs, name):
        front = {part.part for part in panel.parts if not part.part.back}
        assert len(front) >= 2
        assert max(part.height for part in front) <= min(room, case.LIGHTS)


def test_fuse_and_terminal_carry_more_than_the_budget() -> None:
    rated = float(FUSE.value.split()[0])
    assert rated > Power().milliamps / 1000
    assert 0.75 * rated >= Power().milliamps / 1000, "for hours"
    assert float(TERMINAL.value.split()[-2]) > rated


def test_a_board_that_no_common_fabricator_makes_is_cut_in_two(designs: Designs) -> None:
    board = layouts.load("classic-3")
    one, two = made(designs, "classic-3")
    assert (one.left, two.right) == (0, board.width)
    assert two.left - one.right == SEAM
    cables = [
        next(part.nets for part in panel.parts if part.reference == name)
        for panel, name in ((one, "J5"), (two, "J6"))
    ]
    assert cables[0] == cables[1], "pin to pin"
    assert [net for net in cables[0].values() if net.startswith("DATA")] == ["DATA1"]
    has = [{part.reference for part in panel.parts} for panel in (one, two)]
    assert {"J2", "J3", "J4", "U1"} <= has[0]
    assert {"J1", "F1", "Q1", "Q2"} <= has[1]
    assert not has[0] & has[1]


def test_every_number_is_beside_its_hole_in_the_picture_of_a_panel(designs: Designs) -> None:
    for panel in made(designs, "classic-3"):
        leds = [part for part in panel.parts if part.part is LED and part.lamp]
        words = [shape for shape in pictures.side(panel, FRONT).shapes if isinstance(shape, Words)]
        numbers = words[-len(leds) :]
        for led, word in zip(leds, numbers, strict=True):
            assert led.lamp is not None
            assert word.text == led.lamp.rpartition(".")[2]
            assert hypot(word.x - (led.x - panel.left), word.y - led.y) < 5, led.lamp


def test_a_board_that_cannot_be_cut_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardctl.drawings.pcb.panels.LARGEST", (300.0, 200.0))
    with pytest.raises(LayoutError) as refused:
        panels(layouts.load("classic-3"))
    assert "541 × 220 mm is larger than the 300 × 200 mm" in sentence(refused.value)
    monkeypatch.setattr("boardctl.drawings.pcb.folder.python", lambda: "a Python with KiCad")
    words = ["draw", "board", "--layout", "classic-3", "--out", "x"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1
    assert "no gap where it could be cut in two" in result.output


@EVERY
@pytest.mark.parametrize("pico", [False, True], ids=["pi", "pico"])
def test_drilled_holes_are_apart(designs: Designs, name: str, pico: bool) -> None:
    """Their edges are a quarter of a millimetre apart, even within one net."""
    whole = panels(layouts.load(name), pico=True) if pico else made(designs, name)
    for panel in whole:
        holes = [(via.x, via.y, DRILL) for via in panel.vias]
        holes += [
            (*part.at(pad.x, pad.y), pad.drill)
            for part in panel.parts
            for pad in part.part.pads
            if pad.drill
        ]
        holes.sort()
        for n, (x, y, size) in enumerate(holes):
            for other_x, other_y, other in holes[n + 1 :]:
                if other_x - x > 2:
                    break
                assert dist((x, y), (other_x, other_y)) >= (size + other) / 2 + 0.249


@EVERY
def test_no_via_drains_the_solder_of_a_pad(designs: Designs, name: str) -> None:
    for panel in made(designs, name):
        vias = sorted((via.x, via.y) for via in panel.vias)
        for part in panel.parts:
            turn = radians(part.turn)
            for x, y in vias:
                across, down = x - part.x, y - part.y
                if abs(across) > 5 or abs(down) > 5:
                    continue
                own_x = across * cos(turn) - down * sin(turn)
                own_y = across * sin(turn) + down * cos(turn)
                assert part.at(own_x, own_y) == pytest.approx((x, y), abs=1e-3)
                for pad in part.part.pads:
                    aside = max(abs(own_x - pad.x) - pad.width / 2, 0.0)
                    above = max(abs(own_y - pad.y) - pad.height / 2, 0.0)
                    assert pad.drill or hypot(aside, above) > DRILL / 2 + 0.1, part.reference


def test_each_panel_is_screwed_down_at_both_ends(designs: Designs) -> None:
    for panel in made(designs, "classic-3"):
        here = [(x, y) for x, y in panel.layout.mounting_holes if panel.left < x < panel.right]
        assert len(here) == 4
        for end in (panel.left, panel.right):
            near = [y for x, y in here if 5 < abs(x - end) < 12]
            assert len(near) == 2
            assert max(near) - min(near) > 0.9 * panel.layout.height


def test_panels_without_screws_at_their_seam_are_told(designs: Designs) -> None:
    whole = made(designs, "classic-3")
    assert "two of them beside the seam" in folder.page(whole, Power())
    holes = tuple(hole for hole in whole[0].layout.mounting_holes if hole[0] != 102.3)
    bare = tuple(
        replace(panel, layout=replace(panel.layout, mounting_holes=holes)) for panel in whole
    )
    assert "two mounting holes on each side of x = 112.3 mm" in folder.page(bare, Power())


def leads(board: Layout, index: int, across: float, along: float) -> tuple[float, float]:
    """Return a position next to an LED from the layout alone: along the data direction, and to its
    right."""
    run = next(r for r in board.runs if r.first <= index < r.first + len(r.places))
    n = index - run.first
    share = n / max(1, len(run.places) - 1)
    turn = radians(run.leaves + share * (run.arrives - run.leaves))
    x, y = run.places[n]
    return (
        x + along * cos(turn) - across * sin(turn),
        y + along * sin(turn) + across * cos(turn),
    )


@EVERY
def test_a_socket_for_a_pico_in_place_of_the_pis_header(name: str) -> None:
    """Its pins are those of the firmware, and it is powered only by its own USB."""
    whole = panels(layouts.load(name), pico=True)
    parts = {part.reference: part for panel in whole for part in panel.parts}
    assert "J4" not in parts, "the display is the Pi's"
    pico = parts["J2"]
    assert len(pico.part.pads) == 40
    chip = (FIRMWARE / "chip_rp2040.c").read_text("utf-8")
    first = {
        kind: int(gpio)
        for kind, gpio in re.findall(r"^#define (ROW|COLUMN|STRIP) (\d+)$", chip, re.M)
    }
    pins = {f"ROW{n + 1}": GP[first["ROW"] + n] for n in range(4)}
    pins |= {f"COLUMN{n + 1}": GP[first["COLUMN"] + n] for n in range(4)}
    pins["SPI"] = GP[first["STRIP"]]
    joined = {net: int(pin) for pin, net in pico.nets.items() if net != GROUND}
    assert joined == pins
    assert {int(pin) for pin, net in pico.nets.items() if net == GROUND} <= GROUNDS
    one, twenty, forty = (pico.part.pads[n] for n in (0, 19, 20))
    pads = {pad.number: pad for pad in pico.part.pads}
    assert (one.number, twenty.number, forty.number) == ("1", "20", "40")
    assert (one.x, one.y) == (-pads["40"].x, pads["40"].y)
    assert one.x - pads["40"].x == pytest.approx(17.78)
    assert pads["21"].y == pads["20"].y > one.y
    page = dict(folder.source(whole, Power()))["README.md"].decode("utf-8")
    assert "usb:2e8a:000a" in page
    assert "40-way ribbon" not in page


@pytest.mark.long
@pytest.mark.kicad
@EVERY
def test_kicad_and_the_copper_of_a_board_for_a_pico(name: str) -> None:
    """It is drawn on demand and not stored in hardware/."""
    copper = copper_reader()
    board, whole = layouts.load(name), panels(layouts.load(name), pico=True)
    plots = [plotted(panel) for panel in whole]
    copies = [copper.Copper(plot) for plot in plots]
    order_of_the_layout(board, Joined(whole, copies))
    supply(board, whole, copies, copper)


@pytest.mark.long
@pytest.mark.kicad
@EVERY
def test_kicad_and_the_copper_itself(designs: Designs, name: str) -> None:
    """Check in sequence, because each step uses the previous one: the design rules, the same bytes
    as in hardware/, the LEDs' order by touching copper, and the voltage drop."""
    copper = copper_reader()
    board, whole = layouts.load(name), made(designs, name)
    drawn = dict(folder.source(whole, Power()))
    plots = []
    for design_ in whole:
        plots.append(plotted(design_))
        drawn[f"gerbers{folder.suffix(design_)}.zip"] = plots[-1]
    for file, data in drawn.items():
        kept = HARDWARE / name / "board" / file
        if os.environ.get("BOARDCTL_DRAW"):
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(data)
        assert kept.read_bytes() == data, "make boards"
    copies = [copper.Copper(plot) for plot in plots]
    order_of_the_layout(board, Joined(whole, copies))
    picture = supply(board, whole, copies, copper)
    kept = HARDWARE / name / "board" / "copper.svg"
    if os.environ.get("BOARDCTL_DRAW"):
        kept.write_bytes(picture)
    assert kept.exists()


def copper_reader() -> Any:
    """A reader of Gerbers; skips the test if it or KiCad is missing."""
    need("kicad")
    for package in ("gerbonara", "shapely"):
        pytest.importorskip(package, reason=f"needs {package}; make drawings-check")
    from tests.drawings import copper

    return copper


def plotted(panel: Design) -> bytes:
    """Return a panel's zipped Gerbers, in which KiCad has found no fault."""
    fabrication = fabricate(kicad.board(panel), kicad.project())
    assert fabrication.errors == ()
    assert fabrication.unrouted == 0
    assert not [found for found in fabrication.warnings if found.startswith(("[silk", "[via"))]
    return fabrication.zipped()


class Joined:
    """The copper of one panel or two, and the cable between them."""

    def __init__(self, whole: tuple[Design, ...], copies: list[Any]) -> None:
        self._whole = list(zip(whole, copies, strict=True))
        self.paste = [place for copy in copies for place in copy.paste]
        self._same: dict[tuple[int, int], tuple[int, int]] = {}
        for names in (("J5", "J6"), ("J8", "J9")) if len(whole) == 2 else ():
            cables = [
                next(p for p in panel.parts if p.reference == name)
                for panel, name in zip(whole, names, strict=True)
            ]
            for number in cables[0].nets:
                here, there = (
                    (n, copies[n].net(cable.pad(number), 1)) for n, cable in enumerate(cables)
                )
                assert self._same.setdefault(there, here) == here, f"pin {number}"

    def net(self, place: tuple[float, float]) -> int | tuple[int, int]:
        """Return the net of a position; -1 for bare board."""
        for n, (panel, copy) in enumerate(self._whole):
            if panel.left < place[0] < panel.right:
                found = copy.net(place)
                return -1 if found == -1 else self._same.get((n, found), (n, found))
        return -1


def order_of_the_layout(board: Layout, read: Any) -> None:
    """Check that the copper joins the LEDs in the layout's order.

    The pads are located only by the LED's package. Seen in the direction of the data, DIN is behind
    on the right, DOUT ahead on the left, VDD ahead on the right, and GND behind on the left.
    """
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


def supply(board: Layout, whole: tuple[Design, ...], copies: list[Any], copper: Any) -> bytes:
    """Return a drawing of the voltage drops. The whole power budget is used by the LEDs farthest
    from the terminal, each at full white."""
    fed = next(n for n, d in enumerate(whole) if any(p.reference == "J1" for p in d.parts))
    design_, read, power = whole[fed], copies[fed], Power()
    by = {part.reference: part for part in design_.parts}
    # a transistor's source, as if it were the only one
    inlets = by["Q1"].pad("4"), by["J1"].pad("2")
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
    assert density < MOST_DENSE, f"{density:.2f} A a millimetre"
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
    sheet.add(Words(ink, 4, 2 * board.height + 21, 3.5, words, "left"))
    return sheet
