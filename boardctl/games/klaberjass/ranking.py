"""The pack of Klaberjass: card values, card order, legal plays and sequences.

Source: docs/rules/klaberjass.md 2, 5.1, 6.2, 6.3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from boardctl.cards import Card, Rank, Suit, pack, parse_cards


def _order(ranks: str) -> tuple[Rank, ...]:
    return tuple(card.rank for card in parse_cards(ranks) if card.rank is not None)


NATURAL: Final = _order("A K Q J T 9 8 7")
"""The ranks from high to low, for sequences and for the cut (2.1)."""
PLAIN: Final = _order("A T K Q J 9 8 7")
TRUMP: Final = _order("J 9 A T K Q 8 7")
PACK: Final = frozenset(pack(NATURAL))
_VALUES: Final = {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3}


def value(card: Card, trump: Suit | None) -> int:
    """The points of a card in a trick (2.2)."""
    if card.rank is Rank.JACK:
        return 20 if card.suit == trump else 2
    if card.rank is Rank.NINE and card.suit == trump:
        return 14
    assert card.rank is not None
    return _VALUES.get(card.rank, 0)


def strength(card: Card, trump: Suit) -> int:
    """The card's position in the order of its suit; higher is stronger."""
    assert card.rank is not None
    return -(TRUMP if card.suit == trump else PLAIN).index(card.rank)


def beats(follower: Card, lead: Card, trump: Suit) -> bool:
    """Whether the second card of a trick wins it."""
    if follower.suit == lead.suit:
        return strength(follower, trump) > strength(lead, trump)
    return follower.suit == trump


def legal(lead: Card | None, hand: Collection[Card], trump: Suit) -> frozenset[Card]:
    """The cards of a hand that may legally be played (6.2, 6.3); all if `lead` is None."""
    if lead is None:
        return frozenset(hand)
    suited = frozenset(card for card in hand if card.suit == lead.suit)
    trumps = frozenset(card for card in hand if card.suit == trump)
    if lead.suit == trump:
        higher = frozenset(card for card in trumps if beats(card, lead, trump))
        return higher or trumps or frozenset(hand)
    return suited or trumps or frozenset(hand)


def denies(lead: Card, follower: Card, trump: Suit) -> frozenset[Card]:
    """The cards that a player cannot have held, given this reply to a lead (6.2, 6.3)."""
    return frozenset(card for card in PACK if follower not in legal(lead, {card, follower}, trump))


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
    held = frozenset(hand)
    found = [
        run for run in ALL_RUNS if held.issuperset(run.cards) and held.isdisjoint(neighbours(run))
    ]
    if split:
        halves = [
            (Run(run.cards[:4]), Run(run.cards[4:])) if len(run.cards) >= 7 else (run,)
            for run in found
        ]
        found = [half for pair in halves for half in pair]
    return tuple(found)
