"""The display of Costly Colours: its situation, and what the board shows."""

from __future__ import annotations

from boardctl.games import Scoreboard, Situation
from boardctl.games.common import race
from boardctl.games.costly_colours.state import Deal, State


def situation(state: State) -> Situation:
    def turn(deal: Deal) -> int | None:
        if deal.phase == "mog":
            return state.eldest if deal.mog.given[state.eldest - 1] is None else state.dealer
        return state.order()[deal.called] if deal.phase == "show" else None

    return race.situation(state, turn)


def scoreboard(state: State) -> Scoreboard:
    return race.scoreboard(state, situation(state))
