"""Counting hands: totals and breakdowns compared with cribbage-scorer and a plain table scorer."""

from __future__ import annotations

import random
from typing import NamedTuple

from boardctl.bot.totals import total
from boardctl.games.cards import CARDS
from boardctl.games.cribbage import show
from tools.bench import table_scorer
from tools.bench.rounds import least

Pair = tuple[int, str]


class Totals(NamedTuple):
    """The speed ratio to cribbage-scorer, and the time ratio to the table scorer."""

    peer: float
    table: float


def hands(number: int) -> list[tuple[int, int, int, int, int]]:
    """Return random hands as card indices, each with its starter last. They are always the same."""
    chance = random.Random(15)
    found = []
    for _ in range(number):
        a, b, c, d, starter = chance.sample(range(52), 5)
        found.append((a, b, c, d, starter))
    return found


def _theirs(card: int) -> Pair:
    """Return a card in cribbage-scorer's form."""
    rank, suit = CARDS[card].rank, CARDS[card].suit
    assert rank is not None
    assert suit is not None
    return int(rank), suit.letter


def totals() -> Totals:
    """Measure 4,000 hands with our code and with the table scorer, and 500 of them with
    cribbage-scorer."""
    from cribbage_scorer.cribbage_scorer import show_calc_score

    dealt = hands(4_000)
    converted = [(_theirs(h[4]), [_theirs(card) for card in h[:4]]) for h in dealt[:500]]
    assert all(
        total(*hand) == table_scorer.score(*hand) == show_calc_score(*theirs)[0]
        for hand, theirs in zip(dealt, converted, strict=False)
    )

    def ours() -> None:
        for a, b, c, d, starter in dealt:
            total(a, b, c, d, starter)

    def table() -> None:
        for a, b, c, d, starter in dealt:
            table_scorer.score(a, b, c, d, starter)

    def peer() -> None:
        for starter, hand in converted:
            show_calc_score(starter, hand)

    mine, plain, other = least(ours, table, peer)
    return Totals((other / len(converted)) / (mine / len(dealt)), mine / plain)


def breakdown() -> float:
    """Return the speed ratio to cribbage-scorer, which returns the combinations as one text."""
    from cribbage_scorer.cribbage_scorer import show_calc_score

    dealt = [([CARDS[card] for card in h[:4]], CARDS[h[4]]) for h in hands(1_500)]
    converted = [(_theirs(h[4]), [_theirs(card) for card in h[:4]]) for h in hands(1_500)]

    def ours() -> None:
        for hand, starter in dealt:
            show.count(hand, starter)

    def peer() -> None:
        for starter, hand in converted:
            show_calc_score(starter, hand)

    mine, other = least(ours, peer)
    return other / mine


def advice() -> float:
    """Return the CPU milliseconds of the slowest of 100 answers, with the tables loaded."""
    from boardctl.bot.advice import throws

    chance = random.Random(6)
    slowest = 0.0
    for _ in range(100):
        six = chance.sample(CARDS, 6)
        slowest = max(slowest, least(lambda: throws(six, dealer=True), rounds=2)[0])  # noqa: B023
    return 1000 * slowest
