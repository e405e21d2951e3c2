"""Single buttons and number pads."""

from __future__ import annotations

import errno
from pathlib import Path
from types import ModuleType

import pytest
from gpiozero import Button
from gpiozero.pins.mock import MockFactory

from boardctl.drivers import gpio_buttons, usb_numpad
from boardctl.drivers.debounce import SETTLE, STUCK, Debouncer
from boardctl.drivers.inputs import inputs
from boardctl.drivers.ports import KEYS, KeyEvent, Keys
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.options import SchemaError
from tests.parts import need


def tell(events: list[KeyEvent]) -> str:
    return " ".join(("+" if e.pressed else "-") + e.key for e in events)


def opened(
    options: gpio_buttons.Options | usb_numpad.Options,
) -> tuple[VirtualClock, VirtualWires, Keys, list[KeyEvent], list[str | None]]:
    clock = VirtualClock(50.0)
    wires = VirtualWires(clock, keys=options)
    driver = gpio_buttons if isinstance(options, gpio_buttons.Options) else usb_numpad
    (keys,) = driver.open_ports(options, wires)
    events: list[KeyEvent] = []
    faults: list[str | None] = []
    keys.reported.connect(faults.append)
    keys.start(events.append)
    clock.run(0.1)
    return clock, wires, keys, events, faults


def test_buttons_press_and_let_go_and_sleep() -> None:
    clock, wires, keys, events, _ = opened(gpio_buttons.Options())
    assert isinstance(keys, gpio_buttons.Buttons)
    for key in gpio_buttons.USUAL:
        for act in (wires.keypad.press, wires.keypad.release):
            for _ in range(3):
                wires.keypad.press(key)
                clock.run(0.001)
                wires.keypad.release(key)
                clock.run(0.001)
            act(key)
            clock.run(0.05)
    assert tell(events) == " ".join(f"+{key} -{key}" for key in gpio_buttons.USUAL)
    looked = keys.wakeups
    clock.run(3600)
    assert keys.wakeups == looked
    assert clock.idle


def test_an_event_has_the_time_since_which_its_contact_is_stable() -> None:
    contacts = Debouncer()
    edges = ((True, 1.000), (False, 1.001), (True, 1.003), (True, 1.004))
    for level, at in edges:
        contacts.feed("5", level, at)
    assert contacts.next_settled() == pytest.approx(1.003 + SETTLE)
    assert contacts.settled(1.003 + SETTLE - 0.001) == []
    assert contacts.settled(1.003 + SETTLE) == [KeyEvent("5", True, 1.003)]
    for level, at in ((False, 2.000), (True, 2.002), (False, 2.005)):
        contacts.feed("5", level, at)
    assert contacts.settled(2.005 + SETTLE) == [KeyEvent("5", False, 2.005)]


def test_a_key_is_stuck_from_the_tenth_second_on() -> None:
    contacts = Debouncer()
    contacts.feed("5", True, 1.0)
    contacts.settled(2.0)
    assert contacts.stuck(1.0 + STUCK - 0.5) == ()
    assert contacts.stuck(1.0 + STUCK) == ("5",)


def test_a_button_held_for_ever_costs_nothing_and_is_told() -> None:
    clock, wires, keys, events, faults = opened(gpio_buttons.Options())
    assert isinstance(keys, gpio_buttons.Buttons)
    wires.keypad.press("A")
    clock.run(11)
    assert faults == ["key A is stuck"]
    looked = keys.wakeups
    clock.run(3600)
    assert keys.wakeups == looked
    wires.keypad.press("B")
    clock.run(0.1)
    wires.keypad.release("B")
    wires.keypad.release("A")
    clock.run(0.1)
    assert tell(events) == "+A +B -A -B"
    assert faults == ["key A is stuck", None]


def test_buttons_that_can_not_be_are_refused() -> None:
    with pytest.raises(SchemaError, match="no-key E 0 1 2"):
        gpio_buttons.Options({"E": 4})
    with pytest.raises(ValueError, match="same-pin"):
        gpio_buttons.Options({"A": 4, "B": 4})
    with pytest.raises(SchemaError, match="off-header 77"):
        gpio_buttons.Options({"A": 77})


def test_the_pads_codes_are_the_kernels() -> None:
    need("evdev")
    from evdev import ecodes

    names = {
        **{f"KP{n}": str(n) for n in range(10)},
        **{str(n): str(n) for n in range(10)},
        "KPSLASH": "A",
        "KPASTERISK": "B",
        "KPMINUS": "C",
        "KPPLUS": "D",
        "KPENTER": "#",
        "KPDOT": "*",
        "ENTER": "#",
        "BACKSPACE": "*",
    }
    assert {getattr(ecodes, f"KEY_{name}"): key for name, key in names.items()} == usb_numpad.CODES
    assert set(usb_numpad.CODES.values()) == set(KEYS)


def test_the_page_says_which_keys_of_a_pad_they_are() -> None:
    """A pad's `*` is the board's `B`, which nobody could guess."""
    page = (Path(__file__).parents[2] / "docs" / "keypad.md").read_text("utf-8")
    signs = {98: "/", 55: "*", 74: "-", 78: "+"}
    pad, board = " ".join(f"`{sign}`" for sign in signs.values()), "`A` `B` `C` `D`"
    assert f"On a number pad {pad} are {board}, Enter is `#`, and `.` or backspace is `*`." in page
    assert [usb_numpad.CODES[code] for code in signs] == list("ABCD")
    assert (usb_numpad.CODES[96], usb_numpad.CODES[83], usb_numpad.CODES[14]) == ("#", "*", "*")


def test_a_pad_types_every_key_and_a_pad_pulled_out_lets_go() -> None:
    clock, wires, _, events, faults = opened(usb_numpad.Options())
    for key in KEYS:
        wires.keypad.press(key)
        clock.run(0.05)
        wires.keyboards[0].put(usb_numpad_code(key), 2)  # the kernel repeats a held key
        wires.keypad.release(key)
        clock.run(0.05)
    assert tell(events) == " ".join(f"+{key} -{key}" for key in KEYS)
    wires.keyboards[0].put(30, 1)  # a letter
    wires.keypad.press("7")
    clock.run(0.1)
    wires.keyboards[0].unplug()
    clock.run(0.1)
    assert tell(events[-2:]) == "+7 -7"
    assert faults[-1] == "it was disconnected"
    wires.keyboards[0].plug()
    wires.keypad.press("8")
    clock.run(0.1)
    assert events[-1] == KeyEvent("8", True, events[-1].at)
    assert faults[-1] is None


def usb_numpad_code(key: str) -> int:
    return next(code for code, name in usb_numpad.CODES.items() if name == key)


def test_the_debouncer_waits_for_quiet_and_keeps_the_first_edge() -> None:
    debouncer = Debouncer()
    for at, level in ((1.0, True), (1.002, False), (1.004, True)):
        debouncer.feed("A", level, at)
        assert debouncer.settled(at) == []
    assert debouncer.next_settled() == 1.004 + SETTLE
    assert debouncer.settled(1.004 + SETTLE) == [KeyEvent("A", True, 1.004)]
    assert debouncer.stuck(12.0) == ("A",)
    assert not debouncer.moving(12.0)
    debouncer.feed("A", False, 13.0)
    assert debouncer.stuck(13.0) == ()
    assert debouncer.moving(13.0)
    assert debouncer.settled(13.0 + SETTLE) == [KeyEvent("A", False, 13.0)]
    assert not debouncer.has_key_down


def test_a_pad_that_may_only_be_read_is_found(tmp_path: Path) -> None:
    """The service may not write to input devices, and evdev's own list omits such devices."""
    for name in ("event0", "event1", "event2", "mouse0"):
        (tmp_path / name).touch()

    def open_device(path: str) -> str:
        if path.endswith("1"):
            raise OSError(errno.ENODEV, "No such device")
        return path

    evdev = ModuleType("evdev")
    evdev.InputDevice = open_device  # type: ignore[attr-defined]  # the used functions only
    evdev.list_devices = list  # type: ignore[attr-defined]  # it then finds nothing
    assert list(inputs(evdev, tmp_path)) == [f"{tmp_path}/event0", f"{tmp_path}/event2"]


@pytest.mark.parametrize("shut", [True, False])
def test_an_edge_that_the_kernel_has_dropped_is_seen_at_the_next_look(shut: bool) -> None:
    """The kernel's queue of edges is short, and a contact bounces."""
    clock, wires, _, events, _ = opened(gpio_buttons.Options())
    pin = wires.pins().pin(gpio_buttons.USUAL["#"])
    wires.keypad.press("#")
    wires.keypad.release("#")
    pin.when_changed, edge = None, pin.when_changed
    if shut:
        wires.keypad.press("#")
    else:
        pin.when_changed = edge
        wires.keypad.press("#")
        pin.when_changed = None
        wires.keypad.release("#")
    clock.run(0.05)
    assert tell(events) == ("+#" if shut else "")


@pytest.mark.parametrize("bounce_time", [None, 0.005])
def test_gpiozeros_own_button_bounces_and_loses_a_press(bounce_time: float | None) -> None:
    """This is why `gpio_buttons` uses gpiozero's pins and not its Button, as its docstring says. A
    mock pin accepts `bounce_time` and does not debounce, but the lost press needs no bounce."""
    factory = MockFactory()
    pressed: list[int] = []
    button = Button(17, pin_factory=factory, bounce_time=bounce_time)
    button.when_pressed = lambda: pressed.append(1)
    pin = factory.pin(17)
    for _ in range(3):
        pin.drive_low()
        pin.drive_high()
    pin.drive_low()
    before = len(pressed)
    if bounce_time is None:
        assert before == 4, "one press whose contact bounces three times"
    pin.edges = "none"  # as if the kernel's full queue dropped the edge
    pin.drive_high()
    pin.edges = "both"
    pin.drive_low()
    assert len(pressed) == before, "the next press is lost"
    button.close()
    factory.close()
