"""The pack of three and four hands, and what its cards count.

Source: docs/rules/pinochle-3-4.md 1.2, 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

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
