"""Stated points: points that are entered without cards, or claimed for a line (muggins).

Entered points are refused unless some reading of the record allows them. A table that enters only
points may omit `deal` and the reasons for the points. The state keeps every reading of the entries.
Each reading consists of a dealer and the progress of the deal. While a claim is open to calls, the
state contains the true points, but displays and speech do not reveal them. Sources:
docs/rules/cribbage.md 4 to 8, E18; notation "Points entered", "Claims".

The sets of possible points were found by enumerating all hands and series. The tests of the game
repeat the enumeration.
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
    """A claim that is open to muggins calls."""

    seat: int
    claimed: int
    true: int
    reaches: bool
    """Whether the claim brought its side to the target, so that the side wins when the claim
    closes."""
    earned: bool = False
    """Whether the true points among the claimed points reached the target, so that the side wins
    even if the claim is called."""


class Reading(NamedTuple):
    """One interpretation of the entries: the dealer, and the progress of the deal."""

    dealer: int
    place: int = 0
    """0 if nothing has been entered, 1 during the play, 1 + n after the n-th hand, and one more
    after the crib. A deal without entries is not over, since last card always earns somebody a
    point."""


Readings = frozenset[Reading]


class LastPlay(NamedTuple):
    """The last line of the play, used for the spoken count."""

    move: Move
    before: int
    """The count before the line."""
    awards: tuple[Award, ...]
    """The points pegged for the line."""


class Stated(NamedTuple):
    """The stated points of a game of cribbage."""

    readings: Readings
    """Every reading of the entered points."""
    claims: tuple[Claim, ...] = ()
    """The open claims."""
    last_play: LastPlay | None = None
    """The last line if it was part of the play, or None."""


State = RaceState[Stated, Cards]

PLAY: Final = frozenset({*range(1, 10), 12, 13, 14, 15})
"""The possible points of one card of the play at an unknown count, including last card."""
HAND: Final = frozenset(range(30)) - {19, 25, 26, 27}
"""The possible points of four cards and the starter."""
FIVE_HAND: Final = frozenset({*range(16), 20})
"""The possible points of three cards and the starter, in five-card cribbage."""
SHOW: Final = frozenset(range(54)) - {51}
"""The possible points of the dealer's hand and crib together, which share the starter and the
pack."""
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
    """Return the readings before any entry. If the dealer is unknown, there is a reading for each
    seat."""
    dealers = range(1, seats + 1) if dealer is None else (dealer,)
    return frozenset(map(Reading, dealers))


@cache
def adjusted(readings: Readings) -> Readings:
    """Return the readings after a score has been corrected. The correction may add points earned in
    the play."""
    return frozenset(Reading(dealer, max(place, 1)) for dealer, place in readings)


def enter(state: State, worths: Worths, seat: int, points: int, why: str | None) -> Readings:
    """Return the readings that remain after points have been entered. The points may belong to the
    current deal. If that deal does not allow the points, or no reason was given, they may also
    belong to the next deal.

    Raises:
        IllegalMove: `impossible-points` if no reading remains.
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
    """Return the readings after these points have been entered within the same deal."""
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
    """Return the possible reasons for points entered without a reason, in a deal whose cards are
    entered."""
    dealing = ("show",) if seat == state.sheet.dealer else ()  # worth at least as much as any crib
    if deal.playing:
        return "play", "go"
    if deal.phase in ("discard", "starter", "play"):
        return "hand", *dealing  # no card, go or his heels scores points that no hand scores
    if deal.phase == "show":
        waits = state.order.index(seat) >= deal.counted
        return (("hand",) if waits else ()) + dealing
    return ("crib",) if dealing else ()


def check_hands_before(state: State, deal: Deal, seat: int, what: str) -> None:
    """Check that hands are entered in order (5.1), in a deal for which the cards of the play were
    not entered. A hand of 0 must be entered too. Points without a reason may have been for a hand.

    Raises:
        IllegalMove: `out-of-order`, with the seat whose hand comes first.
    """
    order = state.order
    for due in order[deal.counted : order.index(seat)]:
        if not deal.wordless >> due & 1:
            raise IllegalMove("out-of-order", what=what, phase=deal.phase, why="hand", seat=due)


OVERCLAIM_BONUS = 2
"""The points for calling an over-claim with `muggins full` (7.2)."""


def differs(said: int, true: int) -> tuple[Note, ...]:
    """Return a note if a claim differs from the true points, which may now be revealed."""
    return (Note("claim-differs", {"said": said, "true": true}),) if said != true else ()


def close(claims: tuple[Claim, ...]) -> tuple[Note, ...]:
    """Return the notes that are revealed when these claims are closed."""
    return tuple(note for claim in claims for note in differs(claim.claimed, claim.true))


def claimed(state: State, seat: int, claim: int, true: int) -> Claim:
    """Return the open claim for a line, before its points are pegged."""
    missing = state.target - state.sheet.scores[state.setup.side(seat) - 1]
    reaches, earned = 0 < missing <= claim, 0 < missing <= min(claim, true)
    return Claim(seat, claim, true, reaches, earned)


def call(
    state: State, seat: int, points: int | None
) -> tuple[tuple[Claim, ...], tuple[Award, ...], tuple[Note, ...]]:
    """Call muggins: `N muggins [POINTS]`. Return the claims that are still open, the points that
    the call awards and deducts, and the notes.

    A call on a true claim, or with the wrong points, has no effect. The claim stays open.

    Raises:
        IllegalMove: `no-claim-open` or `own-claim`.
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
    """Return a muggins call for every opposing seat, whether or not the call would succeed."""
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
