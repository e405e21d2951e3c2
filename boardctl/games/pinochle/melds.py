"""The values of melds with three and four hands. Source: docs/rules/pinochle-3-4.md 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
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


class Kind(NamedTuple):
    """One meld: its name, its group (`Meld.group`), its cards, and the points of one and, by
    option, of two."""

    name: str
    group: str
    cards: tuple[Card, ...]
    points: tuple[int, int]


def kinds(trump: Suit) -> Iterator[Kind]:
    """Every meld with these trumps."""
    yield Kind("sequence", "marriages", tuple(Card(rank, trump) for rank in ROYAL), FLUSH)
    for suit in Suit:
        pair = Card(Rank.KING, suit), Card(Rank.QUEEN, suit)
        name, one = ("royal-marriage", ROYAL_MARRIAGE) if suit == trump else ("marriage", MARRIAGE)
        yield Kind(name, "marriages", pair, (one, 2 * one))
    yield Kind("pinochle", "pinochles", PINOCHLE_CARDS, PINOCHLE)
    for rank, (name, one, two) in AROUND.items():
        yield Kind(name, name, tuple(Card(rank, suit) for suit in Suit), (one, two))
    yield Kind("dix", "dix", (Card(Rank.NINE, trump),), (DIX, 2 * DIX))


def melds(cards: Iterable[Card], trump: Suit, *, double: bool) -> tuple[Meld, ...]:
    """The melds of some cards with the highest total value (1.3, 1.4).

    Args:
        double: whether two equal melds have a value of their own.
    """
    held = Counter(card.plain for card in cards)
    found: list[Meld] = []
    for kind in kinds(trump):
        times = min(held[card] for card in kind.cards)
        if kind.name == "royal-marriage":  # not of the king and queen of a sequence
            times -= sum(meld.times for meld in found if meld.name == "sequence")
        if times > 0:
            worth = kind.points[1] if times == 2 and double else kind.points[0] * times
            found.append(Meld(kind.name, kind.group, times, worth, kind.cards))
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
