"""The choice of games that count: tables bound to boards, conflicts for the director to decide,
many writers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from boardctl.club import schema, totals
from boardctl.club.evening import ClubRefusal
from boardctl.club.store import Game, Store
from tests.club.paper import standings

PLAYERS = ("Ann", "Bob", "Cleo", "Dan")


def sent(one: str, two: str, behind: int = 100, **more: Any) -> dict[str, Any]:
    """Return a game won by the first of two players."""
    margin = "skunk" if behind < 91 else "game"
    return {
        "state": "won",
        "seats": [one, two],
        "scores": [121, behind],
        "winner": 1,
        "margin": margin,
    } | more


WITHDRAWN: dict[str, Any] = {"state": "withdrawn", "scores": [], "winner": None, "margin": None}


@pytest.fixture
def evening(store: Store) -> tuple[int, str, str]:
    number = store.new("Friday", PLAYERS)
    _, drawn = store.draw(number)
    return number, *drawn.pairs[0]


def winners(store: Store, number: int) -> list[str | None]:
    return [met.result.winner if met.result else None for met in store.meetings(number)]


def test_only_the_board_of_a_table_counts_by_itself(
    store: Store, evening: tuple[int, str, str]
) -> None:
    number, one, two = evening
    store.bind("t1", 1)
    assert store.keep(Game("t9", "g", 1, sent(two, one), 1.0)), "stored, and not counted"
    assert winners(store, number) == [None, None]
    (claim,) = store.conflicts(number)
    assert (claim.board, claim.reason, claim.result.winner) == ("t9", "other-board", two)
    assert store.keep(Game("t1", "g", 1, sent(one, two), 2.0))
    assert winners(store, number) == [one, None]
    assert [c.board for c in store.conflicts(number)] == ["t9"]
    store.decide(number, "t9", "g", accept=False)
    assert store.conflicts(number) == ()
    assert winners(store, number) == [one, None]


def test_a_game_under_a_name_that_is_not_drawn_is_shown_to_the_director(
    store: Store, evening: tuple[int, str, str]
) -> None:
    """Two boards may know one player by different names. Such a result used to be stored without
    anybody seeing it."""
    number, one, two = evening
    store.bind("t1", 1)
    now = store.now()
    store.keep(Game("t1", "g", 1, sent(one, f"{two}y"), now))
    store.keep(Game("t1", "before", 1, sent(one, "Guest"), now - 86400))
    store.keep(Game("t1", "three", 1, sent(one, two) | {"seats": [one, two, "Guest"]}, now))
    (found,) = store.conflicts(number)
    assert (found.round, found.table, found.reason) == (1, 1, "not-paired")
    assert (found.result.winner, found.result.loser) == (one, f"{two}y")
    with pytest.raises(ClubRefusal) as refused:
        store.decide(number, "t1", "g", accept=True)
    assert refused.value.code == "not-drawn"
    store.keep(Game("t9", "h", 1, sent("Guest", "Visitor"), now))
    assert [(c.game, c.table) for c in store.conflicts(number)] == [("g", 1), ("h", 0)]
    store.decide(number, "t9", "h", accept=False)
    store.keep(Game("t1", "g", 2, sent(one, two), now))  # the names were corrected at the board
    assert store.conflicts(number) == ()
    assert winners(store, number) == [one, None]
    later = store.new("Saturday", PLAYERS)
    store.keep(Game("t1", "i", 1, sent("Guest", two), store.now()))
    assert [len(store.conflicts(n)) for n in (number, later)] == [0, 1]


def test_a_later_result_of_the_right_table_is_shown_to_the_director(
    store: Store, evening: tuple[int, str, str]
) -> None:
    number, one, two = evening
    store.keep(Game("t9", "g", 1, sent(two, one), 1.0))  # no table was bound yet
    store.bind("t1", 1)
    store.keep(Game("t1", "g", 1, sent(one, two, 105), 2.0))
    assert winners(store, number) == [two, None], "what counts is not changed behind one's back"
    (claim,) = store.conflicts(number)
    assert (claim.board, claim.reason, claim.result.spread) == ("t1", "second-result", 16)
    store.decide(number, "t1", "g", accept=True)
    assert winners(store, number) == [one, None]
    assert store.conflicts(number) == ()
    store.keep(Game("t1", "g", 2, WITHDRAWN | {"seats": [one, two]}, 3.0))
    assert winners(store, number) == [None, None], "it is the one that counts, and follows its game"
    with pytest.raises(ClubRefusal) as refused:
        store.decide(number, "t1", "g", accept=True)
    assert refused.value.code == "no-such-conflict"


def test_what_players_agreed_on_stands(store: Store, evening: tuple[int, str, str]) -> None:
    number, one, two = evening
    pins = store.give_pins(PLAYERS)
    store.correct(number, 1, one, two, 10, (pins[one], pins[two]), 1.0)
    store.keep(Game("t1", "g", 1, sent(two, one), 2.0))
    with pytest.raises(ClubRefusal) as refused:
        store.decide(number, "t1", "g", accept=True)
    assert refused.value.code == "players-agreed"
    assert winners(store, number) == [one, None]


def test_a_board_moves_from_table_to_table_and_club_to_club(
    opened: Callable[..., Store],
) -> None:
    north, south = opened("north"), opened("south")
    for club in (north, south):
        number = club.new("Friday", PLAYERS)
        club.draw(number)
    one, two = north.draws(north.about().number)[0].pairs[0]
    south.bind("t1", 1)
    south.bind("t2", 1)
    assert south.boards() == {"t2": 1, "t1": None}
    north.bind("t1", 1)
    assert (north.boards(), south.boards()) == ({"t1": 1}, {"t2": 1})
    north.keep(Game("t1", "g", 1, sent(one, two), 1.0))
    assert winners(north, north.about().number) == [one, None]
    assert winners(south, south.about().number) == [None, None], "same names, another club's board"


def test_many_writers_store_each_result_once(opened: Callable[..., Store]) -> None:
    """Three stores, like those of three hubs, receive all results in turn and all at once."""
    names = [f"p{n}" for n in range(12)]
    first = opened()
    number = first.new("Friday", names)
    for _ in range(4):
        first.draw(number)
    pairs = [pair for drawn in first.draws(number) for pair in drawn.pairs]
    games = [
        Game("t1", f"g-{n}", 1, sent(*pair, behind=n * 4), float(n)) for n, pair in enumerate(pairs)
    ]
    new: list[bool] = []

    def write(store: Store, mine: list[Game]) -> None:
        new.extend([store.keep(game) for game in mine])

    threads = [
        threading.Thread(target=write, args=(store, games[n:] + games[:n]))
        for n, store in enumerate((first, opened(), opened()))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (new.count(True), new.count(False)) == (len(games), 2 * len(games))
    results = [met.result for met in first.meetings(number)]
    assert all(results)
    kept = first.standings(number)
    assert kept == standings(names, [result for result in results if result])
    with first.database.read() as connection:
        season = totals.best(connection, first.season)
        assert connection.scalar(sa.select(sa.func.count()).select_from(schema.entry)) == len(games)
    assert {t.name: (t.games, t.points, t.net) for t in season} == {
        s.name: (s.games, s.points, s.net) for s in kept
    }
