"""Legal plays and tricks of Belote. Source: docs/rules/belote.md 6."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from boardctl.games.cards import CARDS, Card, Suit
from boardctl.games.common.jass import PACK, strength, value

IN_ORDER: Final = tuple(card for card in CARDS if card in PACK)

Trick = tuple[tuple[int, Card], ...]
"""The cards of a trick in playing order, each with the seat that played it."""


def winner(trick: Trick, trump: Suit) -> tuple[int, Card]:
    """The seat currently winning a trick, and its card."""
    lead = trick[0][1].suit

    def rank(play: tuple[int, Card]) -> tuple[bool, bool, int]:
        card = play[1]
        return card.suit == trump, card.suit == lead, strength(card, trump)

    return max(trick, key=rank)


def legal(
    trick: Trick, hand: Collection[Card], seat: int, trump: Suit, *, seats: int, undertrump: bool
) -> frozenset[Card]:
    """The cards of a hand that may legally be played (6.2 to 6.6).

    Args:
        undertrump: a player who cannot overtrump must still play a trump.
    """
    everything = frozenset(hand)
    if not trick:
        return everything
    lead = trick[0][1].suit
    holder, best = winner(trick, trump)
    suited = frozenset(card for card in hand if card.suit == lead)
    trumps = frozenset(card for card in hand if card.suit == trump)
    over = trumps
    if best.suit == trump:
        over = frozenset(c for c in trumps if strength(c, trump) > strength(best, trump))
    if lead == trump:
        return over or trumps or everything
    if suited:
        return suited
    if seats == 4 and (holder - seat) % 2 == 0:
        return everything
    if over:
        return over
    return (trumps if undertrump else everything) or everything


def denies(
    trick: Trick, card: Card, seat: int, trump: Suit, *, seats: int, undertrump: bool
) -> frozenset[Card]:
    """The cards that a player cannot have held, given this play."""
    return frozenset(
        other
        for other in PACK
        if card not in legal(trick, {other, card}, seat, trump, seats=seats, undertrump=undertrump)
    )


def in_tricks(plays: Trick, seats: int) -> tuple[Trick, ...]:
    """The tricks made by a deal's plays; the last may be incomplete."""
    return tuple(plays[n : n + seats] for n in range(0, len(plays), seats))


def points(trick: Sequence[tuple[int, Card]], trump: Suit) -> int:
    """The points of the cards of a trick."""
    return sum(value(card, trump) for _, card in trick)
