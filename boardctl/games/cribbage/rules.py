"""The phases of cribbage. Sources: rules/cribbage.md; seeds 000, 001, 002.

The state tells scores only so far: the first slice of the referee pegs told points, knows the
target and the skunk line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from boardctl.games import (
    Award,
    Game,
    IllegalMove,
    Line,
    Move,
    Option,
    Outcome,
    Played,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
    Verb,
    etiquette,
)
from boardctl.games.etiquette import Sheet


@dataclass(frozen=True, slots=True)
class State:
    """A game of cribbage; `sheet` holds scores and dealer."""

    sheet: Sheet


class Cribbage(Game[State]):
    """Six-card cribbage for two."""

    name = "cribbage"
    seats = (2,)
    options = (
        Option("target", "121", numbers=range(31, 122)),
        Option("deal_draw", "high", ("high", "low")),
        Option("skunk", "on", ("on", "off")),
        etiquette.NEXT_GAME_DEALER,
    )
    verbs = (Verb("peg", numbers=(1, 1), words=("heels", "play", "go", "hand", "crib", "show")),)

    def begin(self, setup: Setup) -> State:
        return State(etiquette.open_sheet(setup))

    def play(self, state: State, move: Move) -> Played[State]:
        sheet = state.sheet
        etiquette.check_seat(sheet, move)
        if self.outcome(state).state != "unfinished" and move.verb != "adjust":
            raise IllegalMove("game-over")
        awards: tuple[Award, ...] = ()
        match move.verb:
            case "start":
                sheet = etiquette.start(sheet, move)
            case "dealer":
                sheet = etiquette.name_dealer(sheet, move)
            case "cut":
                sign = 1 if sheet.setup.options["deal_draw"] == "high" else -1
                sheet = etiquette.cut(sheet, move, lambda rank: sign * rank)
            case "deal":
                sheet = etiquette.deal(sheet)
            case "adjust":
                sheet, awards = etiquette.adjust(sheet, move)
            case "resign" | "abandon":
                sheet = etiquette.give_up(sheet, move)
            case "peg":
                (points,) = move.numbers
                if points > 29 or points in (19, 25, 26, 27):
                    raise IllegalMove("impossible-points", points=points)
                assert move.seat is not None
                awards = (Award(move.seat, points, "told"),)
                sheet = etiquette.earn(sheet, awards if points else ())
            case _:
                raise IllegalMove("not-in-this-game", verb=move.verb, game=self.name)
        return Played(replace(state, sheet=sheet), awards)

    def _target(self, state: State) -> int:
        return int(state.sheet.setup.options["target"])

    def prompt(self, state: State) -> Prompt:
        if self.outcome(state).state != "unfinished":
            return Prompt()
        return Prompt(pegs=tuple(range(1, len(state.sheet.setup.seats) + 1)))

    def situation(self, state: State) -> Situation:
        over = self.outcome(state).state != "unfinished"
        return Situation("over" if over else "play", dealer=state.sheet.dealer)

    def scoreboard(self, state: State) -> Scoreboard:
        sheet = state.sheet
        outcome = self.outcome(state)
        lines = (Line("skunk", 91),) if sheet.setup.options["skunk"] == "on" else ()
        return Scoreboard(
            sheet.standings,
            goal=self._target(state),
            lines=lines,
            dealer=sheet.dealer,
            winner=outcome.winner,
            over=outcome.state != "unfinished",
        )

    def outcome(self, state: State) -> Outcome:
        given_up = etiquette.given_up(state.sheet)
        if given_up is not None:
            return given_up
        scores = state.sheet.scores
        if max(scores) < self._target(state):
            return Outcome("unfinished", scores, won=(0, 0), lost=(0, 0))
        winner = max(range(2), key=lambda side: scores[side])
        games = 2 if scores[1 - winner] < 91 and state.sheet.setup.options["skunk"] == "on" else 1
        won = tuple(games if side == winner else 0 for side in range(2))
        return Outcome("won", scores, winner + 1, won, won[::-1], "skunk" if games == 2 else "game")

    def first_dealer(self, state: State) -> int | None:
        return state.sheet.first_dealer
