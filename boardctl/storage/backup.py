"""Backups of the journal, made while the board runs and restored while it is stopped.

Only the rows of a backup are used (`rows`), because a foreign file may contain constraints or
triggers that would reject later lines. It may also contain more lines than a board can read.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from boardctl import text
from boardctl.storage import checks, database, files, rows
from boardctl.storage.database import NAME, NEXT, DamagedError, JournalError

_log: Final = logging.getLogger(__name__)
WAITING: Final = "restore.sqlite3"
"""The file name of a journal that replaces the current one at the board's next start."""

_BEFORE: Final = "before"
"""The word in the name of a journal that a restore has replaced."""
_LATEST: Final = 1e11
"""A time that no clock reaches (seconds since 1970)."""


class Restored(NamedTuple):
    """The result of a restore: the number of lines copied, the old journal's file, and the lines
    that the referee rejects. The rejected lines are kept, but do not affect the score."""

    lines: int
    old_journal: Path | None
    doubtful: tuple[str, ...]


class Summary(NamedTuple):
    """A summary of a journal: its evenings and lines, and the times of its first and last line
    (seconds since 1970, or None if unknown)."""

    evenings: int
    lines: int
    first: float | None
    last: float | None


def summary(file: Path) -> Summary:
    """Return the summary of a journal without checking the journal's pages.

    Raises:
        JournalError: the file cannot be read as a journal.
    """
    _check_is_file(file)
    try:
        with closing(database.read_only(file)) as db:
            (evenings,) = db.execute("SELECT count(*) FROM session").fetchone()
            lines, first, last = db.execute(
                "SELECT count(*), min(at), max(at) FROM line"
            ).fetchone()
    except (sqlite3.Error, OSError) as error:
        raise JournalError(file, "failed", reason=error) from error
    return Summary(int(evenings), int(lines), _day(first), _day(last))


def _day(at: object) -> float | None:
    return float(at) if isinstance(at, float) and 0 < at < _LATEST else None


def earlier(directory: Path) -> Path | None:
    """Return the journal that was replaced by the latest restore, or None if it no longer
    exists."""
    number, found = 1, None
    while (kept := (directory / NAME).with_suffix(f".{_BEFORE}-{number}.sqlite3")).exists():
        number, found = number + 1, kept
    return found


def save(directory: Path, file: Path) -> int:
    """Copy the journal in a data directory to a new file, and return the number of lines.

    `VACUUM INTO` copies a consistent snapshot into one file without a log
    (sqlite.org/lang_vacuum.html).

    Raises:
        JournalError: if there is no journal, or the new file already exists or cannot be written.
    """
    source = directory / NAME
    if file.exists():
        raise JournalError(file, "exists")
    try:
        found = file.parent.stat()
        return _copy(source, file, (found.st_uid, found.st_gid))
    except (sqlite3.Error, OSError) as error:
        raise JournalError(file, "failed", reason=error) from error


def _check_is_file(file: Path) -> None:
    """Raise JournalError unless a backup and SQLite's files beside it are regular files. Opening a
    pipe would block until another program writes to it."""
    if not file.exists():
        raise JournalError(file, "no-file")
    for each in (file, *(Path(f"{file}-{end}") for end in ("wal", "shm", "journal"))):
        if each.exists() and not each.is_file():
            raise JournalError(each, "not-a-file")


def restore(
    file: Path, directory: Path, report: Callable[[int], object] = lambda percent: None
) -> Restored:
    """Replace the journal with a new one that contains the rows of a backup.

    Args:
        report: called with the percentage copied so far.

    Raises:
        JournalError: if the file is not an undamaged journal that a board can read, or the board is
        running.
    """
    _check_is_file(file)
    try:
        with database.locked(directory, "running"):
            database.finish_swap(directory)
            with database.building(directory / NEXT) as new:
                copied = rows.copy(file, new, report=report)
                kept = database.keep(directory / NAME, _BEFORE)
            database.swap_in(directory)
    except (sqlite3.Error, OSError) as error:
        raise JournalError(directory, "failed", reason=error) from error
    return Restored(copied.lines, kept, copied.doubtful)


def prepare(
    file: Path, directory: Path, report: Callable[[int], object] = lambda percent: None
) -> int:
    """Prepare a new journal that contains the rows of a backup, for use from the next start on, and
    return the number of lines. The referee judges the lines when they are read. Raises JournalError
    for the same reasons as `restore`.

    Args:
        report: called with the percentage copied so far.
    """
    _check_is_file(file)
    try:
        with database.building(directory / WAITING) as new:
            return rows.copy(file, new, judging=False, report=report).lines
    except (sqlite3.Error, OSError) as error:
        raise JournalError(directory, "failed", reason=error) from error


def take_waiting(directory: Path) -> None:
    """Replace the current journal with a prepared one. If that fails, the current journal remains
    in place, and the prepared journal is given another name, which is logged. The board starts in
    either case."""
    waiting = directory / WAITING
    try:
        if not waiting.exists():
            return
        try:
            kept = _take(waiting, directory)
        except JournalError as error:
            _log.error("%s", error)
            waiting.replace(directory / f"{WAITING}.refused")
        else:
            _log.warning(
                "the lines of a backup were restored; the journal before is kept as %s", kept
            )
    except OSError as error:
        _log.error("%s: %s", waiting, error.strerror or error)


def _take(waiting: Path, directory: Path) -> Path | None:
    """Put the prepared journal in place, and return the old journal's file. Raises JournalError."""
    try:
        with database.locked(directory, "running"):
            database.finish_swap(directory)
            with closing(database.read_only(waiting)) as db:
                for fault in checks.recent_damage(db):
                    raise DamagedError(waiting, "damaged", fault=fault)
            kept = database.keep(directory / NAME, _BEFORE)
            waiting.rename(directory / NEXT)
            database.swap_in(directory)
    except (sqlite3.Error, OSError) as error:
        raise JournalError(directory, "failed", reason=error) from error
    return kept


def check(file: Path) -> int:
    """Check every page of a journal, and return the number of lines. Raises JournalError if the
    journal is damaged."""
    _check_is_file(file)
    try:
        with closing(database.read_only(file)) as db:
            for fault in checks.damage(db):
                raise DamagedError(file, "damaged", fault=fault)
            lines: int = db.execute("SELECT count(*) FROM line NOT INDEXED").fetchone()[0]
    except sqlite3.Error as error:
        raise JournalError(file, "failed", reason=error) from error
    return lines


def _copy(source: Path, target: Path, user: tuple[int, int]) -> int:
    """Copy a journal and its log into one file, and return the number of lines. The file is checked
    and synced before it gets its final name. If copying fails, no file is left behind."""
    fresh = files.part(target)
    try:
        fresh.unlink(missing_ok=True)
        fresh.touch()  # unlike SQLite, this names the reason why the file cannot be created
        with closing(database.read_only(source)) as db:
            # As bytes, because a file name need not be UTF-8.
            db.execute("VACUUM INTO CAST(? AS TEXT)", (os.fsencode(fresh),))
        fresh.chmod(files.PRIVATE)
        lines = check(fresh)
        files.install(fresh, target, user)
    finally:
        fresh.unlink(missing_ok=True)
    return lines


def main(arguments: list[str]) -> int:
    """Run `prepare` in a separate process: `python -m boardctl.storage.backup FILE DIRECTORY`.

    Prints lines of JSON: `{"percent": 40}` for the progress, and at the end `{"lines": 1234}`. A
    refusal is printed as the code and fields of a sentence of kind `journal`: `{"code": …,
    "fields": …}`.
    """
    file, directory = map(Path, arguments)
    percent = -1

    def say(**what: object) -> None:
        sys.stdout.write(json.dumps(what) + "\n")
        sys.stdout.flush()

    def report(now: int) -> None:
        nonlocal percent
        if now != percent:
            percent = now
            say(percent=now)

    try:
        say(lines=prepare(file, directory, report))
    except JournalError as error:
        say(**text.as_data(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
