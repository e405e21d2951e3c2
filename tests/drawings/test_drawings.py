"""The drawings: the geometry of the lights at full scale, and up to date in hardware/."""

from __future__ import annotations

import base64
import io
import re
import subprocess
import zlib
from collections.abc import Iterator
from math import dist
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from boardctl.app.config import Config, drivers
from boardctl.app.config import part as config_part
from boardctl.board import layout, plan
from boardctl.board.layout import Layout
from boardctl.cli import main
from boardctl.commands.draw import wired
from boardctl.drawings import (
    board,
    case,
    dxf,
    folder,
    labels,
    parts,
    pdf,
    strokes,
    svg,
    template,
    wiring,
)
from boardctl.drawings.sheet import BAR, Box, Circle, Line, Sheet, Words, bar
from boardctl.drivers.budget import Options as Power
from tests.parts import need

HARDWARE = Path(__file__).parents[2] / "hardware"
POINTS = 72 / 25.4
LAYOUTS = {name: layout.load(name) for name in layout.names()}
EVERY = pytest.mark.parametrize("name", LAYOUTS)


@EVERY
def test_what_lies_in_hardware_is_what_is_drawn(name: str) -> None:
    settings = Config()
    drawn = dict(folder.files(LAYOUTS[name], wired(settings, LAYOUTS[name]), settings.power))
    kept = {file.name for file in (HARDWARE / name).iterdir()}
    assert kept - {"board"} == {*drawn, "enclosure.scad"}
    for file, data in drawn.items():
        old = (HARDWARE / name / file).read_bytes()
        assert plain(comparable(file, data)) == comparable(file, old), (
            f"boardctl draw all --layout {name} --out hardware/{name}"
        )


FIGURE = re.compile(r"(-?\d+\.\d+(?:e-?\d+)?)")


def comparable(file: str, data: bytes) -> Any:
    """A drawing's text, with figures rounded to a hundredth of a millimetre, since Python versions
    round differently in the last digit; a PDF by its content, since compressors differ; a DXF
    without its writer's version."""
    if file.endswith(".pdf"):
        return [figures(content.decode("latin-1")) for content in streams(data)]
    text = data.decode("utf-8", "replace")
    if file.endswith(".dxf"):
        text = "\n".join(line for line in text.splitlines() if "ezdxf" not in line.lower())
    return figures(text)


def figures(text: str) -> list[Any]:
    """A text's words, and its figures rounded enough to be comparable."""
    parts = FIGURE.split(text)
    return [pytest.approx(float(p), abs=0.011) if n % 2 else p for n, p in enumerate(parts)]


def plain(told: Any) -> Any:
    """The same with unrounded figures."""
    if isinstance(told, list):
        return [plain(part) for part in told]
    return getattr(told, "expected", told)


def streams(data: bytes) -> Iterator[bytes]:
    """The contents of a PDF's streams."""
    for head, body in re.findall(rb"<<(.*?)>>\s*stream\r?\n(.*?)endstream", data, re.DOTALL):
        content = body.strip()
        if b"ASCII85Decode" in head:
            content = base64.a85decode(content.removesuffix(b"~>"))
        if b"FlateDecode" in head:
            content = zlib.decompress(content)
        yield content


def rules(content: bytes) -> Iterator[tuple[float, float, float, float]]:
    """The single straight lines that a content stream strokes, in its own units."""
    number = rb"(-?[\d.]+)"
    line = rb"\s".join([rb"n", number, number, rb"m", number, number, rb"l", rb"S"])
    for found in re.findall(line, content):
        x1, y1, x2, y2 = map(float, found)
        yield x1, y1, x2, y2


@pytest.mark.parametrize("paper", ["a4", "letter", "whole"])
@EVERY
def test_the_bar_is_100_mm_in_the_pdfs_own_units_on_every_page(name: str, paper: pdf.Paper) -> None:
    sheets = [template.template(LAYOUTS[name], plate) for plate in template.PLATES]
    data = pdf.write(sheets, paper)
    pages = [c for c in streams(data) if b" m " in c or b" l " in c]
    assert b"UserUnit" not in data
    bars = 0
    for content in pages:
        scales = re.findall(rb"(-?[\d.]+) 0 0 (-?[\d.]+) -?[\d.]+ -?[\d.]+ cm", content)
        assert all(float(a) == float(d) == 1 for a, d in scales), "nothing is scaled"
        found = [
            rule
            for rule in rules(content)
            if rule[1] == rule[3] and abs(abs(rule[2] - rule[0]) - BAR * POINTS) < 0.01
        ]
        bars += bool(found)
    count = int(re.findall(rb"/Count (\d+)", data)[0])
    assert bars >= count
    if paper != "whole":
        width, height = (s * POINTS for s in pdf.SIZES[paper])
        boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", data)
        assert len(boxes) == count
        for box in boxes:
            assert sorted(map(float, box)) == pytest.approx(sorted((width, height)), abs=0.01)


def circles_of_svg(data: bytes) -> dict[str, tuple[float, float, float]]:
    root = ElementTree.fromstring(data)
    return {
        e.attrib["data-name"]: (float(e.attrib["cx"]), float(e.attrib["cy"]), float(e.attrib["r"]))
        for e in root.iter("{http://www.w3.org/2000/svg}circle")
        if e.attrib.get("data-name", "mounting-hole") != "mounting-hole"
    }


@pytest.mark.parametrize("plate", ["front", "guide"])
@EVERY
def test_page_and_template_are_one_geometry(name: str, plate: template.Plate) -> None:
    picture = plan.picture(LAYOUTS[name])
    data = svg.write(template.template(LAYOUTS[name], plate))
    root = ElementTree.fromstring(data)
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert root.attrib["width"] == f"{width:g}mm"
    assert root.attrib["height"] == f"{height:g}mm"
    assert left < 0 < left + width
    assert top < 0 < top + height
    holes = circles_of_svg(data)
    assert len(holes) == len(picture["lamps"])
    for lamp in picture["lamps"]:
        x, y, radius = holes[lamp["name"]]
        assert dist((x, y), (lamp["x"], lamp["y"])) < 0.001
        assert radius >= picture["hole"] / 2


@EVERY
def test_a_template_has_one_group_a_layer(name: str) -> None:
    for plate in template.PLATES:
        root = ElementTree.fromstring(svg.write(template.template(LAYOUTS[name], plate)))
        groups = [g.attrib["id"] for g in root.iter("{http://www.w3.org/2000/svg}g")]
        wanted = ["engrave", "drill", "cut", "note"]
        assert groups == [layer for layer in wanted if layer in groups]
        assert {"drill", "cut", "note"} <= set(groups)


@EVERY
def test_the_dxf_is_sound_and_of_the_same_geometry(name: str) -> None:
    import ezdxf

    for plate in template.PLATES:
        sheet = template.template(LAYOUTS[name], plate)
        document = ezdxf.read(io.StringIO(dxf.write(sheet).decode()))
        auditor = document.audit()
        assert not auditor.errors
        assert not auditor.fixes
        assert document.units == ezdxf.units.MM
        space = document.modelspace()
        holes = {
            (round(e.dxf.center.x, 2), round(sheet.bottom - e.dxf.center.y, 2))
            for e in space.query("CIRCLE")
            if e.dxf.layer == "drill"
        }
        lamps = [(lamp.x, lamp.y) for lamp in LAYOUTS[name].lamps] if plate != "carrier" else []
        for x, y in [*lamps, *LAYOUTS[name].mounting_holes]:
            assert min(dist((x, y), hole) for hole in holes) < 0.01
        bars = [
            line
            for line in map(list, space.query("LWPOLYLINE"))
            if len(line) == 2 and abs(dist(line[0][:2], line[1][:2]) - BAR) < 1e-6
        ]
        assert len(bars) == 1
        assert {e.dxf.layer for e in space} <= {"cut", "drill", "engrave", "note"}


def box_of(words: Words) -> tuple[float, float, float, float]:
    """The approximate position of text: a letter is about 0.85 of its height wide, Japanese 1.4."""
    wide = any(ord(letter) > 0x2FFF for letter in words.text)
    width = len(words.text) * words.size * (1.4 if wide else 0.85)
    left = words.x - {"left": 0.0, "centre": 0.5, "right": 1.0}[words.align] * width
    return left, words.y - words.size / 2, left + width, words.y + words.size / 2


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def sheets(board_layout: Layout) -> Iterator[Sheet]:
    settings = Config()
    for plate in template.PLATES:
        yield template.template(board_layout, plate)
    yield wiring.wiring(
        board_layout, wired(settings, board_layout), parts.feeds(board_layout, Power())
    )
    for language in ("en", "ja"):
        yield labels.labels(board_layout, "cribbage", language)


@EVERY
def test_nothing_written_overlaps_and_all_is_on_the_paper(name: str) -> None:
    for sheet in sheets(LAYOUTS[name]):
        words = [(shape, box_of(shape)) for shape in sheet.shapes if isinstance(shape, Words)]
        for n, (one, box) in enumerate(words):
            assert one.size >= 1.0, "legible in print"
            assert sheet.left <= box[0], one
            assert sheet.right >= box[2], one
            for other, other_box in words[n + 1 :]:
                assert not overlap(box, other_box), (sheet.title, one.text, other.text)


@EVERY
def test_engraved_words_touch_no_hole_no_window_and_one_another(name: str) -> None:
    board_layout = LAYOUTS[name]
    engraved = [*plan.numbers(board_layout), *board_layout.texts]
    boxes = []
    for words in engraved:
        half = strokes.width(words.text, words.size) / 2
        boxes.append(
            (
                words.x - half,
                words.y - words.size / 2,
                words.x + half,
                words.y + words.size / 2,
            )
        )
    radius = board_layout.hole / 2
    for n, box in enumerate(boxes):
        assert box[0] > 0
        assert box[2] < board_layout.width
        for lamp in board_layout.lamps:
            hole = (lamp.x - radius, lamp.y - radius, lamp.x + radius, lamp.y + radius)
            assert not overlap(box, hole), (box, lamp.name)
        for window in (board_layout.display, board_layout.keypad):
            inside = (window.x, window.y, window.x + window.width, window.y + window.height)
            assert not overlap(box, inside), box
        for other in boxes[n + 1 :]:
            assert not overlap(box, other), (box, other)


@EVERY
def test_a_wall_stays_between_two_wells(name: str) -> None:
    board_layout = LAYOUTS[name]
    diameter = template.well(board_layout)
    places = [(lamp.x, lamp.y) for lamp in board_layout.lamps]
    for n, one in enumerate(places):
        assert all(dist(one, other) > diameter + 1 for other in places[n + 1 :])


@EVERY
def test_no_well_and_no_strip_lies_in_the_room_of_a_module(name: str) -> None:
    board_layout = LAYOUTS[name]
    windows = (board_layout.display, board_layout.keypad)
    radius = template.well(board_layout) / 2
    for lamp in board_layout.lamps:
        assert not any(w.near(lamp.x, lamp.y, case.AROUND + radius) for w in windows), lamp
    for run in board_layout.runs:
        for x, y in run.places:
            assert not board_layout.display.near(x, y, case.AROUND + template.STRIP / 2)
            assert template.STRIP / 2 <= x <= board_layout.width - template.STRIP / 2
            assert template.STRIP / 2 <= y <= board_layout.height - template.STRIP / 2


@EVERY
def test_every_text_of_a_layout_can_be_engraved(name: str) -> None:
    for words in (*LAYOUTS[name].texts, *plan.numbers(LAYOUTS[name])):
        assert strokes.known(words.text)
        lines = strokes.engrave(words.text, words.x, words.y, words.size)
        assert lines
        for x, y in (point for line in lines for point in line):
            assert abs(x - words.x) <= strokes.width(words.text, words.size) / 2 + 1e-9
            assert abs(y - words.y) <= words.size / 2 + 1e-9


def test_currents_follow_their_formulas() -> None:
    figures = parts.currents(LAYOUTS["classic-2"], Power(milliamps=3000))
    assert figures.length == pytest.approx(329 / 144, abs=0.05)
    assert figures.supply >= 1.25 * 3
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
    with pytest.raises(parts.PartsError, match=r"12001 asks for a supply of 15\.0 A"):
        parts.currents(LAYOUTS["classic-2"], Power(milliamps=12001))


def test_links_and_cuts_are_counted() -> None:
    assert parts.links(LAYOUTS["classic-3"]) == 61
    assert parts.links(LAYOUTS["classic-2"]) == 14
    assert parts.cut([41, 41, 41, 38, 10, 10], 144) == [[41, 41, 41, 10, 10], [38]]
    for board_layout in LAYOUTS.values():
        sizes = [len(run.places) for run in board_layout.runs if run.strip]
        for reel in (reels := parts.cut(sizes, 144)):
            assert sum(reel) <= 144
        assert sorted(size for reel in reels for size in reel) == sorted(sizes)


def test_a_screw_passes_the_whole_stack() -> None:
    least = case.STACK + case.INSERT
    assert least <= case.screw_length() < least + 5 < case.STACK + case.ROOM


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
    told = [
        wire
        for device in wiring.devices(wired(settings, LAYOUTS["classic-2"]))
        for wire in device.wires
    ]
    starts = [wire.start for wire in told]
    assert "pin 19  GPIO10" in starts
    rows = wired(settings, LAYOUTS["classic-2"])["keys"].options.rows
    first = starts.index(f"pin {wiring.HEADER[rows[0]]}  GPIO{rows[0]}")
    assert [f"pin {wiring.HEADER[p]}  GPIO{p}" for p in rows] == starts[first : first + 4]
    ends = {wire.end for wire in told}
    assert {"14 (VCC)", "7 (GND)", "DIN", "+5 V"} <= ends
    fed = [wire for wire in told if wire.layer is wiring.POWER and wire.start.startswith("pin")]
    assert all(wire.end == "VCC" for wire in fed), "no pin of the Pi feeds the strip, nor is fed"


def test_above_six_amperes_each_feed_has_a_fuse_of_its_own() -> None:
    board, wired_ = LAYOUTS["classic-3"], {"leds": config_part("ws2812_spi")}
    for milliamps, own in ((6000, False), (6100, True), (11_000, True)):
        power = Power(milliamps=milliamps)
        figures, fed = parts.currents(board, power), parts.feeds(board, power)
        assert len(fed) > 1
        assert bool(figures.own_fuse) == own
        sheet = wiring.wiring(board, wired_, fed, figures.own_fuse)
        words = [shape.text for shape in sheet.shapes if isinstance(shape, Words)]
        listed = [line.quantity for line in parts.parts(board, power) if "Fuse" in line.part]
        if not own:
            assert "+5 V" in words
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
        assert "each feed has its own" in " ".join(figures.formulas)


@pytest.mark.parametrize("driver", sorted(set(drivers()) - {"espeak"}))
def test_every_driver_can_be_drawn(driver: str) -> None:
    part = config_part(driver)
    own, *devices = wiring.devices({"leds": part, "keys": part})
    assert own.name == wiring.PI_SUPPLY
    assert devices
    assert len({device.name for device in devices}) == len(devices)
    sheet = wiring.wiring(LAYOUTS["travel-2"], {"leds": part})
    ends = [box_of(shape) for shape in sheet.shapes if isinstance(shape, Words)]
    assert not any(overlap(one, other) for n, one in enumerate(ends) for other in ends[n + 1 :])


@EVERY
@pytest.mark.parametrize("part", ["tray", "front", "guide"])
def test_the_enclosure_reads_its_measures_from_the_layout(
    name: str, part: str, tmp_path: Path
) -> None:
    need("openscad")
    done = subprocess.run(
        ["openscad", "-D", f'part="{part}"', "-o", tmp_path / "x.csg", "enclosure.scad"],
        cwd=HARDWARE / name,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    tree = (tmp_path / "x.csg").read_text("utf-8")
    board_layout = LAYOUTS[name]
    edge = 2 * board_layout.corner
    size = f"size = [{board_layout.width - edge:g}, {board_layout.height - edge:g}]"
    assert size in tree, "the outline is the layout's"
    holes = {"tray": 0, "front": len(board_layout.lamps), "guide": len(board_layout.lamps)}[part]
    radius = (board_layout.hole if part == "front" else template.well(board_layout)) / 2
    assert tree.count(f"r = {radius:g}") >= holes


@EVERY
def test_every_printed_piece_fits_the_bed(name: str, tmp_path: Path) -> None:
    need("openscad")
    for bed in (200, 250):
        done = subprocess.run(
            ["openscad", "-D", f"bed=[{bed},{bed}]", "-o", tmp_path / "x.csg", "enclosure.scad"],
            cwd=HARDWARE / name,
            capture_output=True,
            text=True,
            check=True,
        )
        cell = re.search(r"cell = \[([\d.]+), ([\d.]+)\]", done.stderr)
        assert cell is not None
        assert max(map(float, cell.groups())) <= bed
        assert "WARNING" not in done.stderr


def shared(name: str, tmp_path: Path, *settings: str) -> bool:
    """Whether any two parts of a case intersect, by OpenSCAD's own geometry."""
    done = subprocess.run(
        [
            "openscad",
            *(word for s in ('part="check"', "plain=true", *settings) for word in ("-D", s)),
            "-o",
            tmp_path / "x.stl",
            "enclosure.scad",
        ],
        cwd=HARDWARE / name,
        capture_output=True,
        text=True,
        check=False,
    )
    empty = "Current top level object is empty" in done.stderr
    assert empty or done.returncode == 0, done.stderr
    return not empty


@pytest.mark.long
@pytest.mark.parametrize("pi", ["zero", "full"])
@EVERY
def test_no_two_parts_of_the_case_share_room(name: str, pi: str, tmp_path: Path) -> None:
    """Tray, plates, Pi with its plug, display, keypad, screws and splices, pairwise."""
    need("openscad")
    assert not shared(name, tmp_path, f'pi="{pi}"')


@pytest.mark.long
def test_a_pi_that_is_in_the_way_is_seen(tmp_path: Path) -> None:
    need("openscad")
    assert shared("travel-2", tmp_path, 'pi="full"', "wrong=40")


@pytest.mark.long
def test_a_keypad_that_is_too_deep_is_seen(tmp_path: Path) -> None:
    need("openscad")
    assert shared("travel-2", tmp_path, "keypad_depth=12")


@EVERY
def test_a_keypad_fits_before_the_carrier_and_beside_display_and_screws(name: str) -> None:
    assert case.STACK - case.CARRIER > case.KEYPAD_DEPTH
    board, key = LAYOUTS[name], LAYOUTS[name].keypad
    room = case.opening(board)
    assert (
        room.x + room.width <= key.x
        or key.x + key.width <= room.x
        or room.y + room.height <= key.y
        or key.y + key.height <= room.y
    )
    radius = board.mounting_hole_diameter / 2
    for x, y in board.mounting_holes:
        assert not (
            key.x - radius < x < key.x + key.width + radius
            and key.y - radius < y < key.y + key.height + radius
        )


@pytest.mark.parametrize("name", ["classic-2", "travel-2"])
def test_the_displays_own_board_passes_its_opening(name: str) -> None:
    room, module = case.opening(LAYOUTS[name]), case.display(LAYOUTS[name])
    assert room.width >= module.width + 2 * case.PLAY
    assert room.height >= module.height + 2 * case.PLAY


def test_the_header_has_each_gpio_once() -> None:
    assert sorted(wiring.HEADER) == list(range(2, 28))
    assert len(set(wiring.HEADER.values())) == 26
    power = {1, 2, 4, 6, 9, 14, 17, 20, 25, 27, 28, 30, 34, 39}
    assert set(wiring.HEADER.values()) == set(range(1, 41)) - power


def test_labels_differ_by_game_and_language() -> None:
    assert "hold: muggins" in labels.label("D", "cribbage", "en").words
    assert "hold: muggins" not in labels.label("D", "klaberjass", "en").words
    assert labels.label("A", "cribbage", "en").rank == "J"
    assert labels.label("#", "cribbage", "ja").words != labels.label("#", "cribbage", "en").words


def test_the_board_is_drawn_with_its_lights() -> None:
    shapes = board.board(LAYOUTS["classic-2"]).shapes
    lit = {shape.name for shape in shapes if isinstance(shape, Circle) and shape.name}
    assert {"track1.84", "track1.76", "double-skunk", "won1.3"} <= lit


def test_the_bar_is_as_long_as_it_says() -> None:
    line = bar(5, 5)[0]
    assert isinstance(line, Line)
    assert dist(*line.points) == BAR == 100
    assert not any(isinstance(shape, Box) for shape in bar(0, 0))


@pytest.mark.parametrize(
    "arguments",
    [
        ["template", "--layout", "travel-2", "--plate", "guide", "--out", "x.svg"],
        ["template", "--layout", "travel-2", "--out", "x.dxf"],
        ["template", "--layout", "travel-2", "--out", "x.pdf", "--paper", "letter"],
        ["wiring", "--out", "x.pdf", "--paper", "whole"],
        ["labels", "--game", "cribbage", "--language", "ja", "--out", "x.pdf"],
        ["parts", "--layout", "travel-2", "--csv", "--out", "x.csv"],
        ["parts", "--layout", "classic-3", "--out", "x.md"],
        ["layout", "classic-3", "--out", "x.svg"],
        ["all", "--layout", "travel-2", "--out", "x"],
    ],
)
def test_the_command_draws(arguments: list[str], tmp_path: Path) -> None:
    arguments = [str(tmp_path / a) if a.startswith("x") else a for a in arguments]
    result = CliRunner().invoke(main, ["draw", *arguments])
    assert result.exit_code == 0, result.output
    assert list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["template", "--layout", "none", "--out", "x.svg"], "'none' does not exist"),
        (["template", "--out", "x.png"], "must be one of .svg, .dxf, .pdf"),
        (["labels", "--game", "chess", "--out", "x.svg"], "there is no game 'chess'"),
        (["wiring", "--config", "x.toml", "--out", "x.svg"], "cannot be read"),
        (["parts", "--out", "/dev/null/x.md"], "cannot be written"),
    ],
)
def test_the_command_refuses_in_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    arguments = [str(tmp_path / a) if a.startswith("x") else a for a in arguments]
    result = CliRunner().invoke(main, ["draw", *arguments])
    assert result.exit_code == 1
    assert sentence in result.output
    assert "Traceback" not in result.output
    assert not list(tmp_path.iterdir())


@EVERY
def test_a_layout_is_shown_in_a_terminal(name: str) -> None:
    result = CliRunner().invoke(main, ["draw", "layout", name])
    assert result.exit_code == 0, result.output
    board_layout = LAYOUTS[name]
    picture = [line for line in result.output.splitlines() if line.startswith("|")]
    letters = "".join(picture)
    assert letters.count("G") == board_layout.tracks
    assert letters.count("S") == 2 * board_layout.tracks
    for track in range(1, board_layout.tracks + 1):
        assert letters.count(str(track)) == 96 // board_layout.laps
    assert max(map(len, picture)) <= 125


def test_layouts_are_listed() -> None:
    result = CliRunner().invoke(main, ["draw", "layout"])
    assert result.output.split() == list(layout.names())
