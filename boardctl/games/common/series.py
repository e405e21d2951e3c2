"""What a series of cards counts and scores: the cards played since the count was last 0.

Sources: docs/rules/cribbage.md 4, docs/rules/noddy.md 4, docs/rules/costly-colours.md 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from boardctl.games.cards import Card, Rank

THIRTY_ONE: Final = 31
VALUE: Final[dict[Rank | None, int]] = {rank: min(rank, 10) for rank in Rank}
"""What each rank counts: ace 1, court cards 10."""
MUST_PLAY: Final = THIRTY_ONE - 10
"""Up to this count every card can be played, so nobody may say go."""
FIFTEEN: Final = 15
ALIKE: Final = {2: ("pair", 2), 3: ("pair-royal", 6), 4: ("double-pair-royal", 12)}
"""Reason and points for this many cards of one rank: all the pairs they make."""


def count(series: Sequence[Card]) -> int:
    """The running count of a series."""
    return sum(VALUE[card.rank] for card in series)


def alike(series: Sequence[Card]) -> int:
    """How many of the last cards are of one rank, with no other in between."""
    number = 0
    for card in reversed(series):
        if card.rank != series[-1].rank:
            break
        number += 1
    return number


def run(series: Sequence[Card]) -> int:
    """The greatest n of at least 3 such that the last n cards are n consecutive ranks, else 0."""
    ranks = longest = 0
    for number, (rank, _, _) in enumerate(reversed(series), 1):
        bit = 1 << (rank or 0)
        if ranks & bit:
            break
        ranks |= bit
        # Adding the lowest bit to consecutive ranks' bits carries past the highest of them.
        if number > 2 and not ranks + (ranks & -ranks) & ranks:
            longest = number
    return longest


def flush(series: Sequence[Card]) -> int:
    """The greatest n of at least 3 such that the last n cards are of one known suit, else 0."""
    number = 0
    for card in reversed(series):
        if card.suit is None or card.suit != series[-1].suit:
            break
        number += 1
    return number if number >= 3 else 0


class Item(NamedTuple):
    """One scoring combination; `reason` is the code of an award."""

    reason: str
    cards: tuple[Card, ...]
    points: int


class PlayScores(NamedTuple):
    """What a game scores for the card last played."""

    counts: Mapping[int, str]
    """The counts that score, each with its reason; named before the cards' other points."""
    count_points: int | None
    """What they score; None for a point for each card of the series."""
    alike: Mapping[int, tuple[str, int]]
    """Reason and points for so many cards of one rank in a row."""
    runs: bool = True
    flushes: bool = False
    last_counts: Mapping[int, str] = MappingProxyType({})
    """The counts that are named after the other points."""

    def items(self, series: Sequence[Card], total: int) -> tuple[Item, ...]:
        """What the last card of a series earns; `total` is its count."""
        if len(series) < 2:
            return ()
        items: list[Item] = []
        if total in self.counts:
            items.append(self._count(self.counts[total], series))
        if series[-1].rank == series[-2].rank:
            same = alike(series)
            if same in self.alike:
                reason, points = self.alike[same]
                items.append(Item(reason, tuple(series[-same:]), points))
        elif self.runs and len(series) > 2:
            length = run(series)
            if length:
                items.append(Item("run", tuple(series[-length:]), length))
        if self.flushes:
            length = flush(series)
            if length:
                items.append(Item("flush", tuple(series[-length:]), length))
        if total in self.last_counts:
            items.append(self._count(self.last_counts[total], series))
        return tuple(items)

    def _count(self, reason: str, series: Sequence[Card]) -> Item:
        points = len(series) if self.count_points is None else self.count_points
        return Item(reason, tuple(series), points)
