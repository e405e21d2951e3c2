"""A journal that is hurt: what is wrong with it, and saving what can be saved.

Nothing is ever changed in place: `salvage` writes a new file beside the old one, which stays as
it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from boardctl.games import IllegalMove
from boardctl.record.record import Entry, Record, restore
from boardctl.storage.journal import APPLICATION_ID, JournalError, create

_MOST: int = 10_000_000
"""No journal has more lines; a damaged number above it is not believed."""


@dataclass(frozen=True, slots=True)
class Health:
    """How many sessions and lines could be read, and every trouble as one sentence."""

    sessions: int
    lines: int
    troubles: tuple[str, ...]


def check(path: Path) -> Health:
    """Read a whole journal: SQLite's own check, then every line by the referee.

    Raises:
        JournalError: there is no file, or it is no journal of boardctl.
    """
    with closing(_open(path)) as db:
        troubles = [f"the file is damaged: {told}" for told in _integrity(db)]
        preludes, lines = _rescue(db)
    troubles += _gaps(lines)
    for first, prelude in preludes.items():
        mine = [entry for session, entry in lines if session == first]
        troubles += _illegal(prelude, mine)
    return Health(len(preludes), len(lines), tuple(troubles))


def salvage(path: Path, target: Path) -> Health:
    """Copy every line that can be read into a new journal.

    Lines after a gap in a session are left out, since they were said of a record that is lost.

    Raises:
        JournalError: `path` is no journal, or `target` exists.
    """
    if target.exists():
        raise JournalError(f"{target}: exists already; nothing was written")
    with closing(_open(path)) as db:
        preludes, lines = _rescue(db)
        outbox = _outbox(db)
    kept = 0
    with closing(create(target)) as new:
        new.execute("BEGIN")
        for first, prelude in sorted(preludes.items()):
            mine = sorted(entry for session, entry in lines if session == first)
            whole = [e for place, e in enumerate(mine) if e.number == first + place]
            new.execute("INSERT INTO session VALUES (?, ?)", (first, prelude))
            new.executemany(
                "INSERT INTO line VALUES (?, ?, ?, ?, ?)",
                ((e.number, first, e.text, e.at, e.by) for e in whole),
            )
            kept += len(whole)
        if outbox is not None:
            new.execute("UPDATE identity SET name = ?", (outbox[0],))
            new.executemany("INSERT INTO outbox VALUES (?, ?, ?)", outbox[1])
        new.execute("COMMIT")
    lost = len(lines) - kept
    troubles = (f"{lost} lines after a gap were left out",) if lost else ()
    return Health(len(preludes), kept, troubles)


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise JournalError(f"{path}: there is no journal here")
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise JournalError(f"{path}: {error}") from error
    try:
        mine = db.execute("PRAGMA application_id").fetchone()[0]
    except sqlite3.Error as error:
        db.close()
        raise JournalError(f"{path}: {error}") from error
    if mine != APPLICATION_ID:
        db.close()
        raise JournalError(f"{path}: is not a journal of boardctl")
    return db


def _integrity(db: sqlite3.Connection) -> Iterator[str]:
    try:
        for (told,) in db.execute("PRAGMA integrity_check(20)"):
            if told != "ok":
                yield str(told).splitlines()[-1]
    except sqlite3.Error as error:
        yield str(error)


def _rescue(db: sqlite3.Connection) -> tuple[dict[int, str], list[tuple[int, Entry]]]:
    """Every session and line that can be read, however the file is hurt: by the whole table
    where that goes, else one row after the other."""
    preludes = {row[0]: row[1] for row in _rows(db, "SELECT first, prelude FROM session", "first")}
    lines = [
        (row[1], Entry(row[0], row[2], row[3], row[4]))
        for row in _rows(db, "SELECT number, session, text, at, by FROM line", "number")
    ]
    return preludes, lines


def _outbox(db: sqlite3.Connection) -> tuple[str, list[Any]] | None:
    """The journal's name and its unacknowledged results, where they can be read: version 1 had
    none, and a game's result can be told by hand as well."""
    try:
        (name,) = db.execute("SELECT name FROM identity").fetchone()
        return name, db.execute("SELECT game, version, result FROM outbox").fetchall()
    except (sqlite3.Error, TypeError):
        return None


def _rows(db: sqlite3.Connection, query: str, key: str) -> list[tuple[Any, ...]]:
    try:
        return db.execute(f"{query} ORDER BY {key}").fetchall()
    except sqlite3.Error:
        pass  # the walk over the whole table meets a damaged page; row by row goes round it
    found = []
    number, misses = 0, 0
    while misses < 10_000 and number < _MOST:
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
    numbers = [entry.number for _, entry in lines]
    for before, after in pairwise([0, *numbers]):
        if after != before + 1:
            yield f"lines {before + 1} to {after - 1} are missing"


def _illegal(prelude: str, entries: list[Entry]) -> Iterator[str]:
    record: Record = restore(prelude)
    for entry in entries:
        try:
            record.read(entry.text)
        except IllegalMove as error:
            yield f"line {entry.number} ({entry.text!r}) is refused: {error.code}"
            return
