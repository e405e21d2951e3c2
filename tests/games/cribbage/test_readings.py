"""Points entered: the bounds verified by enumerating hands and series, and the readings' order."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations_with_replacement

import pytest

from boardctl.games.cards import Card, Rank
from boardctl.games.common.to_31 import ALIKE
from boardctl.games.cribbage import point_claims, show
from tests.games.cribbage.table import Table

Ranks = tuple[int, ...]


def possible(ranks: Ranks) -> bool:
    return all(ranks.count(rank) <= 4 for rank in set(ranks))


def by_rank(hand: Ranks, starter: int) -> int:
    """Return the points of ranks alone."""
    cards = tuple(Card(Rank(rank)) for rank in hand)
    return sum(item.points for item in show.count(cards, Card(Rank(starter))))


def worths(hand: Ranks, starter: int, *, crib: bool) -> set[tuple[int, bool]]:
    """Return all values of a hand over its suits, and whether each uses the jack of the starter's
    suit."""
    points = by_rank(hand, starter)
    found = {(points, False)}
    jack = 11 in hand and starter != 11
    if jack:
        found.add((points + 1, True))
    if len(set(hand)) == len(hand):
        if not crib:
            found.add((points + len(hand), False))
        if starter not in hand:
            found.add((points + len(hand) + 1 + jack, jack))
    return found


def hands(size: int, starter: int) -> list[Ranks]:
    every = combinations_with_replacement(range(1, 14), size)
    return [hand for hand in every if possible((*hand, starter))]


@pytest.mark.parametrize(("size", "bound"), [(4, point_claims.HAND), (3, point_claims.FIVE_HAND)])
def test_what_a_hand_can_be_worth(size: int, bound: frozenset[int]) -> None:
    found = {
        points
        for starter in range(1, 14)
        for hand in hands(size, starter)
        for points, _ in worths(hand, starter, crib=False)
    }
    assert found == bound


@pytest.mark.parametrize(("size", "bound"), [(4, point_claims.SHOW), (3, point_claims.FIVE_SHOW)])
def test_what_hand_and_crib_can_be_worth_together(size: int, bound: frozenset[int]) -> None:
    """Every sum has an example or is impossible: two hands and the starter from one pack, with at
    most one jack of the starter's suit."""
    found: set[int] = set()
    for starter in range(1, 14):
        mine: dict[tuple[int, bool], list[Ranks]] = defaultdict(list)
        cribs: dict[tuple[int, bool], list[Ranks]] = defaultdict(list)
        for hand in hands(size, starter):
            for worth in worths(hand, starter, crib=False):
                mine[worth].append(hand)
        for hand in hands(4, starter):
            for worth in worths(hand, starter, crib=True):
                cribs[worth].append(hand)
        for (one, nobs), some in mine.items():
            for (other, nobs_too), others in cribs.items():
                if one + other in found or (nobs and nobs_too):
                    continue
                if any(possible((*a, *b, starter)) for a in some for b in others):
                    found.add(one + other)
    assert found == bound


def test_what_a_card_can_earn() -> None:
    """The points by the scoring tail (this many alike, or a run of this length) and its count, over
    everything that can precede it. A series of two players' hands has at most eight cards."""
    found = set()
    for total in range(1, 32):
        last = set() if total == 31 else {1}
        counts = {2} if total in (15, 31) else {0}
        for tail in range(1, 14):
            for alike in (1, 2, 3, 4):
                rest = total - alike * min(tail, 10)
                if rest < 0 or not reachable(rest, 8 - alike, {tail: alike}, tail):
                    continue
                for points in counts:
                    found |= {points + worth(alike) + more for more in {0, *last}}
        for size in range(3, 9):
            for low in range(1, 15 - size):
                ranks = range(low, low + size)
                rest = total - sum(min(rank, 10) for rank in ranks)
                if rest >= 0 and reachable(rest, 8 - size, dict.fromkeys(ranks, 1), 0):
                    for points in counts:
                        found |= {points + size + more for more in {0, *last}}
    assert found - {0} == point_claims.PLAY


def worth(alike: int) -> int:
    return 0 if alike == 1 else ALIKE[alike][1]


def reachable(total: int, cards: int, used: dict[int, int], not_last: int) -> bool:
    """Return whether at most this many cards, beyond those used, can reach the total, with a last
    card of a different rank from the next card."""
    if total == 0:
        return True
    if cards == 0:
        return False
    for rank in range(1, 14):
        if rank == not_last or used.get(rank, 0) >= 4 or min(rank, 10) > total:
            continue
        more = {**used, rank: used.get(rank, 0) + 1}
        if reachable(total - min(rank, 10), cards - 1, more, 0):
            return True
    return False


def test_a_card_at_a_known_count_is_bounded_by_that_count() -> None:
    table = Table()
    table.read("deal; starter K; 2 play 7")
    assert table.refused("1 peg 3 play") == "impossible-points", "7 and 8 are two, and last"
    assert table.refused("1 peg 12") == "impossible-points"
    table = Table()
    table.read("deal; starter K; 2 play 7; 1 play 7; 2 play 7")
    assert table.refused("1 peg 14 play") == "impossible-points"
    table.read("1 peg 12 play")
    assert table.refused("2 play 2") == "not-in-play", "its count is no longer known"


def test_a_hand_known_is_worth_what_it_is() -> None:
    table = Table()
    table.read("deal; starter K; 2 play 5; 1 play T; 2 play 6; 1 play T; 2 play 2; 1 play 4")
    table.read("2 play 8; 1 play A")
    assert table.phase == "show"
    assert table.refused("2 peg 12 hand") == "impossible-points"
    assert table.refused("2 peg 12") == "impossible-points"
    table.read("2 peg 4 hand")
    assert table.turn == 1


def test_order_is_kept_for_what_is_said_with_why() -> None:
    table = Table()
    table.read("deal; 2 peg 2 play; 2 peg 8 hand")
    assert table.refused("1 peg 2 play") == "out-of-order"
    assert table.refused("2 peg 2 hand") == "out-of-order"
    assert table.refused("2 peg 4 crib") == "impossible-points"
    table.read("1 peg 0 hand; 1 peg 4 crib")
    assert table.refused("1 peg 4 crib") == "out-of-order"
    table.read("deal; 2 peg 2 heels")
    assert table.refused("2 peg 2 heels") == "out-of-order"
    assert table.dealer == 2


def test_without_a_deal_said_the_dealer_follows_from_what_was_entered() -> None:
    table = Table()
    table.read("2 peg 2 play; 1 peg 1 go; 2 peg 8 hand; 1 peg 4 crib")
    assert table.refused("1 peg 2 heels") == "impossible-points"
    table.read("2 peg 2 heels")
    assert table.dealer == 2


@pytest.mark.parametrize(
    ("lines", "dealer"),
    [
        # the play continues until a hand is entered
        ("1 peg 2 heels; 2 peg 2 play", 1),
        ("2 peg 2 play; 1 peg 1 go; 1 peg 2 play", 1),
        ("2 peg 4 hand; 1 peg 2 play", 2),
        ("1 adjust +1; 2 peg 2 play; 1 peg 2 play", 1),
        # each hand once, in turn, including a hand without points
        ("2 peg 4 hand; 2 peg 4 hand", 2),
        ("2 peg 4 hand; 1 peg 4 hand", 1),
        ("2 peg 0 hand; 2 peg 2 heels", 2),
        ("1 peg 4 hand; 2 peg 4 hand", 2),
        # then the crib, which ends the deal
        ("1 peg 4 crib; 2 peg 4 crib", 2),
        ("1 peg 8 show; 2 peg 8 show; 1 peg 2 heels", 1),
        # a corrected score does not begin a deal again
        ("2 peg 4 hand; 1 adjust +1; 2 peg 2 heels", 2),
        ("2 peg 4 hand; 1 adjust +1; 2 peg 2 hand", 2),
    ],
)
def test_whose_deal_it_is_follows_from_what_was_entered(lines: str, dealer: int) -> None:
    table = Table()
    table.read(lines)
    assert table.dealer == dealer


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("1 peg 4 crib", "1 peg 4 crib"),
        ("1 peg 8 show", "1 peg 4 crib"),
        ("1 peg 8 show", "1 peg 8 show"),
        ("1 peg 4 hand", "1 peg 8 show"),
        ("2 peg 0", "2 peg 2 heels"),
    ],
)
def test_a_deal_is_over_before_there_are_points_of_another(lines: str, line: str) -> None:
    """The dealer cannot enter a hand twice, because the next deal is the other's."""
    table = Table()
    table.read(lines)
    assert table.refused(line) == "impossible-points"


@pytest.mark.parametrize("why", ["heels", "crib", "show"])
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_anybody_may_deal_where_nobody_said_who(seat: int, why: str) -> None:
    table = Table(3, dealer=None)
    assert table.points(f"{seat} peg 2 {why}") == {seat: 2}


def test_points_said_to_be_for_nothing_may_be_of_the_next_deal() -> None:
    """Two and two may both be in one deal. Or the second is in the other player's deal, after which
    the first player deals again and may turn a jack."""
    table = Table()
    table.read("2 peg 2; 2 peg 2")
    assert table.points("1 peg 2 heels") == {1: 2}
    table = Table()
    table.read("2 peg 2 play; 2 peg 2 play")
    assert table.refused("1 peg 2 heels") == "impossible-points"


@pytest.mark.parametrize(
    ("line", "place"),
    [("2 peg 2 play", 1), ("2 peg 4 hand", 2), ("1 peg 4 hand", 3), ("1 peg 4 crib", 4),
     ("1 peg 8 show", 4)],
)  # fmt: skip
def test_how_far_a_deal_is_after_points(line: str, place: int) -> None:
    table = Table()
    table.read(line)
    assert table.state.extra.readings == {point_claims.Reading(1, place)}


def test_points_with_a_reason_leave_room_for_the_next_deal() -> None:
    """Only a dealer, with hand and crib together, has 36 points."""
    table = Table()
    table.read("deal; 2 peg 4 hand; 1 peg 8 show")
    assert table.points("2 peg 36") == {2: 36}


def test_nothing_said_is_possible_in_some_phase() -> None:
    table = Table()
    table.read("deal")
    assert table.refused("2 peg 40") == "impossible-points", "she has no crib"
    assert table.refused("2 peg 19") == "impossible-points"
    assert table.refused("1 peg 51") == "impossible-points"
    table.read("1 peg 53; 1 peg 0; 2 peg 0")


@pytest.mark.parametrize("why", ["hand", "crib"])
def test_four_scores_no_hand_has(why: str) -> None:
    for points in (19, 25, 26, 27, 30, 99):
        assert Table().refused(f"1 peg {points} {why}") == "impossible-points"


def test_five_cards_have_their_own_bounds() -> None:
    for points in (16, 17, 18, 19, 21):
        five = Table(game="five-card-cribbage")
        assert five.refused(f"1 peg {points} hand") == "impossible-points"
    Table(game="five-card-cribbage").read("1 peg 20 hand; 1 peg 29 crib")
    for points in (43, 45, 50):
        five = Table(game="five-card-cribbage")
        assert five.refused(f"1 peg {points} show") == "impossible-points"
    Table(game="five-card-cribbage").read("1 peg 44 show")
