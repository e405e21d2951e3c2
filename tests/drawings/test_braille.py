"""Labels in braille: the right dots, at full scale, on the key; caps that OpenSCAD can print."""

from __future__ import annotations

import re
import subprocess
import unicodedata
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from boardctl.board import layout
from boardctl.board.sheet import Circle
from boardctl.drawings import braille
from boardctl.drivers.ports import KEYS
from tests.drawings.drawn import LAYOUTS
from tests.parts import need


def test_every_key_has_its_own_cells_and_their_unicode_names_say_the_dots() -> None:
    assert set(braille.CELLS) == set(KEYS)
    assert len(set(braille.CELLS.values())) == len(KEYS)
    for cell in "".join(braille.CELLS.values()):
        numbers = unicodedata.name(cell).rpartition("-")[2]
        places = {
            (column * braille.APART, row * braille.APART)
            for column, row in (divmod(int(n) - 1, 3) for n in numbers)
        }
        assert set(braille.dots(cell)) == places, cell


def test_letters_and_digits_are_those_of_english_braille() -> None:
    assert [braille.CELLS[key] for key in "A1D4*#"] == ["⠁", "⠼⠁", "⠙", "⠼⠙", "⠐⠔", "⠸⠹"]


@pytest.mark.parametrize("name", LAYOUTS)
def test_dots_stand_on_their_label_and_apart(name: str) -> None:
    board = layout.load(name)
    sheet = braille.labels(board)
    circles = [shape for shape in sheet.shapes if isinstance(shape, Circle)]
    assert len(circles) == sum(
        len(braille.dots(cell)) for cells in braille.CELLS.values() for cell in cells
    )
    assert {circle.diameter for circle in circles} == {braille.DOT}
    width, height = board.keypad.width / 4, board.keypad.height / 4
    for circle in circles:
        for at, size in ((circle.x, width), (circle.y, height)):
            assert braille.DOT / 2 < at % size < size - braille.DOT / 2
    near = min(dist((a.x, a.y), (b.x, b.y)) for a, b in combinations(circles, 2))
    assert near == pytest.approx(braille.APART)


def test_openscad_reads_the_caps(tmp_path: Path) -> None:
    need("openscad")
    source = tmp_path / "caps.scad"
    source.write_bytes(braille.caps(layout.load("classic-2")))
    dots = len(re.findall(rf" dot\({braille.DOT}, ", source.read_text("utf-8")))
    assert dots == sum(len(braille.dots(c)) for cells in braille.CELLS.values() for c in cells)
    target = tmp_path / "caps.csg"
    subprocess.run(("openscad", "-o", target, source), check=True, capture_output=True)
    assert "sphere" in target.read_text("utf-8")
