"""The library's documented examples run, its names are the promised ones, its import is cheap."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import boardctl

PAGE = Path(__file__).parents[1] / "docs" / "library.md"
PROMISED = {
    *("Award", "Card", "HandScore", "IllegalMove", "Move", "Record", "Report", "Throw"),
    *("advise", "export", "game_names", "legal_moves", "parse_card", "parse_cards"),
    *("parse_move", "random_move", "replay", "score", "spell_move"),
}


def test_the_examples_run() -> None:
    failed, run = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert run > 20


def test_the_names_are_those_promised() -> None:
    assert set(boardctl.PUBLIC) == PROMISED
    listed = PAGE.read_text("utf-8").split("## Names")[1].split("These stay")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == PROMISED
    for name in PROMISED:
        assert getattr(boardctl, name) is not None
    assert set(dir(boardctl)) >= PROMISED


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        boardctl.scores  # noqa: B018


def test_importing_the_package_imports_nothing_of_it() -> None:
    code = "import boardctl, sys; print([m for m in sys.modules if m.startswith('boardctl.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("hand", "starter", "said"),
    [
        ("5H 5S 5X", "JD", "expected cards such as 5H or TD, got '5H 5S 5X'"),
        ("5H 5S 5C", "", "expected cards such as 5H"),
        ("5H 5S", "JD", "expected 4 or 3 cards, got 2"),
        ("5H 5S 5C JD", "5H", "expected different cards"),
        ("5H 5S 5C J", "5D", "rank and suit"),
    ],
)
def test_a_hand_that_is_none_is_a_value_error(hand: str, starter: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        boardctl.score(hand, starter)
