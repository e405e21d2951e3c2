"""The layout in the documentation loads, and the tables match the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from boardctl.board import layout
from boardctl.board.shape import APART, GAMES_WON, STRIPS, WALL

DOCS = Path(__file__).parents[2] / "docs"
LAYOUTS = (DOCS / "layouts.md").read_text("utf-8")


def test_the_example_is_a_board() -> None:
    example = re.findall(r"```toml\n(title.*?)```", LAYOUTS, re.DOTALL)
    assert len(example) == 1
    board = layout.parse("plain-2", tomllib.loads(example[0]))
    assert board.tracks == 2


def test_the_pitches_are_those_that_are_checked() -> None:
    (row,) = re.findall(r"\| `every` \|(.*)\|", LAYOUTS)
    pitches = [float(cell) for cell in row.split("|")]
    assert pitches == pytest.approx([1000 / n for n in STRIPS], abs=0.001)
    assert f"at least {WALL:g} mm of wood" in LAYOUTS
    assert f"least {APART:g} mm apart" in LAYOUTS
    assert GAMES_WON == 7
    assert "at least seven" in LAYOUTS


def test_every_layout_that_ships_is_told() -> None:
    for name in layout.names():
        assert f"| `{name}` |" in LAYOUTS
