"""The auction of three and four hands. Source: docs/rules/pinochle-3-4.md 3."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from boardctl.games import IllegalMove

STEP: Final = 10


@dataclass(frozen=True, slots=True)
class Bidding:
    """The progress of the auction. bid, bidder: the highest so far. passed: who has passed."""

    eldest: int
    seats: int
    least: int
    bid: int = 0
    bidder: int | None = None
    passed: frozenset[int] = frozenset()
    last: int = 0

    @property
    def fresh(self) -> Bidding:
        """The auction before the first bid."""
        return Bidding(self.eldest, self.seats, self.least)

    @property
    def due(self) -> int:
        """The seat whose turn it is to bid."""
        seat = self.last % self.seats + 1 if self.last else self.eldest
        while seat in self.passed:
            seat = seat % self.seats + 1
        return seat

    @property
    def passed_out(self) -> bool:
        return len(self.passed) == self.seats

    @property
    def over(self) -> bool:
        """Whether only one bidder is left."""
        return self.bidder is not None and len(self.passed) == self.seats - 1

    @property
    def lowest(self) -> int:
        """The lowest bid that is now allowed."""
        return max(self.least, self.bid + STEP)


def say(bidding: Bidding, seat: int, points: int | None) -> Bidding:
    """`N bid POINTS` or, with None, `N bid pass`.

    Raises:
        IllegalMove: `bidding-over`, `passed-already`, `out-of-turn`, `not-a-bid`, `bid-too-low`.
    """
    if bidding.over:
        raise IllegalMove("bidding-over", maker=bidding.bidder, trump=None)
    if seat in bidding.passed:
        raise IllegalMove("passed-already", seat=seat)
    if seat != bidding.due:
        raise IllegalMove("out-of-turn", seat=seat, turn=bidding.due)
    if points is None:
        return replace(bidding, passed=bidding.passed | {seat}, last=seat)
    if points % STEP or points < bidding.least:
        raise IllegalMove("not-a-bid", said=str(points), least=bidding.least, why="points")
    if points <= bidding.bid:
        raise IllegalMove("bid-too-low", said=str(points), least=bidding.lowest)
    return replace(bidding, bid=points, bidder=seat, last=seat)


def held_to_it(bidding: Bidding, dealer: int) -> Bidding:
    """Make the dealer bid the minimum if all have passed (option all_pass)."""
    others = frozenset(range(1, bidding.seats + 1)) - {dealer}
    return replace(bidding, bid=bidding.least, bidder=dealer, passed=others)
