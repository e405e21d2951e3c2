"""Templates: the geometry of the lights at full scale, without overlaps."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from math import dist
from xml.etree import ElementTree

import pytest

from boardctl import games, text
from boardctl.app.config import Config
from boardctl.board import drawing as board
from boardctl.board import plan, svg
from boardctl.board.layout import Layout
from boardctl.board.sheet import BAR, Box, Circle, Line, Sheet, Words, bar
from boardctl.console.keypad import ANSWERED
from boardctl.drawings import case, dxf, labels, parts, pdf, strokes, template, wiring
from boardctl.drawings.commands.draw import wired
from boardctl.drivers.budget import Options as Power
from boardctl.message import Message
from boardctl.text import LANGUAGES
from tests.drawings.drawn import EVERY, LAYOUTS, box_of, overlap, streams

POINTS = 72 / 25.4


def rules(content: bytes) -> Iterator[tuple[float, float, float, float]]:
    """Return the single straight lines that a content stream strokes, in its own units."""
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


def sheets(board_layout: Layout) -> Iterator[Sheet]:
    settings = Config()
    for plate in template.PLATES:
        yield template.template(board_layout, plate)
    fed, figures = parts.feeds(board_layout, Power()), parts.currents(board_layout, Power())
    yield wiring.wiring(board_layout, wired(settings, board_layout), fed, figures)
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
        assert strokes.has_glyphs(words.text)
        lines = strokes.engrave(words.text, words.x, words.y, words.size)
        assert lines
        for x, y in (point for line in lines for point in line):
            assert abs(x - words.x) <= strokes.width(words.text, words.size) / 2 + 1e-9
            assert abs(y - words.y) <= words.size / 2 + 1e-9


def test_the_bar_is_as_long_as_it_says() -> None:
    line = bar(5, 5)[0]
    assert isinstance(line, Line)
    assert dist(*line.points) == BAR == 100
    assert not any(isinstance(shape, Box) for shape in bar(0, 0))


@EVERY
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_below_a_keys_name_use_the_room_there_is(name: str, language: str) -> None:
    """A single line below a name is broken in two rather than drawn small."""
    board = LAYOUTS[name]
    drawn = labels.labels(board, "cribbage", language).shapes
    alone = {
        words for key in labels.HEARD for words in labels.label(key, "cribbage", language).words
    }
    full = labels.FULL * board.keypad.height / 4 / 8
    for shape in drawn:
        if isinstance(shape, Words) and shape.text in alone:
            assert shape.size == pytest.approx(full)


def test_labels_differ_by_game_and_language() -> None:
    assert "hold: muggins" in labels.label("D", "cribbage", "en").words
    assert "hold: muggins" not in labels.label("D", "klaberjass", "en").words
    assert labels.label("A", "cribbage", "en").rank == "J"
    ranks = {game: labels.label("D", game, "en").rank for game in games.names()}
    assert {game for game, rank in ranks.items() if rank} == {
        *("cribbage", "five-card-cribbage", "noddy", "costly-colours")
    }, "the games in which D says go"
    assert labels.families()[:2] == ("cribbage", "noddy")
    sheets = [labels.labels(LAYOUTS["travel-2"], game) for game in labels.families()]
    assert "keys for noddy and costly-colours (en)" in sheets[1].title
    assert "keys for other games (en)" in sheets[2].title
    assert labels.label("#", "cribbage", "ja").words != labels.label("#", "cribbage", "en").words


def test_the_board_is_drawn_with_its_lights() -> None:
    shapes = board.board(LAYOUTS["classic-2"]).shapes
    lit = {shape.name for shape in shapes if isinstance(shape, Circle) and shape.name}
    assert {"track1.84", "track1.76", "double-skunk", "won1.3"} <= lit


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_labels_say_which_held_keys_are_answered_aloud(language: str) -> None:
    held = {
        key: text.say(Message("label", f"hold-{answer}"), text.Reader(language))
        for key, answer in ANSWERED.items()
    }
    for key in "".join(labels.KEYS):
        words = labels.label(key, "cribbage", language).words
        assert [line for line in words if line in held.values()] == [
            line for other, line in held.items() if other == key
        ]
