"""Points of the play: what the card last played earns (docs/rules/cribbage.md 4.5, 4.8).

Suits do not matter, so cards known by rank are enough. Last card and go depend on who can still
play; `play` awards them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardctl.games.cards import Card
from boardctl.games.common.to_31 import THIRTY_ONE, VALUE, Item, alike, run

FIFTEEN: Final = 15
ALIKE: Final = {2: ("pair", 2), 3: ("pair-royal", 6), 4: ("double-pair-royal", 12)}
"""Reason and points for this many cards of one rank: all the pairs they make
(docs/rules/cribbage.md 5.4)."""


def value(card: Card) -> int:
    """What a card counts: ace 1, court cards 10. Raises ValueError for `?`."""
    if card.rank is None:
        raise ValueError(card)
    return min(card.rank, 10)


def count(series: Sequence[Card]) -> int:
    """The running count of a series: the cards played since the count was 0."""
    try:
        return sum([VALUE[card.rank] for card in series])
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
        same = alike(series)
        reason, worth = ALIKE[same]
        items.append(Item(reason, tuple(series[-same:]), worth))
    elif len(series) > 2:
        length = run(series)
        if length:
            items.append(Item("run", tuple(series[-length:]), length))
    if total == THIRTY_ONE:
        items.append(Item("thirty-one", tuple(series), 2))
    return tuple(items)
