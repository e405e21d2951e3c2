"""A host without driver or link: raw frames and helpers to build them."""

from __future__ import annotations

from boardctl.drivers.serial_protocol import (
    BAUD,
    CODE_DONE,
    DONE,
    GREETING,
    HELLO,
    KEY,
    KEY_SEEN,
    LIGHTS_SHOW,
    PALETTE,
    PROTOCOL_VERSION,
    Deframer,
    Frame,
    pack,
)
from tests.firmware.rig import Bench, Emulator

RED = bytes((1, 255, 0, 0))
ORANGE = bytes((2, 255, 96, 0))


class Talk:
    """The bare line, without driver or link: raw frames."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._deframer = Deframer()
        self._number = 0
        self.heard: list[Frame] = []
        self._line = bench.wires.serial(
            str(bench.emulator.port), BAUD, self._received, lambda trouble: None
        )
        bench.run(0.05)

    def _received(self, data: bytes) -> None:
        self.heard += self._deframer.feed(data)

    def write(self, data: bytes) -> None:
        self._line.write(data)

    def say(self, kind: int, payload: bytes = b"", number: int | None = None) -> int:
        if number is None:
            number = self._number = (self._number + 1) % 256
        self.write(pack(kind, number, payload))
        return number

    def ask(self, kind: int, payload: bytes = b"", number: int | None = None) -> Frame:
        """Send a frame and wait for the answer."""
        number = self.say(kind, payload, number)
        before = len(self.heard)
        wanted = (GREETING, DONE)
        self._bench.until(
            lambda: any(f.number == number and f.kind in wanted for f in self.heard[before:]), 0.1
        )
        return next(f for f in self.heard[before:] if f.number == number and f.kind in wanted)

    def hello(self, leds: int = 400, milliamps: int = 0, version: int = PROTOCOL_VERSION) -> bytes:
        return self.ask(
            HELLO,
            bytes((version,)) + leds.to_bytes(2, "little") + milliamps.to_bytes(2, "little"),
        ).payload

    def received(self) -> list[Frame]:
        """Return the key events received so far, including repeats."""
        return [frame for frame in self.heard if frame.kind == KEY]


def run(start: int, length: int, colour: int) -> bytes:
    return start.to_bytes(2, "little") + bytes((length, colour))


def show(*runs: bytes, flags: int = LIGHTS_SHOW) -> bytes:
    return bytes((flags,)) + b"".join(runs)


def lit(emulator: Emulator) -> dict[int, tuple[int, ...]]:
    """Return every lit LED."""
    strip = emulator.strip()
    leds = {n: tuple(strip[3 * n : 3 * n + 3]) for n in range(len(strip) // 3)}
    return {n: colour for n, colour in leds.items() if any(colour)}


def greeted(talk: Talk, leds: int = 400, milliamps: int = 0) -> None:
    talk.hello(leds, milliamps)
    assert talk.ask(PALETTE, RED + ORANGE[1:]).payload == bytes((CODE_DONE,))


def events(talk: Talk) -> list[tuple[int, int]]:
    """Return key and value of every event, each once."""
    seen: dict[int, tuple[int, int]] = {}
    for frame in talk.received():
        found = (frame.payload[0], frame.payload[1])
        assert seen.setdefault(frame.number, found) == found
    return list(seen.values())


def hear(talk: Talk, bench: Bench, seconds: float) -> None:
    """Let time pass and acknowledge every key, like a host."""
    acknowledged = 0
    for _ in range(round(seconds / 0.005)):
        bench.run(0.005)
        for frame in talk.received()[acknowledged:]:
            talk.say(KEY_SEEN, b"", frame.number)
            acknowledged += 1
