"""Every game has a player that makes legal moves: they are accepted, and games end."""

from __future__ import annotations

from random import Random

import pytest

from boardctl import games
from boardctl.bot import habits
from boardctl.bot.worker import Seat
from boardctl.games import Move
from boardctl.games.cards import parse_cards
from boardctl.record.record import Record
from tests.laws.walk import Walk, sit_down

_LINES = 40
_SLOW = ("rubicon-bezique", "six-pack-bezique")
"""Games of many packs, whose prompts try thousands of cards."""


def play(name: str, level: int, seed: int) -> tuple[Walk, int]:
    """The lines of a game whose reports are random and whose other lines come from its seats, and
    how many the seats said."""
    chance = Random(seed)
    walk = sit_down(name, chance)
    walk.telling = "cards"
    said = 0
    for _ in range(_LINES):
        position = walk.record.position
        if position.over:
            break
        seats = range(1, len(position.seats) + 1)
        due = (habits.due(walk.record, seat, level, chance) for seat in seats)
        move = next((some for some in due if some is not None), None)
        if move is None:
            if not walk.step():
                break
        else:
            walk.say(move)
            said += 1
    return walk, said


GAMES = 2


def slow(name: str, level: int) -> bool:
    """Whether a game has many packs, or every line must be tried to draw one of them."""
    return name in _SLOW or (name, level) == ("bezique", 1)


@pytest.mark.parametrize(
    ("name", "level"),
    [
        pytest.param(name, level, marks=pytest.mark.long if slow(name, level) else ())
        for name in games.names()
        for level in (1, 2)
    ],
)
def test_every_game_is_played_legally(name: str, level: int) -> None:
    _, said = play(name, level, 3)
    assert said >= 3, f"{name}: the seats never had anything to say"


def test_what_earns_most_is_said() -> None:
    record = Record()
    for line in (
        *("game noddy", "seat 1 A", "seat 2 B", "dealer 1", "deal"),
        *("1 hand 5H 9S KD", "2 hand TS QC AH", "starter 2C"),
    ):
        record.read(line)
    for seat in (1, 2):
        move = habits.due(record, seat, 3, Random(1))
        if move is not None:
            assert record.try_out(move) is not None


def test_cards_held_are_followed() -> None:
    record = Record()
    for line in ("game bezique", "seat 1 A", "seat 2 B", "dealer 1", "deal"):
        record.read(line)
    record.read("2 hand AS KS QS JD TD 9D 8D 7D")
    assert habits.own_cards(record, 2) == list(parse_cards("AS KS QS JD TD 9D 8D 7D"))
    assert habits.own_cards(record, 1) == []


def test_a_suit_is_bid_with_three_of_it() -> None:
    hand = list(parse_cards("JS 9S 7S AH KD 8C"))
    assert habits._bid(Move("bid", 1, words=("S",)), hand) > habits._bid(
        Move("bid", 1, words=("pass",)), hand
    )
    assert habits._bid(Move("bid", 1, words=("H",)), hand) < 1


@pytest.mark.parametrize("lines", [("game five-card-cribbage",), ("game cribbage", "seat 3 C")])
def test_other_forms_of_cribbage_throw_and_play(lines: tuple[str, ...]) -> None:
    seat = Seat(2, 5, 1)
    for line in (lines[0], "seat 1 A", "seat 2 B", *lines[1:], "dealer 1", "deal"):
        assert seat.receive(line) == []
    (throw,) = seat.receive("2 hand 5H 6S 7D 8C JH")
    assert throw.startswith("2 discard ")
    said = seat.receive("1 discard ? ?" if len(lines) == 1 else "1 discard ?")
    for line in ("3 discard ?", "starter 2C") if len(lines) > 1 else ("starter 2C",):
        said += seat.receive(line)
    assert len(said) == 1
    assert said[0].startswith("2 play ")


def test_the_crib_decides_what_goes_into_it() -> None:
    """A pair of fives is thrown into one's own crib more readily than into the other's."""
    away = []
    for dealer in (1, 2):
        seat = Seat(2, 5, 1)
        opening = ("game five-card-cribbage", "seat 1 A", "seat 2 B", f"dealer {dealer}", "deal")
        for line in opening:
            seat.receive(line)
        away += seat.receive("2 hand 5H 5S 2D 9C KH")
    assert "5H 5S" not in away[0]


def test_nothing_is_declared_before_the_whole_hand_is_there() -> None:
    """With six of nine cards known, a run, king and queen of trumps and any card could be held: the
    player waits for its own three, and then says what it has."""
    begun = (
        *("game klaberjass", "seat 1 A", "seat 2 B", "dealer 2", "deal", "turnup 8D"),
        *("2 hand ? ? ? ? ? ?", "1 hand AH KS JD QC 9S 8H", "1 bid pass", "2 bid pass"),
    )
    player, said = Seat(1, 5, 1), list[str]()
    for line in begun:
        if not line.startswith("1 bid"):
            said += player.receive(line)
    assert said == ["1 bid pass", "1 bid pass"]
    assert player.receive("2 bid S") == []
    declared = player.receive("1 hand 7C 9C TD")
    assert declared[0] == "1 declare none"
    assert [line.split()[1] for line in declared] == ["declare", "play"]


def test_the_seven_is_exchanged_before_the_draw() -> None:
    player = Seat(1, 5, 1)
    for line in (
        *("game bezique", "seat 1 A", "seat 2 B", "set seven_method exchange_only", "dealer 2"),
        *("deal", "2 hand ? ? ? ? ? ? ? ?", "1 hand AS 7H 7S 9C 8D 8C 8S JC", "turnup KH"),
    ):
        said = player.receive(line)
    assert said == ["1 play 7S"]
    assert player.receive("2 play 7S") == ["1 seven exchange"]
