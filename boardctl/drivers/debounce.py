"""The debouncer used by all key drivers, which converts edges to presses. The caller passes the
time.

A level is accepted once it has been stable for `SETTLE` seconds. The event's time is that of the
last edge before the level became stable. Contacts bounce for up to 5 ms (Ganssle, "A Guide to
Debouncing", 2008: most switches under 5 ms, worst seen 6.2 ms), so 8 ms is the default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardctl.drivers.ports import KeyEvent

SETTLE: Final = 0.008
"""Seconds that a contact must be stable before it is accepted."""

STUCK: Final = 10.0
"""Seconds after which a pressed key counts as stuck: ten times the duration of a hold."""


@dataclass(slots=True)
class _Contact:
    pressed: bool = False
    level: bool = False
    since: float = 0.0
    """The time of the contact's last edge."""


class Debouncer:
    """A debouncer. `feed` takes levels, and `settled` returns debounced events."""

    def __init__(self) -> None:
        self._contacts: dict[str, _Contact] = {}

    def feed(self, key: str, level: bool, at: float) -> None:
        """Record that a key's contact is closed (`level` is true) or open."""
        contact = self._contacts.setdefault(key, _Contact())
        if level != contact.level:
            contact.level = level
            contact.since = at

    def settled(self, at: float) -> list[KeyEvent]:
        """Return the events of all contacts that have been stable long enough at time `at`."""
        events = []
        for key, contact in self._contacts.items():
            if contact.level != contact.pressed and at - contact.since >= SETTLE - 1e-9:
                contact.pressed = contact.level
                events.append(KeyEvent(key, contact.pressed, contact.since))
        return events

    def next_settled(self) -> float | None:
        """Return the time when the next contact will have settled, or None if all contacts have
        settled."""
        waiting = [c.since for c in self._contacts.values() if c.level != c.pressed]
        return min(waiting) + SETTLE if waiting else None

    @property
    def has_key_down(self) -> bool:
        """Whether any key is down or bouncing."""
        return any(c.pressed or c.level for c in self._contacts.values())

    def stuck(self, at: float, after: float = STUCK) -> tuple[str, ...]:
        """Return the keys that have been held down for at least `after` seconds without
        interruption."""
        return tuple(
            key
            for key, c in self._contacts.items()
            if c.pressed and c.level and at - c.since >= after
        )

    def moving(self, at: float) -> bool:
        """Return whether any key that is not stuck is down or bouncing."""
        still = self.stuck(at)
        return any((c.pressed or c.level) and key not in still for key, c in self._contacts.items())
