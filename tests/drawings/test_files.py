"""What lies in hardware/ is what is drawn today."""

from __future__ import annotations

import re
from typing import Any

import pytest

from boardctl.app.config import Config
from boardctl.commands.draw import wired
from boardctl.drawings import folder
from tests.drawings.drawn import EVERY, HARDWARE, LAYOUTS, streams

pytestmark = pytest.mark.slow


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


def plain(value: Any) -> Any:
    """The same with unrounded figures."""
    if isinstance(value, list):
        return [plain(part) for part in value]
    return getattr(value, "expected", value)
