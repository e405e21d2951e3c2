"""Score -> hole and remainder, by the unit that each game gives (rules/board-mapping.md).

One trip round the board is one game: score = unit × hole + remainder, exact up to hole 120; above
that the peg stands in the game hole and the figure is read from the display.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GAME_HOLE: Final = 121


@dataclass(frozen=True, slots=True)
class Peg:
    """A hole from 0 (the start holes) to 121, and the pips beside it; None where a peg in the
    game hole can not tell them."""

    hole: int
    remainder: int | None


def hole(score: int, unit: int) -> Peg:
    """Where a score stands."""
    if score // unit >= GAME_HOLE and unit > 1:
        return Peg(GAME_HOLE, None)
    return Peg(min(GAME_HOLE, score // unit), score % unit)
