"""The display of Pinochle for three or four: phase, turn and contract of a deal."""

from __future__ import annotations

from boardctl.games import Note
from boardctl.games.pinochle.deal import Deal


def phase(deal: Deal) -> str:
    """The phase that a deal has reached after its bidding."""
    if deal.trump is None:
        waits = deal.seats == 3 and deal.widow is None
        return "widow" if waits else "trump"
    if deal.led or deal.counted:
        return "play"
    if not any(melded is not None for melded in deal.melded):
        return "meld"
    return "discard" if deal.seats == 3 and deal.discards is None else "play"


def turn(deal: Deal) -> int | None:
    """The seat that is to play, or decide."""
    return deal.turn if phase(deal) == "play" else deal.bidder


def contract(deal: Deal) -> tuple[Note, ...]:
    """Bidder and bid."""
    if deal.bidder is None:
        return ()
    return (Note("bidder", {"seat": deal.bidder, "bid": deal.bidding.bid}),)
