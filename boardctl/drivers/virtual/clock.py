"""A virtual clock for `boardctl simulate` and tests."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count


class _Call:
    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self.callback = None


class VirtualClock:
    """A `ports.Clock` whose time passes only in `run`. `calls` counts the calls that it has
    made."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now
        self._order = count()
        self._calls: list[tuple[float, int, _Call]] = []
        self.calls = 0

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], object]) -> _Call:
        call = _Call(callback)
        heappush(self._calls, (max(when, self._now), next(self._order), call))
        return call

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> _Call:
        return self.call_at(self._now, callback)

    def run(self, seconds: float = 0.0) -> None:
        """Advance the time, and make every due call in order."""
        end = self._now + seconds
        while self._calls and self._calls[0][0] <= end:
            when, _, call = heappop(self._calls)
            self._now = max(self._now, when)
            if call.callback is not None:
                self.calls += 1
                call.callback()
        self._now = end

    @property
    def idle(self) -> bool:
        """Whether no call is scheduled."""
        return all(call.callback is None for _, _, call in self._calls)
