"""Points entered at a table that also entered cards: their numbers, reasons and order."""

from __future__ import annotations

from typing import Any

import pytest

from boardctl.games import IllegalMove, Move
from tests.games.cribbage.table import LAID, Table

BY_RANK = "deal; starter K"
PLAYED = f"{LAID}; 2 play 7H; 1 play 8S; 2 play 5H; 1 play 6S; 2 play 3H; 1 play 2S"
"""A play to 31 with a run of four in it. The pone still holds the ace, and the dealer the four."""
HIGH = "deal; 1 hand KD KC TD TC 2D 2C; 1 discard 2D 2C; starter 9H"
SIX = "deal; 1 hand KD KC TD 6C 2D 2C; 1 discard 2D 2C; starter 9H"
ANY_CARD = {*range(1, 10), 12, 13, 14, 15}
"""The possible points of one card of the play at an unknown count."""
ANY_HAND = {*range(1, 30)} - {19, 25, 26, 27}
BOTH = {*range(1, 54)} - {51}
"""The possible points of a dealer's hand and crib together."""


@pytest.mark.parametrize(
    ("before", "entered", "points"),
    [
        # only the deal is known
        ("deal", "2 heels", set()),
        ("deal", "1 heels", {2}),
        ("deal", "2 play", ANY_CARD),
        ("deal", "2 go", {1}),
        ("deal", "2 hand", ANY_HAND),
        ("deal; 2 peg 0 hand", "1 crib", ANY_HAND),
        ("deal", "2 crib", set()),
        ("deal", "2 show", set()),
        ("deal; 2 peg 0 hand", "1 show", BOTH),
        ("deal", "2", ANY_HAND),
        ("deal", "1", BOTH),
        ("deal; 1 discard ? ?", "2", ANY_HAND),
        ("deal; 1 discard ? ?; 2 discard ? ?", "1", BOTH),
        (BY_RANK, "2", ANY_HAND),
        (BY_RANK, "1", BOTH),
        # a seven has been played: an eight makes fifteen, a seven a pair, and no go is possible yet
        (f"{BY_RANK}; 2 play 7", "1 play", {2}),
        (f"{BY_RANK}; 2 play 7", "1 go", set()),
        (f"{BY_RANK}; 2 play 7", "1", {2}),
        (f"{BY_RANK}; 2 play 7", "2", {2}),
        # at 24 on a pair of sevens: a third is thirty-one, anything lower may be the last card
        (f"{BY_RANK}; 2 play K; 1 play 7; 2 play 7", "1 play", {1, 8}),
        (f"{BY_RANK}; 2 play K; 1 play 7; 2 play 7", "1 go", {1}),
        (f"{BY_RANK}; 2 play K; 1 play 7; 2 play 7", "1", {1, 8}),
        # at 21 after J and 9: a ten is a run and thirty-one, a jack thirty-one, a nine a pair and
        # perhaps the last card, as may be any lower card; everybody can play
        (f"{BY_RANK}; 2 play 2; 1 play J; 2 play 9", "1 play", {1, 2, 3, 5}),
        (f"{BY_RANK}; 2 play 2; 1 play J; 2 play 9", "1 go", set()),
        # at 22 after T and 9: an eight is a run, a nine a pair and thirty-one
        (f"{BY_RANK}; 2 play 3; 1 play T; 2 play 9", "2 play", {1, 3, 4}),
        (f"{BY_RANK}; 2 play 3; 1 play T; 2 play 9", "1 go", {1}),
        # hands known card by card
        (LAID, "2 play", set()),
        (f"{LAID}; 2 play 7H", "1 play", {2}),
        (f"{LAID}; 2 play 7H; 1 play 8S", "2 play", set()),
        (f"{LAID}; 2 play 7H; 1 play 8S; 2 play 5H", "1 play", {1, 4, 5}),
        (f"{LAID}; 2 play 7H; 1 play 8S; 2 play 5H; 1 play 6S", "2 go", set()),
        (f"{LAID}; 2 play 7H; 1 play 8S; 2 play 5H; 1 play 6S", "1 play", {1, 5, 6}),
        (
            f"{BY_RANK}; 2 play T; 1 play T; 2 play T; 1 go; 2 go; 1 play 9; 2 play 9; 1 play 8; "
            "2 play 5; 1 play 3; 2 show",
            "1 hand",
            {3, 3 + 4, 3 + 5},
        ),
        # the last card of all may make a pair, or a run and fifteen; it is the last in any case
        (
            f"{BY_RANK}; 2 play T; 1 play T; 2 play J; 1 go; 2 go; 1 play 2; 2 play 4; 1 play 2; "
            "2 play 4",
            "1 play",
            {1, 2 + 1, 3 + 2 + 1},
        ),
        # of a known hand only a six fits, once; the player of the last card may score it
        (f"{HIGH}; 2 play 7; 1 play TD; 2 play 6", "1 play", set()),
        (f"{SIX}; 2 play 7; 1 play TD; 2 play 7", "1 play", {1}),
        (f"{HIGH}; 2 play 6; 1 play KD; 2 play A; 1 play TD", "1 play", {1}),
        (f"{HIGH}; 2 play 7; 1 play TD; 2 play 6", "2 go", {1}),
        (f"{SIX}; 2 play 7; 1 play TD; 2 play 7", "2 go", set()),
        # up to 21 no card is the last: one king makes a pair, another thirty-one
        (f"{HIGH}; 2 play A; 1 play KD", "1 play", {2}),
        (f"{SIX}; 2 play 2; 1 play 6C; 2 play 3; 1 play TD", "1 play", {2}),
        # a hand played by rank with known cards: its flush is entered with it
        (
            "deal; 1 hand 2S 4S 6S 8S KS KH; starter 9D; 2 play 7; 1 play 8; 2 play 5; 1 play 6; "
            "2 play 3; 1 play 2; 2 play A; 1 play 4; 2 show no-flush",
            "1 hand",
            {8},
        ),
        (f"{PLAYED}; 2 play AH", "1 play", {1}),
        (f"{PLAYED}; 2 play AH", "1", {1}),
        (f"{PLAYED}; 2 play AH", "1 go", set()),
        (f"{PLAYED}; 2 play AH; 1 play 4S", "2 hand", {8}),
        (f"{PLAYED}; 2 play AH; 1 play 4S", "2", {8}),
        (f"{PLAYED}; 2 play AH; 1 play 4S", "1", BOTH),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 2 show", "1 hand", {8}),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 2 show", "2", set()),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 2 show; 1 show", "1", ANY_HAND),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 2 show; 1 show", "2", set()),
    ],
)
def test_what_may_be_entered(before: str, entered: str, points: set[int]) -> None:
    table = Table()
    table.read(before)
    seat, *why = entered.split()
    found = set()
    for number in range(1, 60):
        try:
            table.record.try_out(Move("peg", int(seat), numbers=(number,), words=tuple(why)))
        except IllegalMove as error:
            assert error.code == "impossible-points"
            assert error.fields == {"seat": int(seat), "points": number, "why": (*why, None)[0]}
        else:
            found.add(number)
    assert found == points


@pytest.mark.parametrize(
    ("before", "line", "phase"),
    [
        (BY_RANK, "1 peg 2 heels", "play"),
        ("deal; 2 peg 1 go", "1 peg 2 heels", "play"),
        ("deal; 2 peg 4 hand", "1 peg 2 heels", "show"),
        ("deal; 1 peg 2 heels", "1 peg 2 heels", "discard"),
        ("deal; 2 peg 4 hand", "1 peg 1 go", "show"),
        ("deal; 2 peg 4 hand", "2 peg 4 hand", "show"),
        ("deal; 2 peg 4 hand; 1 peg 4 hand", "2 peg 2 play", "crib"),
        ("deal; 2 peg 4 hand; 1 peg 4 hand", "1 peg 4 hand", "crib"),
        ("deal; 2 peg 4 hand; 1 peg 4 hand", "1 peg 8 show", "crib"),
        ("deal; 2 peg 4 hand; 1 peg 8 show", "1 peg 2 heels", "done"),
        ("deal; 2 peg 4 hand; 1 peg 8 show", "1 peg 2 play", "done"),
        ("deal; 2 peg 4 hand; 1 peg 8 show", "1 peg 4 hand", "done"),
        ("deal; 2 peg 4 hand; 1 peg 8 show", "1 peg 4 crib", "done"),
        ("deal; 2 peg 4 hand; 1 peg 8 show", "1 peg 8 show", "done"),
        (f"{BY_RANK}; 2 play 5", "2 peg 4 hand", "play"),
        (f"{BY_RANK}; 2 play 5", "1 peg 4 crib", "play"),
        (f"{BY_RANK}; 2 play 5", "1 peg 8 show", "play"),
        (f"{BY_RANK}; 2 show 2 4 6 6", "1 peg 4 crib", "show"),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 2 peg 8 hand", "1 peg 4 crib", "show"),
    ],
)
def test_the_order_of_a_deal(before: str, line: str, phase: str) -> None:
    table = Table()
    table.read(before)
    error = table.refusal(line)
    assert (error.code, error.fields) == (
        "out-of-order",
        {"what": line.split()[-1], "phase": phase},
    )


@pytest.mark.parametrize(
    ("lines", "phase", "turn"),
    [
        ("deal; 2 peg 2 play", "play", None),
        ("deal; 2 peg 1 go", "play", None),
        ("deal; 2 peg 4 hand", "show", 1),
        ("deal; 2 peg 4; 1 peg 4 hand", "crib", 1),
        ("deal; 2 peg 4 hand; 1 peg 4 hand", "crib", 1),
        ("deal; 2 peg 4 hand; 1 peg 8 show", "deal", None),
        ("deal; 2 peg 4 hand; 1 peg 4 crib", "deal", None),
        ("deal; 1 peg 0 heels; 1 peg 2 heels", "discard", 2),
        (f"{BY_RANK}; 2 play 5; 1 peg 2 play; 2 peg 4 hand", "show", 1),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 2 peg 8; 1 peg 8", "crib", 1),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 2 peg 8; 1 peg 12", "deal", None),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 1 peg 12", "show", 2),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 2 peg 0", "show", 2),
        (f"{PLAYED}; 2 play AH; 1 play 4S; 2 peg 8; 1 peg 8; 1 peg 4", "deal", None),
        (f"{BY_RANK}; 2 play 7; 1 peg 2", "play", 1),
    ],
)
def test_where_the_deal_stands_then(lines: str, phase: str, turn: int | None) -> None:
    table = Table()
    table.read(lines)
    assert (table.phase, table.turn) == (phase, turn)


def test_a_deal_entered_by_points_may_end_anywhere() -> None:
    for cards in ("deal", "deal; 1 hand 2S 4S 6S 8S KS KH"):
        for points in ("1 peg 2 heels", "2 peg 2", "2 peg 4 hand", "2 peg 1 go"):
            table = Table()
            table.read(f"{cards}; {points}; deal")
            assert table.dealer == 2


def test_hands_may_follow_a_play_entered_by_points() -> None:
    table = Table()
    table.read(f"{BY_RANK}; 2 peg 2 play; 1 peg 1 go")
    assert table.points("2 show 5 5 6 7") == {2: 12}


def test_three_hands_are_entered_in_turn() -> None:
    table = Table(3)
    table.read("deal; 2 peg 4 hand; 3 peg 0 hand; 1 peg 6 hand")
    refused: dict[str, Any] = dict(table.refusal("3 peg 2 hand").fields)
    assert refused == {"what": "hand", "phase": "crib"}
    table = Table(3)
    table.read("deal")
    assert table.refused("3 peg 4 hand") == "out-of-order"
    table.read("2 peg 0 hand; 3 peg 4 hand")
    assert table.refused("2 peg 2 hand") == "out-of-order"
    assert table.turn == 1


@pytest.mark.parametrize(
    ("before", "line", "seat"),
    [
        ("start 110 118; dealer 1; deal; starter KD", "1 show 5H 5S 5D JD", 2),
        ("dealer 1; deal; starter KD", "1 crib 5H 5S 5D JD", 2),
        ("dealer 1; deal", "1 peg 12 hand", 2),
        ("dealer 1; deal", "1 peg 12 crib", 2),
        ("dealer 1; deal", "1 peg 12 show", 2),
        ("dealer 1; deal; 2 peg 2; 1 peg 2 play", "1 peg 12 hand", 2),
    ],
)
def test_the_dealers_hand_waits_for_the_others(before: str, line: str, seat: int) -> None:
    """Rule 5.1: it could win a game that the pone's hand has already won."""
    table = Table(dealer=None)
    table.read(before)
    error = table.refusal(line)
    assert (error.code, error.fields["seat"]) == ("out-of-order", seat)
    table.read(f"{seat} peg 0 hand")
    table.read(line)


def test_points_without_a_word_may_have_been_the_hand() -> None:
    table = Table()
    table.read("deal; 2 peg 4; 1 peg 12 hand")
    assert table.phase == "crib"
