"""The objectives of a game of cribbage, and the value of a score by each.

An objective gives each end of a game a worth from 0 to 1: a game, a skunk or a double skunk, won or
lost. If only winning counts, every win is worth 1. If a skunk counts as two games, the margin
matters. `aims` reads an objective, and `tables.before_deal` averages over the ends.

Scores are those of a game to 121. The skunk lines keep their distance of 30 and 60 from any target
(docs/rules/cribbage.md section 6).
"""

from __future__ import annotations

from typing import Final, NamedTuple

SKUNK: Final = 91
"""A loser below this score is skunked."""
DOUBLE_SKUNK: Final = 61
NAMES: Final = ("win", "games", "tournament", "match")
COUNTS: Final = (1, 2, 4)
"""The values of a game, a skunk and a double skunk in games."""


class Objective(NamedTuple):
    """The values of the ends of a game, from 0 to 1.

    name: one of `NAMES`. won, lost: by a game, a skunk, a double skunk. span, least: the worth in
    its own currency is `least + span * worth`: games, points of a tournament, or a chance. text:
    the form that `aims.read` takes.
    """

    name: str
    won: tuple[float, float, float]
    lost: tuple[float, float, float]
    span: float = 1.0
    least: float = 0.0
    text: str = "win"

    def gained(self, loser: int) -> float:
        """Return the worth of winning against a score."""
        return self.won[(loser < SKUNK) + (loser < DOUBLE_SKUNK)]

    def given(self, loser: int) -> float:
        """Return the worth of losing with a score."""
        return self.lost[(loser < SKUNK) + (loser < DOUBLE_SKUNK)]

    @property
    def stake(self) -> float:
        """The value of winning this game minus the value of losing it, without skunks; always above
        0."""
        return self.won[0] - self.lost[0]

    def own(self, worth: float) -> float:
        """Return a worth in the objective's own currency."""
        return self.least + self.span * worth


Objectives = tuple[Objective, Objective]
"""The objectives of seats 1 and 2."""
WIN: Final = Objective("win", (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
"""Win this game."""
TOURNAMENT: Final = Objective(
    "tournament", (2 / 3, 1.0, 1.0), (0.0, 0.0, 0.0), 3.0, text="tournament"
)
"""Two points for a win and three for a skunk (American Cribbage Congress, Tournament Rules)."""


def games(counts: tuple[int, int, int] = COUNTS) -> Objective:
    """Return the objective of winning many games and losing few.

    Args:
        counts: the values of a game, a skunk and a double skunk in games.
    """
    most = max(counts)
    one, two, four = ((most + count) / (2 * most) for count in counts)
    won, lost = (one, two, four), (1 - one, 1 - two, 1 - four)
    return Objective("games", won, lost, 2.0 * most, -most, ":".join(map(str, ("games", *counts))))


def only_wins_count(objectives: Objectives) -> bool:
    """Return whether `WIN` is the objective of both seats."""
    return all(objective is WIN for objective in objectives)
