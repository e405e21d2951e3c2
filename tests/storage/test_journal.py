"""The journal: acknowledged lines are stored, foreign files are not touched."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from boardctl.games import IllegalMove
from boardctl.mqtt.results import poster
from boardctl.record import history
from boardctl.storage import backup, database, repair
from boardctl.storage.database import CACHE, NAME, write_again
from boardctl.storage.journal import AtOnce, Journal, JournalError, Post, Writer, read_sessions
from boardctl.storage.schema import APPLICATION_ID
from boardctl.table import Table
from tests.tables import Later, submit

OPENING = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path, AtOnce())
    yield opened
    opened.close()


def seat(journal: Journal) -> Table:
    table = Table(journal, now=lambda: 12.5)
    for line in OPENING:
        submit(table, line, "test")
    return table


def test_a_table_stands_where_it_stood(journal: Journal) -> None:
    table = seat(journal)
    for line in ("1 peg 8", "2 peg 12", "undo", "2 peg 6", "1 peg 2"):
        assert submit(table, line, "keypad").saved.done()
    again = Table(journal, now=lambda: 13.0)
    assert again.number == table.number
    assert again.position.scores == (10, 6)
    assert again.position.session == "friday"
    assert again.record.moves == table.record.moves
    assert again.session == table.session == 1
    ((_, entries),) = read_sessions(journal.path.parent)
    assert [(e.number, e.by) for e in entries][-2:] == [(8, "keypad"), (9, "keypad")]


def test_a_journal_of_version_1_is_given_an_outbox(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as db:  # as created by version 1
        db.executescript(
            "CREATE TABLE session (first INTEGER PRIMARY KEY, prelude TEXT NOT NULL) STRICT;"
            "CREATE TABLE line (number INTEGER PRIMARY KEY, session INTEGER NOT NULL,"
            " text TEXT NOT NULL, at REAL NOT NULL, by TEXT NOT NULL) STRICT;"
            "CREATE INDEX line_by_session ON line (session, number);"
            "INSERT INTO session VALUES (1, '');"
            "INSERT INTO line VALUES (1, 1, 'session friday', 1.0, 'keypad');"
            f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version=1;"
        )
    names = set()
    for _ in range(2):
        journal = Journal(tmp_path, AtOnce())
        assert Table(journal, now=lambda: 0).position.session == "friday"
        assert journal.outbox().result() == ()
        names.add(journal.identity)
        journal.close()
    assert len(names) == 1


def test_a_journal_is_named_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's own random numbers repeat if a browser's tab continues from kept memory."""
    monkeypatch.setattr(os, "urandom", lambda count: bytes(range(count)))
    journal = Journal(tmp_path, AtOnce())
    assert journal.identity == "0001020304050607"
    journal.close()


def test_the_outbox_is_written_with_the_line_and_emptied_by_its_version(journal: Journal) -> None:
    posts = [Post("g-1", 7, "{}")]
    assert journal.append(1, 7, "1 peg 2", 0.0, "test", posts).done()
    assert journal.append(1, 8, "undo", 0.0, "test", [Post("g-1", 8, "[]")]).done()
    journal.delivered("g-1", 7).result()
    assert journal.outbox().result() == (Post("g-1", 8, "[]"),)
    journal.delivered("g-1", 8).result()
    assert journal.outbox().result() == ()


def test_a_refused_line_is_not_kept(journal: Journal) -> None:
    table = seat(journal)
    before = table.number
    with pytest.raises(IllegalMove):
        submit(table, "1 peg 99", "keypad")
    assert table.number == before
    assert Table(journal, now=lambda: 0).number == before


def test_a_line_for_an_older_state_is_refused(journal: Journal) -> None:
    table = seat(journal)
    seen = table.number
    submit(table, "1 peg 8", "page", expect=seen)
    with pytest.raises(IllegalMove) as refused:
        submit(table, "1 peg 8", "page", expect=seen)
    assert refused.value.code == "stale"
    assert table.position.scores == (8, 0)


def test_players_and_options_are_carried_into_the_next_evening(journal: Journal) -> None:
    table = seat(journal)
    submit(table, "set skunk off", "test")
    submit(table, "session end", "test")
    submit(table, "session saturday", "test")
    again = Table(journal, now=lambda: 0)
    submit(again, "game cribbage", "test")
    assert again.position.setup is not None
    assert again.position.setup.seats == ("Ann", "Bob")
    assert again.position.setup.options["skunk"] == "off"


@pytest.mark.parametrize("line", ["seat 3 Cleo", "insert 1 seat 3 Cleo", "amend 1 seat 3 Cleo"])
def test_sides_that_do_not_fit_are_refused_as_they_sit_down(tmp_path: Path, line: str) -> None:
    journal = Journal(tmp_path, AtOnce())
    table = Table(journal, now=lambda: 0.0, tracks=2)
    for opening in (*OPENING, "set skunk on"):
        submit(table, opening, "test")
    before = table.record.moves
    with pytest.raises(IllegalMove) as refused:
        submit(table, line, "page")
    assert refused.value.code == "too-few-tracks"
    assert table.record.moves == before
    submit(table, "1 peg 2", "page")
    journal.close()


def test_every_game_can_be_read_alone(journal: Journal) -> None:
    table = seat(journal)
    for line in ("1 peg 8", "undo", "1 peg 6", "game cribbage", "set skunk off", "2 peg 4"):
        submit(table, line, "test")
    submit(table, "session end", "test")
    submit(table, "session saturday", "test")
    submit(table, "game cribbage", "test")
    games = tuple(history.played(read_sessions(journal.path.parent)))
    assert [game.number for game in games] == [1, 2, 3]
    assert games[0].lines == ("game cribbage", "seat 1 Ann", "seat 2 Bob", "1 peg 6")
    assert games[1].lines == (
        "game cribbage",
        "seat 1 Ann",
        "seat 2 Bob",
        "set skunk off",
        "2 peg 4",
    )
    assert games[2].lines[-1] == "set skunk off"
    assert [game.session for game in games] == ["friday", "friday", "saturday"]
    assert games[0].began == 12.5


def test_a_second_journal_on_the_same_data_is_refused(journal: Journal) -> None:
    with pytest.raises(JournalError, match="another boardctl"):
        Journal(journal.path.parent, AtOnce())


def test_a_foreign_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name)")
        db.commit()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="not a boardctl journal"):
        Journal(tmp_path, AtOnce())
    assert path.read_bytes() == before


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    Journal(tmp_path, AtOnce()).close()
    path = tmp_path / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        db.execute("PRAGMA user_version=99")
        db.commit()
    with pytest.raises(JournalError, match="version 99"):
        Journal(tmp_path, AtOnce())


def test_lines_that_can_not_be_written_wait_in_order(journal: Journal, tmp_path: Path) -> None:
    table = seat(journal)
    faults: list[str] = []
    journal.failed.connect(faults.append)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3", isolation_level=None)) as other:
        other.execute("PRAGMA busy_timeout=0")
        other.execute("BEGIN IMMEDIATE")
        journal.patience(0)
        first = submit(table, "1 peg 8", "keypad").saved
        second = submit(table, "2 peg 6", "keypad").saved
        assert not first.done()
        assert not second.done()
        assert faults[0] == (
            f"{journal.path}: line 5 is not saved yet (database is locked). Close the other "
            "program that writes to the file, and leave the board running: it keeps the line and "
            "retries every second."
        )
        other.execute("ROLLBACK")
    journal.retry()
    assert first.done()
    assert second.done()
    assert Table(journal, now=lambda: 0).position.scores == (8, 6)


@pytest.mark.parametrize(
    ("code", "cure"),
    [
        (sqlite3.SQLITE_BUSY_TIMEOUT, "Close the other program"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "Make the disk writable again"),
        (sqlite3.SQLITE_IOERR_FSYNC, "Check the disk for errors (see dmesg), and leave"),
    ],
)
def test_an_error_told_more_closely_has_the_cure_of_its_kind(
    journal: Journal, code: int, cure: str
) -> None:
    table = seat(journal)
    faults: list[str] = []
    journal.failed.connect(faults.append)
    insert, error = journal._insert, sqlite3.OperationalError("sick")
    error.sqlite_errorcode = code  # in the form of SQLite's own errors

    def fail(write: object) -> None:
        raise error

    journal._insert = fail  # type: ignore[method-assign]
    saved = submit(table, "1 peg 8", "keypad").saved
    assert cure in faults[0]
    journal._insert = insert  # type: ignore[method-assign]
    journal.retry()
    assert saved.done()


def test_a_line_that_fails_half_way_leaves_nothing_open(journal: Journal) -> None:
    """Its number is taken, which SQLite reports after `BEGIN`."""
    seat(journal)
    faults: list[str] = []
    journal.failed.connect(faults.append)
    waiting = journal.append(1, 4, "1 peg 8", 0.0, "test")
    assert not waiting.done()
    assert "UNIQUE constraint failed: line.number" in faults[0]
    assert not journal._db.in_transaction
    journal._waiting.clear()
    assert journal.append(1, 5, "1 peg 8", 0.0, "test").done()


def test_what_a_log_holds_is_written_once_more_as_it_is(tmp_path: Path) -> None:
    log = tmp_path / "log"
    write_again(log)
    assert not log.exists()
    log.write_bytes(bytes(range(256)))
    write_again(log)
    assert log.read_bytes() == bytes(range(256))


def test_little_of_the_file_is_kept_in_memory(journal: Journal) -> None:
    (kept,) = journal._db.execute("PRAGMA cache_size").fetchone()
    assert kept == -CACHE, "less than nothing is KiB, more is pages"


def test_it_writes_on_another_thread_than_the_one_that_opened_it(tmp_path: Path) -> None:
    writer = Writer()
    journal = Journal(tmp_path, writer)
    receipt = submit(Table(journal, now=lambda: 0.0), "session friday", "test")
    receipt.saved.result(timeout=10)
    journal.close()
    writer.close()


def test_the_worker_decides_when_it_writes(tmp_path: Path) -> None:
    disk = Later()
    journal = Journal(tmp_path, disk)
    saved = [journal.append(1, number, f"1 peg {number}", 0.0, "test") for number in (1, 2)]
    assert not any(line.done() for line in saved)
    disk.healed = True
    disk.work()
    assert all(line.done() for line in saved)
    journal.close()


def test_a_write_waits_for_another_program_as_long_as_it_is_told(journal: Journal) -> None:
    for seconds, milliseconds in ((0.25, 250), (2, 2000), (0, 0)):
        journal.patience(seconds)
        (waits,) = journal._db.execute("PRAGMA busy_timeout").fetchone()
        assert waits == milliseconds


def test_what_can_not_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"journal\.sqlite3: there is no journal here yet"):
        list(read_sessions(tmp_path))
    (tmp_path / "journal.sqlite3").write_bytes(b"not a database at all" * 100)
    with pytest.raises(JournalError, match=r"journal\.sqlite3: file is not a database"):
        list(read_sessions(tmp_path))


def test_a_reader_changes_nothing(journal: Journal, tmp_path: Path) -> None:
    seat(journal)
    before = sorted(path.name for path in tmp_path.iterdir())
    assert len(list(read_sessions(tmp_path))) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_file_that_can_not_be_opened_is_told(tmp_path: Path) -> None:
    """The message has a remedy: a folder or device has the journal's name, or a file the
    folder's."""
    path = tmp_path / "journal.sqlite3"
    found = f"{path}: is not a file; move it away, or choose another folder with --data"
    path.mkdir()
    with pytest.raises(JournalError) as error:
        Journal(tmp_path, AtOnce())
    assert str(error.value) == found
    path.rmdir()
    path.symlink_to("/dev/zero")
    with pytest.raises(JournalError) as error:
        Journal(tmp_path, AtOnce(), patient=True)
    assert str(error.value) == found
    path.unlink()
    path.write_text("a file")
    for folder in (path, path / "data"):
        with pytest.raises(JournalError) as error:
            Journal(folder, AtOnce(), patient=True)
        assert str(error.value) == f"{folder}: is not a folder; choose another with --data"
    path.unlink()
    Journal(tmp_path, AtOnce()).close()


def test_a_writer_works_in_order_and_logs_what_raises(caplog: pytest.LogCaptureFixture) -> None:
    done: list[int] = []
    writer = Writer("disk")
    held = threading.Event()
    writer.put(partial(held.wait, timeout=10))
    writer.put(partial(done.append, 1))
    writer.put(partial(int, "x"))
    writer.put(partial(done.append, 2))
    assert done == []
    threading.Timer(0.05, held.set).start()
    writer.close()
    assert done == [1, 2], "what is queued is done before it ends"
    (found,) = caplog.records
    assert found.message == "The thread of the disk failed at one thing"
    assert found.exc_info is not None
    assert found.exc_info[0] is ValueError


def test_what_is_asked_on_the_journals_thread_is_answered_there(tmp_path: Path) -> None:
    disk = Later()
    journal = Journal(tmp_path, disk)
    asked, given_up = journal.outbox(), journal.outbox()
    assert not asked.done()
    assert given_up.cancel(), "who asked went away"
    disk.healed = True
    disk.work()
    assert asked.result(timeout=0) == ()
    journal.close()
    assert isinstance(journal.outbox().exception(timeout=0), sqlite3.Error), "it is told who asked"


@pytest.mark.parametrize(
    "forget",
    [
        "CREATE TRIGGER forget BEFORE INSERT ON line BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TRIGGER forget AFTER INSERT ON line BEGIN DELETE FROM line WHERE number = 5; END",
        "CREATE TRIGGER forget AFTER INSERT ON line"
        " BEGIN UPDATE line SET text = '' WHERE number = 5; END",
    ],
)
def test_a_line_counts_as_saved_only_if_it_can_be_read_back(
    forget: str, journal: Journal, tmp_path: Path
) -> None:
    """Another program has changed the schema of a journal that is in use."""
    table = seat(journal)
    faults: list[str] = []
    journal.failed.connect(faults.append)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3", isolation_level=None)) as other:
        other.execute(forget)
        saved = submit(table, "1 peg 8", "keypad").saved
        assert not saved.done()
        assert "line 5 is not saved yet (what was written is not there)" in faults[0]
        other.execute("DROP TRIGGER forget")
    journal.retry()
    assert saved.done()
    assert Table(journal, now=lambda: 0).position.scores == (8, 0)


def test_an_evening_counts_as_saved_only_if_it_can_be_read_back(
    journal: Journal, tmp_path: Path
) -> None:
    table = seat(journal)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite3", isolation_level=None)) as other:
        other.execute(
            "CREATE TRIGGER forget BEFORE INSERT ON session BEGIN SELECT RAISE(IGNORE); END"
        )
        saved = submit(table, "session saturday", "keypad").saved
        assert not saved.done()
        other.execute("DROP TRIGGER forget")
    journal.retry()
    assert saved.done()


def test_only_the_journal_s_thread_uses_its_connection_while_lines_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads in one connection may each get the other's error, or none at all."""
    worker = Writer("disk")
    journal = Journal(tmp_path, worker)
    table = seat(journal)
    connection = journal._db
    used: set[str] = set()

    class Watched:
        def __getattr__(self, name: str) -> object:
            used.add(threading.current_thread().name)
            return getattr(connection, name)

    monkeypatch.setattr(journal, "_db", Watched())
    table._outbox_for = poster(table)
    submit(table, "1 adjust +121", "test").saved.result()
    ((game, version, _),) = journal.outbox().result()
    assert game.startswith(journal.identity)
    journal.delivered(game, version).result()
    journal.correct_clock(1, 2, 60.0).result()
    journal.retry()
    assert journal.check() is None
    assert journal.is_checked
    assert table.unfinished is None
    journal.close()
    worker.close()
    assert used == {"disk"}


def test_a_folder_whose_name_is_not_utf_8_is_one_like_any_other(tmp_path: Path) -> None:
    """Its sound journal was treated as damaged and replaced, and the board did not start. No backup
    could be made or restored there."""
    data, copy = (Path(os.fsdecode(os.fsencode(tmp_path) + end)) for end in (b"/b\xfcro", b"/\xe9"))
    journal = Journal(data, AtOnce())
    seat(journal)
    journal.close()
    journal = Journal(data, AtOnce())
    assert journal.notice is None
    assert backup.save(data, copy) == len(OPENING)
    journal.close()
    assert repair.check(data / NAME).troubles == ()
    assert backup.restore(copy, data).lines == len(OPENING)
    ((_, entries),) = read_sessions(data)
    assert tuple(entry.text for entry in entries) == OPENING


def test_a_journal_that_cannot_be_checked_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def suspect(path: Path) -> str:
        raise OSError(f"{path}: no such disk")

    journal = Journal(tmp_path, AtOnce())
    monkeypatch.setattr(database, "suspect", suspect)
    assert journal.check() == f"{journal.path}: no such disk"
    journal.close()
