"""The virtual chip compared with the firmware's real binary: same input, same answers, same
light."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.drivers import serial_protocol
from boardctl.drivers.serial_protocol import Deframer, Frame, pack
from boardctl.drivers.virtual.chip import BUDGET, Chip
from boardctl.drivers.virtual.clock import VirtualClock
from tests.firmware.rig import KEYS, Bench, Emulator
from tests.firmware.talk import Talk


class Both:
    """Both chips, side by side."""

    def __init__(self, bench: Bench, emulator: Emulator) -> None:
        self.bench = bench
        self.emulator = emulator
        self.talk = Talk(bench)
        self.clock = VirtualClock()
        self.lit = b""
        self.chip = Chip(self.clock, self._watch)
        self.received: list[Frame] = []
        self._deframer = Deframer()
        self.chip.say = lambda data: self.received.extend(self._deframer.feed(data))

    def _watch(self, lit: bytes) -> None:
        self.lit = lit

    def run(self, seconds: float) -> None:
        self.bench.run(seconds)
        self.clock.run(seconds)

    def ask(self, kind: int, payload: bytes, number: int) -> None:
        real = self.talk.ask(kind, payload, number)
        (virtual,) = Deframer().feed(self.chip.take(pack(kind, number, payload)))
        assert virtual == real
        self.run(0.03)

    def check_lights(self) -> None:
        assert self.emulator.strip()[: len(self.lit)] == self.lit

    def seen(self, many: int) -> None:
        """Acknowledge this many events on both, and compare them."""
        for _ in range(many):
            self.run(0.06)
            real, virtual = self.talk.received()[-1], self.received[-1]
            assert (virtual.number, virtual.payload[:2]) == (real.number, real.payload[:2])
            self.talk.say(serial_protocol.KEY_SEEN, b"", real.number)
            self.chip.take(pack(serial_protocol.KEY_SEEN, virtual.number))


@pytest.fixture
def both(bench: Bench, emulator: Emulator) -> Both:
    return Both(bench, emulator)


def question(chance: Random, leds: int) -> tuple[int, bytes]:
    """Return a message that a host could send, valid or not."""
    match chance.randrange(10):
        case 0:
            version = chance.choice((serial_protocol.PROTOCOL_VERSION,) * 8 + (0,))
            asked = chance.choice((0, leds, leds + 1, 3, 700))
            budget = chance.choice((0, 0, 500, BUDGET + 1, 65535))
            payload = bytes((version,)) + asked.to_bytes(2, "little") + budget.to_bytes(2, "little")
            return serial_protocol.HELLO, payload
        case 1 | 2 | 3:
            many = chance.randrange(21)
            return serial_protocol.PALETTE, bytes((chance.randrange(130),)) + chance.randbytes(
                3 * many
            )
        case 4:
            return chance.choice((serial_protocol.PING, 0x55)), chance.randbytes(
                chance.choice((0, 0, 0, 1))
            )
        case _:
            flags = chance.choice((0, 1, 2, 2, 3))
            payload = bytes((flags,))
            for _ in range(chance.randrange(1, 12)):
                start = chance.randrange(leds + chance.choice((0, 0, 0, 3)))
                most = max(1, min(255, leds - start))
                length = chance.choice((0, 1, chance.randint(1, most)))
                payload += start.to_bytes(2, "little") + bytes((length, chance.randrange(128)))
            return serial_protocol.LIGHTS, payload


@pytest.mark.parametrize("turns", [60, pytest.param(250, marks=pytest.mark.long)])
def test_they_say_and_show_the_same(both: Both, turns: int) -> None:
    chance = Random(20)
    number = 0
    leds = 400
    hello = bytes((serial_protocol.PROTOCOL_VERSION,)) + leds.to_bytes(2, "little") + bytes(2)
    both.ask(serial_protocol.PING, b"", number)
    both.ask(serial_protocol.HELLO, hello, 1)
    number = 1
    shown = set()
    for turn in range(turns):
        kind, payload = question(chance, 400)
        if chance.randrange(8):
            number = (number + 1) % 256
        both.ask(kind, payload, number)
        if turn % 50 == 49:  # now and then before the host counts as gone, and after
            both.run(2.8 + turn / 50)
            both.check_lights()
            number = (number + 1) % 256
            both.ask(serial_protocol.HELLO, hello, number)
        both.check_lights()
        shown.add(both.lit)
    assert len(shown) > turns / 6.25, "and not because both were dark"


def test_they_tell_the_same_keys(both: Both) -> None:
    hello = bytes((serial_protocol.PROTOCOL_VERSION, 144, 1, 0, 0))
    both.ask(serial_protocol.HELLO, hello, 1)
    down: set[int] = set()
    for turn in range(24):  # a single row: no ghosts
        key = turn % 4
        both.emulator.key(key, key not in down)
        (both.chip.release if key in down else both.chip.press)(KEYS[key])
        down ^= {key}
        both.run(0.02)
    both.emulator.key(15, True)
    both.chip.press(KEYS[15])
    both.run(0.02)
    both.seen(12)
    both.ask(serial_protocol.HELLO, hello, 3)
    both.seen(6)
    both.ask(serial_protocol.HELLO, hello, 4)
    heard = len(both.talk.received())
    both.run(0.2)
    assert len(both.talk.received()) == heard
