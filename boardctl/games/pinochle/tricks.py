"""Trick winners and legal plays with three and four hands.

Source: docs/rules/pinochle-3-4.md 1.2, 5.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from boardctl.games.cards import Card, Rank, Suit, parse_cards

RANKS: Final = tuple(card.rank for card in parse_cards("A T K Q J 9") if card.rank is not None)
"""The ranks, strongest first."""
STRENGTH: Final = {rank: -place for place, rank in enumerate(RANKS)}
PACK: Final = tuple(Card(rank, suit) for suit in Suit for rank in RANKS)
"""The distinct cards; each is in the pack twice."""
TRADITIONAL: Final = {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2}
MODERN: Final = {Rank.ACE: 10, Rank.TEN: 10, Rank.KING: 10}
LAST_TRICK: Final = 10
ALL: Final = 250
"""The trick points of a deal, including the last trick."""

Trick = tuple[tuple[int, Card], ...]
"""The cards of a trick in playing order, each with the seat that played it."""


def counters(cards: Collection[Card], *, modern: bool) -> int:
    """The trick points of some cards."""
    values = MODERN if modern else TRADITIONAL
    return sum(values.get(card.rank, 0) for card in cards if card.rank is not None)


def _power(card: Card, lead: Suit | None, trump: Suit) -> tuple[bool, bool, int]:
    assert card.rank is not None
    return card.suit == trump, card.suit == lead, STRENGTH[card.rank]


def winner(trick: Trick, trump: Suit) -> tuple[int, Card]:
    """The seat currently winning a trick, and its card; of two identical cards the first wins."""
    lead = trick[0][1].suit
    best = trick[0]
    for play in trick[1:]:
        if _power(play[1], lead, trump) > _power(best[1], lead, trump):
            best = play
    return best


def legal(trick: Trick, hand: Collection[Card], trump: Suit, *, always: bool) -> frozenset[Card]:
    """The cards of a hand that may legally be played (5.2 to 5.4).

    Args:
        always: a plain lead has to be beaten too, and a trump overtrumped.
    """
    everything = frozenset(hand)
    if not trick:
        return everything
    lead = trick[0][1].suit
    _, best = winner(trick, trump)
    suited = frozenset(card for card in hand if card.suit == lead)
    trumps = frozenset(card for card in hand if card.suit == trump)
    mine = suited or trumps
    higher = frozenset(
        card for card in mine if _power(card, lead, trump) > _power(best, lead, trump)
    )
    must_beat = always or lead == trump
    if suited and best.suit != lead:  # the lead has been trumped
        must_beat = False
    return (higher if must_beat else mine) or mine or everything


def denies(trick: Trick, card: Card, trump: Suit, *, always: bool) -> frozenset[Card]:
    """The cards that a player cannot have held, given this play."""
    return frozenset(
        other for other in PACK if card not in legal(trick, {other, card}, trump, always=always)
    )
