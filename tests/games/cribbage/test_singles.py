"""Two cards dealt to the box (docs/rules/cribbage.md 11)."""

from __future__ import annotations

from boardctl import bot
from tests.games.cribbage.table import Table

HANDS = "deal; 1 hand 5H 5D JS QS 2C; 2 hand 4H 6H 8H 3H KD"


def test_the_box_has_two_cards_that_nobody_chose() -> None:
    """Counted by hand: four fifteens of a five and a court card, and a pair of fives, are 10."""
    table = Table(crib_cards="two_dealt")
    table.read(f"{HANDS}; crib 5C; crib 5S; 1 discard 2C; 2 discard KD; starter QD")
    table.read("2 play 8H; 1 play JS; 2 play 6H; 1 play 5D; 2 go; 1 go")
    table.read("2 play 4H; 1 play QS; 2 play 3H; 1 play 5H")
    assert table.points("2 show") == {2: 6}, "4 8 3 and the flush"
    assert table.points("1 show") == {1: 16}, "six fifteens and two pairs"
    assert table.points("1 crib") == {1: 10}


def test_a_third_card_is_refused_and_each_discards_one() -> None:
    table = Table(crib_cards="two_dealt")
    table.read(f"{HANDS}; crib 5C; crib 5S")
    assert table.refused("crib 6C") == "told-already"
    assert table.refused("1 discard 2C 5H") == "wrong-number-of-cards"


def test_the_player_judges_only_hands_of_six() -> None:
    assert bot.judges("cribbage", 2)
    assert not bot.judges("cribbage", 2, {"crib_cards": "two_dealt"})
