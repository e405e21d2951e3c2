"""Rig 1: the drivers and the daemon on real Linux GPIO and SPI, in a guest (see `qemu`).

The guest is booted once; each test judges a part of what happened in it."""

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

Told = dict[str, dict[str, Any]]


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    need("qemu", "kernel", "kernel-headers", "busybox", "cpio", "modprobe", "make", "cc")
    need("lgpio", "spidev", "evdev")
    rows = qemu.boot("tests.rigs.guest.inside", tmp_path_factory.mktemp("guest"))
    return {row["what"]: row for row in rows}


def test_all_sixteen_keys(told: Told) -> None:
    assert told["sixteen"]["events"] == [edge + key for key in KEYS for edge in "+-"]


def test_two_keys_of_one_column(told: Told) -> None:
    assert told["column"]["events"] == ["+2", "+8", "-2", "-8"]


def test_three_keys_make_no_ghost(told: Told) -> None:
    events = told["ghost"]["events"]
    pressed = {event[1] for event in events if event[0] == "+"}
    assert pressed <= set("145"), "and never the 2"
    assert pressed == {event[1] for event in events if event[0] == "-"}


def test_two_hundred_presses_of_two_hundred(told: Told) -> None:
    assert told["presses"]["events"] == ["+6", "-6"] * 200


def test_five_milliseconds_of_chatter_on_every_edge_are_one_event(told: Told) -> None:
    assert told["chatter"]["events"] == ["+5", "-5", "+#", "-#"]


def test_at_rest_no_interrupt_and_no_wakeup(told: Told) -> None:
    assert (told["rest"]["wakeups"], told["rest"]["edges"]) == (0, 0)


def test_no_output_ever_drove_against_another(told: Told) -> None:
    assert told["shorts"]["shorts"] == 0
    assert told["ended"]["shorts"] == 0


def test_every_row_is_an_output_at_rest_and_low(told: Told) -> None:
    levels, directions, pulls = told["shorts"]["state"].split()
    for row in (5, 6, 13, 19):
        assert (levels[row], directions[row]) == ("0", "o")
    for column in (12, 16, 20, 21):
        assert (levels[column], directions[column], pulls[column]) == ("1", "i", "u")


def simulated(tmp_path: Path, keys: str) -> dict[str, Any]:
    with Simulation(Config(), tmp_path) as simulation:
        for stroke in strokes([keys]):
            simulation.press(stroke)
        simulation.settle()
        return simulation.seen("")


def test_the_waveform_after_a_deal_shows_the_board_of_the_simulation(
    told: Told, tmp_path: Path
) -> None:
    board = layouts.load("classic-2")
    frame = bytes.fromhex(told["deal"]["frame"])
    assert len(frame) == 3 * board.leds
    seen = simulated(tmp_path, DEAL)
    assert seen["scores"] == [10, 12]
    assert reading(board, frame) == seen["lit"]


def test_every_frame_was_one_transfer(told: Told) -> None:
    """The guest has verified that each was a valid waveform: it has decoded them all."""
    leds = layouts.load("classic-2").leds
    assert told["deal"]["sizes"] == [[HERTZ[3], 9 * leds + 2 * latch(3)]]
    assert told["deal"]["pictures"] > 20, "pegs walked"


def test_the_daemon_sleeps_when_nothing_moves(told: Told) -> None:
    rest = told["rest-daemon"]
    assert (rest["edges"], rest["frames"], rest["switches"]) == (0, 0, 0)


def test_a_strip_that_failed_shows_what_was_missed(told: Told, tmp_path: Path) -> None:
    frame = bytes.fromhex(told["healed"]["frame"])
    seen = simulated(tmp_path, f"{DEAL} A 1 #")
    assert reading(layouts.load("classic-2"), frame) == seen["lit"]


def test_a_number_pad_of_the_kernels(told: Told) -> None:
    assert told["pad"]["events"] == [edge + key for key in told["pad"]["codes"] for edge in "+-"]
    assert set(told["pad"]["codes"]) == set(KEYS)
    again = told["pad-again"]
    assert again["events"] == ["+7", "-7", "+8"], "what was down is let go"
    there, away, back = again["told"][1], again["told"][2], again["told"][-1]
    assert there is None
    assert "disconnected" in away
    assert back is None


def test_two_alike_pads_are_told_apart_also_after_one_was_unplugged(told: Told) -> None:
    left, right = "usb-1.1", "usb-1.2"
    events = told["two-pads"]["events"]
    assert sorted(events[:2]) == [f"{left} 4 True", f"{right} 5 True"]
    assert events[2:4] == [f"{right} 5 False", f"{left} 4 False"], "only its own key is let go"
    assert events[4:] == [f"{right} 6 True", f"{right} 6 False"]


def test_it_ends_when_asked(told: Told) -> None:
    assert told["ended"]["status"] == 0
