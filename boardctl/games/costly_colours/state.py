"""The state of a game of Costly Colours. Source: docs/rules/costly-colours.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from boardctl.games.cards import Card
from boardctl.games.common.race import RaceState
from boardctl.games.common.to_31 import Table
from boardctl.games.costly_colours.mogging import NO_MOG, Mog

HAND: Final = 3
"""The number of cards in a hand."""

Phase = Literal["starter", "mog", "play", "show"]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: its cards and its progress.

    mog: the exchange of a card. called: how many hands have been counted. pegged: points were
    entered in the deal. by_points: the play was entered by points. heels: the dealer's 4 for the
    starter were entered by points.
    """

    table: Table
    phase: Phase = "starter"
    starter: Card | None = None
    mog: Mog = NO_MOG
    called: int = 0
    pegged: bool = False
    by_points: bool = False
    heels: bool = False

    @property
    def begun(self) -> bool:
        """Whether anything has been entered for the deal."""
        told = self.starter is not None or any(self.table.hands) or self.table.begun
        return told or self.pegged or self.phase != "starter"

    @property
    def playing(self) -> bool:
        """Whether the play is in progress and entered by cards."""
        return self.phase == "play" and self.table.begun and not self.by_points

    @property
    def loose(self) -> bool:
        """Whether the play is not entered by cards, so hands may be entered as they are shown."""
        return self.by_points or (
            not self.table.begun and (self.pegged or not any(self.table.hands))
        )


@dataclass(frozen=True, slots=True)
class State(RaceState):
    """A game of Costly Colours."""

    deal: Deal | None = None

    @property
    def dealer(self) -> int:
        return self.sheet.dealer or 1

    @property
    def eldest(self) -> int:
        return 3 - self.dealer

    def on(self, name: str) -> bool:
        """Whether an on/off option is on."""
        return self.option(name) == "on"
