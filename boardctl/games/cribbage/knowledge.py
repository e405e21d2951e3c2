"""What is known about a deal's cards, and what follows from it.

Cards may be known fully, by rank, or not at all, from several entries: a hand as dealt, discards,
plays, a hand as shown. `games.common.known_cards` merges the entries and refuses those that no pack
allows; this module combines them for a hand, the crib and the deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardctl.games import IllegalMove, because
from boardctl.games.cards import CARDS, Card, Rank
from boardctl.games.common import known_cards
from boardctl.games.common.known_cards import Cards, merge, twice, with_rank, without
from boardctl.games.common.to_31 import VALUE
from boardctl.games.cribbage.deal import Deal
from boardctl.games.cribbage.form import Form

BIT: Final = {card: 1 << place for place, card in enumerate(CARDS)}
"""The bit of a known card in a set of cards kept as an integer."""

LOW: Final = tuple(sum(BIT[c] for c in CARDS if min(c.rank or 0, 10) <= n) for n in range(32))
"""LOW[n]: the cards that count n or less."""


def refine(cards: Sequence[Card], pool: Sequence[Card]) -> Cards:
    """Add suits from the pool to cards known by rank, for ranks of which both hold equally many, so
    that they must be the same cards. The order is kept."""
    known: dict[Rank | None, list[Card]] = {}
    for rank in {card.rank for card in cards if card.suit is None}:
        here = [card for card in cards if card.rank == rank]
        there = [card for card in pool if card.rank == rank]
        if len(here) == len(there):
            known[rank] = [c for c in there if c.suit is not None and c not in here]
    return tuple(
        known[card.rank].pop() if card.suit is None and known.get(card.rank) else card
        for card in cards
    )


def open_discards(deal: Deal, form: Form, seat: int) -> int:
    """How many of a seat's discards have not been entered, not even by rank."""
    return form.discards - len(with_rank(deal.discarded[seat - 1]))


def certain(deal: Deal, form: Form, seat: int) -> Cards:
    """Cards that a seat was dealt and has neither openly discarded nor played: each is still in the
    hand or among the discards that were not entered."""
    place = seat - 1
    used = (*with_rank(deal.discarded[place]), *deal.played[place])
    return without(with_rank(deal.dealt[place]), used)


def can_surely_play(deal: Deal, form: Form, seat: int, most: int) -> bool:
    """Whether the seat is known to hold a card that counts `most` or less."""
    if most >= 10:
        return True
    place = seat - 1
    if deal.fully_known:
        held = deal.held[place]
        laid_away = held.bit_count() - form.keep + len(deal.played[place])
        return (held & LOW[most]).bit_count() > laid_away
    low = sum(1 for card in certain(deal, form, seat) if VALUE[card.rank] <= most)
    return low > open_discards(deal, form, seat)


def kept(deal: Deal, form: Form, seat: int) -> Cards:
    """The known cards of a hand to be counted: those played, and what remains of the hand as dealt
    after the discards."""
    place = seat - 1
    if deal.fully_known and len(deal.played[place]) == form.keep:
        return deal.played[place]
    played, dealt = deal.played[place], with_rank(deal.dealt[place])
    entered = with_rank(deal.discarded[place])
    if len(dealt) == form.dealt:
        played = refine(played, without(dealt, entered))
    if len(entered) == form.discards:
        return (*played, *without(dealt, (*entered, *played)))
    return played


def crib(deal: Deal, form: Form) -> Cards:
    """The known cards of the crib."""
    known: list[Card] = [] if deal.extra is None or deal.extra.rank is None else [deal.extra]
    for seat in range(1, form.seats + 1):
        place = seat - 1
        hand = deal.shown[place] or kept(deal, form, seat)
        dealt = with_rank(deal.dealt[place])
        known += (
            merge(with_rank(deal.discarded[place]), without(dealt, hand))
            if (len(hand) == form.keep)
            else refine(with_rank(deal.discarded[place]), dealt)
        )
    return tuple(known)


def check(deal: Deal, form: Form, more: Sequence[Card] = ()) -> None:
    """Check the cards against a pack of 52. `more` are further cards of the crib.

    Raises:
        IllegalMove: `card-twice`, `too-many-of-rank`, `not-held` with the seat whose hand it is.
    """
    everything: list[Card] = list(more)
    for seat in range(1, form.seats + 1):
        place = seat - 1
        dealt = with_rank(deal.dealt[place])
        on_show = merge(deal.played[place], deal.shown[place])
        used = (*on_show, *with_rank(deal.discarded[place]))
        twice(used)
        twice(dealt)
        held = merge(dealt, used)
        if len(held) > form.dealt or len(on_show) > form.keep:
            why = None if dealt else "full"
            raise IllegalMove("not-held", seat=seat, cards=used, held=dealt, **because(why))
        everything += held
    everything += filter(None, (deal.extra, deal.starter))
    twice(everything)


def unseen(deal: Deal, form: Form) -> Cards:
    """The cards of the pack that could still be entered as new: not seen, and not of a rank already
    entered four times."""
    if deal.fully_known:
        return tuple(card for card in CARDS if not BIT[card] & deal.seen)
    seen: list[Card] = []
    for place in range(form.seats):
        dealt = with_rank(deal.dealt[place])
        on_show = merge(deal.played[place], deal.shown[place])
        seen += merge(dealt, (*on_show, *with_rank(deal.discarded[place])))
    seen += [card for card in (deal.starter, deal.extra) if card and card.rank is not None]
    return known_cards.unseen(seen)


def room(deal: Deal, form: Form, seat: int) -> int:
    """How many cards of a hand have not been entered in any form, so that any unseen card may be
    one of them."""
    place = seat - 1
    used = (*deal.played[place], *with_rank(deal.discarded[place]))
    return form.dealt - len(merge(with_rank(deal.dealt[place]), used))
