"""Requests from the network that somebody at the board can allow."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from boardctl.console.keypad import Request

WAITS: Final = 120.0
"""Seconds for which a request can be allowed."""
KEPT: Final = 60.0
"""Seconds within which an allowed action can be carried out. For the same time, the number of an
ended request is not reused, because somebody may be about to type it."""


@dataclass(eq=False)
class PendingRequest:
    """A request: its origin, its purpose, and the time until which it is open, allowed or
    remembered."""

    request: Request
    key: Hashable
    address: str
    guest: bool
    until: float
    allowed: bool = False
    closed: bool = False


class Requests:
    """The requests at one board, oldest first.

    Args:
        steady: returns seconds of a monotonic clock.
    """

    def __init__(self, steady: Callable[[], float] = monotonic) -> None:
        self.steady = steady
        self._pending: list[PendingRequest] = []
        self._count = 0

    def next_identity(self) -> int:
        """Return a number that has not been used for a request."""
        self._count += 1
        return self._count

    def add(self, request: Request, key: Hashable, address: str, guest: bool) -> None:
        """Open a request for `WAITS` seconds."""
        self._pending.append(PendingRequest(request, key, address, guest, self.steady() + WAITS))

    def open(self) -> tuple[Request, ...]:
        """Return the requests that can be allowed now."""
        return tuple(asked.request for asked in self.remembered() if not asked.closed)

    def remembered(self) -> list[PendingRequest]:
        """Return the requests that are remembered now.

        A request that nobody has allowed in time is closed, and a closed request is forgotten after
        `KEPT` seconds.
        """
        now = self.steady()
        for asked in self._pending:
            if asked.until <= now and not asked.closed:
                self.close(asked)
        self._pending = [asked for asked in self._pending if asked.until > now]
        return self._pending

    def find(self, key: Hashable) -> PendingRequest | None:
        """Return the request with this key, or None if there is no such request."""
        return next((asked for asked in self.remembered() if asked.key == key), None)

    def close(self, asked: PendingRequest) -> None:
        """Close a request. It can no longer be allowed, and is remembered for `KEPT` seconds."""
        asked.closed = True
        asked.until = self.steady() + KEPT
