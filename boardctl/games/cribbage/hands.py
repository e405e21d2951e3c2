"""Hands and crib as they are counted: known cards, cards entered at the show, and stated suits.

Sources: docs/rules/cribbage.md 5 and 8.4; notation "Ranks".
"""

from __future__ import annotations

from operator import itemgetter

from boardctl.games import put
from boardctl.games.cards import Card
from boardctl.games.common import known_cards, suits, to_31
from boardctl.games.common.known_cards import Cards, merge, refine, with_rank, without
from boardctl.games.common.series import Item
from boardctl.games.common.to_31 import BIT
from boardctl.games.cribbage import show
from boardctl.games.cribbage.deal import Deal
from boardctl.games.cribbage.form import CRIB, Form

_SUIT = itemgetter(1)


def kept(deal: Deal, seat: int) -> Cards:
    """The known cards of a hand to be counted: those played, and what remains of the hand as dealt
    after the discards."""
    table, place = deal.table, seat - 1
    if table.fully_known and not table.holds(seat):
        return table.played[place]
    played, dealt = table.played[place], with_rank(table.hands[place])
    entered = with_rank(table.discarded[place])
    if len(dealt) == table.size:
        played = refine(played, without(dealt, entered))
    if len(entered) == table.size - table.keep:
        return (*played, *without(dealt, (*entered, *played)))
    return played


def known_crib(deal: Deal) -> Cards:
    """The known cards of the crib."""
    table = deal.table
    known = [] if deal.extra is None else [*with_rank((deal.extra,))]
    for seat in range(1, table.seats + 1):
        hand = table.shown[seat - 1] or kept(deal, seat)
        dealt, away = with_rank(table.hands[seat - 1]), with_rank(table.discarded[seat - 1])
        whole = len(hand) == table.keep
        known += merge(away, without(dealt, hand)) if whole else refine(away, dealt)
    return tuple(known)


def shown(deal: Deal, seat: int, entered: Cards) -> tuple[Deal, Cards]:
    """A hand to be counted, and the deal updated with it if it was not known. `entered` are all its
    cards, the unknown ones only, or none.

    Raises:
        IllegalMove: `cards-needed` with how many; `contradicts` with what was known; any error of
            the pack check.
    """
    table, known = deal.table, kept(deal, seat)
    if not entered and table.fully_known and len(known) == table.keep:
        return deal, known
    cards = known_cards.complete(known, entered, table.keep, seat)
    to_31.check(table._replace(shown=put(table.shown, seat, cards)))
    dealt = with_rank(table.hands[seat - 1])
    if len(dealt) == table.size:
        cards = refine(cards, without(dealt, table.discarded[seat - 1]))
    return deal._replace(table=table._replace(shown=put(table.shown, seat, cards))), cards


def crib(deal: Deal, entered: Cards) -> Cards:
    """The crib to be counted, entered as a hand is. Raises IllegalMove as `shown` does."""
    if deal.table.fully_known and not entered:
        cards = sum(deal.table.discarded, ()) + (() if deal.extra is None else (deal.extra,))
        if len(cards) == CRIB and all(map(BIT.__contains__, cards)):
            return cards
    known = known_crib(deal)
    cards = known_cards.complete(known, entered, CRIB, None)
    to_31.check(deal.table, without(cards, known))
    return cards


def count(
    cards: Cards, starter: Card, words: tuple[str, ...], form: Form, *, crib: bool = False
) -> tuple[Item, ...]:
    """What the cards score with the starter, given what is known and stated about their suits.

    Raises:
        IllegalMove: those of `suits.resolve`.
    """
    if not words and None not in map(_SUIT, (*cards, starter)):
        return show.count(cards, starter, crib=crib, flush_any=form.crib_as_hand)
    five_only = crib and not form.crib_as_hand
    asked = show.questions(five_only=five_only)
    reading = suits.resolve(show.readings(cards, starter), words, asked, cards)
    return show.count(cards, starter, crib=five_only, reading=reading)


def possible_points(cards: Cards, starter: Card) -> frozenset[int]:
    """What a hand known by rank could score with the starter, for any suits."""
    return frozenset(
        sum(item.points for item in show.count(cards, starter, reading=reading))
        for reading in show.readings(cards, starter)
    )
