"""A data directory that cannot be written when the board is switched on: the board plays and
reports it."""

from __future__ import annotations

import shutil
from contextlib import closing, suppress
from pathlib import Path

import pytest

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.console.faults import RETRY
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage import database
from boardctl.storage.journal import NAME, AtOnce, Journal, JournalError, read_sessions
from boardctl.table import Table
from tests.tables import submit

LINES = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob", "1 adjust +5")


@pytest.fixture
def unwritable(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Put a file in the directory's place, so that even root cannot create files there."""
    monkeypatch.setattr(database, "LOCK", "nowhere/lock")
    return monkeypatch


def played(data: Path) -> None:
    journal = Journal(data, AtOnce())
    table = Table(journal, now=lambda: 1.0)
    for line in LINES:
        submit(table, line, "test")
    journal.close()


def texts(data: Path) -> list[str]:
    return [entry.text for _, entries in read_sessions(data) for entry in entries]


def numbers(data: Path) -> list[int]:
    return [entry.number for _, entries in read_sessions(data) for entry in entries]


def board(data: Path) -> BoardApp:
    return BoardApp(simulated(Config()), data, VirtualClock(), None, AtOnce())


def lit_and_worried(app: BoardApp) -> None:
    clock = app._clock
    assert isinstance(clock, VirtualClock)
    clock.run(0.1)
    assert any(app.frame()), "never dark"
    assert "journal" in app.controller.faults
    assert " ".join(app.controller.lines()).startswith("Trouble with saving")


def test_a_board_that_finds_nothing_and_cannot_write_plays(
    tmp_path: Path, unwritable: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    with closing(board(data)) as app:
        lit_and_worried(app)
        unwritable.undo()
        submit(app.table, "1 adjust +3", "test")
        assert isinstance(app._clock, VirtualClock)
        app._clock.run(RETRY + 0.1)
        assert app.controller.faults == {}
        assert texts(data)[-1] == "1 adjust +3"


@pytest.mark.parametrize("log", [False, True], ids=["closed", "with a log"])
def test_a_board_goes_on_from_what_can_be_read(
    log: bool, tmp_path: Path, unwritable: pytest.MonkeyPatch
) -> None:
    unwritable.undo()
    data = tmp_path / "data"
    if log:
        left = tmp_path / "left"
        journal = Journal(left, AtOnce())
        table = Table(journal, now=lambda: 1.0)
        for line in LINES:
            submit(table, line, "test")
        shutil.copytree(left, data)
        journal.close()
        assert (data / f"{NAME}-wal").stat().st_size
    else:
        played(data)
    unwritable.setattr(database, "LOCK", "nowhere/lock")
    with closing(board(data)) as app:
        lit_and_worried(app)
        assert app.table.position.scores == (5, 0)
        receipt = submit(app.table, "2 adjust +7", "test")
        assert not receipt.saved.done(), "a steady peg is a saved peg"
        unwritable.undo()
        assert isinstance(app._clock, VirtualClock)
        app._clock.run(RETRY + 0.1)
        assert receipt.saved.done()
        assert app.controller.faults == {}
    assert texts(data) == [*LINES, "2 adjust +7"]


def test_lines_that_turn_up_later_are_never_written_over(
    tmp_path: Path, unwritable: pytest.MonkeyPatch
) -> None:
    """The card was not mounted yet, for example; new lines follow its lines."""
    journal = Journal(tmp_path, AtOnce(), patient=True)
    table = Table(journal, now=lambda: 1.0)
    receipt = submit(table, "session monday", "test")
    unwritable.undo()
    played(tmp_path / "card")
    shutil.copyfile(tmp_path / "card" / NAME, tmp_path / NAME)
    journal.retry()
    assert receipt.saved.done()
    assert submit(table, "game cribbage", "test").saved.done()
    assert not journal.is_provisional
    journal.correct_clock(1, 2, 60.0).result()
    journal.close()
    assert texts(tmp_path) == [*LINES, "session monday", "game cribbage"]
    (_, earlier), (_, later) = read_sessions(tmp_path)
    assert numbers(tmp_path) == list(range(1, len(LINES) + 3))
    assert [entry.at for entry in (*earlier, *later)] == [1.0] * len(LINES) + [61.0] * 2
    again = Journal(tmp_path, AtOnce())
    assert again.notice is None
    assert again.identity == journal.identity
    assert Table(again, now=lambda: 1.0).position.session == "monday"
    again.close()


def test_lines_of_a_board_without_a_journal_begin_with_the_first(
    tmp_path: Path, unwritable: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path, AtOnce(), patient=True)
    table = Table(journal, now=lambda: 1.0)
    submit(table, "session monday", "test")
    unwritable.undo()
    journal.retry()
    submit(table, "game cribbage", "test")
    journal.close()
    assert numbers(tmp_path) == [1, 2]


def test_a_later_evening_moves_behind_with_its_players(
    tmp_path: Path, unwritable: pytest.MonkeyPatch
) -> None:
    """Its players sat down on the evening before, so that none of its lines names them."""
    unwritable.undo()
    card, data = tmp_path / "card", tmp_path / "data"
    later = ["session saturday", "game cribbage"]
    played(card)
    with closing(Journal(card, AtOnce())) as journal:
        table = Table(journal, now=lambda: 1.0)
        for line in later:
            submit(table, line, "test")
    shutil.copytree(card, data)
    with closing(Journal(card, AtOnce())) as journal:
        submit(Table(journal, now=lambda: 1.0), "2 adjust +3", "test")
    unwritable.setattr(database, "LOCK", "nowhere/lock")
    journal = Journal(data, AtOnce(), patient=True)
    table = Table(journal, now=lambda: 1.0)
    submit(table, "1 adjust +4", "test")
    unwritable.undo()
    (data / NAME).unlink()
    shutil.copyfile(card / NAME, data / NAME)
    journal.retry()
    journal.close()
    whole = [*LINES, *later, "2 adjust +3", *later, "1 adjust +4"]
    assert texts(data) == whole
    assert numbers(data) == list(range(1, len(whole) + 1))
    _, (there, _), (moved, _) = read_sessions(data)
    assert "Ann" in moved
    assert moved == there


def test_an_evening_half_of_which_could_be_read_goes_on_as_it_was_read(
    tmp_path: Path, unwritable: pytest.MonkeyPatch
) -> None:
    """Its last lines turn up later; the pegs stay as everybody saw them."""
    unwritable.undo()
    played(tmp_path / "card")
    shutil.copytree(tmp_path / "card", tmp_path / "data")
    with closing(Journal(tmp_path / "card", AtOnce())) as journal:
        submit(Table(journal, now=lambda: 1.0), "2 adjust +3", "test")
    unwritable.setattr(database, "LOCK", "nowhere/lock")
    journal = Journal(tmp_path / "data", AtOnce(), patient=True)
    table = Table(journal, now=lambda: 1.0)
    assert table.position.scores == (5, 0)
    faults: list[str] = []
    journal.failed.connect(faults.append)
    receipt = submit(table, "1 adjust +4", "test")
    unwritable.undo()
    (tmp_path / "data" / NAME).unlink()  # another file, as on another file system
    shutil.copyfile(tmp_path / "card" / NAME, tmp_path / "data" / NAME)
    journal.retry()
    assert receipt.saved.done(), faults
    assert submit(table, "undo", "test").saved.done()
    journal.close()
    assert texts(tmp_path / "data") == [*LINES, "2 adjust +3", *LINES, "1 adjust +4", "undo"]
    again = Journal(tmp_path / "data", AtOnce())
    assert Table(again, now=lambda: 1.0).position.scores == (5, 0)
    again.close()


def test_only_a_board_is_patient(tmp_path: Path, unwritable: pytest.MonkeyPatch) -> None:
    with pytest.raises(JournalError, match="cannot be written"):
        Journal(tmp_path, AtOnce())


def test_two_boards_on_one_directory_are_still_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path, AtOnce())
    with pytest.raises(JournalError, match="another boardctl"):
        Journal(tmp_path, AtOnce(), patient=True)
    journal.close()
    with suppress(JournalError):
        Journal(tmp_path, AtOnce(), patient=True).close()
