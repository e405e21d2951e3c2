"""One deal of three- or four-handed Pinochle: the auction, the widow, melds, and cards laid away.

Source: docs/rules/pinochle-3-4.md 2 to 5, 8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Self

from boardctl.games import IllegalMove, Move, put
from boardctl.games.cards import UNSEEN, Card, Suit, parse_suit
from boardctl.games.common.auction import STEP, Auction
from boardctl.games.common.trick_deal import Cards, TrickDeal, TrickSpec
from boardctl.games.pinochle.melds import (
    ALL,
    MODERN,
    SPEC,
    TRADITIONAL,
    Meld,
    joined,
    melds,
    points,
    used,
)


@dataclass(frozen=True, slots=True)
class Bidding(Auction):
    """An auction in which a player who has passed may not bid again."""

    @property
    def over(self) -> bool:
        return self.taker is not None and len(self.gone) == self.seats - 1

    def say(self, move: Move) -> Bidding:
        """Bid: `N bid POINTS|pass`.

        Raises:
            IllegalMove: `one-bid`, `not-a-bid`, `bid-too-low`, or a code of `check_due`.
        """
        seat = move.player
        if len(move.numbers) + len(move.words) != 1:
            raise IllegalMove("one-bid", said=move.entered, why="points")
        self.check_due(seat)
        if not move.numbers:
            return replace(self, last=seat, passes=self.passes + 1, gone=self.gone | {seat})
        (points,) = move.numbers
        if points % STEP or points < self.least:
            raise IllegalMove("not-a-bid", said=move.entered, least=self.least, why="points")
        if points <= self.bid:
            raise IllegalMove("bid-too-low", said=move.entered, least=self.lowest)
        return replace(self, last=seat, taker=seat, bid=points)

    def held_to_it(self, less: int = 0) -> Bidding:
        """Return the auction after every player has passed and the dealer is made to bid the
        minimum (option `all_pass`).

        Args:
            less: the number of points below the minimum.
        """
        dealer = (self.eldest - 2) % self.seats + 1
        return replace(self, taker=dealer, bid=self.least - less, gone=self.gone - {dealer})


WIDOW: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(TrickDeal):
    """A deal. Tuples are ordered by seat."""

    spec: ClassVar[TrickSpec] = SPEC
    trump_by: ClassVar[str | None] = "trump"

    bidding: Bidding
    melded: Mapping[int, tuple[Meld, ...]] = field(default_factory=dict)
    """The entered melds of each seat."""
    widow: Cards | None = None
    """The widow, or None if it was not entered."""
    trump: Suit | None = None
    discards: Cards | None = None
    """The cards that the bidder laid away with three players, or None if they were not entered.
    Unseen cards are `?`."""
    trickless: int | None = None
    """The side that entered 0 trick points with four players, and therefore has no trick, or
    None."""
    conceded: bool = False
    """Whether the bidder has given up."""

    @property
    def double_melds(self) -> bool:
        """Whether two equal melds have a separate value."""
        chosen = self.options["double_melds"]
        return self.seats == 4 if chosen == "auto" else chosen == "on"

    @property
    def modern(self) -> bool:
        """Whether aces, tens and kings count ten points each and other cards count nothing."""
        return self.options["counters"] == "modern"

    def worth(self, card: Card) -> int:
        assert card.rank is not None
        return (MODERN if self.modern else TRADITIONAL).get(card.rank, 0)

    @property
    def bidder(self) -> int | None:
        return self.bidding.taker

    @property
    def leader(self) -> int:
        """The seat that leads to the first trick. With three players, it is the bidder (5.1)."""
        leads = self.seats == 3 or self.options["first_lead"] == "bidder"
        return self.bidder if self.bidder is not None and leads else self.eldest

    @property
    def hands_closed(self) -> bool:
        return self.led or self.counted or self.discards is not None or any(self.melded.values())

    def size(self, seat: int) -> int:
        """Return the number of cards that a player has been dealt, including the widow."""
        takes = self.seats == 3 and self.bidding.over and seat == self.bidder
        return self.whole_hand + (WIDOW if takes else 0)

    def dealt(self, seat: int) -> int:
        return self.whole_hand

    def laid_away(self, seat: int) -> Cards:
        known = (card for card in self.discards or () if card.rank is not None)
        return tuple(known) if seat == self.bidder else ()

    def held_by(self, seat: int) -> Cards | None:
        """Return the cards that a seat holds, or None if some of them are unknown. Until the widow
        is turned or trumps are named, the bidder holds only the dealt cards."""
        if seat == self.bidder:
            if any(card.rank is None for card in self.discards or ()):
                return None
            if self.widow is None and self.trump is None and self.unseen(seat) == WIDOW:
                return self.remaining(seat)
        return TrickDeal.held_by(self, seat)

    def without(self, seat: int, cards: Cards) -> Self | None:
        """Return the deal after recording that these cards are among those laid away unseen (4.3),
        or None if they cannot be."""
        unseen = sum(card.rank is None for card in self.discards or ())
        if seat != self.bidder or len(cards) > unseen:
            return None
        known = (*cards, *self.laid_away(seat))
        after = replace(self, discards=(*known, *(UNSEEN,) * (unseen - len(cards))))
        return after if after.melded_away(seat, known) <= after.may_be_melded(seat) else None

    def demands(self) -> list[tuple[int, frozenset[Card]]]:
        """Return, for each hand, the number of its unseen cards and the cards that they cannot be.
        Plays do not limit the cards that the bidder laid away unseen."""
        found = TrickDeal.demands(self)
        bidder = self.bidder
        if bidder is None or not self.discards:
            return found
        place = self.order.index(bidder)
        lacking, denied = found[place]
        away = min(lacking, sum(card.rank is None for card in self.discards))
        return [*found[:place], (away, frozenset()), (lacking - away, denied), *found[place + 1 :]]

    def countable(self, side: int) -> tuple[int, ...]:
        """Return the trick points that a side may enter now (8.3)."""
        left = ALL - sum(n for n in self.counts if n is not None)
        if self.modern:
            return tuple(range(0, left + 1, STEP))
        # no combination of cards is worth 1
        return tuple(n for n in range(left + 1) if 1 not in (n, left - n))

    def with_count(self, side: int, points: int) -> Self:
        counts = list(put(self.counts, side, points))
        if counts.count(None) == 1:
            counts[counts.index(None)] = ALL - sum(n or 0 for n in counts)
        trickless = side if points == 0 else None
        return replace(self, counts=tuple(counts), trickless=trickless)

    def turn_widow(self, move: Move) -> Self:
        """Show the widow, which the bidder then takes, to all players: `widow CARD CARD CARD`
        (3.3)."""
        cards = move.cards
        if self.seats != 3 or len(cards) != WIDOW or self.widow is not None:
            raise IllegalMove("widow-three", said=len(cards))
        if not self.bidding.over or self.bidder is None:
            raise IllegalMove("bidding-first", verb="widow")
        if self.hands_closed:
            raise IllegalMove("deal-too-far", verb="widow")
        seen = tuple(card for card in cards if card.rank is not None)
        return replace(self.enter(self.bidder, seen), widow=cards)

    def name_trump(self, move: Move) -> Self:
        """Name trumps as the bidder: `[N] trump SUIT`."""
        if move.seat not in (None, self.bidder):
            raise IllegalMove("not-the-bidder", seat=move.seat, bidder=self.bidder)
        if self.trump is not None:
            raise IllegalMove("turned-already", card=self.trump.letter, why="trump")
        return replace(self, trump=parse_suit(move.words[0]))

    def _check_meld(self, verb: str) -> Suit:
        if self.trump is None:
            raise IllegalMove("trump-unknown", why=self.trump_by)
        if self.led:
            raise IllegalMove("meld-after-lead")
        self.check_time(verb)
        return self.trump

    def declare_all(self) -> Self:
        """Lay down the best melds of every hand: `declare` (4.2). All hands must be known to the
        referee."""
        trump = self._check_meld("declare")
        if self.discards is not None:
            raise IllegalMove("deal-too-far", verb="declare")
        known = [seat for seat in range(1, self.seats + 1) if self.whole(seat)]
        if not known:
            raise IllegalMove("hands-unknown", seat=self.bidder, why="none")
        hands, double = self.hands, self.double_melds
        found = {seat: melds(hands[seat - 1], trump, double=double) for seat in known}
        return replace(self, melded=found | dict(self.melded))

    def show(self, move: Move) -> Self:
        """Show one meld, or the cards of several melds: `N meld CARD…` (8.1)."""
        seat, cards = move.player, move.cards
        trump = self._check_meld("meld")
        for card in cards:
            self.spec.check_card(card)
        double = self.double_melds
        found = melds(cards, trump, double=double)
        held = Counter(card.plain for card in cards)
        lying = used(found)
        if not found or any(lying[card] < number for card, number in held.items()):
            raise IllegalMove("no-such-meld", cards=cards)
        before = self.melded.get(seat, ())
        deal = self._holding(seat, cards)
        mine = Counter(card.plain for card in deal.hands[seat - 1])
        spare = deal.unseen(seat)
        groups = {one.group for one in found}
        need = used(one for one in (*before, *found) if one.group in groups)
        most = dict.fromkeys(need, self.spec.copies) if spare else mine
        if any(number > most[card] for card, number in need.items()):
            raise IllegalMove("meld-reuse", cards=cards, kind=found[0].name)
        lies = joined((*before, *found), trump, double=double)
        return replace(deal, melded={**self.melded, seat: lies})

    def _holding(self, seat: int, cards: Cards) -> Self:
        """Return the deal after recording that a player holds these cards.

        Raises:
            IllegalMove: `not-in-hand`.
        """
        deal = self
        for number, card in enumerate(cards):
            found = deal.take(seat, card, cards[:number])
            if found is None:
                if deal.unseen(seat) <= 0 or not deal.free(card):
                    raise IllegalMove("not-in-hand", seat=seat, card=card)
                found = deal.enter(seat, (card,))
            deal = found
        return deal

    def check_bidder(self, move: Move) -> None:
        """Check that the bidder enters this line after the auction, in the three-handed game.

        Raises:
            IllegalMove: `not-in-this-game`, `bidding-first` or `not-the-bidder`.
        """
        if self.seats != 3:
            raise IllegalMove(
                "not-in-this-game", verb=move.verb, game="pinochle", seats=self.seats, why="seats"
            )
        if not self.bidding.over:
            raise IllegalMove("bidding-first", verb=move.verb)
        if move.seat != self.bidder:
            raise IllegalMove("not-the-bidder", seat=move.seat, bidder=self.bidder)

    def lay_away(self, move: Move) -> Self:
        """Lay three cards away as the bidder, after melding: `N discard` (4.3)."""
        self.check_bidder(move)
        seat, cards = move.player, move.cards
        if self.trump is None:
            raise IllegalMove("trump-unknown", why=self.trump_by)
        if self.discards is not None:
            raise IllegalMove("discarded-already", seat=seat)
        self.check_time("discard", led=False)
        if len(cards) != WIDOW:
            raise IllegalMove("wrong-number-of-cards", said=len(cards), allowed=WIDOW)
        deal = self._holding(seat, tuple(card for card in cards if card.rank is not None))
        if deal.whole(seat) and deal.melded_away(seat, cards) > deal.may_be_melded(seat):
            raise IllegalMove("melded-card", cards=cards)
        return replace(deal, discards=cards)

    def meld_points(self, side: int) -> int:
        return sum(points(laid) for seat, laid in self.melded.items() if self.side(seat) == side)

    def free_cards(self, seat: int) -> Counter[Card]:
        """Return the cards of a known hand that are not in any meld."""
        lying = used(self.melded.get(seat, ()))
        return Counter(card.plain for card in self.hands[seat - 1]) - lying

    def melded_away(self, seat: int, cards: Cards) -> int:
        """Return how many of these cards must be part of melds in the hand."""
        away = Counter(card.plain for card in cards if card.rank is not None)
        return (away - self.free_cards(seat)).total()

    def may_be_melded(self, seat: int) -> int:
        """Return how many of the three cards laid away may be in melds, if the hand has too few
        free cards."""
        lying = used(self.melded.get(seat, ()))
        return max(0, WIDOW - self.size(seat) + sum(lying.values()))
