"""The microcontrollers in the picture: pins in their places, and the right ones named."""

from __future__ import annotations

import re
import tomllib

import pytest

from boardctl.app import config
from boardctl.board.sheet import Circle, Words
from boardctl.drawings.breakouts import NANO, PICO, Breakout, breakouts
from boardctl.drawings.commands.draw import wired
from boardctl.drawings.wires import Device, devices
from tests.drawings.drawn import HARDWARE, LAYOUTS, over_one_another
from tests.drawings.test_circuit_board import GP

WIDTH = 320.0


def joined(more: str = "") -> list[Device]:
    """Return the devices of the wiring, with more lines in its `[leds]`."""
    written = (HARDWARE / "wiring/pi-microcontroller.toml").read_text("utf-8")
    written = written.replace("[leds]\n", f"[leds]\n{more}\n")
    return devices(wired(config.parse(tomllib.loads(written)), LAYOUTS["classic-2"]))


def beside(board: Breakout, shapes: list[object]) -> dict[str, str]:
    """Return the use beside each pin of a board in the drawing, by the pin's name."""
    left = board is NANO
    words = [s for s in shapes if isinstance(s, Words) and (s.x < WIDTH / 2) == left]
    found: dict[str, str] = {}
    for use in (one for one in words if one.size == 1.9):
        (name,) = [
            one.text
            for one in words
            if one.size == 1.7 and one.y == use.y and abs(one.x - use.x) < 8
        ]
        assert name not in found
        found[name] = use.text
    return found


def test_each_pin_in_use_says_where_its_wire_leads() -> None:
    shapes = breakouts(joined(), WIDTH, 0)
    keypad = {f"A{n - 1}": f"keypad, row {n}" for n in range(1, 5)}
    keypad |= {f"D{n + 3}": f"keypad, column {n}" for n in range(1, 5)}
    others = {"D8": "330 Ω, then DIN", "GND": "GND of the supply"}
    left_open = dict.fromkeys(("5V", "VIN"), "leave open")
    assert beside(NANO, [*shapes]) == keypad | others | left_open
    page = (HARDWARE.parent / "wiring.md").read_text("utf-8")
    for name, use in beside(PICO, [*shapes]).items():
        what, number = re.findall(r"^(.*) \(pin (\d+)\)$", use)[0]
        if name.startswith("GP"):
            assert GP[int(name[2:])] == int(number), name
        if what != "leave open" and name != "GND":
            assert name in page
    assert beside(PICO, [*shapes])["GND"] == "GND of the supply (pin 28)"
    assert "GND (pin 28, or any other)" in page
    assert over_one_another(shapes) == []


def test_all_pins_are_drawn_in_the_boards_order() -> None:
    """The pins of a Pico are those of its datasheet, as in the circuit board."""
    for board, count in ((NANO, 30), (PICO, 40)):
        assert len(board.left) == len(board.right) == count / 2
    numbered = [*PICO.left, *reversed(PICO.right)]
    for gpio, number in GP.items():
        assert numbered[number - 1] == f"GP{gpio}"
    pins = [s for s in breakouts(joined(), WIDTH, 0) if isinstance(s, Circle)]
    assert len(pins) == 70


def test_single_buttons_are_named() -> None:
    shapes = breakouts(joined('buttons = ["*", "#"]'), WIDTH, 0)
    buttons = [("D2", "D3"), ("GP10", "GP11")]
    for board, (first, second) in zip((NANO, PICO), buttons, strict=True):
        uses = beside(board, [*shapes])
        assert uses[first].startswith("button, key *")
        assert uses[second].startswith("button, key #")
    assert over_one_another(shapes) == []


@pytest.mark.parametrize("name", ["pi-strip", "pi-wled"])
def test_nothing_is_drawn_without_a_microcontroller(name: str) -> None:
    settings = config.load(HARDWARE / "wiring" / f"{name}.toml")
    assert breakouts(devices(wired(settings, LAYOUTS["classic-2"])), WIDTH, 0) == []
