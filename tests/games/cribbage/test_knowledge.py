"""Merging two entries of the same cards: known fully, by rank, or not at all."""

from __future__ import annotations

import pytest

from boardctl.games.cards import Card, parse_cards, spell
from boardctl.games.common import known_cards
from tests.games.common import count
from tests.games.cribbage.table import DEALT, Table


def cards(text: str) -> list[Card]:
    return list(parse_cards(text)) if text else []


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        ("5H 6S", "", "5H 6S"),
        ("", "5H 6S", "5H 6S"),
        ("5H 6S", "5 6", "5H 6S"),
        ("5 6", "5H 6S", "5H 6S"),
        ("5H", "5S", "5H 5S"),
        ("5H 5", "5S", "5H 5S"),
        ("5 5 5", "5H 9D", "5H 5 5 9D"),
        ("5H 9D", "5 5", "5H 5 9D"),
    ],
)
def test_two_tellings_of_a_hand(one: str, two: str, both: str) -> None:
    assert spell(known_cards.merge(cards(one), cards(two))) == both


@pytest.mark.parametrize(
    ("held", "taken", "left"),
    [
        ("5H 6S 7D", "6S", "5H 7D"),
        ("5H 6S 7D", "6", "5H 7D"),
        ("5 6 7", "6S", "5 7"),
        ("5H 5S 7D", "5", "5 7D"),
        ("5H 5S 7D", "5 5H", "7D"),
        ("5H 5 7D", "5", "5 7D"),
        ("5H 5 7D", "5S", "5H 7D"),
        ("5 5 7D", "5S", "5 7D"),
        ("5H 6S", "9D", "5H 6S"),
        ("5H 6S", "5S", "5H 6S"),
        ("5H 6S 7D", "9D 6S", "5H 7D"),
        ("5H 6S 7D", "9 6", "5H 7D"),
        ("5H 5S 5D 9", "5 9", "5 5"),
    ],
)
def test_what_is_left_of_a_hand(held: str, taken: str, left: str) -> None:
    assert spell(known_cards.without(cards(held), cards(taken))) == left


@pytest.mark.parametrize(
    ("entered", "pool", "known"),
    [
        ("5 6", "5H 6S", "5H 6S"),
        ("5 6", "5H 5S 6S", "5 6S"),
        ("5H 5", "5H 5S", "5H 5S"),
        ("5 5", "5H 5S", "5S 5H"),
        ("5 5", "5H 5", "5H 5"),
        ("5S 5", "5S 5", "5S 5"),
        ("5H 6", "5S 6", "5H 6"),
        ("5 6S", "9D", "5 6S"),
    ],
)
def test_the_suits_that_another_telling_adds(entered: str, pool: str, known: str) -> None:
    assert spell(known_cards.refine(cards(entered), cards(pool))) == known


def test_what_the_cards_count() -> None:
    pack = cards("A 2 3 4 5 6 7 8 9 T J Q K")
    assert [count([card]) for card in pack] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert count(pack) == 85


PLAY_OF_FOUR = "2 play 7H; 1 play 8S; 2 play 5H; 1 play 6S"


@pytest.mark.parametrize(
    "lines",
    [
        "1 hand 2S 4S 6S 8S KS KH; 2 hand AH 3H 5H 7H QD QC; 1 discard KS KH; 2 discard QD QC",
        "1 discard KS KH; 1 hand 2S 4S 6S 8S KS KH; 2 discard QD QC; 2 hand AH 3H 5H 7H QD QC",
        "1 hand 2S 4S 6S; 1 discard KS KH; 1 hand 8S; 2 hand AH 3H 5H 7H QD QC; "
        "2 discard QD QC; 1 hand KS KH",
        "2 hand AH 3H; 2 discard QD QC; 2 hand 5H 7H QD QC; 1 hand 2S 4S 6S 8S KS KH; "
        "1 discard KS KH",
    ],
)
def test_the_order_in_which_cards_are_entered_does_not_matter(lines: str) -> None:
    table = Table()
    table.read(f"deal; {lines}; starter 9D; {PLAY_OF_FOUR}")
    (ask,) = table.record.position.prompt.asks
    assert spell(ask.cards or ()) == "AH 3H"
    assert table.refused("2 play 3D") == "not-held"
    table.read("2 play 3H; 1 play 2S; 2 play AH; 1 play 4S")
    assert table.points("2 show") == {2: 8}
    assert table.points("1 show") == {1: 8}
    assert table.points("1 crib") == {1: 4}


@pytest.mark.parametrize(
    "lines",
    [
        "crib 5C; {hands}; 1 discard TS; 2 discard TH; 3 discard TD",
        "{hands}; crib 5C; 1 discard TS; 2 discard TH; 3 discard TD",
        "{hands}; 1 discard TS; crib 5C; 2 discard TH; 3 discard TD",
        "{hands}; 1 discard TS; 2 discard TH; 3 discard TD; crib 5C",
        "1 discard TS; 2 discard TH; crib 5C; 3 discard TD; {hands}",
    ],
)
def test_the_card_dealt_straight_to_the_crib_may_be_entered_at_any_time(lines: str) -> None:
    hands = "1 hand 2S 4S 6S 8S TS; 2 hand 2H 4H 6H 8H TH; 3 hand 2D 4D 6D 8D TD"
    table = Table(3)
    table.read("deal; " + lines.format(hands=hands))
    assert table.refused("crib 6C") == "told-already"
    assert table.refused("starter 5C") == "card-twice"
    table.read("starter KC")
    (ask,) = table.record.position.prompt.asks
    assert spell(ask.cards or ()) == "2H 4H 6H 8H"
    table.read("2 play 8H; 3 play 8D; 1 play 8S; 2 play 6H; 3 go; 1 go; 2 go; 3 play 6D; 1 play 6S")
    table.read("2 play 4H; 3 play 4D; 1 play 4S; 2 play 2H; 3 play 2D; 1 play 2S")
    table.read("2 show; 3 show; 1 show")
    assert table.points("1 crib") == {1: 2 * 4 + 6}


def test_a_rank_played_of_a_hand_known_is_the_card_of_that_rank() -> None:
    table = Table()
    table.read("deal; 1 hand 2S 4S 6S 8S KS KH; 2 hand 5H 5S 3H 7H QD QC; 1 discard KS KH")
    table.read("2 discard QD QC; starter 9D; 2 play 7; 1 play 8")
    assert table.refused("2 play 7") == "not-held"
    assert table.refused("2 play 6") == "not-held"
    (ask,) = table.record.position.prompt.asks
    assert spell(ask.cards or ()) == "5H 5S 3H"
    table.read("2 play 5")
    assert table.refused("1 play 9") == "not-held"
    table.read("1 play 6; 2 play 3; 1 play 2; 2 play 5; 1 play 4")
    assert ("pair", 2) in [(reason, points) for reason, points, _ in table.reasons("2 show")]
    assert table.reasons("1 show")[-1] == ("flush", 4, "2S 4S 6S 8S")


def test_a_five_thrown_by_rank_may_be_either() -> None:
    """Of 5H and a five entered without a suit, one went to the crib. The other may complete a
    flush."""
    table = Table()
    table.read("deal; 2 hand 5H 5 6S 7S 8S K; 2 discard 5 K; starter 9D; 2 peg 1 go")
    assert table.refusal("2 show").fields["questions"] == ("flush",)
    assert table.reasons("2 show flush")[-1] == ("flush", 4, "5 6S 7S 8S")


def test_hands_entered_by_rank_hold_no_fifth() -> None:
    table = Table()
    table.read("deal; 1 hand 5 5 5 ?")
    assert table.refused("2 hand ? 5 5") == "too-many-of-rank"
    table.read("2 hand ? 5")


@pytest.mark.parametrize(
    ("entered", "able"),
    [
        ("2 hand 5 6 7 9 9 T", True),
        ("2 hand 5 6 8 9 9 T", False),
        ("2 hand 5 6 8 9 9 T; 2 discard 9 ?", True),
        ("2 hand 5 8 8 9 9 T; 2 discard 9 ?", False),
    ],
)
def test_who_is_known_to_hold_a_card_that_fits_says_no_go(entered: str, able: bool) -> None:
    """At 24 any card up to a seven fits. Of three such cards at most two went to the crib."""
    table = Table()
    table.read(f"deal; {entered}; starter K; 2 play 9; 1 play 5; 2 play T; 1 go")
    if able:
        assert table.refused("2 go") == "can-play"
    else:
        table.read("2 go")


def test_the_crib_is_what_the_hands_leave() -> None:
    table = Table()
    table.read("deal; 1 hand 2S 4S 6S 8S KS KH; starter 9D; 2 peg 1 go; 2 show 5 5 7 7")
    table.read("1 show 2 4 6 8")
    assert spell(table.refusal("1 crib").fields["known"]) == "KS KH"
    table = Table(3)
    table.read(
        "deal; crib 5C; starter K; 2 peg 1 go; 2 show 2 2 3 3; 3 show 4 4 7 7; 1 show 8 8 9 9"
    )
    refusal = table.refusal("1 crib")
    assert (refusal.fields["cards"], spell(refusal.fields["known"])) == (3, "5C")


@pytest.mark.parametrize(
    "discarded",
    ["1 discard ? ?; 2 discard ? ?", "1 discard KS KH", "1 discard KS ?; 2 discard QD QC"],
)
def test_the_crib_follows_from_the_play_where_it_was_not_entered(discarded: str) -> None:
    table = Table()
    table.read(DEALT)
    table.read(
        f"{discarded}; starter 9D; {PLAY_OF_FOUR}; 2 play 3H; 1 play 2S; 2 play AH; 1 play 4S"
    )
    table.read("2 show; 1 show")
    assert {cards for _, _, cards in table.reasons("1 crib")} == {"KS KH", "QD QC"}


def test_an_unseen_card_of_the_crib_hides_no_card_that_is_there_twice() -> None:
    table = Table(3)
    table.read("deal; crib ?; 1 hand 5H")
    assert table.refused("starter 5H") == "card-twice"


def test_what_is_played_by_rank_of_one_known_hand_has_its_suits() -> None:
    table = Table()
    table.read("deal; 1 hand 2S 4S 6S 8S KS KH; starter 9D; 2 play 7; 1 play 8; 2 play 5; 1 play 6")
    table.read("2 play 3; 1 play 2; 2 play A; 1 play 4; 2 show no-flush")
    assert ("flush", 4) in [(reason, points) for reason, points, _ in table.reasons("1 show")]


def held(table: Table, seat: int) -> str | None:
    """Return the cards that a seat holds, strongest suit first, or None if one is unknown."""
    position = table.record.position
    assert position.game is not None
    found = position.game.held_by(position.state, seat)
    return None if found is None else spell(found)


def test_a_seat_holds_the_cards_that_it_has_neither_thrown_nor_played() -> None:
    table = Table()
    assert held(table, 1) == ""
    table.read("deal")
    assert held(table, 1) is None
    table.read(DEALT.partition("; ")[2])
    everything = {"2S", "4S", "6S", "8S", "KS", "KH"}
    assert set((held(table, 1) or "").split()) == everything
    table.read("1 discard KS KH; 2 discard QD QC; starter 9D; 2 play 7H; 1 play 8S")
    assert set((held(table, 1) or "").split()) == everything - {"KS", "KH", "8S"}
    assert set((held(table, 2) or "").split()) == {"AH", "3H", "5H"}


def test_a_seat_whose_last_card_is_unknown_holds_nothing_for_certain() -> None:
    """One card of the hand has not been entered in any form."""
    table = Table()
    table.read("deal; starter 9D; 2 play 7H; 1 play 8S; 2 play 5H; 1 play 6S; 2 play 3H")
    assert held(table, 2) is None
    table.read("1 play 2S; 2 play AH")
    assert held(table, 1) is None
