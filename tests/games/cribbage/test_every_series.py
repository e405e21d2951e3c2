"""Points of the play for every possible series of ranks, compared with the definition."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

import pytest

from boardctl.games.cards import Card, Rank
from boardctl.games.cribbage.rules import SCORES
from tests.games.common import count
from tests.games.cribbage.definition import peg_points, value
from tests.report import LongRun

CARDS = {int(rank): Card(rank) for rank in Rank}
VALUES = [(rank, value(rank)) for rank in range(1, 14)]


def check(series: list[int], cards: list[Card]) -> None:
    points = sum([item[2] for item in SCORES.items(cards, count(cards))])
    assert points == peg_points(series), series


def check_below(series: list[int]) -> int:
    """Check a series and all its continuations, and return their number."""
    total = sum(map(value, series))
    return _below(series, [CARDS[rank] for rank in series], 31 - total)


def _below(series: list[int], cards: list[Card], room: int) -> int:
    check(series, cards)
    checked = 1
    for rank, worth in VALUES:
        if worth > room:
            break
        if series.count(rank) == 4:
            continue
        series.append(rank)
        cards.append(CARDS[rank])
        checked += _below(series, cards, room - worth)
        series.pop()
        cards.pop()
    return checked


def following(series: list[int]) -> Iterator[int]:
    total = sum(map(value, series))
    for rank in range(1, 14):
        if total + value(rank) <= 31 and series.count(rank) < 4:
            yield rank


@cache
def number_of_series(total: int = 0, left: tuple[int, ...] = (4,) * 13) -> int:
    """Return the number of continuations of at least one card at this count with these ranks
    left."""
    number = 0
    for place in range(13):
        after = total + value(place + 1)
        if left[place] and after <= 31:
            fewer = [*left[:place], left[place] - 1, *left[place + 1 :]]
            tens = sorted(fewer[9:])  # all count ten, so their order is irrelevant
            number += 1 + number_of_series(after, (*fewer[:9], *tens))
    return number


@pytest.mark.slow
def test_a_sample_of_series() -> None:
    """Check all series of up to four cards, and 30,000 random ones played to their end."""
    levels: list[list[int]] = [[]]
    checked = 0
    for _ in range(4):
        levels = [[*series, rank] for series in levels for rank in following(series)]
        checked += len(levels)
        for series in levels:
            check(series, [CARDS[rank] for rank in series])
    assert checked > 13 + 13**2
    chance = random.Random(31)
    for _ in range(30_000):
        # Low ranks make the long series, which have the difficult runs and royals.
        series = []
        while ranks := list(following(series)):
            series.append(min(chance.choice(ranks), chance.choice(ranks)))
            check(series, [CARDS[rank] for rank in series])


@pytest.mark.long
def test_every_series(long_run: LongRun) -> None:
    starts = [[first, second] for first in range(1, 14) for second in following([first])]
    # A fresh process for each, because Python 3.12 and later refuses to fork a test run with
    # threads.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        checked = sum(pool.map(check_below, starts, chunksize=1))
    for first in range(1, 14):
        check([first], [CARDS[first]])
    long_run(series=checked + 13)
    assert checked + 13 == number_of_series() == 183_483_987
