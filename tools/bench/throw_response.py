"""The best response to level 5's throws at 0 to 0: the maximum points per deal that these throws
can lose.

    python -m tools.bench.throw_response [--hands N] [--seed S] > docs/throw-response.jsonl

Level 5 throws from N random hands in each role. This gives the share of each pair of ranks. A
responder, who knows these shares, throws for the most points from hand, crib and average play. The
shares are a sample, and the best response also profits from its errors. Therefore the response to
one half of the hands is tested on the other half: the gain within one half is too large, and the
gain across the halves too small. The effect of throws on the play is not included.
docs/throw-response.jsonl contains a row for each role, which docs/notes/strength.md summarizes
(`tools.bot_page`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Final, NamedTuple

from boardctl.bot.advice import PAIRS, Chances, Unseen
from boardctl.bot.cribbage import Player
from boardctl.bot.tables import DEALER, PONE
from boardctl.bot.throwing import averages

ROWS: Final = Path(__file__).parents[2] / "docs" / "throw-response.jsonl"
Six = tuple[int, ...]
Two = tuple[int, int]


class Row(NamedTuple):
    """The gain of a responder per deal in one role, in points: within the sample and across its
    halves, each with half the width of its 95 % interval."""

    seed: int
    hands: int
    role: int
    within: float
    within_half: float
    across: float
    across_half: float


def ranks(two: Sequence[int]) -> Two:
    """Return the ranks of two cards, the lower first."""
    one, other = sorted(card % 13 for card in two)
    return one, other


def shares(hands: Sequence[Six], thrown: Sequence[Two]) -> Chances:
    """Return how often each pair of ranks was thrown when it was held."""
    held = Counter(ranks(two) for six in hands for two in combinations(six, 2))
    gone = Counter(map(ranks, thrown))
    return tuple(gone[pair] / held[pair] if held[pair] else 0.0 for pair in PAIRS)


def gains(six: Six, role: int, own: Two, opponents: Sequence[Chances]) -> list[list[float]]:
    """Return, for each response and each opponent, the points gained over level 5's own throw.

    Args:
        six: the responder's hand.
        role: PONE or DEALER.
        own: the cards that level 5 throws.
        opponents: by half, the shares of the opponent's throws.
    """
    sign = 1 if role == DEALER else -1
    found = averages(six, role)
    values = []
    for opponent in opponents:
        unseen = Unseen(six, opponent)
        values.append([one.hand + one.play + sign * unseen.crib(*one.cards) for one in found])
    usual = next(n for n, one in enumerate(found) if set(one.cards) == set(own))
    best = [max(range(len(found)), key=some.__getitem__) for some in values]
    return [[some[chosen] - some[usual] for some in values] for chosen in best]


def measured(seed: int, count: int) -> list[Row]:
    """Measure both roles."""
    player = Player(5, seed)
    hands: dict[int, list[Six]] = {}
    thrown: dict[int, list[Two]] = {}
    for role in (PONE, DEALER):
        random = Random(repr((seed, role)))
        hands[role] = [tuple(random.sample(range(52), 6)) for _ in range(count)]
        thrown[role] = [player.throw(six, role, 0, 0, six) for six in hands[role]]
    found = []
    for role in (PONE, DEALER):
        other, half = 1 - role, count // 2
        opponents = [
            shares(hands[other][part], thrown[other][part])
            for part in (slice(half), slice(half, None))
        ]
        within, across = [], []
        for six, own in zip(hands[role], thrown[role], strict=True):
            (one, cross), (back, two) = gains(six, role, own, opponents)
            within.append((one + two) / 2)
            across.append((cross + back) / 2)
        figures = [
            round(figure, 4)
            for some in (within, across)
            for figure in (mean(some), 1.96 * stdev(some) / sqrt(count))
        ]
        found.append(Row(seed, count, role, *figures))
    return found


def rows() -> list[Row]:
    """Return the stored rows."""
    return [Row(**json.loads(line)) for line in ROWS.read_text("utf-8").splitlines()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a row for each role."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    for row in measured(chosen.seed, chosen.hands):
        print(json.dumps(row._asdict()))


if __name__ == "__main__":
    main()
