"""The strip's pin: every bit, every refusal, the budget.

Times are cycles of the emulated clock, never wall-clock times.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from boardctl.drivers import budget
from boardctl.drivers.serial_protocol import (
    CODE_DONE,
    CODE_MALFORMED,
    DONE,
    LIGHTS,
    LIGHTS_CLEAR,
    LIGHTS_SHOW,
    MAX_LEDS,
    PALETTE,
    PING,
    pack,
)
from boardctl.drivers.virtual.spi import SHEETS
from tests.firmware.rig import HERTZ, Bench, Emulator
from tests.firmware.talk import Talk, greeted, lit, run, show

MILLISECOND = HERTZ // 1000
BUDGET = budget.Options().milliamps
"""The firmware's budget, unless the Makefile sets another."""
FIRMWARE = Path(__file__).parents[2] / "firmware"


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
        assert refresh.one == (14, 14)
        assert refresh.bit == (20, 20)
    assert len(emulator.refreshes) > 10
    for sheet in SHEETS:
        for high, (highs, lows) in ((6, sheet.zero), (14, sheet.one)):
            assert highs[0] <= high / HERTZ <= highs[1], sheet.name
            assert lows[0] <= (20 - high) / HERTZ <= lows[1], sheet.name


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
    """The same test runs with a firmware that does not drain its port while it shows a frame."""
    source = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, source, ignore=shutil.ignore_patterns("build"))
    strip = source / "strip_ws2812.S"
    strip.write_text(strip.read_text("utf-8").replace("    poll   7", "    idle   7"), "utf-8")
    subprocess.run(["make", "-s", "-C", str(source)], check=True, stdout=subprocess.DEVNULL)
    port = tmp_path / "tty"
    elf = source / "build" / "boardctl.elf"
    emulator = Emulator([str(built[0]), str(elf), str(port)], port)
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


def test_a_corrupt_frame_changes_no_light(talk: Talk, bench: Bench, emulator: Emulator) -> None:
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
    for corrupt in flips + cuts + drops + doubles:
        talk.write(corrupt + b"\0")
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
    for _ in range(500):
        runs = [run(chance.randrange(400), 1, chance.randrange(128)) for _ in range(3)]
        whole = pack(LIGHTS, chance.randrange(256), show(*runs))
        check = bytes(b or 1 for b in chance.randbytes(2))
        if whole[-3:-1] != check:
            talk.write(whole[:-3] + check + b"\0")
            bench.run(0.0006)
    bench.run(0.05)
    assert len(emulator.refreshes) == before
    assert lit(emulator) == {7: (255, 0, 0)}
    assert int.from_bytes(talk.hello()[10:12], "little") > 450, "each was counted"


NONSENSE = (
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
)


def test_nonsense_is_refused_and_changes_nothing(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk)
    talk.ask(LIGHTS, show(run(7, 1, 1)))
    for kind, payload in NONSENSE:
        before = len(emulator.refreshes)
        assert talk.ask(kind, payload).payload == bytes((CODE_MALFORMED,)), (kind, payload)
        bench.run(0.05)
        assert len(emulator.refreshes) == before
        talk.ask(LIGHTS, show())
        bench.run(0.01)
        assert lit(emulator) == {7: (255, 0, 0)}, (kind, payload)


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


@pytest.mark.slow
@pytest.mark.parametrize("asked", [0, 900, 401, 400, 100, 65535])
def test_the_budget_is_held_whatever_the_host_says(
    talk: Talk, bench: Bench, emulator: Emulator, asked: int
) -> None:
    found = talk.hello(400, asked)
    allowed = min(asked or BUDGET, BUDGET)
    assert int.from_bytes(found[4:6], "little") == allowed
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
