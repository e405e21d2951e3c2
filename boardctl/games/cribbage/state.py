"""A game of cribbage: its form, its deal, how points change its score, and what is said of it.

Deal and state are tuples of plain values, so that making the next one after a line is fast.
Nothing that is said reveals the true value of a claim whose window is open.
Sources: docs/rules/cribbage.md 3, 6, 8 to 10.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from boardctl.games import Award, Move, Note, Setup, put
from boardctl.games.cards import Card
from boardctl.games.common import referee, to_31
from boardctl.games.common.race import RaceDeal, clockwise, over
from boardctl.games.common.referee import ScoreSheet, to_go
from boardctl.games.common.to_31 import THIRTY_ONE, VALUE

CRIB: Final = 4
"""The number of cards in the crib, in every form."""

SKUNK: Final = 30
"""The distance of the skunk line from the target: 91 of 121, 31 of 61 (6.2)."""

DOUBLE_SKUNK: Final = 60
"""The distance of the double skunk line from the target: 61 of 121 (6.3)."""


class Form(NamedTuple):
    """One game's form: what follows from its seats and options."""

    setup: Setup
    seats: int
    five: bool
    """Whether it is five-card cribbage."""
    target: int
    keep: int
    """The number of cards of a hand that are played and counted."""
    discards: int
    """The number of cards that each player discards."""

    @property
    def dealt(self) -> int:
        return self.keep + self.discards

    @property
    def straight(self) -> bool:
        """Whether a card is dealt straight to the crib (9.1)."""
        return self.seats == 3

    @property
    def muggins(self) -> str:
        return self.setup.options["muggins"]

    def on(self, option: str) -> bool:
        """Whether an on/off option that the form may have is on."""
        return self.setup.options.get(option) == "on"

    def reaches(self, scores: tuple[int, ...], seat: int, points: int) -> bool:
        """Whether this many more points bring a seat's side to the target."""
        return scores[(seat - 1) % len(scores)] + points >= self.target


def form_of(setup: Setup, *, five: bool) -> Form:
    """The form of a game with these seats and options."""
    seats = len(setup.seats)
    discards = 2 if seats == 2 else 1
    return Form(setup, seats, five, int(setup.options["target"]), 3 if five else 4, discards)


Deal = RaceDeal[Card | None]
"""A deal; its own is the card dealt straight to the crib of three players, if it was entered."""


def after_hands(deal: Deal, hands: int) -> Deal:
    """The deal after this many hands were counted or entered by points."""
    phase = "show" if hands < deal.table.seats else "crib"
    return deal.moved(to_31.end_series(deal.table, 0), phase, hands)


def unfinished(deal: Deal) -> bool:
    """Whether a deal is entered by cards and not yet finished."""
    if deal.phase == "done" or not deal.begun:
        return False
    return deal.playing or not deal.pegged


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
    """The last line of the play, for the spoken count."""

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
    def skunks(self) -> tuple[int, int]:
        """The scores below which a loser is skunked and double skunked; 0 if that is not played (a
        double skunk requires skunks)."""
        if not self.form.on("skunk"):
            return 0, 0
        double = DOUBLE_SKUNK if self.form.on("double_skunk") else self.target
        return max(0, self.target - SKUNK), max(0, self.target - double)

    def order(self) -> tuple[int, ...]:
        """The seats in order from the dealer's left to the dealer."""
        return clockwise(self.form.seats, self.sheet.dealer or 1)

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
    if winner and state.form.on("cap_final_score"):
        sheet = sheet._replace(scores=put(scores, winner, target))
    return state._replace(sheet=sheet, winner=winner)


def readouts(state: State) -> tuple[Note, ...]:
    """What is said aloud, the count, each side's points to go, who is ahead, who is behind the
    skunk line."""
    scores, skunk = state.sheet.scores, state.skunks[0]
    notes = _said(state)
    deal = state.deal
    if deal is not None and deal.phase == "play" and not deal.by_points:
        notes.append(Note("count", {"count": deal.table.total}))
    if over(state):
        return tuple(notes)
    if state.won_unless_called:
        notes.append(Note("won-unless-called", {"side": state.won_unless_called}))
    notes += to_go(scores, state.target)
    best = max(scores)
    second = sorted(scores)[-2]
    if best > second:
        side = scores.index(best) + 1
        notes.append(Note("ahead", {"side": side, "points": best - second}))
    for side, points in enumerate(scores, 1):
        if points < skunk <= best:
            notes.append(Note("behind-skunk", {"side": side, "holes": skunk - points}))
    return tuple(notes)


def _said(state: State) -> list[Note]:
    """What is said with the last card: the running count and its points (those claimed, if claims
    are pegged), or go; one for last."""
    if state.said is None:
        return []
    move, before, awards = state.said
    notes = []
    if move.verb == "go":
        notes.append(Note("said-go", {"seat": move.seat}))
    else:
        value = VALUE[move.cards[0].rank]
        count = before + value if before + value <= THIRTY_ONE else value
        points = sum(a.points for a in awards if a.seat == move.seat and a.reason != "last-card")
        if points:  # “fifteen for two”, else “twenty-two”
            notes.append(Note("said", {"count": count, "points": points}))
        else:
            notes.append(Note("said-count", {"count": count}))
    notes += [
        Note("said-last", {"seat": award.seat}) for award in awards if award.reason == "last-card"
    ]
    return notes
