"""The values of melds with three and four hands. Source: docs/rules/pinochle-3-4.md 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from boardctl.games.cards import Card, Rank, Suit

ROYAL: Final = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK)
AROUND: Final = {
    Rank.ACE: ("four-aces", 100, 1000),
    Rank.KING: ("four-kings", 80, 800),
    Rank.QUEEN: ("four-queens", 60, 600),
    Rank.JACK: ("four-jacks", 40, 400),
}
"""The name of four of a rank, one of each suit, and the points of one and, by option, of two."""
FLUSH: Final = (150, 1500)
ROYAL_MARRIAGE: Final = 40
MARRIAGE: Final = 20
PINOCHLE: Final = (40, 300)
DIX: Final = 10
PINOCHLE_CARDS: Final = (Card(Rank.QUEEN, Suit.SPADES), Card(Rank.JACK, Suit.DIAMONDS))


class Meld(NamedTuple):
    """A number of melds of one kind. `group`: a card counts once in each group; `cards` are those
    of one meld."""

    name: str
    group: str
    times: int
    points: int
    cards: tuple[Card, ...]


def melds(cards: Iterable[Card], trump: Suit, *, double: bool) -> tuple[Meld, ...]:
    """The melds of some cards with the highest total value (1.3, 1.4).

    Args:
        double: whether two equal melds have a value of their own.
    """
    held = Counter(card.plain for card in cards)
    found = []

    def add(name: str, group: str, some: tuple[Card, ...], points: tuple[int, int]) -> int:
        times = min(held[card] for card in some)
        if times:
            worth = points[1] if times == 2 and double else points[0] * times
            found.append(Meld(name, group, times, worth, some))
        return times

    royal = tuple(Card(rank, trump) for rank in ROYAL)
    flushes = add("sequence", "marriages", royal, FLUSH)
    for suit in Suit:
        pair = (Card(Rank.KING, suit), Card(Rank.QUEEN, suit))
        times = min(held[card] for card in pair) - flushes * (suit == trump)
        if times > 0:
            name = "royal-marriage" if suit == trump else "marriage"
            points = ROYAL_MARRIAGE if suit == trump else MARRIAGE
            found.append(Meld(name, "marriages", times, points * times, pair))
    add("pinochle", "pinochles", PINOCHLE_CARDS, PINOCHLE)
    for rank, (name, one, two) in AROUND.items():
        add(name, name, tuple(Card(rank, suit) for suit in Suit), (one, two))
    add("dix", "dix", (Card(Rank.NINE, trump),), (DIX, 2 * DIX))
    return tuple(found)


def points(found: Iterable[Meld]) -> int:
    """The total value of melds."""
    return sum(meld.points for meld in found)


def used(found: Iterable[Meld]) -> Counter[Card]:
    """How many of each card are in melds: as many as any one group of melds needs."""
    groups: dict[str, Counter[Card]] = {}
    for meld in found:
        count = groups.setdefault(meld.group, Counter())
        for card in meld.cards:
            count[card] += meld.times
    total: Counter[Card] = Counter()
    for count in groups.values():
        total |= count
    return total
