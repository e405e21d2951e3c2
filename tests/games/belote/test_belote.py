"""Belote: the examples of docs/rules/belote.md, two deals counted by hand, and random deals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from boardctl.games import Ask, Move
from boardctl.games.belote import GAME
from boardctl.games.belote import state as scoring
from boardctl.games.belote.deal import Coinche, declared, strength
from boardctl.games.cards import Card, Suit, parse_cards
from boardctl.games.common import jass
from boardctl.games.common.jass import IN_ORDER, SPEC, Points
from boardctl.games.common.trick_deal import Duties
from tests.games.belote import definition
from tests.games.common import Table, hand, legal, random_options, shuffled
from tests.report import LongRun

FOUR = (
    "deal; 1 hand JS KD 9D AH AC; 2 hand 8D 8H QC JH 7C; 3 hand JD 9S 7H 8C TD; "
    "4 hand 7D KH KC AS JC; turnup 9C; 1 bid take; 1 hand AD KS; 2 hand TC 8S 7S; "
    "3 hand QD QS TS; 4 hand TH 9H QH"
)
TWO = (
    "deal; 1 hand JS KD 9D AH AC 8D; 2 hand 8H QC JH 7C JD 9S; turnup 7H; 1 bid take; "
    "1 hand 8C TD 7D; 2 hand KH KC AS"
)


def test_four_hands_counted_by_hand() -> None:
    """Clubs. Tricks to seat 1: K A 8 7 of hearts 15; to 3: 9 8 Q 7 of diamonds 3; to 1: 9, the
    ace of trumps, J, Q 16; to 1: Q, the nine of trumps 14, 7, T 27: 61. To the others 15 + 36 + 16
    + 24 and ten for the last: 101. Seat 3 has Q J T of diamonds, 20: 81 to 101, and the contract
    fails."""
    table = Table("belote", 4, 4)
    table.read(f"{FOUR}; declare; 1 play KS; 2 play 8S; 3 play 9S; 4 play AS")
    table.read("4 play KH; 1 play AH; 2 play 8H; 3 play 7H")
    table.read("1 play 9D; 2 play 8D; 3 play QD; 4 play 7D")
    table.read("3 play JD; 4 play JC; 1 play AD; 2 play QC")
    table.read("4 play 9H; 1 play AC; 2 play JH; 3 play QS")
    table.read("1 play JS; 2 play 7S; 3 play TS; 4 play KC")
    table.read("4 play QH; 1 play 9C; 2 play 7C; 3 play TD")
    report = table.read("1 play KD; 2 play TC; 3 play 8C; 4 play TH")
    assert table.scores == (0, 162 + 20)
    assert [note.code for note in report.notes] == ["contract-failed"]


def test_two_hands_counted_by_hand() -> None:
    """Hearts. To seat 1: J 9 of spades 2, T J of diamonds 12, A 7 of clubs 11, and T 9 8 7 of
    diamonds 50: 75. To seat 2: the jack of trumps on the ace 31, 8 on 7 0, K on 8 4, K 8 of clubs
    4, A 9 11, Q K 7, ten for the last: 67."""
    table = Table("belote", 2, 2)
    table.read(f"{TWO}; declare; 1 play AH; 2 play JH; 2 play 9S; 1 play JS")
    table.read("1 play TD; 2 play JD; 1 play 7D; 2 play 8H; 2 play 7C; 1 play AC")
    table.read("1 play 8D; 2 play KH; 2 play KC; 1 play 8C; 2 play AS; 1 play 9D")
    table.read("2 play QC; 1 play KD")
    assert table.scores == (75, 67)


DEFAULTS = {option.name: option.default for option in GAME.options}


def turned(points: Points, **options: str) -> tuple[int, int]:
    return jass.settle(points, DEFAULTS | options).scored


def test_settlements() -> None:
    """These are E1 to E9; the attack comes first."""
    assert turned(Points((82, 80))) == (82, 80)
    litige = jass.settle(Points((81, 81)), DEFAULTS)
    assert litige == ("litige", (0, 81), 81)
    litige = jass.settle(Points((71, 91), belote=(20, 0)), DEFAULTS)
    assert litige == ("litige", (20, 91), 71)
    assert turned(Points((60, 102), belote=(20, 0))) == (20, 162)
    assert turned(Points((70, 92), (50, 0))) == (120, 92)
    assert turned(Points((40, 122), (50, 0))) == (0, 212)
    assert turned(Points((40, 122), (50, 0)), failed_declarations="kept") == (50, 162)
    assert turned(Points((252, 0), all_to=0)) == (252, 0)
    assert turned(Points((252, 0), (20, 0), (20, 0), all_to=0)) == (292, 0)
    assert turned(Points((252, 0), (0, 200), all_to=0)) == (252, 200)
    assert turned(Points((0, 252), (20, 0), all_to=1)) == (0, 272)
    assert turned(Points((81, 81)), tie="inside") == (0, 162)
    assert jass.settle(Points((81, 81)), DEFAULTS | {"tie": "lost"}).held_over == 0
    assert turned(Points((60, 102), belote=(20, 0)), failed_belote="opponents") == (0, 182)
    assert turned(Points((70, 92), (50, 0)), contract_counts="cards") == (0, 212)


def bid(
    points: Points, bid: int, doubled: int = 1, *, capot: bool = False, **options: str
) -> tuple[int, int]:
    return scoring.coinche(points, DEFAULTS | options, bid, capot, doubled).scored


def test_coinche_settlements() -> None:
    """These are E20 to E22."""
    assert bid(Points((120, 42)), 100) == (220, 42)
    assert bid(Points((90, 72)), 100) == (0, 262)
    assert bid(Points((90, 72)), 100, 2) == (0, 362)
    assert bid(Points((90, 72)), 100, 4) == (0, 562)
    assert bid(Points((90, 72)), 100, 4, surcoinche="3") == (0, 462)
    assert bid(Points((90, 72)), 100, 2, double_counts="all") == (0, 524)
    assert bid(Points((90, 72)), 100, 4, double_counts="all") == (0, 1048)
    assert bid(Points((81, 81)), 80) == (0, 242)
    assert bid(Points((81, 81)), 80, must_exceed="off") == (161, 81)
    assert bid(Points((252, 0), all_to=0), 250, capot=True) == (502, 0)
    assert bid(Points((152, 10)), 250, capot=True) == (0, 412)
    assert bid(Points((152, 10)), 250, capot=True, failed_tricks="taken") == (0, 502)


def test_settlements_of_contests() -> None:
    """These are 8.6 to 8.8 and COI's table: capot 500, and 160 tricks for a doubled or failed
    contract."""
    assert bid(Points((252, 0), all_to=0), 250, capot=True, capot_bid="500") == (500, 0)
    assert bid(Points((152, 10)), 250, capot=True, capot_bid="500") == (0, 500)
    assert bid(Points((152, 10)), 250, 2, capot=True, capot_bid="500") == (0, 1000)
    assert bid(Points((120, 42)), 100, 2, doubled_defence="keeps") == (320, 42)
    assert bid(Points((120, 42)), 100, 2, doubled_defence="keeps", double_counts="all") == (440, 42)
    coi = next(table.options for table in GAME.tables if table.name == "coinchons")

    def contest(tricks: tuple[int, int], said: int, doubled: int = 1) -> tuple[int, int]:
        points = Points(tricks, all_to=0 if tricks[1] == 0 else None)
        return scoring.coinche(points, {**DEFAULTS, **coi}, said, said == 250, doubled).scored

    assert contest((120, 42), 100) == (220, 42)
    assert contest((90, 72), 100) == (0, 260)
    assert contest((90, 72), 100, 2) == (0, 520)
    assert contest((120, 42), 100, 4) == (1040, 0)
    assert contest((162, 0), 100) == (262, 0), "no bonus"
    assert contest((162, 0), 250) == (500, 0)


def calls(call: str, points: int, times: int = 1, **options: str) -> tuple[int, ...]:
    """Return the score of a deal of 100 at no trumps or all trumps, entered by its trick points."""
    table = Table("belote", 4, 4, bidding="coinche", trump_calls="all", **options)
    table.read(f"deal; 1 bid 100 {call}")
    table.read("2 coinche" if times > 1 else "2 bid pass")
    table.read("3 bid pass; 4 bid pass")
    if times > 1:
        table.read("1 bid pass")
    table.read(f"1 count {points}")
    return table.scores


def test_no_trumps_and_all_trumps_entered_by_points() -> None:
    """The other side has the rest of the 130 or 258 points (1.5, 8.8)."""
    assert calls("all-trump", 140) == (240, 118)
    assert calls("all-trump", 90) == (0, 358)
    assert calls("all-trump", 258 + 90) == (448, 0)
    assert calls("no-trump", 110) == (210, 20)
    assert calls("no-trump", 70) == (0, 230)
    assert calls("no-trump", 120, no_trump_ace="19") == (220, 42)
    assert calls("no-trump", 70, 2) == (0, 330)


ALL = (
    "1 hand KS QS KH QH 7D 8D 7C 8C; 2 hand JS 9S AS TS JH 9H AH TH; "
    "3 hand 7S 8S 7H 8H KD QD KC QC; 4 hand JD 9D AD TD JC 9C AC TC"
)


def test_at_all_trumps_every_lead_is_beaten_and_every_marriage_is_belote() -> None:
    """Rules 4.8 and 6.8. Seats 2 and 4 win every trick. Seats 1 and 3 each have two kings with
    their queens: 80."""
    table = Table("belote", 4, 4, bidding="coinche", trump_calls="all", declarations="off")
    table.read(f"deal; {ALL}; 1 bid 80 all-trump; 2 bid pass; 3 bid pass; 4 bid pass")
    assert table.record.position.situation.trump is None
    assert table.record.position.situation.more["call"] == "all-trump"
    table.read("1 play QS; 2 play TS; 3 play 7S; 4 play TC; 2 play AS; 3 play 8S; 4 play TD")
    assert table.refused("1 play 7D").code == "must-follow"
    table.read("1 play KS; 2 play 9S; 3 play 7H; 4 play AC; 1 play 7D; 2 play JS; 3 play 8H")
    table.read("4 play AD; 1 play 8D; 2 play TH; 3 play QC; 4 play 9C; 1 play QH; 2 play AH")
    table.read("3 play KC; 4 play 9D; 1 play KH; 2 play 9H; 3 play QD; 4 play JC; 1 play 7C")
    table.read("2 play JH; 3 play KD; 4 play JD; 1 play 8C")
    assert table.scores == (80, 258 + 80)


def test_a_jack_must_be_played_on_a_nine_at_all_trumps_and_not_at_no_trumps() -> None:
    for call, code in (("all-trump", "must-beat"), ("no-trump", None)):
        table = Table("belote", 4, 4, bidding="coinche", trump_calls="all")
        table.read(f"deal; 2 hand JS 8S; 1 bid 80 {call}; 2 bid pass; 3 bid pass; 4 bid pass")
        table.read("1 play 9S")
        if code:
            assert table.refused("2 play 8S").code == code
        else:
            table.read("2 play 8S")


def test_squares_at_no_trumps() -> None:
    """Rule 4.8: aces 200, tens 150, nines nothing."""
    aces, tens = (tuple(parse_cards(some)) for some in ("AS AH AD AC", "TS TH TD TC"))
    nines = tuple(parse_cards("9S 9H 9D 9C"))
    found = declared({*aces, *tens}, None, DEFAULTS, "no-trump")
    assert [piece.points for piece in found] == [200, 150]
    assert declared(nines, None, DEFAULTS, "no-trump") == ()
    first, second = (strength(piece, None, DEFAULTS, "no-trump") for piece in found)
    assert first > second


def test_marriages_called_at_all_trumps() -> None:
    """If the cards are not entered, several marriages may be called, but never more than there are
    suits."""
    table = Table("belote", 4, 4, bidding="coinche", trump_calls="all")
    table.read("deal; 1 bid 80 all-trump; 2 bid pass; 3 bid pass; 4 bid pass")
    table.read("1 belote; 3 belote; 3 belote; 2 belote")
    assert table.refused("4 belote").code == "no-belote"
    table.read("1 count 130")
    assert table.scores == (130 + 80 + 60, 128 + 20)


def test_contracts_without_a_suit_are_an_option() -> None:
    table = Table("belote", 4, 4, bidding="coinche")
    table.read("deal")
    assert table.refused("1 bid 80 no-trump").code == "only-suits"


def test_coinche_out_of_turn() -> None:
    """Rule 3.5."""
    for any_time, code in (("any", None), ("turn", "out-of-turn")):
        table = Table("belote", 4, 4, bidding="coinche", coinche_turn=any_time)
        table.read("deal; 1 bid 80 S")
        if code:
            assert table.refused("4 coinche").code == code
            continue
        assert table.refused("3 coinche").code == "own-contract"
        table.read("4 coinche")
        assert table.refused("2 coinche").code == "doubled-already"
        assert table.record.position.situation.turn == 1
        table.read("3 surcoinche")
        assert table.phase == "declare"


def test_rounding() -> None:
    """This is E23."""
    assert [scoring.rounded(n) for n in (86, 76, 85, 84)] == [90, 80, 90, 80]


def contest(
    hands: list[tuple[int, frozenset[Card]]], trump: Suit, options: dict[str, str]
) -> tuple[int | None, int]:
    """Return the side whose declarations count, and the value of all its declarations."""
    seat, pieces = jass.contest(
        [(seat, piece) for seat, hand in hands for piece in declared(hand, trump, options)],
        lambda piece: strength(piece, trump, options),
        2,
        earlier_wins=options["declaration_tie"] == "earlier",
    )
    return seat, sum(piece.points for _, piece in pieces)


def owner(first: str, second: str, trump: str = "S", **options: str) -> tuple[int | None, int]:
    """Return the seat whose declarations count, 1 or 2, and their value."""
    hands = [(n, frozenset(parse_cards(cards))) for n, cards in ((1, first), (2, second))]
    return contest(hands, Suit("SHDC".index(trump)), DEFAULTS | options)


def test_declarations() -> None:
    """These are E10 to E14."""
    assert owner("AH KH QH JH TH", "TS TD TC TH") == (2, 100)
    assert owner("QH JH TH 9H 8H", "AS KS QS JS") == (1, 100)
    assert owner("KH QH JH", "KS QS JS") == (2, 20)
    assert owner("KH QH JH", "KD QD JD") == (1, 20)
    assert owner("KH QH JH", "KD QD JD", declaration_tie="none") == (None, 0)
    assert owner("JS JH JD JC TH 9H", "AS") == (1, 220)
    assert owner("JS JH JD JC TH 9H", "AS", shared_cards="forbidden") == (1, 200)
    assert owner("JS JH JD JC TH 9H 8H", "AS", shared_cards="forbidden") == (1, 220)
    assert owner("JS JH JD JC", "9S 9H 9D 9C") == (1, 200)
    assert owner("AS AH AD AC", "TS TH TD TC") == (1, 100)
    assert owner("TS TH TD TC", "KS KH KD KC", square_order="natural") == (2, 100)


KNOWN = "1 hand 7C 8C 9C TC TS TH TD KD"


@pytest.mark.parametrize(
    ("shared", "cards", "first", "second", "legal"),
    [
        ("allowed", "1 hand 7C 8C 9C JC KS QH TD KD", "? ? ?", "? ? ?", False),
        ("allowed", "1 hand 7C 8C 9C JC KS QH TD KD", "7C 8C 9C", "? ? ?", False),
        ("allowed", "1 hand 7C 8C 9C KS QS JS TD KD", "? ? ?", "7C 8C 9C", True),
        ("allowed", "1 hand 7C 8C 9C TC JC QC 7D JD", "? ? ? ? ?", None, True),
        ("allowed", None, "7C 8C 9C", "9C TC JC", False),
        ("allowed", None, "7C 8C 9C", "TC JC QC", False),
        ("allowed", None, "7C 8C 9C", "JC QC KC", True),
        ("allowed", "1 play TC", "7C 8C 9C", None, False),
        ("allowed", KNOWN, "T T T T", "7C 8C 9C TC", True),
        ("forbidden", KNOWN, "T T T T", "7C 8C 9C TC", False),
        ("forbidden", KNOWN, "T T T T", "7C 8C 9C", True),
        ("forbidden", KNOWN, "? ? ? ?", "T T T T", False),
        ("forbidden", None, "T T T T", "7C 8C 9C TC", False),
        ("forbidden", None, "T T T T", "7C 8C 9C", True),
    ],
)
def test_declarations_shown_one_after_the_other(
    shared: str, cards: str | None, first: str, second: str | None, legal: bool
) -> None:
    """Rules 4.2 and 4.5: a run is shown once and complete, and optionally no card is in two
    declarations.
    """
    table = Table("belote", 4, 4, shared_cards=shared, bidding="coinche")
    table.read("deal; 1 bid 80 H; 2 bid pass; 3 bid pass; 4 bid pass")
    *before, last = [
        *filter(None, [cards]),
        *(f"1 meld {said}" for said in (first, second) if said),
    ]
    for line in before:
        table.read(line)
    if legal:
        table.read(last)
    else:
        assert table.refused(last).code == "declaration-not-held"


def test_partners_declare_together() -> None:
    """This is E13."""
    hands = [
        (1, frozenset(parse_cards("KH QH JH TH"))),
        (2, frozenset(parse_cards("QS JS TS 9S"))),
        (3, frozenset(parse_cards("9D 8D 7D"))),
        (4, frozenset()),
    ]
    assert contest(hands, Suit.CLUBS, DEFAULTS) == (1, 70)


def allowed(trick: str, cards: str, seat: int, trump: str = "S", *, undertrump: bool = True) -> str:
    """Return the cards that may be played to a trick that seat 1 has led."""
    plays = tuple(enumerate(parse_cards(trick), 1))
    duties = Duties(overtrump=True, undertrump=undertrump, partners=True)
    suit = Suit("SHDC".index(trump))
    found = legal(SPEC, duties, plays, tuple(parse_cards(cards)), seat, suit)
    return " ".join(sorted(map(str, found)))


def test_legal_cards() -> None:
    """These are E15 to E18."""
    assert allowed("8S JS", "7S QS AH", 3) == "7S QS"
    assert allowed("AH KS", "AS 8S TD", 3) == "AS"
    assert allowed("AH KS", "8S TD", 3) == "8S"
    assert allowed("AH KS", "8S TD", 3, undertrump=False) == "8S TD"
    assert allowed("AH 7H", "8S TD", 3) == "8S TD"
    assert allowed("7H KS", "8S TD", 4) == "8S TD"
    assert allowed("AH 7H 8H", "8S TD", 4) == "8S"


def test_litige_goes_to_the_next_deal() -> None:
    """This is E2, entered by counts."""
    for second, scores in (("1 count 100", (181, 81 + 62)), ("1 count 62", (0, 81 + 162 + 81))):
        table = Table("belote", 4, 4)
        table.read("deal; turnup 9C; 1 bid take; 1 count 81")
        assert table.scores == (0, 81)
        table.read("deal; turnup 9C; 2 bid pass; 3 bid take")
        table.read(second)
        assert table.scores == scores


def test_a_count_leaves_the_other_side_points_that_it_can_have() -> None:
    """All eighteen cards are known, so both share 72 points: 71 would leave one, which no cards
    are worth (10.4)."""
    table = Table("belote", 2, 2)
    table.read("deal; turnup AD; 1 hand QC TH 7D 9S QH TS; 2 hand QD AH KS JC 8H QS; 1 bid take")
    table.read("1 hand 7H 7C 7S; 2 hand 9H AC JH; declare; 1 play 7S; 2 play KS")
    (count,) = (a for a in table.record.position.prompt.asks if (a.code, a.seat) == ("count", 2))
    assert 71 in count.barred
    assert table.refused("2 count 71").code == "impossible-points"
    table.read("2 count 70; 1 count 2")


def test_two_counts_are_all_there_is() -> None:
    """This is E24."""
    table = Table("belote", 2, 2)
    table.read(f"{TWO}; 1 count 25")
    (count,) = (a for a in table.record.position.prompt.asks if a.code == "count")
    assert (count.least, count.most) == (67, 67)
    assert table.refused("2 count 60").code == "impossible-points"


def test_the_exchange_changes_no_declaration() -> None:
    """This is E25."""
    table = Table("belote", 2, 2)
    table.read("deal; 1 hand 7H 8H 9H AS KS QD; 2 hand AC TC 8C 7C AD TD; turnup JH; 1 bid take")
    table.read("1 hand 8S 7S 9D; 2 hand KD 8D 9S; declare; 1 exchange; 1 play JH")
    state = table.record.position.state
    assert [piece.points for _, piece in state.deal.pieces] == [20]


def test_the_taker_holds_the_card_turned() -> None:
    """This is E26."""
    table = Table("belote", 4, 4)
    table.read("deal; turnup 9C; 1 bid pass; 2 bid pass; 3 bid pass; 4 bid pass; 1 bid H")
    table.read("1 play 9C")
    assert table.record.position.situation.trump == "H"
    assert table.record.position.situation.more == {"taker": 1, "bid": None, "doubled": 1}


def test_half_the_target_may_cost_two_games() -> None:
    table = Table("belote", 4, dealer=None, target="501", double_win_below_half="on")
    table.read("start 480 100; dealer 4; deal; 1 peg 150; 2 peg 12")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.won, outcome.margin) == (1, (2, 0), "double")
    board = table.record.position.scoreboard
    assert board is not None
    assert (board.unit, board.goal, board.lines[0].name) == (5, 100, "skunk")


FORMS = ("two", "four", "coinche")


def play_deals(form: str, chance: Random, number: int = 1) -> int:
    """Enter deals card by card under random options. Each table plays several in a row, so points
    may be carried over. `definition` recomputes the legal plays and each deal's score. Return the
    number of played deals; the others were passed out."""
    seats = 2 if form == "two" else 4
    drawn = random_options("belote", chance) | {"target": "3000", "bidding": "turned"}
    if form == "coinche":
        drawn["bidding"] = "coinche"
    options = {option.name: option.default for option in GAME.options} | drawn
    table = Table("belote", seats, 1, **drawn)
    played = held = 0
    for _ in range(number):
        if table.phase == "over":
            break
        before = table.scores
        deal = deal_and_bid(table, chance, form)
        if deal is None:
            assert (table.scores, table.record.position.state.held_over) == (before, held)
            continue
        played += 1
        trump, eldest = deal.contract or deal.trump.letter, deal.bidding.eldest
        hands = {seat: set(map(str, deal.known_hand(seat))) for seat in deal.order}
        declared = definition.contest(hands, eldest, options, trump)
        table.read("declare")
        if seats == 2:
            for ask in asks(table):
                if ask.code == "exchange" and chance.random() < 0.5:
                    table.record.apply(ask.move)
                    hands[ask.move.seat or 0] -= {"7" + trump}
                    hands[ask.move.seat or 0] |= {str(deal.turned)}
        plays: list[tuple[int, str]] = []
        while len(plays) < seats * len(hands[1]):
            seat = table.record.position.situation.turn or 0
            trick = plays[len(plays) - len(plays) % seats :]
            left = hands[seat] - {card for _, card in plays}
            must = options["undertrump"] == "must"
            allowed = definition.legal(trick, left, seat, trump, four=seats == 4, must=must)
            if chance.random() < 0.1:
                (ask,) = (ask for ask in asks(table) if ask.code == "play")
                assert (ask.seat, set(map(str, ask.cards or ()))) == (seat, allowed)
            forbidden = sorted(left - allowed)
            if forbidden:
                card = chance.choice(forbidden)
                code = table.refused(f"{seat} play {card}").code
                assert code == definition.duty(trick, card, allowed, trump)
            plays.append((seat, chance.choice(sorted(allowed))))
            table.read(f"{seat} play {plays[-1][1]}")
        bid, times = deal.bidding.bid, deal.bidding.doubled
        times = times if times < 4 else int(options["surcoinche"])
        scored, held = definition.settle(
            options, plays, declared, deal.bidding.taker, trump,
            seats=seats, bid=bid, times=times, held=held,
        )  # fmt: skip
        assert table.scores == tuple(old + scored[n] for n, old in enumerate(before, 1))
        assert table.record.position.state.held_over == held
    return played


def asks(table: Table) -> tuple[Ask, ...]:
    return table.record.position.prompt.asks


def deal_and_bid(table: Table, chance: Random, form: str) -> Any:
    """Return a deal with its hands entered and random bids; None if everybody passes."""
    seats = 2 if form == "two" else 4
    first, whole = {"two": (6, 9), "four": (5, 8), "coinche": (8, 8)}[form]
    pack = shuffled(chance, IN_ORDER)
    table.read("deal")
    for seat in range(1, seats + 1):
        table.read(hand(seat, [pack.pop() for _ in range(first)]))
    if form != "coinche":
        table.read(f"turnup {pack.pop()}")
    while table.phase == "bid":
        (ask,) = (a for a in asks(table) if a.code in ("take", "bid", "contract"))
        table.record.apply(chance.choice(ask.choices[: 1 + chance.randrange(len(ask.choices))]))
    deal = table.record.position.state.deal
    if deal is None:
        return None
    for seat in range(1, seats + 1):
        missing = whole - len(deal.known_hand(seat))
        if missing:
            table.read(hand(seat, [pack.pop() for _ in range(missing)]))
    return table.record.position.state.deal


@pytest.mark.parametrize("form", FORMS)
def test_random_deals(form: str) -> None:
    chance = Random(22)
    assert sum(play_deals(form, chance) for _ in range(12)) > 3


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_ten_thousand_random_deals(form: str, seed: int, long_run: LongRun) -> None:
    chance = Random(seed)
    played = sum(play_deals(form, chance, 4) for _ in range(2_500))
    long_run(deals=10_000, played=played)


def test_bids_in_coinche() -> None:
    said = Coinche(1, 4).say(Move("bid", 1, numbers=(80,), words=("D",))).double(2)
    for seat in (3, 4):
        said = said.say(Move("bid", seat, words=("pass",)))
    assert said.redouble(1).over


@pytest.mark.parametrize("name", ["belote", "klaberjass"])
def test_the_winner_of_a_deal_entered_by_points_deals(name: str) -> None:
    """After a deal for which only points were entered, the deal passes on as usual, even if the
    winner is to deal next."""
    for deals, dealer in (("1 peg 100; 2 peg 62", 1), ("1 peg 62; 2 peg 100", 2)):
        table = Table(name, 2, 1, deal_rotation="winner_deals")
        table.read(f"{deals}; deal")
        assert table.record.position.situation.dealer == dealer
        table.read("misdeal; deal")
        assert table.record.position.situation.dealer == dealer


def test_points_entered_before_a_dealer_is_known_leave_the_cut() -> None:
    table = Table("belote", 2, None)
    table.read("1 peg 100; 2 peg 62; 1 cut AS; 2 cut 7S; deal")
    assert table.record.position.situation.dealer == 2


def test_cards_of_two_suits_are_no_run_though_one_is_not_known() -> None:
    table = Table("belote", 4, 4)
    table.read("deal; turnup JH; 1 bid take")
    for cards in ("KC QD ?", "KC ? JS", "K QD JC ?"):
        assert table.refused(f"2 meld {cards}").code == "not-a-declaration"
    assert table.read("2 meld KC Q ?")


def test_no_king_and_queen_are_called_that_leave_the_other_side_no_count() -> None:
    """With two hands the sum depends on the cards that nobody holds. Seat 2's 220 needs every
    trick, so seat 1 cannot have the king and queen as well."""
    table = Table("belote", 2, 1, declarations="off", deal_rotation="alternate")
    table.read("deal; 2 hand 7H 9S 8D KS; turnup QC; 2 bid take; 1 hand 8S TS KH QS JD KC")
    table.read("2 count 220")
    assert [ask.move.verb for ask in table.record.position.prompt.asks] == ["count"]
    assert table.refused("1 belote").code == "no-belote"
    table.read("1 count 0")
    assert table.record.position.state.deal is None
