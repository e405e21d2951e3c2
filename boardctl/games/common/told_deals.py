"""Games scored by the deal, in which a deal may be entered by its cards or by its points only.

`N peg POINTS` enters what one side scored in a deal whose cards are not entered; the deal is over
when the points of every side have been entered. Source: docs/notation.md; docs/rules/belote.md
10.5, pinochle-3-4.md 8.4.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from boardctl.games import Award, IllegalMove, Move, Played, table_rules
from boardctl.games.common.referee import GameState, Referee


@dataclass(frozen=True, slots=True)
class ToldState(GameState):
    """The state of a game; `told` are points of the deal entered by `peg`, by side."""

    told: tuple[int | None, ...] = (None, None)

    @property
    def half_told(self) -> bool:
        """Whether the points of some sides, but not all, have been entered for the deal."""
        return any(points is not None for points in self.told)

    @property
    def nothing_told(self) -> tuple[int | None, ...]:
        return (None,) * len(self.told)


def check_told(state: ToldState) -> None:
    """Raise IllegalMove `points-due` if other sides' points of the deal must be entered first."""
    if state.half_told:
        raise IllegalMove("points-due", seat=state.told.index(None) + 1)


def deal_on(state: ToldState, verb: str) -> Any:
    """The current deal.

    Raises:
        IllegalMove: `points-due`, `no-deal`.
    """
    check_told(state)
    if state.deal is None:
        raise IllegalMove("no-deal", verb=verb)
    return state.deal


T = TypeVar("T", bound=ToldState)


class ToldReferee(Referee[T]):
    """A referee for games scored by the deal."""

    @abstractmethod
    def check_points(self, state: T, side: int, points: int) -> None:
        """Raise IllegalMove `impossible-points` if a side cannot score these points in a deal."""

    def gained(self, state: T, side: int, points: int) -> int:
        """What a side's score changes by when these points are entered for the deal."""
        return points

    @abstractmethod
    def deal_told(self, state: T, told: tuple[int, ...]) -> T:
        """The state after a deal for which all sides' points were entered."""

    def check_deal(self, state: T) -> Played[T]:
        check_told(state)
        return super().check_deal(state)

    def close(self, state: T) -> Played[T]:
        """End the deal: a side whose points were not entered scores none."""
        if not state.half_told:
            return Played(state)
        return Played(replace(state, deal=None, told=state.nothing_told))

    def _dealer(self, state: T, move: Move) -> Played[T]:
        check_told(state)
        return super()._dealer(state, move)

    def _misdeal(self, state: T, move: Move) -> Played[T]:
        played = super()._misdeal(state, move)
        return Played(replace(played.state, told=state.nothing_told), played.awards)

    def _deal_unsaid(self, state: T) -> T:
        """The state in which a deal is being played that no `deal` began: the deal passes on as it
        does otherwise, if it is known whose it is."""
        ready = self.check_deal(state).state
        if ready.sheet.dealer is None:
            return ready
        return replace(ready, sheet=table_rules.deal(ready.sheet))

    def _peg(self, state: T, move: Move) -> Played[T]:
        """`N peg POINTS`: what a side scored in a deal whose cards are not entered."""
        (points,) = move.numbers
        assert move.seat is not None
        side = state.setup.side(move.seat)
        if state.deal is not None and self.begun(state.deal):
            raise IllegalMove("told-by-cards")
        if state.told[side - 1] is not None:
            check_told(state)
        self.check_points(state, side, points)
        if state.deal is None and not state.half_told:
            state = self._deal_unsaid(state)
        gained = self.gained(state, side, points)
        awards = (Award(side, gained, "told"),) if gained else ()
        after = self.scored(state, awards)
        told = tuple(points if at == side else old for at, old in enumerate(state.told, 1))
        whole = tuple(points for points in told if points is not None)
        if len(whole) < len(told):
            return Played(replace(after, told=told), awards)
        ended = replace(after, deal=None, told=state.nothing_told)
        return Played(self.deal_told(ended, whole), awards)
