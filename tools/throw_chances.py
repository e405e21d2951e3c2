"""Generate `throws.json`, the probabilities of an opponent's throws for `advice`.

    python -m tools.throw_chances > boardctl/bot/throws.json

The method is iterated best response, using only ranks. Initially, both sides throw any two of their
six cards. Each round finds each side's best throws against the other's probabilities: the kept
cards' fifteens, pairs and runs over all starters, and the crib's over all starters and the
opponent's throws, with the six cards removed from the pack; throws of equal value share. The
probabilities then move halfway there (a full step would oscillate on a few hands in which two
throws have almost equal value). It has converged when no pair's best response differs by more than
0.005. Flush and nobs are omitted here, because they hardly depend on the ranks; `advice` counts
them exactly.

The program is deterministic: the same command always produces the same file. It takes several
minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from multiprocessing import get_context
from operator import mul
from typing import Final

from boardctl.bot.advice import (
    PAIRS,
    RANKS,
    Chances,
    Role,
    crib_points,
    pair_name,
    weigh,
)
from boardctl.bot.totals import RANK_KEYS, RANK_ROWS

UNIT: Final = 100_000
"""Probabilities are stored as integers in units of one over this."""
SETTLED: Final = 0.005
_TIE: Final = 1e-9
_MOST_ROUNDS: Final = 40


def sixes() -> Iterator[tuple[int, ...]]:
    """Return every multiset of ranks that six cards can have, 0 for the ace."""
    for ranks in combinations_with_replacement(RANKS, 6):
        if ranks[0] != ranks[4] and ranks[1] != ranks[5]:
            yield ranks


def best_throws(ranks: Sequence[int], opponent: Chances, sign: int) -> list[tuple[int, int]]:
    """Return the pairs of ranks that are best to throw; `sign` is 1 for the dealer, -1 for the
    pone."""
    left = [4 - ranks.count(rank) for rank in RANKS]
    weights, _ = weigh(left, opponent)
    values = {}
    for one, two in sorted(set(combinations(sorted(ranks), 2))):
        kept = list(ranks)
        kept.remove(one)
        kept.remove(two)
        row = RANK_ROWS[sum(RANK_KEYS[rank] for rank in kept)]
        hand = sum(map(mul, row, left)) / sum(left)
        crib = sum(map(mul, weights, crib_points(one, two)))
        values[one, two] = hand + sign * crib
    best = max(values.values())
    return [pair for pair, value in values.items() if value > best - _TIE]


def best_response(role: Role, opponent: Chances, pool: Executor) -> Chances:
    """Return how often the best response to an opponent throws each pair when it is held."""
    sign = 1 if role == "dealer" else -1
    hands = list(sixes())
    thrown = dict.fromkeys(PAIRS, 0.0)
    throw = partial(best_throws, opponent=opponent, sign=sign)
    for ranks, best in zip(hands, pool.map(throw, hands, chunksize=200), strict=True):
        deals = prod(comb(4, ranks.count(rank)) for rank in set(ranks))
        for pair in best:
            thrown[pair] += deals / len(best)
    return tuple(number / held(*pair) for pair, number in thrown.items())


def held(one: int, two: int) -> int:
    """Return how many of all deals of six hold two given cards, times the pairs of cards of two
    ranks."""
    return comb(50, 4) * (comb(4, 2) if one == two else 16)


def settle(
    respond: Callable[[Role, Chances], Chances], tell: Callable[[str], object]
) -> tuple[Chances, Chances, int]:
    """Return the converged probabilities of dealer and pone, and the number of rounds.

    Raises:
        RuntimeError: if it does not converge.
    """
    dealer = pone = (1 / comb(6, 2),) * len(PAIRS)
    for number in range(1, _MOST_ROUNDS + 1):
        best = respond("dealer", pone), respond("pone", dealer)
        away = max(map(distance, (dealer, pone), best))
        tell(f"round {number}: {away:.5f} away\n")
        if away <= SETTLED:
            return dealer, pone, number
        dealer, pone = map(halfway, (dealer, pone), best)
    raise RuntimeError(f"the chances do not settle in {_MOST_ROUNDS} rounds")


def distance(one: Chances, two: Chances) -> float:
    """Return the largest difference between corresponding probabilities."""
    return max(abs(a - b) for a, b in zip(one, two, strict=True))


def halfway(one: Chances, two: Chances) -> Chances:
    """Return the mean of two sets of probabilities, rounded to UNITs."""
    return tuple(round(UNIT * (a + b) / 2) / UNIT for a, b in zip(one, two, strict=True))


def as_json(dealer: Chances, pone: Chances, rounds: int) -> str:
    """Return the contents of the file, one pair of ranks per line."""
    sides = {
        role: {"unit": UNIT}
        | {pair_name(*pair): round(UNIT * chance) for pair, chance in zip(PAIRS, side, strict=True)}
        for role, side in (("dealer", dealer), ("pone", pone))
    }
    about = (
        f"How often each side throws two cards of these ranks when it holds them, in {UNIT}ths; "
        f"made by python -m tools.throw_chances in {rounds} rounds"
    )
    return json.dumps({"about": about, **sides}, indent=1) + "\n"


if __name__ == "__main__":
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        sys.stdout.write(as_json(*settle(partial(best_response, pool=pool), sys.stderr.write)))
