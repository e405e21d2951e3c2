"""Keys that can be held, with edges from a device that may lose one."""

from __future__ import annotations

import pytest

from boardctl.console.keys import HOLD, HeldKeys
from boardctl.console.settings import KeyTiming
from boardctl.drivers.ports import KeyEvent
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.games import Ask
from boardctl.signals import Signal


def test_a_key_that_goes_down_again_without_having_gone_up_is_held_once() -> None:
    clock = VirtualClock()
    acted: list[str] = []

    def press(key: str, place: str, asks: tuple[Ask, ...] | None = None) -> None:
        acted.append(key)

    keys = HeldKeys(clock, press, tuple, KeyTiming, lambda: False, Signal())
    keys.edge(KeyEvent("#", True, clock.time()), "")
    clock.run(HOLD / 2)
    keys.edge(KeyEvent("#", True, clock.time()), "")
    clock.run(HOLD * 0.75)
    assert acted == []
    clock.run(HOLD)
    assert acted == ["hold #"]
    keys.edge(KeyEvent("#", False, clock.time()), "")
    assert acted == ["hold #"]


def test_after_what_is_due_could_not_be_told_the_next_press_acts() -> None:
    """The failed press used to leave a timer behind, which then also failed."""
    clock = VirtualClock()
    acted: list[str] = []
    fails = [KeyError("due")]

    def press(key: str, place: str, asks: tuple[Ask, ...] | None = None) -> None:
        acted.append(key)

    def due() -> tuple[Ask, ...]:
        if fails:
            raise fails.pop()
        return ()

    keys = HeldKeys(clock, press, due, KeyTiming, lambda: False, Signal())
    with pytest.raises(KeyError, match="due"):
        keys.edge(KeyEvent("#", True, clock.time()), "")
    keys.edge(KeyEvent("#", False, clock.time()), "")
    clock.run(2 * HOLD)
    keys.edge(KeyEvent("#", True, clock.time()), "")
    keys.edge(KeyEvent("#", False, clock.time()), "")
    assert acted == ["#"]
