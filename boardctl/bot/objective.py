"""The objectives of a game of cribbage, and the worth of a final score under each objective.

An objective assigns a worth from 0 to 1 to each outcome: winning or losing a game by an ordinary
margin, a skunk or a double skunk. If only winning counts, every win is worth 1. If a skunk counts
as two games, the margin matters too. `aims` parses an objective, and `tables.before_deal` averages
over the outcomes.

Scores refer to a game to 121. For any target, the skunk lines are 30 and 60 points below it
(docs/rules/cribbage.md section 6).
"""

from __future__ import annotations

from typing import Final, NamedTuple

SKUNK: Final = 91
"""A loser below this score is skunked."""
DOUBLE_SKUNK: Final = 61
NAMES: Final = ("win", "games", "tournament", "match")
COUNTS: Final = (1, 2, 4)
"""The number of games that a game, a skunk and a double skunk count as."""


class Objective(NamedTuple):
    """The worths of the outcomes of a game, from 0 to 1."""

    name: str
    """One of `NAMES`."""
    won: tuple[float, float, float]
    """The worth of winning a game, a skunk and a double skunk."""
    lost: tuple[float, float, float]
    """The worth of losing a game, a skunk and a double skunk."""
    span: float = 1.0
    """The worth in the unit of the objective is `least + span * worth`. The unit is games,
    tournament points or a chance."""
    least: float = 0.0
    """The worth 0, expressed in the unit of the objective."""
    text: str = "win"
    """The objective in the form that `aims.read` parses."""

    def gained(self, loser: int) -> float:
        """Return the worth of winning if the loser has this score."""
        return self.won[(loser < SKUNK) + (loser < DOUBLE_SKUNK)]

    def given(self, loser: int) -> float:
        """Return the worth of losing with this score."""
        return self.lost[(loser < SKUNK) + (loser < DOUBLE_SKUNK)]

    @property
    def stake(self) -> float:
        """The worth of winning this game minus the worth of losing it, without skunks. It is always
        positive."""
        return self.won[0] - self.lost[0]

    def own(self, worth: float) -> float:
        """Return a worth in the unit of the objective."""
        return self.least + self.span * worth


Objectives = tuple[Objective, Objective]
"""The objectives of seats 1 and 2."""
WIN: Final = Objective("win", (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
"""The objective of winning this game."""
TOURNAMENT: Final = Objective(
    "tournament", (2 / 3, 1.0, 1.0), (0.0, 0.0, 0.0), 3.0, text="tournament"
)
"""Two points for a win and three for a skunk (American Cribbage Congress, Tournament Rules)."""


def games(counts: tuple[int, int, int] = COUNTS) -> Objective:
    """Return the objective of winning many games and losing few.

    Args:
        counts: the number of games that a game, a skunk and a double skunk count as.
    """
    most = max(counts)
    one, two, four = ((most + count) / (2 * most) for count in counts)
    won, lost = (one, two, four), (1 - one, 1 - two, 1 - four)
    return Objective("games", won, lost, 2.0 * most, -most, ":".join(map(str, ("games", *counts))))


def only_wins_count(objectives: Objectives) -> bool:
    """Return whether `WIN` is the objective of both seats."""
    return all(objective is WIN for objective in objectives)
