"""The hardware parts of a board: LEDs, keys, displays and voices.

A part that cannot be opened (its bus is off, its pins are taken, its package is missing) is
reported and retried. The game, the journal and the other parts never wait for such a part.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from boardctl.console.lights import Displays
from boardctl.drivers.budget import Budgeted
from boardctl.drivers.ports import (
    Clock,
    Display,
    KeyEvent,
    Keys,
    Port,
    PortError,
    Speaker,
    Strip,
    Timer,
    reason_of,
)

_log: Final = logging.getLogger(__name__)
AGAIN: Final = 10.0
"""Seconds before a part that could not be opened is retried."""
Report = Callable[[str, str | None], None]


class Parts:
    """The parts of a board. `strip` and `display` stand for the strips and displays opened so
    far."""

    def __init__(
        self,
        clock: Clock,
        report: Report,
        deliver: Callable[[Keys, KeyEvent], None],
        screen: Display,
        wrap: Callable[[Display], Display],
        speak: Callable[[Speaker], Callable[[], None]],
        strip: Budgeted,
    ) -> None:
        """Args:
        report: called with a part and the reason if the part cannot be opened, and with None once
            it is open.
        deliver: receives each keypad's keys.
        screen: a display that is always present.
        wrap: wraps a real display so that the game never waits for it.
        speak: receives each voice, and returns the function that removes it.
        strip: shows the frames on the open part."""
        self.strip = strip
        self.display = Displays(screen)
        self.keys: list[Keys] = []
        self._speaking: dict[Speaker, Callable[[], None]] = {}
        self.clock = clock
        self._report = report
        self._deliver = deliver
        self._wrap = wrap
        self._speak = speak
        self._late: list[_Late] = []
        self.begun = False
        """Whether keys are read and faults reported, which begins once there is a table."""

    def add(self, names: tuple[str, ...], open_ports: Callable[[], Iterable[Port]]) -> None:
        """Open a part, now or as soon as it is available.

        Args:
            names: the part's roles on the board: `leds`, `keys`, `display`, `voice`.
            open_ports: opens the part. Raises PortError.
        """
        late = _Late(self, names, open_ports)
        self._late.append(late)
        late.open()

    def begin(self) -> None:
        """Start listening to the keys and, because there is a table now, report the parts that
        could not be opened."""
        self.begun = True
        for late in self._late:
            late.begin()

    def alive(self) -> bool:
        """Return whether the thread of every open keypad is alive."""
        return all(pad.alive() for pad in self.keys)

    def close(self) -> None:
        """Close every part in reverse order of opening."""
        for late in reversed(self._late):
            late.close()

    def join(self, port: Port, names: tuple[str, ...]) -> Port:
        """Add an open port to the board in these roles, and return the function that closes it. A
        microcontroller that is used only for keys does not drive the LEDs."""
        if isinstance(port, Strip) and "leds" in names:
            self.strip.strip = port
        if isinstance(port, Keys):
            self.keys.append(port)
        if isinstance(port, Display):
            port = self._wrap(port)
            self.display.add(port)
        port.reported.connect(partial(self._report_each, names))
        return port

    def _report_each(self, names: tuple[str, ...], reason: str | None) -> None:
        for name in names:
            self._report(name, reason)

    def begin_port(self, port: Port) -> None:
        """Start reading a keypad, or connect a speaker. Raises PortError."""
        if isinstance(port, Keys):
            port.start(partial(self._deliver, port))
        if isinstance(port, Speaker):
            self._speaking[port] = self._speak(port)

    def leave(self, port: Port) -> None:
        """Remove a port that is no longer open."""
        if port is self.strip.strip:
            self.strip.strip = None
        if isinstance(port, Keys):
            self.keys.remove(port)
        if isinstance(port, Display):
            self.display.remove(port)
        if isinstance(port, Speaker) and port in self._speaking:
            self._speaking.pop(port)()

    def report(self, names: tuple[str, ...], reason: str | None) -> None:
        """Report that a part could not be opened, with the reason, or that it is open now
        (None)."""
        if "leds" in names and reason is not None:
            self.strip.reason = reason
        if "display" in names:
            self.display.reason = reason
        self._report_each(names, reason)


class _Late:
    """A part that is either open or being retried."""

    def __init__(
        self, parts: Parts, names: tuple[str, ...], open_ports: Callable[[], Iterable[Port]]
    ) -> None:
        self._parts = parts
        self._names = names
        self._open_ports = open_ports
        self._ports: list[Port] = []
        self._reason: str | None = None
        self._timer: Timer | None = None

    def open(self) -> None:
        self._timer = None
        try:
            for port in self._open_ports():
                self._ports.append(self._parts.join(port, self._names))
            if self._parts.begun:
                self._start()
        except Exception as error:  # noqa: BLE001 - after any error the board continues without it
            self._failed(error)

    def begin(self) -> None:
        if self._reason is not None:
            self._parts.report(self._names, self._reason)
            return
        try:
            self._start()
        except Exception as error:  # noqa: BLE001 - as above
            self._failed(error)

    def _start(self) -> None:
        for port in self._ports:
            self._parts.begin_port(port)
        if self._reason is not None:
            self._reason = None
            self._parts.report(self._names, None)

    def _failed(self, error: Exception) -> None:
        self._let_go()
        before, self._reason = self._reason, reason_of(error)
        if not isinstance(error, PortError) and self._reason != before:
            _log.error("%s: cannot be opened", self._names[0], exc_info=error)
        if self._parts.begun:
            self._parts.report(self._names, self._reason)
        self._timer = self._parts.clock.call_at(self._parts.clock.time() + AGAIN, self.open)

    def _let_go(self) -> None:
        for port in self._ports:
            self._parts.leave(port)
            port.close()
        self._ports.clear()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._let_go()
