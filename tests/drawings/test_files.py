"""The files in hardware/ equal today's drawings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.app.config import Config
from boardctl.commands import main
from boardctl.drawings import folder
from boardctl.drawings.commands.draw import wired
from tests.drawings.drawn import EVERY, HARDWARE, LAYOUTS, streams

pytestmark = pytest.mark.slow


@EVERY
def test_what_lies_in_hardware_is_what_is_drawn(name: str) -> None:
    settings = Config()
    drawn = dict(folder.files(LAYOUTS[name], wired(settings, LAYOUTS[name]), settings.power))
    kept = {file.name for file in (HARDWARE / name).iterdir()}
    assert kept - {"board"} == set(drawn)
    for file, data in drawn.items():
        old = (HARDWARE / name / file).read_bytes()
        assert plain(comparable(file, data)) == comparable(file, old), (
            f"boardctl draw all --layout {name} --out hardware/{name}"
        )


FIGURE = re.compile(r"(-?\d+\.\d+(?:e-?\d+)?)")


def comparable(file: str, data: bytes) -> Any:
    """Return a drawing's comparable text. Figures are rounded to a hundredth of a millimetre,
    because Python versions round the last digit differently. A PDF is compared by its content,
    because compressors differ, and a DXF without its writer's version."""
    if file.endswith(".pdf"):
        return [figures(content.decode("latin-1")) for content in streams(data)]
    text = data.decode("utf-8", "replace")
    if file.endswith(".dxf"):
        text = "\n".join(line for line in text.splitlines() if "ezdxf" not in line.lower())
    return figures(text)


def figures(text: str) -> list[Any]:
    """Return a text's words, and its figures rounded for comparison."""
    parts = FIGURE.split(text)
    return [pytest.approx(float(p), abs=0.011) if n % 2 else p for n, p in enumerate(parts)]


def plain(value: Any) -> Any:
    """The same with unrounded figures."""
    if isinstance(value, list):
        return [plain(part) for part in value]
    return getattr(value, "expected", value)


def test_a_board_of_ones_own_has_all_that_its_page_names(tmp_path: Path) -> None:
    """The board is drawn into `hardware/`, as docs/layouts.md describes."""
    shown = (HARDWARE.parent / "docs" / "layouts.md").read_text("utf-8")
    example = re.search(r"```toml\n(.*?)```", shown, re.S)
    assert example is not None
    (tmp_path / "mine.toml").write_text(example[1], "utf-8")
    hardware = tmp_path / "hardware"
    hardware.mkdir()
    for name in ("README.md", "enclosure.scad"):
        (hardware / name).write_bytes((HARDWARE / name).read_bytes())
    words = [
        "draw",
        "all",
        "--layout",
        str(tmp_path / "mine.toml"),
        "--out",
        str(hardware / "mine"),
    ]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    page = (hardware / "mine" / "README.md").read_text("utf-8")
    command = "boardctl draw all --layout mine.toml --out hardware/mine"
    assert f"`{command}` generates" in page, "as typed"
    for link in re.findall(r"\]\(([^)]+)\)", page):
        assert (hardware / "mine" / link).is_file(), link
    tray = (hardware / "mine" / "enclosure.scad").read_text("utf-8")
    for included in re.findall(r"include <(.+)>", tray):
        assert (hardware / "mine" / included).is_file()
