"""The display of Pinochle for three or four: its situation, and what the board shows."""

from __future__ import annotations

from boardctl.games import Note, Scoreboard, Situation, Standing
from boardctl.games.pinochle import deal as cards
from boardctl.games.pinochle.deal import HAND, Deal
from boardctl.games.pinochle.state import State, outcome


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


def situation(state: State) -> Situation:
    deal, dealer = state.deal, state.sheet.dealer
    if outcome(state).state != "unfinished":
        return Situation("over", dealer=dealer)
    if deal is None:
        return Situation("deal" if dealer else "cut", dealer=dealer)
    now = phase(deal)
    if now == "bid":
        turn: int | None = deal.bidding.due
    elif now == "play":
        turn = cards.turn(deal, bidder_leads=state.bidder_leads)
    else:
        turn = deal.bidder
    trump = None if deal.trump is None else deal.trump.letter
    more = {"bidder": deal.bidder, "bid": deal.bidding.bid or None}
    return Situation(now, turn, dealer, trump=trump, more=more)


def scoreboard(state: State) -> Scoreboard:
    sheet, ended = state.sheet, outcome(state)
    return Scoreboard(
        tuple(Standing(*pair) for pair in zip(sheet.scores, sheet.before, strict=True)),
        unit=state.target // 100,
        goal=100,
        dealer=sheet.dealer,
        turn=situation(state).turn,
        winner=ended.winner,
        over=ended.state != "unfinished",
        readouts=_readouts(state.deal),
    )


def _readouts(deal: Deal | None) -> tuple[Note, ...]:
    """Trump, bidder and bid, tricks left."""
    if deal is None:
        return ()
    notes = []
    if deal.trump is not None:
        notes.append(Note("trump", {"suit": deal.trump.letter}))
    if deal.bidder is not None:
        notes.append(Note("bidder", {"seat": deal.bidder, "bid": deal.bidding.bid}))
    if deal.bidding.over:
        notes.append(Note("tricks-left", {"tricks": HAND[deal.seats] - len(deal.full_tricks)}))
    return tuple(notes)
