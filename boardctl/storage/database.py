"""Create, open and replace the journal's SQLite file.

`swap_in` replaces the file. A database must never be separated from its log, because SQLite would
replay the old file's log onto the new file (sqlite.org/howtocorrupt.html, 1.4). Therefore the new
file is first written completely under another name (`NEXT`). From then on, any program that opens
the journal finishes the swap.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Final

from boardctl import text
from boardctl.message import Message
from boardctl.storage import checks, files, schema

NAME: Final = "journal.sqlite3"
"""The journal's file in the data directory."""
NEXT: Final = "journal.next.sqlite3"
"""A complete journal that is about to replace the current one."""
LAST_SAVED: Final = "journal.last"
"""The file with the number of the last saved line (`journal.read_last_saved`)."""
LOCK: Final = "lock"
"""The lock file of the only program that may write in the data directory."""
_LOCKING: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
LOGS: Final = ("-wal", "-shm", "-journal")
"""The suffixes of the files that SQLite keeps next to a database."""
CACHE: Final = 256
"""The size of SQLite's page cache in KiB. Lines are only appended, so a larger cache (SQLite's
default is 2,000) would merely fill up over the years."""
_HEADER: Final = 512
"""The smallest page size, and therefore the minimum size of a database
(sqlite.org/fileformat.html#page_size)."""
SMALL: Final = 4 << 20
"""The maximum size in bytes of a journal that is checked completely before use: some 70,000
lines."""
SUSPECT: Final = "journal.suspect"
"""The marker file for a large journal that was found to be damaged while a board was using it."""
MODE: Final = "TRUNCATE" if sys.platform == "emscripten" else "WAL"
"""SQLite's method of making a commit atomic. A log (WAL) needs a `-shm` file that every connection
maps into memory. In a browser tab a mapping is a copy, so SQLite uses a rollback journal there
(sqlite.org/pragma.html#pragma_journal_mode), which it empties and syncs at each commit.
"""
_PLAUSIBLE: Final = 1000
"""The upper limit of version numbers. A higher number means damage."""

_UNWRITABLE: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_IOERR,
    }
)
"""SQLite's error codes for a file that cannot be written, by the primary code
(sqlite.org/rescode.html)."""
_UNREADABLE: Final = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_IOERR_READ,
        sqlite3.SQLITE_IOERR_SHORT_READ,
        sqlite3.SQLITE_IOERR_CORRUPTFS,
    }
)
"""The extended error codes for a file with wrong or unreadable content."""


_HARMLESS: Final = frozenset({"none", "none-yet"})
"""Result codes that are not errors."""
_CURES: Final = {
    "newer": "cure-update",
    "not-ours": "cure-move",
    "not-a-file": "cure-move",
    "busy": "cure-again",
    "forbidden": "cure-rights",
}
"""Remedies by error code. The remedy for any other code is to check the disk."""


class JournalError(text.SpokenError):
    """The error raised if the journal cannot be opened, read or written."""

    kind = "journal"

    def __init__(self, where: Path, code: str, **fields: object) -> None:
        """Args:
        code: the code of a sentence of kind `journal`.
        fields: its fields.
        where: the file or folder that the error concerns.
        """
        super().__init__(code, where, **fields)

    def sentence(self, language: str) -> str:
        """Return the fault without the file name."""
        return text.say(Message("journal", self.code, self.fields), text.Reader(language))

    @property
    def _cure(self) -> str:
        return _CURES.get(self.code, "cure-disk")

    def advice(self, language: str) -> str:
        """Return the fault and the remedy without the file name."""
        if self.code in _HARMLESS:
            return self.sentence(language)
        cure = text.say(Message("journal", self._cure), text.Reader(language))
        fields = {"what": self.sentence(language), "cure": cure}
        return text.say(Message("journal", "with-cure", fields), text.Reader(language))


class DamagedError(JournalError):
    """The error raised if the journal's file is damaged. `repair.recover` saves its readable
    content."""

    @property
    def _cure(self) -> str:
        return "cure-repair"


class UnwritableError(JournalError):
    """The error raised if the data directory cannot be written because it is read-only, full or
    missing."""


@contextmanager
def locked(directory: Path, taken: str = "taken") -> Iterator[None]:
    """Lock a data directory for the one program that may write to it. If the directory is missing,
    create it.

    Raises:
        UnwritableError: the directory cannot be written.
        JournalError: the path is not a directory, or another program has locked the directory (code
            `taken`).
    """
    try:
        files.make_directory(directory)
        number = os.open(directory / LOCK, _LOCKING, files.PRIVATE)
        lock = os.fdopen(number, "a")
    except (NotADirectoryError, FileExistsError) as error:
        # A file where the directory should be is a wrong path, not a faulty SD card.
        raise JournalError(directory, "not-a-folder") from error
    except OSError as error:
        raise UnwritableError(directory, "unwritable", reason=error) from error
    with lock:
        try:
            files.give(lock.fileno(), files.owner(directory))
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError:
            raise JournalError(directory, taken) from None
        yield


def read_only(path: Path) -> sqlite3.Connection:
    """Open a journal read-only, even while a board is running.

    Raises:
        JournalError: if there is no file, or the file is not a journal of a supported version.
        DamagedError: if the content cannot be read.
    """
    try:
        if not path.exists():
            raise JournalError(path, "none-yet")
        if not path.is_file():
            raise JournalError(path, "not-a-file")
        return _opened(path, f"{path.absolute().as_uri()}?mode=ro")
    except PermissionError as error:
        raise UnwritableError(path, "forbidden") from error
    except OSError as error:
        raise UnwritableError(path, "failed", reason=error.strerror or error) from error


def writable(path: Path) -> sqlite3.Connection:
    """Open the journal for writing. Create a missing journal, and upgrade an older schema.

    The caller must have locked the directory (`locked`). The whole content of a small journal
    (`is_small`) is checked first. For a large journal, only the last session is checked; `suspect`
    checks the rest later.

    Raises:
        UnwritableError: the directory cannot be written.
        JournalError: the file is not a journal of a readable version.
        DamagedError: the journal's content is damaged.
    """
    try:
        if path.exists() and not path.is_file():
            raise JournalError(path, "not-a-file-move")
        finish_swap(path.parent)
        log = path.with_name(f"{path.name}-wal")
        if not path.exists():
            if log.exists():
                raise DamagedError(path, "only-log")
            create(path)
        write_again(log)
        if path.with_name(f"{path.name}-journal").exists():
            _opened(path, str(path)).close()  # rolls back a transaction interrupted by a power cut
        # Read-only: closing a writable connection would checkpoint the log into the file.
        with closing(read_only(path)) as db:
            faults = tuple(checks.damage(db) if is_small(path) else checks.recent_damage(db))
        if faults:
            raise DamagedError(path, "damaged", fault=faults[0])
        db = _opened(path, str(path))
    except OSError as error:
        raise UnwritableError(path, "failed", reason=error) from error
    except sqlite3.Error as error:
        raise failure(path, error) from error
    try:
        db.execute(f"PRAGMA journal_mode={MODE}")
        db.execute("PRAGMA synchronous=FULL")
        db.execute(f"PRAGMA cache_size={-CACHE}")
        if db.execute("PRAGMA user_version").fetchone()[0] == 1:
            db.executescript(schema.named(schema.MIGRATE))
    except sqlite3.Error as error:
        db.close()
        raise failure(path, error) from error
    return db


def sync_commit(path: Path) -> None:
    """Sync a journal after a commit if SQLite has not done so. In a browser tab, SQLite's fdatasync
    does nothing. Raises OSError."""
    if MODE != "WAL":
        with path.open("rb") as file:
            os.fsync(file.fileno())


def provisional(path: Path, holding: ExitStack) -> sqlite3.Connection:
    """Return a temporary journal for use when a data directory cannot be written: its readable
    content, or an empty journal in memory. The caller must not write to the temporary journal.
    `holding` closes its resources."""
    from shutil import copyfile  # they import much and are seldom needed
    from tempfile import TemporaryDirectory

    log = path.with_name(f"{path.name}-wal")
    try:
        if not log.exists() or log.stat().st_size == 0:
            # SQLite cannot share a file that it cannot write, and no other program can write here
            # either.
            return _opened(path, f"{path.absolute().as_uri()}?immutable=1")
        for place in (None, "/dev/shm"):
            with suppress(OSError):
                folder = Path(holding.enter_context(TemporaryDirectory(dir=place)))
                for file in (path, log):
                    copyfile(file, folder / file.name)
                return _opened(folder / path.name, str(folder / path.name))
    except (OSError, JournalError):
        pass  # its faults are recorded once it can be written again
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.executescript(schema.named(schema.CREATE))
    return db


def create(path: Path) -> None:
    """Create an empty journal and sync the file to disk. Raises OSError or sqlite3.Error."""
    with building(path):
        pass


@contextmanager
def building(path: Path) -> Iterator[sqlite3.Connection]:
    """Fill a new journal, which is given the name `path` only when the block ends. Raises OSError
    or sqlite3.Error, without leaving a file behind."""
    fresh = files.part(path)
    try:
        for name in ("", *LOGS):
            fresh.with_name(fresh.name + name).unlink(missing_ok=True)
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, files.PRIVATE))
        with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
            db.executescript(schema.named(schema.CREATE))
            yield db
        files.install(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def is_small(path: Path) -> bool:
    """Return whether a journal must be checked completely before use. This is so if it is small
    enough for a quick check, or if an earlier check found damage."""
    return path.stat().st_size <= SMALL or path.with_name(SUSPECT).exists()


def suspect(path: Path) -> str | None:
    """Check a large journal completely while the board is using it. Return the fault, or None if
    there is none. After a fault, the journal is checked and repaired at the next start.

    Raises:
        OSError, JournalError: if the journal cannot be read, or the marker cannot be written.
    """
    with closing(read_only(path)) as db:
        found = next(checks.damage(db), None)
    if found is not None:
        files.replace(path.with_name(SUSPECT), found.encode())
    return found


def write_again(log: Path) -> None:
    """Write a log's bytes back to disk unchanged, because its pages may exist only in memory. The
    bytes do not change, so a power cut during the write does no harm.

    Raises:
        OSError: if the log cannot be written or synced.
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
    """Give the journal and its log an additional name, so that they are kept. Return the new name,
    or None if there is no journal. Raises OSError."""
    kept = files.unused(path, word)
    found = [name for name in ("", "-wal", "-journal") if path.with_name(path.name + name).exists()]
    for name in reversed(found):  # the log first, so a kept database always has its log
        old, new = path.with_name(path.name + name), kept.with_name(kept.name + name)
        try:
            files.link(old, new)
        except OSError:  # the file system has no hard links
            files.copy(old, new)
    files.sync_directory(path.parent)
    return kept if found else None


def swap_in(directory: Path) -> None:
    """Replace the current journal and its log with the journal named `NEXT`. A power cut leaves one
    journal or the other. Raises OSError."""
    files.sync_directory(directory)
    finish_swap(directory)


def finish_swap(directory: Path) -> None:
    """Finish a swap that a power cut may have interrupted. Raises OSError."""
    fresh, path = directory / NEXT, directory / NAME
    if not fresh.exists():
        return
    files.remove(*(path.with_name(path.name + log) for log in LOGS), directory / LAST_SAVED)
    files.install(fresh, path)
    path.with_name(SUSPECT).unlink(missing_ok=True)


def _opened(path: Path, name: str) -> sqlite3.Connection:
    """Connect to a file, and verify that it is a boardctl journal before any query."""
    size = path.stat().st_size
    if size < _HEADER:
        raise DamagedError(path, "damaged", fault=text.Sentence("fault", "size", bytes=size))
    db = None
    try:
        db = sqlite3.connect(
            name, isolation_level=None, check_same_thread=False, uri=name.startswith("file:")
        )
        schema.restrain(db)
        _identify(db, path)
    except BaseException as error:
        if db is not None:
            db.close()
        if isinstance(error, sqlite3.Error):
            raise failure(path, error) from error
        if isinstance(error, UnicodeDecodeError):  # in SQLite's messages about a damaged schema
            raise DamagedError(
                path, "damaged", fault=text.Sentence("fault", "schema-not-utf-8")
            ) from error
        raise
    return db


def _identify(db: sqlite3.Connection, path: Path) -> None:
    mine = db.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION_ID
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    ours = {"session", "line"} <= tables
    if not tables:
        raise DamagedError(path, "damaged", fault=text.Sentence("fault", "empty"))
    if not mine and not ours:
        raise JournalError(path, "not-ours")
    if not mine or not ours or not 0 < version < _PLAUSIBLE:
        raise DamagedError(path, "damaged", fault=text.Sentence("fault", "header"))
    if version not in schema.READABLE:
        raise JournalError(path, "newer", version=version, readable=schema.VERSION)


def failure(path: Path, error: sqlite3.Error) -> JournalError:
    """Convert an SQLite error to an exception with one sentence: DamagedError if the content of the
    file is the cause."""
    code = getattr(error, "sqlite_errorcode", 0)
    # Our statements are correct, so a plain SQLITE_ERROR means a faulty schema in the file.
    if code in _UNREADABLE or code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return DamagedError(path, "failed", reason=error)
    kind = UnwritableError if code & 0xFF in _UNWRITABLE else JournalError
    if code & 0xFF == sqlite3.SQLITE_CANTOPEN and path.exists() and not os.access(path, os.R_OK):
        return kind(path, "forbidden")
    return kind(path, "failed", reason=error)
