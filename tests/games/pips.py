"""Pips as the second referees of Noddy and Costly Colours count them: a court card is worth ten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.games.written import Card

RANKS: Final = "A23456789TJQK"


def value(card: Card) -> int:
    """Return the pips of a card."""
    return min(RANKS.index(card[0]) + 1, 10)


def consecutive(cards: Sequence[Card]) -> bool:
    """Return whether cards form a run in some order."""
    places = sorted(RANKS.index(rank) for rank, _ in cards)
    return places == list(range(places[0], places[0] + len(cards)))
