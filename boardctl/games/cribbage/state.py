"""The state of a game of cribbage, and how points change it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from boardctl.games import Award, Move, Outcome, put
from boardctl.games.common import referee
from boardctl.games.common.referee import ScoreSheet, won_at_target
from boardctl.games.cribbage.claims import Claim
from boardctl.games.cribbage.deal import Deal
from boardctl.games.cribbage.form import Form
from boardctl.games.cribbage.point_claims import Readings


class Said(NamedTuple):
    """The last line of the play, for the spoken count in `display`."""

    move: Move
    before: int
    """The count before the line."""
    awards: tuple[Award, ...]
    """The points pegged for it."""


class State(NamedTuple):
    """A game of cribbage; a deal stays until the next begins, in its phase `done`."""

    sheet: ScoreSheet
    form: Form
    readings: Readings
    """What points entered may have been for."""
    base: tuple[int, ...]
    """The scores that the deal began with, with corrections agreed since."""
    deal: Deal | None = None
    claims: tuple[Claim, ...] = ()
    """The open windows."""
    winner: int = 0
    """The side that has won, 0 if none has yet."""
    said: Said | None = None
    """The last line, if it was part of the play."""

    @property
    def target(self) -> int:
        return self.form.target

    @property
    def dealing(self) -> bool:
        """Whether a deal is in progress."""
        return self.deal is not None and self.deal.phase != "done"

    @property
    def over(self) -> bool:
        sheet = self.sheet
        return self.winner != 0 or sheet.resigned is not None or sheet.abandoned

    @property
    def won_unless_called(self) -> int:
        """The side whose claim reaches the target once its window closes, 0 if there is none."""
        if self.winner:
            return 0
        for claim in self.claims:
            side = self.form.setup.side(claim.seat)
            if claim.reaches and self.sheet.scores[side - 1] >= self.form.target:
                return side
        return 0


_STATE: Final[Callable[[type[State], tuple[Any, ...]], State]] = tuple.__new__


def peg(
    state: State, awards: tuple[Award, ...], deal: Deal | None, said: Said | None = None
) -> State:
    """The state after a line that may have changed the deal and earned awards; written out for
    speed, since most lines come through here. The first side they bring to the target wins, unless
    it got there by a claim whose window is still open."""
    sheet, form, readings, base, _, claims, winner, _ = state
    if awards:
        sheet = referee.earn(sheet, awards)
    after = _STATE(State, (sheet, form, readings, base, deal, claims, winner, said))
    if winner or (awards and max(sheet.scores) >= form.target):
        return settle(after)
    return after


def settle(state: State) -> State:
    """The state with its winner: the side that reached the target and is still at or above it.
    By option its score stops at the target (`cap_final_score`)."""
    scores, target = state.sheet.scores, state.form.target
    if max(scores) < target:
        return state._replace(winner=0)
    winner = state.winner
    if not winner or scores[winner - 1] < target:
        open_side = state._replace(winner=0).won_unless_called
        reached = [
            side for side, points in enumerate(scores, 1) if points >= target and side != open_side
        ]
        winner = max(reached, key=lambda side: scores[side - 1], default=0)
    sheet = state.sheet
    if winner and state.form.cap:
        sheet = sheet._replace(scores=put(scores, winner, target))
    return state._replace(sheet=sheet, winner=winner)


def outcome(state: State) -> Outcome:
    """How the game ended (6.2, 6.3, 9.3)."""
    return won_at_target(state.sheet, state.winner, state.form.skunk, state.form.double_skunk)
