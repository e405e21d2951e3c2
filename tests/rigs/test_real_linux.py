"""Rig 1: the drivers and the daemon on real Linux GPIO and SPI, in a guest (see `qemu`).

The guest is booted once; each test checks a part of its output.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boardctl.app.config import Config
from boardctl.app.simulation import Simulation, strokes
from boardctl.board import layout as layouts
from boardctl.board.reading import reading
from boardctl.drivers.ports import KEYS
from boardctl.drivers.ws2812_spi import HERTZ, latch
from tests.parts import need
from tests.rigs import qemu
from tests.rigs.guest.inside import DEAL

pytestmark = pytest.mark.slow

Measured = dict[str, dict[str, Any]]


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    need("qemu", "kernel", "kernel-headers", "busybox", "cpio", "modprobe", "make", "cc")
    need("lgpio", "spidev", "evdev")
    rows = qemu.boot("tests.rigs.guest.inside", tmp_path_factory.mktemp("guest"))
    return {row["what"]: row for row in rows}


def test_all_sixteen_keys(measured: Measured) -> None:
    assert measured["sixteen"]["events"] == [edge + key for key in KEYS for edge in "+-"]


def test_two_keys_of_one_column(measured: Measured) -> None:
    assert measured["column"]["events"] == ["+2", "+8", "-2", "-8"]


def test_three_keys_make_no_ghost(measured: Measured) -> None:
    events = measured["ghost"]["events"]
    pressed = {event[1] for event in events if event[0] == "+"}
    assert pressed <= set("145"), "and never the 2"
    assert pressed == {event[1] for event in events if event[0] == "-"}


def test_two_hundred_presses_of_two_hundred(measured: Measured) -> None:
    assert measured["presses"]["events"] == ["+6", "-6"] * 200


def test_five_milliseconds_of_chatter_on_every_edge_are_one_event(measured: Measured) -> None:
    assert measured["chatter"]["events"] == ["+5", "-5", "+#", "-#"]


def test_at_rest_no_interrupt_and_no_wakeup(measured: Measured) -> None:
    assert (measured["rest"]["wakeups"], measured["rest"]["edges"]) == (0, 0)


def test_no_output_ever_drove_against_another(measured: Measured) -> None:
    assert measured["shorts"]["shorts"] == 0
    assert measured["ended"]["shorts"] == 0


def test_every_row_is_an_output_at_rest_and_low(measured: Measured) -> None:
    levels, directions, pulls = measured["shorts"]["state"].split()
    for row in (5, 6, 13, 19):
        assert (levels[row], directions[row]) == ("0", "o")
    for column in (12, 16, 20, 21):
        assert (levels[column], directions[column], pulls[column]) == ("1", "i", "u")


def simulated(tmp_path: Path, keys: str) -> dict[str, Any]:
    with Simulation(Config(), tmp_path) as simulation:
        for stroke in strokes([keys]):
            simulation.press(stroke)
        simulation.settle()
        return simulation.observe("")


def test_the_waveform_after_a_deal_shows_the_board_of_the_simulation(
    measured: Measured, tmp_path: Path
) -> None:
    board = layouts.load("classic-2")
    frame = bytes.fromhex(measured["deal"]["frame"])
    assert len(frame) == 3 * board.leds
    seen = simulated(tmp_path, DEAL)
    assert seen["scores"] == [10, 12]
    assert reading(board, frame) == seen["lit"]


def test_every_frame_was_one_transfer(measured: Measured) -> None:
    """The guest has decoded every frame, so each was a valid waveform."""
    leds = layouts.load("classic-2").leds
    assert measured["deal"]["sizes"] == [[HERTZ[4], 12 * leds + 2 * latch(4)]]
    assert measured["deal"]["pictures"] > 20, "pegs walked"


def test_the_daemon_sleeps_when_nothing_moves(measured: Measured) -> None:
    rest = measured["rest-daemon"]
    assert (rest["edges"], rest["frames"], rest["switches"]) == (0, 0, 0)


def test_a_strip_that_failed_shows_what_was_missed(measured: Measured, tmp_path: Path) -> None:
    frame = bytes.fromhex(measured["healed"]["frame"])
    seen = simulated(tmp_path, f"{DEAL} A 1 #")
    assert reading(layouts.load("classic-2"), frame) == seen["lit"]


def test_a_number_pad_of_the_kernels(measured: Measured) -> None:
    assert measured["pad"]["events"] == [
        edge + key for key in measured["pad"]["codes"] for edge in "+-"
    ]
    assert set(measured["pad"]["codes"]) == set(KEYS)
    again = measured["pad-again"]
    assert again["events"] == ["+7", "-7", "+8"], "what was down is let go"
    there, away, back = again["found"][1], again["found"][2], again["found"][-1]
    assert there is None
    assert "disconnected" in away
    assert back is None


def test_two_alike_pads_are_told_apart_also_after_one_was_unplugged(measured: Measured) -> None:
    left, right = "usb-1.1", "usb-1.2"
    events = measured["two-pads"]["events"]
    assert sorted(events[:2]) == [f"{left} 4 True", f"{right} 5 True"]
    assert events[2:4] == [f"{right} 5 False", f"{left} 4 False"], "only its own key is let go"
    assert events[4:] == [f"{right} 6 True", f"{right} 6 False"]


def test_it_ends_when_asked(measured: Measured) -> None:
    assert measured["ended"]["status"] == 0
