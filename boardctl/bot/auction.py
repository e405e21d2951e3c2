"""Choose bids, trumps and cards to lay away in three- and four-handed Pinochle.

The module tries each choice by playing out sampled deals.

The other players are assumed to bid up to the worth of the melds, aces and long trumps in their
sampled hands (`habits`). The bidder names the suit that is best on average. The result of a deal
includes melds and tricks. This module counts seats and sides from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from boardctl.bot import habits, trick_tables
from boardctl.bot.standing import Choice, Table, best_first
from boardctl.bot.trick_tables import Imagined, Scores
from boardctl.bot.tricks import Pack, Play, pack
from boardctl.games import Move
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common.auction import STEP
from boardctl.games.pinochle import melds
from boardctl.games.pinochle.deal import WIDOW, Deal

SAMPLES: Final = 24
"""The number of sampled deals in which a bid or a trump suit is tried."""
_SETS: Final = 16
"""The number of sets of discards that are tried."""
_SETS_SAMPLES: Final = 10
"""The number of sampled deals in which each set of discards is tried."""

Cards = Sequence[Card]


def _pack(deal: Deal, trump: Suit) -> Pack:
    return pack(deal.spec, trump, tuple(map(deal.worth, deal.spec.pack)))


class World:
    """A sampled deal before trumps are named.

    Args:
        deal: the deal, as the deciding seat knows it.
        hands: the cards dealt to each seat.
        widow: the cards that the bidder takes up with three players.
    """

    def __init__(self, deal: Deal, hands: Sequence[Cards], widow: Cards) -> None:
        self.deal, self.hands, self.widow = deal, hands, widow
        self._limits: dict[int, tuple[int, Suit]] = {}
        self._played: dict[tuple[int, Suit], tuple[Play, list[int]]] = {}

    def limit(self, seat: int) -> tuple[int, Suit]:
        """Return a seat's highest bid according to the rules of thumb, and its best suit."""
        if seat not in self._limits:
            hand = list(self.hands[seat])
            found = [(habits.in_suit(hand, suit), suit) for suit in Suit]
            self._limits[seat] = max(found)
        return self._limits[seat]

    def scored(self, bidder: int, trump: Suit, bid: int) -> Scores:
        """Return each side's points after a bid has been played out."""
        key = bidder, trump
        if key not in self._played:
            self._played[key] = self._play(bidder, trump)
        play, melded = self._played[key]
        side = play.side[bidder]
        return trick_tables.settle_pinochle(self.deal.options, melded, side, bid)(play, ())

    def _play(self, bidder: int, trump: Suit) -> tuple[Play, list[int]]:
        deal, numbered = self.deal, _pack(self.deal, trump)
        hands, taken = [], 0
        melded = [0] * deal.sides
        sides = tuple(deal.side(seat + 1) - 1 for seat in range(deal.seats))
        for seat, dealt in enumerate(self.hands):
            hand = [*dealt, *(self.widow if seat == bidder else ())]
            found = melds.melds(hand, trump, double=deal.double_melds)
            melded[sides[seat]] += melds.points(found)
            away = laid_away(hand, found, trump, len(hand) - deal.whole_hand)
            kept = list((Counter(hand) - Counter(away)).elements())
            mask = numbered.mask(kept, taken)
            taken |= mask
            hands.append(mask)
        leads = deal.seats == 3 or deal.options["first_lead"] == "bidder"
        leader = bidder if leads else deal.eldest - 1
        play = Play(numbered, deal.duties, hands, leader, sides[bidder])
        play.finish()
        return play, melded


def laid_away(hand: Cards, found: Sequence[melds.Meld], trump: Suit, number: int) -> list[Card]:
    """Return the cards that the bidder lays away in a game for three, by a rule of thumb. The
    bidder keeps melds, trumps and aces if possible, and lays away the shortest suits first, most
    valuable cards first.

    Args:
        hand: the cards of the bidder, with the widow.
        found: the melds of the hand.
        trump: the trump suit.
        number: the number of cards to lay away.
    """
    if not number:
        return []
    free = list((Counter(hand) - melds.used(found)).elements())
    free += [card for card in hand if card not in free][: max(0, number - len(free))]
    return sorted(free, key=lambda card: _keep_order(card, hand, trump))[:number]


def _keep_order(card: Card, hand: Cards, trump: Suit) -> tuple[bool, bool, int, int]:
    """Return the sort key of a card. The card with the lowest key is laid away first."""
    length = sum(other.suit == card.suit for other in hand)
    return card.suit == trump, card.rank == Rank.ACE, length, -melds.RANKS[::-1].index(_rank(card))


def _rank(card: Card) -> Rank:
    assert card.rank is not None
    return card.rank


def choices(
    deal: Deal, table: Table, seat: int, moves: Sequence[Move], random: Random
) -> list[Choice]:
    """Return the possible bids, trump suits or discards with their values, best first.

    Args:
        deal: the deal, as the seat knows it.
        table: the value of points.
        seat: from 1.
        moves: the possible lines, which have the same verb.
        random: draws the samples.
    """
    verb = moves[0].verb
    if verb == "discard":
        return _discards(deal, table, seat, moves, random)
    worlds = _worlds(deal, seat, random)
    own = _own_suit(worlds, table, seat - 1, max(deal.bidding.bid, deal.bidding.least))
    found = []
    for move in moves:
        win = points = 0.0
        for world in worlds:
            if verb == "trump":
                suit = Suit("SHDC".index(move.words[0]))
                scored = world.scored(seat - 1, suit, deal.bidding.bid)
            else:
                scored = _after(world, seat - 1, move, own)
            win += table.worth(scored)
            points += table.more(scored)
        found.append(Choice(move, win / len(worlds), points / len(worlds)))
    return sorted(found, key=best_first)


def _worlds(deal: Deal, seat: int, random: Random) -> list[World]:
    """Return random distributions of the unseen cards among the other seats."""
    pool = list(deal.unlocated())
    own = deal.remaining(seat)
    found = []
    for _ in range(SAMPLES):
        random.shuffle(pool)
        hands: list[Cards] = [()] * deal.seats
        at = 0
        for other in deal.order:
            hands[other - 1] = own
            if other != seat:
                hands[other - 1] = pool[at : at + deal.whole_hand]
                at += deal.whole_hand
        has_widow = len(own) > deal.whole_hand
        found.append(World(deal, hands, () if has_widow else pool[at : at + WIDOW]))
    return found


def _own_suit(worlds: Sequence[World], table: Table, seat: int, bid: int) -> Suit:
    """Return the suit that a seat would choose as trumps."""
    return max(
        Suit,
        key=lambda suit: sum(table.worth(world.scored(seat, suit, bid)) for world in worlds),
    )


def _after(world: World, seat: int, move: Move, own: Suit) -> Scores:
    """Return each side's points if a seat makes this bid or pass now and does not bid again."""
    bidding = world.deal.bidding
    others = [
        other
        for other in range(world.deal.seats)
        if other != seat and other + 1 not in bidding.gone
    ]
    bid = move.numbers[0] if move.numbers else 0
    least = bid + STEP if bid else bidding.lowest
    limits = sorted((world.limit(other)[0] // STEP * STEP, other) for other in others)
    standing = bidding.taker
    if not bid and standing is not None:  # the last bidder must take the contract
        limits = sorted(
            (max(limit, bidding.bid) if other + 1 == standing else limit, other)
            for limit, other in limits
        )
        least = bidding.bid
    if not limits or limits[-1][0] < least:
        if bid:
            return world.scored(seat, own, bid)
        return [0.0] * world.deal.sides
    taker = limits[-1][1]
    price = max(least, limits[-2][0] + STEP if len(limits) > 1 else 0)
    return world.scored(taker, world.limit(taker)[1], min(price, limits[-1][0]))


def _discards(
    deal: Deal, table: Table, seat: int, moves: Sequence[Move], random: Random
) -> list[Choice]:
    """Return sets of discards with their values, best first. Only the sets that are most plausible
    by the rule of thumb are tried."""
    trump = deal.trump
    assert trump is not None
    hand = deal.remaining(seat)
    order = sorted(
        moves, key=lambda move: sorted(_keep_order(card, hand, trump) for card in move.cards)
    )
    seed = random.random()
    found = []
    for move in order[:_SETS]:
        after = deal.lay_away(move)
        seen = Imagined(after, trump, after.side(seat) - 1)
        settle = trick_tables.settlement(after)
        same = Random(seed)
        win = points = 0.0
        for _ in range(_SETS_SAMPLES):
            hands = seen.hands(same)
            assert hands is not None  # before the first card, no hand is ruled out
            play = seen.play.copy(hands)
            play.finish()
            scored = settle(play, hands)
            win += table.worth(scored)
            points += table.more(scored)
        found.append(Choice(move, win / _SETS_SAMPLES, points / _SETS_SAMPLES))
    return sorted(found, key=best_first)
