"""Clock corrections: lines stored with a wrong time are read with the correct time."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from boardctl.record.record import Entry
from boardctl.storage import schema

_END_OF_TIME: Final = 253_402_300_800
"""The year 10000 (seconds since 1970), which no date can have."""


class ClockCorrection(NamedTuple):
    """A correction for lines written while the clock was wrong: add `seconds` to the times of lines
    `since` to `upto`."""

    since: int
    upto: int
    seconds: float


def add_correction(db: sqlite3.Connection, correction: ClockCorrection) -> None:
    """Store a correction of the clock. Raises sqlite3.Error."""
    db.execute(schema.ADD_CLOCK)
    db.execute("INSERT INTO clock VALUES (?, ?, ?)", correction)


def corrections(db: sqlite3.Connection) -> tuple[ClockCorrection, ...]:
    """Return all clock corrections. If their table cannot be read, return no corrections, because
    only times depend on them."""
    try:
        rows = db.execute("SELECT since, upto, seconds FROM clock").fetchall()
    except sqlite3.Error:
        return ()
    return tuple(map(ClockCorrection._make, rows))


def corrected(
    entries: Sequence[Entry], corrections: Sequence[ClockCorrection]
) -> tuple[Entry, ...]:
    """Return lines with corrected times, in the same order. An evening that is named after its date
    is renamed accordingly. An impossible time is replaced by 1970."""
    found = []
    for entry in entries:
        at = entry.at + sum(c.seconds for c in corrections if c.since <= entry.number <= c.upto)
        text = entry.text
        if not 0 <= at < _END_OF_TIME:
            at = 0.0
        if at != entry.at and text == _dated(entry.at):
            text = _dated(at)
        found.append(entry._replace(text=text, at=at))
    return tuple(found)


def _dated(at: float) -> str:
    """Return the first line of an evening that is named after its date."""
    return f"session {day(at)}"


def day(at: float) -> str:
    """Return the local date at a time (seconds since 1970), in the form used for an evening's
    name."""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(at))
    except (OverflowError, ValueError, OSError):  # a damaged time
        return ""
