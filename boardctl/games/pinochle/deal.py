"""What is known about one deal of Pinochle for three or four.

Some cards of each hand are entered, with or without copy numbers; the others are limited by what
has been seen of the pack and by what earlier plays rule out. Source: docs/rules/pinochle-3-4.md 2,
4, 5, 8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from boardctl.games import IllegalMove
from boardctl.games.cards import UNSEEN, Card, Suit
from boardctl.games.pinochle import tricks
from boardctl.games.pinochle.bidding import Bidding
from boardctl.games.pinochle.melds import Meld, melds, used
from boardctl.games.pinochle.tricks import PACK, Trick, winner

Cards = tuple[Card, ...]
HAND: Final = {3: 15, 4: 12}
WIDOW: Final = 3
COPIES: Final = 2


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal; tuples are by seat.

    hands: the cards entered for each, including cards played and the widow's. told: how many dealt
    cards were entered by `hand`. widow, discards: as entered, if they were. melded: what each has
    melded, None if nothing was entered. plays, denied: the play, and what each player cannot hold
    because of it. counts: trick points entered, by side. trickless: with four hands, the side that
    entered 0 and so has no trick. conceded: the bidder has given up.
    """

    bidding: Bidding
    always: bool
    hands: tuple[Cards, ...]
    told: tuple[int, ...]
    melded: tuple[tuple[Meld, ...] | None, ...]
    denied: tuple[frozenset[Card], ...]
    widow: Cards | None = None
    trump: Suit | None = None
    discards: Cards | None = None
    plays: Trick = ()
    counts: tuple[int | None, ...] = ()
    trickless: int | None = None
    conceded: bool = False

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def sides(self) -> int:
        return 2 if self.seats == 4 else self.seats

    def side(self, seat: int) -> int:
        return (seat - 1) % self.sides + 1

    @property
    def begun(self) -> bool:
        """Whether anything has been entered for this deal."""
        fresh = opened(self.bidding.eldest, self.seats, self.bidding.least, self.always)
        return self != fresh

    @property
    def bidder(self) -> int | None:
        return self.bidding.bidder

    @property
    def led(self) -> bool:
        return bool(self.plays)

    @property
    def counted(self) -> bool:
        return any(points is not None for points in self.counts)

    @property
    def trick(self) -> Trick:
        """The current trick; empty if the next card leads."""
        return self.plays[len(self.plays) - len(self.plays) % self.seats :]

    @property
    def full_tricks(self) -> tuple[Trick, ...]:
        n = self.seats
        return tuple(self.plays[k : k + n] for k in range(0, len(self.plays) // n * n, n))

    @property
    def over(self) -> bool:
        """Whether every card has been played."""
        return len(self.plays) == self.seats * HAND[self.seats]

    def size(self, seat: int) -> int:
        """The number of cards that a player has been dealt, including the widow."""
        takes = self.seats == 3 and self.bidding.over and seat == self.bidder
        return HAND[self.seats] + (WIDOW if takes else 0)

    def whole(self, seat: int) -> bool:
        """Whether all cards of a hand are known."""
        return len(self.hands[seat - 1]) == self.size(seat)

    def unseen(self, seat: int) -> int:
        return self.size(seat) - len(self.hands[seat - 1])

    def left(self, seat: int) -> Cards:
        """The cards known to be still in a hand."""
        left = list(self.hands[seat - 1])
        gone = [card for at, card in self.plays if at == seat]
        if seat == self.bidder and self.discards:
            gone += [card for card in self.discards if card.rank is not None]
        for card in gone:
            take(left, card)
        return tuple(left)

    def seen(self, card: Card) -> int:
        """How many copies of a card have been entered."""
        plain = card.plain
        widow = self.widow or ()
        lying = widow if self.bidder is None or not self.bidding.over else ()
        everywhere = (*(c for hand in self.hands for c in hand), *lying)
        return sum(other.plain == plain for other in everywhere)

    def may_hold(self, seat: int, card: Card) -> bool:
        """Whether a player can hold a card, as far as is known."""
        if find(self.left(seat), card) is not None:
            return True
        if self.unseen(seat) <= 0 or card.plain in self.denied[seat - 1]:
            return False
        return self.free(card)

    def free(self, card: Card) -> bool:
        """Whether a copy of a card has not been entered yet."""
        if self.seen(card) >= COPIES:
            return False
        return card.copy is None or all(card != other for hand in self.hands for other in hand)


def take(cards: list[Card], card: Card) -> None:
    """Remove a card from the list; of two copies, the named one if one is named."""
    found = find(tuple(cards), card)
    if found is not None:
        cards.remove(found)


def find(cards: Cards, card: Card) -> Card | None:
    """The card in a list that an entered card may be, preferring one of the same name."""
    fitting = [other for other in cards if other.matches(card)]
    return next((other for other in fitting if other == card), fitting[0] if fitting else None)


def opened(eldest: int, seats: int, least: int, always: bool) -> Deal:
    """A new deal about which nothing is known."""
    sides = 2 if seats == 4 else seats
    return Deal(
        Bidding(eldest, seats, least),
        always,
        ((),) * seats,
        (0,) * seats,
        (None,) * seats,
        (frozenset(),) * seats,
        counts=(None,) * sides,
    )


def put(values: tuple[Cards, ...], seat: int, cards: Cards) -> tuple[Cards, ...]:
    """The values by seat, with one seat's replaced."""
    return tuple(cards if at == seat else old for at, old in enumerate(values, 1))


def check_card(card: Card) -> None:
    """Raise IllegalMove if a card is not fully known or is not in the pack."""
    if card.rank is not None and card.rank not in tricks.RANKS:
        raise IllegalMove("card-not-in-pack", card=card)
    if not card.known:
        raise IllegalMove("card-unknown", card=card)
    if card.copy not in (None, "a", "b"):
        raise IllegalMove("card-not-in-pack", card=card)


def learn(deal: Deal, seat: int, cards: Cards) -> Deal:
    """Record that a player was also dealt these cards.

    Raises:
        IllegalMove: `card-seen` if no copy is left.
    """
    for card in cards:
        check_card(card)
        if not deal.free(card):
            raise IllegalMove("card-seen", card=card)
        deal = replace(deal, hands=put(deal.hands, seat, (*deal.hands[seat - 1], card)))
    return deal


def tell_hand(deal: Deal, seat: int, cards: Cards) -> Deal:
    """`N hand CARD…`: cards dealt, in any number of lines."""
    if deal.led or deal.counted or deal.discards is not None or any(deal.melded):
        raise IllegalMove("deal-too-far", verb="hand")
    told, allowed = deal.told[seat - 1] + len(cards), HAND[deal.seats]
    seen = tuple(card for card in cards if card.rank is not None)
    if told > allowed or len(deal.hands[seat - 1]) + len(seen) > deal.size(seat):
        raise IllegalMove(
            "hand-too-long",
            seat=seat,
            told=max(deal.told[seat - 1], allowed - deal.unseen(seat)),
            said=len(cards),
            allowed=allowed,
        )
    after = learn(deal, seat, seen)
    return replace(
        after, told=tuple(told if at == seat else old for at, old in enumerate(deal.told, 1))
    )


def turn_widow(deal: Deal, cards: Cards) -> Deal:
    """`widow CARD CARD CARD`: shown to all, and taken by the bidder (3.3)."""
    if deal.seats != 3 or len(cards) != WIDOW or deal.widow is not None:
        raise IllegalMove("widow-three", said=len(cards))
    if not deal.bidding.over or deal.bidder is None:
        raise IllegalMove("bidding-first", verb="widow")
    if deal.led or deal.counted or deal.discards is not None or any(deal.melded):
        raise IllegalMove("deal-too-far", verb="widow")
    seen = tuple(card for card in cards if card.rank is not None)
    return replace(learn(deal, deal.bidder, seen), widow=cards)


def name_trump(deal: Deal, suit: Suit) -> Deal:
    """`trump SUIT`, by the bidder."""
    if not deal.bidding.over:
        raise IllegalMove("bidding-first", verb="trump")
    if deal.trump is not None:
        raise IllegalMove("turned-already", card=deal.trump.letter, why="trump")
    return replace(deal, trump=suit)


def _check_meld(deal: Deal, verb: str) -> Suit:
    if not deal.bidding.over:
        raise IllegalMove("bidding-first", verb=verb)
    if deal.trump is None:
        raise IllegalMove("trump-unknown")
    if deal.led:
        raise IllegalMove("meld-after-lead")
    if deal.counted:
        raise IllegalMove("deal-too-far", verb=verb)
    return deal.trump


def meld_known(deal: Deal, *, double: bool) -> Deal:
    """`declare`: every known hand melds the best it can (4.2)."""
    trump = _check_meld(deal, "declare")
    if deal.discards is not None:
        raise IllegalMove("deal-too-far", verb="declare")
    known = [seat for seat in range(1, deal.seats + 1) if deal.whole(seat)]
    if not known:
        raise IllegalMove("hands-unknown", seat=deal.bidder, why="none")
    melded = list(deal.melded)
    for seat in known:
        if melded[seat - 1] is None:
            melded[seat - 1] = melds(deal.hands[seat - 1], trump, double=double)
    return replace(deal, melded=tuple(melded))


def meld(deal: Deal, seat: int, cards: Cards, *, double: bool) -> Deal:
    """`N meld CARD…`: one meld, or the cards of several (8.1)."""
    trump = _check_meld(deal, "meld")
    for card in cards:
        check_card(card)
    found = melds(cards, trump, double=double)
    held = Counter(card.plain for card in cards)
    lying = used(found)
    if not found or any(lying[card] < number for card, number in held.items()):
        raise IllegalMove("no-such-meld", cards=cards)
    before = deal.melded[seat - 1] or ()
    deal = _holding(deal, seat, cards)
    mine = Counter(card.plain for card in deal.hands[seat - 1])
    spare = deal.unseen(seat)
    for group in {one.group for one in found}:
        need: Counter[Card] = Counter()
        for one in (*before, *found):
            if one.group == group:
                for card in one.cards:
                    need[card] += one.times
        for card, number in need.items():
            most = mine[card] if spare == 0 else COPIES
            if number > most:
                raise IllegalMove("meld-reuse", cards=cards, kind=found[0].name)
    lies = _joined((*before, *found), trump, double=double)
    melded = tuple(lies if at == seat else old for at, old in enumerate(deal.melded, 1))
    return replace(deal, melded=melded)


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
        if find(tuple(left), card) is not None:
            take(left, card)
            continue
        if deal.unseen(seat) <= 0 or not deal.free(card):
            raise IllegalMove("not-in-hand", seat=seat, card=card)
        deal = learn(deal, seat, (card,))
    return deal


def lay_away(deal: Deal, seat: int, cards: Cards) -> Deal:
    """`N discard` with three cards: the bidder of three, after melding (4.3)."""
    if deal.seats != 3:
        raise IllegalMove(
            "not-in-this-game", verb="discard", game="pinochle", seats=deal.seats, why="seats"
        )
    if not deal.bidding.over:
        raise IllegalMove("bidding-first", verb="discard")
    if seat != deal.bidder:
        raise IllegalMove("not-the-bidder", seat=seat, bidder=deal.bidder)
    if deal.trump is None:
        raise IllegalMove("trump-unknown")
    if deal.discards is not None:
        raise IllegalMove("discarded-already", seat=seat)
    if deal.led or deal.counted:
        raise IllegalMove("deal-too-far", verb="discard")
    if len(cards) != WIDOW:
        raise IllegalMove("wrong-number-of-cards", said=len(cards), allowed=WIDOW)
    deal = _holding(deal, seat, tuple(card for card in cards if card.rank is not None))
    if deal.whole(seat) and melded_away(deal, seat, cards) > _may_be_melded(deal, seat):
        raise IllegalMove("melded-card", cards=cards)
    return replace(deal, discards=cards)


def free_cards(deal: Deal, seat: int) -> Counter[Card]:
    """The cards of a known hand that are not in any meld."""
    lying = used(deal.melded[seat - 1] or ())
    return Counter(card.plain for card in deal.hands[seat - 1]) - lying


def lead_seat(deal: Deal, *, bidder_leads: bool) -> int:
    """The seat that leads to the first trick (5.1)."""
    if deal.bidder is not None and (deal.seats == 3 or bidder_leads):
        return deal.bidder
    return deal.bidding.eldest


def turn(deal: Deal, *, bidder_leads: bool) -> int:
    """The seat to play next."""
    if deal.trick:
        return deal.trick[-1][0] % deal.seats + 1
    if deal.plays and deal.trump is not None:
        return winner(deal.full_tricks[-1], deal.trump)[0]
    return lead_seat(deal, bidder_leads=bidder_leads)


def play(deal: Deal, seat: int, card: Card, *, bidder_leads: bool) -> Deal:
    """`N play CARD` (5). Raises IllegalMove if no assignment of the unseen cards allows it."""
    if not deal.bidding.over:
        raise IllegalMove("bidding-first", verb="play")
    trump = deal.trump
    if trump is None:
        raise IllegalMove("trump-unknown")
    if deal.counted:
        raise IllegalMove("deal-too-far", verb="play")
    if deal.seats == 3 and deal.discards is None:
        raise IllegalMove("discard-first", seat=deal.bidder)
    check_card(card)
    due = turn(deal, bidder_leads=bidder_leads)
    if seat != due:
        raise IllegalMove("out-of-turn", seat=seat, turn=due)
    left = deal.left(seat)
    mine = find(left, card)
    if mine is None:
        if deal.unseen(seat) > 0 and deal.free(card) and card.plain in deal.denied[seat - 1]:
            raise IllegalMove("denied-before", seat=seat, card=card)
        if not deal.may_hold(seat, card):
            raise IllegalMove("not-in-hand", seat=seat, card=card)
    hand = frozenset(other.plain for other in left) | {card.plain}
    allowed = tricks.legal(deal.trick, hand, trump, always=deal.always)
    if card.plain not in allowed:
        barred = tricks.denies(deal.trick, card.plain, trump, always=deal.always)
        found = _laid_away(deal, seat, tuple(c for c in left if c.plain in barred))
        if found is None:
            code, lead = _duty(deal, card, allowed, trump), deal.trick[0][1]
            _, best = winner(deal.trick, trump)
            raise IllegalMove(code, seat=seat, card=card, lead=lead, best=best)
        deal = found
    after = deal if mine is not None else learn(deal, seat, (card,))
    if deal.trick:
        denied = tricks.denies(deal.trick, card.plain, trump, always=deal.always)
        mine_denied = deal.denied[seat - 1] | denied
        after = replace(
            after,
            denied=tuple(
                mine_denied if at == seat else old for at, old in enumerate(deal.denied, 1)
            ),
        )
    after = replace(after, plays=(*deal.plays, (seat, mine or card)))
    if not _room(after):
        raise IllegalMove("impossible-hand", seat=seat, card=card)
    return after


def _laid_away(deal: Deal, seat: int, cards: Cards) -> Deal | None:
    """The deal in which these cards of a hand are among those laid away unseen, since the play
    shows that they are not in hand; None if they cannot be (4.3)."""
    discards = deal.discards or ()
    unseen = sum(card.rank is None for card in discards)
    if seat != deal.bidder or len(cards) > unseen:
        return None
    known = (*cards, *(card for card in discards if card.rank is not None))
    after = replace(deal, discards=(*known, *(UNSEEN,) * (unseen - len(cards))))
    return after if melded_away(after, seat, known) <= _may_be_melded(after, seat) else None


def melded_away(deal: Deal, seat: int, cards: Cards) -> int:
    """How many of these cards of a hand must lie in its melds."""
    lying = used(deal.melded[seat - 1] or ())
    free = Counter(card.plain for card in deal.hands[seat - 1]) - lying
    return sum((Counter(card.plain for card in cards if card.rank is not None) - free).values())


def _may_be_melded(deal: Deal, seat: int) -> int:
    """How many of the three cards laid away may lie in melds: those for which the hand has no free
    card."""
    lying = used(deal.melded[seat - 1] or ())
    return max(0, WIDOW - deal.size(seat) + sum(lying.values()))


def _duty(deal: Deal, card: Card, allowed: frozenset[Card], trump: Suit) -> str:
    """The duty that a card broke, given the cards that would have been allowed."""
    lead = deal.trick[0][1].suit
    if card.suit != lead and any(other.suit == lead for other in allowed):
        return "must-follow"
    if card.suit == lead:
        return "must-beat"
    return "must-overtrump" if card.suit == trump else "must-trump"


def _room(deal: Deal) -> bool:
    """Whether all hands can still be filled: every subset of them finds enough cards that their
    plays do not rule out. Cards that the bidder discarded unseen are not limited by any play."""
    demands: list[tuple[int, frozenset[Card]]] = []
    for seat in range(1, deal.seats + 1):
        lacking = deal.unseen(seat)
        if seat == deal.bidder and deal.discards:
            unseen = min(lacking, sum(card.rank is None for card in deal.discards))
            demands.append((unseen, frozenset()))
            lacking -= unseen
        demands.append((lacking, deal.denied[seat - 1]))
    demands = [demand for demand in demands if demand[0] > 0]
    supply = {card: COPIES - deal.seen(card) for card in PACK} if demands else {}
    for size in range(1, len(demands) + 1):
        for some in combinations(demands, size):
            barred = frozenset(PACK).intersection(*(denied for _, denied in some))
            free = sum(number for card, number in supply.items() if card not in barred)
            if free < sum(lacking for lacking, _ in some):
                return False
    return True
