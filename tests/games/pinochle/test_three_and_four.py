"""Pinochle for three and four: the examples of docs/rules/pinochle-3-4.md, two deals counted by
hand, and random deals."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from boardctl.board import render
from boardctl.games import Ask, IllegalMove
from boardctl.games.cards import Card, Suit, parse_card, parse_cards
from boardctl.games.common.trick_deal import Duties
from boardctl.games.pinochle import melds
from boardctl.games.pinochle import state as scoring
from boardctl.games.pinochle.melds import PACK
from boardctl.games.pinochle.rules import AuctionPinochle
from boardctl.games.pinochle.state import Share
from boardctl.record import notation
from boardctl.record.record import Record
from tests.games.common import Table, hand, legal, random_options, shuffled
from tests.games.pinochle import definition
from tests.report import LongRun

THREE = (
    "deal; 1 hand AD AC 9S 9D 9C TD TC JS JH JH JD JC QC QC KC; "
    "2 hand AS AH AH AC 9D TS TH TD JS QH QD KS KS KH KD; "
    "3 hand AS AD 9S 9H 9C TS TH JD JC QS QS QH QD KD KC; "
    "1 bid 300; 2 bid pass; 3 bid pass; widow 9H KH TC; trump S"
)
FOUR = (
    "deal; 1 hand AC 9S 9D 9C TD JS JH JH JD JC QC KC; 2 hand AH AD TS TH TD TC QH QC KS KS KH KD; "
    "3 hand AS AH AD AC 9H 9D 9C JS QS QH QD QD; 4 hand AS 9S 9H TS TH TC JD JC QS KH KD KC; "
    "1 bid 100; 2 bid pass; 3 bid pass; 4 bid pass; trump S; declare"
)
_TWICE = [Card(card.rank, card.suit) for card in PACK for _ in (1, 2)]


def test_three_hands_counted_by_hand() -> None:
    """The bidder melds a marriage, four jacks and a dix, 70; he discards 31 and wins one trick, 8:
    109 of 300. Seat 2: two marriages 40, tricks 14 + 7 + 17 + 14 + 7 + 14 + 11. Seat 3: marriage,
    pinochle and dix 70, tricks 6 + 15 + 15 + 25 + 18 + 25 + 13, the last trick."""
    table = Table("pinochle", 3, 3)
    table.read(f"{THREE}; declare; 1 discard TC TD AD; 1 play JD; 2 play 9D; 3 play KD")
    table.read("3 play QS; 1 play 9S; 2 play AS; 2 play KH; 3 play QH; 1 play 9H")
    table.read("2 play AC; 3 play KC; 1 play JC; 2 play QH; 3 play TH; 1 play JH")
    table.read("3 play AD; 1 play 9D; 2 play KD; 3 play QD; 1 play JS; 2 play QD")
    table.read("1 play TC; 2 play JS; 3 play JC; 2 play TS; 3 play AS; 1 play KH")
    table.read("3 play 9C; 1 play QC; 2 play KS; 2 play KS; 3 play TS; 1 play KC")
    table.read("3 play JD; 1 play JH; 2 play TD; 2 play AH; 3 play 9H; 1 play 9C")
    table.read("2 play AH; 3 play QS; 1 play AC; 3 play 9S; 1 play QC")
    report = table.read("2 play TH")
    assert table.scores == (-300, 40 + 84, 70 + 117 + 10)
    assert [note.code for note in report.notes] == ["bid-lost"]
    board = table.record.position.scoreboard
    assert board is not None
    assert render.hole(board.standings[0].score, board.unit) == (0, 0)


def test_four_hands_counted_by_hand() -> None:
    """Seats 1 and 3: marriage, four jacks, dix, and four aces: 170; tricks 29 + 20 + 27. The
    others: marriage, pinochle, dix 70; tricks 164, and the last."""
    table = Table("pinochle", 4, 4)
    table.read(f"{FOUR}; 1 play AC; 2 play QC; 3 play AC; 4 play KC")
    table.read("1 play KC; 2 play TC; 3 play 9C; 4 play JC; 2 play KS; 3 play AS; 4 play QS")
    table.read("1 play JS; 3 play AD; 4 play KD; 1 play JD; 2 play TD")
    table.read("3 play 9D; 4 play JD; 1 play 9D; 2 play KD; 2 play KS; 3 play JS; 4 play TS")
    table.read("1 play 9S; 4 play AS; 1 play QC; 2 play TS; 3 play QS")
    table.read("4 play 9H; 1 play JH; 2 play QH; 3 play QH; 2 play AD; 3 play QD; 4 play 9S")
    table.read("1 play TD; 4 play TC; 1 play JC; 2 play KH; 3 play AH")
    table.read("4 play TH; 1 play JH; 2 play TH; 3 play 9H; 4 play KH; 1 play 9C; 2 play AH")
    table.read("3 play QD")
    assert table.scores == (170 + 76, 70 + 164 + 10)


def worth(cards: str, trump: str = "S", *, double: bool = True) -> int:
    found = melds.melds(parse_cards(cards), Suit("SHDC".index(trump)), double=double)
    return melds.points(found)


def test_melds() -> None:
    """These are E1 to E8."""
    assert worth("AS TS KS QS JS KS") == 150
    assert worth("AS TS KS QS JS KS QS") == 190
    flushes = "AS TS KS QS JS AS TS KS QS JS"
    assert worth(flushes) == 1500
    assert worth(flushes, double=False) == 300
    assert worth("KS QS KH QH KD QD KC QC") == 240
    assert worth("QS JD JD", "H") == 40
    assert worth("QS QS JD JD", "H") == 300
    assert worth("QS QS JD JD", "H", double=False) == 80
    assert worth("AS TS KS QS JS JD QH QD QC") == 150 + 40 + 60
    assert worth("AS AH AD AC AS AH AD AC") == 1000
    assert worth("AS AH AD AC AS AH AD AC", double=False) == 200
    assert worth("9S 9S 9H") == 20


OPTIONS = {option.name: option.default for option in AuctionPinochle.options}


def settled(
    shares: tuple[Share, ...], bid: int, *, conceded: bool = False, **options: str
) -> tuple[bool, tuple[Share, ...], int]:
    """Settle a deal that side 1 has bid for."""
    return scoring.weighed(shares, 1, bid, OPTIONS | options, conceded=conceded)


def test_partners_settlement() -> None:
    """These are E9 to E11."""
    other = Share(0, 100, 0, True)
    assert settled((Share(120, 120, 10, True), other), 250)[0]
    made, _, price = settled((Share(120, 119, 10, True), other), 250)
    assert (made, price) == (False, 250)
    _, kept, _ = settled((Share(100, 240, 10, True), Share(160, 0, 0, False)), 250)
    assert [share.total for share in kept] == [350, 0]
    made, _, _ = settled((Share(300, 0, 0, False), Share(0, 240, 10, True)), 250)
    assert not made


def test_auction_settlement() -> None:
    """These are E15 to E17 and E25."""
    others = (Share(40, 60, 10, True), Share(20, 0, 0, False))
    made, kept, _ = settled((Share(150, 150, 0, True), *others), 300)
    assert made
    assert [share.total for share in kept] == [300, 110, 0]
    lost = (Share(150, 149, 0, True), *others)
    assert settled(lost, 300)[2] == 300
    assert settled(lost, 300, double_bete="on")[2] == 600
    assert settled(lost, 300, failed="zero")[2] == 0
    made, kept, price = settled(lost, 300, conceded=True, double_bete="on")
    assert (made, [share.melds for share in kept], price) == (False, [0, 40, 20], 300)
    assert settled((Share(340, 0, 0, False), *others), 320)[0]


def allowed(trick: str, cards: str, trump: str = "S", *, always: bool = False) -> str:
    plays = tuple(enumerate(parse_cards(trick), 1))
    duties = Duties(head=always, overtrump=always)
    suit, seat = Suit("SHDC".index(trump)), len(plays) + 1
    found = legal(melds.SPEC, duties, plays, tuple(parse_cards(cards)), seat, suit)
    return " ".join(sorted(map(str, found)))


def test_legal_cards() -> None:
    """These are E18 to E21."""
    assert allowed("QS KS", "TS JS") == "TS"
    assert allowed("AH", "TH 9H", always=True) == "9H TH"
    assert allowed("KH TS", "AH 9H", always=True) == "9H AH"
    assert allowed("KH TS", "9S AS") == "9S AS"
    assert allowed("KH TS", "9S AS", always=True) == "AS"
    assert allowed("KH", "AH 9H") == "9H AH"
    assert allowed("KH", "AH 9H", always=True) == "AH"


def test_the_first_of_two_identical_cards_wins() -> None:
    """This is E22."""
    trick = tuple(enumerate(parse_cards("AH AH 9H"), 1))
    assert melds.SPEC.winner(trick, Suit.SPADES)[0] == 1


def test_counters_are_240_either_way() -> None:
    """This is E23."""
    for values in (melds.TRADITIONAL, melds.MODERN):
        assert sum(values.get(card.rank, 0) for card in _TWICE if card.rank is not None) == 240


def test_the_bidders_side_is_counted_first() -> None:
    """These are E12 and E13."""
    table = Table("pinochle", 4, dealer=None)
    table.read("start 800 990; dealer 4; deal; 1 bid 250; 2 bid pass; 3 bid pass; 4 bid pass")
    table.read("trump S; 1 meld AS AH AD AC; 1 count 190")
    assert table.scores == (1090, 1050)
    assert table.winner == 1
    table = Table("pinochle", 4, dealer=None)
    table.read("start 980 990; dealer 4; deal; 1 bid 300; 2 bid pass; 3 bid pass; 4 bid pass")
    table.read("trump S; 1 count 190")
    assert table.scores == (680, 1050)
    assert table.winner == 2


def test_a_bid_lost_may_stop_at_zero() -> None:
    """This is E14."""
    for option, score in (("on", -250), ("off", 0)):
        table = Table("pinochle", 4, 4, below_zero=option)
        table.read("deal; 1 bid 250; 2 bid pass; 3 bid pass; 4 bid pass; trump S; 1 count 190")
        assert table.scores == (score, 60)


def test_all_pass() -> None:
    """This is E24."""
    table = Table("pinochle", 4, 4)
    table.read("deal; 1 bid pass; 2 bid pass; 3 bid pass; 4 bid pass")
    assert (table.phase, table.scores) == ("deal", (0, 0))
    under = Table("pinochle", 4, 4, all_pass="dealer_under", min_bid="200")
    under.read("deal; 1 bid pass; 2 bid pass; 3 bid pass; 4 bid pass")
    assert (under.record.position.situation.more["bidder"], under.phase) == (4, "trump")
    assert under.record.position.situation.more["bid"] == 190
    table = Table("pinochle", 4, 4, all_pass="dealer_bids")
    table.read("deal; 1 bid pass; 2 bid pass; 3 bid pass; 4 bid pass")
    assert table.record.position.situation.more == {"bidder": 4, "bid": 100}


def test_points_alone() -> None:
    """Rule 8.4: a failed bid is entered with its sign."""
    table = Table("pinochle", 3, dealer=None)
    table.read("1 peg -300; 2 peg 124; 3 peg 197")
    assert table.scores == (-300, 124, 197)
    assert table.refused("1 adjust +50").code == "score-below-zero"
    table.read("2 adjust +10")
    assert table.refused("1 peg -305").code == "impossible-points"


def test_three_counts_are_all_there_is() -> None:
    table = Table("pinochle", 3, 3)
    table.read("deal; 1 bid 300; 2 bid pass; 3 bid pass; trump S; 1 count 100; 2 count 100")
    assert table.scores == (-300, 100, 50)
    assert table.refused("3 count 60").code == "impossible-points"
    table.read("3 count 50")
    table.read("deal")


def test_the_counts_of_three_leave_nobody_one_point() -> None:
    """After 249 of 250 points, no further count could be entered, because no trick is worth 1."""
    table = Table("pinochle", 3, 3)
    table.read("deal; 1 bid 300; 2 bid pass; 3 bid pass; trump S")
    assert table.refused("1 count 249").code == "impossible-points"
    table.read("1 count 248")
    assert table.refused("2 count 1").code == "impossible-points"
    table.read("2 count 2; deal")


def test_a_count_of_nothing_is_no_trick_where_it_is_entered() -> None:
    """Rule 8.3: a side that enters 0 has no trick and no melds. If only the other side's 250 is
    entered, this is not certain, and a note states the assumption."""
    for line, scores, note in (
        ("1 count 0", (-100, 250), "no-trick"),
        ("2 count 250", (150, 250), "trick-assumed"),
    ):
        table = Table("pinochle", 4, 4)
        table.read("deal; 1 bid 100; 2 bid pass; 3 bid pass; 4 bid pass; trump S")
        report = table.read(f"1 meld AS TS KS QS JS; {line}")
        assert table.scores == scores
        assert note in [said.code for said in report.notes]


def test_the_third_count_may_follow_the_end_of_the_game() -> None:
    table = Table("pinochle", 3, None)
    table.read("start 990 0 0; dealer 3; deal; 1 bid 300; 2 bid pass; 3 bid pass; trump S")
    table.read("1 meld AS TS KS QS JS; 1 discard ? ? ?; 1 count 200; 2 count 40")
    assert (table.winner, table.scores) == (1, (1340, 40, 10))
    assert table.refused("3 count 20").code == "impossible-points"
    table.read("3 count 10")
    assert table.refused("3 count 10").code == "game-over"


def test_equal_melds_of_two_lines_are_worth_what_they_are_in_one() -> None:
    """Rule 1.3: both pinochles are 300, both flushes 1500, in any number of lines."""
    royal = "AS TS KS QS JS"
    for entered, points in (
        ("1 meld QS JD; 1 meld QS JD", 300),
        ("1 meld QS QS JD JD", 300),
        (f"1 meld {royal}; 1 meld {royal}", 1500),
        ("1 meld 9S; 1 meld 9S; 1 meld KS QS; 1 meld KS QS", 100),
    ):
        table = Table("pinochle", 4, 4)
        table.read("deal; 1 bid 100; 2 bid pass; 3 bid pass; 4 bid pass; trump S")
        table.read(f"{entered}; 1 count 100")
        assert table.scores == (points + 100, 150), entered


def test_two_still_play_with_a_stock() -> None:
    table = Table("pinochle", 2, 1)
    assert table.refused("1 bid 300").code == "not-in-this-game"
    table.read("deal; turnup 9S")
    assert table.scores == (10, 0)


def play_deals(seats: int, chance: Random, number: int = 1) -> int:
    """Enter deals card by card under random options; `definition` recomputes the legal discards
    and plays and each deal's score. Return the number of played deals; in the others everybody
    passed."""
    drawn = random_options("pinochle", chance) | {"target": "2000"}
    options = OPTIONS | drawn
    table = Table("pinochle", seats, seats, **drawn)
    played = 0
    for _ in range(number):
        if table.phase == "over":
            break
        played += play_deal(table, options, seats, chance)
    return played


def asks(table: Table) -> tuple[Ask, ...]:
    return table.record.position.prompt.asks


def play_deal(table: Table, options: dict[str, str], seats: int, chance: Random) -> bool:
    before = table.scores
    pack = shuffled(chance, _TWICE)
    size = 15 if seats == 3 else 12
    hands: dict[int, list[str]] = {}
    table.read("deal")
    for seat in range(1, seats + 1):
        dealt = [pack.pop() for _ in range(size)]
        hands[seat] = [str(card) for card in dealt]
        table.read(hand(seat, dealt))
    while table.phase == "bid":
        ask = asks(table)[0]
        table.read(f"{ask.seat} bid {ask.least if chance.random() < 0.4 else 'pass'}")
    deal = table.record.position.state.deal
    if deal is None:
        assert table.scores == before
        return False
    bidder, bid = deal.bidding.taker, deal.bidding.bid
    if seats == 3:
        hands[bidder] += map(str, pack)
        table.read("widow " + " ".join(map(str, pack)))
    trump = chance.choice("SHDC")
    table.read(f"trump {trump}; declare")
    laid: list[str] = []
    if seats == 3:
        (ask,) = (ask for ask in asks(table) if ask.code == "discard")
        cards = chance.choice(ask.choices).cards if ask.choices else ask.cards or ()
        laid = [str(card) for card in chance.sample(cards, 3)]
        for some in (laid, chance.sample(hands[bidder], 3)):
            line = f"{bidder} discard {' '.join(some)}"
            if definition.may_lay_away(hands[bidder], some, trump):
                laid = some
            else:
                assert table.refused(line).code == "melded-card"
        table.read(f"{bidder} discard {' '.join(laid)}")
    plays: list[tuple[int, str]] = []
    while len(plays) < seats * size:
        seat = table.record.position.situation.turn or 0
        left = Counter(hands[seat]) - Counter(card for at, card in plays if at == seat)
        left -= Counter(laid if seat == bidder else ())
        trick = plays[len(plays) - len(plays) % seats :]
        allowed = definition.legal(trick, left, trump, always=options["head"] == "always")
        if chance.random() < 0.1:
            (ask,) = (ask for ask in asks(table) if ask.code == "play")
            assert (ask.seat, set(map(str, ask.cards or ()))) == (seat, allowed)
        forbidden = sorted(set(left) - allowed)
        if forbidden:
            card = chance.choice(forbidden)
            code = table.refused(f"{seat} play {card}").code
            assert code == definition.duty(trick, card, allowed, trump)
        plays.append((seat, chance.choice(sorted(allowed))))
        table.read(f"{seat} play {plays[-1][1]}")
    after = definition.settle(options, before, hands, laid, plays, bidder, bid, trump)
    assert table.scores == after
    return True


@pytest.mark.parametrize("seats", [3, 4])
def test_random_deals(seats: int) -> None:
    chance = Random(23)
    assert sum(play_deals(seats, chance) for _ in range(10)) > 3


def unseen_discards(line: str, chance: Random) -> str:
    """Return the line with some of the three cards laid away unseen."""
    words = line.split()
    if words[1:2] != ["discard"]:
        return line
    return " ".join((*words[:2], *(card if chance.random() < 0.3 else "?" for card in words[2:])))


def test_discards_not_seen_forbid_no_play_and_are_counted() -> None:
    """Rule 4.3: the unseen cards laid away may be any cards of the hand that the rules allow."""
    for seed in range(8):
        chance = Random(seed)
        drawn = random_options("pinochle", chance) | {"target": "2000"}
        options = OPTIONS | drawn
        table = Table("pinochle", 3, 3, **drawn)
        for _ in range(3):
            if table.phase != "over":
                play_deal(table, options, 3, chance)
        again = Record()
        for move in table.record.moves:
            again.read(unseen_discards(notation.spell(move), chance))
        assert again.position.scores == table.scores


def test_a_card_in_hand_that_cannot_have_been_laid_away() -> None:
    """Enough cards of the hand are in no meld, so the melded marriage is still in hand."""
    table = Table("pinochle", 3, 3)
    table.read("deal; 1 bid 300; 2 bid pass; 3 bid pass; widow QH KH JD; trump S; 1 meld KH QH")
    table.read("1 discard ? ? ?; 1 play 9C; 2 play AC; 3 play 9C; 2 play AH; 3 play 9H")
    assert table.refused("1 play 9S").code == "must-follow"


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4])
def test_ten_thousand_random_deals(seats: int, seed: int, long_run: LongRun) -> None:
    chance = Random(seed)
    played = sum(play_deals(seats, chance, 4) for _ in range(2_500))
    long_run(deals=10_000, played=played)


def test_a_card_that_another_has_cut_can_be_cut_too_and_not_a_third_time() -> None:
    """The pack has two of each card (1.2)."""
    table = Table("pinochle", 3, None)
    table.read("1 cut 9S")
    cut = next(ask for ask in table.record.position.prompt.asks if ask.code == "cut")
    assert parse_card("9S") in (cut.cards or ())
    table.read("2 cut 9S")
    left = next(ask for ask in table.record.position.prompt.asks if ask.code == "cut")
    assert parse_card("9S") not in (left.cards or ())
    with pytest.raises(IllegalMove) as refused:
        table.read("3 cut 9S")
    assert refused.value.code == "card-twice"


@pytest.mark.parametrize(
    ("seats", "dealt"),
    [
        (2, "turnup 9H; 1 hand JD AS 9C KS TD QS QC TS AH 9D KH JS"),
        (4, "1 hand JD AS 9C KS TD QS QC TS AH 9D KH JS"),
    ],
)
def test_a_hand_in_its_order(seats: int, dealt: str) -> None:
    """In both forms it is sorted by suits, the strongest cards first."""
    record = Record()
    for line in ("game pinochle", *(f"seat {n} P{n}" for n in range(1, seats + 1)), "dealer 2"):
        record.read(line)
    for line in ("deal", *dealt.split("; ")):
        record.read(line)
    game, state = record.position.game, record.position.state
    assert game is not None
    shown = [str(card.plain) for card in game.held_by(state, 1) or ()]
    assert shown == ["AS", "TS", "KS", "QS", "JS", "AH", "KH", "TD", "JD", "9D", "QC", "9C"]
    assert game.held_by(state, 2) is None


@pytest.mark.parametrize("sides", [(1, 1), (1, 2)], ids=["in one hand", "in two hands"])
def test_a_play_is_legal_if_some_naming_of_the_copies_allows_it(sides: tuple[int, int]) -> None:
    """One player or two hold both queens of spades, entered and played with and without the letters
    of their copies. Every possible naming is accepted, and no other."""
    for hands in product(("", "a", "b"), repeat=2):
        if hands[0] == hands[1] != "":
            continue
        for plays in product(("", "a", "b"), repeat=2):
            possible = any(
                all(not said or said == true for said, true in zip(hands, copies, strict=True))
                and all(not said or said == true for said, true in zip(plays, laid, strict=True))
                for copies in ("ab", "ba")
                for laid in ({copies, copies[::-1]} if sides == (1, 1) else {copies})
            )
            table = Table("pinochle", 4, 4)
            held = {1: "KH AH TH 9H JH QH KD AD TD 9D", 2: "KH AH TH 9H JH QH KC AC TC 9C"}
            for seat, letter in zip(sides, hands, strict=True):
                held[seat] += f" QS{letter}"
            table.read(f"deal; 1 hand {held[1]}; 2 hand {held[2]}")
            table.read("1 bid 100; 2 bid pass; 3 bid pass; 4 bid pass; trump C")
            between = "2 play 9S; 3 play 9S; 4 play JS; " if sides == (1, 1) else ""
            try:
                table.read(f"1 play QS{plays[0]}; {between}{sides[1]} play QS{plays[1]}")
            except IllegalMove as error:
                assert error.code == "not-in-hand"
                assert not possible, (hands, plays)
            else:
                assert possible, (hands, plays)
