"""The display of Belote: its situation, and what the board shows."""

from __future__ import annotations

from boardctl.games import Line, Note, Scoreboard, Situation
from boardctl.games.belote.deal import TRICKS, Deal, letter_of
from boardctl.games.belote.state import State, outcome


def phase(deal: Deal) -> str:
    """The phase that a deal has reached."""
    if not deal.bidding.over:
        return "bid"
    return "play" if deal.led or deal.declared or deal.counted else "declare"


def situation(state: State) -> Situation:
    deal, dealer = state.deal, state.sheet.dealer
    if outcome(state).state != "unfinished":
        return Situation("over", dealer=dealer)
    if deal is None:
        return Situation("deal" if dealer else "cut", dealer=dealer)
    bidding = deal.bidding
    more = {
        "taker": bidding.taker,
        "bid": bidding.bid or None,
        "doubled": bidding.doubled,
    }
    turn = deal.turn if bidding.over else bidding.due
    return Situation(phase(deal), turn, dealer, trump=letter_of(deal.trump), more=more)


def scoreboard(state: State) -> Scoreboard:
    sheet, ended = state.sheet, outcome(state)
    unit = state.target // 100
    name = "skunk" if state.option("double_win_below_half") == "on" else "half"
    now = situation(state)
    return Scoreboard(
        sheet.standings,
        unit=unit,
        goal=100,
        lines=(Line(name, 50),),
        dealer=sheet.dealer,
        turn=now.turn,
        winner=ended.winner,
        over=ended.state != "unfinished",
        readouts=_readouts(state),
    )


def _readouts(state: State) -> tuple[Note, ...]:
    """Trump, taker and bid, tricks left, and points carried over."""
    notes = []
    deal = state.deal
    if deal is not None:
        bidding = deal.bidding
        if bidding.trump is not None:
            notes.append(Note("trump", {"suit": bidding.trump.letter}))
        if bidding.taker is not None:
            notes.append(Note("taker", {"seat": bidding.taker}))
        if bidding.bid:
            notes.append(Note("contract", {"bid": bidding.bid, "times": bidding.doubled}))
        if bidding.over:
            notes.append(Note("tricks-left", {"tricks": TRICKS[deal.seats] - len(deal.tricks)}))
    if state.held:
        notes.append(Note("held", {"points": state.held}))
    return tuple(notes)
