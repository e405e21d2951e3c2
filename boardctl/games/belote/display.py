"""The display of Belote: phase and contract of a deal."""

from __future__ import annotations

from boardctl.games import Note
from boardctl.games.belote.deal import Deal


def phase(deal: Deal) -> str:
    """The phase that a deal has reached after its bidding."""
    return "play" if deal.led or deal.declared or deal.counted else "declare"


def contract(deal: Deal) -> tuple[Note, ...]:
    """Taker and bid."""
    taker, (bid, times) = deal.bidding.taker, deal.contract
    notes = () if taker is None else (Note("taker", {"seat": taker}),)
    return (*notes, Note("contract", {"bid": bid, "times": times})) if bid else notes
