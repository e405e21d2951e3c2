"""A record keeps few positions and replays few moves, however lines are taken back."""

from __future__ import annotations

from random import Random

import pytest

from boardctl import games
from boardctl.games import IllegalMove
from boardctl.record.position import FULL_EFFORT, MOST_EFFORT, Effort
from boardctl.record.record import Record, prelude, restore

OPENING = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob")
AGAIN = ("undo", "undo 9", "undo 200", "redo", "amend 3 1 adjust +1", "amend 150 1 adjust +1",
         "insert 80 1 adjust +1", "set skunk off", "1 adjust +1", "seat 2 Eve")  # fmt: skip


def many(lines: int) -> list[str]:
    return [*OPENING, *("1 adjust +1", "1 adjust -1") * (lines // 2)]


def test_many_steps_back_play_each_move_once_more(played: list[int]) -> None:
    read = Record()
    for line in many(1_000):
        read.resume(line)
    played[0] = 0
    for _ in range(900):
        read.resume("undo")
    assert played[0] <= 1_000
    assert len(read._checkpoints) < 100


def test_thousands_of_lines_before_the_first_deal_are_kept_once() -> None:
    """Each position shares them with the previous one."""
    read = Record()
    for line in many(2_000):
        read.resume(line)
    before, move = read.position.opening or ((), None)
    assert move is not None
    assert before is read.position_at(len(read.moves) - 1).opening


@pytest.mark.parametrize("seed", range(8))
def test_effort_is_at_least_the_moves_that_are_played(seed: int, played: list[int]) -> None:
    chance = Random(seed)
    effort, read = Effort(), Record()
    for line in [*many(300), *chance.choices(AGAIN, k=60)]:
        effort.add(line)
        read.resume(line)
        assert played[0] <= effort.total, line


@pytest.mark.parametrize("line", ["undo 999999999", "undo x", "amend", "", "undo 99999999999"])
def test_a_line_that_goes_nowhere_is_little_effort(line: str) -> None:
    effort = Effort()
    effort.add("game cribbage")
    assert effort.of(line) <= 3
    assert Effort("game cribbage\nset skunk off").total == 2


def test_an_ordinary_evening_is_far_from_the_limits() -> None:
    effort = Effort()
    for line in many(2_000):
        effort.add(line)
    assert effort.total < FULL_EFFORT < MOST_EFFORT


def test_what_is_carried_over_restores_players_and_options() -> None:
    read = Record()
    for line in (*OPENING, "set skunk off", "1 peg 2"):
        read.read(line)
    again = restore(prelude(read.position))
    again.read("game cribbage")
    setup = again.position.setup
    assert setup is not None
    assert setup.seats == ("Ann", "Bob")
    assert setup.options["skunk"] == "off"
    with pytest.raises(IllegalMove):
        again.read("undo 2")


def test_more_players_than_the_game_seats_are_carried_over_too() -> None:
    """Players of the previous game stay until others sit down, as without a restart."""
    record = Record()
    names = ("Ann", "Bob", "Cleo", "Dan")
    for line in ("game pinochle", *(f"seat {n} {name}" for n, name in enumerate(names, 1))):
        record.read(line)
    record.read("game five-card-cribbage")
    again = restore(prelude(record.position))
    assert again.position.seats == record.position.seats
    assert len(again.position.seats) == 4


GAMES_WITH_DEALS = tuple(name for name in games.names() if name != "toy")


def dealt(name: str) -> list[str]:
    seats = min(games.find(name).seats)
    names = [f"seat {seat} {'ABCD'[seat - 1]}" for seat in range(1, seats + 1)]
    return [f"game {name}", *names, "dealer 1", "deal"]


@pytest.mark.parametrize("name", GAMES_WITH_DEALS)
def test_a_second_deal_with_nothing_entered_changes_nothing(name: str) -> None:
    record = Record()
    for line in dealt(name):
        record.read(line)
    before = record.position
    with pytest.raises(IllegalMove) as refused:
        record.read("deal")
    assert refused.value.code in ("deal-twice", "deal-unfinished")
    assert record.position is before
    record.read("misdeal")
    record.read("deal")


def test_a_stored_second_deal_still_counts() -> None:
    """Versions before 1.1 accepted it, and the moves after it belong to the next dealer's deal."""
    record = Record()
    for line in [*dealt("cribbage"), "deal"]:
        assert record.resume(line) is None
    assert record.position.situation.dealer == 2
