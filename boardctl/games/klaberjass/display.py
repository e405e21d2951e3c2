"""The display of Klaberjass: phase, turn and readouts of a deal."""

from __future__ import annotations

from boardctl.games import Note
from boardctl.games.klaberjass.deal import IN_HAND, Deal


def phase(deal: Deal) -> str:
    """The phase that a deal has reached."""
    if not deal.bidding.over:
        return "bid"
    return "play" if deal.declarations.stage == "settled" or deal.counted else "declare"


def turn(deal: Deal) -> int:
    """The seat that is to speak or play."""
    if not deal.bidding.over:
        return deal.bidding.due
    if deal.counted:
        return 1 if deal.counts[0] is None else 2
    return deal.younger if deal.declarations.stage in ("declared", "top") else deal.turn


def readouts(deal: Deal | None) -> tuple[Note, ...]:
    """Trump, maker, tricks left and whose lead it is."""
    if deal is None:
        return ()
    notes = []
    if deal.trump is not None:
        notes.append(Note("trump", {"suit": deal.trump.letter}))
    if deal.bidding.taker is not None:
        notes.append(Note("maker", {"seat": deal.bidding.taker}))
        notes.append(Note("tricks-left", {"tricks": IN_HAND - len(deal.full_tricks)}))
        if not deal.counted and not deal.trick:
            notes.append(Note("lead", {"seat": deal.turn}))
    return tuple(notes)
