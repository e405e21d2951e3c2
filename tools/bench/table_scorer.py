"""A reference for speed: a table scorer that computes only totals.

It is part of the benchmarks, so that `boardctl.bot.totals` is compared with code that does not
change together with it. Ranks use one table, indexed by the sum of a power of five per card; flush
and nobs are checked card by card.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final

from tests.games.cribbage.definition import rank_points

_POWER: Final = tuple(5 ** (card % 13) for card in range(52))
_SUIT: Final = tuple(card // 13 for card in range(52))
_JACK: Final = tuple(card // 13 * 13 + 10 for card in range(52))
_POINTS: Final = {
    sum(5 ** (rank - 1) for rank in ranks): rank_points(ranks)
    for ranks in combinations_with_replacement(range(1, 14), 5)
}


def score(a: int, b: int, c: int, d: int, starter: int, crib: bool = False) -> int:
    """Return the points of four cards and starter, by index `suit * 13 + rank - 1`."""
    power, suit = _POWER, _SUIT
    points = _POINTS[power[a] + power[b] + power[c] + power[d] + power[starter]]
    one = suit[a]
    if one == suit[b] and one == suit[c] and one == suit[d]:
        if one == suit[starter]:
            points += 5
        elif not crib:
            points += 4
    jack = _JACK[starter]
    if jack == a or jack == b or jack == c or jack == d:  # noqa: SIM109 - faster than `in`
        points += 1
    return points
