"""Playoffs: qualifiers, pairings and byes. Pure.

The rules are those of the American Cribbage Congress, “Playoff Brackets and Byes”
(cribbage.org/rules/playoffbracket.asp). A quarter of the entrants, rounded up, qualify. The size of
the bracket is the next power of two. The highest qualifiers get the byes. The pairings are in the
order of the chart in that document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Match(NamedTuple):
    """A pairing in a bracket. Without a second player, the first player has a bye."""

    one: str
    two: str | None


def qualifiers(entrants: int) -> int:
    """Return how many of this number of entrants qualify."""
    return -(-entrants // 4)


def rounds(qualified: int) -> int:
    """Return the number of rounds in a bracket for this number of players."""
    return (qualified - 1).bit_length()


def bracket(qualified: Sequence[str]) -> tuple[Match, ...]:
    """Return the first round for at least two players, who are given best first. The matches are
    listed from top to bottom of the bracket.
    """
    matches = []
    order = _order(2 ** rounds(len(qualified)))
    for first, second in zip(order[::2], order[1::2], strict=True):
        better, worse = sorted((first, second))
        two = qualified[worse - 1] if worse <= len(qualified) else None
        matches.append(Match(qualified[better - 1], two))
    return tuple(matches)


def onward(winners: Sequence[str]) -> tuple[Match, ...]:
    """Return the next round, given the winners of a round in the order of its matches."""
    return tuple(Match(a, b) for a, b in zip(winners[::2], winners[1::2], strict=True))


def _order(size: int) -> list[int]:
    """Return the seeds of a full bracket from top to bottom: 1, 8, 5, 4, 3, 6, 7, 2."""
    order = [1]
    while len(order) < size:
        double = 2 * len(order) + 1
        order = [
            seed
            for place, better in enumerate(order)
            for seed in ((double - better, better) if place % 2 else (better, double - better))
        ]
    return order
