"""The points of a hand in Noddy, which is three cards and the starter. Source: docs/rules/noddy.md
3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from boardctl.games.cards import Card, Rank
from boardctl.games.common import suits
from boardctl.games.common.suits import Question
from boardctl.games.common.to_31 import Item, rank_items, turned_jack

Flush = Literal["no-flush", "flush", "flush3", "flush4"]
FLUSH_WORDS: Final = ("no-flush", "flush", "flush3", "flush4")
NODDY_WORDS: Final = ("no-noddy", "noddy")
WORDS: Final = FLUSH_WORDS + NODDY_WORDS
_RANK: Final = itemgetter(0)
_FLUSH: Final = {"no-flush": 0, "flush": 3, "flush3": 3, "flush4": 4}

HAND: Final = frozenset({*range(16), 20})
"""The possible values of a hand with the default options (6.8)."""
PER_CARD: Final = frozenset({*range(18), 24})
"""The possible values of a hand with `points per_card`."""


class Reading(NamedTuple):
    """The aspects of a hand's and starter's suits that score."""

    flush: Flush
    """`flush` if the three cards in hand have one suit, `flush3` if two of them and the starter do,
    `flush4` if all four cards do, or `no-flush`."""
    noddy: bool
    """Whether the hand contains the jack of the starter's suit."""


QUESTIONS: Final = (
    Question[Reading]("flush", FLUSH_WORDS, lambda r: r.flush, lambda r: _FLUSH[r.flush]),
    Question[Reading]("noddy", NODDY_WORDS, lambda r: NODDY_WORDS[r.noddy], lambda r: r.noddy),
)


def read(cards: Sequence[Card], options: Mapping[str, str]) -> Reading:
    """Return the reading of cards whose suits are known. The starter is the last card."""
    *hand, starter = cards
    in_hand = [card.suit for card in hand]
    flush: Flush = "no-flush"
    if len(set(in_hand)) == 1:
        flush = "flush4" if in_hand[0] == starter.suit else "flush"
    elif options["flush_hand"] == "any_three" and in_hand.count(starter.suit) == 2:
        flush = "flush3"
    noddy = any(card.rank is Rank.JACK and card.suit == starter.suit for card in hand)
    return Reading(flush, noddy)


def readings(
    hand: Sequence[Card], starter: Card, options: Mapping[str, str]
) -> tuple[Reading, ...]:
    """Return all possible readings of the suits in a fixed order. If the suits are known, there is
    only one reading."""
    ways = suits.assignments((*hand, starter))
    return tuple(dict.fromkeys(read(cards, options) for cards in ways))


def count(
    hand: Sequence[Card], starter: Card, reading: Reading, options: Mapping[str, str]
) -> tuple[Item, ...]:
    """Return every scoring combination: fifteens, pairs, runs, flush and noddy. With an option, a
    fifteen earns one point for each of its cards."""
    per_card = options["points"] == "per_card"
    cards = sorted((*hand, starter), key=_RANK)
    found, _ = rank_items(*map(_RANK, cards))
    items = [
        Item(reason, some, len(some) if per_card and reason == "fifteen" else points)
        for reason, pick, points in found
        for some in [pick(cards)]
    ]
    if _FLUSH[reading.flush]:
        items.append(Item("flush", _suited(hand, starter, reading.flush), _FLUSH[reading.flush]))
    if reading.noddy:
        items.append(Item("noddy", (turned_jack(hand, starter),), 1))
    return tuple(items)


def _suited(hand: Sequence[Card], starter: Card, flush: Flush) -> tuple[Card, ...]:
    """Return the cards of a flush, as far as they are known."""
    if flush == "flush":
        return tuple(hand)
    if flush == "flush4":
        return (*hand, starter)
    same = tuple(card for card in hand if card.suit in (None, starter.suit))
    return (*same[:2], starter)
