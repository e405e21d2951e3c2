"""Twenty: a game in a single file, to show that no other code need know it.

The dealer's pone begins; each in turn takes one to six points; twenty wins. Two points per hole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from boardctl.games import (
    Ask,
    Award,
    Game,
    IllegalMove,
    Line,
    Move,
    Note,
    Option,
    Outcome,
    Played,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
    Verb,
    table_rules,
)
from boardctl.games.table_rules import ScoreSheet


@dataclass(frozen=True, slots=True)
class State:
    """The score sheet, and whose turn it is once somebody has dealt."""

    sheet: ScoreSheet
    turn: int | None = None


class Toy(Game[State]):
    """Twenty."""

    name = "toy"
    seats = (2, 3)
    options = (Option("most", "6", numbers=range(2, 7)), table_rules.NEXT_GAME_DEALER)
    verbs = (Verb("take", numbers=(1, 1)), Verb("peg", numbers=(1, 1)))

    def begin(self, setup: Setup) -> State:
        return State(table_rules.open_score_sheet(setup))

    def play(self, state: State, move: Move) -> Played[State]:
        sheet = state.sheet
        table_rules.check_seat(sheet, move)
        if self.outcome(state).state != "unfinished" and move.verb != "adjust":
            raise IllegalMove("game-over")
        match move.verb:
            case "start":
                return Played(replace(state, sheet=table_rules.start(sheet, move, 20)))
            case "cut":
                return Played(replace(state, sheet=table_rules.cut(sheet, move, int)))
            case "dealer" if state.turn is None:
                return Played(replace(state, sheet=table_rules.name_dealer(sheet, move)))
            case "deal" if state.turn is None:
                dealt = table_rules.deal(sheet)
                return Played(State(dealt, sheet.setup.after(dealt.dealer or 1)))
            case "adjust":
                adjusted, awards = table_rules.adjust(sheet, move)
                return Played(replace(state, sheet=adjusted), awards)
            case "resign" | "abandon":
                return Played(replace(state, sheet=table_rules.give_up(sheet, move)))
            case "take" | "peg" if move.seat is not None:
                return self._take(state, move, move.seat)
        raise IllegalMove("not-now", verb=move.verb)

    def _take(self, state: State, move: Move, seat: int) -> Played[State]:
        (points,) = move.numbers
        if not 1 <= points <= int(state.sheet.setup.options["most"]):
            raise IllegalMove("impossible-points", points=points)
        if move.verb == "take" and seat != state.turn:
            raise IllegalMove("not-your-turn", seat=seat)
        awards = (Award(seat, points, "told"),)
        after = state.sheet.setup.after(seat) if move.verb == "take" else state.turn
        return Played(State(table_rules.earn(state.sheet, awards), after), awards)

    def prompt(self, state: State) -> Prompt:
        if self.outcome(state).state != "unfinished":
            return Prompt()
        seats = tuple(range(1, len(state.sheet.setup.seats) + 1))
        if state.turn is not None:
            most = int(state.sheet.setup.options["most"])
            move = Move("take", state.turn)
            return Prompt((Ask("take", "number", move, least=1, most=most),), seats)
        if state.sheet.dealer is not None:
            return Prompt((Ask("deal", "confirm", Move("deal")),), seats)
        dealers = tuple(Move("dealer", numbers=(seat,)) for seat in seats)
        return Prompt((Ask("dealer", "choice", Move("dealer"), choices=dealers),), seats)

    def situation(self, state: State) -> Situation:
        if self.outcome(state).state != "unfinished":
            return Situation("over", dealer=state.sheet.dealer)
        phase = "play" if state.turn else "deal" if state.sheet.dealer else "cut"
        return Situation(phase, state.turn, state.sheet.dealer)

    def scoreboard(self, state: State) -> Scoreboard:
        outcome = self.outcome(state)
        return Scoreboard(
            state.sheet.standings,
            unit=2,
            goal=10,
            lines=(Line("half", 6),),
            dealer=state.sheet.dealer,
            turn=state.turn,
            winner=outcome.winner,
            over=outcome.state != "unfinished",
            readouts=(Note("highest", {"points": max(state.sheet.scores)}),),
        )

    def outcome(self, state: State) -> Outcome:
        given_up = table_rules.given_up(state.sheet)
        if given_up is not None:
            return given_up
        scores = state.sheet.scores
        best = scores.index(max(scores))
        won = tuple(int(side == best and scores[side] >= 20) for side in range(len(scores)))
        lost = tuple(int(any(won)) - one for one in won)
        if not any(won):
            return Outcome("unfinished", scores, won=won, lost=won)
        return Outcome("won", scores, best + 1, won, lost, "game")

    def first_dealer(self, state: State) -> int | None:
        return state.sheet.first_dealer


GAME = Toy()
