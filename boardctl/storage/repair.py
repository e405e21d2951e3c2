"""Check a damaged journal, and build a new one from everything readable.

The damaged file is never changed: it is kept, with its log, under another name.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from boardctl.record.record import Entry, Record, restore
from boardctl.storage import database, pages
from boardctl.storage.database import (
    NAME,
    NEXT,
    ClockCorrection,
    DamagedError,
    JournalError,
    UnwritableError,
)

_MISSES: Final = 10_000
"""Stop searching after this many consecutive line numbers that cannot be read."""
_LINES: Final = "SELECT number, session, text, at, by FROM line NOT INDEXED"
_SESSIONS: Final = "SELECT first, prelude FROM session"
_LINE: Final = (int, int, str, (int, float), str)
_SESSION: Final = (int, str)


@dataclass(frozen=True, slots=True)
class Health:
    """The readable sessions and lines of a journal, and every fault as one sentence.

    `damaged` lists what `repair` repairs; `doubtful` lists lines that this version's referee
    rejects: they are kept, and the game continues without them.
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
    outbox: tuple[str, list[Any]] | None
    corrections: tuple[ClockCorrection, ...] = ()


def check(path: Path) -> Health:
    """Check a whole journal: SQLite's integrity check, then every line by the referee.

    Raises:
        JournalError: if there is no file, or it is not a journal of boardctl.
    """
    try:
        with closing(database.read_only(path)) as db:
            damaged = [f"the file is damaged: {told}" for told in database.damage(db)]
            found = _read(db, path)
    except DamagedError as error:
        return Health(0, 0, (str(error),))
    damaged += _gaps(found.lines)
    doubtful: list[str] = []
    for first, prelude in found.preludes.items():
        mine = [entry for session, entry in found.lines if session == first]
        doubtful += _doubtful(first, prelude, mine)
    return Health(len(found.preludes), len(found.lines), tuple(damaged), tuple(doubtful))


def salvage(path: Path, target: Path) -> Health:
    """Copy every readable line into a new journal and sync it.

    Lines after a gap in a session are left out, since they depend on the missing lines.

    Raises:
        JournalError: if `path` is not a journal, `target` exists, or it cannot be written.
    """
    if target.exists():
        raise JournalError(f"{target}: exists already; nothing was written")
    try:
        with closing(database.read_only(path)) as db:
            found = _read(db, path)
    except DamagedError:
        found = _read(None, path)
    try:
        return _write(found, target)
    except (sqlite3.Error, OSError) as error:
        raise UnwritableError(f"{target}: {error}") from error


def repair(directory: Path) -> tuple[Health, str | None]:
    """Repair the journal in a data directory if it is damaged.

    In one step, a new journal with everything readable replaces the damaged one, which is kept.
    Returns the journal's health and what was done, None if nothing was.

    Raises:
        JournalError: if a board is using it, there is no journal, or nothing can be written.
    """
    path = directory / NAME
    if not path.is_file():
        raise JournalError(f"{path}: there is no journal here")
    with database.locked(directory, "a boardctl is running on this data: stop it first"):
        try:
            database.finish_swap(directory)
        except OSError as error:
            raise JournalError(f"{path}: {error}") from error
        before = check(path)
        if not before.damaged:
            return before, None
        done = recover(path, before.damaged[0])
        return check(path), done


def recover(path: Path, reason: str) -> str:
    """Replace a damaged journal by a new one with everything readable; returns what was done, as
    one sentence. The caller holds the data directory (`database.locked`).

    Args:
        reason: the fault of the journal.

    Raises:
        JournalError: if nothing can be written; the damaged journal is then unchanged.
    """
    fresh = path.with_name(NEXT)
    building = path.with_name(f".{NEXT}")
    try:
        building.unlink(missing_ok=True)
        health = (
            salvage(path, building) if path.exists() else _write(_Found({}, [], None), building)
        )
        kept = database.keep(path, "damaged")
        building.rename(fresh)
        database.swap_in(path.parent)
    except OSError as error:
        raise UnwritableError(f"{path}: {error.strerror or error}") from error
    where = "" if kept is None else f"; the damaged file is kept as {kept}"
    return (
        f"{reason}: {health.lines} lines of {health.sessions} evenings were saved "
        f"in a new journal{where}"
    )


def _write(found: _Found, target: Path) -> Health:
    kept = sessions = 0
    with database.building(target) as new:
        new.execute("BEGIN")
        for first, prelude in sorted(found.preludes.items()):
            mine = sorted(entry for session, entry in found.lines if session == first)
            whole = [e for place, e in enumerate(mine) if e.number == first + place]
            if not whole:
                continue
            new.execute("INSERT INTO session VALUES (?, ?)", (first, prelude))
            new.executemany(
                "INSERT INTO line VALUES (?, ?, ?, ?, ?)",
                ((e.number, first, e.text, e.at, e.by) for e in whole),
            )
            kept += len(whole)
            sessions += 1
        if found.outbox is not None:
            new.execute("UPDATE identity SET name = ?", (found.outbox[0],))
            new.executemany("INSERT OR IGNORE INTO outbox VALUES (?, ?, ?)", found.outbox[1])
        for correction in found.corrections:
            database.add_correction(new, correction)
        new.execute("COMMIT")
    lost = len(found.lines) - kept
    damaged = (f"{lost} lines after a gap were left out",) if lost else ()
    return Health(sessions, kept, damaged)


def _read(db: sqlite3.Connection | None, path: Path) -> _Found:
    """Every readable session and line: through SQLite, and page by page if it reports damage. Lines
    whose session is lost get one without a prelude."""
    told: list[tuple[Any, ...]] = []
    if db is None or any(database.damage(db)):
        with suppress(OSError):
            told = list(pages.rows(path))
    lines = {row[0]: row for row in told if _fits(row, _LINE)}
    preludes = {row[0]: row[1] for row in told if _fits(row, _SESSION)}
    if db is not None:
        lines |= {row[0]: row for row in _rows(db, _LINES, "number") if _fits(row, _LINE)}
        preludes |= {
            row[0]: row[1] for row in _rows(db, _SESSIONS, "first") if _fits(row, _SESSION)
        }
    entries = [
        (session, Entry(number, text, float(at), by))
        for number, session, text, at, by in sorted(lines.values())
        if 0 < session <= number < database.LAST
    ]
    firsts = {session for session, _ in entries}
    sessions = {first: preludes.get(first, "") for first in sorted(firsts | preludes.keys())}
    if db is None:
        return _Found(sessions, entries, None)
    corrections = tuple(one for one in database.corrections(db) if _fits(one, (int, int, float)))
    return _Found(sessions, entries, _outbox(db), corrections)


def _fits(row: tuple[Any, ...], kinds: tuple[Any, ...]) -> bool:
    return len(row) == len(kinds) and all(map(isinstance, row, kinds))


def _outbox(db: sqlite3.Connection) -> tuple[str, list[Any]] | None:
    """The journal's name and its unacknowledged results, if readable: version 1 had none, and a
    result can also be entered at the hub by hand."""
    try:
        (name,) = db.execute("SELECT name FROM identity").fetchone()
        posts = db.execute("SELECT game, version, result FROM outbox").fetchall()
    except (sqlite3.Error, TypeError):
        return None
    if not isinstance(name, str):
        return None
    return name, [post for post in posts if _fits(post, (str, int, str))]


def _rows(db: sqlite3.Connection, query: str, key: str) -> list[tuple[Any, ...]]:
    """All rows of a table: in one query, or one by one if a page cannot be read."""
    try:
        return db.execute(f"{query} ORDER BY {key}").fetchall()
    except sqlite3.Error:
        pass  # a damaged page stops the scan of the table; reading row by row skips it
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
    """Lines missing inside a session; missing lines between sessions were left out by an earlier
    repair."""
    for (before, last), (session, entry) in pairwise([(0, Entry(0, "", 0.0, "")), *lines]):
        expected = last.number + 1 if session == before else session
        if entry.number != expected:
            yield f"lines {expected} to {entry.number - 1} are missing"


def _doubtful(first: int, prelude: str, entries: list[Entry]) -> Iterator[str]:
    """The lines that the referee rejects, with the reason."""
    record = Record()
    for line in prelude.splitlines():
        why = record.resume(line)
        if why is not None:
            yield f"what line {first} carries over ({line[:80]!r}) is rejected: {why.code}"
    record = restore(prelude)
    for entry in entries:
        why = record.resume(entry.text)
        if why is not None:
            yield f"line {entry.number} ({entry.text[:80]!r}) is rejected: {why.code}"
