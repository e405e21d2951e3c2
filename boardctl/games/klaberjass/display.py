"""The display of Klaberjass: its situation, and what the board shows.

Source: docs/rules/board-mapping.md.
"""

from __future__ import annotations

from typing import Literal

from boardctl.games import Note, Scoreboard, Situation
from boardctl.games.klaberjass.deal import TRICKS, Deal
from boardctl.games.klaberjass.state import State, over, result


def phase(deal: Deal) -> Literal["bid", "declare", "play"]:
    """The phase that a deal has reached."""
    if deal.maker is None:
        return "bid"
    return "play" if deal.declarations.stage == "settled" or deal.counted else "declare"


def turn(deal: Deal) -> int | None:
    """The seat that is to speak or play."""
    if deal.maker is None:
        return deal.younger if deal.passes % 2 else deal.elder
    if deal.counted:
        return 1 if deal.counts[0] is None else 2
    return deal.younger if deal.declarations.stage in ("declared", "top") else deal.turn


def readouts(deal: Deal) -> tuple[Note, ...]:
    """Trump, maker, tricks left and whose lead it is, for the display."""
    notes = []
    if deal.trump is not None:
        notes.append(Note("trump", {"suit": deal.trump.letter}))
    if deal.maker is not None:
        notes.append(Note("maker", {"seat": deal.maker}))
        notes.append(Note("tricks-left", {"tricks": TRICKS - len(deal.plays) // 2}))
        if not deal.counted and deal.lead is None:
            notes.append(Note("lead", {"seat": deal.turn}))
    return tuple(notes)


def situation(state: State) -> Situation:
    """The game's situation."""
    deal, sheet = state.deal, state.sheet
    if over(state):
        return Situation("over", dealer=sheet.dealer)
    if deal is None:
        return Situation("deal" if sheet.dealer else "cut", dealer=sheet.dealer)
    trump = None if deal.trump is None else deal.trump.letter
    return Situation(phase(deal), turn(deal), sheet.dealer, trump=trump)


def scoreboard(state: State) -> Scoreboard:
    """What the board shows."""
    sheet, outcome = state.sheet, result(state)
    target = int(sheet.setup.options["target"])
    unit = next(u for u in range(1, target) if target % u == 0 and target <= 100 * u)
    deal = state.deal
    return Scoreboard(
        sheet.standings,
        unit=unit,
        goal=target // unit,
        dealer=sheet.dealer,
        turn=None if deal is None else turn(deal),
        winner=outcome.winner,
        over=outcome.state != "unfinished",
        readouts=() if deal is None else readouts(deal),
    )
