"""A journal with a rollback journal, on a file system that maps no shared memory."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from boardctl.storage import backup, database, files
from boardctl.storage.database import NAME
from boardctl.storage.journal import AtOnce, Journal, read_sessions
from boardctl.table import since_boot

LINES = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob", "1 peg 8")


def write(data: Path, *lines: str) -> None:
    journal = Journal(data, AtOnce())
    try:
        assert journal.notice is None
        found = journal.last_session()
        first = 1 if found is None else found[0] + len(found[2])
        for number, line in enumerate(lines, first):
            if number == 1:
                saved = journal.begin_session(1, "", line, 12.5, "test")
            else:
                saved = journal.append(1, number, line, 12.5, "test")
            saved.result(0)
    finally:
        journal.close()


def lines(data: Path) -> tuple[str, ...]:
    ((_, entries),) = read_sessions(data)
    return tuple(entry.text for entry in entries)


@pytest.fixture
def unmapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MODE", "TRUNCATE")


@pytest.mark.usefixtures("unmapped")
def test_no_memory_is_shared(tmp_path: Path) -> None:
    write(tmp_path, *LINES)
    assert lines(tmp_path) == LINES
    assert not {NAME + "-wal", NAME + "-shm"} & {file.name for file in tmp_path.iterdir()}
    with closing(sqlite3.connect(tmp_path / NAME)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",), "not of the file's"


@pytest.mark.usefixtures("unmapped")
def test_a_commit_that_was_cut_off_is_taken_back(tmp_path: Path) -> None:
    """The files are as a kill in the middle of a commit leaves them."""
    data, killed = tmp_path / "data", tmp_path / "killed"
    write(data, *LINES)
    with closing(sqlite3.connect(data / NAME, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size=1")  # pages are written before the commit
        db.execute("BEGIN IMMEDIATE")
        for number in range(6, 400):
            row = (number, 1, "1 peg 1", 12.5, "test")
            db.execute("INSERT INTO line VALUES (?, ?, ?, ?, ?)", row)
        shutil.copytree(data, killed)
        db.execute("ROLLBACK")
    assert (killed / (NAME + "-journal")).stat().st_size > 0, "it is hot"
    write(killed, "2 peg 3")
    assert lines(killed) == (*LINES, "2 peg 3")


@pytest.mark.usefixtures("unmapped")
def test_a_line_that_is_not_on_disk_is_not_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, *LINES)
    journal = Journal(tmp_path, AtOnce())
    failures: list[str] = []
    journal.failed.connect(failures.append)
    is_full, sync = True, os.fsync

    def synced(number: int) -> None:
        if is_full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(number)

    monkeypatch.setattr(os, "fsync", synced)
    first = journal.append(1, 6, "2 peg 3", 12.5, "test")
    second = journal.append(1, 7, "1 peg 2", 12.5, "test")
    assert not first.done()
    assert "line 6 is not saved yet" in failures[0]
    is_full = False
    journal.retry()
    assert (first.result(0), second.result(0)) == (None, None)
    journal.close()
    assert lines(tmp_path) == (*LINES, "2 peg 3", "1 peg 2"), "each once"


def test_a_journal_goes_from_one_to_the_other_and_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, *LINES)
    monkeypatch.setattr(database, "MODE", "TRUNCATE")
    write(tmp_path, "2 peg 3")
    assert not (tmp_path / (NAME + "-wal")).exists()
    monkeypatch.setattr(database, "MODE", "WAL")
    write(tmp_path, "1 peg 2")
    assert lines(tmp_path) == (*LINES, "2 peg 3", "1 peg 2")
    copy = tmp_path / "copy.sqlite3"
    assert backup.save(tmp_path, copy) == len(LINES) + 2


def test_a_system_without_users_has_no_owner_to_give_a_file_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "geteuid")
    monkeypatch.setattr(os, "chown", None)
    found = tmp_path.stat()
    assert files.owner(tmp_path) == (found.st_uid, found.st_gid)
    files.give(tmp_path, (1, 1))


def test_a_system_without_hard_links_keeps_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, *LINES)
    monkeypatch.delattr(os, "link")
    kept = database.keep(tmp_path / NAME, "damaged")
    assert kept is not None
    assert kept.read_bytes() == (tmp_path / NAME).read_bytes()


def test_a_clock_that_is_only_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(clock: int) -> float:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(time, "clock_gettime", none)
    monkeypatch.setattr(time, "monotonic", lambda: 8.0)
    assert since_boot() == 8.0
