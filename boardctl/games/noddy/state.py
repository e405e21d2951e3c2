"""The state of a game of Noddy. Source: docs/rules/noddy.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from boardctl.games.cards import Card
from boardctl.games.common.race import RaceState
from boardctl.games.common.to_31 import Table

HAND: Final = 3
"""The number of cards in a hand."""

Phase = Literal["starter", "show", "play"]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: its cards and its progress.

    called: how many hands have been counted. told: by seat, points entered for a hand whose cards
    are not known. pegged: points were entered in the deal. by_points: the play was entered by
    points. heels: his heels was entered by points.
    """

    table: Table
    starter: Card | None = None
    called: int = 0
    told: tuple[int | None, ...] = ()
    pegged: bool = False
    by_points: bool = False
    heels: bool = False

    @property
    def begun(self) -> bool:
        """Whether anything has been entered for the deal."""
        told = self.starter is not None or any(self.table.hands) or self.table.begun
        return told or self.pegged or self.called > 0

    @property
    def phase(self) -> Phase:
        if self.by_points or self.called == self.table.seats:
            return "play"
        return "starter" if self.starter is None and not self.called else "show"

    @property
    def playing(self) -> bool:
        """Whether the play is in progress and entered by cards."""
        return self.table.begun and not self.by_points


@dataclass(frozen=True, slots=True)
class State(RaceState):
    """A game of Noddy."""

    deal: Deal | None = None
