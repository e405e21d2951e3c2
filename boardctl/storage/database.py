"""The journal's SQLite file: its schema, opening it, and checking it for damage.

`swap_in` replaces it. A database must never be separated from its log: the log of the old file
would be replayed onto the new one (sqlite.org/howtocorrupt.html, 1.4). So the new file is first
written completely under another name (`NEXT`); from then on, every opening finishes the swap.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Final, NamedTuple

from boardctl.record.record import Entry
from boardctl.storage import files, pages

APPLICATION_ID: Final = 0x43524942
"""`CRIB` in the file's header (sqlite.org/fileformat.html#application_id)."""
VERSION: Final = 2
READABLE: Final = (1, VERSION)
"""Version 1 had no outbox; it is added when the file is opened."""
NAME: Final = "journal.sqlite3"
"""The journal's file in the data directory."""
NEXT: Final = "journal.next.sqlite3"
"""A complete journal that is about to replace the current one."""
LOCK: Final = "lock"
"""Lock file of the one program that writes in the data directory."""
_LOCKING: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
LOGS: Final = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps next to a database."""
CACHE: Final = 256
"""KiB of the file cached in memory. Lines are appended, so a larger cache (SQLite's default is
2,000) would only grow over the years."""
_HEADER: Final = 512
"""Every database has at least the size of the smallest page
(sqlite.org/fileformat.html#page_size)."""
SMALL: Final = 4 << 20
"""Maximum bytes of a journal that is checked completely before use: some 70,000 lines."""
SUSPECT: Final = "journal.suspect"
"""Marker file: a large journal was found to be damaged while a board was using it."""
LAST: Final = 1 << 40
"""Upper limit of line numbers; a damaged number could be the last that SQLite has."""
_END_OF_TIME: Final = 253_402_300_800
"""The year 10000 (seconds since 1970): what no date can be of."""
_PLAUSIBLE: Final = 1000
"""Upper limit of version numbers: a higher number means damage."""

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
_CLOCK: Final = """
CREATE TABLE IF NOT EXISTS clock ( -- the clock was wrong: add these seconds to the time of lines
    since INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    seconds REAL NOT NULL
) STRICT;
"""
_TABLES: Final = {
    "session": ("first", "prelude"),
    "line": ("number", "session", "text", "at", "by"),
    "outbox": ("game", "version", "result"),
    "identity": ("name",),
    "clock": ("since", "upto", "seconds"),
}
"""The tables of a journal with their columns; a trigger or another column could keep lines out."""
_MIGRATE: Final = f"BEGIN IMMEDIATE; {_OUTBOX} PRAGMA user_version={VERSION}; COMMIT;"
_CREATE: Final = (
    f"BEGIN; {_SCHEMA} {_OUTBOX} PRAGMA application_id={APPLICATION_ID};"
    f"PRAGMA user_version={VERSION}; COMMIT;"
)
_UNWRITABLE: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_IOERR,
    }
)
"""And of one that cannot be written, by the primary code."""
_UNREADABLE: Final = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_IOERR_READ,
        sqlite3.SQLITE_IOERR_SHORT_READ,
        sqlite3.SQLITE_IOERR_CORRUPTFS,
    }
)
"""SQLite's error codes for a file with wrong or unreadable content (sqlite.org/rescode.html)."""


class JournalError(Exception):
    """The journal cannot be opened, read or written; the message is one sentence."""


class DamagedError(JournalError):
    """The journal's file is damaged; `repair.recover` saves what can be read."""


class UnwritableError(JournalError):
    """The data directory cannot be written: it is read-only or full, or not there."""


@contextmanager
def locked(directory: Path, taken: str = "another boardctl is using this data") -> Iterator[None]:
    """Lock a data directory for one writing program; it is created if missing.

    Raises:
        UnwritableError: it cannot be written.
        JournalError: it is not a directory; another program holds it (`taken` says so).
    """
    try:
        files.make_directory(directory)
        number = os.open(directory / LOCK, _LOCKING, files.PRIVATE)
        lock = os.fdopen(number, "a")
    except (NotADirectoryError, FileExistsError) as error:
        # A file where the directory should be is no bad card but a wrong path.
        raise JournalError(f"{directory}: is not a folder; choose another with --data") from error
    except OSError as error:
        raise UnwritableError(f"{directory}: cannot be written ({error.strerror})") from error
    with lock:
        try:
            files.give(lock.fileno(), files.owner(directory))
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError:
            raise JournalError(f"{directory}: {taken}") from None
        yield


def read_only(path: Path) -> sqlite3.Connection:
    """Open a journal read-only, even while a board is running.

    Raises:
        JournalError: if there is none, or it is not a journal of a supported version.
        DamagedError: if its content cannot be read.
    """
    if not path.exists():
        raise JournalError(f"{path}: there is no journal here yet")
    if not path.is_file():
        raise JournalError(f"{path}: is not a file")
    return _opened(path, f"{path.absolute().as_uri()}?mode=ro")


def writable(path: Path) -> sqlite3.Connection:
    """Open the journal for writing; create it if missing, and upgrade its schema.

    The caller holds the directory (`locked`). The content is checked first: all of it if it is
    small (`is_small`), else the last session; `suspect` checks the rest later.

    Raises:
        UnwritableError: it cannot be written.
        JournalError: it is not a journal of a version that can be read.
        DamagedError: its content is damaged.
    """
    try:
        if path.exists() and not path.is_file():
            raise JournalError(
                f"{path}: is not a file; move it away, or choose another folder with --data"
            )
        finish_swap(path.parent)
        log = path.with_name(f"{path.name}-wal")
        if not path.exists():
            if log.exists():
                raise DamagedError(f"{path}: is missing, but its log is there")
            create(path)
        write_again(log)
        if path.with_name(f"{path.name}-journal").exists():
            _opened(path, str(path)).close()  # rolls back what a power cut interrupted
        # Read-only: closing a writable connection would checkpoint the log into the file.
        with closing(read_only(path)) as db:
            faults = tuple(damage(db) if is_small(path) else recent_damage(db))
        if faults:
            raise DamagedError(f"{path}: is damaged ({faults[0]})")
        db = _opened(path, str(path))
    except OSError as error:
        raise UnwritableError(f"{path}: {error.strerror or error}") from error
    except sqlite3.Error as error:
        raise _error(path, error) from error
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute(f"PRAGMA cache_size={-CACHE}")
        if db.execute("PRAGMA user_version").fetchone()[0] == 1:
            db.executescript(_MIGRATE)
    except sqlite3.Error as error:
        db.close()
        raise _error(path, error) from error
    return db


class ClockCorrection(NamedTuple):
    """The clock was wrong when the lines `since` to `upto` were written: add `seconds` to their
    times."""

    since: int
    upto: int
    seconds: float


def add_correction(db: sqlite3.Connection, correction: ClockCorrection) -> None:
    """Store a correction of the clock. Raises sqlite3.Error."""
    db.execute(_CLOCK)
    db.execute("INSERT INTO clock VALUES (?, ?, ?)", correction)


def corrections(db: sqlite3.Connection) -> tuple[ClockCorrection, ...]:
    """All corrections of the clock; none if their table cannot be read, since only times depend
    on it."""
    try:
        rows = db.execute("SELECT since, upto, seconds FROM clock").fetchall()
    except sqlite3.Error:
        return ()
    return tuple(map(ClockCorrection._make, rows))


def corrected(
    entries: Sequence[Entry], corrections: Sequence[ClockCorrection]
) -> tuple[Entry, ...]:
    """Lines with corrected times; an evening named after its date is renamed with it. The order
    does not change. A damaged time, which no calendar has, is 1970."""
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
    """The first line of an evening that nobody named."""
    return f"session {day(at)}"


def day(at: float) -> str:
    """The date of a time (seconds since 1970) at this place, as an evening is named after it."""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(at))
    except (OverflowError, ValueError, OSError):  # a damaged time
        return ""


def lent(path: Path, holding: ExitStack) -> sqlite3.Connection:
    """A journal to begin with where the data directory cannot be written: what can be read there,
    or an empty one in memory. Nothing is to be written to it; `holding` lets go of it."""
    from tempfile import TemporaryDirectory  # it loads much, and is seldom needed

    log = path.with_name(f"{path.name}-wal")
    try:
        if not log.exists() or log.stat().st_size == 0:
            # SQLite cannot share a file where it cannot write; nobody else can write here either.
            return _opened(path, f"{path.absolute().as_uri()}?immutable=1")
        for place in (None, "/dev/shm"):
            with suppress(OSError):
                folder = Path(holding.enter_context(TemporaryDirectory(dir=place)))
                for file in (path, log):
                    shutil.copyfile(file, folder / file.name)
                return _opened(folder / path.name, str(folder / path.name))
    except (OSError, JournalError):
        pass  # whatever is wrong with it is entered when it can be written again
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.executescript(_CREATE)
    return db


def create(path: Path) -> None:
    """Create an empty journal and sync it to disk. Raises OSError or sqlite3.Error."""
    with building(path):
        pass


@contextmanager
def building(path: Path) -> Iterator[sqlite3.Connection]:
    """Fill a new journal, which gets the name `path` only when the block ends. Raises OSError or
    sqlite3.Error, and then leaves nothing behind."""
    fresh = files.part(path)
    try:
        for name in ("", *LOGS):
            fresh.with_name(fresh.name + name).unlink(missing_ok=True)
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, files.PRIVATE))
        with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
            db.executescript(_CREATE)
            yield db
        files.install(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def damage(db: sqlite3.Connection, most: int = 20) -> Iterator[str]:
    """The faults of a journal, one sentence each: SQLite's check of every page, and a check that
    the last session is complete. A sqlite3.Error counts as damage and is not raised."""
    try:
        for (told,) in db.execute(f"PRAGMA quick_check({most})"):
            if told != "ok":
                yield str(told).splitlines()[-1]
        yield from _strange(db)
        yield from _last_session(db)
        for text in ("SELECT text, by FROM line", "SELECT prelude, first FROM session"):
            deque(db.execute(text), maxlen=0)  # raises if a text is not UTF-8
        yield from _log_damage(db)
    except sqlite3.Error as error:
        yield str(error)


def recent_damage(db: sqlite3.Connection) -> Iterator[str]:
    """The faults of the last session, which is all that a board needs to continue."""
    try:
        yield from _strange(db)
        yield from _last_session(db)
        first = "(SELECT max(first) FROM session)"
        deque(db.execute(f"SELECT text, by FROM line WHERE number >= {first}"), maxlen=0)
        yield from _log_damage(db)
    except sqlite3.Error as error:
        yield str(error)


def _strange(db: sqlite3.Connection) -> Iterator[str]:
    """What no journal has: other tables, columns or triggers, and impossible numbers."""
    found = "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^'"
    for kind, name in db.execute(found).fetchall():
        columns = db.execute("SELECT name FROM pragma_table_info(?)", (name,)).fetchall()
        known = (kind, name) == ("index", "line_by_session")
        if not known and (kind != "table" or _TABLES.get(name) != tuple(c for (c,) in columns)):
            yield f"its {kind} {name!r} is not that of a journal"
    for column, table in (("number", "line"), ("first", "session")):
        least, most = db.execute(f"SELECT min({column}), max({column}) FROM {table}").fetchone()
        if least is not None and not 0 < least <= most < LAST:
            yield f"its lines have impossible numbers ({least} to {most})"


def _log_damage(db: sqlite3.Connection) -> Iterator[str]:
    """SQLite reads a log up to its first damaged frame, and says nothing of what lies behind."""
    file = db.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()[0]
    if file and pages.unread_commits(Path(file)) > 1:
        yield "its log is damaged"


def is_small(path: Path) -> bool:
    """Whether a journal is checked completely before use: it is small enough for a quick check, or
    an earlier check found damage."""
    return path.stat().st_size <= SMALL or path.with_name(SUSPECT).exists()


def suspect(path: Path) -> str | None:
    """Check a large journal completely while the board uses it; returns the fault, None if there is
    none. After a fault, the next start checks and repairs it.

    Raises:
        OSError, JournalError: if it cannot be read, or the marker cannot be written.
    """
    with closing(read_only(path)) as db:
        found = next(damage(db), None)
    if found is not None:
        files.replace(path.with_name(SUSPECT), found.encode())
    return found


def _last_session(db: sqlite3.Connection) -> Iterator[str]:
    """Faults of the last session: it must have all its lines, including the last line, since a lost
    page could otherwise let the board continue with an older score."""
    (first,) = db.execute("SELECT max(first) FROM session").fetchone()
    last, count = db.execute(
        "SELECT max(number), count(*) FROM line NOT INDEXED WHERE number >= ?", (first or 0,)
    ).fetchone()
    if first is None and last is None:
        return
    if first is None or last is None:
        yield "a session has no lines, or lines have no session"
        return
    (others,) = db.execute(
        "SELECT count(*) FROM line NOT INDEXED WHERE number >= ? AND session <> ?", (first, first)
    ).fetchone()
    if count != last - first + 1 or others:
        yield f"lines are missing between {first} and {last}"


def write_again(log: Path) -> None:
    """Write a log back to disk unchanged, since its pages may exist only in memory. Because the
    bytes stay the same, a power cut meanwhile does no harm.

    Raises:
        OSError: if it cannot be written or synced.
    """
    if not log.exists():
        return
    with log.open("r+b") as file:
        written = file.read()
        file.seek(0)
        file.write(written)
        file.flush()
        os.fsync(file.fileno())


def keep(path: Path, word: str) -> Path | None:
    """Keep the journal and its log under an additional name; returns the new name, None if there is
    no journal. Raises OSError."""
    kept = files.unused(path, word)
    found = [name for name in ("", "-wal", "-journal") if path.with_name(path.name + name).exists()]
    for name in reversed(found):  # the log first, so that a kept database is never without it
        old, new = path.with_name(path.name + name), kept.with_name(kept.name + name)
        try:
            os.link(old, new)  # of a link itself: link(2) follows none on Linux
        except OSError:  # a file system without hard links
            files.copy(old, new)
    files.sync_directory(path.parent)
    return kept if found else None


def swap_in(directory: Path) -> None:
    """Replace the current journal and its log by the one named `NEXT`. A power cut leaves one or
    the other. Raises OSError."""
    files.sync_directory(directory)
    finish_swap(directory)


def finish_swap(directory: Path) -> None:
    """Finish a swap that a power cut may have interrupted. Raises OSError."""
    fresh, path = directory / NEXT, directory / NAME
    if not fresh.exists():
        return
    files.remove(*(path.with_name(path.name + log) for log in LOGS))
    files.install(fresh, path)
    path.with_name(SUSPECT).unlink(missing_ok=True)


def _opened(path: Path, name: str) -> sqlite3.Connection:
    """Connect, and verify that the file is a boardctl journal before any query."""
    size = path.stat().st_size
    if size < _HEADER:
        raise DamagedError(f"{path}: is damaged (it has {size} bytes)")
    db = None
    try:
        db = sqlite3.connect(
            name, isolation_level=None, check_same_thread=False, uri=name.startswith("file:")
        )
        _identify(db, path)
    except BaseException as error:
        if db is not None:
            db.close()
        if isinstance(error, sqlite3.Error):
            raise _error(path, error) from error
        raise
    return db


def _identify(db: sqlite3.Connection, path: Path) -> None:
    mine = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    ours = {"session", "line"} <= tables
    if not tables:
        raise DamagedError(f"{path}: is damaged (it is an empty database)")
    if not mine and not ours:
        raise JournalError(f"{path}: is not a journal of boardctl")
    if not mine or not ours or not 0 < version < _PLAUSIBLE:
        raise DamagedError(f"{path}: is damaged (its header is not that of a journal)")
    if version not in READABLE:
        raise JournalError(
            f"{path}: was written by version {version} of the journal, "
            f"this boardctl reads version {VERSION}"
        )


def _error(path: Path, error: sqlite3.Error) -> JournalError:
    """SQLite's error as an exception with one sentence: DamagedError if the file's content is the
    cause."""
    code = getattr(error, "sqlite_errorcode", 0)
    # The statements are right: a plain SQLITE_ERROR says that the file's schema is not.
    if code in _UNREADABLE or code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return DamagedError(f"{path}: {error}")
    kind = UnwritableError if code & 0xFF in _UNWRITABLE else JournalError
    return kind(f"{path}: {error}")
