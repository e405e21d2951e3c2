"""Check a damaged journal, and build a new one from its readable content.

The damaged file is never changed. It is kept, with its log, under another name.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from boardctl.record.record import Entry
from boardctl.storage import checks, database, pages, rows
from boardctl.storage.clock import ClockCorrection
from boardctl.storage.database import (
    NAME,
    NEXT,
    DamagedError,
    JournalError,
    UnwritableError,
)
from boardctl.text import Sentence

_MISSES: Final = 10_000
"""The number of consecutive unreadable line numbers after which the search stops."""


@dataclass(frozen=True, slots=True)
class Health:
    """The readable sessions and lines of a journal, and its faults, each as one sentence.

    `damaged` lists the faults that `repair` repairs. `doubtful` lists the lines that this version's
    referee rejects. These lines are kept, and the game continues without them.
    """

    sessions: int
    lines: int
    damaged: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()

    @property
    def troubles(self) -> tuple[str, ...]:
        return (*self.damaged, *self.doubtful)


@dataclass(frozen=True, slots=True)
class _Found:
    """The readable content of a journal."""

    preludes: dict[int, str]
    lines: list[tuple[int, Entry]]
    name: str | None = None
    outbox: list[tuple[Any, ...]] = field(default_factory=list)
    corrections: list[ClockCorrection] = field(default_factory=list)

    def evenings(self) -> Iterator[tuple[int, str, list[Entry]]]:
        """Yield the evenings, oldest first, each as the number of its first line, its prelude (the
        state carried over from the previous evening), and its lines."""
        mine: dict[int, list[Entry]] = {first: [] for first in sorted(self.preludes)}
        for session, entry in sorted(self.lines):
            mine[session].append(entry)
        for first, entries in mine.items():
            yield first, self.preludes[first], entries


def check(path: Path) -> Health:
    """Check a whole journal: first the file, with SQLite's integrity check, and then each line,
    against the rules of its game.

    Raises:
        JournalError: if the file is missing or is not a boardctl journal.
    """
    try:
        with closing(database.read_only(path)) as db:
            damaged: list[str] = [
                Sentence("fault", "file", fault=fault) for fault in checks.damage(db)
            ]
            found = _read(db, path)
    except DamagedError as error:
        return Health(0, 0, (Sentence("fault", "error", reason=error),))
    damaged += _gaps(found.lines)
    doubtful: list[str] = []
    for first, prelude, entries in found.evenings():
        for part in rows.parts(first, prelude, entries):
            doubtful += rows.rejected(*part)
    return Health(len(found.preludes), len(found.lines), tuple(damaged), tuple(doubtful))


def salvage(path: Path, target: Path) -> Health:
    """Copy every readable line into a new journal and sync the new file.

    Lines after a gap in a session are omitted, because they depend on the missing lines.

    Raises:
        JournalError: if `path` is not a journal, or if `target` exists or cannot be written.
    """
    if target.exists():
        raise JournalError(target, "exists-repair")
    try:
        with suppress(DamagedError):
            return _copied(path, target)
        return _write(_read_file(path), target)
    except (sqlite3.Error, OSError) as error:
        raise UnwritableError(target, "failed", reason=error) from error


def _copied(path: Path, target: Path) -> Health:
    """Copy a journal whose rows are all readable."""
    with database.building(target) as new:
        sessions, lines, left_out, _ = rows.copy(path, new, repairing=True, judging=False)
    return _health(sessions, lines, left_out, "left-out-long")


def _health(sessions: int, lines: int, left_out: int, which: str) -> Health:
    return Health(sessions, lines, (Sentence("fault", which, lines=left_out),) if left_out else ())


def _read_file(path: Path) -> _Found:
    try:
        with closing(database.read_only(path)) as db:
            return _read(db, path)
    except DamagedError:
        return _read(None, path)


def repair(directory: Path) -> tuple[Health, str | None]:
    """Repair the journal in a data directory if it is damaged.

    A new journal with the readable content replaces the damaged one in one step. The damaged one is
    kept. Returns the journal's health, and the repair or None if no repair was needed.

    Raises:
        JournalError: if there is no journal, a board is using it, or the directory cannot be
            written.
    """
    path = directory / NAME
    if not path.is_file():
        raise JournalError(path, "none")
    with database.locked(directory, "running-stop"):
        try:
            database.finish_swap(directory)
        except OSError as error:
            raise JournalError(path, "failed", reason=error) from error
        before = check(path)
        if not before.damaged:
            return before, None
        done = recover(path, before.damaged[0])
        return check(path), done


def recover(path: Path, reason: str) -> str:
    """Replace a damaged journal with a new one that contains all readable lines, and return a
    sentence that describes the repair. The caller must have locked the data directory
    (`database.locked`).

    Args:
        reason: the fault of the journal.

    Raises:
        JournalError: if the directory cannot be written. The damaged journal is then unchanged.
    """
    fresh = path.with_name(NEXT)
    building = path.with_name(f".{NEXT}")
    try:
        building.unlink(missing_ok=True)
        health = salvage(path, building) if path.exists() else _write(_Found({}, []), building)
        kept = database.keep(path, "damaged")
        building.rename(fresh)
        database.swap_in(path.parent)
    except OSError as error:
        raise UnwritableError(path, "failed", reason=error) from error
    code = "saved" if kept is None else "saved-kept"
    fields = {"lines": health.lines, "evenings": health.sessions, "kept": kept}
    return Sentence("fault", code, reason=reason, **fields)


def _write(found: _Found, target: Path) -> Health:
    kept = sessions = 0
    with database.building(target) as new:
        new.execute("BEGIN")
        for first, prelude, entries in found.evenings():
            whole = [e for place, e in enumerate(entries) if e.number == first + place]
            for part in rows.parts(first, prelude, whole):
                rows.write_session(new, *part)
                sessions, kept = sessions + 1, kept + len(part[2])
        rows.write_rest(new, found.name, found.outbox, found.corrections)
        new.execute("COMMIT")
    return _health(sessions, kept, len(found.lines) - kept, "left-out-gap")


def _read(db: sqlite3.Connection | None, path: Path) -> _Found:
    """Return every readable session and line, read through SQLite, or page by page if SQLite
    reports damage. Lines whose session is lost get a session without a prelude."""
    found_rows: list[tuple[Any, ...]] = []
    if db is None or any(checks.damage(db)):
        with suppress(OSError):
            found_rows = list(pages.rows(path))
    if db is not None:
        rows.guard(db)
        found_rows += _rows(db, rows.LINES, "number")
        found_rows += _rows(db, rows.SESSIONS, "first")
    lines = {row[0]: row for row in found_rows if rows.is_line(row)}
    preludes = {row[0]: row[1] for row in found_rows if rows.is_session(row)}
    entries = [
        (session, Entry(number, text, float(at), by))
        for number, session, text, at, by in sorted(lines.values())
    ]
    firsts = {session for session, _ in entries}
    sessions = {first: preludes.get(first, "") for first in sorted(firsts | preludes.keys())}
    if db is None:
        return _Found(sessions, entries)
    return _Found(sessions, entries, *rows.outbox(db), rows.corrections(db))


def _rows(db: sqlite3.Connection, query: str, key: str) -> list[tuple[Any, ...]]:
    """Return all rows of a table. They are read in one query, or one by one if a page cannot be
    read."""
    try:
        return db.execute(f"{query} ORDER BY {key}").fetchall()
    except sqlite3.Error:
        pass  # a damaged page stops the scan of the table, but reading row by row skips the page
    found = []
    number, misses = 0, 0
    while misses < _MISSES:
        number += 1
        try:
            row = db.execute(f"{query} WHERE {key} = ?", (number,)).fetchone()
        except sqlite3.Error:
            row = None
        misses = 0 if row else misses + 1
        if row:
            found.append(row)
    return found


def _gaps(lines: list[tuple[int, Entry]]) -> Iterator[str]:
    """Return a fault for each gap within a session. Lines missing between sessions were dropped by
    an earlier repair."""
    for (before, last), (session, entry) in pairwise([(0, Entry(0, "", 0.0, "")), *lines]):
        expected = last.number + 1 if session == before else session
        if entry.number != expected:
            yield Sentence("fault", "missing", line=expected, last=entry.number - 1)
