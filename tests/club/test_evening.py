"""The club's rules: draws without repeated meetings, standings equal to an independent
calculation."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.club.evening import (
    ClubRefusal,
    Draw,
    Result,
    by_hand,
    draw,
    from_board,
)
from boardctl.games import Outcome
from tests.club.paper import Paper, standings


def drawn(players: list[str], rounds: int) -> list[Draw]:
    draws: list[Draw] = []
    for _ in range(rounds):
        draws.append(draw(players, draws))
    return draws


def check(draws: list[Draw], fields: list[list[str]]) -> None:
    """Check that nobody plays twice in a round, nobody meets the same opponent twice, and byes
    differ by at most one."""
    met = Counter(frozenset(pair) for one in draws for pair in one.pairs)
    assert set(met.values()) <= {1}
    for one, field in zip(draws, fields, strict=True):
        seated = [name for pair in one.pairs for name in pair]
        if one.bye is not None:
            seated.append(one.bye)
        assert sorted(seated) == sorted(field)


@given(st.integers(2, 70), st.integers(1, 9))
def test_nobody_meets_twice_and_byes_are_fair(count: int, rounds: int) -> None:
    players = [f"p{n}" for n in range(count)]
    rounds = min(rounds, count - 1 + count % 2)
    draws = drawn(players, rounds)
    check(draws, [players] * rounds)
    byes = Counter(one.bye for one in draws if one.bye is not None)
    assert max(byes.values(), default=0) <= 1


@given(
    st.integers(20, 30),
    st.lists(st.sets(st.integers(0, 19), max_size=4), min_size=7, max_size=7),
)
def test_players_may_come_late_and_go_early(count: int, absent: list[set[int]]) -> None:
    draws: list[Draw] = []
    fields: list[list[str]] = []
    for away in absent:
        field = [f"p{n}" for n in range(count) if n not in away]
        draws.append(draw(field, draws))
        fields.append(field)
        sat = Counter(dict.fromkeys(field, 0))
        sat.update(one.bye for one in draws[:-1] if one.bye is not None and one.bye in sat)
        if draws[-1].bye is not None:
            assert sat[draws[-1].bye] == min(sat.values())
    check(draws, fields)


def test_when_all_have_met_it_is_said() -> None:
    players = ["Ann", "Bob", "Cleo", "Dan"]
    draws = drawn(players, 3)
    with pytest.raises(ClubRefusal) as refused:
        draw(players, draws)
    assert refused.value.code == "all-have-met"
    with pytest.raises(ClubRefusal):
        draw(["Ann"], [])


def test_a_tournament_of_64_over_9_rounds_equals_an_independent_count() -> None:
    chance = random.Random(64)
    players = [f"player {n}" for n in range(64)]
    draws = drawn(players, 9)
    check(draws, [players] * 9)
    results = []
    paper = Paper(players)
    for one in draws:
        for pair in one.pairs:
            winner, loser = chance.sample(pair, 2)
            behind = chance.randint(0, 120)
            won = from_board(
                (winner, loser),
                Outcome(
                    "won",
                    (121, behind),
                    1,
                    (2 if behind < 91 else 1, 0),
                    (0, 1),
                    "double-skunk" if behind < 61 else "skunk" if behind < 91 else "game",
                ),
            )
            assert won is not None
            results.append(won)
            paper.write(winner, loser, behind)
    table = standings(players, results)
    found = paper.sums()
    assert {s.name: s.order for s in table} == found
    assert [s.order for s in table] == sorted(found.values(), reverse=True)
    for better, worse in combinations(table, 2):
        assert (better.rank == worse.rank) == (better.order == worse.order)
        assert better.rank <= worse.rank
    assert all(s.games == 9 for s in table)
    assert sum(s.net for s in table) == 0


@pytest.mark.parametrize(
    "results",
    [
        # two plain wins and a skunk: 4 game points beat 3 …
        [Result("A", "C", 1, False), Result("A", "D", 1, False), Result("B", "C", 90, True)],
        # … 6 by three wins beat 6 by two skunks …
        [Result("A", x, 1, False) for x in "CDE"] + [Result("B", x, 40, True) for x in "CD"],
        # … then net spread …
        [Result("A", "C", 9, False), Result("B", "C", 8, False)],
        # … then plus points.
        [
            Result("A", "C", 9, False),
            Result("D", "A", 5, False),
            Result("B", "C", 8, False),
            Result("D", "B", 4, False),
        ],
    ],
)
def test_ties(results: list[Result]) -> None:
    table = {s.name: s.rank for s in standings("ABCDE", results)}
    assert table["A"] < table["B"]


@pytest.mark.parametrize("spread", [0, -3, 122])
def test_an_impossible_spread_is_refused(spread: int) -> None:
    with pytest.raises(ClubRefusal) as refused:
        by_hand("Ann", "Bob", spread)
    assert refused.value.code == "impossible-spread"


def test_what_a_game_on_a_board_counts() -> None:
    seats = ("Ann", "Bob")
    assert from_board(seats, Outcome("won", (90, 121), 2, (0, 2), (2, 0), "skunk")) == Result(
        "Bob", "Ann", 31, True
    )
    resigned = Outcome("won", (20, 80), 1, (1, 0), (0, 1), "game")
    assert from_board(seats, resigned) == Result("Ann", "Bob", 1, False)
    assert from_board(seats, Outcome("abandoned", (20, 80))) is None


@pytest.mark.parametrize(
    ("scores", "margin", "spread"),
    [
        ((129, 105), "game", 16),  # the last hand counted 24; the peg stops in the game hole
        ((121, 120), "game", 1),
        ((129, 90), "skunk", 31),
        ((121, 0), "double-skunk", 121),
        ((145, 91), "game", 30),
    ],
)
def test_points_beyond_the_game_hole_do_not_count(
    scores: tuple[int, int], margin: Literal["game", "skunk", "double-skunk"], spread: int
) -> None:
    won = Outcome("won", scores, 1, (2, 0), (0, 1), margin)
    assert from_board(("Ann", "Bob"), won) == Result("Ann", "Bob", spread, margin != "game")
