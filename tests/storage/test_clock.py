"""An evening that begins on a wrong clock gets its name and times when the clock is corrected."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from boardctl.record import history
from boardctl.storage import clock, database, repair
from boardctl.storage.archive import Archive
from boardctl.storage.clock import day
from boardctl.storage.database import NAME
from boardctl.storage.journal import AtOnce, Journal, read_sessions
from boardctl.table import Table
from tests.tables import submit

WRONG, RIGHT = 1_700_000_000.0, 1_763_750_000.0
"""A Pi without a battery-backed clock continues from the time it was switched off."""
GAME = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")


class Clocks:
    """The wall clock, which is adjusted, and a monotonic one."""

    def __init__(self) -> None:
        self.steady = 5.0
        self.ahead = WRONG - 5.0

    def now(self) -> float:
        return self.steady + self.ahead


@pytest.fixture(autouse=True)
def _at_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


class Evening:
    def __init__(self, data: Path, name: str = day(WRONG)) -> None:
        self.data = data
        self.clocks = Clocks()
        self.journal = Journal(data, AtOnce())
        self.table = Table(self.journal, self.clocks.now, steady=lambda: self.clocks.steady)
        self.say(f"session {name}", *GAME)

    def say(self, *lines: str) -> None:
        for line in lines:
            submit(self.table, line, "test")
            self.clocks.steady += 10

    def set_clock(self, to: float) -> None:
        self.clocks.ahead += to - self.clocks.now()


def games(data: Path) -> list[history.PlayedGame]:
    with closing(Archive(data, "1.0")) as archive:
        return list(archive.games())


def test_name_and_times_follow_and_the_order_stays(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    assert [game.session for game in games(tmp_path)] == [day(WRONG)]
    evening.set_clock(RIGHT)
    evening.say("1 peg 2 play")
    assert evening.table.position.session == day(RIGHT)
    (game,) = games(tmp_path)
    assert (game.session, day(game.began)) == (day(RIGHT), day(RIGHT))
    ((_, entries),) = read_sessions(tmp_path)
    times = [entry.at for entry in entries]
    assert times == sorted(times)
    assert times[-1] - times[0] == pytest.approx(60)
    evening.say("undo 2")
    assert evening.table.position.session == day(RIGHT), "whatever is taken back"
    evening.journal.close()
    journal = Journal(tmp_path, AtOnce())
    assert Table(journal, lambda: RIGHT).position.session == day(RIGHT)
    journal.close()
    with closing(sqlite3.connect(tmp_path / NAME)) as db:
        (text,) = db.execute("SELECT text FROM line WHERE number = 1").fetchone()
    assert text == f"session {day(WRONG)}", "what was written stays as it was"


def test_a_clock_that_comes_to_the_right_time_in_steps(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    for to in (RIGHT + 86_400 * 9, RIGHT):
        evening.set_clock(to)
        evening.say("1 peg 2 play")
    ((_, entries),) = read_sessions(tmp_path)
    assert {day(entry.at) for entry in entries} == {day(RIGHT)}
    assert entries[0].text == f"session {day(RIGHT)}"
    evening.journal.close()


def test_an_evening_before_keeps_its_name_and_one_with_a_name_too(tmp_path: Path) -> None:
    """A clock with an unknown error recorded the lines of an earlier run."""
    earlier = Evening(tmp_path)
    earlier.journal.close()
    evening = Evening(tmp_path, "birthday")
    evening.set_clock(RIGHT)
    evening.table.correct_times()
    assert evening.table.position.session == "birthday"
    found = [(game.session, day(game.began)) for game in games(tmp_path)]
    assert found == [(day(WRONG), day(WRONG)), ("birthday", day(RIGHT))]
    evening.journal.close()


def test_a_clock_that_is_nudged_changes_nothing(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.clocks.ahead += 2.0
    evening.say("1 peg 2 play")
    with closing(database.read_only(tmp_path / NAME)) as db:
        assert clock.corrections(db) == ()
    evening.journal.close()


def test_a_repaired_journal_keeps_the_right_times(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.set_clock(RIGHT)
    evening.table.correct_times()
    evening.journal.close()
    repair.recover(tmp_path / NAME, "a test")
    assert [game.session for game in games(tmp_path)] == [day(RIGHT)]
