"""The state of a game of cribbage, and how points change it."""

from __future__ import annotations

from typing import NamedTuple

from boardctl.games import Award, Move, Outcome, table_rules
from boardctl.games.cribbage.claims import Claim
from boardctl.games.cribbage.deal import Deal
from boardctl.games.cribbage.form import Form
from boardctl.games.cribbage.point_claims import Readings
from boardctl.games.table_rules import ScoreSheet


class Said(NamedTuple):
    """The last line of the play, for the spoken count in `display`: the count before it, and the
    points pegged for it."""

    move: Move
    before: int
    awards: tuple[Award, ...]


class State(NamedTuple):
    """A game of cribbage; `sheet` holds scores and dealer.

    deal: the deal that the last `deal` line began, None before one and after a misdeal. base: the
    scores it began with, including corrections agreed since. readings: what points entered may have
    been for. claims: the open windows. winner: the side that has won, 0 if none has yet. said: the
    last line, if it was part of the play, otherwise None.
    """

    sheet: ScoreSheet
    form: Form
    readings: Readings
    base: tuple[int, ...]
    deal: Deal | None = None
    claims: tuple[Claim, ...] = ()
    winner: int = 0
    said: Said | None = None

    @property
    def dealing(self) -> bool:
        """Whether a deal is in progress."""
        return self.deal is not None and self.deal.phase != "done"

    @property
    def given_up(self) -> bool:
        return self.sheet.abandoned or self.sheet.resigned is not None

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


def with_deal(state: State, deal: Deal) -> State:
    """The state after a line that only entered cards of the deal."""
    sheet, form, readings, base, _, claims, winner, said = state
    return State(sheet, form, readings, base, deal, claims, winner, said)


def score(state: State, awards: tuple[Award, ...]) -> State:
    """The state after awards of the deal. The first side they bring to the target wins, unless it
    got there by a claim whose window is still open."""
    return peg(state, awards, state.deal, None)


def peg(state: State, awards: tuple[Award, ...], deal: Deal | None, said: Said | None) -> State:
    """The state after a line that changed the deal and earned awards; written out for speed, since
    most lines come through here."""
    sheet, form, readings, base, _, claims, winner, _ = state
    if awards:
        sheet = table_rules.earn(sheet, awards)
    after = State(sheet, form, readings, base, deal, claims, winner, said)
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
    if winner and state.form.cap:
        scores = tuple(
            target if side == winner else points for side, points in enumerate(scores, 1)
        )
        state = state._replace(sheet=state.sheet._replace(scores=scores))
    return state._replace(winner=winner)


def outcome(state: State) -> Outcome:
    """How the game ended: the winner by 1, 2 or 4 games, each loser by its own margin; with three
    players the winner wins the least of these (6.2, 6.3, 9.3)."""
    form, scores = state.form, state.sheet.scores
    if state.given_up:
        given_up = table_rules.given_up(state.sheet)
        assert given_up is not None
        return given_up
    if not state.winner:
        nothing = (0,) * form.sides
        return Outcome("unfinished", scores, won=nothing, lost=nothing)
    lost = tuple(
        0 if side == state.winner else games_lost(form, points)
        for side, points in enumerate(scores, 1)
    )
    won = min(games for side, games in enumerate(lost, 1) if side != state.winner)
    return Outcome(
        "won",
        scores,
        state.winner,
        won=tuple(won if side == state.winner else 0 for side in range(1, form.sides + 1)),
        lost=lost,
        margin="double-skunk" if won == 4 else "skunk" if won == 2 else "game",
    )


def games_lost(form: Form, points: int) -> int:
    """What a loser's score costs: 4 games below the double skunk line, 2 below the skunk line."""
    if points < form.double_skunk:
        return 4
    return 2 if points < form.skunk else 1
