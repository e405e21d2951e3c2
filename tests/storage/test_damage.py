"""A board starts on any damaged journal: with everything readable, the damaged file kept, and a
clear message; never silently empty."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.record import history
from boardctl.storage import backup, database, repair
from boardctl.storage.database import NAME
from boardctl.storage.journal import (
    AtOnce,
    Journal,
    JournalError,
    read_last_saved,
    read_sessions,
)
from boardctl.table import Table
from tests.report import LongRun
from tests.tables import submit

EVENINGS, LINES = 6, 150
PAGE = 4096


def fill(data: Path) -> list[str]:
    """Enter six evenings, the last one still in the log. Return all lines."""
    journal = Journal(data, AtOnce())
    table = Table(journal, now=lambda: 0.0)
    for evening in range(EVENINGS):
        for line in (f"session evening-{evening}", "game cribbage", "seat 1 Ann", "seat 2 Bob"):
            submit(table, line, "test")
        for number in range(LINES):
            submit(table, f"1 adjust {'+-'[number % 2]}{number // 2 % 7 + 1}", "test")
        if evening == EVENINGS - 2:
            journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    lines = [e.text for _, entries in read_sessions(data) for e in entries]
    shutil.copytree(data, data.with_name("cut"))  # with its log, as after a power cut
    journal.close()
    return lines


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    data = tmp_path_factory.mktemp("damage") / "data"
    lines = fill(data)
    return data.with_name("cut"), lines


Harm = Callable[[Path], object]


def over(place: int, content: bytes) -> Harm:
    def harm(path: Path) -> None:
        raw = bytearray(path.read_bytes())
        at = place % len(raw)
        raw[at : at + len(content)] = content[: len(raw) - at]
        path.write_bytes(raw)

    return harm


def cut_to(size: int) -> Harm:
    return lambda path: path.write_bytes(path.read_bytes()[:size])


def statement(sql: str) -> Harm:
    def harm(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA writable_schema=ON")
            db.execute("PRAGMA ignore_check_constraints=ON")
            db.execute(sql)

    return harm


HARMS: dict[str, Harm] = {
    "0 bytes": cut_to(0),
    "1 byte": cut_to(1),
    "100 bytes": cut_to(100),
    "one page": cut_to(PAGE),
    "half": cut_to(PAGE * 8 + 77),
    "no header": over(0, bytes(100)),
    "no first page": over(0, b"\xff" * PAGE),
    "application id": over(68, b"\xde\xad\xbe\xef"),
    "version": over(60, b"\x7f\x00\x00\x02"),
    "schema page": over(120, b"\x99" * 300),
    "second page": over(PAGE, b"\xff" * PAGE),
    "third page": over(2 * PAGE, bytes(PAGE)),
    "fourth page": over(3 * PAGE, b"\xa5" * PAGE),
    "last page": over(-PAGE, b"\xff" * PAGE),
    "no UTF-8 in the last line": statement(
        "UPDATE line SET text = CAST(x'ff31206164' AS TEXT) WHERE number = (SELECT max(number)"
        " FROM line)"
    ),
    "no session": statement("DELETE FROM session"),
    "no last session": statement("DELETE FROM session WHERE first > 700"),
    "no line": statement("DELETE FROM line WHERE number > 770 AND number < 780"),
    "no table": statement("DROP TABLE session"),
    "schema format": over(44, b"\x7f\xff\xff\xff"),
    "another column": statement("ALTER TABLE line ADD COLUMN more TEXT"),
    "a column of another name": statement("ALTER TABLE line RENAME COLUMN text TO words"),
    "a trigger that forgets": statement(
        "CREATE TRIGGER harm AFTER INSERT ON line"
        " BEGIN DELETE FROM line WHERE number = new.number; END"
    ),
    "a trigger that refuses": statement(
        "CREATE TRIGGER harm BEFORE INSERT ON line BEGIN SELECT RAISE(ABORT, 'no'); END"
    ),
    "an index that could refuse": statement("CREATE UNIQUE INDEX harm ON line (text, number)"),
    "negative numbers": statement(
        "UPDATE line SET number = number - 2000, session = session - 2000"
    ),
    "the last number of all": statement(
        "UPDATE line SET number = 9223372036854775807 WHERE number = (SELECT max(number) FROM line)"
    ),
    "noise": lambda path: path.write_bytes(random.Random(1).randbytes(40_000)),
    "no file but its log": lambda path: path.unlink(),
}


def check_one(data: Path, lines: list[str]) -> int:
    """Start a board on it, and return its number of lines, all of which must have been entered."""
    before = {f.name: f.read_bytes() for f in data.iterdir() if not f.name.endswith("-shm")}
    journal = Journal(data, AtOnce())
    try:
        notice = journal.notice
        table = Table(journal, now=lambda: 0.0)
        sessions = [list(entries) for _, entries in read_sessions(data)]
        kept = [entry for entries in sessions for entry in entries]
        for entry in kept:
            assert entry.text == lines[entry.number - 1], "as it was said"
        if len(kept) < len(lines):
            assert notice is not None, "nothing is lost without a word"
        if notice is not None:
            (aside,) = {
                f.name.removesuffix("-wal") for f in data.iterdir() if ".damaged-1" in f.name
            }
            assert aside in notice
            for name, content in before.items():
                twin = data / aside.replace("journal.damaged-1.sqlite3", name).replace(
                    NAME, "journal.damaged-1.sqlite3"
                )
                if name.startswith(NAME):
                    assert twin.read_bytes() == content, "the damaged file is kept as it was"
        was = table.number
        if table.position.session is None:
            submit(table, "session again", "test")
        if table.position.game is None:
            for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob"):
                submit(table, line, "test")
        assert submit(table, "1 adjust +1", "test").saved.done(), "and the game goes on"
        assert table.number > was
    finally:
        journal.close()
    again = Journal(data, AtOnce())
    assert again.notice is None, "it is repaired once"
    again.close()
    return len(kept)


@pytest.mark.parametrize("name", HARMS)
def test_a_board_starts_on_a_damaged_journal(
    name: str, whole: tuple[Path, list[str]], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(whole[0], data)
    (data / f"{NAME}-shm").unlink(missing_ok=True)
    HARMS[name](data / NAME)
    done = CliRunner().invoke(main, ["journal", "check", "--data", str(data)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    kept = check_one(data, whole[1])
    if name in (
        "no header",
        "no first page",
        "application id",
        "version",
        "no table",
        "schema page",
    ):
        assert kept >= len(whole[1]) - LINES // 2, "whole pages are read though the way is lost"


@pytest.mark.parametrize("part", ["frame", "page"])
@pytest.mark.parametrize("behind", [0, 3, 40])
def test_a_damaged_frame_of_the_log_loses_nothing_behind_it_without_a_word(
    part: str, behind: int, whole: tuple[Path, list[str]], tmp_path: Path
) -> None:
    """SQLite itself reads up to the damaged frame and treats that as everything. After a damaged
    frame near the end nothing can be known, because a power cut leaves the same state."""
    data = tmp_path / "data"
    shutil.copytree(whole[0], data)
    (data / f"{NAME}-shm").unlink(missing_ok=True)
    log = data / f"{NAME}-wal"
    raw = bytearray(log.read_bytes())
    frames = (len(raw) - 32) // (24 + PAGE)
    at = 32 + (frames - 1 - behind) * (24 + PAGE) + (16 if part == "frame" else 24 + 3000)
    raw[at : at + 8] = bytes(byte ^ 0x55 for byte in raw[at : at + 8])
    log.write_bytes(raw)
    journal = Journal(data, AtOnce())
    notice = journal.notice
    kept = [e.text for _, entries in read_sessions(data) for e in entries]
    journal.close()
    assert kept == whole[1][: len(kept)]
    if behind > 2:
        assert notice is not None
        assert "its log is damaged" in notice
        assert len(kept) == len(whole[1]), "lines behind it are read from their pages"
    else:
        assert len(kept) >= len(whole[1]) - 1


@pytest.mark.long
def test_2_000_damaged_journals(
    whole: tuple[Path, list[str]], tmp_path: Path, seed: int, long_run: LongRun
) -> None:
    damage_at_random(2_000, seed, whole, tmp_path, long_run)


def test_some_damaged_journals(whole: tuple[Path, list[str]], tmp_path: Path) -> None:
    damage_at_random(12, 8, whole, tmp_path)


def damage_at_random(
    count: int,
    seed: int,
    whole: tuple[Path, list[str]],
    tmp_path: Path,
    long_run: LongRun | None = None,
) -> None:
    """Overwrite regions of the file with noise, zeros or another page of the same file."""
    chance = random.Random(seed)
    source, lines = whole
    size = (source / NAME).stat().st_size
    least = len(lines)
    texts = 0
    for number in range(count):
        data = tmp_path / str(number)
        shutil.copytree(source, data)
        (data / f"{NAME}-shm").unlink(missing_ok=True)
        for _ in range(chance.randint(1, 3)):
            length = chance.choice((1, 16, 512, PAGE))
            at = chance.randrange(size // length) * length
            noise = chance.choice((bytes(length), b"\xff" * length, chance.randbytes(length)))
            over(at, noise)(data / NAME)
        try:
            least = min(least, check_one(data, lines))
        except AssertionError as error:
            # A byte inside a line's own text: SQLite keeps no checksum of it (docs/storage.md).
            assert "as it was said" in str(error)
            texts += 1
        except JournalError as error:
            assert "has journal version" in str(error), "a plausible newer version is left alone"
        shutil.rmtree(data)
    if long_run is not None:
        long_run(journals=count, fewest_lines=least, of=len(lines), changed_texts=texts)


def test_a_damaged_journal_is_named_by_check_and_not_by_a_traceback(
    whole: tuple[Path, list[str]], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(whole[0], data)
    with closing(sqlite3.connect(data / NAME)) as db:
        db.execute("UPDATE session SET prelude = CAST(x'ff' AS TEXT) WHERE first = 1")
        db.execute("UPDATE line SET text = CAST(x'ff' AS TEXT) WHERE number = 1")
        db.commit()
    health = repair.check(data / NAME)
    assert health.lines == len(whole[1]) - 1
    assert health.damaged


def test_a_line_that_a_stricter_referee_rejects_is_kept_and_shown(
    tmp_path: Path,
) -> None:
    journal = Journal(tmp_path, AtOnce())
    table = Table(journal, now=lambda: 0.0)
    for line in ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob", "1 peg 8"):
        submit(table, line, "test")
    for line in ("2 peg 6", "1 peg 2", "undo 2", "1 peg 4"):
        submit(table, line, "test")
    journal.close()
    with closing(sqlite3.connect(tmp_path / NAME)) as db:
        db.execute("UPDATE line SET text = '1 peg 99' WHERE number = 7")
        db.commit()
    before = (tmp_path / NAME).read_bytes()
    assert repair.check(tmp_path / NAME).damaged == ()
    done = CliRunner().invoke(main, ["journal", "check", "--data", str(tmp_path)])
    assert "line 7 (“1 peg 99”) is rejected: " in done.output
    assert "these lines are kept" in done.output
    done = CliRunner().invoke(main, ["journal", "repair", "--data", str(tmp_path)])
    assert "nothing was changed" in done.output
    assert (tmp_path / NAME).read_bytes() == before
    journal = Journal(tmp_path, AtOnce())
    assert journal.notice is None
    table = Table(journal, now=lambda: 0.0)
    assert table.rejected_lines == ("line 7 (1 peg 99): impossible-points",)
    assert table.position.scores == (12, 0), "the undo after it takes back what it took back then"
    ((_, entries),) = read_sessions(tmp_path)
    assert entries[6].text == "1 peg 99", "the line is kept"
    (game,) = history.played(read_sessions(tmp_path))
    assert game.lines[-2:] == ("1 peg 8", "1 peg 4")
    journal.close()


def test_a_large_journal_is_checked_while_the_board_plays_and_repaired_at_the_next_start(
    whole: tuple[Path, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    shutil.copytree(whole[0], data)
    (data / f"{NAME}-shm").unlink(missing_ok=True)
    raw = (data / NAME).read_bytes()
    page = next(at for at in range(0, len(raw), PAGE) if b"evening-1" in raw[at : at + PAGE])
    over(page, b"\xff" * PAGE)(data / NAME)
    monkeypatch.setattr(database, "SMALL", 0)
    journal = Journal(data, AtOnce())
    assert journal.notice is None, "the last evening is whole, and is played on at once"
    assert not journal.is_checked
    wrong = journal.check()
    assert wrong is not None
    assert "is damaged" in wrong
    journal.close()
    journal = Journal(data, AtOnce())
    assert journal.notice is not None
    assert not journal.is_checked
    assert journal.check() is None
    journal.close()


@pytest.mark.parametrize("time", ["9e999", "-9e999", "-1e300", "1e18"])
def test_a_damaged_time_hides_no_game(
    whole: tuple[Path, list[str]], tmp_path: Path, time: str
) -> None:
    """It becomes 1970; dates of other games, and every other fact of this one, are unchanged."""
    data = tmp_path / "data"
    shutil.copytree(whole[0], data)
    statement(f"UPDATE line SET at = {time} WHERE session = 1")(data / NAME)
    games = [history.summary(game) for game in history.played(read_sessions(data))]
    assert [game["began"][:4] for game in games] == ["1970"] * EVENINGS
    for command in (["games", "--played"], ["session", "--all"]):
        done = CliRunner().invoke(main, [*command, "--data", str(data)])
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize("cut", ["the last line", "everything", "its header"])
def test_lines_missing_at_the_end_of_the_log_are_said(
    cut: str, whole: tuple[Path, list[str]], tmp_path: Path
) -> None:
    """Nothing in the file itself shows that there were more lines."""
    data = tmp_path / "data"
    shutil.copytree(whole[0], data)
    (data / f"{NAME}-shm").unlink(missing_ok=True)
    log = data / f"{NAME}-wal"
    raw = log.read_bytes()
    ends = {"the last line": len(raw) - (24 + PAGE), "everything": 0, "its header": len(raw)}
    log.write_bytes(raw[: ends[cut]] if cut != "its header" else b"\xff" * 32 + raw[32:])
    journal = Journal(data, AtOnce())
    kept = Table(journal, now=lambda: 0.0).number
    assert kept < len(whole[1])
    assert journal.notice is not None
    assert f"saved lines {kept + 1} to {len(whole[1])} are missing" in journal.notice
    journal.close()
    again = Journal(data, AtOnce())
    assert again.notice is None, "it is said once"
    table = Table(again, now=lambda: 0.0)
    submit(table, "session monday", "test")
    again.close()
    assert read_last_saved(data, again_name(data)) == kept + 1


def again_name(data: Path) -> str:
    with closing(database.read_only(data / NAME)) as db:
        return str(db.execute("SELECT name FROM identity").fetchone()[0])


@pytest.mark.parametrize("content", [b"", b"x", b"\xff" * 64, b"other 99".ljust(64), b"a b c"])
def test_a_number_that_cannot_be_read_says_nothing(
    content: bytes, whole: tuple[Path, list[str]], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(whole[0], data)
    (data / database.LAST_SAVED).write_bytes(content)
    journal = Journal(data, AtOnce())
    assert journal.notice is None
    journal.close()


def test_a_restored_or_repaired_journal_misses_no_lines(
    whole: tuple[Path, list[str]], tmp_path: Path
) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.sqlite3"
    journal = Journal(data, AtOnce())
    table = Table(journal, now=lambda: 0.0)
    submit(table, "session monday", "test")
    backup.save(data, copy)
    submit(table, "game cribbage", "test")
    journal.close()
    backup.restore(copy, data)
    again = Journal(data, AtOnce())
    assert again.notice is None
    again.close()
