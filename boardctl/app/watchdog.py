"""Tell systemd that the board is ready and alive.

The watchdog is fed only after a check of everything that a key press needs: the event loop must run
the check, the threads of the key drivers must be alive, and the journal's thread must have
responded. If one of them hangs, systemd restarts the board, which resumes its game. Without
`NOTIFY_SOCKET` and `WATCHDOG_USEC` (sd_notify(3)), this module does nothing.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping

from boardctl.drivers.ports import Clock, Timer, Worker


def notify(message: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a message to systemd, if systemd is listening."""
    address = environment.get("NOTIFY_SOCKET")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.connect("\0" + address[1:] if address.startswith("@") else address)
        systemd.send(message.encode())


def interval(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return the number of seconds between watchdog messages (a third of systemd's limit), or None
    if there is no limit."""
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / 3e6 if microseconds.isdigit() else None


class Watchdog:
    """A watchdog that is fed as long as the key drivers and the journal respond."""

    def __init__(
        self,
        clock: Clock,
        writer: Worker,
        keys_alive: Callable[[], bool],
        feed: Callable[[], None],
        every: float,
    ) -> None:
        self._clock = clock
        self._writer = writer
        self._keys_alive = keys_alive
        self._feed = feed
        self._every = every
        self._timer: Timer | None = None
        self._ask()

    def _ask(self) -> None:
        self._timer = self._clock.call_at(self._clock.time() + self._every, self._ask)
        if self._keys_alive():
            self._writer.put(self._answered)

    def _answered(self) -> None:
        """Record the journal's response. This is called on the journal's thread."""
        self._clock.call_soon_threadsafe(self._feed)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
