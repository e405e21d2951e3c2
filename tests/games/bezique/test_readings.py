"""Identical cards without copy names: the referee keeps all readings, and no more than
necessary."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from boardctl.games import IllegalMove, Move
from boardctl.games.bezique import deal as dealing
from boardctl.games.bezique import declare, melds
from boardctl.games.bezique import readings as readings_of
from boardctl.games.bezique.deal import Deal
from boardctl.games.bezique.readings import LIMIT, Held, Knowledge, Reading, Use, fewest
from boardctl.games.cards import Suit, parse_card
from boardctl.games.six_pack_bezique import GAME
from boardctl.record.record import Record
from tests.bot.dealer import random_game
from tests.games.bezique.shuffled import begin, referee
from tests.games.bezique.test_rules import code, earned, record
from tests.report import LongRun
from tests.spread import spread

LINES: Final = 90
PAIR: Final = frozenset({parse_card("QS"), parse_card("JD")})
"""A bezique that grows into one of four queens and four jacks."""
KH = parse_card("KH")
MARRIED = frozenset({Use("ladder", 1, 0, 2)})
FOUR = frozenset({Use("kings", 1, 0, 4)})


def readings(table: Record) -> int:
    """Return the number of readings of Ann's hand."""
    return len(table.position.state.deal.hands[0])


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
    both = fewest(Reading().give(Held(KH, uses)) for uses in (MARRIED, frozenset[Use]()))
    assert [held.uses for held in both[0].cards] == [frozenset()]
    assert len(both) == 1
    assert len(fewest(Reading().give(Held(KH, uses)) for uses in (MARRIED, FOUR))) == 2
    assert fewest((Reading().give(Held(KH, MARRIED)), Reading())) == (Reading(),)


def test_names_are_forgotten_before_there_are_too_many_readings() -> None:
    cards = [parse_card(f"{rank}{suit}a") for rank in "AKQJ" for suit in "SHDC"]
    many = [Reading()]
    for card in cards[:8]:
        other = parse_card(str(card)[:2] + "b")
        many = [r.give(Held(c)) for r in many for c in (card, other)]
    assert len(many) == 256
    assert len(fewest(many)) == 1 <= LIMIT


def test_what_a_whole_hand_has_melded_is_kept_for_longer() -> None:
    """With one limit for all hands, four kings that were still on the table could be declared again
    and again."""
    laid = [frozenset({Use("kings", 1, number, 4)}) for number in range(LIMIT + 1)]
    some = [Reading().give(Held(KH, uses)) for uses in laid]
    for size, kept in ((1, len(some)), (2, 1)):
        known = Knowledge(spec=GAME.spec, sizes=(size, 0), stock=2).narrowed(1, some)
        assert len(known.hands[0]) == kept


def test_forgotten_melds_bar_no_marriage_where_only_points_are_entered() -> None:
    """All kings and queens used to appear to be in one marriage."""
    lost = Use("ladder", 1, -1, 0, pairs_again=True)
    cards = tuple(Held(parse_card(card), frozenset({lost})) for card in ("KH", "QH"))
    marriage = melds.Kind("marriage", 20, "ladder", 1)
    assert melds.forbids(GAME.spec.base, marriage, cards, None) is None


def _endgame() -> Deal:
    """Return a deal with four tricks to go, no hand known, and all other cards played; Ann has led
    the ace of hearts."""
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
    """Seven unseen cards fill three and four places: two hearts, a trump and four others."""
    deal = _endgame()
    three = Reading().give(*map(Held, map(parse_card, ("7D", "8D", "7C"))))
    known = replace(deal, hands=((three,), (Reading(),)))
    assert _code(known, 2, "8C") == "must-follow", "the hearts can only be his"
    assert _code(known, 2, "9S") == "must-follow"
    assert _code(known, 2, "KH") is None


def test_a_hand_is_known_as_well_however_little_is_known_of_the_other() -> None:
    """Ann's hand is entered and Bob's is not. His marriages have more readings than are kept, but
    her melds on the table are barred all the same."""
    hand = "1 hand AH AH AH KH QH 8D 8D 8D 8D 8D 8D 7D"
    table = record("six-pack-bezique", "deal", hand, "1 play AH", "2 play 8S")
    earned(table, "1 meld KH QH")
    for line in ("1 draw 7D", "1 play 7D", "2 play AD"):
        table.read(line)
    for suit, played in zip("DCSDCS", ("8S", "KD", "KC", "KS", "KD", "KC"), strict=True):
        assert earned(table, f"2 meld K{suit} Q{suit}")
        for line in ("1 draw 9C", f"2 play {played}", "1 play 8D"):
            table.read(line)
    assert all(reading.lost for reading in table.position.state.deal.hands[1])
    assert readings(table) == 1
    for line in ("1 draw 9D", "2 play 8S", "1 play AH"):
        table.read(line)
    assert code(table, "1 meld KH QH") == "meld-standing"


def test_what_is_forgotten_may_be_paired_again() -> None:
    """A king whose queen was played may be paired with a queen whose king is still on the table,
    even if the referee has forgotten which marriage was his."""
    widowed = [Use("ladder", 1, number, 2, pairs_again=True) for number in range(LIMIT + 1)]
    again = Use("ladder", 1, LIMIT + 1, 2, pairs_again=True)
    married = [Held(parse_card(card), frozenset({again})) for card in ("KH", "QH")]
    known = fewest(Reading().give(Held(KH, frozenset({use}))) for use in widowed)[0]
    assert widowed[0] not in known.cards[0].uses
    game = referee("six-pack-bezique")
    deal = Deal(
        spec=game.spec, sizes=(3, 12), hands=((known.give(*married),), (Reading(),)), turn=1,
        stock=20, options=begin(game).options, trump=Suit.SPADES, by_cards=True, drawn=0, tricks=30,
    )  # fmt: skip
    assert declare.meld(deal, Move("meld", 1, (KH, parse_card("QH"))))[1][0].points == 20


@pytest.mark.parametrize("seed", spread(1, range(3)))
def test_hands_that_nobody_enters_stay_few_readings_and_little_work(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every trick, every meld is tried, as keypad and voice would offer it."""
    compared = 0
    covers = readings_of.covers

    def counted(*pair: Any) -> bool:
        nonlocal compared
        compared += 1
        return covers(*pair)

    monkeypatch.setattr(readings_of, "covers", counted)
    chance, table = Random(seed), Record()
    for line in ("game six-pack-bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"):
        table.read(line)
    kept: list[int] = []
    work: list[int] = []
    while len(table.moves) < LINES:
        deal = table.position.state.deal
        moves = [Move("play", deal.turn, (card,)) for card in chance.sample(deal.spec.pack, 9)]
        if deal.may_declare:
            now = [*declare.offered(deal, deal.turn)]
            chance.shuffle(now)
            moves = [*sorted(now, key=lambda move: -len(PAIR.intersection(move.cards))), *moves]
        for move in moves:
            compared = 0
            with suppress(IllegalMove):
                table.apply(move)
                break
        kept += map(len, table.position.state.deal.hands)
        work.append(compared)
    assert 1 < max(kept) <= LIMIT
    assert LIMIT < max(work) <= 4 * (4 * LIMIT) ** 2 // 2, "each pair four times at most"


def _nobody_sees_less(chance: Random) -> int:
    """Play a deal of six-pack Bezique. Each player must be able to read every line of the other
    without seeing any of the other's cards."""
    game = random_game(GAME.name, 2, chance)
    game.play(1)
    return len(game.truth.moves)


@pytest.mark.slow
def test_what_the_table_takes_a_player_who_sees_less_takes_too() -> None:
    """A marriage of kings that had melded often could be laid in 324 ways, of which 54 differ. The
    table forgot four kings still on the table, and accepted the same kings as four again."""
    assert _nobody_sees_less(Random(12)) > 350


@pytest.mark.long
def test_many_deals_in_which_a_player_sees_less(seed: int, long_run: LongRun) -> None:
    chance = Random(seed)
    lines = sum(_nobody_sees_less(chance) for _ in range(40))
    long_run(deals=40, lines=lines)
    assert lines > 40 * 350
