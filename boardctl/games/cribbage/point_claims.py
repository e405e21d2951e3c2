"""Points entered directly: refused unless some reading of the record allows them.

A table that enters only points may or may not enter `deal`, and may or may not give a reason. Every
reading of what was entered is kept: whose deal it is and how far it has come. Points are refused if
no reading allows them. Sources: docs/rules/cribbage.md 4 to 6, 8, E18; notation "Points entered".

The sets of possible points were found by enumerating all hands and series; the game's tests repeat
the enumeration.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from boardctl.games import Award, IllegalMove, Note
from boardctl.games.cards import Card
from boardctl.games.common import to_31
from boardctl.games.common.series import MUST_PLAY, THIRTY_ONE, VALUE
from boardctl.games.common.to_31 import Table
from boardctl.games.cribbage import show
from boardctl.games.cribbage.play import SCORES
from boardctl.games.cribbage.state import Claim, Deal, Form, Phase, Reading, Readings

WHY: Final = ("heels", "play", "go", "hand", "crib", "show")
HEELS: Final = frozenset({2})
GO: Final = frozenset({1})
PLAY: Final = frozenset({*range(1, 10), 12, 13, 14, 15})
"""One card of the play at an unknown count, including last card."""
HAND: Final = frozenset(range(30)) - {19, 25, 26, 27}
"""Four cards and the starter."""
FIVE_HAND: Final = frozenset({*range(16), 20})
"""Three cards and the starter, in five-card cribbage."""
SHOW: Final = frozenset(range(54)) - {51}
"""A dealer's hand and crib together: they share the starter and the pack."""
FIVE_SHOW: Final = frozenset(range(45)) - {43}


def worth(form: Form, why: str) -> frozenset[int]:
    """The points that can be earned for this reason, whatever the cards."""
    match why:
        case "heels":
            return HEELS
        case "go":
            return GO
        case "play":
            return PLAY
        case "hand":
            return FIVE_HAND if form.five else HAND
        case "crib":
            return HAND
        case _:
            return FIVE_SHOW if form.five else SHOW


def opening(form: Form, dealer: int | None) -> Readings:
    """The readings before anything was entered: a deal by the dealer, or by anybody."""
    return _opening(form.seats, dealer)


@cache
def _opening(seats: int, dealer: int | None) -> Readings:
    dealers = range(1, seats + 1) if dealer is None else (dealer,)
    return frozenset(map(Reading, dealers))


def adjusted(readings: Readings) -> Readings:
    """The readings after a score was corrected, which may have been for something earned in the
    play."""
    return frozenset(Reading(dealer, max(place, 1)) for dealer, place in readings)


def enter(readings: Readings, form: Form, seat: int, points: int, why: str | None) -> Readings:
    """The readings left after points were entered: those of the same deal, and those of the next if
    this one does not allow them or no reason was given.

    Raises:
        IllegalMove: `impossible-points` if none is left.
    """
    if not points and why is None:
        return readings

    def after(some: Iterable[Reading]) -> Readings:
        return frozenset(step for r in some for step in _steps(r, form, seat, points, why))

    left = after(readings)
    if why is None or not left:
        left |= after(Reading(form.setup.after(r.dealer)) for r in readings if r.place)
    if not left:
        raise impossible(seat, points, why)
    return left


def impossible(seat: int, points: int, why: str | None) -> IllegalMove:
    return IllegalMove("impossible-points", seat=seat, points=points, why=why)


def _steps(reading: Reading, form: Form, seat: int, points: int, why: str | None) -> list[Reading]:
    """The readings after these points, entered within the same deal."""
    found = []
    dealer, place = reading
    last = form.seats + 1
    own = 2 + form.order(dealer).index(seat)

    def possible(kind: str) -> bool:
        return why in (None, kind) and (not points or points in worth(form, kind))

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


def in_deal(deal: Deal, form: Form, dealer: int, seat: int, points: int, why: str) -> Deal:
    """The deal after points entered with their reason, once `deal` was entered.

    Raises:
        IllegalMove: `impossible-points`; `out-of-order` if that part of the deal is over, or
            not reached by the cards that were entered.
    """
    if why in ("heels", "crib", "show") and seat != dealer:
        raise impossible(seat, points, why)
    if points and points not in possible(deal, form, seat, why):
        raise impossible(seat, points, why)
    deal = deal._replace(pegged=True)
    order = form.order(dealer)
    done = deal.phase in ("show", "crib", "done")
    match why:
        case "heels":
            if deal.starter is not None or deal.by_points or done or deal.heels:
                raise IllegalMove("out-of-order", what=why, phase=deal.phase)
            return deal._replace(heels=bool(points))
        case "play" | "go":
            if done:
                raise IllegalMove("out-of-order", what=why, phase=deal.phase)
            return _by_points(deal)
        case "hand":
            place = order.index(seat)
            if deal.phase == "done" or place < deal.counted or deal.playing:
                raise IllegalMove("out-of-order", what=why, phase=deal.phase)
            check_hands_before(why, deal, form, dealer, seat)
            return counted(_by_points(deal) if not done else deal, form, place + 1)
        case _:
            early = why == "crib" and deal.phase == "show" and not deal.by_points
            again = why == "show" and deal.phase == "crib"
            if deal.phase == "done" or deal.playing or early or again:
                raise IllegalMove("out-of-order", what=why, phase=deal.phase)
            check_hands_before(why, deal, form, dealer, seat)
            return deal._replace(phase="done")


def check_hands_before(what: str, deal: Deal, form: Form, dealer: int, seat: int) -> None:
    """Check that hands are entered in order (5.1), if only as 0, in a deal whose play was not
    entered by cards; points entered without a reason may have been a hand.

    Raises:
        IllegalMove: `out-of-order` with the seat whose hand comes first.
    """
    order = form.order(dealer)
    for due in order[deal.counted : order.index(seat)]:
        if not deal.wordless >> due & 1:
            raise IllegalMove("out-of-order", what=what, phase=deal.phase, why="hand", seat=due)


def _by_points(deal: Deal) -> Deal:
    return deal._replace(table=deal.table._replace(due=0), phase="play", by_points=True, wordless=0)


def counted(deal: Deal, form: Form, hands_counted: int) -> Deal:
    """The deal after this many hands were counted or entered by points."""
    phase: Phase = "show" if hands_counted < form.seats else "crib"
    return deal._replace(table=to_31.end_series(deal.table, 0), phase=phase, counted=hands_counted)


def possible(deal: Deal, form: Form, seat: int, why: str) -> frozenset[int]:
    """What can be earned for this reason, given the known cards of the deal."""
    table = deal.table
    if why == "play" and deal.phase == "play" and table.due and not deal.loose:
        return _card(table, seat)
    if why == "go" and deal.playing and table.series:
        able = any(table.can_surely_play(other) for other in range(1, form.seats + 1))
        return frozenset() if able else GO
    if why == "hand" and deal.starter is not None and deal.starter.rank is not None:
        cards = show.kept(deal, seat)
        if len(cards) == form.keep:
            return show.possible_points(cards, deal.starter)
    return worth(form, why)


def _card(table: Table, seat: int) -> frozenset[int]:
    """What one card of a seat can earn at this count, over every rank it could still hold,
    including last card if nobody need play after it."""
    found = {1} if table.total > MUST_PLAY and table.last == seat else set()
    last_of_all = sum(map(len, table.played)) + 1 == table.seats * table.keep
    for rank in {card.rank for card in table.possible(seat)}:
        total = table.total + VALUE[rank]
        if total > THIRTY_ONE:
            continue
        points = sum(item.points for item in SCORES.items((*table.series, Card(rank)), total))
        last = total < THIRTY_ONE and (last_of_all or total > MUST_PLAY)
        found |= {points + 1} if last and last_of_all else {points, points + last}
    return frozenset(found)


def without_why(deal: Deal, form: Form, dealer: int, seat: int, points: int) -> Deal:
    """The deal, entered by cards, after points entered without a reason.

    Raises:
        IllegalMove: `impossible-points`.
    """
    if not points:
        return deal
    dealing = ("show",) if seat == dealer else ()  # which can be worth whatever a crib can
    kinds: tuple[str, ...]
    if deal.playing:
        kinds = ("play", "go")
    elif deal.phase in ("discard", "starter", "play"):
        kinds = ("play", "hand", *dealing)  # heels and go earn no more than a card
    elif deal.phase == "show":
        place = form.order(dealer).index(seat)
        kinds = (("hand",) if place >= deal.counted else ()) + dealing
    else:
        kinds = ("crib",) if seat == dealer else ()
    if not any(points in possible(deal, form, seat, kind) for kind in kinds):
        raise impossible(seat, points, None)
    deal = deal._replace(pegged=True)
    if deal.phase == "show" and form.order(dealer)[deal.counted] == seat:
        if points in possible(deal, form, seat, "hand"):
            return counted(deal, form, deal.counted + 1)
        return deal._replace(phase="done")
    if deal.phase == "crib":
        return deal._replace(phase="done")
    return deal


OVERCLAIM_BONUS = 2
"""What the caller of an over-claim earns with `muggins full` (7.2)."""


def differs(said: int, true: int) -> tuple[Note, ...]:
    """The note about a claim, once it may be revealed."""
    return (Note("claim-differs", {"said": said, "true": true}),) if said != true else ()


def close(claims: tuple[Claim, ...]) -> tuple[Note, ...]:
    """The notes that closing all windows reveals."""
    return tuple(note for claim in claims for note in differs(claim.said, claim.true))


def call(
    claims: tuple[Claim, ...], form: Form, seat: int, points: int | None
) -> tuple[tuple[Claim, ...], tuple[Award, ...], tuple[Note, ...]]:
    """`N muggins [POINTS]`: the claims still open, and the points that the call earns and takes
    away.

    A call on a true claim, or with the wrong points, has no effect, and the window stays open.

    Raises:
        IllegalMove: `no-claim-open`; `own-claim`.
    """
    if not claims:
        raise IllegalMove("no-claim-open")
    side = form.setup.side
    open_to = [claim for claim in claims if side(claim.seat) != side(seat)]
    if not open_to:
        raise IllegalMove("own-claim", seat=seat)
    for claim in reversed(open_to):
        short = claim.true - claim.said
        if short and points in (None, abs(short)):
            left = tuple(other for other in claims if other is not claim)
            return left, _settle(claim, seat, form), differs(claim.said, claim.true)
    return claims, (), ()


def _settle(claim: Claim, caller: int, form: Form) -> tuple[Award, ...]:
    short = claim.true - claim.said
    if short > 0:
        return (Award(caller, short, "muggins"),)
    corrected = Award(claim.seat, short, "correction")
    if form.muggins == "full":
        return (corrected, Award(caller, OVERCLAIM_BONUS, "muggins"))
    return (corrected,)
