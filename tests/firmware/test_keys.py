"""Keys from the real firmware through the driver: none is lost or doubled, whatever happens."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.drivers.ports import KeyEvent
from boardctl.drivers.serial_board import Options, SerialBoard, open_ports
from tests.firmware.rig import KEYS, Bench, Emulator, taps


def start(bench: Bench, events: list[KeyEvent]) -> SerialBoard:
    (board,) = open_ports(Options(port=str(bench.emulator.port)), bench.wires)
    board.start(events.append)
    return board


@pytest.mark.slow
@pytest.mark.parametrize("keys", [30, pytest.param(100, marks=pytest.mark.long)])
def test_keys_over_a_line_that_spoils_one_byte_in_a_hundred(bench: Bench, keys: int) -> None:
    events: list[KeyEvent] = []
    start(bench, events)
    bench.run(0.5)
    bench.emulator.command("faults 100 42")
    chance = Random(7)
    pressed = "".join(chance.choices(KEYS, k=keys))
    for n, key in enumerate(pressed):
        bench.tap(key, seed=n + 1)
    bench.run(2.0)
    assert taps(events) == pressed
    assert bench.emulator.stats()["faults"] > keys / 5


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.long)])
def test_a_host_killed_at_any_moment_of_a_key(bench: Bench, emulator: Emulator, step: int) -> None:
    """The host is killed every 0.3 ms, or at every sixth of these times, from before the contact
    settles until everything is acknowledged."""
    events: list[KeyEvent] = []
    start(bench, events)
    bench.run(0.5)
    expected = ""
    for moment in range(0, 60, step):
        key = moment % 10
        emulator.key(key, True)
        bench.run(moment * 0.0003)
        bench.kill()
        bench.run(0.02, host=False)
        start(bench, events)
        bench.run(0.1)
        emulator.key(key, False)
        bench.run(0.1)
        expected += KEYS[key]
        assert taps(events) == expected, f"killed {moment * 0.3:.1f} ms after the contact closed"


@pytest.mark.slow
def test_a_press_that_waited_has_the_time_at_which_it_was_made(
    bench: Bench, emulator: Emulator
) -> None:
    events: list[KeyEvent] = []
    start(bench, events)
    bench.run(0.5)
    bench.run(4, host=False)
    pressed = bench.time()
    emulator.key(3, True)
    bench.run(0.5, host=False)
    released = bench.time()
    emulator.key(3, False)
    bench.run(2, host=False)
    bench.run(0.5)
    down, up = events
    assert abs(down.at - pressed) < 0.005
    assert abs(up.at - released) < 0.005
