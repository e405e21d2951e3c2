"""A disk that stalls, fills up or cannot be written: lights and keys keep working, the display
shows the fault, unsaved pegs keep blinking, and the board recovers automatically."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from boardctl.board import layout
from boardctl.console.faults import RETRY
from boardctl.storage.journal import NAME, AtOnce, Journal, JournalError
from boardctl.table import Table
from tests.storage.test_journal import seat
from tests.tables import KeyedTable, Later

FRONT = layout.load("classic-2").ledmap["track1.8"]


def levels(table: KeyedTable, seconds: float = 4.0) -> set[bytes]:
    """Return the levels of the front peg's LED over some time, once the peg has arrived."""
    table.clock.run(3)
    seen = set()
    for _ in range(int(seconds / 0.05)):
        table.clock.run(0.05)
        seen.add(table.row.frame[3 * FRONT : 3 * FRONT + 3])
    return seen


def full(journal: Journal) -> Callable[[], None]:
    """Make the disk full: no page can be added (SQLITE_FULL)."""
    db = journal._db
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count={pages}")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return lambda: db.execute("PRAGMA max_page_count=1000000").close()


def read_only(journal: Journal) -> Callable[[], None]:
    """Make the file read-only (SQLITE_READONLY)."""
    db = journal._db
    db.execute("PRAGMA query_only=ON")
    return lambda: db.execute("PRAGMA query_only=OFF").close()


@pytest.mark.parametrize(
    ("sicken", "cure"), [(full, "Make room"), (read_only, "Make the disk writable")]
)
def test_what_can_not_be_written_blinks_until_it_is(
    tmp_path: Path,
    sicken: Callable[[Journal], Callable[[], None]],
    cure: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = Journal(tmp_path, AtOnce())
    table = KeyedTable(journal)
    heal = sicken(journal)
    monkeypatch.setattr(journal, "_reopen", lambda: None)  # only this connection is affected
    for _ in range(400):  # long enough to need another page, whatever space the last one had left
        table.press("hold# 9 A 1 # hold# 9 A 0 #")
        if table.controller.faults:
            break
    table.press("A8#")
    assert "saving" in table.said
    (found,) = caplog.messages
    assert str(journal.path) in found
    assert cure in found
    dark = bytes(3)
    assert len(levels(table)) == 2
    assert dark in levels(table), "an unsaved peg blinks"
    before = table.scores
    table.press("B4#")
    assert table.scores[1] == before[1] + 4, "keys stay alive"

    heal()
    table.clock.run(RETRY + 1)
    assert not table.controller.faults
    assert dark not in levels(table), "a saved peg is steady"
    assert Table(journal, now=lambda: 0.0).position.scores == table.scores, "nothing was lost"
    journal.close()


def test_a_disk_that_stalls_holds_up_nothing(tmp_path: Path) -> None:
    disk = Later()
    journal = Journal(tmp_path, disk)
    table = KeyedTable(journal)
    disk.work()
    table.press("A8#")
    assert table.scores == (8, 0)
    assert len(levels(table, seconds=5.0)) == 2
    table.press("B4#")
    assert table.scores == (8, 4)
    disk.work()
    assert len(levels(table)) == 1
    disk.healed = True
    journal.close()


class TakenOut:
    """A connection to a disk that was pulled out: it reads and writes nothing any more."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def execute(self, *_: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
        raise error

    in_transaction = False

    def close(self) -> None:
        self._db.close()


def test_a_disk_that_is_taken_out_and_put_back_gets_every_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is created in the empty folder that appears meanwhile, nor in another journal."""
    data, away = tmp_path / "data", tmp_path / "away"
    journal = Journal(data, AtOnce())
    table = KeyedTable(journal)
    table.press("A8#")
    journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    monkeypatch.setattr(journal, "_db", TakenOut(journal._db))
    data.rename(away)
    data.mkdir()
    table.press("B4#")
    table.clock.run(3 * RETRY)
    assert "journal" in table.controller.faults
    assert not any(data.iterdir())
    other = Journal(data, AtOnce())
    seat(other)
    other.close()
    table.clock.run(3 * RETRY)
    assert "journal" in table.controller.faults
    with pytest.raises(JournalError) as refused:
        journal._reopen()
    assert (refused.value.code, refused.value.where) == ("another", str(data / NAME))
    shutil.rmtree(data)
    away.rename(data)
    table.clock.run(3 * RETRY)
    assert not table.controller.faults
    assert table.scores == (8, 4)
    journal.close()
    again = Journal(data, AtOnce())
    assert Table(again, now=lambda: 0.0).position.scores == (8, 4)
    again.close()


def test_lines_that_were_never_saved_are_named_at_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log contains them, so they can be entered again."""
    journal = Journal(tmp_path, AtOnce())
    table = KeyedTable(journal)
    read_only(journal)
    monkeypatch.setattr(journal, "_reopen", lambda: None)
    table.press("A8#B4#")
    journal.close()
    assert caplog.messages[-1].endswith("2 lines could not be saved: 1 peg 8; 2 peg 4")
