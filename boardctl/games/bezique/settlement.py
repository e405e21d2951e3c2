"""The settlement of the great Beziques: one deal is one game, and the rubicon doubles its price.

Sources: docs/rules/rubicon-bezique.md 8 and 9, docs/rules/six-pack-bezique.md 7 and 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BRISQUE: Final = 10
"""The value of an ace or a ten when brisques count."""


@dataclass(frozen=True, slots=True)
class Rubicon:
    """How a game of one deal is settled, in points.

    line: a loser below it is rubiconed. bonus: added to the difference. price: added to the sum if
    the loser is rubiconed. brisques: whether they may break a tie or save the rubicon. below_100:
    the extra price of a loser below 100.
    """

    line: int
    bonus: int
    price: int
    brisques: bool
    below_100: int = 0


@dataclass(frozen=True, slots=True)
class Settlement:
    """The value of the game. `winner` is a seat, None for a tie; `counted` is true if brisques were
    added for both sides."""

    winner: int | None
    value: int
    rubiconed: bool
    counted: bool


def settle(
    rubicon: Rubicon, points: tuple[int, int], brisques: tuple[int, int], *, claimed: bool = False
) -> Settlement:
    """Settle a deal.

    Brisques count if they break a tie, if they save the loser, or if they are `claimed` anyway; if
    they count for one side, they count for both. Points below 100 only decide who wins.
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
