"""The journal: the append-only log of accepted lines.

It is one SQLite file with one row per line. A line acknowledged by `append` survives a power cut,
because WAL with `synchronous=FULL` syncs the log to disk before a commit returns
(sqlite.org/pragma.html#pragma_synchronous).

After a failed sync, the kernel may treat dropped pages as written, and a later successful sync does
not reveal this. SQLite then rolls the line back, and `retry` writes it again at the same position
in the log, so that earlier syncs are not relied on. After a restart, however, the log may read as
if it contained the line. Opening the journal therefore writes the log's content again
(`database.write_again`) before any line is shown as saved or appended.

A worker writes the lines: on a thread in the daemon (`Writer`), or immediately in `boardctl
simulate` (`AtOnce`).
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing, suppress
from itertools import zip_longest
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Final, NamedTuple, TypeVar

from boardctl import text
from boardctl.drivers.ports import Worker
from boardctl.record.record import Entry
from boardctl.signals import Signal
from boardctl.storage import clock, database, files
from boardctl.storage.database import LAST_SAVED, NAME, DamagedError, JournalError, UnwritableError

__all__ = ["NAME", "AtOnce", "Journal", "JournalError", "Post", "Writer", "read_sessions"]

_log: Final = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")
_WIDTH: Final = 64
"""The size of `LAST_SAVED` in bytes."""
_END: Final = 2**63 - 1
"""A number above all line numbers."""

_ROW: Final = "SELECT number, session, text, at, by FROM line NOT INDEXED WHERE number = ?"
_EXTENT: Final = "SELECT count(*), max(number) FROM line"
_PRELUDE: Final = "SELECT prelude FROM session WHERE first = ?"
_CURE: Final = "Check the disk for errors (see dmesg)"
_CURES: Final = {
    sqlite3.SQLITE_FULL: "Make room on the disk",
    sqlite3.SQLITE_READONLY: "Make the disk writable again (mount -o remount,rw)",
    sqlite3.SQLITE_BUSY: "Close the other program that writes to the file",
}
"""Remedies by SQLite's primary result code (sqlite.org/rescode.html)."""
_PASSING: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY})
"""Primary result codes of transient errors. Once the disk recovers, the same connection rewrites
the line at the same position in the log. Other errors may persist. A connection that was opened
read-only never writes, and neither does a connection to a disk that was removed and inserted
again."""


class AtOnce:
    """A worker that does the work within `put`, for use with a virtual clock."""

    def put(self, work: Callable[[], object]) -> None:
        work()

    def close(self) -> None:
        """Do nothing: no work is pending."""


class Writer:
    """A worker with its own thread. An exception is logged, and the work continues."""

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
            except Exception:  # noqa: BLE001 - one failure must not end the thread
                _log.exception("The thread of the %s failed at one thing", self._thread.name)

    def close(self) -> None:
        """Finish the queued work, then end."""
        self._queue.put(None)
        self._thread.join()


class Post(NamedTuple):
    """A result for a hub: the game, the number of the journal's last line at that time, and the
    result as JSON."""

    game: str
    version: int
    result: str


_Row = tuple[int, int, str, float, str]
"""A row of the table `line`: number, session, text, at, by."""


class _Write(NamedTuple):
    row: _Row
    prelude: str | None
    posts: Sequence[Post]
    saved: Future[None]


class Journal:
    """The journal in a data directory."""

    def __init__(self, directory: Path, worker: Worker, patient: bool = False) -> None:
        """Open or create the journal. `worker` writes its lines.

        A damaged journal is kept under another name, and its readable lines are copied into a new
        one. `notice` then reports this in one sentence; otherwise `notice` is None.

        Args:
            patient: if the directory cannot be written, begin with the readable content, and keep
                every line until writing succeeds. `retry` returns whether writing succeeds.

        Raises:
            JournalError: if the directory cannot be written, another boardctl uses it, or the file
            is not a journal of this version.
        """
        self._directory = directory
        self._worker = worker
        self._waiting: deque[_Write] = deque()
        self._is_stuck = False
        """Whether writing failed in a way that a retry with this connection may not fix."""
        self._shift = 0
        """The difference between a line's number in the file and its assigned number. It is not 0
        if older lines became readable only after startup."""
        self.failed: Signal[str] = Signal()
        self.recovered: Signal[[]] = Signal()
        self.path = directory / NAME
        self.notice: str | None = None
        self._holding = ExitStack()
        self.is_provisional = False
        """Whether the directory could not be written yet."""
        try:
            self._db, self._holding = self._open_locked()
        except UnwritableError:
            if not patient:
                raise
            self.is_provisional = True
            self._db = database.provisional(self.path, self._holding)
        self.identity = _identity(self._db)
        """The journal's unique name."""
        if not self.is_provisional:
            self._look_for_missing()

    def _open_locked(self) -> tuple[sqlite3.Connection, ExitStack]:
        """Open the journal, and return it with a function that unlocks its directory."""
        with ExitStack() as opening:
            opening.enter_context(database.locked(self._directory))
            return self._open(), opening.pop_all()

    def _take(self) -> None:
        """Open the journal in place of the provisional one. Lines that could not be read at startup
        are kept; the current evening continues after them.

        Raises:
            JournalError, sqlite3.Error: the journal cannot be written yet.
        """
        db, holding = self._open_locked()
        try:
            count, last = db.execute(_EXTENT).fetchone()
            if (count, last) != self._db.execute(_EXTENT).fetchone():
                self._move(last or 0)
        except (JournalError, sqlite3.Error):
            db.close()
            holding.close()
            raise
        self._db.close()
        self._holding.close()
        self._db, self._holding = db, holding
        self.identity = _identity(db)
        self.is_provisional = False
        self._look_for_missing()

    def _look_for_missing(self) -> None:
        """Report once if saved lines are missing, which cannot be seen from a truncated log."""
        try:
            last = self._db.execute("SELECT max(number) FROM line").fetchone()[0] or 0
            saved = read_last_saved(self._directory, self.identity)
            if saved > last:
                missing = {"line": last + 1, "last": saved}
                lost = text.Sentence("fault", "end-lost", path=self.path, **missing)
                self.notice = self.notice or lost
                _log.error("%s", self.notice)
                write_last_saved(self._directory, self.identity, last)
        except (sqlite3.Error, OSError) as error:
            _log.warning("%s: whether lines are missing is not known (%s)", self.path, error)

    def _count(self, number: int) -> None:
        """Store the number of the last saved line. If that fails, the next number will be
        stored."""
        with suppress(sqlite3.Error, OSError):
            write_last_saved(self._directory, self.identity, number)

    def _move(self, last: int) -> None:
        """Renumber the evening's lines (those read at the start and those still waiting) so that
        they follow line `last`."""
        evening = self.last_session()
        if evening is None:
            self._shift = last
            return
        first, prelude, entries = evening
        self._shift = last + 1 - first
        rows = [(e.number, first, e.text, e.at, e.by) for e in entries]
        again = [_Write(row, None, (), Future()) for row in rows]
        self._waiting.extendleft(reversed([again[0]._replace(prelude=prelude), *again[1:]]))

    def _reopen(self) -> None:
        """Open the file again, because an open connection may never be able to write after a disk
        error. Raises JournalError, for example if the file is missing or is another journal."""
        with closing(database.read_only(self.path)) as found:
            if _identity(found) != self.identity:
                raise JournalError(self.path, "another")
        db = database.writable(self.path)
        self._db.close()
        self._db = db

    def _open(self) -> sqlite3.Connection:
        try:
            return database.writable(self.path)
        except DamagedError as damage:
            from boardctl.storage import repair  # only needed for a damaged journal

            self.notice = repair.recover(self.path, text.Sentence("fault", "error", reason=damage))
            _log.error("%s", self.notice)
        return database.writable(self.path)

    def last_session(self, before: int = _END) -> tuple[int, str, tuple[Entry, ...]] | None:
        """Return the newest session that begins before a line, or None if there is no such session.
        A session is returned as its first line's number, its prelude and its lines. Raises
        JournalError if the journal cannot be read."""
        try:
            row = self._db.execute(
                "SELECT first, prelude FROM session WHERE first < ? ORDER BY first DESC LIMIT 1",
                (before,),
            ).fetchone()
            if row is None:
                return None
            # By number, not through the index, because a damaged index would silently omit lines.
            lines = self._db.execute(
                "SELECT number, text, at, by FROM line WHERE number >= ? AND number < ? "
                "ORDER BY number",
                (row[0], before),
            )
            corrections = clock.corrections(self._db)
            entries = clock.corrected(tuple(Entry(*line) for line in lines), corrections)
        except sqlite3.Error as error:
            raise database.failure(self.path, error) from error
        return row[0], row[1], entries

    def append(
        self,
        session: int,
        number: int,
        text: str,
        at: float,
        by: str,
        posts: Sequence[Post] = (),
    ) -> Future[None]:
        """Append a line to a session, and its outbox entries in the same transaction. The future
        completes when they are on disk.

        Lines are written in order. If a line cannot be written, `failed` is sent with the reason on
        the worker's thread. This line and all later ones then wait for `retry` or for the next
        line. `recovered` is sent on the same thread once an initially unwritable directory becomes
        writable.

        Args:
            session: the number of its first line.
            number: the line's number, one more than the last line's.
            text: the line in the notation.
            at: seconds since 1970.
            by: the surface that entered it.
            posts: the results of games for a hub. They replace older versions of the same results.
        """
        return self._keep((number, session, text, at, by), None, posts)

    def begin_session(
        self, number: int, prelude: str, text: str, at: float, by: str
    ) -> Future[None]:
        """Append the first line of a session. The line's number identifies the session.

        Args:
            number, text, at, by: as for `append`.
            prelude: lines that restore the session's carried-over state (`record.prelude`).
        """
        return self._keep((number, number, text, at, by), prelude, ())

    def _keep(self, row: _Row, prelude: str | None, posts: Sequence[Post]) -> Future[None]:
        saved: Future[None] = Future()
        self._waiting.append(_Write(row, prelude, posts, saved))
        self.retry()
        return saved

    def patience(self, seconds: float) -> None:
        """Set for how many seconds a write waits if another program has locked the file."""
        self._db.execute(f"PRAGMA busy_timeout={round(seconds * 1000)}")

    def retry(self) -> None:
        """Retry writing the pending lines."""
        self._worker.put(self._write)

    def _write(self) -> None:
        if self.is_provisional:
            try:
                self._take()
            except (JournalError, sqlite3.Error, OSError) as error:
                self.failed.send(
                    f"{error}. Nothing is saved yet. {_CURE}, and leave the board running: it "
                    "keeps every line and tries again every second."
                )
                return
            self.recovered.send()
        while self._waiting:
            write = self._waiting[0]
            try:
                if self._is_stuck:
                    self._reopen()
                self._insert(self._shifted(write))
            except (JournalError, sqlite3.Error, OSError) as error:
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                self._is_stuck = self._is_stuck or code not in _PASSING
                self.failed.send(
                    f"{self.path}: line {write.row[0]} is not saved yet ({error}). "
                    f"{_CURES.get(code, _CURE)}, and leave the board "
                    "running: it keeps the line and retries every second."
                )
                return
            self._is_stuck = False
            self._waiting.popleft()
            if not self._waiting:
                self._count(write.row[0] + self._shift)
            write.saved.set_result(None)

    def _shifted(self, write: _Write) -> _Write:
        """Return a line after converting its number to the number in the file."""
        number, session, text, at, by = write.row
        return write._replace(row=(number + self._shift, session + self._shift, text, at, by))

    def _insert(self, write: _Write) -> None:
        """Write a line unless the file already contains it: after a failed sync, the log that was
        written again on opening may contain the line. Raises sqlite3.Error or OSError.
        """
        self._db.execute("BEGIN IMMEDIATE")
        try:
            if not (self._is_stuck and self._is_there(write)):
                if write.prelude is not None:
                    session = (write.row[1], write.prelude)
                    self._db.execute("INSERT INTO session VALUES (?, ?)", session)
                self._db.execute("INSERT INTO line VALUES (?, ?, ?, ?, ?)", write.row)
                for post in write.posts:
                    self._db.execute("INSERT OR REPLACE INTO outbox VALUES (?, ?, ?)", post)
                if not self._is_there(write):  # another program may have changed the schema
                    lost = sqlite3.DatabaseError("what was written is not there")
                    lost.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                    raise lost
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        database.sync_commit(self.path)

    def _is_there(self, write: _Write) -> bool:
        """Return whether a line can be read back, together with the session that it may begin."""
        number, session = write.row[:2]
        if self._db.execute(_ROW, (number,)).fetchone() != write.row:
            return False
        prelude = self._db.execute(_PRELUDE, (session,)).fetchone()
        return write.prelude is None or prelude == (write.prelude,)

    def outbox(self) -> Future[tuple[Post, ...]]:
        """Return the results not yet acknowledged by a hub, read on the journal's thread."""

        def read() -> tuple[Post, ...]:
            rows = self._db.execute("SELECT game, version, result FROM outbox ORDER BY version")
            return tuple(Post(*row) for row in rows)

        return self._ask(read)

    def delivered(self, game: str, version: int) -> Future[None]:
        """Remove an acknowledged result from the outbox, unless a newer version has replaced it."""

        def remove() -> None:
            self._db.execute("DELETE FROM outbox WHERE game = ? AND version = ?", (game, version))

        return self._ask(remove)

    def correct_clock(self, since: int, upto: int, seconds: float) -> Future[None]:
        """Record that the clock was wrong by `seconds` while the lines `since` to `upto` were
        written. These lines are then read with the correct times, but are stored unchanged."""

        def correct() -> None:
            correction = clock.ClockCorrection(since + self._shift, upto + self._shift, seconds)
            clock.add_correction(self._db, correction)

        return self._ask(correct)

    def _ask(self, work: Callable[[], _Answer]) -> Future[_Answer]:
        """Run some work on the journal's thread. The future completes with its result or
        exception."""
        answer: Future[_Answer] = Future()

        def task() -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(work())
            except Exception as error:  # noqa: BLE001 - passed on through the future
                answer.set_exception(error)

        self._worker.put(task)
        return answer

    @property
    def is_checked(self) -> bool:
        """Whether the file was checked completely when it was opened."""
        return self.is_provisional or database.is_small(self.path)

    def check(self) -> str | None:
        """Check the whole file, which takes seconds if it is large. Return the fault as a sentence,
        or None if there is none. Any thread may call this method."""
        try:
            found = database.suspect(self.path)
        except (OSError, JournalError) as error:
            return str(error)
        if found is None:
            return None
        return f"{self.path}: is damaged ({found}); it is repaired when the board starts again"

    def close(self) -> None:
        """Write the queued lines, then close the file."""
        self._ask(lambda: self._db.close()).result()
        self._holding.close()
        if self._waiting:
            lines = "; ".join(write.row[2] for write in self._waiting)
            _log.error("%s: %d lines could not be saved: %s", self.path, len(self._waiting), lines)


def _identity(db: sqlite3.Connection) -> str:
    """Return a journal's unique name, or an empty string if it has no readable name. A version 1
    journal is given a name when it can be written."""
    with suppress(sqlite3.Error):
        for (name,) in db.execute("SELECT name FROM identity"):
            return str(name)
    return ""


def read_sessions(directory: Path, since: int = 0) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """Return every session in a data directory, oldest first, each as its prelude and its lines.

    This also works while a board is running. Sessions that begin before line `since` are skipped.

    Raises:
        JournalError: if there is no readable journal.
    """
    path = directory / NAME
    try:
        with closing(database.read_only(path)) as db:
            rows = db.execute(
                "SELECT first, prelude FROM session WHERE first >= ? ORDER BY first", (since,)
            ).fetchall()
            corrections = clock.corrections(db)
            for (first, prelude), following in zip_longest(rows, rows[1:]):
                lines = db.execute(
                    "SELECT number, text, at, by FROM line WHERE number >= ? AND number < ?"
                    " ORDER BY number",
                    (first, _END if following is None else following[0]),
                )
                yield (
                    prelude,
                    clock.corrected(tuple(Entry(*line) for line in lines), corrections),
                )
    except sqlite3.Error as error:
        raise JournalError(path, "failed", reason=error) from error


def write_last_saved(directory: Path, journal: str, number: int) -> None:
    """Store the number of the last saved line beside the journal. Raises OSError.

    SQLite cannot distinguish a truncated log from a complete one. From this number, which is in a
    separate file, a board can tell that lines are missing. It is written in place after the line is
    on disk, without a sync, to avoid a second sync per line. After a power cut, the file contains
    this number or an earlier one, because the number fits in one sector.

    Args:
        directory: the data directory.
        journal: the journal's unique name, because each journal has its own line numbers.
        number: the line's number.
    """
    path = directory / LAST_SAVED
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(path, flags, files.PRIVATE)
    try:
        if not os.fstat(file).st_size:  # it is a new file
            files.give(file, files.owner(directory))
        os.pwrite(file, f"{journal} {number}".ljust(_WIDTH - 1).encode() + b"\n", 0)
    finally:
        os.close(file)


def read_last_saved(directory: Path, journal: str) -> int:
    """Return the number of the last saved line, or 0 if the number is not known for this
    journal."""
    try:
        with (directory / LAST_SAVED).open("rb") as file:
            words = file.read(_WIDTH).decode("ascii", "replace").split()
    except OSError:
        return 0
    if len(words) != 2 or words[0] != journal or not words[1].isdecimal():
        return 0
    return int(words[1])
