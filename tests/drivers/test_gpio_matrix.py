"""The matrix on virtual pins: every key, ghosts, bouncing, a stuck key, and idle."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.drivers import gpio_matrix
from boardctl.drivers.gpio_matrix import SELDOM, Matrix
from boardctl.drivers.ports import KEYS, LEGEND, KeyEvent
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.drivers.virtual.pins import KeyMatrix
from boardctl.options import SchemaError
from tests.chance import examples


class Bench:
    """A matrix in a test, and everything that it delivered."""

    def __init__(self) -> None:
        self.clock = VirtualClock(100.0)
        self.wires = VirtualWires(self.clock)
        (port,) = gpio_matrix.open_ports(gpio_matrix.Options(), self.wires)
        assert isinstance(port, Matrix)
        assert isinstance(self.wires.keypad, KeyMatrix)
        self.keys = port
        self.pad = self.wires.keypad
        self.events: list[KeyEvent] = []
        self.faults: list[str | None] = []
        port.reported.connect(self.faults.append)
        port.start(self.events.append)
        self.clock.run(0.1)

    def tell(self) -> str:
        return " ".join(("+" if e.pressed else "-") + e.key for e in self.events)


def test_all_sixteen_keys() -> None:
    bench = Bench()
    for key in KEYS:
        bench.pad.press(key)
        bench.clock.run(0.05)
        bench.pad.release(key)
        bench.clock.run(0.05)
    assert bench.tell() == " ".join(f"+{key} -{key}" for key in KEYS)
    assert bench.pad.shorts == 0
    assert bench.clock.idle


def test_any_two_keys_at_once_are_both_seen_and_short_nothing() -> None:
    bench = Bench()
    for one, other in combinations(KEYS, 2):
        bench.events.clear()
        bench.pad.press(one)
        bench.clock.run(0.05)
        bench.pad.press(other)
        bench.clock.run(0.05)
        bench.pad.release(one)
        bench.clock.run(0.05)
        bench.pad.release(other)
        bench.clock.run(0.05)
        assert bench.tell() == f"+{one} +{other} -{one} -{other}"
    assert bench.pad.shorts == 0


def test_three_corners_of_a_rectangle_make_no_ghost() -> None:
    bench = Bench()
    for rows, columns in product(combinations(range(4), 2), combinations(range(4), 2)):
        bench.events.clear()
        corners = [LEGEND[r][c] for r, c in product(rows, columns)]
        for key in corners[:3]:
            bench.pad.press(key)
            bench.clock.run(0.05)
        found = {event.key for event in bench.events}
        assert corners[3] not in found, "a ghost"
        assert found == set(corners[:2]), "the third is not believed"
        for key in corners[:3]:
            bench.pad.release(key)
            bench.clock.run(0.05)
        assert bench.clock.idle
    assert bench.pad.shorts == 0


@given(st.lists(st.integers(1, 4), max_size=3), st.sampled_from(KEYS))
@settings(max_examples=examples(50))
def test_chatter_on_every_edge_is_one_press(milliseconds: list[int], key: str) -> None:
    bench = Bench()
    for _ in range(3):
        for act, undo in (
            (bench.pad.press, bench.pad.release),
            (bench.pad.release, bench.pad.press),
        ):
            for wait in milliseconds:
                act(key)
                bench.clock.run(wait / 2000)
                undo(key)
                bench.clock.run(wait / 2000)
            act(key)
            bench.clock.run(0.05)
    assert bench.tell() == " ".join([f"+{key} -{key}"] * 3)


def test_a_press_carries_the_time_of_its_edge() -> None:
    bench = Bench()
    at = bench.clock.time()
    bench.pad.press("7")
    bench.clock.run(0.05)
    assert bench.events == [KeyEvent("7", True, at)]


def test_at_rest_nothing_wakes() -> None:
    bench = Bench()
    wakeups = bench.keys.wakeups
    bench.clock.run(3600)
    assert bench.keys.wakeups == wakeups
    assert bench.clock.idle


def test_a_key_held_for_ever_is_told_of_and_looked_at_seldom() -> None:
    bench = Bench()
    bench.pad.press("5")
    bench.clock.run(11)
    assert bench.faults == ["key 5 is stuck"]
    wakeups = bench.keys.wakeups
    bench.clock.run(30)
    assert bench.keys.wakeups - wakeups <= 30 / SELDOM + 1
    bench.events.clear()
    for key in "A280":  # another column, and the others of this one
        bench.pad.press(key)
        bench.clock.run(0.06)
        bench.pad.release(key)
        bench.clock.run(0.06)
    assert bench.tell() == "+A -A +2 -2 +8 -8 +0 -0", "all others go on"
    bench.pad.release("5")
    bench.clock.run(1)
    assert bench.tell().endswith("-0 -5")
    assert bench.faults == ["key 5 is stuck", None]
    assert bench.clock.idle
    bench.pad.press("2")
    bench.clock.run(0.05)
    assert bench.tell().endswith("+2"), "its column wakes again"


def test_a_column_that_touches_ground_is_named_and_presses_nothing() -> None:
    bench = Bench()
    bench.pad.ground(1, True)
    bench.clock.run(12)
    assert bench.events == []
    assert bench.faults == ["the column on GPIO16 is low with no key down: a wire touches ground"]
    wakeups = bench.keys.wakeups
    bench.clock.run(30)
    assert bench.keys.wakeups - wakeups <= 30 / SELDOM + 1
    bench.pad.ground(1, False)
    bench.clock.run(1)
    assert bench.faults[-1] is None
    assert bench.clock.idle


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(st.sampled_from(KEYS), st.integers(1, 60)), max_size=40))
def test_whatever_fingers_do_nothing_is_shorted_and_it_comes_to_rest(
    dance: list[tuple[str, int]],
) -> None:
    bench = Bench()
    down: set[str] = set()
    for key, wait in dance:
        (bench.pad.release if key in down else bench.pad.press)(key)
        down ^= {key}
        bench.clock.run(wait / 1000)
    for key in down:
        bench.pad.release(key)
    bench.clock.run(1)
    assert bench.pad.shorts == 0
    assert bench.clock.idle
    pressed = [event.key for event in bench.events if event.pressed]
    released = [event.key for event in bench.events if not event.pressed]
    assert sorted(pressed) == sorted(released)


def test_pins_that_can_not_be_are_refused() -> None:
    with pytest.raises(SchemaError, match="eight-pins"):
        gpio_matrix.Options(columns=(5, 16, 20, 21))
    with pytest.raises(ValueError, match="four-pins"):
        gpio_matrix.Options(rows=(5, 6))
    with pytest.raises(SchemaError, match="off-header"):
        gpio_matrix.Options(rows=(29, 31, 33, 35))  # the pins' numbers on the header
