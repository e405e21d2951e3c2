"""Twenty: a game in a single file, which shows that no other code need know it.

The dealer's pone begins. The players take turns of one to six points, and twenty wins. Two points
per hole.
"""

from __future__ import annotations

from dataclasses import dataclass

from boardctl.games import (
    Ask,
    Award,
    IllegalMove,
    Kind,
    Line,
    Move,
    Note,
    Option,
    Outcome,
    Played,
    Prompt,
    Setup,
    Situation,
    Verb,
)
from boardctl.games.cards import Card, Rank
from boardctl.games.common.referee import (
    NEXT_GAME_DEALER,
    GameState,
    Referee,
    between_deals,
    open_score_sheet,
    undecided,
    won,
)


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal without cards, which has only a turn."""

    turn: int

    @property
    def begun(self) -> bool:
        return True

    def held_by(self, seat: int) -> tuple[Card, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class State(GameState):
    """The score sheet, and the deal once somebody has dealt."""

    deal: Deal | None = None

    @property
    def target(self) -> int:
        return 20


class Toy(Referee[State, Deal]):
    """Twenty."""

    name = "toy"
    seats = (2, 3)
    options = (Option("most", "6", numbers=range(2, 7)), NEXT_GAME_DEALER)
    verbs = (Verb("take", numbers=(1, 1)), Verb("peg", numbers=(1, 1), kind=Kind.POINTS))

    def begin(self, setup: Setup) -> State:
        return State(open_score_sheet(setup))

    def cut_strength(self, state: State, rank: Rank) -> int:
        return int(rank)

    def new_deal(self, state: State) -> Deal:
        return Deal(state.setup.after(state.sheet.dealer or 1))

    def _take(self, state: State, move: Move) -> Played[State]:
        if move.player != self.current_deal(state, "take").turn:
            raise IllegalMove("not-your-turn", seat=move.player)
        played = self._peg(state, move)
        following = Deal(state.setup.after(move.player))
        return Played(played.state._replace(deal=following), played.awards)

    def _peg(self, state: State, move: Move) -> Played[State]:
        (points,) = move.numbers
        if not 1 <= points <= int(state.option("most")):
            raise IllegalMove("impossible-points", points=points)
        awards = (Award(move.player, points, "told"),)
        return Played(self.scored(state, awards), awards)

    def prompt(self, state: State) -> Prompt:
        if self.outcome(state).state != "unfinished":
            return Prompt()
        seats = tuple(range(1, len(state.setup.seats) + 1))
        if state.deal is not None:
            most = int(state.option("most"))
            move = Move("take", state.deal.turn)
            return Prompt((Ask("take", "number", move, least=1, most=most),), seats)
        return Prompt(between_deals(state.sheet), seats)

    def situation(self, state: State) -> Situation:
        if self.outcome(state).state != "unfinished":
            return Situation("over", dealer=state.sheet.dealer)
        turn = state.deal.turn if state.deal else None
        phase = "play" if turn else "deal" if state.sheet.dealer else "cut"
        return Situation(phase, turn, state.sheet.dealer)

    def holes(self, state: State) -> tuple[int, int]:
        return 2, 10

    def lines(self, state: State) -> tuple[Line, ...]:
        return (Line("half", 6),)

    def readouts(self, state: State) -> tuple[Note, ...]:
        return (Note("highest-score", {"points": max(state.scores)}),)

    def decided(self, state: State) -> Outcome:
        scores, best = state.scores, max(state.scores)
        return won(scores, scores.index(best) + 1) if best >= 20 else undecided(scores)


GAME = Toy()
