"""The journal: every accepted line of every evening, on disk, for ever.

One SQLite file, append-only, one row a line. A line that `append` has acknowledged survives a
power cut: WAL with `synchronous=FULL`, so the log is on disk before a commit returns
(sqlite.org/pragma.html#pragma_synchronous). Called by `table`, which is its single writer, and
read by `history`. The executor decides on which thread it writes: the daemon gives it one of its
own, `boardctl simulate` writes at once.
"""

from __future__ import annotations

import fcntl
import sqlite3
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Final

APPLICATION_ID: Final = 0x43524942
"""`CRIB` in the file's header (sqlite.org/fileformat.html#application_id)."""
VERSION: Final = 1

_SCHEMA: Final = """
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


class JournalError(Exception):
    """The journal can not be opened, read or written; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line as it was kept."""

    number: int
    text: str
    at: float
    by: str


class Journal:
    """The journal in a data directory. `append` and `begin_session` return when the line is
    queued; their futures are done when it is on disk."""

    def __init__(self, directory: Path, executor: Executor) -> None:
        """Open or make the journal.

        Raises:
            JournalError: the directory can not be written, another daemon has it, or the file
                is not a journal of this version.
        """
        self._executor = executor
        self.path = directory / "journal.sqlite3"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._lock = (directory / "lock").open("a")
        except OSError as error:
            raise JournalError(f"{directory}: can not be written ({error.strerror})") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise JournalError(f"{directory}: another boardctl is using this data") from None
        try:
            self._db = self._open()
        except BaseException:
            self._lock.close()
            raise

    def _open(self) -> sqlite3.Connection:
        try:
            db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            mine = db.execute("PRAGMA application_id").fetchone()[0]
            version = db.execute("PRAGMA user_version").fetchone()[0]
            empty = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
            if not empty and mine != APPLICATION_ID:
                raise JournalError(f"{self.path}: is not a journal of boardctl")
            if not empty and version != VERSION:
                raise JournalError(
                    f"{self.path}: was written by version {version} of the journal, "
                    f"this boardctl reads version {VERSION}"
                )
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            if empty:
                db.executescript(
                    f"BEGIN; {_SCHEMA} PRAGMA application_id={APPLICATION_ID};"
                    f"PRAGMA user_version={VERSION}; COMMIT;"
                )
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: {error}") from error
        return db

    def last_session(self) -> tuple[int, str, tuple[Entry, ...]] | None:
        """The newest session: its first number, its prelude and its lines; None in a new file."""
        row = self._db.execute(
            "SELECT first, prelude FROM session ORDER BY first DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        lines = self._db.execute(
            "SELECT number, text, at, by FROM line WHERE session = ? ORDER BY number", row[:1]
        )
        return row[0], row[1], tuple(Entry(*line) for line in lines)

    def append(self, session: int, number: int, text: str, at: float, by: str) -> Future[None]:
        """Keep one line. The future fails with JournalError where the number is taken."""
        return self._executor.submit(self._append, session, number, text, at, by, None)

    def begin_session(
        self, number: int, prelude: str, text: str, at: float, by: str
    ) -> Future[None]:
        """Keep the first line of a session, with what it carries over."""
        return self._executor.submit(self._append, number, number, text, at, by, prelude)

    def _append(
        self, session: int, number: int, text: str, at: float, by: str, prelude: str | None
    ) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                if prelude is not None:
                    self._db.execute("INSERT INTO session VALUES (?, ?)", (number, prelude))
                self._db.execute(
                    "INSERT INTO line VALUES (?, ?, ?, ?, ?)", (number, session, text, at, by)
                )
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: line {number} was not saved ({error})") from error

    def close(self) -> None:
        """Wait for what is queued, then let go of the file."""
        self._executor.submit(self._db.close).result()
        self._lock.close()
