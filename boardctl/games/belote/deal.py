"""What is known about one deal of Belote, and how its cards become known.

The cards lie on a real table. Some cards of each hand are known; the others are limited by what
other players hold, what is out of play, and what earlier plays rule out. A line is legal if some
assignment of the unseen cards allows it. Source: docs/rules/belote.md 2, 5, 6, 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from boardctl.games import IllegalMove
from boardctl.games.belote import tricks
from boardctl.games.belote.bidding import Bidding
from boardctl.games.belote.declarations import Piece
from boardctl.games.belote.tricks import Trick, winner
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common.jass import PACK

NONE: Final[frozenset[Card]] = frozenset()
TRICKS: Final = {2: 9, 4: 8}
"""The number of cards each player holds for the play."""
FIRST: Final = {2: 6, 4: 5}
"""The number of cards each player is dealt before the bidding, if a card is turned."""

Sets = tuple[frozenset[Card], ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal; tuples are by seat, `counts` by side.

    hands: the known cards of each hand, including cards already played. told: cards entered by
    `hand`. turned: the turned card. swapper: who exchanged the seven. owner, pieces: whose
    declarations count, and what they are. declared: `declare` has settled them. belote: who called
    it. denied: cards that each player cannot hold, given the plays. counts: trick points entered.
    """

    bidding: Bidding
    hands: Sets
    told: tuple[int, ...]
    denied: Sets
    undertrump: bool = True
    turned: Card | None = None
    swapper: int | None = None
    declared: bool = False
    owner: int | None = None
    pieces: tuple[tuple[int, Piece], ...] = ()
    belote: int | None = None
    plays: Trick = ()
    counts: tuple[int | None, int | None] = (None, None)

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def begun(self) -> bool:
        """Whether anything has been entered for this deal."""
        return self != opened(
            self.bidding.eldest, self.seats, self.bidding.coinche, self.undertrump
        )

    @property
    def trump(self) -> Suit | None:
        return self.bidding.trump

    @property
    def size(self) -> int:
        """The number of cards in a hand: the first deal's until trumps are fixed, then the full
        hand."""
        whole = self.bidding.coinche or self.bidding.over
        return TRICKS[self.seats] if whole else FIRST[self.seats]

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in playing order, starting with eldest."""
        eldest = self.bidding.eldest
        return tuple((eldest - 1 + n) % self.seats + 1 for n in range(self.seats))

    @property
    def led(self) -> bool:
        return bool(self.plays)

    @property
    def counted(self) -> bool:
        return self.counts != (None, None)

    @property
    def played(self) -> frozenset[Card]:
        return frozenset(card for _, card in self.plays)

    @property
    def trick(self) -> Trick:
        """The current trick; empty if the next card leads."""
        return self.plays[len(self.plays) - len(self.plays) % self.seats :]

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks."""
        full = self.plays[: len(self.plays) - len(self.plays) % self.seats]
        return tricks.in_tricks(full, self.seats)

    @property
    def over(self) -> bool:
        """Whether every card has been played."""
        return len(self.plays) == self.seats * TRICKS[self.seats]

    @property
    def turn(self) -> int:
        """The seat to play next."""
        if self.trick:
            return self.trick[-1][0] % self.seats + 1
        if self.plays and self.trump is not None:
            return winner(self.tricks[-1], self.trump)[0]
        return self.bidding.eldest

    @property
    def seven(self) -> Card | None:
        return None if self.trump is None else Card(Rank.SEVEN, self.trump)

    @property
    def out(self) -> frozenset[Card]:
        """Cards that are in no hand: the turned-up card (until the taker of four hands picks it
        up), or the seven that was exchanged for it."""
        gone = self.turned if self.swapper is None else self.seven
        if gone is None or (self.seats == 4 and self.bidding.over):
            return NONE
        return frozenset({gone})

    @property
    def royals(self) -> frozenset[Card]:
        """The king and queen of trumps, which make belote if held in one hand."""
        if self.trump is None:
            return NONE
        return frozenset({Card(Rank.KING, self.trump), Card(Rank.QUEEN, self.trump)})

    def side(self, seat: int) -> int:
        return (seat - 1) % 2 + 1

    def known(self, seat: int) -> frozenset[Card]:
        return self.hands[seat - 1]

    def whole(self, seat: int) -> bool:
        """Whether all cards of a hand are known."""
        return len(self.known(seat)) == TRICKS[self.seats]

    @property
    def all_known(self) -> bool:
        return all(self.whole(seat) for seat in self.order)

    def unseen(self, seat: int) -> int:
        """The number of unknown cards in a hand."""
        return self.size - len(self.known(seat))

    def possible(self, seat: int) -> frozenset[Card]:
        """The cards that a player holds or may hold, including cards already played."""
        mine = self.known(seat)
        if self.unseen(seat) <= 0:
            return mine
        others = frozenset().union(*(self.known(other) for other in self.order if other != seat))
        return (PACK - others - self.out - self.denied[seat - 1]) | mine

    def learn(self, seat: int, cards: frozenset[Card]) -> Deal:
        """Record that a player holds these cards."""
        return replace(self, hands=put(self.hands, seat, self.known(seat) | cards))

    def legal(self, seat: int, hand: frozenset[Card]) -> frozenset[Card]:
        assert self.trump is not None
        return tricks.legal(
            self.trick, hand, seat, self.trump, seats=self.seats, undertrump=self.undertrump
        )

    def trick_points(self) -> tuple[int, int]:
        """Points of the completed tricks by side, without the ten for the last trick."""
        points = [0, 0]
        if self.trump is not None:
            for trick in self.tricks:
                seat, _ = winner(trick, self.trump)
                points[self.side(seat) - 1] += tricks.points(trick, self.trump)
        return points[0], points[1]

    def trick_winners(self) -> frozenset[int]:
        """The sides that have won at least one trick."""
        if self.trump is None:
            return frozenset()
        return frozenset(self.side(winner(trick, self.trump)[0]) for trick in self.tricks)


def put(sets: Sets, seat: int, cards: frozenset[Card]) -> Sets:
    """The sets by seat, with one seat's set replaced."""
    return tuple(cards if at == seat else old for at, old in enumerate(sets, 1))


def opened(eldest: int, seats: int, coinche: bool, undertrump: bool) -> Deal:
    """A new deal about which nothing is known."""
    none = (NONE,) * seats
    return Deal(Bidding(eldest, seats, coinche), none, (0,) * seats, none, undertrump)


def check_card(card: Card) -> None:
    """Raise IllegalMove if a card is not fully known or is not one of the 32."""
    if card.rank is not None and Card(card.rank, Suit.SPADES) not in PACK:
        raise IllegalMove("card-not-in-pack", card=card)
    if not card.known:
        raise IllegalMove("card-unknown", card=card)


def tell_hand(deal: Deal, seat: int, cards: tuple[Card, ...]) -> Deal:
    """`N hand CARD…`: cards dealt before or after the bidding, in any number of lines."""
    if deal.declared or deal.pieces or deal.led or deal.counted or deal.belote is not None:
        raise IllegalMove("deal-too-far", verb="hand")
    told = deal.told[seat - 1] + len(cards)
    seen = [card for card in cards if card.rank is not None]
    takes_turned = deal.seats == 4 and deal.bidding.taker == seat and not deal.bidding.coinche
    most = deal.size - (deal.bidding.over and takes_turned)
    if told > most or len(deal.known(seat)) + len(seen) > deal.size:
        raise IllegalMove(
            "hand-too-long", seat=seat, told=deal.told[seat - 1], said=len(cards), allowed=most
        )
    elsewhere = deal.out.union(*deal.hands)
    for place, card in enumerate(seen):
        check_card(card)
        if card in seen[:place] or card in elsewhere:
            raise IllegalMove("card-twice", card=card)
    counts = tuple(told if at == seat else old for at, old in enumerate(deal.told, 1))
    return replace(deal.learn(seat, frozenset(seen)), told=counts)


def turn_up(deal: Deal, card: Card) -> Deal:
    """`turnup CARD`; if entered late, it must agree with the bidding."""
    check_card(card)
    if deal.bidding.coinche:
        raise IllegalMove("nothing-turned")
    if deal.turned is not None:
        raise IllegalMove("turned-already", card=deal.turned)
    if deal.led or deal.counted or deal.declared or deal.pieces or deal.swapper is not None:
        raise IllegalMove("deal-too-far", verb="turnup")
    if any(card in hand for hand in deal.hands):
        raise IllegalMove("card-twice", card=card)
    bidding = deal.bidding
    if bidding.suit not in (None, card.suit):
        raise IllegalMove("turned-already", card=letter_of(bidding.suit))
    if bidding.over and bidding.suit is None:
        if bidding.trump == card.suit:
            raise IllegalMove("suit-turned-down", suit=letter_of(card.suit))
        if not bidding.second_round:
            bidding = replace(bidding, trump=card.suit)
    after = replace(deal, turned=card, bidding=replace(bidding, suit=card.suit))
    return give_turned(after)


def letter_of(suit: Suit | None) -> str | None:
    return None if suit is None else suit.letter


def give_turned(deal: Deal) -> Deal:
    """Give the taker the turned-up card, with four hands (2.2, 3.2)."""
    taker, card = deal.bidding.taker, deal.turned
    if deal.seats == 2 or deal.bidding.coinche or taker is None or card is None:
        return deal
    if len(deal.known(taker)) == deal.size and card not in deal.known(taker):
        raise IllegalMove("card-twice", card=card)
    return deal.learn(taker, frozenset({card}))


def exchange(deal: Deal, seat: int) -> Deal:
    """`N exchange`: with two hands, swap the seven of trumps for the turned-up card before the lead
    (5.1)."""
    if deal.bidding.second_round:
        raise IllegalMove("exchange-second-round")
    if deal.led:
        raise IllegalMove("exchange-after-lead")
    if deal.swapper is not None:
        raise IllegalMove("exchange-twice", seat=deal.swapper)
    seven = deal.seven
    if seven is None:
        raise IllegalMove("trump-unknown")
    if seven not in deal.possible(seat):
        raise IllegalMove("no-trump-seven", seat=seat, card=seven)
    hand = deal.known(seat) - {seven}
    if deal.turned is not None:
        hand |= {deal.turned}
    return replace(deal, hands=put(deal.hands, seat, hand), swapper=seat)


def play(deal: Deal, seat: int, card: Card) -> Deal:
    """`N play CARD` (6). Raises IllegalMove if no assignment of the unseen cards allows it."""
    check_card(card)
    trump = deal.trump
    if trump is None:
        raise IllegalMove("trump-unknown")
    if seat != deal.turn:
        raise IllegalMove("out-of-turn", seat=seat, turn=deal.turn)
    if card in deal.played:
        raise IllegalMove("not-in-hand", seat=seat, card=card)
    if card in deal.denied[seat - 1] and card not in deal.known(seat):
        raise IllegalMove("denied-before", seat=seat, card=card)
    if card not in deal.possible(seat):
        raise IllegalMove("not-in-hand", seat=seat, card=card)
    hand = (deal.known(seat) - deal.played) | {card}
    allowed = deal.legal(seat, hand)
    if card not in allowed:
        code = _duty(deal, card, allowed, trump)
        raise IllegalMove(code, seat=seat, card=card, lead=deal.trick[0][1])
    after = replace(deal.learn(seat, frozenset({card})), plays=(*deal.plays, (seat, card)))
    if deal.trick:
        denied = tricks.denies(
            deal.trick, card, seat, trump, seats=deal.seats, undertrump=deal.undertrump
        )
        mine = deal.denied[seat - 1] | (denied - after.known(seat))
        after = replace(after, denied=put(deal.denied, seat, mine))
    if not _room(after):
        raise IllegalMove("impossible-hand", seat=seat, card=card)
    return after


def _duty(deal: Deal, card: Card, allowed: frozenset[Card], trump: Suit) -> str:
    """The duty that a card broke, given the cards that would have been allowed."""
    lead = deal.trick[0][1].suit
    if card.suit != lead and any(other.suit == lead for other in allowed):
        return "must-follow"
    if card.suit != trump:
        return "must-trump"
    return "must-beat" if lead == trump else "must-overtrump"


def _room(deal: Deal) -> bool:
    """Whether the cards that the plays do not rule out are enough to fill all hands."""
    lacking = {seat: deal.unseen(seat) for seat in deal.order if deal.unseen(seat) > 0}
    free = {seat: deal.possible(seat) - deal.known(seat) for seat in lacking}
    for some in _groups(tuple(lacking)):
        if len(frozenset().union(*(free[s] for s in some))) < sum(lacking[s] for s in some):
            return False
    return True


def _groups(seats: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for size in range(1, len(seats) + 1):
        yield from combinations(seats, size)


def _before_belote(deal: Deal, seat: int) -> Deal:
    """The deal with the exchange that a belote implies, if needed. With two hands, the king or
    queen may have been the turned card; a table that enters only points does not enter the
    exchange."""
    if deal.seats == 4 or deal.turned not in deal.royals or deal.swapper is not None:
        return deal
    try:
        return exchange(deal, seat)
    except IllegalMove:
        return deal


def may_hold_belote(deal: Deal, seat: int) -> bool:
    """Whether a player can have held the king and queen of trumps, as far as is known."""
    if deal.belote is not None or deal.trump is None:
        return False
    deal = _before_belote(deal, seat)
    return can_hold(deal, seat, deal.royals)


def can_hold(deal: Deal, seat: int, cards: frozenset[Card]) -> bool:
    """Whether a player can have been dealt these cards, given what is known about every hand."""
    lacking = cards - deal.known(seat)
    if not cards <= deal.possible(seat) or len(lacking) > deal.unseen(seat):
        return False
    return _room(deal.learn(seat, cards))


def call_belote(deal: Deal, seat: int) -> Deal:
    """`N belote`: the player has the king and queen of trumps."""
    if deal.belote is not None:
        raise IllegalMove("belote-called", seat=deal.belote)
    if not may_hold_belote(deal, seat):
        raise IllegalMove("no-belote", seat=seat)
    deal = _before_belote(deal, seat)
    return replace(deal.learn(seat, deal.royals), belote=seat)
