"""Limits on the work that one house may cause this board. Pure except for the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

MESSAGES: Final = 120
"""Messages of one house that are taken at once: more than two deals and a hand's play have."""
MESSAGES_A_SECOND: Final = 4.0
"""Messages of one house that are taken in the long run. Fast people say about one line a second."""
REPEATS: Final = 8
"""Requests of one house to send again what is waiting for it, at once."""
REPEATS_A_SECOND: Final = 0.5
WRITTEN: Final = 24 << 20
"""Bytes that are written at once for one house."""
WRITTEN_A_SECOND: Final = 24 << 10
"""Bytes that are written for one house in the long run: 2 GB a day."""
OFFERS: Final = 3
"""Offers of one house that display and voice announce at once; the page shows the others too."""
OFFERS_A_SECOND: Final = 1 / 600
WAITING: Final = 64
"""Messages that wait in one direction between two houses."""
WAITING_BYTES: Final = 1 << 20
"""Bytes of these messages."""
LARGEST: Final = 8 << 20
"""The most bytes of the file of one house: more is neither written nor read."""
LINES: Final = 10_000
"""The most lines of a game."""
SLICE: Final = 8
"""Lines that are put on the table in one turn of the event loop."""


class Allowance:
    """A token bucket: a limit at once and a limit per second in the long run.

    Args:
        burst: the most tokens.
        rate: tokens added per second.
        clock: seconds that never go back.
    """

    def __init__(
        self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left, self._at = burst, clock()

    def _fill(self) -> float:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        return self._left

    def take(self, amount: float = 1.0) -> bool:
        """Take so many tokens, if there are as many."""
        if self._fill() < amount:
            return False
        self._left -= amount
        return True

    def wait(self, amount: float = 1.0) -> float:
        """Return the seconds until this many tokens are available, 0 if they already are."""
        return max(0.0, (min(amount, self._burst) - self._fill()) / self._rate)
