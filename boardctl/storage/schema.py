"""The tables of the journal's SQLite file, and the check for foreign additions.

A foreign file may contain additions to the expected tables: a constraint, trigger or index that
rejects lines, or an expression that fills the memory when evaluated. Therefore the text of the
schema is compared before anything else is read.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from functools import cache
from typing import Final

APPLICATION_ID: Final = 0x43524942
"""`CRIB` in the file's header (sqlite.org/fileformat.html#application_id)."""
VERSION: Final = 2
READABLE: Final = (1, VERSION)
"""The schema version. Version 1 had no outbox, which is added when the file is opened."""
LAST: Final = 1 << 40
"""The upper limit of line numbers, because a damaged number could be the highest in SQLite."""
LONGEST: Final = 1 << 24
"""The maximum size in bytes of a row or value, so that no expression in a foreign file can fill the
memory."""

_JOURNAL: Final = """
CREATE TABLE session (
    first INTEGER PRIMARY KEY,     -- the number of its first line
    prelude TEXT NOT NULL          -- lines that restore what was agreed before it
) STRICT;
CREATE TABLE line (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    text TEXT NOT NULL,
    at REAL NOT NULL,              -- seconds since 1970
    by TEXT NOT NULL               -- keypad, page, command …
) STRICT;
CREATE INDEX line_by_session ON line (session, number);
"""
_OUTBOX: Final = """
CREATE TABLE outbox (              -- results that the hub has not acknowledged (boardctl.mqtt)
    game TEXT PRIMARY KEY,
    version INTEGER NOT NULL,      -- the number of the line that made it so
    result TEXT NOT NULL           -- JSON
) STRICT;
CREATE TABLE identity (name TEXT NOT NULL) STRICT;
"""
_NAME: Final = "INSERT INTO identity VALUES ('$NAME');"
_CLOCK: Final = """
CREATE TABLE clock (               -- the clock was wrong: add these seconds to the time of lines
    since INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    seconds REAL NOT NULL
) STRICT;
"""
ADD_CLOCK: Final = _CLOCK.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS")
"""SQL that adds the table of clock corrections before the first correction."""
MIGRATE: Final = f"BEGIN IMMEDIATE; {_OUTBOX} {_NAME} PRAGMA user_version={VERSION}; COMMIT;"
"""SQL that upgrades a journal of version 1."""
CREATE: Final = (
    f"BEGIN; {_JOURNAL} {_OUTBOX} {_NAME} PRAGMA application_id={APPLICATION_ID};"
    f"PRAGMA user_version={VERSION}; COMMIT;"
)
"""SQL that creates a journal's tables in an empty database."""


def named(script: str) -> str:
    """Return a script with a new random name for the journal. SQLite's own random numbers repeat if
    a browser's tab continues from kept memory."""
    return script.replace("$NAME", os.urandom(8).hex())


_COMMENT: Final = re.compile(r"--[^\n]*")
_SPACES: Final = re.compile(r"\s+", re.ASCII)


def _plain(statement: str) -> str:
    """Return a statement without comments, and with single spaces only between words. If the result
    equals one of our statements, SQLite interprets both in the same way, because ours do not
    contain quotes that could enclose a comment sign."""
    text = _SPACES.sub(" ", _COMMENT.sub(" ", statement)).strip(" ")
    return re.sub(r" ?([(),]) ?", r"\1", text)


@cache
def _own_statements() -> frozenset[str]:
    """Return our own schema statements."""
    return frozenset(filter(None, map(_plain, f"{_JOURNAL}{_OUTBOX}{_CLOCK}".split(";"))))


def restrain(db: sqlite3.Connection) -> None:
    """Limit what a file's content can make SQLite do, before any of it is read
    (sqlite.org/security.html). Raises sqlite3.Error."""
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA cell_size_check=ON")


def strange(db: sqlite3.Connection) -> Iterator[str]:
    """Return one sentence for each table, index, view or trigger that is not exactly ours, without
    evaluating any of them. Raises sqlite3.Error."""
    found = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^'"
    for kind, name, statement in db.execute(found).fetchall():
        if _plain(str(statement)) not in _own_statements():
            yield f"its {kind} {name!r} is not that of a journal"
