"""Claims and muggins: what was claimed, what is true, and who may still call it.

While a claim's window is open its true value is not revealed: it is kept in the state, but is not
part of anything that displays or speech can see. Sources: docs/rules/cribbage.md 7; notation
"Claims".
"""

from __future__ import annotations

from typing import NamedTuple

from boardctl.games import Award, IllegalMove, Note
from boardctl.games.cribbage.form import Form

OVERCLAIM_BONUS = 2
"""What the caller of an over-claim earns with `muggins full` (7.2)."""


class Claim(NamedTuple):
    """An open window. `reaches`: the claim brought its side to the target, and wins when the window
    closes. `earned`: the true points among those claimed reached the target, and win even if the
    claim is called."""

    seat: int
    said: int
    true: int
    reaches: bool
    earned: bool = False


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
