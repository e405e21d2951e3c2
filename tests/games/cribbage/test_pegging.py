"""Points of the play: the vectors' series, and cases that naive implementations get wrong."""

from __future__ import annotations

from typing import Any

import pytest

from boardctl.games.cards import Card, parse_card, parse_cards, spell
from boardctl.games.common.to_31 import Item
from boardctl.games.cribbage.rules import SCORES
from tests.games.common import count
from tests.games.cribbage.test_show import rows


def points(series: list[Card]) -> tuple[Item, ...]:
    return SCORES.items(series, count(series))


def earned(series: str) -> list[int]:
    """Return the points of each card of a series, without go and last card."""
    cards = list(parse_cards(series))
    return [sum(i.points for i in points(cards[:n])) for n in range(1, len(cards) + 1)]


@pytest.mark.parametrize("row", rows("peg_series"))
def test_every_published_series(row: dict[str, Any]) -> None:
    cards = [parse_card(card) for card in row["cards"]]
    assert earned(spell(cards)) == row["expected_points"]
    if "counts" in row:
        assert [count(cards[:n]) for n in range(1, len(cards) + 1)] == row["counts"]


@pytest.mark.parametrize(
    ("series", "points"),
    [
        ("5 5 5", [0, 2, 8]),  # E1
        ("6 5 4", [0, 0, 5]),  # E2
        ("3 4 4 5", [0, 0, 2, 0]),  # E3
        ("4 5 6 6 5 4", [0, 0, 5, 2, 0, 3]),  # E3
        ("A 2 3 A", [0, 0, 3, 3]),  # E4
        ("6 4 3 2 5 A", [0, 0, 0, 5, 5, 6]),  # E5; the 2 also makes fifteen
        ("K Q", [0, 0]),  # E6
        ("K K K", [0, 2, 6]),  # E6
        ("7 2 2 2 2", [0, 0, 2, 6, 14]),  # E11
        ("Q K A", [0, 0, 0]),
        ("T K J A", [0, 0, 0, 2]),
    ],
)
def test_what_is_easily_got_wrong(series: str, points: list[int]) -> None:
    assert earned(series) == points


def test_items_carry_their_cards_as_laid() -> None:
    items = points(list(parse_cards("6H 5S 4D")))
    assert [(i.reason, spell(i.cards), i.points) for i in items] == [
        ("fifteen", "6H 5S 4D", 2),
        ("run", "6H 5S 4D", 3),
    ]
    (pair,) = points(list(parse_cards("7C 5H 5S")))
    assert spell(pair.cards) == "5H 5S"


def test_no_card_earns_nothing() -> None:
    assert points([]) == ()
