"""One deal: the cards entered and the progress of its play and show.

A tuple of plain values, so that creating the deal after a move is fast.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, NamedTuple

from boardctl.games.cards import Card

Cards = tuple[Card, ...]
Phase = Literal["discard", "starter", "play", "show", "crib", "done"]


class Deal(NamedTuple):
    """Tuples are by seat, seat 1 first.

    dealt: the hands as entered, `?` included; discarded: empty until entered. played: what was
    played; shown: the hands as counted, empty until then. held: the cards in hand that could still
    be played, as bits; valid only if `fully_known`: every hand was entered, card by card. seen:
    every known card of the deal, as bits; valid only if `exact`: all cards entered so far were
    entered card by card. series, total: the cards since the count was 0, and the count; last: the
    seat that played the latest of them. due: the seat to play, 0 outside the play; passed: the
    seats that said go in this series, as bits. floors: every card that a seat still holds counts
    more than this, as shown by its gos. counted: how many hands have been counted. pegged: points
    were entered since the deal began; by_points: the play was entered by points, so that its count
    is not known. heels: his heels was entered by points. wordless: the seats, as bits, that entered
    points without a reason, which may have been for their hands.
    """

    shown: tuple[Cards, ...]
    exact: bool
    extra: Card | None
    pegged: bool
    by_points: bool
    heels: bool
    wordless: int
    floors: tuple[int, ...]
    # Entered before the play.
    dealt: tuple[Cards, ...]
    discarded: tuple[Cards, ...]
    starter: Card | None
    seen: int
    fully_known: bool
    counted: int
    # Changed by every card of the play.
    played: tuple[Cards, ...]
    held: tuple[int, ...]
    phase: Phase
    series: Cards
    total: int
    last: int
    due: int
    passed: int

    @property
    def entered(self) -> bool:
        """Whether any card of the deal has been entered."""
        return (
            self.starter is not None
            or self.extra is not None
            or any(self.dealt)
            or any(self.discarded)
            or any(self.shown)
        )

    @property
    def loose(self) -> bool:
        """Whether the play is not entered by cards, so hands may be entered as they are shown: it
        was entered by points, or none of its cards were entered and no hand is known."""
        return self.by_points or (not self.begun and (self.pegged or not any(self.dealt)))

    @property
    def begun(self) -> bool:
        """Whether a card has been played."""
        return self.last != 0 or any(self.played)


# Most lines of a game come through the next three functions, which leave the first fields as they
# are: by `_replace` a game takes a sixth longer (docs/performance.md).
_DEALT: Final = Deal._fields.index("dealt")
_COUNTED: Final = Deal._fields.index("counted")
_PLAYED: Final = Deal._fields.index("played")


def enter(
    deal: Deal,
    dealt: tuple[Cards, ...],
    discarded: tuple[Cards, ...],
    starter: Card | None,
    seen: int,
    fully_known: bool,
    held: tuple[int, ...],
    phase: Phase,
    due: int = 0,
) -> Deal:
    """The deal after cards were entered before its play."""
    entered = (dealt, discarded, starter, seen, fully_known, deal.counted)
    return Deal._make((*deal[:_DEALT], *entered, deal.played, held, phase, (), 0, 0, due, 0))


def lay(
    deal: Deal,
    played: tuple[Cards, ...],
    held: tuple[int, ...],
    phase: Phase,
    series: Cards,
    total: int,
    last: int,
    due: int,
    passed: int,
) -> Deal:
    """The deal after a line of the play."""
    played_on = (played, held, phase, series, total, last, due, passed)
    return Deal._make(deal[:_PLAYED] + played_on)


def count(deal: Deal, phase: Phase, counted: int) -> Deal:
    """The deal after this many hands were counted, with its play over."""
    counted_on = (counted, deal.played, deal.held, phase, (), 0, deal.last, 0, 0)
    return Deal._make(deal[:_COUNTED] + counted_on)


@cache
def begin(seats: int) -> Deal:
    """A new deal about which nothing is known."""
    none: tuple[Cards, ...] = ((),) * seats
    zeros = (0,) * seats
    return Deal(
        dealt=none,
        discarded=none,
        shown=none,
        seen=0,
        fully_known=False,
        exact=True,
        starter=None,
        extra=None,
        pegged=False,
        by_points=False,
        heels=False,
        wordless=0,
        floors=zeros,
        counted=0,
        played=none,
        held=zeros,
        phase="discard",
        series=(),
        total=0,
        last=0,
        due=0,
        passed=0,
    )
