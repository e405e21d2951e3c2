"""Edges of cribbage's rules that a caller can see: margins and luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from boardctl import games
from boardctl.games.cards import Card, parse_cards
from boardctl.record.record import Record

HEAD = ("game cribbage", "seat 1 Ann", "seat 2 Bob")


def read(*lines: str) -> Record:
    record = Record()
    for line in lines:
        record.read(line)
    return record


@pytest.mark.parametrize(
    ("target", "margins"),
    [(121, {"double-skunk": 61, "skunk": 91}), (61, {"double-skunk": 1, "skunk": 31}),
     (31, {"double-skunk": 0, "skunk": 1})],
)  # fmt: skip
def test_no_loser_of_a_short_game_is_behind_a_line_below_zero(
    target: int, margins: dict[str, int]
) -> None:
    """A score below the line loses by the margin. Below zero, there is no line."""
    record = read(*HEAD, f"set target {target}", "set skunk on", "set double_skunk on", "dealer 1")
    game: Any = games.find("cribbage")
    assert dict(game.margins(record.position.state)) == margins


@pytest.mark.parametrize("cards", ["5H 5S 5D", "5H 5S 5D JC 4C", "5H 5S 5D J"])
def test_only_four_known_cards_have_luck(cards: str) -> None:
    game: Any = games.find("cribbage")
    hand: Sequence[Card] = tuple(parse_cards(cards))
    (starter,) = parse_cards("5C")
    assert game.luck(hand, starter) is None
    four: Sequence[Card] = tuple(parse_cards("5H 5S 5D JC"))
    assert game.luck(four, starter) == pytest.approx(12.458, abs=0.001)
    assert game.luck(four, Card(starter.rank)) is None
