"""The display of Noddy: its situation, and what the board shows."""

from __future__ import annotations

from boardctl.games import Scoreboard, Situation
from boardctl.games.common import race
from boardctl.games.noddy.state import Deal, State


def situation(state: State) -> Situation:
    def turn(deal: Deal) -> int | None:
        return state.order()[deal.called] if deal.at == "show" else None

    return race.situation(state, turn)


def scoreboard(state: State) -> Scoreboard:
    return race.scoreboard(state, situation(state))
