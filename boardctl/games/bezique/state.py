"""A game of Bezique, or one made like it, as it stands."""

from __future__ import annotations

from dataclasses import dataclass

from boardctl.games.bezique.deal import Deal
from boardctl.games.bezique.game_spec import RuleOptions
from boardctl.games.table_rules import ScoreSheet


@dataclass(frozen=True, slots=True)
class State:
    """A game: the score sheet, what the table agreed on, the target, which a tie may have raised
    (None where the game is one deal), and the deal that is on or was last (None before the first
    and after a misdeal)."""

    sheet: ScoreSheet
    terms: RuleOptions
    target: int | None
    deal: Deal | None = None

    @property
    def on(self) -> bool:
        """A deal is being played."""
        return self.deal is not None and not self.deal.over
