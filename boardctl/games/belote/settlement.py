"""The settlement: what each side scores in a deal. Source: docs/rules/belote.md 7, 8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

ALL: Final = 162
"""The trick points of a four-handed deal, including the last trick."""
CAPOT_BONUS: Final = {"252": 90, "250": 88, "off": 0}
"""The bonus for winning all tricks, in addition to the ten for the last."""

Pair = tuple[int, int]
Result = Literal["made", "failed", "litige"]


@dataclass(frozen=True, slots=True)
class Points:
    """The points of both sides in a deal, the attack first.

    tricks: including the last trick and the bonus for all tricks. declared, belote: in points.
    all_to: 0 if the attack has won every trick, 1 if the defence has, otherwise None.
    """

    tricks: Pair
    declared: Pair = (0, 0)
    belote: Pair = (0, 0)
    all_to: int | None = None

    def of(self, part: int) -> int:
        return self.tricks[part] + self.declared[part] + self.belote[part]


@dataclass(frozen=True, slots=True)
class Custom:
    """The table's options that affect the settlement."""

    counts: str = "all"
    tie: str = "litige"
    declarations_kept: bool = False
    belote_kept: bool = True
    failed_taken: bool = False
    all_doubled: bool = False
    must_exceed: bool = True
    surcoinche: int = 4


class Settled(NamedTuple):
    """How a deal ended, what attack and defence score, and the points carried over to the next deal
    (litige)."""

    result: Result
    scored: Pair
    held: int = 0


def _weighed(points: Points, custom: Custom) -> Pair:
    """The totals that decide whether the contract is made (option contract_counts)."""
    parts = [points.tricks]
    if custom.counts != "cards":
        parts.append(points.belote)
    if custom.counts == "all":
        parts.append(points.declared)
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def turned(points: Points, custom: Custom) -> Settled:
    """Settle a deal with a turned card (7)."""
    mine, theirs = _weighed(points, custom)
    if points.all_to == 0 or (mine > theirs and points.all_to is None):
        return Settled("made", (points.of(0), points.of(1)))
    if mine == theirs and points.all_to is None and custom.tie != "inside":
        held = points.tricks[0] + points.declared[0] if custom.tie == "litige" else 0
        return Settled("litige", (points.belote[0], points.of(1)), held)
    return Settled("failed", _failed(points, custom, sum(points.tricks)))


def _failed(points: Points, custom: Custom, tricks: int) -> Pair:
    """A failed contract: the defence takes everything except the attack's belote, unless an option
    says otherwise."""
    kept = points.declared[0] if custom.declarations_kept else 0
    mine = kept + points.belote[0]
    theirs = tricks + points.declared[1] + points.belote[1] + points.declared[0] - kept
    return _belote_lost(mine, theirs, points.belote[0], custom)


def _belote_lost(mine: int, theirs: int, belote: int, custom: Custom) -> Pair:
    """By option, a side that scores nothing else loses its belote too."""
    if belote and mine == belote and not custom.belote_kept:
        return 0, theirs + belote
    return mine, theirs


def coinche(points: Points, custom: Custom, bid: int, capot: bool, doubled: int) -> Settled:
    """Settle a deal of Coinche (8).

    Args:
        capot: all tricks were bid.
        doubled: 1, 2, or 4 after `surcoinche`.
    """
    mine, theirs = _weighed(points, custom)
    made = points.all_to == 0
    if not capot and points.all_to is None:
        made = mine >= bid and (mine > theirs or not custom.must_exceed)
    result: Result = "made" if made else "failed"
    if doubled == 1:
        if made:
            return Settled(result, (points.of(0) + bid, points.of(1)))
        tricks = _failed_tricks(points, custom, capot)
        lost, won = _failed(points, custom, tricks)
        return Settled(result, (lost, won + bid))
    winner = 0 if made else 1
    times = custom.surcoinche if doubled > 2 else 2
    tricks = sum(points.tricks) if made else _failed_tricks(points, custom, capot)
    own = points.declared[winner] + points.belote[winner]
    other = points.declared[1 - winner]
    kept = other if custom.declarations_kept else 0
    base = (tricks + bid) * times if custom.all_doubled else tricks + bid * times
    loser, best = _belote_lost(
        kept + points.belote[1 - winner],
        base + own + other - kept,
        points.belote[1 - winner],
        custom,
    )
    return Settled(result, (best, loser) if made else (loser, best))


def _failed_tricks(points: Points, custom: Custom, capot: bool) -> int:
    """Trick points that the defence scores for a failed contract (option failed_tricks)."""
    if custom.failed_taken and (capot or points.all_to == 1):
        return ALL + 90
    return ALL


def rounded(points: int) -> int:
    """Round to the nearest ten; a five rounds up (7.5)."""
    return (points + 5) // 10 * 10
