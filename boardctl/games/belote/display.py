"""The display of Belote: phase and readouts of a deal."""

from __future__ import annotations

from boardctl.games import Note
from boardctl.games.belote.deal import Deal
from boardctl.games.belote.state import State


def phase(deal: Deal) -> str:
    """The phase that a deal has reached."""
    if not deal.bidding.over:
        return "bid"
    return "play" if deal.led or deal.declared or deal.counted else "declare"


def readouts(state: State) -> tuple[Note, ...]:
    """Trump, taker and bid, tricks left, and points carried over."""
    notes = []
    deal = state.deal
    if deal is not None:
        bid, times = deal.contract
        if deal.trump is not None:
            notes.append(Note("trump", {"suit": deal.trump.letter}))
        if deal.bidding.taker is not None:
            notes.append(Note("taker", {"seat": deal.bidding.taker}))
        if bid:
            notes.append(Note("contract", {"bid": bid, "times": times}))
        if deal.bidding.over:
            left = deal.whole_hand - len(deal.full_tricks)
            notes.append(Note("tricks-left", {"tricks": left}))
    if state.held:
        notes.append(Note("held", {"points": state.held}))
    return tuple(notes)
