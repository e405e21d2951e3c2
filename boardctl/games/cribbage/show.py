"""Counting in the show: every scoring combination of a hand or crib with the starter.

Combinations are in the traditional counting order: fifteens, pairs, runs, flush, his nobs
(docs/rules/cribbage.md 5). For sums over many hands, use `bot.totals`, which computes only the
total and is much faster. Cards known by rank count for fifteens, pairs and runs. `readings` and
`questions` show whether a flush or his nobs could still matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from boardctl.games import Ask, Move, new, put
from boardctl.games.cards import Card, Rank, Suit, spell
from boardctl.games.common import known_cards, suits
from boardctl.games.common.known_cards import (
    BIT,
    Cards,
    RaceDeal,
    merge,
    refine,
    with_rank,
    without,
)
from boardctl.games.common.referee import counted
from boardctl.games.common.suits import Question
from boardctl.games.common.to_31 import Item, rank_items, turned_jack

CRIB: Final = 4
"""The number of cards in the crib, in every variant."""
Deal = RaceDeal[Cards]
"""A deal. Its `extra` field contains the entered cards that were dealt straight to the crib."""

Flush = Literal["no-flush", "flush", "flush5"]
FLUSH_WORDS: Final = ("no-flush", "flush", "flush5")
NOBS_WORDS: Final = ("no-nobs", "nobs")
WORDS: Final = FLUSH_WORDS + NOBS_WORDS


class Reading(NamedTuple):
    """The suits of a hand and starter, in the words of the notation.

    `flush` means that the cards of the hand are of one suit, and `flush5` that the starter is of
    that suit too. `nobs` means that the hand contains the jack of the starter's suit.
    """

    flush: Flush
    nobs: bool


_JACK: Final = Rank.JACK
_JACKS: Final[dict[Suit | None, Card]] = {suit: Card(Rank.JACK, suit) for suit in Suit}
_RANK: Final = itemgetter(0)
_SUIT: Final = itemgetter(1)


def count(
    hand: Sequence[Card],
    starter: Card,
    *,
    crib: bool = False,
    reading: Reading | None = None,
) -> tuple[Item, ...]:
    """Return every scoring combination, in counting order. The sum of the points is the value of
    the hand.

    A three-card hand belongs to five-card cribbage, in which a flush is worth 3, or 4 with the
    starter (8.4). The cards of each combination are in ascending order of rank.

    Args:
        hand: the cards of the hand or crib.
        starter: the starter.
        crib: whether a flush must include the starter.
        reading: the players' answers about unknown suits. Without it, an unknown suit earns
            nothing.

    Raises:
        ValueError: if a card has no rank.
    """
    cards = [*hand, starter]
    try:
        cards.sort(key=_RANK)
    except TypeError:  # None cannot be compared with ranks
        raise ValueError(spell((*hand, starter))) from None
    found, jack = rank_items(*map(_RANK, cards))
    items = []
    for reason, pick, points in found:
        items.append(new(Item, (reason, pick(cards), points)))
    if reading is not None:
        flush, nobs = reading
    else:  # most hands need only two quick checks
        flush = "no-flush"
        if hand[0].suit is hand[1].suit is hand[2].suit:
            flush = _known_flush(hand, starter)
        nobs = jack and _JACKS.get(starter.suit) in hand
    if flush != "no-flush":
        points = _flush_points(flush, len(hand), five_only=crib)
        if points:
            suited = cards if flush == "flush5" else sorted(hand)
            items.append(Item("flush", tuple(suited), points))
    if nobs:
        items.append(Item("nobs", (turned_jack(hand, starter),), 1))
    return tuple(items)


def readings(hand: Sequence[Card], starter: Card) -> frozenset[Reading]:
    """Return all possible readings of the suits. No card may occur twice.

    If the suits are known, there is only one reading.

    Raises:
        ValueError: if a card has no rank, or if a known card occurs twice, so that no reading is
            possible.
    """
    cards = (*hand, starter)
    ranks = list(dict.fromkeys(card.rank for card in cards))
    if None in ranks:
        raise ValueError(spell(cards))
    # Only two facts about the ranks matter: which ranks are equal, and which are jacks.
    names = {rank: rank if rank is _JACK else Rank(place) for place, rank in enumerate(ranks, 1)}
    possible = _possible(tuple(Card(names[card.rank], card.suit) for card in cards))
    if not possible:
        raise ValueError(spell(cards))
    return possible


@lru_cache(maxsize=1024)
def _possible(cards: Cards) -> frozenset[Reading]:
    """Return the possible readings of these cards. The starter is the last card."""
    if all(card.suit is None for card in cards):  # the suits are interchangeable
        cards = (*cards[:-1], Card(cards[-1].rank, Suit.CLUBS))
    return frozenset(
        Reading(_known_flush(hand, starter), _JACKS[starter.suit] in hand)
        for *hand, starter in suits.assignments(cards)
    )


def questions(*, five_only: bool = False) -> tuple[Question[Reading], ...]:
    """Return the possible questions about suits. With `five_only`, a flush must include the
    starter, so the referee does not ask about a flush without it."""
    none = {"flush": "no-flush"} if five_only else {}
    return (
        Question(
            "flush",
            FLUSH_WORDS,
            lambda r: none.get(r.flush, r.flush),
            lambda r: _flush_points(r.flush, 4, five_only=five_only),
            none,
        ),
        Question("nobs", NOBS_WORDS, lambda r: NOBS_WORDS[r.nobs], lambda r: r.nobs),
    )


def _flush_points(flush: Flush, cards: int, *, five_only: bool) -> int:
    if flush == "flush5":
        return cards + 1
    return cards if flush == "flush" and not five_only else 0


def _known_flush(hand: Sequence[Card], starter: Card) -> Flush:
    suit = hand[0].suit
    for card in hand:
        if card.suit is not suit or suit is None:
            return "no-flush"
    return "flush5" if starter.suit is suit else "flush"


# A hand or crib of a deal: known cards, cards entered at the show, and stated suits (5, 8.4).


def cards_to_count(deal: Deal, seat: int) -> Cards:
    """Return the known cards of a hand to be counted: the played cards, and the other dealt cards
    that were not discarded."""
    place = seat - 1
    if deal.fully_known and not deal.holds(seat):
        return deal.played[place]
    played, dealt = deal.played[place], with_rank(deal.hands[place])
    entered = with_rank(deal.discarded[place])
    if len(dealt) == deal.size:
        played = refine(played, without(dealt, entered))
    if len(entered) == deal.size - deal.keep:
        return (*played, *without(dealt, (*entered, *played)))
    return played


def known_crib(deal: Deal) -> Cards:
    """Return the known cards of the crib."""
    known = [*with_rank(deal.extra)]
    for seat in range(1, deal.seats + 1):
        hand = deal.counted_hands[seat - 1] or cards_to_count(deal, seat)
        dealt, away = with_rank(deal.hands[seat - 1]), with_rank(deal.discarded[seat - 1])
        whole = len(hand) == deal.keep
        known += merge(away, without(dealt, hand)) if whole else refine(away, dealt)
    return tuple(known)


def hand_to_count(deal: Deal, seat: int, entered: Cards) -> tuple[Deal, Cards]:
    """Return the cards of a hand to be counted, and the deal, which is updated if the hand was
    unknown. `entered` contains all cards of the hand, only its unknown cards, or no cards.

    Raises:
        IllegalMove: `cards-needed` with the number of cards, `contradicts` with the known cards, or
            a code of the pack check.
    """
    known = cards_to_count(deal, seat)
    if not entered and deal.fully_known and len(known) == deal.keep:
        return deal, known
    cards = known_cards.complete(known, entered, deal.keep, seat)
    known_cards.check(deal._replace(counted_hands=put(deal.counted_hands, seat, cards)))
    dealt = with_rank(deal.hands[seat - 1])
    if len(dealt) == deal.size:
        cards = refine(cards, without(dealt, deal.discarded[seat - 1]))
    return deal._replace(counted_hands=put(deal.counted_hands, seat, cards)), cards


def crib(deal: Deal, entered: Cards) -> Cards:
    """Return the cards of the crib to be counted. They are entered like those of a hand. Raises
    IllegalMove with a code of `hand_to_count`."""
    if deal.fully_known and not entered:
        cards = sum(deal.discarded, deal.extra)
        if len(cards) == CRIB and all(map(BIT.__contains__, cards)):
            return cards
    known = known_crib(deal)
    cards = known_cards.complete(known, entered, CRIB, None)
    known_cards.check(deal, without(cards, known))
    return cards


def scored(
    cards: Cards,
    starter: Card,
    words: tuple[str, ...],
    *,
    five_only: bool = False,
) -> tuple[Item, ...]:
    """Return the combinations of the cards with the starter, given the known and stated suits. With
    `five_only`, a flush must include the starter.

    Raises:
        IllegalMove: a code of `suits.resolve`.
    """
    if not words and None not in map(_SUIT, (*cards, starter)):
        return count(cards, starter, crib=five_only)
    asked = questions(five_only=five_only)
    reading = suits.resolve(readings(cards, starter), words, asked, cards)
    return count(cards, starter, crib=five_only, reading=reading)


def crib_asks(deal: Deal, dealer: int) -> tuple[Ask, ...]:
    """Return the entry for the crib to be counted."""
    if deal.starter is None:
        return ()
    missing = CRIB - len(known_crib(deal))
    return counted("crib", Move("crib", dealer), missing, deal.unseen)
