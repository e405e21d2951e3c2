"""The settlement of the great Beziques: one deal is one game, and the rubicon doubles its price.

Sources: docs/rules/rubicon-bezique.md 8 and 9, docs/rules/six-pack-bezique.md 7 and 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BRISQUE: Final = 10
"""What an ace or a ten is worth where brisques count."""


@dataclass(frozen=True, slots=True)
class Rubicon:
    """How a game of one deal is settled, in points.

    line: a loser below it is rubiconed. bonus: added to the difference. price: added to the sum
    where the loser is rubiconed. brisques: whether they may break a tie or save the rubicon.
    below_100: what a loser below 100 costs more.
    """

    line: int
    bonus: int
    price: int
    brisques: bool
    below_100: int = 0


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the game is worth: `winner` is a seat, None for a tie; `counted` tells that brisques
    were added to both sides."""

    winner: int | None
    value: int
    rubiconed: bool
    counted: bool


def settle(
    rubicon: Rubicon, points: tuple[int, int], brisques: tuple[int, int], *, claimed: bool = False
) -> Settlement:
    """The settlement of a deal.

    Brisques count where they break a tie, where they save the loser, or where they are `claimed`
    nevertheless; if one side's count, both do. Points below 100 only decide who wins.
    """
    counted = False
    if rubicon.brisques and any(brisques):
        low, least = min(zip(points, brisques, strict=True))
        saves = low < rubicon.line <= low + BRISQUE * least
        counted = claimed or points[0] == points[1] or saves
    if counted:
        points = (points[0] + BRISQUE * brisques[0], points[1] + BRISQUE * brisques[1])
    if points[0] == points[1]:
        return Settlement(None, 0, rubiconed=False, counted=counted)
    winner = 1 if points[0] > points[1] else 2
    lost = min(points)
    high, low = max(points) // 100 * 100, lost // 100 * 100
    rubiconed = lost < rubicon.line
    value = high + low + rubicon.price if rubiconed else high - low + rubicon.bonus
    if lost < 100:
        value += rubicon.below_100
    return Settlement(winner, value, rubiconed=rubiconed, counted=counted)
