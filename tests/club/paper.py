"""Score cards as kept on paper: an independent calculation of the standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from boardctl.club.evening import FIGURES, Result, Standing, ranked


class Paper:
    """Everybody's game points and spread, line by line."""

    def __init__(self, players: Iterable[str]) -> None:
        self._cards: dict[str, list[tuple[int, int]]] = {name: [] for name in players}

    def write(self, winner: str, loser: str, behind: int) -> None:
        """Write down a game whose loser ended `behind` points short of 121."""
        self._cards[winner].append((3 if behind <= 90 else 2, 121 - behind))
        self._cards[loser].append((0, behind - 121))

    def sums(self) -> dict[str, tuple[int, int, int, int]]:
        """Return, by player: game points, games won, net spread, plus points."""
        return {
            name: (
                sum(points for points, _ in lines),
                sum(points > 0 for points, _ in lines),
                sum(spread for _, spread in lines),
                sum(spread for _, spread in lines if spread > 0),
            )
            for name, lines in self._cards.items()
        }


def standings(players: Iterable[str], results: Iterable[Result]) -> tuple[Standing, ...]:
    """Return the standings of all players, best first, added up anew from every result."""
    count: dict[str, Counter[str]] = {name: Counter() for name in players}
    for result in results:
        for name, figures in result.figures():
            count[name].update(figures)
    return ranked(
        Standing(0, name, *(c[figure] for figure in FIGURES)) for name, c in count.items()
    )
