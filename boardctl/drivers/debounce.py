"""Edges -> presses. One debouncer for every key driver, with the time handed in.

A level counts once it has stayed the same for `settle` seconds; the event carries the time of the
edge that began it. Contacts chatter for up to 5 ms (Ganssle, "A Guide to Debouncing", 2008:
most switches under 5 ms, worst seen 6.2 ms), so 8 ms is the default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardctl.drivers.ports import KeyEvent

SETTLE: Final = 0.008
"""Seconds a contact must be quiet before it is believed."""

STUCK: Final = 10.0
"""Seconds after which a key that is still down is no finger any more: ten times a hold."""


@dataclass(slots=True)
class _Contact:
    pressed: bool = False
    level: bool = False
    since: float = 0.0
    first: float = 0.0


class Debouncer:
    """Levels in by `feed`, settled events out by `settled`."""

    def __init__(self, settle: float = SETTLE) -> None:
        self._settle = settle
        self._contacts: dict[str, _Contact] = {}

    def feed(self, key: str, level: bool, at: float) -> None:
        """A key was seen closed (`level` true) or open."""
        contact = self._contacts.setdefault(key, _Contact())
        if level != contact.level:
            if contact.level == contact.pressed:
                contact.first = at
            contact.level = level
            contact.since = at

    def settled(self, at: float) -> list[KeyEvent]:
        """The events of all contacts that have been quiet long enough by `at`."""
        events = []
        for key, contact in self._contacts.items():
            if contact.level != contact.pressed and at - contact.since >= self._settle - 1e-9:
                contact.pressed = contact.level
                events.append(KeyEvent(key, contact.pressed, contact.first))
        return events

    def due(self) -> float | None:
        """When the next contact will have settled, None where all are."""
        waiting = [c.since for c in self._contacts.values() if c.level != c.pressed]
        return min(waiting) + self._settle if waiting else None

    @property
    def held(self) -> bool:
        """Whether any key is down or about to be."""
        return any(c.pressed or c.level for c in self._contacts.values())

    def stuck(self, at: float, after: float = STUCK) -> tuple[str, ...]:
        """The keys that have been down, unmoving, for `after` seconds and more."""
        return tuple(
            key
            for key, c in self._contacts.items()
            if c.pressed and c.level and at - c.since >= after
        )

    def moving(self, at: float) -> bool:
        """Whether any key is down, or about to be, that is not stuck."""
        still = self.stuck(at)
        return any((c.pressed or c.level) and key not in still for key, c in self._contacts.items())
