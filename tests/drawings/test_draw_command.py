"""`boardctl draw` draws and shows layouts, and refuses invalid input in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.board import layout
from boardctl.commands import main
from tests.drawings.drawn import EVERY, LAYOUTS


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["template", "--layout", "travel-2", "--plate", "guide", "--out", "x.svg"],
        ["template", "--layout", "travel-2", "--out", "x.dxf"],
        ["template", "--layout", "travel-2", "--out", "x.pdf", "--paper", "letter"],
        ["wiring", "--out", "x.pdf", "--paper", "whole"],
        ["labels", "--game", "cribbage", "--language", "ja", "--out", "x.pdf"],
        ["labels", "--braille", "--layout", "travel-2", "--out", "x.svg"],
        ["labels", "--braille", "--out", "x.scad"],
        ["ridges", "--layout", "travel-2", "--out", "x.pdf"],
        ["ridges", "--out", "x.scad"],
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
        (
            ["template", "--layout", "none", "--out", "x.svg"],
            "layout none: there is no such layout",
        ),
        (["template", "--out", "x.png"], "must be one of .svg, .dxf, .pdf"),
        (["ridges", "--out", "x.png"], "must be one of .svg, .dxf, .pdf"),
        (["labels", "--game", "chess", "--out", "x.svg"], "there is no game “chess”"),
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
def test_a_layout_is_shown_in_a_terminal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # in a narrow terminal, holes share letters
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
