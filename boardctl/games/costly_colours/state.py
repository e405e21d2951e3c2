"""The state of a game of Costly Colours. Source: docs/rules/costly-colours.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from boardctl.games.common.race import RaceDeal, RaceState
from boardctl.games.costly_colours.mogging import NO_MOG, Mog

Phase = Literal["starter", "mog", "play", "show"]


@dataclass(frozen=True, slots=True)
class Deal(RaceDeal):
    """A deal: its cards and its progress."""

    phase: Phase = "starter"
    mog: Mog = NO_MOG
    """The exchange of a card."""

    @property
    def at(self) -> Phase:
        return self.phase

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
