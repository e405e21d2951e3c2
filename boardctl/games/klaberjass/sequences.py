"""Sequences of Klaberjass. Source: docs/rules/klaberjass.md 5.1 and 5.2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common import jass
from boardctl.games.common.jass import NATURAL


@dataclass(frozen=True, slots=True)
class Run:
    """A sequence: cards of one suit, highest first (5.1)."""

    cards: tuple[Card, ...]

    @property
    def value(self) -> int:
        return 20 if len(self.cards) == 3 else 50

    @property
    def top(self) -> Rank:
        rank = self.cards[0].rank
        assert rank is not None
        return rank

    @property
    def suit(self) -> Suit:
        suit = self.cards[0].suit
        assert suit is not None
        return suit

    @property
    def level(self) -> tuple[int, int]:
        """The sort key that decides between two sequences before trump does: points, then top card
        (5.2)."""
        return self.value, -NATURAL.index(self.top)


def _stretch(suit: Suit, start: int, length: int) -> Run:
    return Run(tuple(Card(rank, suit) for rank in NATURAL[start : start + length]))


ALL_RUNS: Final = tuple(
    _stretch(suit, start, length)
    for length in range(8, 2, -1)
    for suit in Suit
    for start in range(9 - length)
)
"""Every sequence in the pack, the longest first."""


def neighbours(run: Run) -> frozenset[Card]:
    """The cards that would make a run longer."""
    first = NATURAL.index(run.top)
    ends = (first - 1, first + len(run.cards))
    return frozenset(Card(NATURAL[place], run.suit) for place in ends if 0 <= place < 8)


def runs(hand: Iterable[Card], split: bool = False) -> tuple[Run, ...]:
    """The sequences of a fully known hand. With `split` a run of seven or eight counts as two
    (option split_long_runs), otherwise each run counts once (5.1, E5)."""
    found = [Run(cards) for cards in sorted(jass.runs(hand), key=len, reverse=True)]
    if split:
        halves = [
            (Run(run.cards[:4]), Run(run.cards[4:])) if len(run.cards) >= 7 else (run,)
            for run in found
        ]
        found = [half for pair in halves for half in pair]
    return tuple(found)
