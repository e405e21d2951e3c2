"""The journal's log: SQLite's locks on its index are kept, and the remains of a failed write after
its end do not count as damage."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from boardctl.storage import checks, database, pages
from boardctl.storage.journal import NAME, AtOnce, Journal

FRAME = 24 + pages.PAGE
PRESENT = 128
"""The byte of the index that every connection locks: `WIN_SHM_DMS` and `UNIX_SHM_DMS` in SQLite's
sources. A process that finds it unlocked rebuilds the index."""
IS_FREE = """
import fcntl, sys
with open(sys.argv[1], "r+b") as index:
    fcntl.lockf(index, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, int(sys.argv[2]))
"""


def is_locked(index: Path) -> bool:
    """Return whether this process holds SQLite's lock on the index of a log, as seen by another
    process."""
    asked = [sys.executable, "-c", IS_FREE, str(index), str(PRESENT)]
    done = subprocess.run(asked, check=False, capture_output=True, text=True)
    assert done.returncode == 0 or "BlockingIOError" in done.stderr, done.stderr
    return done.returncode != 0


def test_a_check_keeps_the_locks_of_the_running_board(tmp_path: Path) -> None:
    """Otherwise the next process that reads the journal truncates the index that this process has
    mapped, and this process ends with a bus error."""
    journal = Journal(tmp_path, AtOnce())
    journal.begin_session(1, "", "session friday", 0.0, "test").result()
    index = tmp_path / f"{NAME}-shm"
    assert is_locked(index)
    assert journal.check() is None
    assert is_locked(index)
    journal._reopen()
    assert is_locked(index)
    journal.close()


def log_with(folder: Path, start: Path, rows: int) -> bytes:
    """Return the log of a journal after one write of this many rows was added to that of
    `start`."""
    shutil.copytree(start, folder)
    with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as db:
        db.execute("BEGIN")
        for number in range(2, rows + 2):
            row = (number, 1, f"{rows} " + "x" * 3000, 0.0, "test")
            db.execute("INSERT INTO line VALUES (?, ?, ?, ?, ?)", row)
        db.execute("COMMIT")
        return (folder / f"{NAME}-wal").read_bytes()


def test_writes_that_failed_are_no_damage(tmp_path: Path) -> None:
    """A sync fails after each of three writes, each shorter than the one before. Finally the
    shortest is written, followed by the ends of the other two, each with its commit."""
    journal = Journal(tmp_path / "first", AtOnce())
    journal.begin_session(1, "", "session friday", 0.0, "test").result()
    start = tmp_path / "start"
    shutil.copytree(tmp_path / "first", start)
    journal.close()
    (start / f"{NAME}-shm").unlink()
    whole = b""
    for rows in (9, 6, 3):
        log = log_with(tmp_path / str(rows), start, rows)
        whole = log + whole[len(log) :]
    (start / f"{NAME}-wal").write_bytes(whole)
    stale = [
        at for at in range(32, len(whole), FRAME) if at >= len(log) and any(whole[at + 4 : at + 8])
    ]
    assert len(stale) == 2
    assert pages.unread_commits(start / NAME) == 1
    with closing(database.read_only(start / NAME)) as db:
        assert tuple(checks.damage(db)) == ()
        assert db.execute("SELECT count(*) FROM line").fetchone() == (4,)


def test_commits_behind_a_wrong_byte_are_those_that_sqlite_does_not_read(tmp_path: Path) -> None:
    writes = 5
    journal = Journal(tmp_path / "whole", AtOnce())
    journal.begin_session(1, "", "session friday", 0.0, "test").result()
    for number in range(2, writes + 1):
        journal.append(1, number, "x" * 3000 * number, 0.0, "test").result()
    shutil.copytree(tmp_path / "whole", tmp_path / "cut")
    journal.close()
    file = tmp_path / "cut" / NAME
    whole = file.with_name(f"{NAME}-wal").read_bytes()
    frames = (len(whole) - 32) // FRAME
    lost = []
    for frame in range(frames):
        raw = bytearray(whole)
        raw[32 + frame * FRAME + 24 + 100 * frame % pages.PAGE] ^= 1
        file.with_name(f"{NAME}-wal").write_bytes(raw)
        unread = pages.unread_commits(file)
        file.with_name(f"{NAME}-shm").unlink(missing_ok=True)
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db:
            (there,) = db.execute("SELECT count(*) FROM line").fetchone()
        assert unread == writes - there, frame
        lost.append(unread)
    assert set(lost) == set(range(1, writes + 1))
