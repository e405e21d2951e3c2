"""A journal made by another program: only its rows are used, and no more than a board can read.

As a backup to restore, it is either refused in one sentence or stored like any other journal. Found
on a card, the parts that cannot be continued are kept next to a journal that can.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tracemalloc
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl import games, table
from boardctl.commands import main
from boardctl.games import IllegalMove
from boardctl.record.position import FULL_EFFORT, MOST_CARRIED, MOST_EFFORT, Effort
from boardctl.record.record import Entry, Record, prelude
from boardctl.storage import backup, checks, database, repair, rows, schema
from boardctl.storage.database import NAME
from boardctl.storage.journal import AtOnce, Journal, JournalError, read_sessions
from boardctl.table import Table, unfinished
from tests.tables import submit

OPENING = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob")
MEBIBYTE = 1 << 20


def write(path: Path, evenings: Iterable[Iterable[str]], tables: str = schema.CREATE) -> None:
    """Write a journal with these lines, with tables as another program could make them."""
    number = 0
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(tables)
        db.execute("BEGIN")
        for texts in evenings:
            first = number + 1
            db.execute("INSERT INTO session VALUES (?, '')", (first,))
            for number, text in enumerate(texts, first):
                db.execute(
                    "INSERT INTO line VALUES (?, ?, ?, 1.0, 'keypad')", (number, first, text)
                )
        db.execute("COMMIT")


def altered(path: Path, *statements: str) -> Path:
    """Return a journal whose schema was altered after its lines were written."""
    write(path, [(*OPENING, "1 adjust +5")])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)
    return path


def remade(more: str, column: str = "text TEXT NOT NULL") -> str:
    """Return our schema with an addition in a column or after the columns of the table of lines."""
    made = schema.CREATE.replace("text TEXT NOT NULL", column, 1)
    return made.replace("-- keypad, page, command …\n", f"-- keypad\n{more}", 1)


LYING = {
    "unique, ignored": remade(", UNIQUE (text) ON CONFLICT IGNORE"),
    "unique, replaced": remade(", UNIQUE (text, session) ON CONFLICT REPLACE"),
    "unique in its column": remade("", "text TEXT NOT NULL UNIQUE ON CONFLICT IGNORE"),
    "not null, ignored": remade("", "text TEXT NOT NULL ON CONFLICT IGNORE"),
    "a check that is large": remade(", CHECK (length(zeroblob(971000000)) > number)"),
    "an index that is large": f"{schema.CREATE}"
    "CREATE INDEX large ON line (number + length(zeroblob(971000000)));",
    "an index of our name": schema.CREATE.replace(
        "ON line (session, number)", "ON line (session, number, zeroblob(971000000))"
    ),
    "a comment that hides": remade("", "text TEXT NOT NULL /*--\n*/ UNIQUE ON CONFLICT IGNORE"),
}


@pytest.mark.parametrize("found", ["as a backup", "on a card"])
@pytest.mark.parametrize("lie", LYING)
def test_no_schema_is_taken_from_a_file(lie: str, found: str, tmp_path: Path) -> None:
    """Whatever its tables contain, lines reported as saved exist, and memory stays small."""
    data = tmp_path / "data"
    data.mkdir()
    file = data / NAME if found == "on a card" else tmp_path / "copy.sqlite3"
    write(file, [OPENING], LYING[lie].replace("971000000", "1000" if "check" in lie else "9"))
    if "971000000" in LYING[lie]:
        with closing(sqlite3.connect(file, isolation_level=None)) as db:
            db.execute("PRAGMA writable_schema=ON")
            db.execute(
                "UPDATE sqlite_schema SET sql = replace(replace(sql, '(1000)', '(971000000)'),"
                " '(9)', '(971000000)')"
            )
    tracemalloc.start()
    if file.parent != data:
        assert backup.restore(file, data).lines == len(OPENING)
    journal = Journal(data, AtOnce())
    if found == "on a card":
        assert journal.notice is not None
        assert "is not that of a journal" in journal.notice
        assert (data / "journal.damaged-1.sqlite3").exists()
    board = Table(journal, now=lambda: 1.0)
    for line in ("1 adjust +1", "1 adjust +1", "2 adjust +1", "1 adjust +1"):
        assert submit(board, line, "test").saved.done()
    (_, most) = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 * MEBIBYTE
    journal.close()
    ((_, entries),) = read_sessions(data)
    assert len(entries) == len(OPENING) + 4
    with closing(database.read_only(data / NAME)) as db:
        assert list(schema.strange(db)) == []


REFUSED = {
    "a view": (
        ("ALTER TABLE line RENAME TO other", "CREATE VIEW line AS SELECT * FROM other"),
        "it does not have a journal’s header",
    ),
    "a virtual table": (
        ("DROP TABLE line", "CREATE VIRTUAL TABLE line USING fts5(number, session, text, at, by)"),
        "is not a boardctl journal",
    ),
    "a column that is worked out": (
        (
            "ALTER TABLE line DROP COLUMN text",
            "PRAGMA writable_schema = ON",  # newer versions of SQLite evaluate it in ALTER TABLE
            "UPDATE sqlite_schema SET sql = replace(sql, 'by TEXT NOT NULL',"
            " 'by TEXT NOT NULL, text TEXT AS (hex(zeroblob(971000000))) VIRTUAL')"
            " WHERE name = 'line'",
        ),
        "string or blob too big",
    ),
    "no text": (("ALTER TABLE line DROP COLUMN text",), "no such column: text"),
    "a line before its evening": (("UPDATE session SET first = 3",), "belongs to no evening"),
    "a missing line": (("DELETE FROM line WHERE number = 4",), "lines are missing"),
    "an impossible number": (("UPDATE line SET number = -4 WHERE number = 4",), "-4 is malformed"),
    "no UTF-8": (("UPDATE line SET text = CAST(x'ff' AS TEXT)",), "Could not decode"),
    "a line of another kind": (
        ("DROP TABLE line",
         "CREATE TABLE line (number INTEGER PRIMARY KEY, session, text, at, by)",
         "INSERT INTO line VALUES (1, 1, x'00', 0, 'keypad')"),
        "malformed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("lie", REFUSED)
def test_what_is_no_journal_is_refused_in_one_sentence(lie: str, tmp_path: Path) -> None:
    statements, reason = REFUSED[lie]
    file = altered(tmp_path / "copy.sqlite3", *statements)
    data = tmp_path / "data"
    done = CliRunner().invoke(main, ["restore", str(file), "--data", str(data)])
    assert done.exit_code == 1
    (sentence,) = done.output.splitlines()
    assert reason in sentence
    assert {path.name for path in data.iterdir()} <= {"lock"}, "nothing was changed"


@pytest.fixture
def most(monkeypatch: pytest.MonkeyPatch) -> int:
    """A tenth of the real limits, to make the tests quick."""
    for module in (rows, checks, table, unfinished):
        monkeypatch.setattr(module, "MOST_EFFORT", MOST_EFFORT // 10)
    monkeypatch.setattr(table, "FULL_EFFORT", FULL_EFFORT // 10)
    return MOST_EFFORT // 10


def many(lines: int) -> list[str]:
    return [*OPENING, *("1 adjust +1", "1 adjust -1") * (lines // 2)]


LONG = {
    "lines": many(20_000),
    "undo and redo": [*many(500), *("undo 400", "redo") * 50],
    "amendments": [*many(500), *["amend 450 1 adjust +1"] * 50],
    "insertions": [*many(500), *["insert 450 1 adjust +1"] * 50],
    "options before the first deal": [*many(500), *["set skunk off"] * 50],
    "long lines": [*OPENING, *[f"seat 1 {'A' * 20_000}"] * 100],
}


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_a_pipe_beside_a_backup_is_not_waited_for(end: str, tmp_path: Path) -> None:
    file = tmp_path / "copy.sqlite3"
    if end:
        write(file, [OPENING])
    os.mkfifo(f"{file}{end}")
    with pytest.raises(JournalError, match=f"copy.sqlite3{end}: is not a file"):
        backup.restore(file, tmp_path / "data")


@pytest.mark.parametrize("kind", LONG)
def test_an_evening_that_is_too_long_is_refused(
    kind: str, tmp_path: Path, played: list[int], most: int
) -> None:
    file = tmp_path / "copy.sqlite3"
    write(file, [many(20), LONG[kind]])
    with pytest.raises(JournalError, match="the evening at line 25 is longer than a"):
        backup.restore(file, tmp_path / "data")
    assert played[0] <= most + 30


@pytest.mark.parametrize("kind", LONG)
def test_a_board_starts_on_an_evening_that_is_too_long(
    kind: str, tmp_path: Path, played: list[int], most: int
) -> None:
    """It starts with the readable lines; the kept file has all of them."""
    write(tmp_path / NAME, [many(20), LONG[kind], many(10)])
    before = (tmp_path / NAME).read_bytes()
    journal = Journal(tmp_path, AtOnce())
    board = Table(journal, now=lambda: 1.0)
    assert played[0] <= most
    assert journal.notice is not None
    assert "is too long to read again" in journal.notice
    assert str(tmp_path / "journal.damaged-1.sqlite3") in journal.notice
    assert (tmp_path / "journal.damaged-1.sqlite3").read_bytes() == before
    assert submit(board, "session saturday", "test").saved.done()
    journal.close()
    again = Journal(tmp_path, AtOnce())
    assert again.notice is None
    again.close()


@pytest.mark.slow
def test_a_board_starts_on_200_000_lines_of_one_game(tmp_path: Path, played: list[int]) -> None:
    write(tmp_path / NAME, [many(200_000)])
    journal = Journal(tmp_path, AtOnce())
    assert Table(journal, now=lambda: 1.0).number in (MOST_EFFORT, MOST_EFFORT + 1)
    assert played[0] <= MOST_EFFORT
    journal.close()


def test_a_very_long_evening_of_the_last_version_is_divided_and_loses_nothing(
    tmp_path: Path, most: int
) -> None:
    """Nobody ended it for years. Players, options and the score stay."""
    game = ["game cribbage", "set skunk off", "seat 3 Eve", "undo", *["1 peg 1", "2 peg 1"] * 50]
    write(tmp_path / NAME, [[*OPENING, *game * (most * 2 // len(game))]])
    lines = [entry.text for _, entries in read_sessions(tmp_path) for entry in entries]
    journal = Journal(tmp_path, AtOnce())
    assert journal.notice is not None
    board = Table(journal, now=lambda: 1.0)
    assert board.rejected_lines == ()
    setup = board.position.setup
    assert setup is not None
    assert setup.seats == ("Ann", "Bob")
    assert setup.options["skunk"] == "off"
    assert board.position.scores == (50, 50)
    journal.close()
    sessions = list(read_sessions(tmp_path))
    assert [entry.text for _, entries in sessions for entry in entries] == lines
    assert len(sessions) == 3
    assert repair.check(tmp_path / NAME).troubles == ()


def test_an_evening_goes_on_in_another_before_it_is_too_long(tmp_path: Path, most: int) -> None:
    """The board writes nothing that it could not read again: the next game belongs to another
    evening."""
    write(tmp_path / NAME, [many(most * 2 // 5)])
    journal = Journal(tmp_path, AtOnce())
    board = Table(journal, now=lambda: 1.0)
    seen: list[str] = []
    board.accepted.connect(lambda receipt: seen.append(receipt.report.line))
    with pytest.raises(IllegalMove):
        submit(board, "game whist", "test")
    number = board.number
    receipt = submit(board, "game cribbage", "test", expect=number)
    assert receipt.report.line == "game cribbage"
    assert receipt.number == board.number == number + 2
    assert seen == ["session 1970-01-01", "game cribbage"]
    assert board.position.setup is not None
    assert board.position.setup.seats == ("Ann", "Bob")
    journal.close()


def test_no_line_is_accepted_that_would_make_an_evening_too_long(tmp_path: Path, most: int) -> None:
    write(tmp_path / NAME, [many(most // 5)])
    journal = Journal(tmp_path, AtOnce())
    board = Table(journal, now=lambda: 1.0)
    before = board.number
    submit(board, f"amend {most // 6} 1 adjust +1", "test")
    submit(board, f"amend {most // 6} 1 adjust +1", "test")
    with pytest.raises(IllegalMove) as refused:
        submit(board, f"amend {most // 6} 1 adjust +1", "test")
    assert refused.value.code == "evening-full"
    assert board.number == before + 2
    submit(board, "session saturday", "test")
    submit(board, "game cribbage", "test")
    journal.close()
    again = Journal(tmp_path, AtOnce())
    assert again.notice is None
    again.close()


def test_a_backup_with_lines_that_the_referee_rejects_is_restored_and_says_so(
    tmp_path: Path,
) -> None:
    file = tmp_path / "copy.sqlite3"
    write(file, [(*OPENING, "1 peg 99", "1 peg 2")])
    done = CliRunner().invoke(main, ["restore", str(file), "--data", str(tmp_path / "data")])
    assert done.exit_code == 0, done.output
    assert "line 5 (“1 peg 99”) is rejected: " in done.output
    assert "1 lines are kept" in done.output


CARRIED = "game cribbage\n" + "seat 1 Ann\n" * 40_000


def test_a_backup_that_carries_over_more_than_a_board_writes_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty such evenings kept a restore busy for 45 s."""
    file = tmp_path / "copy.sqlite3"
    with database.building(file) as new:
        entries = [Entry(n + 1, text, 1.0, "test") for n, text in enumerate(OPENING)]
        rows.write_session(new, 1, CARRIED, entries)
    played: list[str] = []
    monkeypatch.setattr(Record, "resume", lambda _, text: played.append(text))
    for restore in (backup.restore, backup.prepare):
        with pytest.raises(JournalError) as refused:
            restore(file, tmp_path / "data")
        assert refused.value.sentence("en") == (
            "the lines carried over into the evening at line 1 are longer"
            " than any that a board writes"
        )
        assert "盤が書くより長く" in refused.value.sentence("ja")
    assert not played


def test_a_journal_that_carries_over_too_much_keeps_its_lines(tmp_path: Path) -> None:
    with database.building(tmp_path / NAME) as new:
        entries = [Entry(n + 1, text, 1.0, "test") for n, text in enumerate(OPENING)]
        rows.write_session(new, 1, CARRIED, entries)
    journal = Journal(tmp_path, AtOnce())
    assert journal.notice is not None
    assert "carries over more than a board would" in journal.notice
    journal.close()
    ((carried, found),) = read_sessions(tmp_path)
    assert carried == ""
    assert [entry.text for entry in found] == list(OPENING)


def test_what_a_board_carries_over_is_far_less_than_the_most() -> None:
    record = Record()
    for name in games.names():
        record.read(f"game {name}")
        for option in games.find(name).options:
            record.read(f"set {option.name} {option.default}")
    for seat in range(1, 3):
        record.read(f"seat {seat} {str(seat) * 40}")
    assert Effort(prelude(record.position)).total < MOST_CARRIED / 10


def test_a_restore_at_the_page_is_not_judged_and_says_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The referee took three quarters of the time, for results that nobody was told."""
    file = tmp_path / "copy.sqlite3"
    write(file, [many(20), many(20)])
    monkeypatch.setattr(rows, "rejected", lambda *_: pytest.fail("judged"))
    done: list[int] = []
    assert backup.prepare(file, tmp_path, done.append) > 40
    assert done == [50, 100]


def test_what_a_journal_has_beside_its_lines_is_restored_too(tmp_path: Path) -> None:
    from boardctl.storage.journal import Post

    data = tmp_path / "data"
    journal = Journal(data, AtOnce())
    journal.begin_session(1, "", "session friday", 0.0, "test")
    journal.append(1, 2, "game cribbage", 0.0, "test", [Post("g-1", 2, "{}")])
    journal.correct_clock(1, 2, 3600.0).result()
    name = journal.identity
    backup.save(data, tmp_path / "copy.sqlite3")
    journal.close()
    shutil.rmtree(data)
    assert backup.restore(tmp_path / "copy.sqlite3", data).lines == 2
    again = Journal(data, AtOnce())
    assert again.outbox().result() == (Post("g-1", 2, "{}"),)
    assert again.identity != name, "else what is played now is called as what was played since"
    again.close()
    ((_, entries),) = read_sessions(data)
    assert [entry.at for entry in entries] == [3600.0, 3600.0]


def test_a_schema_that_is_no_text_counts_as_damage(tmp_path: Path) -> None:
    """SQLite's message about it is not text either."""
    data = tmp_path / "data"
    data.mkdir()
    write(data / NAME, [(*OPENING, "1 adjust +5")])
    found = (data / NAME).read_bytes()
    (data / NAME).write_bytes(found.replace(b"CREATE TABLE line", b"CREATE TABLE\xffline"))
    with pytest.raises(JournalError, match="its schema is not UTF-8"):
        backup.restore(data / NAME, tmp_path / "other")
    Journal(data, AtOnce()).close()
    assert (data / "journal.damaged-1.sqlite3").exists()
    ((_, entries),) = read_sessions(data)
    assert [entry.text for entry in entries] == [*OPENING, "1 adjust +5"]


@pytest.mark.parametrize(
    ("table", "column"), [("line", "text"), ("line", "at"), ("line", "by"), ("session", "prelude")]
)
@pytest.mark.parametrize("large", [False, True])
def test_a_line_without_its_text_counts_as_damage(
    table: str, column: str, large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damage can replace the content of any column. Of a large journal only the last evening is
    checked at the start."""
    if large:
        monkeypatch.setattr(database, "is_small", lambda path: False)
    loose = schema.CREATE.replace(" NOT NULL", "").replace(" STRICT", "")
    write(tmp_path / NAME, [(*OPENING, "1 adjust +5")], loose)
    with closing(sqlite3.connect(tmp_path / NAME, isolation_level=None)) as db:
        db.execute(
            f"UPDATE {table} SET {column} = NULL WHERE rowid = (SELECT max(rowid) FROM {table})"
        )
        db.execute("PRAGMA writable_schema = ON")
        with closing(sqlite3.connect(":memory:")) as ours:
            ours.executescript(schema.CREATE)
            for name, sql in ours.execute("SELECT name, sql FROM sqlite_schema"):
                db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, name))
    journal = Journal(tmp_path, AtOnce())
    assert journal.notice is not None
    journal.close()
    kept = [entry.text for _, entries in read_sessions(tmp_path) for entry in entries]
    assert kept[:4] == [*OPENING]


def test_results_on_their_way_take_no_more_memory_than_any_board_has(tmp_path: Path) -> None:
    """In a backup of the maximum upload size they took more than a gigabyte: one rare character
    makes each letter of a text four bytes."""
    data, file = tmp_path / "data", tmp_path / "copy.sqlite3"
    write(file, [OPENING])
    with closing(sqlite3.connect(file)) as db, db:
        few = ((f"few-{n}", n, "{}") for n in range(1000))
        long = ((f"long-{n}", n, "\U0001f0a1" + "x" * (1 << 20)) for n in range(8))
        many = ((f"many-{n}", n, "\U0001f0a1" + "x" * 60_000) for n in range(400))
        for posts in (few, long, many):
            db.executemany("INSERT INTO outbox VALUES (?, ?, ?)", posts)
    tracemalloc.start()
    backup.restore(file, data)
    (_, most) = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 80 * MEBIBYTE
    journal = Journal(data, AtOnce())
    kinds = Counter(post.game.partition("-")[0] for post in journal.outbox().result())
    journal.close()
    assert kinds.keys() == {"few", "many"}
    assert kinds["few"] == 1000
    assert kinds["many"] < 300
