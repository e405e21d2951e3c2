"""The chip and its host: greeting, silence, resets, the watchdog, noise."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from boardctl.drivers import serial_protocol
from boardctl.drivers.serial_protocol import (
    CODE_DONE,
    CODE_UNGREETED,
    GOODBYE,
    GREETING,
    LIGHTS,
    PALETTE,
    PING,
    PROTOCOL_VERSION,
)
from tests.firmware.rig import HERTZ, Bench, Emulator, alone
from tests.firmware.talk import RED, Talk, greeted, hear, lit, run, show
from tests.report import LongRun

MILLISECOND = HERTZ // 1000


def test_nothing_is_done_before_hello(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    for kind, payload in ((LIGHTS, show(run(0, 1, 1))), (PALETTE, RED), (PING, b"")):
        assert talk.ask(kind, payload).payload == bytes((CODE_UNGREETED,))
    bench.run(0.05)
    assert len(emulator.refreshes) == 1


def test_another_version_is_told_ours_and_no_more(talk: Talk) -> None:
    assert talk.hello(version=PROTOCOL_VERSION + 1)[0] == PROTOCOL_VERSION
    assert talk.ask(PING).payload == bytes((CODE_UNGREETED,))
    assert talk.hello()[0] == PROTOCOL_VERSION
    assert talk.ask(PING).payload == bytes((CODE_DONE,))


@pytest.mark.slow
def test_without_a_host_the_board_dims_and_shows_it_and_comes_back(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(30, 4, 1)))
    bench.run(0.01)
    picture = emulator.refreshes[-1]
    bench.run(2.95)
    assert emulator.refreshes[-1] is picture
    bench.run(5)
    pattern = emulator.refreshes[emulator.refreshes.index(picture) + 1 :]
    assert [refresh.leds for refresh in pattern] == [
        alone(picture.leds, phase) for phase in range(len(pattern))
    ]
    assert len(pattern) == 10
    steps = [b.start - a.start for a, b in pairwise(pattern)]
    assert all(abs(step - HERTZ // 2) < 2 * MILLISECOND for step in steps)
    assert talk.ask(PING).payload == bytes((CODE_DONE,))
    bench.run(0.05)
    assert emulator.refreshes[-1].leds == picture.leds


def test_a_host_that_goes_in_mid_change_leaves_no_half_picture(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(30, 4, 1)))
    talk.ask(LIGHTS, show(run(31, 1, 2), flags=0))
    bench.run(4)
    assert emulator.refreshes[-1].leds == alone(bytes(1200), 1)
    assert talk.ask(LIGHTS, show(run(32, 1, 2))).payload == bytes((CODE_UNGREETED,))
    bench.run(0.05)
    assert lit(emulator) == {}


@pytest.mark.slow
def test_a_host_that_says_goodbye_leaves_the_picture(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(30, 1, 1)))
    talk.say(GOODBYE)
    bench.run(10)
    assert lit(emulator) == {30: (255, 0, 0)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "cause",
    [serial_protocol.RESET_POWER, serial_protocol.RESET_BUTTON, serial_protocol.RESET_BROWNOUT, 0],
    ids=hex,
)
def test_after_a_reset_it_is_dark_and_says_why(
    talk: Talk, bench: Bench, emulator: Emulator, chip: str, cause: int
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(30, 1, 1)))
    bench.run(0.01)
    emulator.reset(cause)
    bench.run(0.05)
    assert lit(emulator) == {}
    if chip == "rp2040" and cause == serial_protocol.RESET_BROWNOUT:
        cause = serial_protocol.RESET_POWER  # the chip sees them as one
    assert talk.hello()[1] == cause | serial_protocol.RESET_SINCE_HELLO
    assert talk.hello()[1] == cause | serial_protocol.RESET_SINCE_HELLO, (
        "the first may not have been heard"
    )
    talk.ask(PING)
    assert talk.hello()[1] == cause, "the host went on from it: it has been heard"


@pytest.mark.slow
def test_the_watchdog_restarts_a_program_that_hangs(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(30, 1, 1)))
    emulator.command("hang")
    began = emulator.cycle
    bench.until(lambda: emulator.stats()["resets"] == 1, 0.5)
    assert emulator.cycle - began < 300 * MILLISECOND
    bench.run(0.05)
    assert lit(emulator) == {}
    assert talk.hello()[1] == serial_protocol.RESET_WATCHDOG | serial_protocol.RESET_SINCE_HELLO


def noise(bench: Bench, emulator: Emulator, talk: Talk, many: int, seed: int) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(30, 3, 1)))
    bench.run(0.01)
    before = len(emulator.refreshes)
    picture = emulator.refreshes[-1].leds
    emulator.command(f"noise {many} {seed}")
    for _ in range(many // 5000):
        bench.run(0.1)
    bench.run(0.01)
    counted = emulator.stats()
    assert counted["delivered"] >= many
    assert counted["lost"] == counted["resets"] == 0
    talk.write(b"\0")
    assert talk.ask(PING).payload[:1] in (bytes((CODE_DONE,)), bytes((CODE_UNGREETED,)))
    fine = {picture, *(alone(picture, phase) for phase in range(8))}
    assert {refresh.leds for refresh in emulator.refreshes[before:]} <= fine
    assert talk.hello()[0] == PROTOCOL_VERSION


@pytest.mark.slow
def test_random_bytes_do_nothing(bench: Bench, emulator: Emulator, talk: Talk) -> None:
    noise(bench, emulator, talk, 60_000, 20261121)


@pytest.mark.long
def test_a_million_random_bytes_do_nothing(
    bench: Bench, emulator: Emulator, talk: Talk, seed: int, long_run: LongRun
) -> None:
    long_run(bytes=1_000_000)
    noise(bench, emulator, talk, 1_000_000, seed)
    long_run(cycles=emulator.cycle)


def test_the_stack_never_comes_near_the_variables(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    chat: list[Callable[[], object]] = [
        lambda: greeted(talk),
        lambda: talk.ask(LIGHTS, show(*(run(n, 9, n % 3) for n in range(15)))),
        lambda: emulator.key(3, True, 5000),
        lambda: hear(talk, bench, 0.2),
        lambda: bench.run(4),
        lambda: talk.hello(),
        lambda: talk.write(bytes(range(1, 256)) * 4),
    ]
    for act in chat:
        act()
        bench.run(0.05)
    assert emulator.stats()["stack_left"] >= 256
    assert GREETING in {frame.kind for frame in talk.heard}
