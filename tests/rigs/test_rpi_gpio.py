"""Rig 2: the keypad drivers on gpiozero's RPi.GPIO factory, over the extended fake-rpi.

Only the virtual wires between the driver and RPi.GPIO are ours.
"""

from __future__ import annotations

from collections.abc import Iterator

import fake_rpi
import pytest
from gpiozero import GPIOZeroError
from gpiozero.pins.local import LocalPiFactory

from boardctl.drivers import gpio_buttons, gpio_matrix
from boardctl.drivers.ports import KEYS, KeyEvent, PortError
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.drivers.virtual.pins import KeyMatrix
from boardctl.drivers.wires import CopperWires
from tests.rigs.rpi_gpio import GrownGPIO, install

ADDED = sorted(
    name
    for name in vars(GrownGPIO)
    if callable(getattr(fake_rpi.RPi._GPIO, name, None)) and not name.startswith("_")
)


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[GrownGPIO]:
    pins = dict(LocalPiFactory.pins)
    LocalPiFactory.pins.clear()
    yield install(monkeypatch)
    LocalPiFactory.pins.clear()
    LocalPiFactory.pins.update(pins)


def tell(events: list[KeyEvent]) -> str:
    return " ".join(("+" if e.pressed else "-") + e.key for e in events)


def press_each_key(gpio: GrownGPIO) -> None:
    """Press every key of the keypad, with bounces, and two at a time."""
    clock = VirtualClock(10.0)
    wires = CopperWires(clock)
    options = gpio_matrix.Options(pins="rpigpio")
    (keys,) = gpio_matrix.open_ports(options, wires)
    pad = KeyMatrix(gpio, options.rows, options.columns)
    events: list[KeyEvent] = []
    keys.start(events.append)
    clock.run(0.1)
    for key in KEYS:
        for act in (pad.press, pad.release):
            for _ in range(4):
                pad.press(key)
                clock.run(0.0005)
                pad.release(key)
                clock.run(0.0005)
            act(key)
            clock.run(0.05)
    assert tell(events) == " ".join(f"+{key} -{key}" for key in KEYS)
    events.clear()
    for act in (pad.press, pad.release):
        for key in "28":
            act(key)
            clock.run(0.05)
    assert tell(events) == "+2 +8 -2 -8"
    events.clear()
    pad.press("0")
    clock.run(20)
    pad.press("A")
    clock.run(0.1)
    pad.release("A")
    clock.run(0.1)
    pad.release("0")
    clock.run(1)
    assert tell(events) == "+0 +A -A -0", "beside a key held for ever"
    assert pad.shorts == 0
    assert clock.idle
    keys.close()
    wires.close()
    assert all(line.function == "input" for line in gpio.lines)


def test_the_whole_keypad_on_rpi_gpio(gpio: GrownGPIO) -> None:
    press_each_key(gpio)


def press_each_button(gpio: GrownGPIO) -> None:
    """Press every single button once, and expect its events."""
    clock = VirtualClock(10.0)
    wires = CopperWires(clock)
    (keys,) = gpio_buttons.open_ports(gpio_buttons.Options(pins="rpigpio"), wires)
    events: list[KeyEvent] = []
    keys.start(events.append)
    for number in gpio_buttons.USUAL.values():
        gpio.lines[number].drive_low()
        clock.run(0.05)
        gpio.lines[number].drive_high()
        clock.run(0.05)
    assert tell(events) == " ".join(f"+{key} -{key}" for key in gpio_buttons.USUAL)
    assert clock.idle
    keys.close()
    wires.close()
    assert all(line.edges is None and not line.callbacks for line in gpio.lines)


def test_single_buttons_on_rpi_gpio(gpio: GrownGPIO) -> None:
    press_each_button(gpio)


@pytest.mark.parametrize("name", ADDED)
def test_fake_rpi_cannot_do_without_this_function(
    gpio: GrownGPIO, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any one of the added functions, fake-rpi's own would be called."""
    monkeypatch.delattr(GrownGPIO, name)
    with pytest.raises((AssertionError, AttributeError, TypeError, GPIOZeroError)):
        press_each_button(gpio)
        press_each_key(gpio)


def test_the_factory_that_the_config_names_or_none() -> None:
    with pytest.raises(PortError, match="pin factory native cannot be opened"):
        CopperWires(VirtualClock()).pins("native")
