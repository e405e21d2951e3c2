"""No texts overlap in any drawing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from boardctl.app import config
from boardctl.board import drawing as board
from boardctl.board.sheet import Sheet, Words
from boardctl.drawings import exploded, labels, parts, template, wires, wiring
from boardctl.drawings.commands.draw import wired
from boardctl.drivers.budget import Options as Power
from boardctl.text import LANGUAGES
from tests.drawings.drawn import EVERY, HARDWARE, LAYOUTS, over_one_another


def sheets(name: str) -> Iterator[Sheet]:
    """Return every drawing of a board except the circuit board's."""
    layout, power = LAYOUTS[name], Power()
    yield board.board(layout)
    yield exploded.exploded(layout)
    for plate in get_args(template.Plate):
        yield template.template(layout, plate)
    for language in LANGUAGES:
        for game in ("cribbage", "bezique"):
            yield labels.labels(layout, game, language)
    for milliamps in (power.milliamps, 11_000):
        power = Power(milliamps=milliamps)
        figures = parts.currents(layout, power)
        fed = parts.feeds(layout, power)
        yield wiring.wiring(layout, wired(config.Config(), layout), fed, figures)


@pytest.mark.slow
@EVERY
def test_no_text_lies_over_another(name: str) -> None:
    for sheet in sheets(name):
        assert over_one_another(sheet.shapes) == [], sheet.title


@pytest.mark.parametrize("file", sorted((HARDWARE / "wiring").glob("*.toml")), ids=lambda p: p.stem)
def test_the_wirings_of_the_guide(file: Path) -> None:
    settings = config.load(file)
    layout = LAYOUTS[settings.layout]
    figures, fed = parts.currents(layout, settings.power), parts.feeds(layout, settings.power)
    sheet = wiring.wiring(layout, wired(settings, layout), fed, figures)
    assert over_one_another(sheet.shapes) == []
    words = [one.text for one in sheet.shapes if isinstance(one, Words)]
    assert any(one.startswith(("Keypad", "USB number pad")) for one in words), "and keys"
    assert words.count("fuse 4 A") == 1, "one fuse is drawn once"
    assert "OLED display" in words, "every kit has it"
    header = [int(one) for one in words if one.isdigit() and int(one) > len(layout.runs)]
    if any(one.startswith("pin ") and "  " in one for one in words):
        assert set(range(len(layout.runs) + 1, 41)) <= set(header), "all 40 pins"


@EVERY
def test_every_kit_has_the_same_display(name: str) -> None:
    """It runs on the Pi's 3.3 V, in wiring, parts, plates and circuit board alike."""
    layout = LAYOUTS[name]
    listed = [part for part in parts.parts(layout, Power()) if "OLED" in part.part]
    assert len(listed) == 1
    assert not [part for part in parts.parts(layout, Power()) if part.part.startswith("LCD")]
    drawn = wires.devices(wired(config.Config(), layout))
    (display,) = [one for one in drawn if one.name.endswith("display") or "LCD" in one.name]
    assert display.name == "OLED display"
    assert display.wires[0].start == "pin 1  3.3 V"
    page = (HARDWARE / "README.md").read_text("utf-8")
    assert "OLED: 1 GND, 2 VCC (3.3 V)" in page
    assert "windows of 27 × 15 mm (OLED)" in (HARDWARE / name / "README.md").read_text("utf-8")


def test_a_display_with_swapped_pins_is_warned_of_wherever_it_is_connected() -> None:
    pages = (HARDWARE.parent / "wiring.md", HARDWARE / "README.md")
    for page in pages:
        assert re.search(r"GND and VCC (are )?swapped", page.read_text("utf-8")), page


@EVERY
def test_the_page_of_a_circuit_board_names_its_own_files(name: str) -> None:
    folder = HARDWARE / name / "board"
    page = (folder / "README.md").read_text("utf-8")
    named = re.findall(r"\]\(([\w.-]+)\)", page)
    assert len(named) > 5
    for file in named:
        assert (folder / file).exists(), file
    assert "../../README.md#a-circuit-board" in page
