"""The rig: the firmware's real binary in an emulator, and a host in step with it.

Emulated time is authoritative. `Bench` is the host's clock: it runs the board until the host's next
timer or the board's next output, then makes the host's calls, so nothing depends on how fast either
ran. Bytes pass through pyserial and a pty as they would through a USB cable.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any, Final

from boardctl.drivers.ports import LEGEND, KeyEvent
from boardctl.drivers.wires import RETRY, CopperWires, SerialLine

HERTZ: Final = 16_000_000
"""The unit of all times reported by an emulator: one cycle of the ATmega328P, six of the
RP2040."""
KEYS: Final = "".join(LEGEND)
_STUCK: Final = 60.0
"""Wall-clock seconds after which a missing byte fails the test."""


@dataclass(frozen=True)
class Refresh:
    """One latched frame seen on the strip's pin. Times and spans are in cycles of `HERTZ`."""

    first_byte: int
    start: int
    latched: int
    bits: int
    zero: tuple[int, int]
    one: tuple[int, int]
    bit: tuple[int, int]
    leds: bytes


class Emulator:
    """A process of `emulator/`, with `words` as its arguments; its `main.c` describes its
    commands."""

    def __init__(self, words: list[str], port: Path) -> None:
        self.port = port
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.cycle = 0
        self.said = 0
        self.spoke = 0
        self.refreshes: list[Refresh] = []
        self.stats()  # by now the port exists

    def command(self, words: str) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(words + "\n")
        answer = self._process.stdout.readline()
        assert answer, f"the emulator ended at {words!r} with status {self._process.wait()}"
        reply: dict[str, Any] = json.loads(answer)
        self.take(reply)
        return reply

    def take(self, kept: dict[str, Any]) -> None:
        """Read the time, port and strip state from an answer."""
        self.cycle = kept["cycle"]
        self.said = kept["said"]
        self.spoke = kept["spoke"]
        for frame in kept["frames"]:
            self.refreshes.append(
                Refresh(
                    frame["first_byte"],
                    frame["start"],
                    frame["latched"],
                    frame["bits"],
                    tuple(frame["zero"]),
                    tuple(frame["one"]),
                    tuple(frame["bit"]),
                    bytes.fromhex(frame["strip"]),
                )
            )

    def stats(self) -> dict[str, Any]:
        return self.command("stats")

    def strip(self) -> bytes:
        """Return the current colour of every LED: red, green and blue."""
        return bytes.fromhex(self.stats()["strip"])

    def key(self, key: int, closed: bool, chatter: int = 0, seed: int = 1) -> None:
        self.command(f"key {key} {int(closed)} {chatter} {seed}")

    def reset(self, cause: int, seconds: float = 0.0) -> None:
        self.command(f"reset {cause} {round(seconds * HERTZ)}")

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        status = self._process.wait(10)
        self._process.stdout.close()
        assert status == 0


class _Call:
    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self.callback = None


class _Line:
    """Counts the bytes that the host has written, so that the board can wait for them."""

    def __init__(self, bench: Bench, line: SerialLine) -> None:
        self._bench = bench
        self._line = line

    def write(self, data: bytes) -> None:
        self._line.write(data)
        self._bench.written += len(data)

    def close(self) -> None:
        self._bench.opened = False
        self._line.close()


class RigWires(CopperWires):
    """The wires of a real machine; its serial lines are synchronised with the board."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._bench = bench

    def serial(
        self,
        port: str,
        baud: int,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
    ) -> Any:
        bench = self._bench

        def hear(data: bytes) -> None:
            bench.taken += len(data)
            received(data)

        def change(trouble: str | None) -> None:
            bench.opened = trouble is None
            if bench.opened:
                bench.on_open()
            changed(trouble)

        line = _Line(bench, SerialLine(self.clock, port, baud, hear, change))
        bench.lines.append(line)
        bench.wait_for_news()
        return line


class Bench:
    """The host's clock, synchronised with the board. `written` counts the bytes sent by the host,
    `taken` the bytes that it has received."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator
        self.wires = RigWires(self)
        self.boot_loader: float | None = None
        """Seconds for which the chip is reset when the port is opened, like an Uno."""
        self.opened = False
        self.written = 0
        self.taken = 0
        self.lines: list[_Line] = []
        self._due: list[tuple[float, int, _Call]] = []
        self._order = count()
        self._soon: deque[Callable[[], object]] = deque()
        self._news = threading.Condition()

    # The clock

    def time(self) -> float:
        return self.emulator.cycle / HERTZ

    def call_at(self, when: float, callback: Callable[[], object]) -> _Call:
        call = _Call(callback)
        heappush(self._due, (when, next(self._order), call))
        return call

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> object:
        with self._news:
            self._soon.append(callback)
            self._news.notify()
        return None

    def wait_for_news(self) -> None:
        """Wait, with the board's time stopped, until a thread has called."""
        with self._news:
            assert self._news.wait_for(lambda: self._soon, _STUCK), "a thread never called"

    def on_open(self) -> None:
        if self.boot_loader is not None:
            self.emulator.reset(2, self.boot_loader)
        self.taken = self.emulator.said  # opening a port discards pending input

    def run(self, seconds: float, host: bool = True) -> None:
        """Let time pass at the board. If `host` is false, the host sleeps in the meantime."""
        end = self.emulator.cycle + round(seconds * HERTZ)
        if host:
            self._make_calls()
        while self.emulator.cycle < end:
            until = end
            if host and self._due:
                until = min(end, max(self.emulator.cycle, int(self._due[0][0] * HERTZ)) + 1)
            self.emulator.command(f"run {until - self.emulator.cycle} {self.written}")
            if host:
                self._make_calls()

    def until(self, reached: Callable[[], bool], seconds: float) -> float:
        """Run until a condition is true, and return the time that this took. Fails after
        `seconds`."""
        began = self.time()
        while not reached():
            assert self.time() < began + seconds, f"not so after {seconds} s"
            self.run(0.001)
        return self.time() - began

    def _make_calls(self) -> None:
        """Run everything that is due, and process all data from the board."""
        while True:
            if self._soon:
                self._soon.popleft()()
            elif self._due and self._due[0][0] <= self.time():
                _, _, call = heappop(self._due)
                if call.callback is not None:
                    call.callback()
            elif self.opened and self.taken < self.emulator.said:
                self.wait_for_news()
            else:
                return

    def kill(self) -> None:
        """End the host abruptly: bytes already written still arrive, but no more follow."""
        for line in self.lines:
            line.close()
        self.lines.clear()
        self._due.clear()
        self._soon.clear()

    def unplug(self) -> None:
        """Unplug the cable; the host notices."""
        self.emulator.command(f"unplug {self.written}")
        self.wait_for_news()

    def plug(self) -> None:
        """Plug the cable in again; the host finds it at its next check. The news of an earlier
        check that found nothing may come only now."""
        self.run(RETRY)
        self.emulator.command("plug")
        while not self.opened:
            self.wait_for_news()
            self._make_calls()

    # Actions of a player

    def tap(self, name: str, chatter: int = 4000, seed: int = 1) -> None:
        """Press and release a key as a finger does: each edge bounces for this many
        microseconds."""
        key = KEYS.index(name)
        self.emulator.key(key, True, chatter, seed)
        self.run(0.06)
        self.emulator.key(key, False, chatter, seed + 1)
        self.run(0.06)


def taps(events: list[KeyEvent]) -> str:
    """Return the pressed keys, after checking that each was released before it was pressed
    again."""
    down: set[str] = set()
    pressed = ""
    for event in events:
        assert event.pressed != (event.key in down), f"{event} tells nothing new"
        (down.add if event.pressed else down.discard)(event.key)
        pressed += event.key if event.pressed else ""
    return pressed


def alone(picture: bytes, phase: int) -> bytes:
    """Return a board's light while its host is gone: an eighth of the picture's light, and every
    eighth LED faintly white."""
    leds = bytearray(value * 32 >> 8 for value in picture)
    for n in range(phase % 8, len(picture) // 3, 8):
        leds[3 * n : 3 * n + 3] = bytes(128 * 32 >> 8 for _ in range(3))
    return bytes(leds)
