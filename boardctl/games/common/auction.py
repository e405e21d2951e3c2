"""Auctions: the turns of the bidders, the end of the bidding, and the resulting contract.

A game derives from `Auction` and defines its bids. Sources: docs/rules/klaberjass.md 3,
docs/rules/belote.md 3, docs/rules/pinochle-3-4.md 3.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Final, Self

from boardctl.games import IllegalMove, Move
from boardctl.games.cards import Suit

STEP: Final = 10
"""The smallest step between two bids of points."""


@dataclass(frozen=True, slots=True)
class Auction:
    """The auction so far."""

    eldest: int
    """The seat that speaks first."""
    seats: int
    least: int = 0
    """The lowest first bid of points."""
    last: int = 0
    """The seat that spoke last, or 0 if nobody has spoken."""
    passes: int = 0
    """The number of passes. If a pass is not final, only passes since the last bid count."""
    gone: frozenset[int] = frozenset()
    """The seats that may no longer bid."""
    taker: int | None = None
    """The seat with the highest bid: the maker in Klaberjass, or the bidder in Pinochle."""
    bid: int = 0
    """The points bid, or 0 if no points were bid."""
    doubled: int = 1
    """The multiplier for the points of the deal: 2 after a double, or 4 after a redouble."""
    trump: Suit | None = None
    """The trump suit, or None if no bid has named it."""

    @property
    def fresh(self) -> Self:
        """The same auction, as it was before the first bid."""
        return type(self)(self.eldest, self.seats, self.least)

    @property
    def bidder(self) -> int:
        """The seat whose turn it is to bid."""
        seat = self.last % self.seats + 1 if self.last else self.eldest
        while seat in self.gone:
            seat = seat % self.seats + 1
        return seat

    @property
    def lowest(self) -> int:
        """The lowest number of points that may be bid now."""
        return max(self.least, self.bid + STEP)

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the bidding is over and a seat has taken the deal."""

    @property
    def passed_out(self) -> bool:
        """Whether the auction ended without a taker."""
        return self.taker is None and self.passes == self.seats

    def check_due(self, seat: int) -> None:
        """Raise IllegalMove (`bidding-over`, `passed-already` or `out-of-turn`) unless this seat
        may bid."""
        if self.over:
            trump = None if self.trump is None else self.trump.letter
            raise IllegalMove("bidding-over", maker=self.taker, trump=trump)
        if seat in self.gone:
            raise IllegalMove("passed-already", seat=seat)
        if seat != self.bidder:
            raise IllegalMove("out-of-turn", seat=seat, turn=self.bidder)

    @abstractmethod
    def say(self, move: Move) -> Self:
        """Make a bid: `N bid …`."""
