"""The show, row by row: every scored hand of the vectors, and the points that depend on unknown
suits."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl import games
from boardctl.games.cards import Card, Rank, Suit, parse_card, parse_cards, spell
from boardctl.games.common import suits
from boardctl.games.common.suits import still_open
from boardctl.games.common.to_31 import Item
from boardctl.games.cribbage import show

VECTORS = Path(__file__).parents[2] / "vectors"
CATEGORY = {"fifteen": "fifteens", "run": "runs", "flush": "flush", "nobs": "nobs"}


def rows(kind: str) -> list[Any]:
    return [
        pytest.param(row, id=row["id"])
        for name in ("vectors_seeds.json", "vectors_public.json")
        for row in json.loads((VECTORS / name).read_text())["vectors"]
        if row["type"] == kind
    ]


def categories(items: tuple[Item, ...]) -> dict[str, int]:
    sums = Counter(dict.fromkeys(("fifteens", "pairs", "runs", "flush", "nobs"), 0))
    for item in items:
        sums[CATEGORY.get(item.reason, "pairs")] += item.points
    return dict(sums)


@pytest.mark.parametrize("row", rows("show"))
def test_every_published_hand(row: dict[str, Any]) -> None:
    hand = [parse_card(card) for card in row["hand"]]
    items = show.count(hand, parse_card(row["starter"]), crib=row["kind"] == "crib")
    assert len(hand) == (3 if row["kind"] == "hand3" else 4)
    total = sum(item.points for item in items)
    allowed = [row["expected"], *row.get("alternatives", [])]
    assert total in allowed
    if row["certainty"] != "ambiguous":
        assert categories(items) == row["breakdown"]


@pytest.mark.parametrize("row", rows("show_category"))
def test_one_kind_only(row: dict[str, Any]) -> None:
    *hand, starter = (parse_card(card) for card in row["cards"])
    assert categories(show.count(hand, starter))["pairs"] == row["expected"]


def spoken(hand: str, starter: str, **options: bool) -> list[str]:
    items = show.count(list(parse_cards(hand)), parse_card(starter), **options)  # type: ignore[arg-type]
    return [f"{item.reason} {spell(item.cards)} = {item.points}" for item in items]


def test_parletts_hand_in_his_order() -> None:
    assert spoken("5H 5D 6S JC", "7C") == [
        "fifteen 5H JC = 2",
        "fifteen 5D JC = 2",
        "pair 5H 5D = 2",
        "run 5H 6S 7C = 3",
        "run 5D 6S 7C = 3",
        "nobs JC = 1",
    ]


@pytest.mark.parametrize(
    ("hand", "starter", "options", "points"),
    [
        ("2S 4S 6S KS", "8H", {}, 4),
        ("2S 4S 6S KS", "8S", {}, 5),
        ("2S 4S 6S KS", "8H", {"crib": True}, 0),  # E12
        ("2S 4S 6S KS", "8S", {"crib": True}, 5),
        ("2S 4S 6S KD", "8S", {}, 0),  # E13
        ("2S 4S 8S", "QD", {}, 3),
        ("2S 4S 8S", "QS", {}, 4),
    ],
)
def test_flush(hand: str, starter: str, options: dict[str, bool], points: int) -> None:
    items = show.count(list(parse_cards(hand)), parse_card(starter), **options)  # type: ignore[arg-type]
    assert sum(item.points for item in items if item.reason == "flush") == points


@pytest.mark.parametrize(
    ("hand", "starter", "jack"),
    [
        ("JC JH 5S 6D", "7H", "JH"),
        ("JH JC 5S 6D", "7H", "JH"),
        ("JC J 5 6", "7H", "J"),
        ("J JC 5 6", "7H", "J"),
        ("JC J 5 6", "7C", "JC"),
        ("JC JH 5 6", "7", "JC"),
    ],
)
def test_the_jack_that_is_nobs(hand: str, starter: str, jack: str) -> None:
    """It is the jack of the starter's suit, or else one without an entered suit, or any."""
    cards, turned = list(parse_cards(hand)), parse_card(starter)
    table = show.Reading("no-flush", True)
    assert table in show.readings(cards, turned)
    (nobs,) = (i for i in show.count(cards, turned, reading=table) if i.reason == "nobs")
    assert (spell(nobs.cards), nobs.points) == (jack, 1)


def test_a_starter_jack_is_no_nob() -> None:
    assert spoken("2S 4S 8H QD", "JD") == []


@pytest.mark.parametrize(
    ("hand", "starter", "options", "asked"),
    [
        ("A 4 8 Q", "K", {}, ("flush",)),
        ("A 4 8 J", "K", {}, ("flush", "nobs")),
        ("A 4 8 8", "K", {}, ()),
        ("A 4 J J", "KS", {}, ("nobs",)),
        ("A 4 8 Q", "JD", {}, ("flush",)),
        ("6H 2H JH 7H", "8", {}, ("flush", "nobs")),
        ("6H 2H JH 7S", "8", {}, ("nobs",)),
        ("6H 2H JH 7S", "8D", {}, ()),
        ("9 2 T 4", "9D", {}, ("flush",)),
        ("9 2 T 4", "9D", {"five_only": True}, ()),
        ("6H 2H QH 7H", "8", {"five_only": True}, ("flush",)),
    ],
)
def test_only_what_the_cards_leave_open_is_asked(
    hand: str, starter: str, options: dict[str, bool], asked: tuple[str, ...]
) -> None:
    possible = show.readings(list(parse_cards(hand)), parse_card(starter))
    left = still_open(possible, show.questions(**options))
    assert tuple(question.name for question in left) == asked


@pytest.mark.parametrize(
    ("hand", "starter", "luck"),
    [
        ("5H 5S 5C JD", "5D", 29 - 794 / 48),
        ("5 5S 5C JD", "5D", None),
        ("5H 5S 5C JD", "5", None),
        ("5H 5S 5C", "5D", None),
    ],
)
def test_the_starters_luck_needs_four_known_cards(
    hand: str, starter: str, luck: float | None
) -> None:
    game = games.find("cribbage")
    found = game.luck(tuple(parse_cards(hand)), parse_card(starter))
    assert found == (luck if luck is None else pytest.approx(luck))


def test_an_answer_about_suits_has_the_points_of_four_cards() -> None:
    flush, nobs = show.questions()
    assert [flush.worth(show.Reading(known, nobs=False)) for known in ("flush", "flush5")] == [4, 5]
    assert nobs.worth(show.Reading("no-flush", nobs=True)) == 1
    flush = show.questions(five_only=True)[0]
    assert [flush.worth(show.Reading(known, nobs=False)) for known in ("flush", "flush5")] == [0, 5]


def every_reading(cards: Sequence[Card]) -> set[show.Reading]:
    """Return the readings by trying all suits of every card, the starter's last."""
    found = set()
    for some in product(*(Suit if card.suit is None else (card.suit,) for card in cards)):
        tried = [Card(card.rank, suit) for card, suit in zip(cards, some, strict=True)]
        if len(set(tried)) == len(tried):
            *hand, starter = tried
            alike = len({card.suit for card in hand}) == 1
            flush: show.Flush = "flush5" if hand[0].suit == starter.suit else "flush"
            nobs = Card(Rank.JACK, starter.suit) in hand
            found.add(show.Reading(flush if alike else "no-flush", nobs))
    return found


@given(
    st.lists(
        st.builds(
            Card,
            st.sampled_from((Rank.ACE, Rank.FIVE, Rank.JACK)) | st.sampled_from(Rank),
            st.none() | st.sampled_from(Suit),
        ),
        min_size=4,
        max_size=5,
    )
)
def test_readings_are_those_of_all_suits(cards: list[Card]) -> None:
    wanted = every_reading(cards)
    if wanted:
        assert show.readings(cards[:-1], cards[-1]) == wanted
    else:
        with pytest.raises(ValueError, match=re.escape(spell(cards))):
            show.readings(cards[:-1], cards[-1])


def test_entered_suits_are_counted() -> None:
    hand, starter = list(parse_cards("6 J 3")), parse_card("5")
    table = show.Reading("flush5", True)
    assert table in show.readings(hand, starter)
    assert show.Reading("flush", True) not in show.readings(hand, starter)
    items = show.count(hand, starter, reading=table)
    assert [item[2] for item in items if item.reason in ("flush", "nobs")] == [4, 1]


def test_a_card_twice_has_no_reading() -> None:
    with pytest.raises(ValueError, match="7H"):
        show.readings(list(parse_cards("7H 2S 3S 4S")), parse_card("7H"))


def test_an_unseen_card_cannot_be_counted() -> None:
    with pytest.raises(ValueError, match=r"7H 2S 3S \? 8H"):
        show.count(list(parse_cards("7H 2S 3S ?")), parse_card("8H"))
    with pytest.raises(ValueError, match=r"7H 2S 3S \? 8H"):
        show.readings(list(parse_cards("7H 2S 3S ?")), parse_card("8H"))


def test_a_hand_entered_by_ranks_is_read_in_few_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key waits for the result. While no suit is named, all suits are equivalent, and the
    starter's may be any."""
    every, read = suits.assignments, []

    def counted(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
        for some in every(cards):
            read.append(some)
            yield some

    monkeypatch.setattr(suits, "assignments", counted)
    show._possible.cache_clear()
    hand, starter = list(parse_cards("5 6 7 J")), parse_card("9")
    assert len(show.readings(hand, starter)) == 4
    assert len(read) == 4**4
