"""The rig: the firmware's real binary in the emulator, and a host in step with it.

Emulated time rules. `Bench` is the host's clock: it lets the board run until the host's next
timer or the board's next word, then makes the host's calls, and nothing depends on how fast
either ran. Bytes pass through pyserial and a pty as they would through a USB cable.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any, Final

import serial

from boardctl.drivers.gpio_matrix import LEGEND
from boardctl.ports import KeyEvent

HERTZ: Final = 16_000_000
KEYS: Final = "".join(LEGEND)
LOOK_AGAIN: Final = 0.25
"""Emulated seconds between looks for a port that is away."""
_STUCK: Final = 60.0
"""Wall seconds after which a byte that never arrives fails the test instead of hanging it."""


@dataclass(frozen=True)
class Refresh:
    """One latched frame as seen on the strip's pin. Times and spans are in cycles."""

    first_byte: int
    start: int
    latched: int
    bits: int
    zero: tuple[int, int]
    one: tuple[int, int]
    bit: tuple[int, int]
    leds: bytes


class Emulator:
    """The process of `emulator.c`; its commands are described there."""

    def __init__(self, program: Path, elf: Path, port: Path) -> None:
        self.port = port
        self._process = subprocess.Popen(
            [str(program), str(elf), str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.cycle = 0
        self.said = 0
        self.refreshes: list[Refresh] = []

    def command(self, words: str) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(words + "\n")
        answer = self._process.stdout.readline()
        assert answer, f"the emulator ended at {words!r} with status {self._process.wait()}"
        told: dict[str, Any] = json.loads(answer)
        self.cycle = told["cycle"]
        self.said = told["said"]
        for frame in told["frames"]:
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
        return told

    def stats(self) -> dict[str, Any]:
        return self.command("stats")

    def strip(self) -> bytes:
        """What every LED shows now: red, green, blue each."""
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
    """A serial line of the host: pyserial, with a thread that reads."""

    def __init__(self, bench: Bench, port: str, received: Any, changed: Any) -> None:
        self._bench = bench
        self._port = port
        self._received = received
        self._changed = changed
        self._serial: Any = None
        self._closed = False
        self._open()

    def _open(self) -> None:
        if self._closed:
            return
        try:
            self._serial = serial.Serial(self._port, 115200, exclusive=True)
        except OSError:
            self._bench.call_at(self._bench.time() + LOOK_AGAIN, self._open)
            return
        self._bench.opened()
        threading.Thread(target=self._listen, args=(self._serial,), daemon=True).start()
        self._bench.call_soon_threadsafe(partial(self._changed, None))

    def _listen(self, line: Any) -> None:
        try:
            while data := line.read(max(1, line.in_waiting)):
                self._bench.arrived(len(data), partial(self._hand_over, line, data))
        except (OSError, TypeError, AttributeError) as error:  # pyserial, when closed meanwhile
            self._bench.call_soon_threadsafe(partial(self._broke, line, str(error)))

    def _hand_over(self, line: Any, data: bytes) -> None:
        if line is self._serial:
            self._received(data)

    def _broke(self, line: Any, why: str) -> None:
        if line is self._serial and not self._closed:
            self._let_go()
            self._changed(f"{self._port} is away: {why}")
            self._open()

    def _let_go(self) -> None:
        line, self._serial = self._serial, None
        if line is not None:
            self._bench.closed()
            line.cancel_read()
            line.close()

    def write(self, data: bytes) -> None:
        if self._serial is None:
            raise OSError(f"{self._port} is away")
        self._serial.write(data)
        self._bench.written += len(data)

    def close(self) -> None:
        self._closed = True
        self._let_go()


class Bench:
    """The host's clock and wires. `written` counts the bytes that the host has sent."""

    def __init__(self, emulator: Emulator, resets_on_open: float | None = None) -> None:
        """`resets_on_open`: seconds in a boot loader after the port was opened, as an Uno has."""
        self.emulator = emulator
        self.written = 0
        self.clock = self
        self._resets_on_open = resets_on_open
        self._due: list[tuple[float, int, _Call]] = []
        self._order = count()
        self._soon: deque[Callable[[], object]] = deque()
        self._lines: list[_Line] = []
        self._open = False
        self._taken = 0
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

    def arrived(self, many: int, callback: Callable[[], object]) -> None:
        with self._news:
            self._soon.append(callback)
            self._taken += many
            self._news.notify()

    def opened(self) -> None:
        if self._resets_on_open is not None:
            self.emulator.reset(2, self._resets_on_open)
        self._open = True
        self._taken = self.emulator.said

    def closed(self) -> None:
        self._open = False

    def run(self, seconds: float, host: bool = True) -> None:
        """Let so much time pass at the board; the host sleeps through it where `host` is false."""
        end = self.emulator.cycle + round(seconds * HERTZ)
        while True:
            if host:
                self._make_calls()
            if self.emulator.cycle >= end:
                return
            until = end
            if host and self._due:
                until = min(end, max(self.emulator.cycle + 1, int(self._due[0][0] * HERTZ) + 1))
            self.emulator.command(f"run {until - self.emulator.cycle} {self.written}")
            self._hear_all()

    def until(self, reached: Callable[[], bool], seconds: float) -> float:
        """Run until something is so; how long it took. Fails after `seconds`."""
        began = self.time()
        while not reached():
            assert self.time() < began + seconds, f"not so after {seconds} s"
            self.run(0.001)
        return self.time() - began

    def _hear_all(self) -> None:
        """Wait until the reading thread has handed over all that the board has said."""
        with self._news:
            heard = self._news.wait_for(
                lambda: not self._open or self._taken >= self.emulator.said, _STUCK
            )
        assert heard, f"{self.emulator.said - self._taken} bytes were said and never arrived"

    def _make_calls(self) -> None:
        while self._soon or (self._due and self._due[0][0] <= self.time()):
            if self._soon:
                self._soon.popleft()()
            else:
                _, _, call = heappop(self._due)
                if call.callback is not None:
                    call.callback()

    def kill(self) -> None:
        """The host ends without a word: what it had written is on its way, no more comes."""
        self._due.clear()
        for line in self._lines:
            line.close()
        self._lines.clear()
        self._soon.clear()

    # The wires

    def serial(
        self,
        port: str,
        baud: int,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
    ) -> _Line:
        line = _Line(self, port, received, changed)
        self._lines.append(line)
        return line

    # What a player does

    def tap(self, name: str, chatter: int = 4000, seed: int = 1) -> None:
        """Press and let go, as a finger does: each edge chatters for so many microseconds."""
        key = KEYS.index(name)
        self.emulator.key(key, True, chatter, seed)
        self.run(0.06)
        self.emulator.key(key, False, chatter, seed + 1)
        self.run(0.06)


def taps(events: list[KeyEvent]) -> str:
    """The keys that were pressed, after a check that each was let go before it came again."""
    down: set[str] = set()
    pressed = ""
    for event in events:
        assert event.pressed != (event.key in down), f"{event} tells nothing new"
        (down.add if event.pressed else down.discard)(event.key)
        pressed += event.key if event.pressed else ""
    return pressed


