"""Backups of the journal: made while the board runs, restored while it does not."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from boardctl.storage import database, files
from boardctl.storage.database import NAME, NEXT, DamagedError, JournalError

_log: Final = logging.getLogger(__name__)
WAITING: Final = "restore.sqlite3"
"""In a data directory: a backup that takes the journal's place when the board next begins."""


def save(directory: Path, file: Path) -> int:
    """Copy the journal in a data directory to a new file; returns its number of lines.

    `VACUUM INTO` copies a consistent snapshot into one file without a log
    (sqlite.org/lang_vacuum.html).

    Raises:
        JournalError: if there is no journal, or the file exists or cannot be written.
    """
    source = directory / NAME
    if file.exists():
        raise JournalError(f"{file}: exists already; a backup never replaces a file")
    try:
        found = file.parent.stat()
        return _copy(source, file, (found.st_uid, found.st_gid))
    except (sqlite3.Error, OSError) as error:
        raise JournalError(f"{file}: {error}") from error


def restore(file: Path, directory: Path) -> tuple[int, Path | None]:
    """Replace the journal by a backup; returns its number of lines and where the old one is kept.

    Raises:
        JournalError: if the file is not an undamaged journal of this version, or the board is
        running.
    """
    check(file)
    try:
        with database.locked(directory, "a boardctl is running on this data"):
            database.finish_swap(directory)
            kept = database.keep(directory / NAME, "before")
            lines = _copy(file, directory / NEXT, files.owner(directory))
            database.swap_in(directory)
    except (sqlite3.Error, OSError) as error:
        raise JournalError(f"{directory}: {error}") from error
    return lines, kept


def take_waiting(directory: Path) -> None:
    """Put a backup that waits in the place of the journal. One that cannot be is left beside it
    under another name, and the journal stays; the log says which. Nothing that fails here stops a
    board."""
    waiting = directory / WAITING
    try:
        if not waiting.exists():
            return
        try:
            lines, kept = restore(waiting, directory)
        except JournalError as error:
            _log.error("%s", error)
            waiting.replace(directory / f"{WAITING}.refused")
        else:
            _log.warning("%d lines were restored; the journal before is kept as %s", lines, kept)
            files.remove(waiting)
    except OSError as error:
        _log.error("%s: %s", waiting, error.strerror or error)


def check(file: Path) -> int:
    """The number of lines of a journal, after checking every page. Raises JournalError if it is
    damaged."""
    if not file.is_file():
        raise JournalError(f"{file}: there is no such file")
    try:
        with closing(database.read_only(file)) as db:
            for fault in database.damage(db):
                raise DamagedError(f"{file}: is damaged ({fault})")
            lines: int = db.execute("SELECT count(*) FROM line NOT INDEXED").fetchone()[0]
    except sqlite3.Error as error:
        raise JournalError(f"{file}: {error}") from error
    return lines


def _copy(source: Path, target: Path, user: tuple[int, int]) -> int:
    """Copy a journal and its log into one file, which is checked and synced before it gets its
    name; returns its number of lines. A failed copy leaves nothing behind."""
    fresh = files.part(target)
    try:
        fresh.unlink(missing_ok=True)
        with closing(database.read_only(source)) as db:
            db.execute("VACUUM INTO ?", (str(fresh),))
        fresh.chmod(files.PRIVATE)
        lines = check(fresh)
        files.install(fresh, target, user)
    finally:
        fresh.unlink(missing_ok=True)
    return lines
