"""One deal of Pinochle for three or four: the auction, the widow, melds, and cards laid away.

Source: docs/rules/pinochle-3-4.md 2 to 5, 8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from boardctl.games import IllegalMove, Move
from boardctl.games.cards import UNSEEN, Card, Suit, parse_suit
from boardctl.games.common.auction import STEP, Auction
from boardctl.games.common.trick_deal import (
    Cards,
    TrickDeal,
    TrickSpec,
    check_card,
    find,
)
from boardctl.games.pinochle.melds import MODERN, SPEC, TRADITIONAL, Meld, melds, used


@dataclass(frozen=True, slots=True)
class Bidding(Auction):
    """An auction in which who has passed is out."""

    @property
    def over(self) -> bool:
        return self.taker is not None and len(self.gone) == self.seats - 1

    def say(self, move: Move) -> Bidding:
        """`N bid POINTS|pass`.

        Raises:
            IllegalMove: `one-bid`; those of `check_due`; `not-a-bid`, `bid-too-low`.
        """
        seat = move.player
        if len(move.numbers) + len(move.words) != 1:
            raise IllegalMove("one-bid", said=move.said, why="points")
        self.check_due(seat)
        if not move.numbers:
            return replace(self, last=seat, passes=self.passes + 1, gone=self.gone | {seat})
        (points,) = move.numbers
        if points % STEP or points < self.least:
            raise IllegalMove("not-a-bid", said=move.said, least=self.least, why="points")
        if points <= self.bid:
            raise IllegalMove("bid-too-low", said=move.said, least=self.lowest)
        return replace(self, last=seat, taker=seat, bid=points)

    def held_to_it(self) -> Bidding:
        """Make the dealer bid the minimum if all have passed (option all_pass)."""
        dealer = (self.eldest - 2) % self.seats + 1
        return replace(self, taker=dealer, bid=self.least, gone=self.gone - {dealer})


WIDOW: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(TrickDeal):
    """A deal; tuples are by seat."""

    spec: ClassVar[TrickSpec] = SPEC

    bidding: Bidding
    melded: Mapping[int, tuple[Meld, ...]] = field(default_factory=dict)
    """What each seat has melded, if that was entered."""
    widow: Cards | None = None
    """The widow as entered, if it was."""
    trump: Suit | None = None
    discards: Cards | None = None
    """The cards that the bidder of three laid away, if that was entered; `?` for those not seen."""
    trickless: int | None = None
    """With four hands, the side that entered 0 trick points and so has no trick."""
    conceded: bool = False
    """Whether the bidder has given up."""

    @property
    def double_melds(self) -> bool:
        """Whether two equal melds have a value of their own."""
        chosen = self.options["double_melds"]
        return self.seats == 4 if chosen == "auto" else chosen == "on"

    @property
    def modern(self) -> bool:
        """Whether aces, tens and kings count ten each, and nothing else does."""
        return self.options["counters"] == "modern"

    def worth(self, card: Card) -> int:
        assert card.rank is not None
        return (MODERN if self.modern else TRADITIONAL).get(card.rank, 0)

    @property
    def bidder(self) -> int | None:
        return self.bidding.taker

    @property
    def leader(self) -> int:
        """The bidder of three leads to the first trick (5.1)."""
        leads = self.seats == 3 or self.options["first_lead"] == "bidder"
        return self.bidder if self.bidder is not None and leads else self.eldest

    @property
    def hands_closed(self) -> bool:
        return self.led or self.counted or self.discards is not None or any(self.melded.values())

    def size(self, seat: int) -> int:
        """The number of cards that a player has been dealt, including the widow."""
        takes = self.seats == 3 and self.bidding.over and seat == self.bidder
        return self.whole_hand + (WIDOW if takes else 0)

    def dealt(self, seat: int) -> int:
        return self.whole_hand

    def laid_away(self, seat: int) -> Cards:
        known = (card for card in self.discards or () if card.rank is not None)
        return tuple(known) if seat == self.bidder else ()

    def without(self, seat: int, cards: Cards) -> Deal | None:
        """The deal in which these cards are among those laid away unseen (4.3)."""
        unseen = sum(card.rank is None for card in self.discards or ())
        if seat != self.bidder or len(cards) > unseen:
            return None
        known = (*cards, *self.laid_away(seat))
        after = replace(self, discards=(*known, *(UNSEEN,) * (unseen - len(cards))))
        return after if melded_away(after, seat, known) <= _may_be_melded(after, seat) else None

    def demands(self) -> list[tuple[int, frozenset[Card]]]:
        """Cards that the bidder laid away unseen are not limited by any play."""
        found = TrickDeal.demands(self)
        bidder = self.bidder
        if bidder is None or not self.discards:
            return found
        place = self.order.index(bidder)
        lacking, denied = found[place]
        away = min(lacking, sum(card.rank is None for card in self.discards))
        return [*found[:place], (away, frozenset()), (lacking - away, denied), *found[place + 1 :]]


def turn_widow(deal: Deal, move: Move) -> Deal:
    """`widow CARD CARD CARD`: shown to all, and taken by the bidder (3.3)."""
    cards = move.cards
    if deal.seats != 3 or len(cards) != WIDOW or deal.widow is not None:
        raise IllegalMove("widow-three", said=len(cards))
    if not deal.bidding.over or deal.bidder is None:
        raise IllegalMove("bidding-first", verb="widow")
    if deal.hands_closed:
        raise IllegalMove("deal-too-far", verb="widow")
    seen = tuple(card for card in cards if card.rank is not None)
    return replace(deal.enter(deal.bidder, seen), widow=cards)


def name_trump(deal: Deal, move: Move) -> Deal:
    """`[N] trump SUIT`, by the bidder."""
    if move.seat not in (None, deal.bidder):
        raise IllegalMove("not-the-bidder", seat=move.seat, bidder=deal.bidder)
    if deal.trump is not None:
        raise IllegalMove("turned-already", card=deal.trump.letter, why="trump")
    return replace(deal, trump=parse_suit(move.words[0]))


def _check_meld(deal: Deal, verb: str) -> Suit:
    if deal.trump is None:
        raise IllegalMove("trump-unknown")
    if deal.led:
        raise IllegalMove("meld-after-lead")
    deal.check_time(verb)
    return deal.trump


def meld_known(deal: Deal) -> Deal:
    """`declare`: every known hand melds the best it can (4.2)."""
    trump = _check_meld(deal, "declare")
    if deal.discards is not None:
        raise IllegalMove("deal-too-far", verb="declare")
    known = [seat for seat in range(1, deal.seats + 1) if deal.whole(seat)]
    if not known:
        raise IllegalMove("hands-unknown", seat=deal.bidder, why="none")
    hands, double = deal.hands, deal.double_melds
    found = {seat: melds(hands[seat - 1], trump, double=double) for seat in known}
    return replace(deal, melded=found | dict(deal.melded))


def meld(deal: Deal, move: Move) -> Deal:
    """`N meld CARD…`: one meld, or the cards of several (8.1)."""
    seat, cards = move.player, move.cards
    trump = _check_meld(deal, "meld")
    for card in cards:
        check_card(deal.spec, card)
    double = deal.double_melds
    found = melds(cards, trump, double=double)
    held = Counter(card.plain for card in cards)
    lying = used(found)
    if not found or any(lying[card] < number for card, number in held.items()):
        raise IllegalMove("no-such-meld", cards=cards)
    before = deal.melded.get(seat, ())
    deal = _holding(deal, seat, cards)
    mine = Counter(card.plain for card in deal.hands[seat - 1])
    spare = deal.unseen(seat)
    groups = {one.group for one in found}
    need = used(one for one in (*before, *found) if one.group in groups)
    if any(number > (deal.spec.copies if spare else mine[card]) for card, number in need.items()):
        raise IllegalMove("meld-reuse", cards=cards, kind=found[0].name)
    lies = _joined((*before, *found), trump, double=double)
    return replace(deal, melded={**deal.melded, seat: lies})


def _joined(found: Iterable[Meld], trump: Suit, *, double: bool) -> tuple[Meld, ...]:
    """Melds of several lines, with two equal ones as one of twice the cards: everything is laid
    down together, so it is worth the same in one line or two."""
    kinds: dict[tuple[str, Cards], Meld] = {}
    for one in found:
        twin = kinds.get((one.name, one.cards))
        if twin is not None:
            both = melds(one.cards * (one.times + twin.times), trump, double=double)
            one = next(meld for meld in both if meld.name == one.name)
        kinds[one.name, one.cards] = one
    return tuple(kinds.values())


def _holding(deal: Deal, seat: int, cards: Cards) -> Deal:
    """The deal in which a player holds these cards.

    Raises:
        IllegalMove: `not-in-hand`.
    """
    left = list(deal.left(seat))
    for card in cards:
        found = find(left, card)
        if found is not None:
            left.remove(found)
            continue
        if deal.unseen(seat) <= 0 or not deal.free(card):
            raise IllegalMove("not-in-hand", seat=seat, card=card)
        deal = deal.enter(seat, (card,))
    return deal


def check_bidder(deal: Deal, move: Move) -> None:
    """Check that the bidder of three says this, after the auction.

    Raises:
        IllegalMove: `not-in-this-game`, `bidding-first`, `not-the-bidder`.
    """
    if deal.seats != 3:
        raise IllegalMove(
            "not-in-this-game", verb=move.verb, game="pinochle", seats=deal.seats, why="seats"
        )
    if not deal.bidding.over:
        raise IllegalMove("bidding-first", verb=move.verb)
    if move.seat != deal.bidder:
        raise IllegalMove("not-the-bidder", seat=move.seat, bidder=deal.bidder)


def lay_away(deal: Deal, move: Move) -> Deal:
    """`N discard` with three cards: the bidder of three, after melding (4.3)."""
    check_bidder(deal, move)
    seat, cards = move.player, move.cards
    if deal.trump is None:
        raise IllegalMove("trump-unknown")
    if deal.discards is not None:
        raise IllegalMove("discarded-already", seat=seat)
    deal.check_time("discard", led=False)
    if len(cards) != WIDOW:
        raise IllegalMove("wrong-number-of-cards", said=len(cards), allowed=WIDOW)
    deal = _holding(deal, seat, tuple(card for card in cards if card.rank is not None))
    if deal.whole(seat) and melded_away(deal, seat, cards) > _may_be_melded(deal, seat):
        raise IllegalMove("melded-card", cards=cards)
    return replace(deal, discards=cards)


def free_cards(deal: Deal, seat: int) -> Counter[Card]:
    """The cards of a known hand that are not in any meld."""
    lying = used(deal.melded.get(seat, ()))
    return Counter(card.plain for card in deal.hands[seat - 1]) - lying


def melded_away(deal: Deal, seat: int, cards: Cards) -> int:
    """How many of these cards of a hand must lie in its melds."""
    away = Counter(card.plain for card in cards if card.rank is not None)
    return (away - free_cards(deal, seat)).total()


def _may_be_melded(deal: Deal, seat: int) -> int:
    """How many of the three cards laid away may lie in melds: those for which the hand has no free
    card."""
    lying = used(deal.melded.get(seat, ()))
    return max(0, WIDOW - deal.size(seat) + sum(lying.values()))
