"""Identical cards without copy names: all readings are kept, and no more than necessary."""

from __future__ import annotations

from dataclasses import replace

from boardctl.games import IllegalMove, Move
from boardctl.games.bezique import deal as dealing
from boardctl.games.bezique.deal import Deal
from boardctl.games.bezique.readings import LIMIT, Held, Reading, Use, fewest
from boardctl.games.cards import Suit, parse_card
from boardctl.record.record import Record
from tests.games.bezique.shuffled import begin, referee
from tests.games.bezique.test_rules import code, earned, record

KH = parse_card("KH")
MARRIED = frozenset({Use("ladder", 1, 0, 2)})
FOUR = frozenset({Use("kings", 1, 0, 4)})


def readings(table: Record) -> int:
    return len(table.position.state.deal.readings)


def test_which_of_two_kings_was_played_stays_open_until_it_matters() -> None:
    hand = "deal|1 hand KH KH QH QH KS KD KC AS|2 hand 8S 7S 7D 7C 9S 9D 9C 8D|turnup 8C"
    table = record("bezique", hand, "1 play AS", "2 play 8S")
    earned(table, "1 meld KH QH")
    table.read("1 draw AH")
    table.read("1 play AH")
    table.read("2 play 7S")
    earned(table, "1 meld KH KS KD KC")
    assert readings(table) <= 2
    table.read("1 draw TH")
    table.read("1 play KH")
    table.read("2 play 7D")
    assert earned(table, "1 meld KH QH") == [(1, 20, "marriage")], "the king left may be new"
    table.read("1 draw JH")
    table.read("1 play JH")
    table.read("2 play 9S")
    assert code(table, "1 meld KH QH") == "meld-reuse", "now it is married too"


def test_a_name_rules_a_reading_out() -> None:
    hand = "deal|1 hand KHa KHb QHa QHb KS KD KC AS|2 hand 8S 7S 7D 7C 9S 9D 9C 8D|turnup 8C"
    table = record("bezique", hand, "1 play AS", "2 play 8S")
    earned(table, "1 meld KHa QHa")
    table.read("1 draw AH")
    table.read("1 play KH")
    assert readings(table) == 2
    table.read("2 play 7D")
    assert code(table, "1 meld KHa QHb") == "meld-reuse"
    assert earned(table, "1 meld KHb QHb") == [(1, 20, "marriage")]
    assert readings(table) == 1
    table.read("1 draw JH")
    assert code(table, "1 play KHa") == "not-in-hand"


def test_a_reading_with_more_history_is_superfluous() -> None:
    both = fewest(Reading().give(1, Held(KH, uses)) for uses in (MARRIED, frozenset[Use]()))
    assert [held.uses for held in both[0].hands[0]] == [frozenset()]
    assert len(both) == 1
    assert len(fewest(Reading().give(1, Held(KH, uses)) for uses in (MARRIED, FOUR))) == 2
    assert fewest((Reading().give(1, Held(KH, MARRIED)), Reading())) == (Reading(),)


def test_names_are_forgotten_before_there_are_too_many_readings() -> None:
    cards = [parse_card(f"{rank}{suit}a") for rank in "AKQJ" for suit in "SHDC"]
    many = [Reading()]
    for card in cards[:8]:
        other = parse_card(str(card)[:2] + "b")
        many = [r.give(1, Held(c)) for r in many for c in (card, other)]
    assert len(many) == 256
    assert len(fewest(many)) == 1 <= LIMIT


def _endgame() -> Deal:
    """Four tricks to go, no hand known, all other cards played; Ann has led the ace of hearts."""
    game = referee("bezique")
    left = [parse_card(text) for text in ["KH", "QH", "9S", "7D", "8D", "7C", "8C"]]
    played = [card for card in game.pack for _ in range(2)]
    for card in left:
        played.remove(card)
    return Deal(
        spec=game.spec, sizes=(3, 4), played=tuple(played), turn=2, stock=0,
        options=begin(game).options, trump=Suit.SPADES, turned=True, by_cards=True, tricks=28,
        lead=parse_card("AH"),
    )  # fmt: skip


def _play(deal: Deal, seat: int, card: str) -> Deal:
    return dealing.play(deal, Move("play", seat, (parse_card(card),)))


def _code(deal: Deal, seat: int, card: str) -> str | None:
    try:
        _play(deal, seat, card)
    except IllegalMove as error:
        return error.code
    return None


def test_who_does_not_follow_is_known_to_hold_none() -> None:
    deal = _play(_endgame(), 2, "7D")
    assert deal.turn == 1
    assert _code(deal, 1, "8D") == "not-in-hand", "both hearts and the trump fill Ann's hand"
    deal = _play(deal, 1, "KH")
    assert _code(deal, 2, "QH") == "not-in-hand"
    assert _code(deal, 2, "9S") == "not-in-hand"
    assert _code(deal, 2, "8D") is None


def test_what_the_other_can_not_hold_this_one_must() -> None:
    """Seven unseen cards in three and four places: two hearts, a trump and four others."""
    deal = _endgame()
    three = Reading().give(1, *map(Held, map(parse_card, ("7D", "8D", "7C"))))
    known = replace(deal, readings=(three,))
    assert _code(known, 2, "8C") == "must-follow", "the hearts can only be his"
    assert _code(known, 2, "9S") == "must-follow"
    assert _code(known, 2, "KH") is None
