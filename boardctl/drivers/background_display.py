"""A real display written in the background, by a thread of its own.

A text for an OLED is a kilobyte: 23 ms of an I2C bus at 400 kHz, 92 ms at the 100 kHz that a Pi
begins with (nine clocks a byte), and neither light nor keys may wait for it. Only the newest text
counts; one that was overtaken is never written. Put around whatever real display there is by the
daemon.
"""

from __future__ import annotations

from functools import partial
from threading import Lock

from boardctl.drivers.ports import Clock, Display, PortError, Worker


class BackgroundDisplay(Display):
    """Another display, which `writer` writes; what goes wrong there is told on the clock's thread,
    and raised by every further `show` until one is written."""

    def __init__(self, display: Display, clock: Clock, writer: Worker) -> None:
        self.columns = display.columns
        self.rows = display.rows
        self.languages = display.languages
        self._display = display
        self._clock = clock
        self._writer = writer
        self._lock = Lock()
        self._waiting: tuple[str, ...] | None = None
        self._writing = False
        self._reason: str | None = None

    def show(self, lines: tuple[str, ...]) -> None:
        with self._lock:
            idle = not self._writing
            self._waiting, self._writing = lines, True
        if idle:
            self._writer.put(self._write)
        if self._reason is not None:
            raise PortError("display", self._reason)

    def _write(self) -> None:
        while (lines := self._next()) is not None:
            reason = None
            try:
                self._display.show(lines)
            except PortError as error:
                reason = error.reason
            if reason != self._reason:
                self._clock.call_soon_threadsafe(partial(self._changed, reason))

    def _next(self) -> tuple[str, ...] | None:
        with self._lock:
            lines, self._waiting = self._waiting, None
            self._writing = lines is not None
            return lines

    def _changed(self, reason: str | None) -> None:
        self._reason = reason
        self.report(reason)

    def close(self) -> None:
        """What waits is written first."""
        self._writer.close()
        self._display.close()
