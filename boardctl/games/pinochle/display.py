"""The display of Pinochle for three or four: phase, turn and readouts of a deal."""

from __future__ import annotations

from boardctl.games import Note
from boardctl.games.pinochle.deal import Deal


def phase(deal: Deal) -> str:
    """The phase that a deal has reached."""
    if not deal.bidding.over:
        return "bid"
    if deal.trump is None:
        waits = deal.seats == 3 and deal.widow is None
        return "widow" if waits else "trump"
    if deal.led or deal.counted:
        return "play"
    if not any(melded is not None for melded in deal.melded):
        return "meld"
    return "discard" if deal.seats == 3 and deal.discards is None else "play"


def turn(deal: Deal) -> int | None:
    """The seat that is to bid, play, or decide."""
    now = phase(deal)
    return deal.bidding.due if now == "bid" else deal.turn if now == "play" else deal.bidder


def readouts(deal: Deal | None) -> tuple[Note, ...]:
    """Trump, bidder and bid, tricks left."""
    if deal is None:
        return ()
    notes = []
    if deal.trump is not None:
        notes.append(Note("trump", {"suit": deal.trump.letter}))
    if deal.bidder is not None:
        notes.append(Note("bidder", {"seat": deal.bidder, "bid": deal.bidding.bid}))
    if deal.bidding.over:
        notes.append(Note("tricks-left", {"tricks": deal.whole_hand - len(deal.full_tricks)}))
    return tuple(notes)
