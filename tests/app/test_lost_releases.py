"""A released key is released, whatever happens between its two edges.

People press and release the keys of each keypad that a board can have. Meanwhile the keypad is
unplugged, a self-test uses the keys, pads are paired, a page ends the evening, and the pages' own
keys go down and up. Once everything is quiet, a tap on any key is one press and one release, and no
key acts unless somebody holds it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config, Part
from boardctl.app.setup import BorrowedKeys
from boardctl.console.keypad import Command, KeypadState
from boardctl.console.keys import HOLD
from boardctl.drivers import gpio_buttons, gpio_matrix, serial_board, usb_numpad
from boardctl.drivers.ports import KeyEvent
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce
from boardctl.web.live import KeySequencer

KEYS = "#*D1A"
KEYPADS: dict[str, Any] = {
    "gpio_matrix": gpio_matrix.Options(),
    "gpio_buttons": gpio_buttons.Options({key: n for n, key in enumerate(KEYS, 2)}),
    "usb_numpad": usb_numpad.Options(),
    "serial_board": serial_board.Options(),
}
QUIET = 5.0
"""Seconds after which every line is released, every edge has arrived, and every hold has ended."""


class Board(RuleBasedStateMachine):
    """One board with keys of one kind; everything below the driver is virtual."""

    driver = ""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = VirtualClock()
        options = KEYPADS[self.driver]
        self.wires = VirtualWires(self.clock, keys=options)
        leds = serial_board.Options() if self.driver == "serial_board" else None
        self.board = BoardApp(
            Config(
                leds=Part("serial_board", leds) if leds else Config().leds,
                keys=Part(self.driver, options),
            ),
            Path(self.folder.name),
            self.clock,
            self.wires,
            AtOnce(),
            features=(),  # a hint needs an event loop
        )
        self.controller = self.board.controller
        self.controller.acted.connect(self.pressed)
        self.clock.run(1.0)
        self.sequencer = KeySequencer(self.board.press, self.clock)
        self.since: dict[str, float] = {}
        """The keys that people hold at the board and on a page, with the times of their presses."""
        self.on_page: dict[str, float] = {}
        self.acts: list[str] = []
        self.wrong: list[str] = []
        """The wrong effects of a key, collected because a raising listener would only be logged."""
        self.plugged = True
        self.keypad_test = BorrowedKeys(self.board.tested, self.controller.forget_keys)
        self.borrowed: list[KeyEvent] | None = None

    def teardown(self) -> None:
        self.board.close()
        self.folder.cleanup()

    def pressed(self, key: str, before: KeypadState, effect: object) -> None:
        if self.controller.lights.asleep:
            self.wrong.append(f"{key} acts while the board is asleep")
        if key.startswith("hold "):
            held = {*self.since.items(), *self.on_page.items()}
            times = [at for name, at in held if key == f"hold {name}"]
            if not times:
                self.wrong.append(f"{key} acts, and nobody holds it")
            elif self.clock.time() - min(times) < HOLD - 0.01:
                self.wrong.append(f"{key} acts too early")
        self.acts.append(key)

    # The people

    @rule(key=st.sampled_from(KEYS))
    def down(self, key: str) -> None:
        """Press a key. At most two keys are down at once: with more, a matrix detects ghost keys
        and ignores all keys until these disappear."""
        if key not in self.since and len(self.since) < 2:
            self.since[key] = self.clock.time()
            self.wires.keypad.press(key)

    @rule(key=st.sampled_from(KEYS))
    def up(self, key: str) -> None:
        if self.since.pop(key, None) is not None:
            self.wires.keypad.release(key)

    @rule(key=st.sampled_from(KEYS))
    def tap(self, key: str) -> None:
        self.down(key)
        self.clock.run(0.1)
        self.up(key)
        self.clock.run(0.3)

    @rule(key=st.sampled_from(KEYS), down=st.booleans())
    def page(self, key: str, down: bool) -> None:
        if down:
            self.on_page.setdefault(key, self.clock.time())
            self.sequencer.hold("a phone", key)
        else:
            self.on_page.pop(key, None)
            self.sequencer.let_go("a phone", key)

    @rule(seconds=st.sampled_from((0.001, 0.02, 0.2, 0.6, 1.1, 3.0)))
    def wait(self, seconds: float) -> None:
        self.clock.run(seconds)

    # Interruptions

    @rule()
    def selftest(self) -> None:
        if self.borrowed is None:
            self.borrowed = []
            self.keypad_test.start(self.borrowed.append)
        else:
            self.borrowed = None
            self.keypad_test.close()

    @rule(what=st.sampled_from((("goodnight", ""), ("pair", "pads"))))
    def command(self, what: tuple[str, str]) -> None:
        if not self.controller.is_typing and not self.controller.lights.asleep:
            self.controller.obey(Command(*what))

    @rule()
    def cable(self) -> None:
        line = self.wires.line or next(iter(self.wires.keyboards), None)
        if line is not None:
            (line.unplug if self.plugged else line.plug)()
            self.plugged = not self.plugged

    # Expectations

    @invariant()
    def every_act_is_right(self) -> None:
        assert not self.wrong

    @rule()
    def quiet(self) -> None:
        for key in KEYS:
            self.up(key)
            self.page(key, False)
        if not self.plugged:
            self.cable()
        if self.borrowed is not None:
            self.selftest()
        self.clock.run(QUIET)
        assert not self.controller._keys._down
        seen: list[tuple[str, bool]] = []
        whole = self.controller.on_key

        def on_key(event: KeyEvent, here: bool = True) -> None:
            seen.append((event.key, event.pressed))
            whole(event, here)

        self.controller.on_key = on_key  # type: ignore[method-assign]
        try:
            if self.board.hands.pads.asking is not None:
                self.tap("*")
                assert self.board.hands.pads.asking is None
            if self.controller.lights.asleep:
                self.tap("A")
                assert not self.controller.lights.asleep
            for key in KEYS:
                seen.clear()
                self.acts.clear()
                self.tap(key)
                assert seen == [(key, True), (key, False)]
                assert self.acts == [key]
        finally:
            self.controller.on_key = whole  # type: ignore[method-assign]


QUICK = settings(max_examples=20, stateful_step_count=40, deadline=None)


@pytest.mark.slow
@pytest.mark.parametrize("driver", KEYPADS)
def test_no_release_is_lost(driver: str) -> None:
    run_state_machine_as_test(type(driver, (Board,), {"driver": driver}), settings=QUICK)


@pytest.mark.long
@pytest.mark.parametrize("driver", KEYPADS)
def test_no_release_is_lost_for_long(driver: str) -> None:
    machine = type(driver, (Board,), {"driver": driver})
    run_state_machine_as_test(machine, settings=settings(QUICK, max_examples=1000))


def test_a_key_that_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    """If one scan of the contacts finds two edges, each is delivered by a separate call."""
    clock = VirtualClock()
    wires = VirtualWires(clock)
    config = Config(keys=Part("gpio_matrix", gpio_matrix.Options()))
    board = BoardApp(config, tmp_path, clock, wires, AtOnce())
    clock.run(0.1)
    whole = board.controller.on_key
    seen: list[tuple[str, bool]] = []

    def on_key(event: KeyEvent, here: bool = True) -> None:
        seen.append((event.key, event.pressed))
        if event.key == "A":
            raise RuntimeError("a defect")
        whole(event, here)

    board.controller.on_key = on_key  # type: ignore[method-assign]
    wires.keypad.press("#")
    clock.run(0.1)
    wires.keypad.press("A")
    wires.keypad.release("#")
    with pytest.raises(RuntimeError, match="a defect"):
        clock.run(0.1)
    clock.run(0.1)
    assert seen == [("#", True), ("A", True), ("#", False)]
    board.close()


def test_the_keys_of_a_page_go_on_after_one_that_fails() -> None:
    clock = VirtualClock()
    seen: list[tuple[str, bool]] = []

    def press(key: str, down: bool) -> None:
        seen.append((key, down))
        if not down:
            raise RuntimeError("a defect")

    sequencer = KeySequencer(press, clock)
    sequencer.hold("a phone", "A")
    sequencer.let_go("a phone", "A")
    with pytest.raises(RuntimeError, match="a defect"):
        clock.run(1.0)
    sequencer.hold("a phone", "B")
    clock.run(1.0)
    assert seen == [("A", True), ("A", False), ("B", True)]
