"""Edges of cribbage's rules that a caller can see: margins, luck, corrections, fields, visible
lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from boardctl import games
from boardctl.games.cards import Card, parse_cards, spell
from boardctl.games.common.to_31 import VALUE
from boardctl.record import notation
from boardctl.record.record import Record
from tests.games.cribbage.table import DEALT, LAID, PLAYED, Table

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


def test_a_misdeal_returns_to_scores_that_were_corrected_to_zero() -> None:
    table = Table(dealer=None)
    table.read("start 5 0; dealer 1; deal; 1 peg 6 play; 1 adjust -11; misdeal")
    assert table.scores == (0, 0)


def test_a_misdeal_gives_the_game_to_a_side_that_waited_for_a_claim() -> None:
    """Ann's claim wins unless it is called. A correction takes Bob to the target meanwhile."""
    table = Table(muggins="full", dealer=None)
    table.read("start 119 0; dealer 1; deal; starter 5; 2 play 7; 1 play 7 = 2; 2 adjust +121")
    waiting = table.winner
    table.read("misdeal")
    assert (waiting, table.winner, table.scores) == (None, 2, (119, 121))


def test_a_corrected_dealer_changes_nothing_else_in_the_deal() -> None:
    table = Table()
    table.read("deal; 2 peg 2 play; dealer 2")
    assert (table.dealer, table.phase, table.count) == (2, "play", None)


def test_the_fields_of_a_deal_have_their_documented_values() -> None:
    """No seat is to play outside the play, and a series has the count of its cards."""
    table = Table()
    shown = f"{PLAYED}; 2 show; 1 show; 1 crib"
    for line in shown.split(";"):
        table.read(line)
        deal = table.state.deal
        assert deal is not None
        assert bool(deal.to_play) == (deal.phase == "play"), line
        assert deal.total == sum(VALUE[card.rank] for card in deal.series), line
        assert bool(deal.last) == deal.play_begun, line


def test_cards_played_by_rank_from_known_hands_have_their_suits() -> None:
    table = Table()
    table.read(LAID)
    table.read("2 play 7; 1 play 8; 2 play 5; 1 play 6; 2 play 3; 1 play 2; 2 play A; 1 play 4")
    assert table.state.deal is not None
    assert list(map(spell, table.state.deal.played)) == ["8S 6S 2S 4S", "7H 5H 3H AH"]


@pytest.mark.parametrize(
    ("before", "line", "viewer", "seen"),
    [
        ("deal", "1 hand 5H 6H", 1, "1 hand 5H 6H"),
        ("deal", "1 hand 5H 6H", 2, "1 hand ? ?"),
        ("deal", "1 hand 5H 6H", None, "1 hand ? ?"),
        (DEALT, "2 discard QD QC", 2, "2 discard QD QC"),
        (DEALT, "2 discard QD QC", 1, "2 discard ? ?"),
        (PLAYED, "2 show", None, "2 show 7H 5H 3H AH"),
        (f"{PLAYED}; 2 show; 1 show", "1 crib", 2, "1 crib KS KH QD QC"),
    ],
)
def test_a_viewer_sees_secret_cards_of_the_own_seat_and_shown_cards(
    before: str, line: str, viewer: int | None, seen: str
) -> None:
    table = Table()
    table.read(before)
    game: Any = games.find("cribbage")
    move = notation.parse_move(line, game)
    (found,) = game.visible_lines(table.state, move, (), viewer)
    assert notation.spell(found) == seen


@pytest.mark.parametrize(("words", "points"), [("no-flush", 9), ("flush5", 14)])
def test_four_cards_of_one_suit_in_the_crib_are_no_flush_without_the_starter(
    words: str, points: int
) -> None:
    """The suit of the starter is unknown."""
    table = Table()
    table.read("deal; starter 8; 2 peg 0 hand; 1 peg 0 hand")
    assert table.points(f"1 crib 5H 6H 7H 9H {words}") == {1: points}
