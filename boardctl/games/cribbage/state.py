"""A game of cribbage: its form, its deal, and how points change its score.

Deal and state are tuples of plain values, so that making the next one after a line is fast.
Sources: docs/rules/cribbage.md 3, 6, 8 to 10.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from boardctl.games import Award, Move, Outcome, Setup, put
from boardctl.games.cards import Card
from boardctl.games.common import referee
from boardctl.games.common.referee import ScoreSheet, won_at_target
from boardctl.games.common.to_31 import Table

DISCARDS: Final = {2: 2, 3: 1, 4: 1}
"""Cards that each player discards, by number of seats."""

CRIB: Final = 4
"""The number of cards in the crib, in every form."""

SKUNK: Final = 30
"""The distance of the skunk line from the target: 91 of 121, 31 of 61 (6.2)."""

DOUBLE_SKUNK: Final = 60
"""The distance of the double skunk line from the target: 61 of 121 (6.3)."""


class Form:
    """One game's form: cards, target and options, computed once from the setup."""

    def __init__(self, setup: Setup, *, five: bool) -> None:
        options = setup.options
        self.setup = setup
        self.five = five
        self.seats = len(setup.seats)
        self.discards = DISCARDS[self.seats]
        self.keep = 3 if five else 4
        """The number of cards of a hand that are played and counted."""
        self.dealt = self.keep + self.discards
        self.straight = self.seats == 3
        """Whether a card is dealt straight to the crib (9.1)."""
        self.target = int(options["target"])
        self.muggins = options["muggins"]
        self.crib_as_hand = options["crib_flush"] == "as_hand"
        self.three_for_last = options.get("three_for_last") == "on"
        self._orders = tuple(
            tuple((dealer + n) % self.seats + 1 for n in range(self.seats))
            for dealer in range(1, self.seats + 1)
        )
        self.cap = options["cap_final_score"] == "on"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Form):
            return NotImplemented
        return self is other or (self.setup == other.setup and self.five == other.five)

    __hash__ = None  # type: ignore[assignment]  # options are a mapping

    @cached_property
    def skunk(self) -> int:
        """The score below which a loser is skunked, 0 if skunks are not played."""
        on = self.setup.options["skunk"] == "on"
        return max(0, self.target - SKUNK) if on else 0

    @cached_property
    def double_skunk(self) -> int:
        """The score of the double skunk line, 0 if it is not played (it requires skunk)."""
        on = self.skunk and self.setup.options.get("double_skunk") == "on"
        return max(0, self.target - DOUBLE_SKUNK) if on else 0

    @property
    def most(self) -> int:
        """The highest value of one hand: 29, or 20 with three cards and the starter (E18)."""
        return 20 if self.five else 29

    def reaches(self, scores: tuple[int, ...], seat: int, points: int) -> bool:
        """Whether this many more points bring a seat's side to the target."""
        return scores[(seat - 1) % len(scores)] + points >= self.target

    def order(self, dealer: int) -> tuple[int, ...]:
        """The seats in order from the dealer's left to the dealer."""
        return self._orders[dealer - 1]


Phase = Literal["discard", "starter", "play", "show", "crib", "done"]


class Deal(NamedTuple):
    """A deal of cribbage."""

    table: Table
    """What is known of the cards, and the play."""
    phase: Phase
    counted: int = 0
    """How many hands have been counted."""
    starter: Card | None = None
    extra: Card | None = None
    """The card dealt straight to the crib of three players, if it was entered."""
    pegged: bool = False
    """Whether points were entered since the deal began."""
    by_points: bool = False
    """Whether the play was entered by points, so that its count is not known."""
    heels: bool = False
    """Whether his heels was entered by points."""
    wordless: int = 0
    """The seats that entered points without a reason, which may have been for their hands; bit n is
    seat n."""

    @property
    def entered(self) -> bool:
        """Whether any card of the deal has been entered."""
        table = self.table
        return bool(table.out) or any(map(any, (table.hands, table.discarded, table.shown)))

    @property
    def loose(self) -> bool:
        """Whether the play is not entered by cards, so hands may be entered as they are shown: it
        was entered by points, or none of its cards were entered and no hand is known."""
        table = self.table
        return self.by_points or (not table.begun and (self.pegged or not any(table.hands)))

    @property
    def playing(self) -> bool:
        """Whether cards of the play were entered and it is not over."""
        return self.phase == "play" and self.table.begun and not self.by_points

    @property
    def unfinished(self) -> bool:
        """Whether the deal is entered by cards and not yet finished."""
        if self.phase == "done" or not self.entered:
            return False
        return self.playing or not self.pegged


_DEAL: Final[Callable[[type[Deal], tuple[Any, ...]], Deal]] = tuple.__new__


def moved(deal: Deal, table: Table, phase: Phase) -> Deal:
    """The deal after a line that changed its cards or its play, without the cost of `_replace`."""
    return _DEAL(Deal, (table, phase, *deal[2:]))


class Claim(NamedTuple):
    """An open window. `reaches`: the claim brought its side to the target, and wins when the window
    closes. `earned`: the true points among those claimed reached the target, and win even if the
    claim is called."""

    seat: int
    said: int
    true: int
    reaches: bool
    earned: bool = False


class Reading(NamedTuple):
    """One way to understand what was entered: the dealer, and how much of the deal is over. `place`
    is 0 for nothing, 1 for some of the play, 1 + n for the n-th hand, then the crib. A deal in
    which nothing was entered is not over, since somebody always earns at least last card."""

    dealer: int
    place: int = 0


Readings = frozenset[Reading]


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
