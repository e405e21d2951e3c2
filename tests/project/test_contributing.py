"""The recipes of CONTRIBUTING.md are followed literally."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from boardctl import drivers, text
from boardctl.app import config
from boardctl.app.simulation import Simulation, strokes
from boardctl.board import layout
from boardctl.text import LOCALE

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def recipe(heading: str) -> str:
    return PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def test_a_new_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver of the recipe drives a board: its file shows a moving peg."""
    (source,) = blocks(recipe("A new driver"), "python")
    (tmp_path / "hexfile.py").write_text(source, "utf-8")
    monkeypatch.setattr(drivers, "__path__", [*drivers.__path__, str(tmp_path)])
    frames = tmp_path / "frames.txt"
    assert "hexfile" in config.drivers()
    chosen = config.parse({"leds": {"driver": "hexfile", "path": str(frames)}})
    assert chosen.leds is not None
    strip, *_ = config.driver("hexfile").open_ports(chosen.leds.options, None)
    board = layout.load("classic-2")
    with Simulation(config.Config(), tmp_path / "data") as simulation:
        for stroke in strokes(["A 8 #"]):
            simulation.press(stroke)
        simulation.settle()
        strip.show(simulation.board.frame())
    (line,) = frames.read_text("ascii").splitlines()
    place = 3 * board.index()["track1.8"]
    assert any(bytes.fromhex(line)[place : place + 3])
    with pytest.raises(config.ConfigError, match=r"keys\.driver"):
        config.parse({"keys": {"driver": "hexfile"}})


def test_a_new_layout(tmp_path: Path) -> None:
    """The complete example of docs/layouts.md is a board that can be lit."""
    page = (ROOT / "docs" / "layouts.md").read_text("utf-8")
    example = next(block for block in blocks(page, "toml") if "[[run]]" in block)
    mine = tmp_path / "mine.toml"
    mine.write_text(example, "utf-8")
    assert layout.load(str(mine)).tracks == 2


def test_a_new_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder next to `ja` with a compiled catalogue is a language."""
    locale = tmp_path / "locale"
    shutil.copytree(LOCALE, locale)
    shutil.copytree(locale / "ja", locale / "fr")
    monkeypatch.setattr(text, "LOCALE", locale)
    assert text.languages() == ("en", "fr", "ja")
    assert text.languages()[1:] != text.LANGUAGES


def test_a_new_game_names_the_file_to_copy() -> None:
    (link,) = re.findall(r"\(([^)]+toy\.py)\)", recipe("A new game"))
    assert (ROOT / link).is_file(), "tests/laws/test_toy.py plays it"


def test_every_target_named_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", PAGE, re.MULTILINE))
    assert named <= targets, named - targets
