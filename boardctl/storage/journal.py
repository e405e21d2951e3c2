"""The journal: every accepted line of every evening, on disk, for ever.

One SQLite file, append-only, one row a line. A line that `append` has acknowledged survives a
power cut: WAL with `synchronous=FULL`, so the log is on disk before a commit returns
(sqlite.org/pragma.html#pragma_synchronous).

Where a sync fails, the kernel may take for written what it dropped, and a later sync that succeeds
says nothing of it. SQLite takes the line back then, and `retry` writes it anew at the same place of
the log, so no older sync is relied on; but after a restart the log still reads as if the line were
there. So what a log holds when it is opened is written once more (`write_again`) before anything is
shown as saved or written behind it. A worker writes it: the daemon
gives it a thread of its own (`Writer`), `boardctl simulate` writes at once.
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Final, NamedTuple, TypeVar

from boardctl.drivers.ports import Worker
from boardctl.record.record import Entry

_log: Final = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")

APPLICATION_ID: Final = 0x43524942
"""`CRIB` in the file's header (sqlite.org/fileformat.html#application_id)."""
VERSION: Final = 2
READABLE: Final = (1, VERSION)
"""Version 1 had no outbox; it is given one when it is opened."""
NAME: Final = "journal.sqlite3"
"""Its file in the data directory."""

CACHE: Final = 256
"""KiB of the file that are kept in memory. A line is written at the file's end, so more would only
grow with the years, to SQLite's own 2,000."""

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


_OUTBOX: Final = """
CREATE TABLE outbox (              -- results that the hub has not acknowledged (boardctl.mqtt)
    game TEXT PRIMARY KEY,
    version INTEGER NOT NULL,      -- the number of the line that made it so
    result TEXT NOT NULL           -- JSON
) STRICT;
CREATE TABLE identity (name TEXT NOT NULL) STRICT;
INSERT INTO identity VALUES (lower(hex(randomblob(8))));
"""
_MIGRATE: Final = f"BEGIN IMMEDIATE; {_OUTBOX} PRAGMA user_version={VERSION}; COMMIT;"
_CREATE: Final = (
    f"BEGIN; {_SCHEMA} {_OUTBOX} PRAGMA application_id={APPLICATION_ID};"
    f"PRAGMA user_version={VERSION}; COMMIT;"
)


_CURE: Final = "See what is wrong with the disk (dmesg tells)"
_CURES: Final = {
    sqlite3.SQLITE_FULL: "Make room on the disk",
    sqlite3.SQLITE_READONLY: "Make the disk writable again (mount -o remount,rw)",
    sqlite3.SQLITE_BUSY: "Close the other program that writes to the file",
}
"""What helps, by SQLite's primary result code (sqlite.org/rescode.html)."""


class JournalError(Exception):
    """The journal can not be opened, read or written; the message is one sentence."""


class AtOnce:
    """A worker that has done the work when `put` returns: for a clock that stands still."""

    def put(self, work: Callable[[], object]) -> None:
        work()

    def close(self) -> None:
        """Nothing waits."""


class Writer:
    """A worker with a thread of its own. What raises is logged, and the next thing done."""

    def __init__(self, name: str = "journal") -> None:
        self._queue: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name)
        self._thread.start()

    def put(self, work: Callable[[], object]) -> None:
        self._queue.put(work)

    def _work(self) -> None:
        while (work := self._queue.get()) is not None:
            try:
                work()
            except Exception:  # noqa: BLE001 - one failure does not end the thread
                _log.exception("The thread of the %s failed at one thing", self._thread.name)

    def close(self) -> None:
        """Do what is queued, then end."""
        self._queue.put(None)
        self._thread.join()


class Post(NamedTuple):
    """A result on its way to a hub: which game, as of which line of the journal, as JSON."""

    game: str
    version: int
    result: str


_Row = tuple[int, int, str, float, str]
"""A line as its table has it: number, session, text, at, by."""


class _Write(NamedTuple):
    row: _Row
    prelude: str | None
    posts: Sequence[Post]
    saved: Future[None]


class Journal:
    """The journal in a data directory."""

    def __init__(self, directory: Path, worker: Worker) -> None:
        """Open or make the journal, which `worker` writes.

        Raises:
            JournalError: the directory can not be written, another daemon has it, or the file
                is not a journal of this version.
        """
        self._worker = worker
        self._waiting: deque[_Write] = deque()
        self.on_fault: Callable[[str], None] = lambda reason: None
        self.path = directory / NAME
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
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: {error}") from error
        try:
            self._prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Check that the file is a journal, make it one if it is empty, bring it up to date."""
        try:
            mine = db.execute("PRAGMA application_id").fetchone()[0]
            version = db.execute("PRAGMA user_version").fetchone()[0]
            empty = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
            if not empty and mine != APPLICATION_ID:
                raise JournalError(f"{self.path}: is not a journal of boardctl")
            if not empty and version not in READABLE:
                raise JournalError(
                    f"{self.path}: was written by version {version} of the journal, "
                    f"this boardctl reads version {VERSION}"
                )
            write_again(self.path.with_name(f"{NAME}-wal"))
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.execute(f"PRAGMA cache_size={-CACHE}")
            if empty:
                db.executescript(_CREATE)
            elif version == 1:
                db.executescript(_MIGRATE)
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"{self.path}: {error}") from error

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

    def append(
        self,
        session: int,
        number: int,
        text: str,
        at: float,
        by: str,
        posts: Sequence[Post] = (),
    ) -> Future[None]:
        """Keep one line of a session; the future is done when it is on disk, and with it, in the
        same transaction, what it puts into the outbox.

        Lines are written in order. Where one can not be, `on_fault` is told why, on the
        worker's thread, and it and all after it wait for `retry` or the next line.
        """
        return self._keep((number, session, text, at, by), None, posts)

    def begin_session(
        self, number: int, prelude: str, text: str, at: float, by: str
    ) -> Future[None]:
        """Keep the first line of a session, with the lines that restore what it carries over."""
        return self._keep((number, number, text, at, by), prelude, ())

    def _keep(self, row: _Row, prelude: str | None, posts: Sequence[Post]) -> Future[None]:
        saved: Future[None] = Future()
        self._waiting.append(_Write(row, prelude, posts, saved))
        self.retry()
        return saved

    def patience(self, seconds: float) -> None:
        """How long a write waits for another program that holds the file."""
        self._db.execute(f"PRAGMA busy_timeout={round(seconds * 1000)}")

    def retry(self) -> None:
        """Try again to write what waits."""
        self._worker.put(self._write)

    def _write(self) -> None:
        while self._waiting:
            write = self._waiting[0]
            try:
                self._insert(write)
            except sqlite3.Error as error:
                self.on_fault(
                    f"{self.path}: line {write.row[0]} is not saved yet ({error}). "
                    f"{_CURES.get(error.sqlite_errorcode & 0xFF, _CURE)}, and leave the board "
                    "running: it keeps the line and tries again every second."
                )
                return
            self._waiting.popleft()
            write.saved.set_result(None)

    def _insert(self, write: _Write) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            if write.prelude is not None:
                self._db.execute("INSERT INTO session VALUES (?, ?)", (write.row[1], write.prelude))
            self._db.execute("INSERT INTO line VALUES (?, ?, ?, ?, ?)", write.row)
            for post in write.posts:
                self._db.execute("INSERT OR REPLACE INTO outbox VALUES (?, ?, ?)", post)
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @property
    def identity(self) -> str:
        """A name that no other journal has."""
        return str(self._db.execute("SELECT name FROM identity").fetchone()[0])

    def outbox(self) -> Future[tuple[Post, ...]]:
        """The results that no hub has acknowledged yet, read on the journal's thread."""

        def read() -> tuple[Post, ...]:
            rows = self._db.execute("SELECT game, version, result FROM outbox ORDER BY version")
            return tuple(Post(*row) for row in rows)

        return self._ask(read)

    def delivered(self, game: str, version: int) -> Future[None]:
        """A hub has this result on its disk: it leaves the outbox, unless a newer one took its
        place meanwhile."""

        def remove() -> None:
            self._db.execute("DELETE FROM outbox WHERE game = ? AND version = ?", (game, version))

        return self._ask(remove)

    def _ask(self, work: Callable[[], _Answer]) -> Future[_Answer]:
        """What some work on the journal's thread returns or raises."""
        answer: Future[_Answer] = Future()

        def task() -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(work())
            except Exception as error:  # noqa: BLE001 - it goes to whoever asked
                answer.set_exception(error)

        self._worker.put(task)
        return answer

    def close(self) -> None:
        """Wait for what is queued, then let go of the file."""
        self._ask(self._db.close).result()
        self._lock.close()


def write_again(log: Path) -> None:
    """Put a log on disk as it reads now, for it may only be in memory. The bytes stay the same, so
    a cut meanwhile leaves it as it was.

    Raises:
        OSError: it can not be written or synced.
    """
    if not log.exists():
        return
    with log.open("r+b") as file:
        written = file.read()
        file.seek(0)
        file.write(written)
        file.flush()
        os.fsync(file.fileno())


def create(path: Path) -> sqlite3.Connection:
    """A new journal with nothing in it."""
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(_CREATE)
    return db


def read_sessions(directory: Path) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """Every session in a data directory, oldest first: its prelude and its lines.

    Reads beside a running daemon. Raises JournalError where there is no journal to read.
    """
    path = directory / NAME
    if not path.is_file():
        raise JournalError(f"{path}: there is no journal here yet")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
            rows = db.execute("SELECT first, prelude FROM session ORDER BY first").fetchall()
            for first, prelude in rows:
                lines = db.execute(
                    "SELECT number, text, at, by FROM line WHERE session = ? ORDER BY number",
                    (first,),
                )
                yield prelude, tuple(Entry(*line) for line in lines)
    except sqlite3.Error as error:
        raise JournalError(f"{path}: {error}") from error
