"""What each side scores in a deal of three or four hands. Source: docs/rules/pinochle-3-4.md 6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


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
    shares: Sequence[Share], bidder: int, bid: int, options: Mapping[str, str]
) -> tuple[bool, tuple[Share, ...], int]:
    """Settle an auction deal (6.2): the same results; the bidder's melds need no trick."""
    kept = []
    for seat, share in enumerate(shares, 1):
        if seat == bidder:
            kept.append(share)
        elif options["others_score"] == "nothing":
            kept.append(Share(0, 0, 0, share.won))
        elif options["others_score"] == "tricks" or not share.won:
            kept.append(Share(0, share.counters, share.last, share.won))
        else:
            kept.append(share)
    made = shares[bidder - 1].total >= bid
    price = bid * 2 if options["double_bete"] == "on" else bid
    return made, tuple(kept), 0 if made or options["failed"] == "zero" else price


def conceded(
    shares: Sequence[Share], bidder: int, bid: int, options: Mapping[str, str]
) -> tuple[tuple[int, ...], int]:
    """Settle a conceded hand (6.3): each other player's melds, and what the bid costs."""
    others = options["others_score"] == "melds_and_tricks"
    melds = tuple(
        share.melds if others and seat != bidder else 0 for seat, share in enumerate(shares, 1)
    )
    return melds, 0 if options["failed"] == "zero" else bid
