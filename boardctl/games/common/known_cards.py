"""The known cards of a deal that is played to 31.

A card may be fully known, known by rank, or unknown. Several entries contribute to this knowledge:
the dealt hand, the discards, the plays, and the shown hand. Entries of the same cards are merged.
Entries that contradict a pack of 52 cards are refused. Sources: docs/rules/cribbage.md 3,
docs/rules/noddy.md 4, docs/rules/costly-colours.md 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Generic, Literal, NamedTuple, TypeVar

from boardctl.games import IllegalMove, because, new, put
from boardctl.games.cards import CARDS, Card, Rank, Suit

Cards = tuple[Card, ...]
Phase = Literal["discard", "starter", "mog", "play", "show", "crib", "done"]
DealExtra = TypeVar("DealExtra")
SUITS: Final = len(Suit)
"""The number of cards of each rank."""
BIT: Final = {card: 1 << place for place, card in enumerate(CARDS)}
"""The bit of each known card in a set of cards that is stored as an integer."""


def with_rank(cards: Iterable[Card]) -> Cards:
    """Return the cards whose rank has been entered."""
    return tuple(card for card in cards if card.rank is not None)


def merge(one: Sequence[Card], two: Sequence[Card]) -> Cards:
    """Merge two entries of a hand into the smallest set of cards that includes both. The cards
    within each entry are distinct.

    A card known by rank in one entry is matched with a card of that rank in the other entry if
    possible.
    """
    if not one:
        return tuple(two)
    if not two:
        return tuple(one)
    merged: list[Card] = []
    for rank in dict.fromkeys(card.rank for card in (*one, *two)):
        first = [card for card in one if card.rank == rank]
        second = [card for card in two if card.rank == rank]
        known = dict.fromkeys(c for c in (*first, *second) if c.suit is not None)
        count = max(len(first), len(second))
        merged += known
        merged += [Card(rank)] * (count - len(known))
    return tuple(merged)


def without(cards: Sequence[Card], taken: Iterable[Card]) -> Cards:
    """Return the cards that remain after removing some of them. If it is unclear which card of a
    rank remains, only its rank is kept."""
    left = list(cards)
    for card in taken:
        rank_alone = Card(card.rank)
        if card.suit is not None:
            entered = card if card in left else rank_alone
            if entered in left:
                left.remove(entered)
            continue
        alike = [c for c in left if c.rank == card.rank]
        if not alike:
            continue
        left.remove(alike[0])
        left = [rank_alone if c.rank == card.rank else c for c in left]
    return tuple(left)


def refine(cards: Sequence[Card], pool: Sequence[Card]) -> Cards:
    """Add suits from the pool to cards known by rank, and keep their order. If both sets contain
    equally many cards of a rank, these must be the same cards, so their suits are known."""
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


def twice(cards: Iterable[Card]) -> None:
    """Check that no card occurs more than once and no rank more than four times.

    Raises:
        IllegalMove: `card-twice` or `too-many-of-rank`.
    """
    seen: set[Card] = set()
    ranks: dict[Rank, int] = {}
    for card in cards:
        if card.rank is None:
            continue
        if card.suit is not None and card in seen:
            raise IllegalMove("card-twice", card=card)
        seen.add(card)
        ranks[card.rank] = ranks.get(card.rank, 0) + 1
        if ranks[card.rank] > SUITS:
            raise IllegalMove("too-many-of-rank", card=Card(card.rank))


def unseen(seen: Sequence[Card]) -> Cards:
    """Return the cards of the pack that could still be entered as new cards. Seen cards and ranks
    already entered four times are excluded. If some cards of a rank were entered without suits,
    each card of that rank may be new, but not all of them can be."""
    known = set(seen)
    found: list[Card] = []
    for rank in Rank:
        if sum(card.rank == rank for card in seen) < SUITS:
            found += (card for card in CARDS if card.rank == rank and card not in known)
    return tuple(found)


def complete(known: Cards, entered: Cards, size: int, seat: int | None) -> Cards:
    """Return all cards of a hand to be counted, by merging the known cards with the entered ones.

    Args:
        known: the known cards of the hand.
        entered: the whole hand, only its unknown cards, or no cards.
        size: the number of cards in the hand.
        seat: the seat of the hand, or None for the crib.

    Raises:
        IllegalMove: `cards-needed`, `wrong-number-of-cards` or `contradicts`, or a code of `twice`.
    """
    entered = with_rank(entered)
    missing = size - len(known)
    if not entered:
        if missing:
            why = None if known else "crib" if seat is None else "all"
            raise IllegalMove("cards-needed", seat=seat, cards=missing, known=known, **because(why))
        return known
    twice(entered)
    if len(entered) == missing < size:
        return (*known, *entered)
    if len(entered) != size:
        raise IllegalMove("wrong-number-of-cards", said=len(entered), allowed=size)
    merged = merge(entered, known)
    if len(merged) > size:
        raise IllegalMove("contradicts", seat=seat, cards=entered, known=known)
    return merged


class RaceDeal(NamedTuple, Generic[DealExtra]):
    """A deal: its cards and its progress. Tuples are ordered by seat, seat 1 first."""

    size: int
    """The number of cards dealt to each hand."""
    keep: int
    """The number of cards of a hand that are played. The remaining cards are discarded."""
    extra: DealExtra
    """The additional fields of one game."""
    pegged: bool
    """Whether points have been entered since the deal began."""
    by_points: bool
    """Whether the play was entered by points, so that the count is unknown."""
    heels: bool
    """Whether the dealer's points for the starter were entered with `peg`."""
    entered_points: tuple[int | None, ...]
    """The points entered for each hand before its cards were played, by seat."""
    wordless: int
    """The seats that entered points without a reason, possibly for their hands. Bit n is seat n."""
    counted_hands: tuple[Cards, ...]
    """The hands as counted, if they differ from the cards dealt. A hand is empty before it is
    counted."""
    floors: tuple[int, ...]
    """A value for each seat that its gos imply. Every card that the seat still holds counts
    more."""
    exact: bool
    """Whether every card so far was entered by rank and suit, so that `seen_bits` contains all of
    them. Only games with discards use this field. It makes long games faster."""
    # Fields entered before the play.
    starter: Card | None
    hands: tuple[Cards, ...]
    """The cards entered as dealt, by seat."""
    discarded: tuple[Cards, ...]
    out: Cards
    """The entered cards that are in no hand."""
    seen_bits: int
    """The bits of every card of the deal, if `exact`."""
    fully_known: bool
    """Whether all cards of every hand are known, so that `hand_bits` contains them."""
    # Fields changed between phases.
    phase: Phase
    counted: int
    """The number of hands that have been counted."""
    # Fields changed by every card of the play.
    played: tuple[Cards, ...]
    hand_bits: tuple[int, ...]
    """The bits of the cards in each hand that can still be played, if `fully_known`."""
    series: Cards
    """The cards played since the count was last 0."""
    total: int
    """The count of the series."""
    last: int
    """The seat that played the last card, or 0 if no card has been played."""
    to_play: int
    """The seat to play, or 0 outside the play."""
    passed: int
    """The seats that said go in this series. Bit n is seat n."""

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def begun(self) -> bool:
        """Whether any cards of the deal have been entered."""
        return bool(self.out) or any(map(any, (self.hands, self.discarded, self.counted_hands)))

    @property
    def play_begun(self) -> bool:
        """Whether a card has been played."""
        return any(self.played)

    @property
    def playing(self) -> bool:
        """Whether cards of the play have been entered and the play is not over."""
        return self.phase == "play" and self.play_begun and not self.by_points

    @property
    def loose(self) -> bool:
        """Whether hands may be entered as they are shown, because the cards of the play are not
        entered. In that case, either points were entered for the play, or no card was played and no
        hand is known."""
        return self.by_points or (not self.play_begun and (self.pegged or not any(self.hands)))

    @property
    def entered(self) -> Cards:
        """Every card entered in the deal."""
        cards: list[Card] = []
        for hand, played, shown, discarded in zip(
            self.hands, self.played, self.counted_hands, self.discarded, strict=True
        ):
            cards += merge(with_rank(hand), (*merge(played, shown), *with_rank(discarded)))
        return (*cards, *with_rank(self.out))

    @property
    def unseen(self) -> Cards:
        """The cards of the pack that could still be entered as new cards."""
        if self.fully_known:
            return tuple(card for card in CARDS if not BIT[card] & self.seen_bits)
        return unseen(self.entered)

    def holds(self, seat: int) -> bool:
        """Return whether a seat still has cards to play."""
        return len(self.played[seat - 1]) < self.keep

    def known_hand(self, seat: int) -> Cards:
        """Return the known cards of a hand in order, including cards already played."""
        return merge(self.hands[seat - 1], self.played[seat - 1])

    def certain(self, seat: int) -> Cards:
        """Return the cards dealt to a seat that it has neither played nor openly discarded. Each of
        these cards is still in the hand or among the discards that were not entered."""
        place = seat - 1
        used = (*with_rank(self.discarded[place]), *self.played[place])
        return without(with_rank(self.hands[place]), used)

    def held_by(self, seat: int) -> Cards | None:
        """Return the cards that a seat holds now, or None if some of them are unknown."""
        thrown = self.discarded[seat - 1]
        whole = self.room(seat) == 0 and len(with_rank(thrown)) == len(thrown)
        return self.certain(seat) if whole else None

    def room(self, seat: int) -> int:
        """Return the number of cards in a hand of which nothing has been entered."""
        place = seat - 1
        used = (*self.played[place], *with_rank(self.discarded[place]))
        return self.size - len(merge(with_rank(self.hands[place]), used))

    def possible(self, seat: int) -> Cards:
        """Return the distinct cards that a seat may still hold. These are the certain cards and, if
        some cards of the hand have not been entered, all unseen cards."""
        cards = self.certain(seat)
        return tuple(dict.fromkeys((*cards, *self.unseen) if self.room(seat) else cards))


_STARTER: Final = RaceDeal._fields.index("starter")


def _dealt(
    deal: RaceDeal[DealExtra],
    starter: Card | None,
    hands: tuple[Cards, ...],
    discarded: tuple[Cards, ...],
    out: Cards,
    seen: int,
    fully_known: bool,
    held: tuple[int, ...],
) -> RaceDeal[DealExtra]:
    """Return the deal with cards that were entered before its play. As in `to_31`, the other fields
    are copied one by one, because `_replace` would make a game of cribbage a sixth slower
    (docs/performance.md)."""
    cards = (starter, hands, discarded, out, seen, fully_known)
    play = (deal.phase, deal.counted, deal.played, held, (), 0, 0, 0, 0)
    return new(RaceDeal, (*deal[:_STARTER], *cards, *play))


@cache
def fresh_deal(
    seats: int, phase: Phase, size: int, extra: DealExtra, discards: int = 0
) -> RaceDeal[DealExtra]:
    """Return a new deal in its first phase, without any known cards.

    Args:
        seats: the number of seats.
        phase: the first phase.
        size: the number of cards dealt to each hand.
        discards: the number of these cards that are laid away before the play.
        extra: the additional fields of one game.
    """
    none: tuple[Cards, ...] = ((),) * seats
    zeros = (0,) * seats
    exact = discards > 0
    before = (size, size - discards, extra, False, False, False, (None,) * seats, 0)
    cards = (none, zeros, exact, None, none, none, (), 0, False)
    return RaceDeal._make((*before, *cards, phase, 0, none, zeros, (), 0, 0, 0, 0))


def check(deal: RaceDeal[DealExtra], more: Sequence[Card] = ()) -> None:
    """Check that a pack of 52 cards can contain the cards of a deal and `more` cards outside the
    hands.

    Raises:
        IllegalMove: `card-twice`, `too-many-of-rank`, or `not-held` with the seat of the hand.
    """
    everything = [*more]
    for seat, entered in enumerate(deal.hands, 1):
        hand = with_rank(entered)
        on_show = merge(deal.played[seat - 1], deal.counted_hands[seat - 1])
        used = (*on_show, *with_rank(deal.discarded[seat - 1]))
        twice(used)
        twice(hand)
        held = merge(hand, used)
        if len(held) > deal.size or len(on_show) > deal.keep:
            raise IllegalMove("not-held", seat=seat, cards=used, held=hand)
        everything += held
    twice((*everything, *deal.out))


def _checked(deal: RaceDeal[DealExtra]) -> RaceDeal[DealExtra]:
    """Return the deal after checking its cards against the pack and recomputing its bits."""
    check(deal)
    if deal.keep == deal.size:
        return deal
    cards = [card for hand in deal.hands for card in hand]
    if not _all_known(deal, cards):
        return deal._replace(fully_known=False, exact=False)
    held = tuple(
        sum([BIT[card] for card in hand if card not in discarded])
        for hand, discarded in zip(deal.hands, deal.discarded, strict=True)
    )
    seen = sum([BIT[card] for card in (*cards, *deal.out)])
    return deal._replace(fully_known=True, exact=True, hand_bits=held, seen_bits=seen)


def _all_known(deal: RaceDeal[DealExtra], cards: Sequence[Card]) -> bool:
    """Return whether every dealt card was entered by rank and suit. A discard may be `?`.

    Args:
        deal: the deal.
        cards: the cards entered for all hands.
    """
    return (
        len(cards) == deal.size * deal.seats
        and all(card in BIT for card in (*cards, *deal.out))
        and all(card in BIT or card.rank is None for some in deal.discarded for card in some)
    )


def _bits(deal: RaceDeal[DealExtra], cards: Cards) -> int:
    """Return the bits of newly seen cards if every card of the deal is fully known. Otherwise
    return 0, which means that the deal needs the full check."""
    if not deal.exact:
        return 0
    try:
        bits = sum([BIT[card] for card in cards])
    except KeyError:
        return 0
    return bits if bits.bit_count() == len(cards) and not bits & deal.seen_bits else 0


def enter_hand(deal: RaceDeal[DealExtra], seat: int, cards: Cards) -> RaceDeal[DealExtra]:
    """Enter cards dealt to a seat, in any number of lines: `N hand CARD…`.

    Raises:
        IllegalMove: `hand-too-long`, or a code of `check`.
    """
    before = deal.hands[seat - 1]
    if len(before) + len(cards) > deal.size:
        raise IllegalMove(
            "hand-too-long", seat=seat, told=len(before), said=len(cards), allowed=deal.size
        )
    if deal.keep == deal.size:
        cards = with_rank(cards)
    hands = put(deal.hands, seat, (*before, *cards))
    bits = _bits(deal, cards)
    if not bits:
        return _checked(deal._replace(hands=hands))
    held = put(deal.hand_bits, seat, deal.hand_bits[seat - 1] | bits)
    fully_known = sum(map(len, hands)) == deal.size * deal.seats
    seen = deal.seen_bits | bits
    return _dealt(deal, deal.starter, hands, deal.discarded, deal.out, seen, fully_known, held)


def discard(deal: RaceDeal[DealExtra], seat: int, cards: Cards) -> RaceDeal[DealExtra]:
    """Enter cards that a seat lays away before the play: `N discard CARD…`.

    Raises:
        IllegalMove: `wrong-number-of-cards`, or a code of `check`.
    """
    discards = deal.size - deal.keep
    if len(cards) != discards:
        raise IllegalMove("wrong-number-of-cards", said=len(cards), allowed=discards)
    discarded = put(deal.discarded, seat, cards)
    if deal.fully_known:
        before = left = deal.hand_bits[seat - 1]
        for card in cards:
            left &= ~BIT.get(card, 0)
        if before.bit_count() - left.bit_count() == discards:
            held = put(deal.hand_bits, seat, left)
            return _dealt(
                deal, deal.starter, deal.hands, discarded, deal.out, deal.seen_bits, True, held
            )
    return _checked(deal._replace(discarded=discarded))


def lay_open(
    deal: RaceDeal[DealExtra], card: Card, starter: Card | None = None
) -> RaceDeal[DealExtra]:
    """Enter a card outside the hands that may be the starter. Raises IllegalMove with a code of
    `check`."""
    out, bits = (*deal.out, card), _bits(deal, (card,))
    if not bits:
        return _checked(deal._replace(out=out, starter=starter))
    seen, known = deal.seen_bits | bits, deal.fully_known
    return _dealt(deal, starter, deal.hands, deal.discarded, out, seen, known, deal.hand_bits)


def turn(deal: RaceDeal[DealExtra], card: Card) -> RaceDeal[DealExtra]:
    """Turn up the starter: `starter CARD`. Raises IllegalMove `card-unknown` or a code of
    `check`."""
    if card.rank is None:
        raise IllegalMove("card-unknown", card=card)
    return lay_open(deal, card, starter=card)
