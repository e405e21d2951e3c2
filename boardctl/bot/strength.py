"""Playing strength: the average loss of winning chance per decision.

This module does not import the search, so that a league's hub can use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

ENOUGH: Final = 100
"""The minimum number of judged decisions to compare players."""


class Strength(NamedTuple):
    """The average loss of winning chance per decision."""

    decisions: int
    loss: float
    half: float | None
    """Half the width of the 95 % interval of the loss, or None for a single decision."""
    enough: bool
    """Whether the sample is large enough to compare players."""


def of_costs(costs: Sequence[float]) -> Strength:
    """Compute the strength from the cost of each decision. Raises ValueError if there are no
    decisions."""
    return of_sums(len(costs), sum(costs), sum(cost * cost for cost in costs))


def of_sums(decisions: int, loss: float, squares: float) -> Strength:
    """Compute the strength from sums.

    Args:
        decisions: the number of judged decisions.
        loss: the sum of the costs of these decisions. A cost of 1 is a whole game.
        squares: the sum of the squares of these costs.

    Raises:
        ValueError: if no decision was judged.
    """
    if not decisions:
        raise ValueError("no decision was judged")
    mean = loss / decisions
    if decisions == 1:
        return Strength(1, mean, None, False)
    variance = max(0.0, (squares - loss * mean) / (decisions - 1))
    half = 1.96 * sqrt(variance / decisions)
    return Strength(decisions, mean, half, decisions >= ENOUGH and half < mean)
