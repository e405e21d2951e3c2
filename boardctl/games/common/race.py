"""Games that are won at the moment a side reaches the target, in any phase of a deal.

Sources: docs/rules/noddy.md 5, docs/rules/costly-colours.md 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from boardctl.games import (
    Award,
    IllegalMove,
    Line,
    Move,
    Note,
    Outcome,
    Played,
    Scoreboard,
    Situation,
    table_rules,
)
from boardctl.games.common import to_31
from boardctl.games.common.prompts import next_cutter
from boardctl.games.common.referee import GameState, Referee, won_at_target


@dataclass(frozen=True, slots=True)
class RaceState(GameState):
    """The state of a game. `winner` is the side that has won, 0 if none has yet."""

    winner: int = 0

    @property
    def skunk(self) -> int:
        """A loser below this score loses two games: less than half the target."""
        return (self.target + 1) // 2 if self.option("skunk") == "on" else 0

    def order(self) -> tuple[int, ...]:
        """The seats in order from eldest to the dealer."""
        seats, dealer = len(self.setup.seats), self.sheet.dealer or 1
        return tuple((dealer + n) % seats + 1 for n in range(seats))


R = TypeVar("R", bound=RaceState)


def outcome(state: RaceState) -> Outcome:
    return won_at_target(state.sheet, state.winner, state.skunk)


class RaceReferee(Referee[R]):
    """A referee for games whose deals are played on a `to_31.Table`."""

    def outcome(self, state: R) -> Outcome:
        return outcome(state)

    def begun(self, deal: Any) -> bool:
        begun: bool = deal.begun
        return begun

    def scored(self, state: R, awards: tuple[Award, ...]) -> R:
        """The first side to reach the target wins: points are scored one award at a time."""
        winner, scores = state.winner, list(state.scores)
        for award in awards:
            side = state.setup.side(award.seat)
            scores[side - 1] += award.points
            if not winner and scores[side - 1] >= state.target:
                winner = side
        return replace(state, sheet=table_rules.earn(state.sheet, awards), winner=winner)

    def on(self, state: R, verb: str) -> Any:
        """The current deal. Raises IllegalMove `no-deal`."""
        if state.deal is None:
            raise IllegalMove("no-deal", verb=verb)
        return state.deal

    def _hand(self, state: R, move: Move) -> Played[R]:
        """`N hand CARD…`, before the starter."""
        deal = self.on(state, "hand")
        if deal.phase != "starter":
            raise IllegalMove("too-late", what="hand", why="starter")
        assert move.seat is not None
        table = to_31.tell_hand(deal.table, move.seat, move.cards)
        return Played(replace(state, deal=replace(deal, table=table)))

    def _adjust(self, state: R, move: Move) -> Played[R]:
        played = super()._adjust(state, move)
        return Played(_settled(played.state), played.awards)

    def _misdeal(self, state: R, move: Move) -> Played[R]:
        played = super()._misdeal(state, move)
        return Played(_settled(played.state), played.awards)


def _settled(state: R) -> R:
    """The state with its winner after scores were corrected: the side that reached the target and
    is still at or above it."""
    scores, winner = state.scores, state.winner
    if winner and scores[winner - 1] >= state.target:
        return state
    best = max(scores)
    return replace(state, winner=scores.index(best) + 1 if best >= state.target else 0)


def situation(state: RaceState, turn: Callable[[Any], int | None]) -> Situation:
    """The game's situation. `turn` returns the seat due in a deal, outside its play."""
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
    return Situation(deal.phase, turn(deal), dealer)


def scoreboard(state: RaceState, now: Situation) -> Scoreboard:
    """The scoreboard: one hole per point, with the count and each side's points to go as
    readouts."""
    ended = outcome(state)
    over = ended.state != "unfinished"
    notes = [] if now.count is None else [Note("count", {"count": now.count})]
    notes += [
        Note("to-go", {"side": side, "points": max(0, state.target - points)})
        for side, points in enumerate(state.scores, 1)
    ]
    return Scoreboard(
        state.sheet.standings,
        goal=state.target,
        lines=(Line("skunk", state.skunk),) if state.skunk else (),
        dealer=now.dealer,
        turn=now.turn,
        winner=ended.winner,
        over=over,
        readouts=() if over else tuple(notes),
    )
