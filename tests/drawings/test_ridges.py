"""Tactile ridges: across the right tracks between the right holes, without covering anything."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from itertools import combinations
from math import dist, hypot
from pathlib import Path
from xml.etree import ElementTree

import pytest

from boardctl.board import plan, svg
from boardctl.board.layout import Layout, LayoutError
from boardctl.board.sheet import CUT, NOTE, Circle, Line
from boardctl.drawings import ridges, strokes, template
from boardctl.text import sentence
from tests.drawings.drawn import EVERY, LAYOUTS, overlap
from tests.parts import need

SVG = "{http://www.w3.org/2000/svg}"


def around(board: Layout, track: int, hole: int) -> tuple[tuple[float, float], ...]:
    """Return the places of a hole and of the one before it, by the names of their lamps."""
    places = {lamp.name: (lamp.x, lamp.y) for lamp in board.lamps}
    circuit = 120 // board.laps
    before = f"track{track}.{hole - 1 if (hole - 1) % circuit else 'start2'}"
    return places[before], places[f"track{track}.{(hole - 1) % circuit + 1}"]


def box(corners: tuple[tuple[float, float], ...]) -> tuple[float, float, float, float]:
    across, down = zip(*corners, strict=True)
    return min(across), min(down), max(across), max(down)


@EVERY
def test_each_track_has_one_two_three_ridges_after_its_streets(name: str) -> None:
    board = LAYOUTS[name]
    strips = ridges.strips(board)
    ends = [31, 61, 91] if board.laps == 1 else [31, 61]
    wanted = [(hole, track) for hole in ends for track in range(1, board.tracks + 1)]
    assert len(strips) == len(wanted)
    for strip, (hole, track) in zip(strips, wanted, strict=True):
        before, after = around(board, track, hole)
        assert strip.ridges == len(list(strip.raised)) == hole // 30
        straight = dist(before, (strip.x, strip.y)) == pytest.approx(
            dist(after, (strip.x, strip.y))
        )
        assert straight, "in the middle, also of a bend"
        run, rise = after[0] - before[0], after[1] - before[1]
        length = hypot(run, rise)
        assert strip.forward == pytest.approx((run / length, rise / length), abs=0.01)


@EVERY
def test_skunk_lines_are_the_engraved_ones(name: str) -> None:
    board = LAYOUTS[name]
    middles = [(strip.x, strip.y) for strip in ridges.strips(board)]
    for mark in plan.marks(board):
        middle = ((mark.start[0] + mark.end[0]) / 2, (mark.start[1] + mark.end[1]) / 2)
        assert min(dist(middle, other) for other in middles) < 0.001, mark


@EVERY
def test_a_strip_covers_no_hole_window_number_or_other_strip(name: str) -> None:
    board = LAYOUTS[name]
    strips = ridges.strips(board)
    boxes = [box(strip.corners) for strip in strips]
    for strip, around_it in zip(strips, boxes, strict=True):
        assert 0 < around_it[0] < around_it[2] < board.width
        assert 0 < around_it[1] < around_it[3] < board.height
        for ridge in map(box, strip.raised):
            assert all(
                inner - outer >= ridges.RIM - 1e-9
                for inner, outer in zip(ridge[:2], around_it[:2], strict=True)
            )
        for window in (plan.window(board), board.display, board.keypad):
            place = (window.x, window.y, window.x + window.width, window.y + window.height)
            assert not overlap(around_it, place)
        for x, y in board.mounting_holes:
            half = board.mounting_hole_diameter / 2
            assert not overlap(around_it, (x - half, y - half, x + half, y + half))
        for lamp in board.lamps:
            near = hypot(
                max(around_it[0] - lamp.x, 0, lamp.x - around_it[2]),
                max(around_it[1] - lamp.y, 0, lamp.y - around_it[3]),
            )
            assert near >= board.hole / 2 + ridges.CLEAR - 1e-6, (strip.name, lamp.name)
        for words in (*plan.numbers(board), *board.texts):
            half = strokes.width(words.text, words.size) / 2
            place = (
                words.x - half, words.y - words.size / 2, words.x + half, words.y + words.size / 2,
            )  # fmt: skip
            assert not overlap(around_it, place), (strip.name, words.text)
    for one, other in combinations(boxes, 2):
        assert not overlap(one, other)


def test_ridges_can_be_told_apart() -> None:
    assert ridges.WIDE >= 1
    assert ridges.APART - ridges.WIDE >= 1, "a gap that a finger feels"
    (strip, *_) = (one for one in ridges.strips(LAYOUTS["classic-2"]) if one.ridges == 3)
    first, second, third = (box(ridge) for ridge in strip.raised)
    assert not overlap(first, second)
    assert dist(first[:2], second[:2]) == pytest.approx(ridges.APART)
    assert dist(first[:2], third[:2]) == pytest.approx(2 * ridges.APART)


@EVERY
def test_the_sheet_is_in_true_scale_over_the_front_plates_holes(name: str) -> None:
    board = LAYOUTS[name]
    sheet = ridges.sheet(board)
    root = ElementTree.fromstring(svg.write(sheet))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert (root.attrib["width"], root.attrib["height"]) == (f"{width:g}mm", f"{height:g}mm")
    holes = {(one.x, one.y, one.diameter) for one in sheet.shapes if isinstance(one, Circle)}
    plate = template.template(board).shapes
    names = {lamp.name for lamp in board.lamps}
    drilled = (one for one in plate if isinstance(one, Circle) and one.name in names)
    assert holes == {(one.x, one.y, one.diameter) for one in drilled}
    strips = ridges.strips(board)
    lines = [one for one in sheet.shapes if isinstance(one, Line) and one.closed]
    assert [one.points for one in lines if one.layer is CUT] == [one.corners for one in strips]
    raised = [one.points for one in lines if one.layer is ridges.RAISED]
    assert raised == [ridge for one in strips for ridge in one.raised]
    assert {one.layer.name for one in sheet.shapes} == {"raised", "cut", NOTE.name}


def test_a_layout_without_room_is_refused_in_a_sentence() -> None:
    board = replace(LAYOUTS["classic-2"], hole=9.0)
    with pytest.raises(LayoutError) as refused:
        ridges.strips(board)
    said = sentence(refused.value)
    assert re.search(r"no room for a ridge at the end of street \d: .* mm", said)


def test_openscad_reads_the_strips(tmp_path: Path) -> None:
    need("openscad")
    board = LAYOUTS["classic-3"]
    source = tmp_path / "ridges.scad"
    source.write_bytes(ridges.printed(board))
    target = tmp_path / "ridges.csg"
    subprocess.run(("openscad", "-o", target, source), check=True, capture_output=True)
    cubes = re.findall(r"cube\(size = \[([\d.]+), ([\d.]+), ([\d.]+)\]", target.read_text("utf-8"))
    sizes = [tuple(map(float, cube)) for cube in cubes]
    strips = ridges.strips(board)
    assert sizes.count((ridges.WIDE, ridges.LONG, ridges.HIGH)) == sum(s.ridges for s in strips)
    plates = [size for size in sizes if size[2] == ridges.THICK]
    assert [size[0] for size in plates] == pytest.approx([strip.width for strip in strips])
