"""Points of the play: what the card last played earns (docs/rules/cribbage.md 4.5, 4.8).

Suits do not matter, so cards known by rank are enough. Last card and go depend on who can still
play; `rules` awards them. Card values are defined here too; the show also uses them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from boardctl.games.cards import Card, Rank

FIFTEEN: Final = 15
THIRTY_ONE: Final = 31
ALIKE: Final = {2: ("pair", 2), 3: ("pair-royal", 6), 4: ("double-pair-royal", 12)}
"""Reason and points for this many cards of one rank: all the pairs they make
(docs/rules/cribbage.md 5.4)."""
_VALUES: Final[dict[Rank | None, int]] = {rank: min(rank, 10) for rank in Rank}


class Item(NamedTuple):
    """One scoring combination; `reason` is the code of an award."""

    reason: str
    cards: tuple[Card, ...]
    points: int


def value(card: Card) -> int:
    """What a card counts: ace 1, court cards 10. Raises ValueError for `?`."""
    if card.rank is None:
        raise ValueError(card)
    return min(card.rank, 10)


def count(series: Sequence[Card]) -> int:
    """The running count of a series: the cards played since the count was 0."""
    try:
        return sum([_VALUES[card.rank] for card in series])
    except KeyError:
        raise ValueError(series) from None


def points(series: Sequence[Card], total: int | None = None) -> tuple[Item, ...]:
    """What the last card of a series earns: fifteen, pair or its royals, run, thirty-one.

    The items' cards are in the order in which they were played.

    Args:
        total: the running count, if already known.

    Raises:
        ValueError: a card of the series has no rank.
    """
    if total is None:
        total = count(series)
    if len(series) < 2:
        return ()
    items = []
    if total == FIFTEEN:
        items.append(Item("fifteen", tuple(series), 2))
    if series[-1].rank == series[-2].rank:
        alike = _alike(series)
        reason, worth = ALIKE[alike]
        items.append(Item(reason, tuple(series[-alike:]), worth))
    elif len(series) > 2:
        run = _run(series)
        if run:
            items.append(Item("run", tuple(series[-run:]), run))
    if total == THIRTY_ONE:
        items.append(Item("thirty-one", tuple(series), 2))
    return tuple(items)


def _alike(series: Sequence[Card]) -> int:
    """How many of the last cards are of one rank, with no other in between."""
    alike = 0
    for card in reversed(series):
        if card.rank != series[-1].rank:
            break
        alike += 1
    return alike


def _run(series: Sequence[Card]) -> int:
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
