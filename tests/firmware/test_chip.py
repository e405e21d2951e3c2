"""The chip alone: what its pins do when its port says this or that. Times are counted in cycles
of the emulated clock, never by the wall."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from boardctl import link
from boardctl.link import (
    CODE_DONE,
    CODE_MALFORMED,
    CODE_UNGREETED,
    DONE,
    GOODBYE,
    GREETING,
    KEY_OVERFLOW,
    KEY_SEEN,
    LIGHTS,
    LIGHTS_CLEAR,
    LIGHTS_SHOW,
    MAX_LEDS,
    PALETTE,
    PING,
    PROTOCOL_VERSION,
    pack,
)
from tests.firmware.rig import HERTZ, KEYS, Bench, Emulator, Talk, alone

FIRMWARE = Path(__file__).parents[2] / "firmware"
MILLISECOND = HERTZ // 1000
BUDGET = 4000
"""What the firmware is built with unless the Makefile is told otherwise."""
RED = bytes((1, 255, 0, 0))
ORANGE = bytes((2, 255, 96, 0))


@pytest.fixture
def talk(bench: Bench) -> Talk:
    return Talk(bench)


def run(start: int, length: int, colour: int) -> bytes:
    return start.to_bytes(2, "little") + bytes((length, colour))


def show(*runs: bytes, flags: int = LIGHTS_SHOW) -> bytes:
    return bytes((flags,)) + b"".join(runs)


def lit(emulator: Emulator) -> dict[int, tuple[int, ...]]:
    """Every LED that is not dark."""
    strip = emulator.strip()
    leds = {n: tuple(strip[3 * n : 3 * n + 3]) for n in range(len(strip) // 3)}
    return {n: colour for n, colour in leds.items() if any(colour)}


def greeted(talk: Talk, leds: int = 400, milliamps: int = 0) -> None:
    talk.hello(leds, milliamps)
    assert talk.ask(PALETTE, RED + ORANGE[1:]).payload == bytes((CODE_DONE,))


# Lights


def test_dark_after_power_until_the_host_speaks(bench: Bench, emulator: Emulator) -> None:
    bench.run(0.05)
    assert emulator.strip() == bytes(3 * MAX_LEDS), "and the strip had shown something before"
    bench.run(5)
    assert len(emulator.refreshes) == 1, "nobody has spoken: no pattern either"


def test_every_bit_keeps_the_datasheet(talk: Talk, emulator: Emulator) -> None:
    chance = Random(6)
    greeted(talk, MAX_LEDS)
    for first in range(3, 123, 20):
        talk.ask(PALETTE, bytes((first,)) + chance.randbytes(60))
    for start in range(0, MAX_LEDS, 15):
        runs = [run(start + n, 1, chance.randrange(128)) for n in range(15)]
        talk.ask(LIGHTS, show(*runs, flags=LIGHTS_SHOW if start > 300 else 0))
    for refresh in emulator.refreshes[2:]:
        assert refresh.bits == 24 * MAX_LEDS
        assert refresh.zero == (6, 6)
        assert refresh.one == (13, 13)
        assert refresh.bit == (20, 20)
    assert len(emulator.refreshes) > 10


def test_a_moved_peg_on_400_leds_reaches_the_latch(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(56, 1, 1)))
    bench.run(0.1)
    talk.ask(LIGHTS, show(run(56, 1, 0), run(57, 1, 1)))
    bench.run(0.01)
    refresh = emulator.refreshes[-1]
    assert lit(emulator) == {57: (255, 0, 0)}
    assert refresh.latched - refresh.first_byte <= 16 * MILLISECOND


def test_no_byte_is_lost_during_a_refresh(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    greeted(talk, MAX_LEDS)
    before = emulator.stats()
    number = talk.say(LIGHTS, show(run(0, 255, 1), run(255, 255, 2)))
    pings = [talk.say(PING) for _ in range(40)]
    bench.run(0.1)
    answered = [frame.number for frame in talk.heard if frame.kind == DONE]
    assert answered[-41:] == [number, *pings]
    talk.say(LIGHTS, show(run(0, 255, 2), run(255, 255, 1)))
    talk.write(bytes(Random(1).choices(range(1, 256), k=2000)) + b"\0")
    bench.run(0.1)
    after = emulator.stats()
    assert after["lost"] == before["lost"] == 0
    assert after["delivered"] - before["delivered"] > 2240
    assert all(refresh.bit == (20, 20) for refresh in emulator.refreshes)


def test_the_rig_would_see_lost_bytes(built: tuple[Path, Path, str], tmp_path: Path) -> None:
    """The same with a firmware that does not empty its port while it shows."""
    source = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, source, ignore=shutil.ignore_patterns("build"))
    strip = source / "strip_ws2812.S"
    strip.write_text(strip.read_text("utf-8").replace("    poll   7", "    idle   7"), "utf-8")
    subprocess.run(["make", "-s", "-C", str(source)], check=True, stdout=subprocess.DEVNULL)
    emulator = Emulator(built[0], source / "build" / "boardctl.elf", tmp_path / "tty")
    bench = Bench(emulator)
    talk = Talk(bench)
    greeted(talk)
    talk.say(LIGHTS, show(run(0, 200, 1)))
    pings = [talk.say(PING) for _ in range(40)]
    bench.run(0.1)
    answered = [frame.number for frame in talk.heard if frame.kind == DONE]
    assert emulator.stats()["lost"] > 150
    assert len(set(pings) - set(answered)) > 20
    bench.kill()
    emulator.close()


def test_a_spoilt_frame_changes_no_light(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(7, 1, 1)))
    bench.run(0.01)
    whole = pack(LIGHTS, 200, show(run(8, 1, 2), run(300, 9, 1)))
    flips = [
        whole[:n] + bytes((whole[n] ^ 1 << bit,)) + whole[n + 1 :]
        for n in range(len(whole) - 1)
        for bit in range(8)
    ]
    cuts = [whole[:n] + b"\0" for n in range(len(whole) - 1)]
    drops = [whole[:n] + whole[n + 1 :] for n in range(len(whole) - 1)]
    doubles = [whole[:n] + whole[n : n + 1] + whole[n:] for n in range(len(whole) - 1)]
    before = len(emulator.refreshes)
    for spoilt in flips + cuts + drops + doubles:
        talk.write(spoilt + b"\0")
        bench.run(0.001)
    bench.run(0.05)
    assert len(emulator.refreshes) == before
    assert lit(emulator) == {7: (255, 0, 0)}
    assert talk.ask(LIGHTS, show(run(8, 1, 2))).payload == bytes((CODE_DONE,))


def test_frames_that_are_sound_but_for_their_check_do_nothing(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(7, 1, 1)))
    bench.run(0.01)
    before = len(emulator.refreshes)
    chance = Random(16)
    for _ in range(1500):
        runs = [run(chance.randrange(400), 1, chance.randrange(128)) for _ in range(3)]
        whole = pack(LIGHTS, chance.randrange(256), show(*runs))
        check = bytes(b or 1 for b in chance.randbytes(2))
        if whole[-3:-1] != check:
            talk.write(whole[:-3] + check + b"\0")
            bench.run(0.0006)
    bench.run(0.05)
    assert len(emulator.refreshes) == before
    assert lit(emulator) == {7: (255, 0, 0)}
    assert int.from_bytes(talk.hello()[10:12], "little") > 1400, "each was counted"


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (LIGHTS, show(run(400, 1, 1))),
        (LIGHTS, show(run(399, 2, 1))),
        (LIGHTS, show(run(0, 1, 128))),
        (LIGHTS, show(run(5, 1, 1), run(65535, 255, 1))),
        (LIGHTS, show() + b"\0"),
        (LIGHTS, b""),
        (PALETTE, bytes((0, 1, 2, 3))),
        (PALETTE, bytes((127,)) + bytes(6)),
        (PALETTE, bytes((1, 2, 3))),
        (PING, b"x"),
        (0x7F, b""),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(
    talk: Talk, bench: Bench, emulator: Emulator, kind: int, payload: bytes
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(7, 1, 1)))
    before = len(emulator.refreshes)
    assert talk.ask(kind, payload).payload == bytes((CODE_MALFORMED,))
    bench.run(0.05)
    assert len(emulator.refreshes) == before
    talk.ask(LIGHTS, show())
    bench.run(0.01)
    assert lit(emulator) == {7: (255, 0, 0)}


def test_a_command_said_again_is_answered_again_and_done_once(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk)
    number = talk.say(LIGHTS, show(run(7, 1, 1)))
    bench.run(0.05)
    before = len(emulator.refreshes)
    assert talk.ask(LIGHTS, show(run(7, 1, 1)), number).payload == bytes((CODE_DONE,))
    bench.run(0.05)
    assert len(emulator.refreshes) == before


def test_a_full_refresh_begins_from_darkness(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(0, 200, 1)))
    talk.ask(LIGHTS, show(run(3, 1, 2), flags=LIGHTS_CLEAR | LIGHTS_SHOW))
    bench.run(0.01)
    assert lit(emulator) == {3: (255, 96, 0)}


def milliamps(strip: bytes, leds: int) -> float:
    red, green, blue = (sum(strip[n : 3 * leds : 3]) for n in range(3))
    return leds + (16 * red + 11 * green + 15 * blue) / 255


@pytest.mark.parametrize("asked", [0, 900, 401, 400, 100, 65535])
def test_the_budget_is_held_whatever_the_host_says(
    talk: Talk, bench: Bench, emulator: Emulator, asked: int
) -> None:
    told = talk.hello(400, asked)
    allowed = min(asked or BUDGET, BUDGET)
    assert int.from_bytes(told[4:6], "little") == allowed
    talk.ask(PALETTE, bytes((1, 255, 255, 255, 200, 100, 50)))
    talk.ask(LIGHTS, show(run(0, 200, 1), run(200, 200, 2)))
    bench.run(0.01)
    drawn = milliamps(emulator.strip(), 400)
    assert drawn <= max(allowed, 400), "dark LEDs draw a milliampere each, nothing can be done"
    if allowed > 500:
        assert drawn > 0.9 * allowed, "and no darker than need be"
    talk.ask(LIGHTS, show(run(10, 1, 1), flags=LIGHTS_CLEAR | LIGHTS_SHOW))
    bench.run(0.01)
    if allowed > 500:
        assert lit(emulator) == {10: (255, 255, 255)}, "one LED is not dimmed"


# Keys


def events(talk: Talk) -> list[tuple[int, int]]:
    """Key and value of every event, each once."""
    seen: dict[int, tuple[int, int]] = {}
    for frame in talk.told():
        told = (frame.payload[0], frame.payload[1])
        assert seen.setdefault(frame.number, told) == told
    return list(seen.values())


def hear(talk: Talk, bench: Bench, seconds: float) -> None:
    """Let time pass and acknowledge every key, as a host does."""
    acknowledged = 0
    for _ in range(round(seconds / 0.005)):
        bench.run(0.005)
        for frame in talk.told()[acknowledged:]:
            talk.say(KEY_SEEN, b"", frame.number)
            acknowledged += 1


@pytest.mark.parametrize("key", range(22))
def test_every_key_is_told_once_through_its_chatter(
    talk: Talk, bench: Bench, emulator: Emulator, key: int
) -> None:
    talk.hello()
    emulator.key(key, True, chatter=5000, seed=key + 1)
    hear(talk, bench, 0.1)
    emulator.key(key, False, chatter=5000, seed=key + 100)
    hear(talk, bench, 0.1)
    assert events(talk) == [(key, 1), (key, 0)]
    assert len(talk.told()) == 2, "an event that was seen is not told again"


def test_a_spike_is_no_key(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    talk.hello()
    for _ in range(5):
        emulator.key(3, True)
        bench.run(0.006)
        emulator.key(3, False)
        bench.run(0.02)
    assert talk.told() == []


def test_three_keys_make_no_ghost(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    talk.hello()
    for name in "125":
        emulator.key(KEYS.index(name), True)
        hear(talk, bench, 0.05)
    emulator.key(KEYS.index("1"), False)
    hear(talk, bench, 0.05)
    told = "".join(KEYS[key] + "-+"[value] for key, value in events(talk))
    assert told == "1+2+1-5+", "5 is believed once it can not be a ghost, 4 never"
    assert emulator.stats()["shorts"] == 0


def test_an_event_is_told_until_it_is_seen(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    talk.hello()
    emulator.key(5, True)
    bench.run(0.5)
    told = talk.told()
    assert 8 <= len(told) <= 11
    assert len({frame.number for frame in told}) == 1
    ages = [int.from_bytes(frame.payload[2:], "little") for frame in told]
    assert ages == sorted(ages)
    assert ages[-1] - ages[0] > 300, "the age grows with each telling"
    talk.say(KEY_SEEN, b"", told[0].number)
    bench.run(0.01)
    heard = len(talk.told())
    bench.run(0.3)
    assert len(talk.told()) == heard


def test_a_full_queue_keeps_the_oldest_and_tells_how_many_are_lost(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    talk.hello()
    keys = [n % 16 for n in range(20)]
    for key in keys:
        for closed in (True, False):
            emulator.key(key, closed)
            bench.run(0.02)
            if not closed:
                talk.say(PING)
    emulator.key(9, True)
    bench.run(0.03)
    talk.heard.clear()
    hear(talk, bench, 0.5)
    told = events(talk)
    assert told[:16] == [(key, value) for key in keys[:8] for value in (1, 0)]
    lost = 2 * len(keys) - 16 + 1
    assert told[16:] == [(KEY_OVERFLOW, lost), (9, 1)], "and where the keys ended up"


def test_keys_survive_a_restart_of_the_host(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    talk.hello()
    emulator.key(4, True)
    hear(talk, bench, 0.05)
    emulator.key(4, False)
    bench.run(0.05)
    bench.kill()
    emulator.key(6, True)
    bench.run(4, host=False)
    again = Talk(bench)
    told = again.hello()
    assert told[1] & link.RESET_SINCE_HELLO == 0
    assert told[6] == 1, "the next event's number"
    assert told[7:10] == bytes((1 << 4, 0, 0)), "down, as far as was seen"
    hear(again, bench, 0.2)
    assert events(again) == [(4, 0), (6, 1)]


def test_a_key_held_through_a_reset_is_no_news(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    talk.hello()
    emulator.key(4, True)
    hear(talk, bench, 0.05)
    emulator.reset(link.RESET_BUTTON)
    bench.run(0.1)
    talk.heard.clear()
    told = talk.hello()
    assert told[1] == link.RESET_BUTTON | link.RESET_SINCE_HELLO
    assert told[7:10] == bytes((1 << 4, 0, 0))
    hear(talk, bench, 0.2)
    assert talk.told() == []
    emulator.key(4, False)
    hear(talk, bench, 0.1)
    assert events(talk) == [(4, 0)]


# Host, boot and watchdog


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


def test_a_host_that_says_goodbye_leaves_the_picture(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(30, 1, 1)))
    talk.say(GOODBYE)
    bench.run(10)
    assert lit(emulator) == {30: (255, 0, 0)}


@pytest.mark.parametrize(
    "cause", [link.RESET_POWER, link.RESET_BUTTON, link.RESET_BROWNOUT, 0], ids=hex
)
def test_after_a_reset_it_is_dark_and_says_why(
    talk: Talk, bench: Bench, emulator: Emulator, cause: int
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(30, 1, 1)))
    bench.run(0.01)
    emulator.reset(cause)
    bench.run(0.05)
    assert lit(emulator) == {}
    assert talk.hello()[1] == cause | link.RESET_SINCE_HELLO
    assert talk.hello()[1] == cause | link.RESET_SINCE_HELLO, "the first may not have been heard"
    talk.ask(PING)
    assert talk.hello()[1] == cause, "the host went on from it: it has been heard"


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
    assert talk.hello()[1] == link.RESET_WATCHDOG | link.RESET_SINCE_HELLO


def noise(bench: Bench, emulator: Emulator, talk: Talk, many: int) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(30, 3, 1)))
    bench.run(0.01)
    before = len(emulator.refreshes)
    picture = emulator.refreshes[-1].leds
    emulator.command(f"noise {many} 20261121")
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


def test_random_bytes_do_nothing(bench: Bench, emulator: Emulator, talk: Talk) -> None:
    noise(bench, emulator, talk, 60_000)


@pytest.mark.long
def test_a_million_random_bytes_do_nothing(bench: Bench, emulator: Emulator, talk: Talk) -> None:
    noise(bench, emulator, talk, 1_000_000)


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
