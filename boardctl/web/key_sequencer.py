"""Key presses of several people on one keypad, at a speed the debouncer accepts.

A tap on a screen or by a script can be too short for the debouncer. So each edge follows the
previous one by `TICKS` ticks, in the order of arrival.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Final

from boardctl.drivers.ports import Clock, Timer

TICK: Final = 0.01
TICKS: Final = 3
"""Three ticks of 10 ms between two edges: a contact settles in 8 ms and is scanned every 4 ms
(`debounce.SETTLE`, `gpio_matrix.POLL`). A single wait would fail if the loop is late: the wait and
all scans during it would be due at once, and the key would be released before a scan."""
GAP: Final = TICK * TICKS
MOST: Final = 64
"""Maximum queued edges; a press that finds the queue full is dropped."""


class KeySequencer:
    """Presses and releases by people, in order; a key is down while anyone holds it."""

    def __init__(self, press: Callable[[str, bool], None], clock: Clock) -> None:
        self._press = press
        self._clock = clock
        self._held: dict[str, set[Hashable]] = {}
        self._waiting: deque[tuple[str, bool]] = deque()
        self._timer: Timer | None = None

    def hold(self, who: Hashable, key: str) -> None:
        """`who` presses `key`."""
        holders = self._held.get(key)
        if holders:
            holders.add(who)
        elif len(self._waiting) < MOST:
            self._held[key] = {who}
            self._edge(key, True)

    def let_go(self, who: Hashable, key: str) -> None:
        """`who` releases `key`; does nothing if it was not pressed."""
        holders = self._held.get(key, set())
        if who in holders:
            holders.remove(who)
            if not holders:
                del self._held[key]
                self._edge(key, False)

    def leave(self, who: Hashable) -> None:
        """`who` has disconnected: release all its keys."""
        for key in tuple(self._held):
            self.let_go(who, key)

    def _edge(self, key: str, down: bool) -> None:
        self._waiting.append((key, down))
        if self._timer is None:
            self._tick(0)

    def _tick(self, left: int) -> None:
        if left:
            self._later(left - 1)
        elif self._waiting:
            self._later(TICKS - 1)
            self._press(*self._waiting.popleft())
        else:
            self._timer = None

    def _later(self, left: int) -> None:
        when = self._clock.time() + TICK
        self._timer = self._clock.call_at(when, lambda: self._tick(left))
