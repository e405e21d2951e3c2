"""A game of cribbage: its form, its deal, how points change its score, and what is said of it.

Deal and state are tuples of plain values, so that making the next one after a line is fast.
Nothing that is said reveals the true value of a claim whose window is open.
Sources: docs/rules/cribbage.md 3, 6, 8 to 10.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from boardctl.games import Award, Move, Note
from boardctl.games.cards import Card
from boardctl.games.common.known_cards import RaceDeal
from boardctl.games.common.race import RaceState, over
from boardctl.games.common.referee import to_go
from boardctl.games.common.to_31 import THIRTY_ONE, VALUE

CRIB: Final = 4
"""The number of cards in the crib, in every form."""

SKUNK: Final = 30
"""The distance of the skunk line from the target: 91 of 121, 31 of 61 (6.2)."""

DOUBLE_SKUNK: Final = 60
"""The distance of the double skunk line from the target: 61 of 121 (6.3)."""


Deal = RaceDeal[Card | None]
"""A deal; its own is the card dealt straight to the crib of three players, if it was entered."""


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


class Stated(NamedTuple):
    """What was stated in a game of cribbage."""

    readings: Readings
    """What points entered may have been for."""
    claims: tuple[Claim, ...] = ()
    """The open windows."""
    said: Said | None = None
    """The last line, if it was part of the play."""


State = RaceState[Stated]


def won_unless_called(state: State) -> int:
    """The side whose claim reaches the target once its window closes, 0 if there is none."""
    if state.winner:
        return 0
    for claim in state.own.claims:
        side = state.setup.side(claim.seat)
        if claim.reaches and state.sheet.scores[side - 1] >= state.target:
            return side
    return 0


def skunks(state: State) -> tuple[int, int]:
    """The scores below which a loser is skunked and double skunked; 0 if that is not played (a
    double skunk requires skunks)."""
    if not state.on("skunk"):
        return 0, 0
    double = DOUBLE_SKUNK if state.on("double_skunk") else state.target
    return max(0, state.target - SKUNK), max(0, state.target - double)


def readouts(state: State) -> tuple[Note, ...]:
    """What is said aloud, the count, each side's points to go, who is ahead, who is behind the
    skunk line."""
    scores, skunk = state.sheet.scores, skunks(state)[0]
    notes = _said(state)
    deal = state.deal
    if deal is not None and deal.phase == "play" and not deal.by_points:
        notes.append(Note("count", {"count": deal.total}))
    if over(state):
        return tuple(notes)
    if claimed := won_unless_called(state):
        notes.append(Note("won-unless-called", {"side": claimed}))
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
    if state.own.said is None:
        return []
    move, before, awards = state.own.said
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
