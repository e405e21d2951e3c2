"""The chance of winning a game that is scored once per deal, used to choose between lines.

The lead at the end of a game is approximately normally distributed around the current lead. Its
variance grows with the number of remaining deals. `_DEALS` contains the parameters for each game.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, sqrt
from typing import Final, NamedTuple

from boardctl.games import Move
from boardctl.record.record import Record
from boardctl.record.visibility import deal_start


class Choice(NamedTuple):
    """A line and its value."""

    move: Move
    win: float | None
    """The chance of winning the game, or None if only the points compare lines."""
    points: float
    """The average lead of the side over the best other side in this deal."""


def best_first(choice: Choice) -> float:
    """Return the sort key of a choice whose chance of winning is known."""
    return -(choice.win or 0.0)


class Spread(NamedTuple):
    """The parameters of a game's deals: the average score of the better side, and the standard
    deviation of the difference between two sides."""

    better: float
    apart: float


_DEALS: Final = {
    ("belote", 2): Spread(110.0, 120.0),
    ("belote", 4): Spread(150.0, 170.0),
    ("costly-colours", 2): Spread(16.0, 9.0),
    ("klaberjass", 2): Spread(90.0, 95.0),
    ("noddy", 2): Spread(6.0, 5.0),
    ("noddy", 4): Spread(10.0, 6.0),
    ("pinochle", 3): Spread(250.0, 300.0),
    ("pinochle", 4): Spread(250.0, 250.0),
}
_OVER: Final = 0.02
"""The share of the chance that still depends on the lead once a side has reached the target. It is
not 0 because the points of a sampled deal are approximate."""


def spread(game: str, seats: int) -> Spread | None:
    """Return the parameters of a game's deals, or None if the game is not scored once per deal."""
    return _DEALS.get((game, seats))


class Table:
    """The value that a deal's points have for a seat, given the score of the game."""

    def __init__(self, record: Record, seat: int) -> None:
        position = record.position
        assert position.game is not None
        assert position.state is not None
        self._spread = _DEALS[position.game.name, len(position.seats)]
        self._scores = position.scores
        self._target: int = position.state.target
        self.side: int = position.state.setup.side(seat) - 1
        """The side of the seat, from 0."""
        self.bids = bids(record)
        """The bids of this deal."""

    def worth(self, scored: Sequence[float]) -> float:
        """Return the chance of winning after each side has scored these points in the deal."""
        after = [was + more for was, more in zip(self._scores, scored, strict=True)]
        return chance(self._spread, after, self.side, self._target)

    def more(self, scored: Sequence[float]) -> float:
        """Return the side's lead over the best other side, in points."""
        others = (points for side, points in enumerate(scored) if side != self.side)
        return scored[self.side] - max(others)


def chance(spread: Spread, scores: Sequence[float], side: int, target: int) -> float:
    """Return one side's chance of winning, from 0 to 1.

    Args:
        spread: the spread of the game's deals.
        scores: the score of each side after a deal.
        side: from 0.
        target: the score that wins.
    """
    mine = scores[side]
    best = max(score for other, score in enumerate(scores) if other != side)
    top = max(mine, best)
    if top < target:
        return _ahead(mine - best, spread, max(1.0, (target - top) / spread.better))
    won = 0.5 if mine == best else float(mine > best)
    return won * (1 - _OVER) + _OVER * _ahead(mine - best, spread, 1.0)


def _ahead(lead: float, spread: Spread, deals: float) -> float:
    """Return the chance that a side will still lead after this number of deals."""
    return 0.5 + 0.5 * erf(lead / (spread.apart * sqrt(2 * deals)))


def bids(record: Record) -> tuple[Move, ...]:
    """Return the bids of the current deal, in order."""
    moves = record.moves
    return tuple(move for move in moves[deal_start(moves) :] if move.verb == "bid")
