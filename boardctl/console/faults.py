"""Failed and recovered parts: their messages on the display, and attempts to restart them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from boardctl import text
from boardctl.drivers.ports import Clock, Timer
from boardctl.message import Message

_log: Final = logging.getLogger(__name__)
RETRY: Final = 1.0
"""Seconds until a failed write or a failed part is retried."""
SLOWEST: Final = 30.0
"""The maximum seconds between two attempts to use a failed part. Each wait is twice the previous
one."""
WELL: Final = 10.0
"""Seconds for which the display says that a part works again."""


class Faults:
    """The faults of one table.

    Args:
        on_change: called soon after the result of `lines` has changed.
        on_recovery: called when the list of recovered parts has changed; the voice reports them.
        retry_all: called to try every part again. It must report the parts that work now.
    """

    def __init__(
        self,
        clock: Clock,
        on_change: Callable[[], None],
        on_recovery: Callable[[], None],
        retry_all: Callable[[], None],
    ) -> None:
        self.reasons: dict[str, str] = {}
        """The failed parts, each with its reason."""
        self._clock = clock
        self._on_change = on_change
        self._on_recovery = on_recovery
        self._retry_all = retry_all
        self._unlogged = set[str]()
        """The parts with new faults, which may soon disappear."""
        self._recovered: tuple[str, ...] = ()
        """The recovered parts that the display still reports."""
        self._recovered_until: Timer | None = None
        self._healing: Timer | None = None
        self._heals_in = RETRY

    def report(self, part: str, reason: str | None) -> None:
        """Report that a part has failed, with the reason, or that it works again (None). If the
        part is still failing after a retry, the reason is logged once. The recovery is then logged,
        displayed and spoken."""
        before = dict(self.reasons)
        if reason is not None and reason != before.get(part):
            self._unlogged.add(part)
        if reason is None:
            if self.reasons.pop(part, None) is not None and part not in self._unlogged:
                _log.warning("%s: works again", part)
                self._say_recovered((*self._recovered, part))
            self._unlogged.discard(part)
        else:
            self.reasons[part] = reason
            if part in self._recovered:
                self._say_recovered(tuple(one for one in self._recovered if one != part))
        if self.reasons.keys() != before.keys():
            self._heals_in = RETRY
            if self._healing is not None and reason is not None:
                self._healing.cancel()
                self._healing = None
        if reason is not None and self._healing is None:
            self._healing = self._clock.call_at(self._clock.time() + self._heals_in, self._heal)
            self._heals_in = min(2 * self._heals_in, SLOWEST)
        if self.reasons != before:
            self._clock.call_soon_threadsafe(self._on_change)

    def not_saved(self, reason: str, retry: Callable[[], object]) -> None:
        """Report a failed write, which is retried later."""
        if "journal" not in self.reasons:
            _log.error(reason)
        self.reasons["journal"] = reason
        self._clock.call_at(self._clock.time() + RETRY, retry)

    def lines(self, lines: tuple[str, ...], language: str) -> tuple[str, ...]:
        """Return the display's lines together with the lines about faults. The faults come first if
        entries cannot be saved."""

        def pair(code: str, parts: tuple[str, ...]) -> tuple[str, str]:
            names = text.parts_named(parts, language)
            return text.say(Message("keypad", code), text.Reader(language)), text.listed(
                names, language
            )

        if self._recovered:
            lines = (*lines, *pair("well", self._recovered))
        if self.reasons:
            fault = pair("fault", tuple(self.reasons))
            return (*fault, *lines) if "journal" in self.reasons else (*lines, *fault)
        return lines

    def _say_recovered(self, parts: tuple[str, ...]) -> None:
        """Show for a while that these parts work again, but say so only once. An empty list ends
        the message."""
        if self._recovered_until is not None:
            self._recovered_until.cancel()
            self._recovered_until = None
        if parts:
            ends = self._clock.time() + WELL
            self._recovered_until = self._clock.call_at(ends, lambda: self._say_recovered(()))
        self._recovered = parts
        self._clock.call_soon_threadsafe(self._on_change)
        self._on_recovery()

    def _heal(self) -> None:
        """Retry every part, because a failed part may work now."""
        self._healing = None
        self._retry_all()
        for part, reason in self.reasons.items():
            if part in self._unlogged:  # it has not recovered
                _log.warning("%s: %s", part, reason)
        self._unlogged.clear()
