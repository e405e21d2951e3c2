"""What each side scores in a deal of three or four hands. Source: docs/rules/pinochle-3-4.md 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Custom:
    """The table's options for the settlement of three hands."""

    bid_only: bool = False
    failed_zero: bool = False
    double_bete: bool = False
    others: str = "melds_and_tricks"


class Share(NamedTuple):
    """A side's results of a deal: points of melds, of counters (for the bidder of three including
    the discards) and of the last trick, and whether it has won a trick."""

    melds: int
    counters: int
    last: int
    won: bool

    @property
    def total(self) -> int:
        return self.melds + self.counters + self.last


def four(
    shares: Sequence[Share], bidding_side: int, bid: int
) -> tuple[bool, tuple[Share, ...], int]:
    """Settle a partnership deal (6.1): whether the bid is made, what each side scores, and what a
    failed bid costs the bidding side, which then scores nothing else."""
    kept = tuple(s if s.won else Share(0, s.counters, s.last, False) for s in shares)
    made = kept[bidding_side - 1].total >= bid
    return made, kept, 0 if made else bid


def three(
    shares: Sequence[Share], bidder: int, bid: int, custom: Custom
) -> tuple[bool, tuple[Share, ...], int]:
    """Settle an auction deal (6.2): the same results; the bidder's melds need no trick."""
    kept = []
    for seat, share in enumerate(shares, 1):
        if seat == bidder:
            kept.append(share)
        elif custom.others == "nothing":
            kept.append(Share(0, 0, 0, share.won))
        elif custom.others == "tricks" or not share.won:
            kept.append(Share(0, share.counters, share.last, share.won))
        else:
            kept.append(share)
    made = shares[bidder - 1].total >= bid
    price = 0 if made or custom.failed_zero else bid * (2 if custom.double_bete else 1)
    return made, tuple(kept), price


def conceded(
    shares: Sequence[Share], bidder: int, bid: int, custom: Custom
) -> tuple[tuple[int, ...], int]:
    """Settle a conceded hand (6.3): each other player's melds, and what the bid costs."""
    others = custom.others == "melds_and_tricks"
    melds = tuple(
        share.melds if others and seat != bidder else 0 for seat, share in enumerate(shares, 1)
    )
    return melds, 0 if custom.failed_zero else bid
