"""Stated points: points entered without their cards, or claimed for a line (muggins).

Points entered are refused unless some reading of the record allows them. A table that enters only
points may or may not enter `deal`, and may or may not give a reason. The state keeps every reading
of the entries, each with a dealer and the progress of the deal. While the window of a claim is
open, its true value is in the state but hidden from displays and speech. Sources:
docs/rules/cribbage.md 4 to 8, E18; notation "Points entered", "Claims".

The sets of possible points were found by enumerating all hands and series; the game's tests repeat
the enumeration.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from boardctl.games import Ask, Award, IllegalMove, Move, Note, Setup
from boardctl.games.common.known_cards import Cards
from boardctl.games.common.race import RaceState, Worths, clockwise
from boardctl.games.cribbage.show import Deal


class Claim(NamedTuple):
    """An open window for muggins. `reaches`: the claim brought its side to the target, and wins
    when the window closes. `earned`: the true points among those claimed reached the target, and
    win even if the claim is called."""

    seat: int
    claimed: int
    true: int
    reaches: bool
    earned: bool = False


class Reading(NamedTuple):
    """One interpretation of the entries: the dealer, and the progress of the deal. `place` is 0 for
    none, 1 for some of the play, 1 + n for the n-th hand, then the crib. A deal without entries is
    not over, since last card always earns somebody a point."""

    dealer: int
    place: int = 0


Readings = frozenset[Reading]


class LastPlay(NamedTuple):
    """The last line of the play, for the spoken count."""

    move: Move
    before: int
    """The count before the line."""
    awards: tuple[Award, ...]
    """The points pegged for it."""


class Stated(NamedTuple):
    """The stated points of a game of cribbage."""

    readings: Readings
    """Every reading of the points entered."""
    claims: tuple[Claim, ...] = ()
    """The open windows."""
    last_play: LastPlay | None = None
    """The last line, if it was part of the play."""


State = RaceState[Stated, Cards]

PLAY: Final = frozenset({*range(1, 10), 12, 13, 14, 15})
"""One card of the play at an unknown count, including last card."""
HAND: Final = frozenset(range(30)) - {19, 25, 26, 27}
"""Four cards and the starter."""
FIVE_HAND: Final = frozenset({*range(16), 20})
"""Three cards and the starter, in five-card cribbage."""
SHOW: Final = frozenset(range(54)) - {51}
"""A dealer's hand and crib together, which share the starter and the pack."""
FIVE_SHOW: Final = frozenset(range(45)) - {43}

WORTH: Final[Worths] = {
    "heels": frozenset({2}),
    "play": PLAY,
    "go": frozenset({1}),
    "hand": HAND,
    "crib": HAND,
    "show": SHOW,
}
FIVE_WORTH: Final[Worths] = {**WORTH, "hand": FIVE_HAND, "show": FIVE_SHOW}


@cache
def opening(seats: int, dealer: int | None) -> Readings:
    """Return the readings before any entry: a deal by the dealer, or by anybody."""
    dealers = range(1, seats + 1) if dealer is None else (dealer,)
    return frozenset(map(Reading, dealers))


@cache
def adjusted(readings: Readings) -> Readings:
    """Return the readings after a corrected score; the correction may be for points earned in the
    play."""
    return frozenset(Reading(dealer, max(place, 1)) for dealer, place in readings)


def enter(state: State, worths: Worths, seat: int, points: int, why: str | None) -> Readings:
    """Return the remaining readings after points were entered: those of the same deal, and those of
    the next deal if this one does not allow the points or no reason was given.

    Raises:
        IllegalMove: `impossible-points` if none is left.
    """
    readings, setup = state.extra.readings, state.setup
    if not points and why is None:
        return readings

    def after(some: Iterable[Reading]) -> Readings:
        return frozenset(step for r in some for step in _steps(r, setup, worths, seat, points, why))

    left = after(readings)
    if why is None or not left:
        left |= after(Reading(setup.after(r.dealer)) for r in readings if r.place)
    if not left:
        raise impossible(seat, points, why)
    return left


def impossible(seat: int, points: int, why: str | None) -> IllegalMove:
    return IllegalMove("impossible-points", seat=seat, points=points, why=why)


def _steps(
    reading: Reading, setup: Setup, worths: Worths, seat: int, points: int, why: str | None
) -> list[Reading]:
    """Return the readings after these points, entered within the same deal."""
    found = []
    dealer, place = reading
    seats = len(setup.seats)
    last = seats + 1
    own = 2 + clockwise(seats, dealer).index(seat)

    def possible(kind: str) -> bool:
        return why in (None, kind) and (not points or points in worths[kind])

    if place == 0 and seat == dealer and possible("heels"):
        found.append(reading._replace(place=1))
    if place <= 1 and (possible("play") or possible("go")):
        found.append(reading._replace(place=1))
    if place < own and possible("hand"):
        found.append(reading._replace(place=own))
    if seat == dealer and place <= last and possible("crib"):
        found.append(reading._replace(place=last + 1))
    if seat == dealer and place < last and possible("show"):
        found.append(reading._replace(place=last + 1))
    return found


def kinds(state: State, deal: Deal, seat: int) -> tuple[str, ...]:
    """Return the possible reasons of points entered without a reason, in a deal entered by
    cards."""
    dealing = ("show",) if seat == state.sheet.dealer else ()  # may be worth as much as any crib
    if deal.playing:
        return "play", "go"
    if deal.phase in ("discard", "starter", "play"):
        return "play", "hand", *dealing  # heels and a go score no more than a card can
    if deal.phase == "show":
        waits = state.order.index(seat) >= deal.counted
        return (("hand",) if waits else ()) + dealing
    return ("crib",) if dealing else ()


def check_hands_before(state: State, deal: Deal, seat: int, what: str) -> None:
    """Check that hands are entered in order (5.1), even if only as 0, in a deal whose play was not
    entered by cards; points without a reason may have been a hand.

    Raises:
        IllegalMove: `out-of-order` with the seat whose hand comes first.
    """
    order = state.order
    for due in order[deal.counted : order.index(seat)]:
        if not deal.wordless >> due & 1:
            raise IllegalMove("out-of-order", what=what, phase=deal.phase, why="hand", seat=due)


OVERCLAIM_BONUS = 2
"""The points for calling an over-claim with `muggins full` (7.2)."""


def differs(said: int, true: int) -> tuple[Note, ...]:
    """Return the note about a claim, once it may be revealed."""
    return (Note("claim-differs", {"said": said, "true": true}),) if said != true else ()


def close(claims: tuple[Claim, ...]) -> tuple[Note, ...]:
    """Return the notes that closing all windows reveals."""
    return tuple(note for claim in claims for note in differs(claim.claimed, claim.true))


def claimed(state: State, seat: int, claim: int, true: int) -> Claim:
    """Return the window that a claim opens, before its points are pegged."""
    missing = state.target - state.sheet.scores[state.setup.side(seat) - 1]
    reaches, earned = 0 < missing <= claim, 0 < missing <= min(claim, true)
    return Claim(seat, claim, true, reaches, earned)


def call(
    state: State, seat: int, points: int | None
) -> tuple[tuple[Claim, ...], tuple[Award, ...], tuple[Note, ...]]:
    """Call muggins: `N muggins [POINTS]`. Return the claims still open, and the points that the
    call earns and takes away.

    A call on a true claim, or with the wrong points, has no effect, and the window stays open.

    Raises:
        IllegalMove: `no-claim-open`; `own-claim`.
    """
    claims, side = state.extra.claims, state.setup.side
    if not claims:
        raise IllegalMove("no-claim-open")
    open_to = [claim for claim in claims if side(claim.seat) != side(seat)]
    if not open_to:
        raise IllegalMove("own-claim", seat=seat)
    for claim in reversed(open_to):
        short = claim.true - claim.claimed
        if short and points in (None, abs(short)):
            left = tuple(other for other in claims if other is not claim)
            return left, _settle(claim, seat, state), differs(claim.claimed, claim.true)
    return claims, (), ()


def calls(state: State) -> tuple[Ask, ...]:
    """Return a muggins call for every seat of another side, whether or not it would succeed."""
    side = state.setup.side
    owners = {side(claim.seat) for claim in state.extra.claims}
    return tuple(
        Ask("muggins", "confirm", Move("muggins", seat))
        for seat in range(1, len(state.setup.seats) + 1)
        if owners - {side(seat)}
    )


def _settle(claim: Claim, caller: int, state: State) -> tuple[Award, ...]:
    short = claim.true - claim.claimed
    if short > 0:
        return (Award(caller, short, "muggins"),)
    corrected = Award(claim.seat, short, "correction")
    if state.option("muggins") == "full":
        return (corrected, Award(caller, OVERCLAIM_BONUS, "muggins"))
    return (corrected,)
