"""The club's file: draws kept, results counted once, corrections only with both players' word."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.cli import main
from boardctl.club.evening import ClubRefusal
from boardctl.club.store import Game, Store, StoreError


@pytest.fixture
def store(tmp_path: Path) -> Any:
    opened = Store(tmp_path / "club.sqlite3")
    yield opened
    opened.close()


def evening(store: Store) -> tuple[int, str, str]:
    number = store.new("Friday", ["Ann", "Bob", "Cleo", "Dan"])
    _, drawn = store.draw(number, 9)
    return number, *drawn.pairs[0]


def sent(one: str, two: str, scores: tuple[int, int] = (121, 100), **more: Any) -> dict[str, Any]:
    winner = 1 if scores[0] > scores[1] else 2
    told: dict[str, Any] = {
        "seats": [one, two],
        "state": "won",
        "scores": list(scores),
        "winner": winner,
        "margin": "skunk" if min(scores) < 91 else "game",
    }
    return told | more


def test_a_board_counts_once_and_takes_back(store: Store) -> None:
    number, one, two = evening(store)
    game = Game("t1", "5", 1, sent(one.upper(), two), 1.0)
    assert store.keep(game)
    assert not store.keep(game)
    (first, *_) = store.standings(number)
    assert (first.name, first.points, first.net) == (one, 2, 21)
    withdrawn = sent(one, two, state="unfinished", winner=None, margin=None)
    assert store.keep(Game("t1", "5", 2, withdrawn, 2.0))
    assert not store.keep(game), "an older version that came late"
    assert all(s.games == 0 for s in store.standings(number))
    assert store.keep(Game("t1", "5", 3, sent(one, two, (80, 121)), 3.0))
    (first, *_) = store.standings(number)
    assert (first.name, first.points, first.net) == (two, 3, 41)
    assert len(store.games()) == 1


def test_a_second_game_of_two_who_have_a_result_is_kept_but_not_counted(store: Store) -> None:
    number, one, two = evening(store)
    store.keep(Game("t1", "5", 1, sent(one, two), 1.0))
    assert store.keep(Game("t1", "6", 1, sent(two, one), 2.0))
    assert sum(s.games for s in store.standings(number)) == 2
    assert len(store.games()) == 2


def test_a_correction_needs_both_words_and_stays_visible(store: Store) -> None:
    number, one, two = evening(store)
    store.keep(Game("t1", "5", 1, sent(one, two), 1.0))
    for agreed in ((), (one,), (two,), (one, "Eve")):
        with pytest.raises(ClubRefusal) as refused:
            store.correct(number, 1, two, one, 40, agreed, 2.0)
        assert refused.value.code == "word-missing"
    with pytest.raises(ClubRefusal) as refused:
        store.correct(number, 2, two, one, 40, (one, two), 2.0)
    assert refused.value.code == "not-drawn"
    store.correct(number, 1, two, one, 40, (one, two), 3.0)
    result = store.meetings(number)[0].result
    assert result is not None
    assert (result.winner, result.points, result.corrected) == (two, 3, True)
    store.keep(Game("t1", "5", 2, sent(one, two), 4.0))
    assert store.meetings(number)[0].result == result, "players' word stands over a board's"


def test_what_is_kept_is_there_again(tmp_path: Path) -> None:
    first = Store(tmp_path / "club.sqlite3")
    number, one, two = evening(first)
    first.keep(Game("t1", "5", 1, sent(one, two), 1.0))
    told = first.meetings(number)
    first.close()
    again = Store(tmp_path / "club.sqlite3")
    assert again.meetings(number) == told
    assert again.evening() == (number, "Friday", 9)
    again.close()


def test_a_foreign_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite3"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE mine (x)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError):
        Store(path)
    assert path.read_bytes() == before


def test_an_evening_by_the_command_line(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "c.sqlite3"))

    def run(*words: str, status: int = 0) -> str:
        done = CliRunner().invoke(main, ["club", *words, *store])
        assert done.exit_code == status, done.output
        return done.output

    assert "no evening" in run("draw", status=1).lower()
    run("new", "Friday", "Ann", "Bob", "Cléo", "花子", "Eve", "--seed", "1")
    told = run("draw")
    assert "bye" in told
    one, two = told.splitlines()[1][6:].split(" - ")
    assert "both players" in run("result", "1", one, two, "31", "--agreed", one, status=1)
    agreed = ("--agreed", one, "--agreed", two)
    assert "3 game points" in run("result", "1", one, two, "31", *agreed)
    assert f"corrected: round 1, {one} - {two}" in run("standings")
    for language in ("en", "ja"):
        pdf = tmp_path / f"{language}.pdf"
        run("sheet", str(pdf), "--language", language)
        assert pdf.read_bytes().startswith(b"%PDF")
    assert "both be called" in run("new", "X", "Ann", "ann", status=1)
