"""Labels of a USB number pad: each key once, where the pad has it, and braille that fits."""

from __future__ import annotations

from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.board.sheet import Circle, Words
from boardctl.drawings import braille, numpad
from boardctl.drawings.commands.draw import command
from boardctl.drivers.usb_numpad import CODES
from boardctl.text import LANGUAGES


def test_each_key_has_its_label_where_the_pad_has_the_key() -> None:
    at = {slot.key: (round(slot.y / numpad.PITCH), round(slot.x / numpad.PITCH))
          for slot in numpad.SLOTS}  # fmt: skip
    assert set(at) == set(CODES.values())
    assert (at["7"], at["9"], at["1"], at["0"]) == ((1, 0), (1, 2), (3, 0), (4, 0))
    signs = {98: "A", 55: "B", 74: "C", 78: "D", 96: "#", 83: "*"}
    assert {code: CODES[code] for code in signs} == signs, "/ * - + Enter ."
    assert [at[key] for key in "ABCD#*"] == [(0, 1), (0, 2), (0, 3), (1, 3), (3, 3), (4, 2)]


def test_no_two_labels_overlap() -> None:
    for one, other in combinations(numpad.SLOTS, 2):
        apart = (
            one.x + one.width <= other.x or other.x + other.width <= one.x
            or one.y + one.height <= other.y or other.y + other.height <= one.y
        )  # fmt: skip
        assert apart, (one.key, other.key)


def test_the_dots_are_on_their_label_in_true_scale() -> None:
    shapes = numpad.labels("cribbage", "en", felt=True).shapes
    for slot in numpad.SLOTS:
        dots = [one for one in shapes if isinstance(one, Circle) and one.name == slot.key]
        assert len(dots) == sum(len(braille.dots(cell)) for cell in braille.CELLS[slot.key])
        for one in dots:
            assert slot.x + 0.7 < one.x < slot.x + slot.width - 0.7
            assert slot.y + 0.7 < one.y < slot.y + slot.height - 0.7
        near = [dist((a.x, a.y), (b.x, b.y)) for a, b in combinations(dots, 2)]
        assert min(near, default=braille.APART) > braille.APART - 1e-6


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_print_names_each_key(language: str) -> None:
    shapes = numpad.labels("cribbage", language).shapes
    names = {one.text for one in shapes if isinstance(one, Words) and one.bold}
    assert names == {slot.key for slot in numpad.SLOTS}


@pytest.mark.parametrize("more", [[], ["--braille"]])
def test_the_command_draws_them(tmp_path: Path, more: list[str]) -> None:
    out = tmp_path / "pad.svg"
    result = CliRunner().invoke(command, ["labels", "--pad", *more, "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "Number pad" in out.read_text("utf-8")
