"""The display of Klaberjass: phase, turn and contract of a deal."""

from __future__ import annotations

from boardctl.games import Note
from boardctl.games.klaberjass.deal import Deal


def phase(deal: Deal) -> str:
    """The phase that a deal has reached after its bidding."""
    return "play" if deal.declarations.stage == "settled" or deal.counted else "declare"


def turn(deal: Deal) -> int:
    """The seat that is to speak or play."""
    if deal.counted:
        return 1 if deal.counts[0] is None else 2
    return deal.younger if deal.declarations.stage in ("declared", "top") else deal.turn


def contract(deal: Deal) -> tuple[Note, ...]:
    """The maker."""
    maker = deal.bidding.taker
    return () if maker is None else (Note("maker", {"seat": maker}),)


def lead(deal: Deal | None) -> tuple[Note, ...]:
    """Whose lead it is."""
    if deal is None or not deal.bidding.over or deal.counted or deal.trick:
        return ()
    return (Note("lead", {"seat": deal.turn}),)
