"""The cards of the Jass family, Klaberjass and Belote: their order and their values.

Sources: docs/rules/klaberjass.md 2, docs/rules/belote.md 1.
"""

from __future__ import annotations

from typing import Final

from boardctl.games.cards import Card, Rank, Suit, pack, parse_cards


def _order(ranks: str) -> tuple[Rank, ...]:
    return tuple(card.rank for card in parse_cards(ranks) if card.rank is not None)


NATURAL: Final = _order("A K Q J T 9 8 7")
"""The ranks from high to low, for sequences and for the cut."""
PLAIN: Final = _order("A T K Q J 9 8 7")
TRUMP: Final = _order("J 9 A T K Q 8 7")
PACK: Final = frozenset(pack(NATURAL))
_VALUES: Final = {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3}


def value(card: Card, trump: Suit | None) -> int:
    """The points of a card in a trick; `trump` is None where there is none."""
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
