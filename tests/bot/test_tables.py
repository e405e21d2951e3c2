"""The shipped tables: probabilities sum to one, chances are monotonic, averages are as
published."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from boardctl.bot.analysis import expert
from boardctl.bot.tables import DEALER, HANDS, PONE, load, start
from tools import bot_tables
from tools.throw_chances import sixes


def test_shares_sum_to_one() -> None:
    tables = load()
    for role in (PONE, DEALER):
        assert sum(tables.kept[role]) == pytest.approx(1, abs=2e-3)  # rounded 1,820 times
    assert sum(chance for _, _, chance in tables.pegged) == pytest.approx(1, abs=1e-3)
    for rows in tables.shows:
        for row in rows:
            assert sum(row) == pytest.approx(1, abs=1e-4)
            assert not row[19]


def test_a_point_more_never_harms() -> None:
    win = load().win
    for row in win:
        assert all(more <= less for less, more in pairwise(row)), "the pone's points"
    for lower, higher in pairwise(win):
        assert all(a <= b for a, b in zip(lower, higher, strict=True)), "the dealer's points"


def test_the_first_dealer_has_the_published_advantage() -> None:
    """The first dealer wins 56 of 100 games (cribbage.org/tips/colvert11.asp)."""
    assert 0.545 < start(True, 0, 0) < 0.565
    assert start(True, 40, 60) + start(False, 60, 40) == pytest.approx(1)


def test_averages_are_those_of_experts() -> None:
    """They are 10.2 points a deal for the pone and 16.2 for the dealer
    (cribbage.org/tips/colvert11.asp)."""
    by_role = expert()
    pone, dealer = by_role[PONE], by_role[DEALER]
    assert pone.hand is not None and pone.play is not None
    assert pone.hand + pone.play == pytest.approx(10.2, abs=0.35)
    assert dealer.hand is not None and dealer.play is not None and dealer.crib is not None
    heels = 2 / 13
    assert dealer.hand + dealer.play + dealer.crib + heels == pytest.approx(16.2, abs=0.35)


def test_a_small_build_has_the_shape_of_what_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has throws of a few six-card hands, 300 deals and their chances, by the functions that
    make the file."""
    tables = load()
    random = Random(4)
    some = random.sample(list(sixes()), 40)
    for role in (PONE, DEALER):
        worth = {ranks: bot_tables.worths(ranks, role) for ranks in some}
        kept = bot_tables.keep(worth)
        likely = [HANDS[place] for place, share in enumerate(kept) if share]
        assert 0 < len(likely) <= 80
        thrown = bot_tables.throws(worth, tables.pegging[role])
        assert all(pair in worth[ranks] for ranks, pair in thrown.items())
    by_hand = {ranks: (ranks[0], ranks[1]) for ranks in sixes()}
    dealt = list(bot_tables.deals([by_hand, by_hand], 300, 1))
    again = list(bot_tables.deals([by_hand, by_hand], 300, 1))
    assert dealt == again
    chance = bot_tables.win([events for _, events in dealt])
    assert all(0 <= some <= 1 for row in chance for some in row)
    assert chance[120][0] > 0.9 > 0.1 > chance[0][120]


def test_who_is_first_is_counted_by_turns() -> None:
    """One deal in detail: the pone pegs 2, the dealer 1, then hands of 4 and 6, a crib of 3."""
    events = [(False, 2), (True, 1), (False, 4), (True, 6), (True, 3)]
    first = bot_tables._first([events])
    assert first[1][3] == 1  # one for the dealer comes before the pone's third
    assert first[1][2] == 0
    assert first[2][6] == 0  # the pone counts first
    assert first[7][7] == 1
    assert first[10][7] == 1
    assert first[11][7] == 0


@pytest.mark.long
def test_chances_come_true() -> None:
    """In 10,000 games, both players throw and play as the tables assume. For each tenth of the
    range of chances, the share of games won agrees with the average predicted chance."""
    tables = load()
    thrown = []
    for role in (PONE, DEALER):
        worth = {ranks: bot_tables.worths(ranks, role) for ranks in sixes()}
        thrown.append(bot_tables.throws(worth, tables.pegging[role]))
    source = bot_tables.deals(thrown, 200_000, 99)
    tenths: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for _ in range(10_000):
        scores, dealer, chances = [0, 0], 0, []
        while max(scores) < 121:
            chances.append(start(dealer == 0, scores[0], scores[1]))
            _, events = next(source)
            for dealers, points in events:
                side = dealer if dealers else 1 - dealer
                scores[side] += points
                if scores[side] >= 121:
                    break
            dealer = 1 - dealer
        won = scores[0] >= 121
        for tenth in {min(int(10 * chance), 9) for chance in chances}:
            first = next(chance for chance in chances if min(int(10 * chance), 9) == tenth)
            tenths[tenth].append((first, won))
    for rows in tenths:
        predicted = sum(chance for chance, _ in rows) / len(rows)
        happened = sum(won for _, won in rows) / len(rows)
        error = (predicted * (1 - predicted) / len(rows)) ** 0.5
        assert abs(predicted - happened) < 3 * error + 0.005, (predicted, happened, len(rows))
