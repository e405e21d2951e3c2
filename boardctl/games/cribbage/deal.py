"""One deal: its cards and the progress of its play and show.

A tuple of plain values, so that creating the deal after a move is fast.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from boardctl.games.cards import Card
from boardctl.games.common import to_31
from boardctl.games.common.to_31 import Table

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


def turned(deal: Deal, table: Table, starter: Card) -> Deal:
    """The deal after its starter was turned."""
    return _DEAL(Deal, (table, "play", deal.counted, starter, *deal[4:]))


def count(deal: Deal, phase: Phase, counted: int) -> Deal:
    """The deal after this many hands were counted, with its play over."""
    return _DEAL(Deal, (to_31.end_series(deal.table, 0), phase, counted, *deal[3:]))


@cache
def begin(seats: int, keep: int, discards: int) -> Deal:
    """A new deal about which nothing is known."""
    return Deal(to_31.opened(seats, keep + discards, discards), "discard")
