"""A game that an evening leaves unfinished can be continued in the next evening."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from boardctl.games import IllegalMove
from boardctl.storage.clock import day
from boardctl.table import Table
from boardctl.web import Options
from boardctl.web.app import make
from tests.tables import submit
from tests.web.test_live import Board

EVENING = ("session friday", "game cribbage", "set target 61", "seat 1 Ann", "seat 2 Bob")
DEALS = ("dealer 2", "deal", "1 peg 5", "2 peg 6", "deal", "1 peg 12")
NEXT = ("session saturday", "game bezique")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    for line in (*EVENING, *DEALS):
        submit(board.table, line, "test")
    yield board
    board.close()


def asked(board: Board, method: str, path: str, **more: Any) -> Any:
    async def ask() -> Any:
        origin = "http://127.0.0.1:8121"
        transport = httpx.ASGITransport(make(board, Options()))
        async with httpx.AsyncClient(transport=transport, base_url=origin) as client:
            answer = await client.request(method, path, headers={"origin": origin}, **more)
            return answer.json()

    return asyncio.run(ask())


def test_it_goes_on_in_an_evening_of_its_own_at_once(board: Board) -> None:
    """A phone offers it as soon as the evening has ended, before a key begins the next."""
    submit(board.table, "session end", "test")
    before = board.table.session
    state = asked(board, "GET", "/state")
    assert state["unfinished"] == "Ann 17, Bob 6"
    asked(board, "POST", "/evening", json={"expect": state["number"]})
    assert board.table.position.scores == (17, 6)
    assert board.table.position.session == day(board.table._now())
    assert board.table.session > before


@pytest.mark.parametrize("end", [("session end",), ()])
def test_it_goes_on_where_it_stood(board: Board, end: tuple[str, ...]) -> None:
    before = board.table.position
    for line in (*end, *NEXT):
        submit(board.table, line, "test")
    state = asked(board, "GET", "/state")
    assert state["unfinished"] == "Ann 17, Bob 6"
    answer = asked(board, "POST", "/evening", json={"expect": state["number"]})
    after = board.table.position
    assert answer["state"]["unfinished"] is None
    assert after.session == "saturday"
    assert (after.scores, after.situation) == (before.scores, before.situation)
    assert after.options["cribbage"] == {"target": "61"}
    submit(board.table, "deal", "test")
    submit(board.table, "2 peg 4", "test")
    assert board.table.position.scores == (17, 10)


def test_it_is_offered_after_a_restart_and_not_during_a_game(board: Board) -> None:
    submit(board.table, "session end", "test").saved.result(10)
    again = Table(board.table.journal, now=lambda: 2.0)
    for line in NEXT:
        submit(again, line, "test")
    assert again.unfinished is not None
    assert again.unfinished.position.scores == (17, 6)
    for line in ("dealer 1", "deal"):
        submit(again, line, "test")
    with pytest.raises(IllegalMove, match="nothing-left"):
        again.resume("test")


def test_it_is_still_offered_after_a_restart_in_the_new_evening(board: Board) -> None:
    """It is offered until the new evening's first deal, because a power cut may follow its first
    line."""
    for end in (("session end",), ()):
        for line in (*end, *NEXT, "dealer 1"):
            submit(board.table, line, "test").saved.result(10)
        again = Table(board.table.journal, now=lambda: 2.0)
        assert again.unfinished is not None
        assert again.unfinished == board.table.unfinished
        again.resume("test")[-1].saved.result(10)
        submit(again, "game noddy", "test").saved.result(10)
        assert Table(board.table.journal, now=lambda: 2.0).unfinished is None, "it was played on"
        submit(again, "undo", "test").saved.result(10)
        board.table = Table(board.table.journal, now=lambda: 2.0)


def test_evenings_in_which_nothing_was_said_are_none_after_a_restart_too(board: Board) -> None:
    for line in ("session saturday", "session sunday"):
        submit(board.table, line, "test").saved.result(10)
    again = Table(board.table.journal, now=lambda: 2.0)
    assert again.unfinished is not None
    assert again.unfinished == board.table.unfinished


def test_what_was_left_before_a_finished_evening_is_not_offered_after_a_restart(
    board: Board,
) -> None:
    """Only the evening directly before counts, as without a restart."""
    for line in (*NEXT, "game cribbage", *DEALS, "1 adjust +60", "session end"):
        submit(board.table, line, "test").saved.result(10)
    assert board.table.unfinished is None
    assert Table(board.table.journal, now=lambda: 2.0).unfinished is None


def test_a_game_without_points_goes_on_with_its_cards(board: Board) -> None:
    """Many tricks of Bezique, or the first cards of cribbage, earn nothing."""
    for line in ("game cribbage", "dealer 1", "deal", "starter 9D", "2 play 5", "1 play 6"):
        submit(board.table, line, "test")
    before = board.table.position
    for line in NEXT:
        submit(board.table, line, "test")
    state = asked(board, "GET", "/state")
    assert state["unfinished"] == "Ann 0, Bob 0"
    asked(board, "POST", "/evening", json={"expect": state["number"]})
    assert board.table.position.situation == before.situation


def test_a_finished_game_and_one_of_which_nothing_was_entered_are_not_offered(
    board: Board,
) -> None:
    submit(board.table, "1 adjust +60", "test")
    for line in NEXT:
        submit(board.table, line, "test")
    assert board.table.unfinished is None
    submit(board.table, "dealer 1", "test")
    submit(board.table, "deal", "test")
    submit(board.table, "session sunday", "test")
    assert board.table.unfinished is None
    assert asked(board, "POST", "/evening", json={"expect": board.table.number})["refused"][
        "message"
    ].startswith("There is no unfinished game from last evening")
