"""Night mode: dim the board between two times of day.

The time of day may jump (a Pi without a real-time clock sets it from the network), so it is read
regularly. A brightness chosen in the keypad menu stays until the next beginning or end of the
night.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from boardctl.drivers.ports import Clock, Timer
from boardctl.options import SchemaError

LOOK: Final = 600.0
"""The maximum seconds between two readings of the time of day."""
DAY: Final = 24 * 60


def minute(text: str) -> int:
    """Return `22:30` as minutes after midnight. Raises ValueError if the text is not a time of
    day."""
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text)
    if match is None:
        raise SchemaError("time-of-day", value=text)
    return int(match[1]) * 60 + int(match[2])


@dataclass(frozen=True)
class Options:
    """`[night]`: the beginning and end of the night, as `22:30`. If no beginning is set, there is
    no night mode."""

    begins: str = ""
    ends: str = "07:00"

    def __post_init__(self) -> None:
        for time in (self.begins, self.ends):
            if time:
                minute(time)
        if self.begins and not self.ends:
            raise SchemaError("night-ends")


def dark(options: Options, now: float) -> bool:
    """Return whether it is night `now` minutes after midnight."""
    begins, ends = minute(options.begins), minute(options.ends)
    return begins <= now < ends if begins <= ends else now >= begins or now < ends


def until_change(options: Options, now: float) -> float:
    """Return the number of minutes until night next begins or ends."""
    moments = (minute(options.begins), minute(options.ends))
    return min((moment - now) % DAY or DAY for moment in moments)


class Night:
    """A clock that sets the light when night begins and ends.

    `now` returns the local time in minutes after midnight. `set_light` is called with `night` or
    `bright`.
    """

    def __init__(
        self,
        clock: Clock,
        options: Options,
        now: Callable[[], float],
        set_light: Callable[[str], None],
    ) -> None:
        self._clock = clock
        self._options = options
        self._now = now
        self._set_light = set_light
        self._dark = False
        self._timer: Timer | None = None
        self._adjust()

    def _adjust(self) -> None:
        now = self._now()
        if dark(self._options, now) != self._dark:
            self._dark = not self._dark
            self._set_light("night" if self._dark else "bright")
        wait = min(LOOK, 60 * until_change(self._options, now))
        self._timer = self._clock.call_at(self._clock.time() + wait, self._adjust)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
