"""What a game of Costly Colours looks like: where it stands, and what the board shows."""

from __future__ import annotations

from boardctl.games import Line, Note, Scoreboard, Situation
from boardctl.games.common.prompts import next_cutter
from boardctl.games.costly_colours.state import State, outcome


def situation(state: State) -> Situation:
    deal, dealer = state.deal, state.sheet.dealer
    if outcome(state).state != "unfinished":
        return Situation("over", dealer=dealer)
    if deal is None:
        if dealer is None:
            return Situation("cut", turn=next_cutter(state.sheet))
        return Situation("deal", dealer=dealer)
    if deal.phase == "play":
        count = None if deal.by_points else deal.table.total
        return Situation("play", deal.table.due or None, dealer, count)
    turn = None
    if deal.phase == "mog":
        turn = state.eldest if deal.mog.given[state.eldest - 1] is None else state.dealer
    elif deal.phase == "show":
        turn = (state.eldest, state.dealer)[deal.called]
    return Situation(deal.phase, turn, dealer)


def scoreboard(state: State) -> Scoreboard:
    now, ended = situation(state), outcome(state)
    return Scoreboard(
        state.sheet.standings,
        goal=state.target,
        lines=(Line("skunk", state.skunk),) if state.skunk else (),
        dealer=now.dealer,
        turn=now.turn,
        winner=ended.winner,
        over=ended.state != "unfinished",
        readouts=() if ended.state != "unfinished" else _readouts(state, now.count),
    )


def _readouts(state: State, count: int | None) -> tuple[Note, ...]:
    """The count, and what each side has to go."""
    notes = [] if count is None else [Note("count", {"count": count})]
    notes += [
        Note("to-go", {"side": side, "points": max(0, state.target - points)})
        for side, points in enumerate(state.scores, 1)
    ]
    return tuple(notes)
