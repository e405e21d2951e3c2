"""Limits on the work that one house can cause on this board. Pure except for the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

MESSAGES: Final = 120
"""The number of messages accepted from one house at once. Two deals and the play of a hand need
fewer."""
MESSAGES_A_SECOND: Final = 4.0
"""The number of messages accepted from one house per second in the long run. Fast players enter
about one line per second."""
REPEATS: Final = 8
"""The number of requests from one house, at once, to resend its waiting messages."""
REPEATS_A_SECOND: Final = 0.5
WRITTEN: Final = 24 << 20
"""The number of bytes written at once for one house."""
WRITTEN_A_SECOND: Final = 24 << 10
"""The number of bytes written per second for one house in the long run: 2 GB a day."""
OFFERS: Final = 3
"""The number of offers from one house that display and voice announce at once. The page shows
further offers too."""
OFFERS_A_SECOND: Final = 1 / 600
WAITING: Final = 64
"""The maximum number of messages that may wait in one direction between two houses."""
WAITING_BYTES: Final = 1 << 20
"""The total size of these messages in bytes."""
LARGEST: Final = 8 << 20
"""The maximum size in bytes of one house's file. Larger files are neither written nor read."""
LINES: Final = 10_000
"""The maximum number of lines in a game."""
SLICE: Final = 8
"""The number of lines entered on the table in one turn of the event loop."""


class Allowance:
    """A token bucket, which limits bursts and the average rate.

    Args:
        burst: the maximum number of tokens.
        rate: tokens added per second.
        clock: returns monotonic seconds.
    """

    def __init__(
        self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._tokens, self._at = burst, clock()

    def _fill(self) -> float:
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        return self._tokens

    def take(self, amount: float = 1.0) -> bool:
        """Take this many tokens if they are available."""
        if self._fill() < amount:
            return False
        self._tokens -= amount
        return True

    def wait(self, amount: float = 1.0) -> float:
        """Return the seconds until this many tokens are available, or 0 if they already are."""
        return max(0.0, (min(amount, self._burst) - self._fill()) / self._rate)
