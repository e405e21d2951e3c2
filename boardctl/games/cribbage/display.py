"""The display of a game of cribbage: situation, board, and what is said aloud.

Nothing here reveals the true value of a claim whose window is open.
"""

from __future__ import annotations

from boardctl.games import Line, Note, Situation
from boardctl.games.common.referee import next_cutter, to_go
from boardctl.games.common.series import THIRTY_ONE, VALUE
from boardctl.games.cribbage.state import State


def situation(state: State) -> Situation:
    sheet, _, _, _, deal, _, winner, _ = state
    dealer = sheet.dealer
    if winner or sheet.abandoned or sheet.resigned is not None:
        return Situation("over", dealer=dealer)
    if deal is None or deal.phase == "done":
        if dealer is None:
            return Situation("cut", turn=next_cutter(sheet))
        return Situation("deal", dealer=dealer)
    phase = deal.phase
    if phase == "play":  # asked for more often than all other phases together
        table = deal.table
        count = None if deal.by_points else table.total
        return Situation(phase, table.due or None, dealer, count, None)
    return Situation(phase, turn(state), dealer)


def turn(state: State) -> int | None:
    """The seat that is to discard or show, outside the play; None if there is none."""
    deal, form, dealer = state.deal, state.form, state.sheet.dealer
    if deal is None or dealer is None:
        return None
    order = form.order(dealer)
    match deal.phase:
        case "discard":
            return next(seat for seat in order if not deal.table.discarded[seat - 1])
        case "show":
            return order[deal.counted]
        case "crib":
            return dealer
        case _:
            return None


def lines(state: State) -> tuple[Line, ...]:
    """The skunk lines that are played."""
    form = state.form
    both = Line("skunk", form.skunk), Line("double-skunk", form.double_skunk)
    return tuple(line for line in both if line.hole)


def readouts(state: State) -> tuple[Note, ...]:
    """What is said aloud, the count, each side's points to go, who is ahead, who is behind the
    skunk line."""
    form, scores = state.form, state.sheet.scores
    notes = _said(state)
    deal = state.deal
    if deal is not None and deal.phase == "play" and not deal.by_points:
        notes.append(Note("count", {"count": deal.table.total}))
    if state.over:
        return tuple(notes)
    if state.won_unless_called:
        notes.append(Note("won-unless-called", {"side": state.won_unless_called}))
    notes += to_go(scores, form.target)
    best = max(scores)
    second = sorted(scores)[-2]
    if best > second:
        side = scores.index(best) + 1
        notes.append(Note("ahead", {"side": side, "points": best - second}))
    for side, points in enumerate(scores, 1):
        if points < form.skunk <= best:
            holes = form.skunk - points
            notes.append(Note("behind-skunk", {"side": side, "holes": holes}))
    return tuple(notes)


def _said(state: State) -> list[Note]:
    """What is said with the last card: the running count and its points (those claimed, if claims
    are pegged), or go; one for last."""
    if state.said is None:
        return []
    move, before, awards = state.said
    notes = []
    if move.verb == "go":
        notes.append(Note("said-go", {"seat": move.seat}))
    else:
        value = VALUE[move.cards[0].rank]
        count = before + value if before + value <= THIRTY_ONE else value
        points = sum(a.points for a in awards if a.seat == move.seat and a.reason != "last-card")
        if points:  # “fifteen for two”, else “twenty-two”
            notes.append(Note("said", {"count": count, "points": points}))
        else:
            notes.append(Note("said-count", {"count": count}))
    notes += [
        Note("said-last", {"seat": award.seat}) for award in awards if award.reason == "last-card"
    ]
    return notes
