"""A damaged journal: faults are reported, readable lines saved, nothing overwritten."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.storage import repair
from boardctl.storage.journal import AtOnce, Journal, JournalError, Post
from boardctl.table import Table
from tests.tables import submit

LINES = 600


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A journal of one long evening, closed."""
    journal = Journal(tmp_path, AtOnce())
    table = Table(journal, now=lambda: 0.0)
    for line in ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob"):
        submit(table, line, "test")
    for _ in range((LINES - 4) // 2):
        submit(table, "1 adjust +1", "test")
        submit(table, "1 adjust -1", "test")
    journal.close()
    return tmp_path


def test_a_whole_journal_is_well(data: Path) -> None:
    assert repair.check(data / "journal.sqlite3") == repair.Health(1, LINES)
    done = CliRunner().invoke(main, ["journal", "check", "--data", str(data)])
    assert done.exit_code == 0
    assert f"{LINES} lines" in done.output


def test_a_missing_line_and_an_illegal_one_are_named(data: Path) -> None:
    with closing(sqlite3.connect(data / "journal.sqlite3")) as db:
        db.execute("DELETE FROM line WHERE number = 100")
        db.execute("UPDATE line SET text = '1 peg 99' WHERE number = 50")
        db.commit()
    troubles = repair.check(data / "journal.sqlite3").troubles
    assert "lines 100 to 100 are missing" in troubles
    assert "line 50 (“1 peg 99”) is rejected: A score of 99 is not possible here." in troubles
    done = CliRunner().invoke(main, ["journal", "check", "--data", str(data)])
    assert done.exit_code == 1
    assert "boardctl journal repair" in done.output


@pytest.mark.parametrize("over", [False, True])
def test_a_reason_names_no_card_of_a_deal_in_progress(tmp_path: Path, over: bool) -> None:
    """The line is reported. Its reason, that the hand has other cards, follows once the deal is
    over."""
    said = set()
    for hand in ("5H 6S 7D 8C JH QS", "4H 6S 7C 8C JH QC"):
        data = tmp_path / hand
        data.mkdir()
        journal = Journal(data, AtOnce())
        table = Table(journal, now=lambda: 0.0)
        for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"):
            submit(table, line, "test")
        for line in ("2 hand 2H 3S 9D TC KS KD", f"1 hand {hand}", "2 discard 2H 3S"):
            submit(table, line, "test")
        for line in (f"1 discard {hand[-5:]}", "starter 2C"):
            submit(table, line, "test")
        journal.close()
        with closing(sqlite3.connect(data / "journal.sqlite3")) as db:
            lines = ["2 play 4D", *(["misdeal"] if over else [])]
            rows = [(table.number + n, 1, line, 0.0, "test") for n, line in enumerate(lines, 1)]
            db.executemany("INSERT INTO line VALUES (?, ?, ?, ?, ?)", rows)
            db.commit()
        (trouble,) = repair.check(data / "journal.sqlite3").troubles
        journal = Journal(data, AtOnce())
        (doubt,) = Table(journal, now=lambda: 0.0).rejected_lines
        journal.close()
        said.add((trouble, doubt))
    ((trouble, doubt),) = said
    assert trouble.startswith("line 11 (“2 play 4D”) is rejected")
    assert (": " in trouble, ": " in doubt, "9D" in trouble) == (over, over, over)


def test_lines_before_a_damaged_page_are_saved(data: Path) -> None:
    path = data / "journal.sqlite3"
    raw = bytearray(path.read_bytes())
    page = 4096
    leaves = [at for at in range(0, len(raw), page) if b"1 adjust" in raw[at : at + page]]
    middle = leaves[len(leaves) // 2]
    raw[middle : middle + page] = b"\xff" * page
    path.write_bytes(raw)
    before = path.read_bytes()
    assert any("damaged" in trouble for trouble in repair.check(path).troubles)
    done = CliRunner().invoke(main, ["journal", "repair", "--data", str(data)])
    assert done.exit_code == 0, done.output
    kept = data / "journal.damaged-1.sqlite3"
    assert str(kept) in done.output
    assert kept.read_bytes() == before, "the damaged file is kept as it is"
    saved = repair.check(path)
    assert saved.troubles == ()
    assert 4 < saved.lines < LINES
    journal = Journal(data, AtOnce())
    assert journal.notice is None
    assert Table(journal, now=lambda: 0.0).number == saved.lines
    journal.close()
    done = CliRunner().invoke(main, ["journal", "repair", "--data", str(data)])
    assert "nothing was changed" in done.output


def test_nothing_is_overwritten(data: Path) -> None:
    target = data / "journal-repaired.sqlite3"
    target.write_text("mine")
    with pytest.raises(JournalError, match="already exists"):
        repair.salvage(data / "journal.sqlite3", target)
    assert target.read_text() == "mine"
    with pytest.raises(JournalError, match="no journal here"):
        repair.check(data / "none.sqlite3")


def test_what_is_no_journal_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name)")
    with pytest.raises(JournalError, match="is not a boardctl journal"):
        repair.check(path)
    with pytest.raises(JournalError, match="is not a boardctl journal"):
        repair.salvage(path, tmp_path / "new.sqlite3")
    assert not (tmp_path / "new.sqlite3").exists()
    path.write_bytes(b"not a database at all" * 100)
    assert any("not a database" in trouble for trouble in repair.check(path).damaged)


def test_results_on_their_way_are_salvaged_too(tmp_path: Path) -> None:
    journal = Journal(tmp_path, AtOnce())
    journal.begin_session(1, "", "session friday", 0.0, "test")
    journal.append(1, 2, "game cribbage", 0.0, "test", [Post("g-1", 2, "{}")])
    name = journal.identity
    journal.close()
    data = tmp_path / "again"
    data.mkdir()
    health = repair.salvage(tmp_path / "journal.sqlite3", data / "journal.sqlite3")
    assert (health.sessions, health.lines, health.troubles) == (1, 2, ())
    again = Journal(data, AtOnce())
    assert (again.identity, again.outbox().result()) == (name, (Post("g-1", 2, "{}"),))
    again.close()


def test_a_journal_without_an_outbox_is_salvaged(tmp_path: Path) -> None:
    Journal(tmp_path, AtOnce()).close()
    path = tmp_path / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as db:  # like version 1
        db.executescript("DROP TABLE outbox; DROP TABLE identity; PRAGMA user_version=1;")
    assert repair.salvage(path, tmp_path / "new.sqlite3").lines == 0


def test_lines_after_a_gap_are_told_to_be_lost(tmp_path: Path) -> None:
    journal = Journal(tmp_path, AtOnce())
    journal.begin_session(1, "", "session friday", 0.0, "test")
    for number in (2, 4, 5):
        journal.append(1, number, "1 peg 2", 0.0, "test")
    journal.close()
    health = repair.salvage(tmp_path / "journal.sqlite3", tmp_path / "new.sqlite3")
    assert (health.lines, health.troubles) == (2, ("2 lines after a gap were omitted",))
