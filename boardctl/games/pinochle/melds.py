"""The pack of Pinochle, what its cards count, and the values of melds with three and four hands.

Source: docs/rules/pinochle-3-4.md 1, 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from boardctl.games.bezique.game_spec import COMMON_VALUES
from boardctl.games.bezique.melds import FOURS, MARRIAGE, SEQUENCE
from boardctl.games.cards import Card, Rank, Suit, parse_cards
from boardctl.games.common.trick_deal import TrickSpec

RANKS: Final = tuple(card.rank for card in parse_cards("A T K Q J 9") if card.rank is not None)
"""The ranks, strongest first."""
PACK: Final = tuple(Card(rank, suit) for suit in Suit for rank in RANKS)
"""The distinct cards; each is in the pack twice."""
SPEC: Final = TrickSpec(PACK, 2, RANKS, RANKS, {3: 15, 4: 12})
TRADITIONAL: Final = {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2}
MODERN: Final = {Rank.ACE: 10, Rank.TEN: 10, Rank.KING: 10}
LAST_TRICK: Final = 10
ALL: Final = 250
"""The trick points of a deal, including the last trick."""


def counters(cards: Iterable[Card], *, modern: bool) -> int:
    """The trick points of some cards."""
    values = MODERN if modern else TRADITIONAL
    return sum(values.get(card.rank, 0) for card in cards if card.rank is not None)


VALUES: Final = {**COMMON_VALUES, "sequence": 150, "pinochle": 40}
"""The value of a meld, also with two hands (docs/rules/pinochle.md 1.6)."""
DOUBLE: Final = {
    "sequence": 1500,
    "pinochle": 300,
    "four-aces": 1000,
    "four-kings": 800,
    "four-queens": 600,
    "four-jacks": 400,
}
"""By option, the value of two equal melds; of others it is twice that of one."""
DIX: Final = 10


class Meld(NamedTuple):
    """A number of melds of one kind. `group`: a card counts once in each group; `cards` are those
    of one meld."""

    name: str
    group: str
    times: int
    points: int
    cards: tuple[Card, ...]


def kinds(trump: Suit) -> Iterator[tuple[str, str, tuple[Card, ...]]]:
    """Every meld with these trumps: its name, its group (`Meld.group`) and its cards."""
    yield "sequence", "marriages", tuple(Card(rank, trump) for rank in SEQUENCE)
    for suit in Suit:
        name = "royal-marriage" if suit == trump else "marriage"
        yield name, "marriages", tuple(Card(rank, suit) for rank in MARRIAGE)
    yield "pinochle", "pinochles", (Card(Rank.QUEEN, Suit.SPADES), Card(Rank.JACK, Suit.DIAMONDS))
    for rank, ranks in FOURS.items():
        if f"four-{ranks}" in VALUES:
            yield f"four-{ranks}", ranks, tuple(Card(rank, suit) for suit in Suit)
    yield "dix", "dix", (Card(Rank.NINE, trump),)


def melds(cards: Iterable[Card], trump: Suit, *, double: bool) -> tuple[Meld, ...]:
    """The melds of some cards with the highest total value (1.3, 1.4).

    Args:
        double: whether two equal melds have a value of their own.
    """
    held = Counter(card.plain for card in cards)
    found: list[Meld] = []
    for name, group, lying in kinds(trump):
        times = min(held[card] for card in lying)
        if name == "royal-marriage":  # not of the king and queen of a sequence
            times -= sum(meld.times for meld in found if meld.name == "sequence")
        if times > 0:
            worth = VALUES.get(name, DIX) * times
            if times == 2 and double:
                worth = DOUBLE.get(name, worth)
            found.append(Meld(name, group, times, worth, lying))
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
