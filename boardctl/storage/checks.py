"""Checks of a journal's content: damage, missing lines, and evenings that would take too long to
read.

Each fault is reported as one sentence. The checks do not change the file, and reading a foreign
file is safe.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from boardctl.record.position import MOST_CARRIED, MOST_EFFORT, Effort
from boardctl.storage import pages, schema
from boardctl.storage.schema import LAST
from boardctl.text import Sentence


def damage(db: sqlite3.Connection, most: int = 20) -> Iterator[str]:
    """Return the faults of a journal: those found by SQLite's check of every page, an incomplete
    last session, and sessions that would take too long to read. If the schema is foreign, return
    only that fault. A sqlite3.Error counts as damage and is not raised."""
    try:
        if strange := tuple(schema.strange(db)):
            yield from strange
            return
        yield from page_damage(db, most)
        yield from _impossible(db)
        yield from _last_session(db)
        yield from _too_long(db, 0)
    except sqlite3.Error as error:
        yield str(error)


def page_damage(db: sqlite3.Connection, most: int = 20) -> Iterator[str]:
    """Return the faults that SQLite's check finds in the pages, and the faults in the log. The
    schema must be our own, because the check evaluates it. Raises sqlite3.Error."""
    for (answer,) in db.execute(f"PRAGMA quick_check({most})"):
        if answer != "ok":
            yield str(answer).splitlines()[-1]
    yield from _log_damage(db)


def recent_damage(db: sqlite3.Connection) -> Iterator[str]:
    """Return the faults in the schema and in the last session. If there are none, a board can
    continue. The time needed does not grow with the journal."""
    try:
        faults = [*schema.strange(db), *_impossible(db, ("max",))]
        if not faults:
            (last,) = db.execute("SELECT max(first) FROM session").fetchone()
            faults = [*_too_long(db, last or 0)] or [*_last_session(db)]
        yield from faults
        yield from _log_damage(db)
    except sqlite3.Error as error:
        yield str(error)


def _impossible(db: sqlite3.Connection, ends: tuple[str, ...] = ("min", "max")) -> Iterator[str]:
    """Return a fault for each line number that is too low or too high."""
    for column, table in (("number", "line"), ("first", "session")):
        # One at a time: SQLite finds a minimum or a maximum at once, but reads everything to find
        # both.
        for end in ends:
            (number,) = db.execute(f"SELECT {end}({column}) FROM {table}").fetchone()
            if number is not None and not 0 < number < LAST:
                yield Sentence("fault", "impossible", number=number)


def _too_long(db: sqlite3.Connection, since: int) -> Iterator[str]:
    """Return a fault for each session, from a given line on, that would take too long to read again
    or contains a malformed line."""
    sessions = db.execute("SELECT first, prelude FROM session WHERE first >= ?", (since,))
    for first, prelude in sessions:
        if not isinstance(prelude, str):
            yield Sentence("fault", "no-text", line=first)
            continue
        effort = Effort(prelude)
        if effort.total > MOST_CARRIED:
            yield Sentence("fault", "carries-too-much", line=first)
            continue
        lines = db.execute(
            "SELECT text, at, by FROM line NOT INDEXED WHERE number >= ? AND number < "
            "ifnull((SELECT min(first) FROM session WHERE first > ?), ?) ORDER BY number",
            (first, first, LAST),
        )
        for text, at, by in lines:
            if not (isinstance(text, str) and isinstance(at, float) and isinstance(by, str)):
                yield Sentence("fault", "bad-line", line=first)
                break
            if effort.add(text) > MOST_EFFORT:
                yield Sentence("fault", "too-long", line=first)
                break


def _log_damage(db: sqlite3.Connection) -> Iterator[str]:
    """Return the faults in the log. SQLite reads a log up to its first damaged frame, and silently
    ignores the frames after it."""
    # As bytes, because a file name need not be UTF-8.
    query = "SELECT CAST(file AS BLOB) FROM pragma_database_list WHERE name = 'main'"
    (file,) = db.execute(query).fetchone()
    if file and pages.unread_commits(Path(os.fsdecode(file))) > 1:
        yield Sentence("fault", "log")


def _last_session(db: sqlite3.Connection) -> Iterator[str]:
    """Return the faults in the last session. All its lines must exist, because otherwise the loss
    of a page could make the board continue with an older score."""
    (first,) = db.execute("SELECT max(first) FROM session").fetchone()
    last, count = db.execute(
        "SELECT max(number), count(*) FROM line NOT INDEXED WHERE number >= ?", (first or 0,)
    ).fetchone()
    if first is None and last is None:
        return
    if first is None or last is None:
        yield Sentence("fault", "no-session")
        return
    (others,) = db.execute(
        "SELECT count(*) FROM line NOT INDEXED WHERE number >= ? AND session <> ?", (first, first)
    ).fetchone()
    if count != last - first + 1 or others:
        yield Sentence("fault", "missing-between", line=first, last=last)
