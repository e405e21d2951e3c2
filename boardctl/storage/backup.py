"""Copies of the journal: made beside a running board, put back when it is not running."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from boardctl.storage.journal import APPLICATION_ID, NAME, READABLE, VERSION, JournalError


def save(directory: Path, file: Path) -> int:
    """Copy the journal in a data directory to a new file; how many lines it has.

    `VACUUM INTO` sees one moment of a journal that is being written, and leaves one file without
    a log beside it (sqlite.org/lang_vacuum.html).

    Raises:
        JournalError: there is no journal, the file exists already or can not be written.
    """
    source = directory / NAME
    if not source.is_file():
        raise JournalError(f"{source}: there is no journal here yet")
    if file.exists():
        raise JournalError(f"{file}: exists already; a backup never replaces a file")
    fresh = file.with_name(f".{file.name}.part")
    try:
        fresh.unlink(missing_ok=True)
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as db:
            db.execute("VACUUM INTO ?", (str(fresh),))
        lines = check(fresh)
        _settle(fresh, file)
    except (sqlite3.Error, OSError) as error:
        raise JournalError(f"{file}: {error}") from error
    return lines


def restore(file: Path, directory: Path) -> tuple[int, Path | None]:
    """Put a backup in the place of the journal; its lines, and where the old one is kept.

    Raises:
        JournalError: the file is no whole journal of this version, or the board is running.
    """
    lines = check(file)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with _alone(directory):
            journal = directory / NAME
            fresh = directory / f".{NAME}.part"
            fresh.write_bytes(file.read_bytes())
            kept = _put_aside(journal)
            _settle(fresh, journal)
    except OSError as error:
        raise JournalError(f"{directory}: {error}") from error
    return lines, kept


def check(file: Path) -> int:
    """How many lines a journal has, after looking at every page of it. Raises JournalError."""
    if not file.is_file():
        raise JournalError(f"{file}: there is no such file")
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise JournalError(f"{file}: is not a journal of boardctl")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version not in READABLE:
                raise JournalError(
                    f"{file}: was written by version {version} of the journal, "
                    f"this boardctl reads version {VERSION}"
                )
            found = db.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise JournalError(f"{file}: is damaged ({found})")
            lines: int = db.execute("SELECT count(*) FROM line").fetchone()[0]
    except sqlite3.Error as error:
        raise JournalError(f"{file}: {error}") from error
    return lines


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Hold the data directory as a running board does."""
    with (directory / "lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise JournalError(f"{directory}: a boardctl is running on this data") from None
        yield


def _put_aside(journal: Path) -> Path | None:
    """The journal, whole, under another name. Its log is first written into it."""
    if not journal.exists():
        return None
    with closing(sqlite3.connect(journal)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    number = 1
    while (kept := journal.with_name(f"{journal.stem}.before-{number}{journal.suffix}")).exists():
        number += 1
    journal.rename(kept)
    for log in ("-wal", "-shm"):
        journal.with_name(journal.name + log).unlink(missing_ok=True)
    return kept


def _settle(fresh: Path, file: Path) -> None:
    """Give a whole file its name, so that a power cut leaves either none or all of it."""
    with fresh.open("rb") as written:
        os.fsync(written.fileno())
    fresh.rename(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
