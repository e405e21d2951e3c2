"""The state of a three- or four-handed game of Pinochle, and the scoring of a deal.

Source: docs/rules/pinochle-3-4.md 6, 7, 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from boardctl.games import Award, Note, Played
from boardctl.games.common.by_deal import ByDealState, ended
from boardctl.games.pinochle.deal import Deal
from boardctl.games.pinochle.melds import ALL, LAST_TRICK, PACK


class Share(NamedTuple):
    """The results of a side in a deal: the points for melds, counters and the last trick, and
    whether the side has won a trick. With three players, the bidder's counters include the
    discards."""

    melds: int
    counters: int
    last: int
    won: bool

    @property
    def total(self) -> int:
        return self.melds + self.counters + self.last


def weighed(
    shares: Sequence[Share], side: int, bid: int, options: Mapping[str, str], *, conceded: bool
) -> tuple[bool, tuple[Share, ...], int]:
    """Settle a deal between partners (6.1) or three players (6.2, 6.3).

    A side's melds count only if it has won a trick. The exceptions are conceded deals, and the
    bidder in a game for three.

    Args:
        shares: the results of each side.
        side: the bidding side.
        bid: the points of the bid.
        options: the options of the table.
        conceded: whether the bidder conceded the deal.

    Returns:
        Whether the bid is made, the score of each side, and the cost of a failed bid. A side that
        fails scores nothing else.
    """
    alone = len(shares) == 3
    others = options["others_score"] if alone else "melds_and_tricks"
    kept = []
    for at, share in enumerate(shares, 1):
        tricks, melded = others != "nothing", share.won and others == "melds_and_tricks"
        if conceded:
            tricks, melded = False, at != side and others == "melds_and_tricks"
        elif at == side:
            tricks, melded = True, share.won or alone
        last = share.last * tricks
        kept.append(Share(share.melds * melded, share.counters * tricks, last, share.won))
    made = not conceded and kept[side - 1].total >= bid
    if made or (alone and options["failed"] == "zero"):
        return made, tuple(kept), 0
    double = alone and not conceded and options["double_bete"] == "on"
    return made, tuple(kept), bid * 2 if double else bid


@dataclass(frozen=True, slots=True)
class State(ByDealState):
    """The state of a three- or four-handed game of Pinochle."""

    deal: Deal | None = None
    third: tuple[int, int] | None = None
    """The side whose count follows when two of three counts have been entered, with that count, or
    None."""
    bidder: int | None = None
    """The side that bid in the previous deal and is counted first, or None."""


def shares(deal: Deal) -> tuple[Share, ...]:
    """Return the results of each side in a deal whose tricks were entered, either as cards or as
    counts."""
    found = []
    for side in range(1, deal.sides + 1):
        melded = deal.meld_points(side)
        counted = deal.counts[side - 1]
        if counted is not None:
            won = counted > 0 or (deal.sides == 2 and deal.trickless != side)
            found.append(Share(melded, counted, 0, won))
            continue
        points = deal.trick_points()[side - 1]
        if deal.bidder == side and deal.sides == 3:
            # The cards laid away are the cards that nobody played, seen or unseen.
            every = deal.spec.copies * sum(map(deal.worth, PACK))
            points += every - sum(deal.worth(card) for _, card in deal.plays)
        last = LAST_TRICK if deal.over and deal.side(deal.winners[-1]) == side else 0
        found.append(Share(melded, points, last, side in deal.winning_sides))
    return tuple(found)


def settle(state: State, deal: Deal) -> Played[State]:
    """Score a deal once its last line has been entered."""
    bidder, bid = deal.bidder, deal.bidding.bid
    assert bidder is not None
    side = deal.side(bidder)
    found = shares(deal)
    made, kept, price = weighed(found, side, bid, deal.options, conceded=deal.conceded)
    awards: list[Award] = []
    for at, share in enumerate(kept, 1):
        if at != side or made:
            fixed = at == side and deal.sides == 3 and deal.options["bidder_scores"] == "bid"
            awards += [Award(at, bid, "settlement")] if fixed else _awards(at, share)
    if price and state.option("below_zero") == "off":
        price = max(0, min(price, state.scores[side - 1]))
    if price:
        awards.append(Award(side, -price, "settlement"))
    fields = {"seat": bidder, "bid": bid, "made": kept[side - 1].total}
    notes = [Note("bid-made" if made else "bid-lost", fields)]
    if not deal.conceded:
        notes += _trick_notes(deal, found, side)
    return ended(replace(state, bidder=side), awards, notes)


def _awards(side: int, share: Share) -> list[Award]:
    """Return a side's awards, one for each component of its results."""
    parts = (share.melds, "melds"), (share.counters, "counters"), (share.last, "last-trick")
    return [Award(side, points, reason) for points, reason in parts if points]


def _trick_notes(deal: Deal, found: Sequence[Share], side: int) -> list[Note]:
    """Return the notes about melds that do not count because their side has not won a trick.

    Args:
        deal: the deal.
        found: the results of each side.
        side: the bidding side.
    """
    none = [at for at, share in enumerate(found, 1) if not share.won and share.melds]
    notes = [Note("no-trick", {"side": at}) for at in none if deal.sides == 2 or at != side]
    # If the other side has all 250 points, this side may still have taken a trick, which its melds
    # require.
    all_told = [at for at in (1, 2) if deal.sides == 2 and deal.counts[2 - at] == ALL]
    taken = [at for at in all_told if found[at - 1].won and found[at - 1].melds]
    return [*notes, *(Note("trick-assumed", {"side": at}) for at in taken)]
