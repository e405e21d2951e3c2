"""Parts lists and wiring: currents, fuses, cuts, pins."""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Final

import pytest

from boardctl.app.config import Config, drivers
from boardctl.app.config import part as config_part
from boardctl.board.shape import Place
from boardctl.board.sheet import Box, Line, Words
from boardctl.drawings import parts, wires, wiring
from boardctl.drawings.commands.draw import wired
from boardctl.drivers.budget import Options as Power
from tests.drawings.drawn import EVERY, LAYOUTS, box_of, overlap

ROOT: Final = Path(__file__).parents[2]


def test_currents_follow_their_formulas() -> None:
    figures = parts.currents(LAYOUTS["classic-2"], Power(milliamps=3000))
    assert figures.length == pytest.approx(329 / 144, abs=0.05)
    assert (figures.supply, figures.fuse) == (4, 4)
    assert figures.area >= 0.75, "IEC 60335-1, table 11, behind a fuse of 4 A"
    assert figures.fuse > figures.budget
    rail = 2 * parts.COPPER / parts.RAIL
    drop = figures.budget / figures.length * rail * figures.apart**2 / 2
    assert drop == pytest.approx(parts.STRIP_DROP)
    assert 2 * parts.LEAD * parts.COPPER * 3 / figures.area <= parts.WIRE_DROP
    more = parts.currents(LAYOUTS["classic-2"], Power(milliamps=6000))
    assert more.feeds > figures.feeds
    assert more.area > figures.area
    assert more.supply > figures.supply
    with pytest.raises(parts.PartsError, match=r"11251 is too much: .*15 A\) carry 11250"):
        parts.currents(LAYOUTS["classic-2"], Power(milliamps=11251))


def test_links_and_cuts_are_counted() -> None:
    assert parts.links(LAYOUTS["classic-3"]) == 61
    assert parts.links(LAYOUTS["classic-2"]) == 14
    assert parts.cut([41, 41, 41, 38, 10, 10], 144) == [[41, 41, 41, 10, 10], [38]]
    for board_layout in LAYOUTS.values():
        sizes = [len(run.places) for run in board_layout.runs if run.strip]
        for reel in (reels := parts.cut(sizes, 144)):
            assert sum(reel) <= 144
        assert sorted(size for reel in reels for size in reel) == sorted(sizes)


@EVERY
def test_the_parts_are_those_of_the_layout(name: str) -> None:
    board_layout = LAYOUTS[name]
    listed = parts.parts(board_layout, Power())
    strip = sum(len(run.places) for run in board_layout.runs if run.strip)
    single = board_layout.leds - strip
    assert any(f"{strip} LEDs" in part.note for part in listed)
    bought = [p.quantity for p in listed if "single pixel" in p.part]
    assert bought == ([str(single + 2)] if single else [])
    assert parts.table(board_layout, Power()).count("\n") == len(listed) + 1


def test_the_wiring_names_the_configs_pins() -> None:
    settings = Config()
    found = [
        wire
        for device in wires.devices(wired(settings, LAYOUTS["classic-2"]))
        for wire in device.wires
    ]
    starts = [wire.start for wire in found]
    assert "pin 19  GPIO10" in starts
    rows = wired(settings, LAYOUTS["classic-2"])["keys"].options.rows
    first = starts.index(f"pin {wires.HEADER[rows[0]]}  GPIO{rows[0]}")
    assert [f"pin {wires.HEADER[p]}  GPIO{p}" for p in rows] == starts[first : first + 4]
    ends = {wire.end for wire in found}
    assert {"14 (VCC)", "7 (GND)", "DIN", "+5 V"} <= ends
    fed = [wire for wire in found if wire.layer is wires.POWER and wire.start.startswith("pin")]
    assert all(wire.end == "VCC" for wire in fed), "no pin of the Pi feeds the strip, nor is fed"


@EVERY
def test_the_way_of_the_data_shows_every_link_and_no_two_as_one(name: str) -> None:
    board = LAYOUTS[name]
    fed, figures = parts.feeds(board, Power()), parts.currents(board, Power())
    drawn = wiring.wiring(board, {}, fed, figures).shapes
    plate = next(shape for shape in drawn if isinstance(shape, Box) and shape.layer is wiring.PLATE)
    links = [
        [(x, y - plate.y) for x, y in shape.points]
        for shape in drawn
        if isinstance(shape, Line) and shape.layer is wires.DATA and shape.points[0][1] > plate.y
    ]
    assert len(links) == parts.links(board)
    ends = {place for run in board.runs for place in (run.places[0], run.places[-1])}
    for points in links:
        touched = {
            end for end in ends for one, other in pairwise(points) if distance(end, one, other) < 1
        }
        assert len(touched) <= 2, "a piece that is only passed is not joined"


def distance(place: Place, one: Place, other: Place) -> float:
    """Return the distance from a place to the line between two others."""
    along, across = other[0] - one[0], other[1] - one[1]
    part = ((place[0] - one[0]) * along + (place[1] - one[1]) * across) / (along**2 + across**2)
    part = min(max(part, 0), 1)
    return dist(place, (one[0] + part * along, one[1] + part * across))


def test_the_list_has_what_the_case_needs_and_prices_for_what_is_bought() -> None:
    """Its screws and gland are those of enclosure.scad, and a metre of wire costs the same for
    every board."""
    drawn = (ROOT / "hardware" / "enclosure.scad").read_text("utf-8")
    screw = re.search(r"^splice_length = (\d+);", drawn, re.MULTILINE)
    gland = re.search(r"^gland = .*cable gland (\w+) ", drawn, re.MULTILINE)
    assert screw
    assert gland
    metres = set()
    for board in LAYOUTS.values():
        listed = {part.part: part for part in parts.parts(board, Power())}
        assert f"Cable gland {gland[1]}" in listed
        assert f"Screws M3 × {screw[1]} with nuts" in listed
        assert any("M2.5" in part.part and "Pi" in part.note for part in listed.values())
        assert any("stripboard" in part.part.lower() for part in listed.values())
        thin = listed["Wire AWG 24, for data"]
        metres.add(thin.dollars / int(thin.quantity.removesuffix(" m")))
    assert len(metres) == 1


def test_the_terminals_have_a_place_for_every_wire() -> None:
    """Each rail joins the supply, the level shifter and the leads to the fed pieces. A wire from a
    terminal to the next takes a place in both."""
    for feeds in range(1, 20):
        each, odd = divmod(parts.terminals(feeds), 2)
        assert odd == 0
        places = 5 * each - 2 * (each - 1)
        assert places - 3 < feeds + 2 <= places
    for board in LAYOUTS.values():
        (line,) = [part for part in parts.parts(board, Power()) if "terminal," in part.part]
        assert line.quantity == str(parts.terminals(len(parts.feeds(board, Power()))))


def test_above_six_amperes_each_feed_has_a_fuse_of_its_own() -> None:
    board, wired_ = LAYOUTS["classic-3"], {"leds": config_part("ws2812_spi")}
    for milliamps, own in ((6000, False), (6100, True), (11_000, True)):
        power = Power(milliamps=milliamps)
        figures, fed = parts.currents(board, power), parts.feeds(board, power)
        assert len(fed) > 1
        assert bool(figures.own_fuse) == own
        sheet = wiring.wiring(board, wired_, fed, figures)
        words = [shape.text for shape in sheet.shapes if isinstance(shape, Words)]
        listed = [line.quantity for line in parts.parts(board, power) if "Fuse" in line.part]
        if not own:
            assert "+5 V" in words
            assert words.count(f"fuse {figures.fuse:g} A") == 1, "a drawing alone says which"
            assert listed == ["1"]
            continue
        assert [word for word in words if word.startswith("+5 V, piece ")] == [
            f"+5 V, piece {n}" for n in fed
        ]
        assert words.count(f"fuse {figures.own_fuse:g} A") == len(fed)
        assert listed == [str(len(fed))]
        assert figures.most < figures.own_fuse < figures.fuse
        assert figures.most * len(fed) >= 0.99 * figures.budget
        assert parts.WIRES[0][1] < figures.area
        assert any(
            figures.own_fuse <= amperes and figures.area >= area for amperes, area in parts.RATED
        )


@pytest.mark.parametrize("driver", sorted(set(drivers()) - {"espeak"}))
def test_every_driver_can_be_drawn(driver: str) -> None:
    part = config_part(driver)
    own, *devices = wires.devices({"leds": part, "keys": part})
    assert own.name == wires.PI_SUPPLY
    assert devices
    assert len({device.name for device in devices}) == len(devices)
    board, power = LAYOUTS["travel-2"], Power()
    figures, fed = parts.currents(board, power), parts.feeds(board, power)
    sheet = wiring.wiring(board, {"leds": part}, fed, figures)
    ends = [box_of(shape) for shape in sheet.shapes if isinstance(shape, Words)]
    assert not any(overlap(one, other) for n, one in enumerate(ends) for other in ends[n + 1 :])


def test_the_header_has_each_gpio_once() -> None:
    assert sorted(wires.HEADER) == list(range(2, 28))
    assert len(set(wires.HEADER.values())) == 26
    power = {1, 2, 4, 6, 9, 14, 17, 20, 25, 27, 28, 30, 34, 39}
    assert set(wires.HEADER.values()) == set(range(1, 41)) - power


def test_every_wiring_of_the_guide_has_its_parts() -> None:
    """Pi to strip is the list itself; the parts that another wiring omits are in the list by the
    same names."""
    guide = (ROOT / "wiring.md").read_text("utf-8")
    headings = re.findall(r"^## (Pi (?:to|and) .*)$", guide, re.MULTILINE)
    named = {"Pi to strip", *(one.name.partition(":")[0] for one in parts.WIRINGS)}
    assert set(headings) == named
    listed = {part.part for part in parts.parts(LAYOUTS["classic-2"], Power())}
    for one in parts.WIRINGS:
        assert set(one.without) <= listed, one.name
    page = (ROOT / "hardware" / "README.md").read_text("utf-8")
    assert f"<!-- wirings -->\n{parts.other_wirings()}\n" in page
