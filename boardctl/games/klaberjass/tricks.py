"""Legal plays of Klaberjass. Source: docs/rules/klaberjass.md 6.2 and 6.3."""

from __future__ import annotations

from collections.abc import Collection

from boardctl.games.cards import Card, Suit
from boardctl.games.common.jass import PACK, strength


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
