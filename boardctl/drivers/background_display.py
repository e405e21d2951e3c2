"""A wrapper that writes to a real display on a separate thread.

A text for an OLED consists of a kilobyte, which takes 23 ms on an I2C bus at 400 kHz, or 92 ms at a
Pi's default of 100 kHz (nine clocks per byte). Neither the lights nor the keys may wait that long.
Only the newest text is written; older pending texts are dropped.
"""

from __future__ import annotations

import logging
from functools import partial
from threading import Lock
from typing import Final

from boardctl.drivers.ports import Clock, Display, PortError, Worker, reason_of

_log: Final = logging.getLogger(__name__)


class BackgroundDisplay(Display):
    """A display to which `writer` writes. An error is reported on the clock's thread, and every
    further `show` raises it until a write succeeds."""

    def __init__(self, display: Display, clock: Clock, writer: Worker) -> None:
        self.columns = display.columns
        self.rows = display.rows
        self.languages = display.languages
        self._display = display
        self._clock = clock
        self._writer = writer
        self._lock = Lock()
        self._waiting: tuple[str, tuple[str, ...]] | None = None
        self._writing = False
        self._reason: str | None = None

    def show(self, lines: tuple[str, ...]) -> None:
        self.show_link("", lines)

    def show_link(self, link: str, lines: tuple[str, ...]) -> None:
        with self._lock:
            idle = not self._writing
            self._waiting, self._writing = (link, lines), True
        if idle:
            self._writer.put(self._write)
        if self._reason is not None:
            raise PortError("display", self._reason)

    def _write(self) -> None:
        while (waiting := self._next()) is not None:
            reason = None
            try:
                if waiting[0]:
                    self._display.show_link(*waiting)
                else:
                    self._display.show(waiting[1])
            except Exception as error:  # noqa: BLE001 - the next text is written whatever the error
                reason = reason_of(error)
                if not isinstance(error, PortError) and reason != self._reason:
                    _log.exception("the display could not be written")
            if reason != self._reason:
                self._clock.call_soon_threadsafe(partial(self._changed, reason))

    def _next(self) -> tuple[str, tuple[str, ...]] | None:
        with self._lock:
            waiting, self._waiting = self._waiting, None
            self._writing = waiting is not None
            return waiting

    def _changed(self, reason: str | None) -> None:
        self._reason = reason
        self.report(reason)

    def close(self) -> None:
        """Write the pending text, then close the display."""
        self._writer.close()
        self._display.close()
