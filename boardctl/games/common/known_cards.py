"""Cards entered in several ways: a hand as dealt, what was played of it, what was shown.

A card may be known fully, by rank, or not at all. Two entries of the same cards are merged; entries
that contradict a pack of 52 are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from boardctl.games import IllegalMove, because
from boardctl.games.cards import CARDS, Card, Rank, Suit

Cards = tuple[Card, ...]
ALIKE: Final = len(Suit)
"""The number of cards of one rank."""


def with_rank(cards: Iterable[Card]) -> Cards:
    """The cards of which at least the rank has been entered."""
    return tuple(card for card in cards if card.rank is not None)


def merge(one: Sequence[Card], two: Sequence[Card]) -> Cards:
    """Merge two entries of a hand: the smallest set of cards that both could be part of. Each entry
    consists of distinct cards.

    A card known by rank on one side is matched with a card of that rank on the other where
    possible.
    """
    if not one:
        return tuple(two)
    if not two:
        return tuple(one)
    merged: list[Card] = []
    for rank in dict.fromkeys(card.rank for card in (*one, *two)):
        first = [card for card in one if card.rank == rank]
        second = [card for card in two if card.rank == rank]
        known = dict.fromkeys(c for c in (*first, *second) if c.suit is not None)
        count = max(len(first), len(second))
        merged += known
        merged += [Card(rank)] * (count - len(known))
    return tuple(merged)


def without(cards: Sequence[Card], taken: Iterable[Card]) -> Cards:
    """The cards left after some are removed. If it is unclear which card of a rank is left, only
    the rank is kept."""
    left = list(cards)
    for card in taken:
        rank_alone = Card(card.rank)
        if card.suit is not None:
            entered = card if card in left else rank_alone
            if entered in left:
                left.remove(entered)
            continue
        alike = [c for c in left if c.rank == card.rank]
        if not alike:
            continue
        left.remove(alike[0])
        left = [rank_alone if c.rank == card.rank else c for c in left]
    return tuple(left)


def refine(cards: Sequence[Card], pool: Sequence[Card]) -> Cards:
    """Add suits from the pool to cards known by rank, for ranks of which both hold equally many, so
    that they must be the same cards. The order is kept."""
    known: dict[Rank | None, list[Card]] = {}
    for rank in {card.rank for card in cards if card.suit is None}:
        here = [card for card in cards if card.rank == rank]
        there = [card for card in pool if card.rank == rank]
        if len(here) == len(there):
            known[rank] = [c for c in there if c.suit is not None and c not in here]
    return tuple(
        known[card.rank].pop() if card.suit is None and known.get(card.rank) else card
        for card in cards
    )


def twice(cards: Iterable[Card]) -> None:
    """Check that no card occurs twice and no rank five times.

    Raises:
        IllegalMove: `card-twice`, `too-many-of-rank`.
    """
    seen: set[Card] = set()
    ranks: dict[Rank, int] = {}
    for card in cards:
        if card.rank is None:
            continue
        if card.suit is not None and card in seen:
            raise IllegalMove("card-twice", card=card)
        seen.add(card)
        ranks[card.rank] = ranks.get(card.rank, 0) + 1
        if ranks[card.rank] > ALIKE:
            raise IllegalMove("too-many-of-rank", card=Card(card.rank))


def unseen(seen: Sequence[Card]) -> Cards:
    """The cards of the pack that could still be entered as new: not seen, and not of a rank already
    entered four times. Of a rank entered without suits each may be entered, but not all together.
    """
    known = set(seen)
    found: list[Card] = []
    for rank in Rank:
        if sum(card.rank == rank for card in seen) < ALIKE:
            found += (card for card in CARDS if card.rank == rank and card not in known)
    return tuple(found)


def complete(known: Cards, entered: Cards, size: int, seat: int | None) -> Cards:
    """All cards of a hand to be counted: the known cards merged with those entered, which are
    either the whole hand or only the unknown cards.

    Raises:
        IllegalMove: `cards-needed`, `wrong-number-of-cards`, `contradicts`; what the pack rules
        out.
    """
    entered = with_rank(entered)
    missing = size - len(known)
    if not entered:
        if missing:
            why = None if known else "all"
            raise IllegalMove("cards-needed", seat=seat, cards=missing, known=known, **because(why))
        return known
    twice(entered)
    if len(entered) == missing < size:
        return (*known, *entered)
    if len(entered) != size:
        raise IllegalMove("wrong-number-of-cards", said=len(entered), allowed=size)
    merged = merge(entered, known)
    if len(merged) > size:
        raise IllegalMove("contradicts", seat=seat, cards=entered, known=known)
    return merged
