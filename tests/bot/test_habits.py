"""Every game has a player that makes legal moves: they are accepted, and deals end."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from boardctl.bot import habits, seated
from boardctl.bot.worker import Seat
from boardctl.games import Move
from boardctl.games.cards import parse_cards
from boardctl.record import notation
from boardctl.record.record import Record
from tests.bot.dealer import FORMS, Dealt, random_game
from tests.games.common import random_options
from tests.sweeps import sweep

PLAYED: Final = [
    pytest.param(*form.values, marks=[pytest.mark.slow] if form.marks else []) for form in FORMS
]
"""The same forms; those with many packs are slow."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), PLAYED)
def test_every_game_is_played_to_the_end_of_a_deal(name: str, seats: int) -> None:
    """Players of any level decide everything, at a table with any options."""
    for seed in range(2):
        dealt = random_game(name, seats, Random(seed))
        dealt.play(2)
        assert dealt.said >= 2 * seats


@sweep("seeds", [range(1), range(1, 60)], ordinary=[range(1)])
@sweep("forgets", [0.1, 0.5], ordinary=[0.5])
@pytest.mark.parametrize(("name", "seats"), FORMS)
def test_nothing_is_said_of_cards_that_were_not_entered(
    name: str, seats: int, forgets: float, seeds: range
) -> None:
    """If lines about dealt cards are omitted, a player says what its real cards allow, or
    nothing."""
    for seed in seeds:
        chance = Random(seed)
        options = random_options(name, chance)
        Dealt(name, [chance.choice((1, 2)) for _ in range(seats)], chance, options, forgets).play(1)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("level", [1, 2])
def test_an_auction_comes_to_its_end(seats: int, level: int) -> None:
    """Nobody raises forever: the test counts lines of deals that end with a card or with passes."""
    for seed in range(2):
        dealt = Dealt("pinochle", [level] * seats, Random(seed))
        assert any(not dealt.step(1) for _ in range(200)), dealt.truth.moves[-9:]


def test_points_are_bid_as_far_as_the_hand_is_worth_them() -> None:
    """The hand is worth the sequence in hearts (150), two more aces and five trumps. Then the suit
    of the sequence is named."""
    begun = ("game pinochle", "seat 1 A", "seat 2 B", "seat 3 C", "seat 4 D", "dealer 4", "deal")
    hand = "1 hand AH TH KH QH JH AS AC 9D 9C TS JS QC"
    seat = Seat(1, 2, 1)
    said = [answer for line in (*begun, hand) for answer in seat.receive(line)]
    assert said == ["1 bid 100"]
    answers = [seat.receive(line) for line in ("2 bid 110", "3 bid pass", "4 bid pass")]
    assert answers == [[], [], ["1 bid 120"]]
    assert seat.receive("2 bid pass")[:2] == ["trump H", "1 meld AH TH KH QH JH"]


@pytest.mark.parametrize("level", [1, 2])
def test_a_contract_is_bid_as_far_as_it_can_be_made(level: int) -> None:
    """Four trumps with jack, nine and ace, and another ace, bid 120, but not over the partner's 80.
    The hand with three small trumps passes."""
    seats = (f"seat {n} {'ABCD'[n - 1]}" for n in range(1, 5))
    begun = ("game belote", "set bidding coinche", *seats, "dealer 4", "deal")
    strong, weak = "1 hand JH 9H AH 7H AS 8C 8D 7D", "1 hand QH 8H 7H KS 8C 8D 7D JC"
    for hand, bids, expected in (
        (strong, (), "1 bid 80 H"),
        (strong, ("bid 110 S", "bid pass", "bid pass"), "1 bid 120 H"),
        (strong, ("bid 120 S", "bid pass", "bid pass"), "1 bid pass"),
        (strong, ("bid pass", "bid 80 C", "bid pass"), "1 bid pass"),
        (weak, (), "1 bid pass"),
    ):
        seat = Seat(1, level, 1)
        own = "1 bid pass"  # people's lines for it, if it bids again
        lines = [*begun, *([own] if bids else ()), *(f"{n} {bid}" for n, bid in enumerate(bids, 2))]
        move = seat.next_line_after([*lines, hand])
        assert move is not None
        assert notation.spell(move) == expected, (hand, bids)


def test_a_card_is_not_shown_before_it_is_drawn() -> None:
    """A carte blanche continues with the next card, which its player does not know yet."""
    hand = "AH TH 9H 8H AS TS 9S 8S 7S"
    table = Record()
    begun = ("game rubicon-bezique", "seat 1 A", "seat 2 B", "dealer 1", "deal", f"2 hand {hand}")
    for line in (*begun, f"2 meld {hand}", "2 play AH", "1 play 7H"):
        table.read(line)
    assert habits.legal(table, 2) == []
    table.read("2 draw AD")
    assert Move("meld", 2, tuple(parse_cards("AD"))) in habits.legal(table, 2)


LED = {
    "klaberjass": "1 hand ? ? ? ? ? ?; 2 hand AS KS QS JD TD 9D; turnup 8D; 1 bid take; 1 play AC",
    "belote": "1 hand ? ? ? ? ? ?; 2 hand AS KS QS JD TD 9D; turnup 8D; 1 bid take; 1 play AC",
    "bezique": "2 hand AS KS QS JD TD 9D 8D 7D; turnup 9C; 1 play AH; 2 play 7D; 1 play AC",
    "pinochle": "2 hand AS KS QS JD TD 9D 9S TC AD KD QD 9H; turnup 9C; "
                "1 play AH; 2 play 9D; 1 play AC",
    "rubicon-bezique": "2 hand AS KS QS JD TD 9D 8D 7D 7S; 1 play AH; 2 play 7D; 1 play AC",
    "six-pack-bezique": "2 hand AS KS QS JD TD 9D 8D 7D 7S AC AH TH; "
                        "1 play AH; 2 play 7D; 1 play AC",
    "cribbage": "2 hand 5H 6S 7D 8C JH QS; 1 discard ? ?; 2 discard ? ?; starter 2C; 1 play 9S",
    "five-card-cribbage": "2 hand 5H 6S 7D 8C JH; 1 discard ? ?; 2 discard ? ?; "
                          "starter 2C; 1 play 9S",
    "costly-colours": "2 hand 5H 6S 7D; starter 2C; 1 mog ?; 2 mog 5H; 1 play 9S",
}  # fmt: skip
"""Games in which seat 1 leads before all cards of seat 2 are known: the cards dealt last, drawn, or
thrown. (In Noddy hands are shown before.)"""


@pytest.mark.parametrize("name", LED)
@pytest.mark.parametrize("level", [1, 2, 5])
def test_a_card_that_it_may_hold_is_not_played(name: str, level: int) -> None:
    begun = (f"game {name}", "seat 1 A", "seat 2 B", "dealer 2", "deal")
    assert Seat(2, level, 1).next_line_after((*begun, *LED[name].split("; "))) is None


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        # a hand that includes the turned-up card, exchanged or picked up
        ("klaberjass; 1 hand ? ? ? ? ? ?; 2 hand AS KS QS 7D TD 9D; turnup 8D; 1 bid take; "
         "2 hand AH KH QH; 2 exchange; 1 play 7S", ("AS", "KS", "QS")),
        # all cards were entered before the lead, or have been shown since
        ("cribbage; 2 hand 5H 6S 7D 8C ? ?; 2 discard JH QS; 1 discard ? ?; starter 2C; 1 play KS",
         ("5H", "6S", "7D", "8C")),
    ],
)  # fmt: skip
def test_what_has_come_into_the_hand_is_played(lines: str, said: tuple[str, ...]) -> None:
    game, *rest = lines.split("; ")
    begun = (f"game {game}", "seat 1 A", "seat 2 B", "dealer 2", "deal")
    move = Seat(2, 2, 1).next_line_after((*begun, *rest))
    assert move is not None
    assert (move.verb, str(move.cards[0])) in [("play", card) for card in said]


def test_what_earns_most_is_said() -> None:
    record = Record()
    for line in (
        *("game noddy", "seat 1 A", "seat 2 B", "dealer 1", "deal"),
        *("1 hand 5H 9S KD", "2 hand TS QC AH", "starter 2C"),
    ):
        record.read(line)
    for seat in (1, 2):
        move = habits.next_line(record, seat, 3, Random(1))
        if move is not None:
            assert record.try_out(move) is not None


def test_cards_held_are_followed() -> None:
    record = Record()
    for line in ("game bezique", "seat 1 A", "seat 2 B", "dealer 1", "deal"):
        record.read(line)
    record.read("2 hand AS KS QS JD TD 9D 8D 7D")
    assert seated.own_cards(record, 2) == list(parse_cards("AS KS QS TD JD 9D 8D 7D"))
    assert seated.own_cards(record, 1) is None


def test_a_suit_is_bid_with_three_of_it() -> None:
    hand = list(parse_cards("JS 9S 7S AH KD 8C"))
    assert habits._bid(Move("bid", 1, words=("S",)), hand) > habits._bid(
        Move("bid", 1, words=("pass",)), hand
    )
    assert habits._bid(Move("bid", 1, words=("H",)), hand) < 1


@pytest.mark.parametrize(
    "lines",
    [
        ("game five-card-cribbage",),
        ("game cribbage", "seat 3 C"),
        ("game cribbage", "set crib_cards two_dealt"),
    ],
)
def test_other_forms_of_cribbage_throw_and_play(lines: tuple[str, ...]) -> None:
    seat = Seat(2, 5, 1)
    for line in (lines[0], "seat 1 A", "seat 2 B", *lines[1:], "dealer 1", "deal"):
        assert seat.receive(line) == []
    (throw,) = seat.receive("2 hand 5H 6S 7D 8C JH")
    assert throw.startswith("2 discard ")
    said = seat.receive("1 discard ? ?" if len(lines) == 1 else "1 discard ?")
    for line in ("3 discard ?", "starter 2C") if "seat 3 C" in lines else ("starter 2C",):
        said += seat.receive(line)
    assert len(said) == 1
    assert said[0].startswith("2 play ")


def test_a_game_with_the_stinkhole_rule_is_played_without_the_tables() -> None:
    """The tables of throws and ends do not know the rule, so deals are searched."""
    seat = Seat(2, 5, 1)
    lines = ("set stinkhole heels_go", "start 100 120", "dealer 1", "deal")
    for line in ("game cribbage", "seat 1 A", "seat 2 B", *lines):
        assert seat.receive(line) == []
    (throw,) = seat.receive("2 hand 5H 6S 7D 8C JH QS")
    assert throw.startswith("2 discard ")
    (said,) = [*seat.receive("1 discard ? ?"), *seat.receive("starter 2C")]
    assert said.startswith("2 play ")


def test_the_crib_decides_what_goes_into_it() -> None:
    """A pair of fives is thrown into the player's own crib more readily than into the
    opponent's."""
    away = []
    for dealer in (1, 2):
        seat = Seat(2, 5, 1)
        opening = ("game five-card-cribbage", "seat 1 A", "seat 2 B", f"dealer {dealer}", "deal")
        for line in opening:
            seat.receive(line)
        away += seat.receive("2 hand 5H 5S 2D 9C KH")
    assert "5H 5S" not in away[0]


def test_nothing_is_declared_before_the_whole_hand_is_there() -> None:
    """With six of nine cards known, a run, king and queen of trumps and any card are possible. The
    player waits for its own three cards, and then declares what it has."""
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
    player = Seat(1, 2, 1)
    for line in (
        *("game bezique", "seat 1 A", "seat 2 B", "set seven_method exchange_only", "dealer 2"),
        *("deal", "2 hand ? ? ? ? ? ? ? ?", "1 hand AS 7H 7S 9C 8D 8C 8S JC", "turnup KH"),
    ):
        said = player.receive(line)
    assert said == ["1 play 7S"]
    assert player.receive("2 play 7S") == ["1 seven exchange"]
