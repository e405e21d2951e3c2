"""The state of a game of Noddy. Source: docs/rules/noddy.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from boardctl.games.common.race import RaceDeal, RaceState

Phase = Literal["starter", "show", "play"]


@dataclass(frozen=True, slots=True)
class Deal(RaceDeal):
    """A deal: its cards and its progress."""

    announced: tuple[int | None, ...] = ()
    """By seat, points entered for a hand whose cards are not known."""

    @property
    def at(self) -> Phase:
        if self.by_points or self.called == self.table.seats:
            return "play"
        return "starter" if self.starter is None and not self.called else "show"


@dataclass(frozen=True, slots=True)
class State(RaceState):
    """A game of Noddy."""

    deal: Deal | None = None
