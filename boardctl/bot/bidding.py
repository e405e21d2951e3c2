"""Choose bids in Belote, Coinche and Klaberjass by playing out sampled deals.

After a trial bid, the other players bid according to the apparent worth of their sampled hands, and
the resulting contract is played out. A pass is tried in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from random import Random
from typing import Any, Final

from boardctl.bot import trick_tables
from boardctl.bot.sampling import numbers
from boardctl.bot.standing import Choice, Table, best_first
from boardctl.bot.trick_tables import Scores, Settle
from boardctl.bot.tricks import Pack, Play, pack
from boardctl.games import Move
from boardctl.games.belote import deal as belote
from boardctl.games.cards import Card, Suit
from boardctl.games.common import jass
from boardctl.games.common.jass import JassDeal
from boardctl.games.klaberjass import deal as klaberjass

SAMPLES: Final = 40
"""The number of sampled deals in which a bid is tried."""
SHADE: Final = 8.0
"""The points subtracted from a bid's value, because the highest of several averages tends to be too
high."""
_SIDE: Final = 30
"""The base of a side's expected points in Coinche. The next three constants add to it."""
_LONG: Final = 12
_ACE: Final = 8
_BEST: Final = (6, 15, 16)
"""The points that the trump ace, nine and jack add."""
_FEWEST: Final = 3
"""The smallest number of cards of a suit with which a player takes the turned-up card."""
_PASS: Final = ("pass",)
_POOL: Final = 4
"""The number of deals weighed for each deal played out, once other players have bid."""
_DOUBT: Final = 12.0
"""The typical difference in points between a bid and the apparent worth of the hands."""
_UNLIKE: Final = 0.3
"""The weight of a hand whose player passed although the rule of thumb would have taken."""
_LEAST: Final = 1e-9


@lru_cache(maxsize=4)
def _renumbered(one: Pack, other: Pack) -> tuple[int, ...]:
    """Return, for each card number in the first pack, the card's bit in the second pack."""
    return tuple(1 << other.number[card] for card in one.cards)


@lru_cache(maxsize=1)
def _packs() -> tuple[Pack, ...]:
    """Return one pack for each suit as trumps."""
    spec = jass.SPEC
    return tuple(
        pack(spec, suit, tuple(jass.value(card, suit) for card in spec.pack)) for suit in Suit
    )


class World:
    """A sampled deal during the bidding.

    Args:
        deal: the deal, as the deciding seat knows it.
        hands: the cards that each seat, from 0, holds during the bidding, as numbers of the first
            pack.
        rest: the remaining cards, in dealing order.
    """

    def __init__(self, deal: JassDeal, hands: Sequence[int], rest: Sequence[int]) -> None:
        self.deal, self.hands, self.rest = deal, hands, rest
        self._played: dict[tuple[int, int], tuple[Play, list[int], Scores]] = {}
        self._worth: dict[tuple[int, int], int] = {}

    def trumps(self, seat: int, suit: int) -> tuple[int, int]:
        """Return two masks of a hand for this trump suit: all its cards, and only its trumps."""
        packs = _packs()
        bits = _renumbered(packs[0], packs[suit])
        hand = sum([bits[card] for card in numbers(self.hands[seat])])
        return hand, hand & packs[suit].trumps

    def worth(self, seat: int, suit: int) -> int:
        """Return the approximate points of a seat's side if a suit is trumps."""
        found = self._worth.get((seat, suit))
        if found is None:
            hand, trumps = self.trumps(seat, suit)
            aces = sum(hand >> top & 1 for top in (15, 23, 31))
            found = _SIDE + _LONG * trumps.bit_count() + _ACE * aces
            found += sum(more for place, more in enumerate(_BEST, 5) if trumps >> place & 1)
            self._worth[seat, suit] = found
        return found

    def takes(self, seat: int, suit: int) -> bool:
        """Return whether a player with this hand takes a suit by the rule of thumb (`habits`)."""
        _, trumps = self.trumps(seat, suit)
        return trumps.bit_count() >= _FEWEST and trumps >= 1 << 5

    def whole(self, taker: int) -> list[int]:
        """Return the hands to play with after a seat has taken the turned-up card."""
        deal, hands, at = self.deal, list(self.hands), 0
        turned = deal.turned
        for seat in (one - 1 for one in deal.order):
            if deal.seats == 4 and seat == taker and turned is not None:
                hands[seat] |= 1 << _packs()[0].number[turned]
            lacking = deal.whole_hand - hands[seat].bit_count()
            for card in self.rest[at : at + lacking]:
                hands[seat] |= 1 << card
            at += lacking
        return hands

    def played(self, taker: int, suit: int) -> tuple[Play, list[int], Scores]:
        """Play out a deal with a taker and a trump suit. Return the play, the hands, and the points
        of the declarations by side."""
        key = taker, suit
        found = self._played.get(key)
        if found is None:
            deal, packs = self.deal, _packs()
            whole = self.whole(taker)
            bits = _renumbered(packs[0], packs[suit])
            hands = [sum([bits[card] for card in numbers(hand)]) for hand in whole]
            play = Play(packs[suit], deal.duties, hands, deal.eldest - 1, taker % 2)
            play.finish()
            found = self._played[key] = play, hands, _declared(deal, whole, Suit(suit))
        return found


def _declared(deal: JassDeal, hands: Sequence[int], trump: Suit) -> Scores:
    """Return the points of the valid declarations, by side."""
    if deal.options.get("declarations") == "off":
        return (0, 0)
    cards = _packs()[0].cards
    found: list[tuple[int, jass.Piece]] = []
    for seat in deal.order:
        hand = [cards[number] for number in numbers(hands[seat - 1])]
        found += [(seat, piece) for piece in _pieces(deal, hand, trump)]
    if not found:
        return (0, 0)

    def strength(piece: jass.Piece) -> tuple[int, ...]:
        if isinstance(deal, belote.Deal):
            return belote.strength(piece, trump, deal.options)
        return piece.strength(trump)

    _, pieces = jass.contest(found, strength, 2, earlier_wins=deal.earlier_wins)
    points = [0, 0]
    for seat, piece in pieces:
        points[deal.side(seat) - 1] += piece.points
    return points


def _pieces(deal: JassDeal, hand: Sequence[Card], trump: Suit) -> Sequence[jass.Piece]:
    if isinstance(deal, belote.Deal):
        return belote.declared(hand, trump, deal.options)
    return klaberjass.runs(hand, deal.options["split_long_runs"] == "on")


def choices(
    deal: Any,
    table: Table,
    seat: int,
    moves: Sequence[Move],
    random: Random,
    *,
    shaded: bool = True,
) -> list[Choice]:
    """Return the possible bids of a seat with their values, best first.

    Args:
        deal: the deal, as the seat knows it.
        table: the value of points.
        seat: from 1.
        moves: the possible bids.
        random: draws the samples.
        shaded: whether to subtract `SHADE`.
    """
    found = _worlds(deal, seat, table.bids, random)
    shade = table.worth((0.0, 0.0)) - table.worth([-SHADE * (n == table.side) for n in (0, 1)])
    nothing = (0.0, 0.0)
    options = []
    for move in moves:
        win = points = 0.0
        said = _after_line(deal.bidding, move)
        for world in found:
            after = _end(world, said)
            scored = nothing if after.taker is None else _scored(world, after)
            win += table.worth(scored)
            points += table.more(scored)
        win /= len(found)
        if shaded and move.verb == "bid" and move.words != _PASS:
            win -= shade
        options.append(Choice(move, win, points / len(found)))
    options.sort(key=best_first)
    return options


def _worlds(deal: JassDeal, seat: int, bids: Sequence[Move], random: Random) -> list[World]:
    """Return sampled deals of the unseen cards. Deals that are consistent with the other players'
    bids are more likely to be drawn."""
    first = _packs()[0]
    pool = [first.number[card] for card in deal.unlocated()]
    own = first.mask(deal.remaining(seat))
    others = [move for move in bids if move.seat != seat]
    found, weights = [], []
    for _ in range(SAMPLES * (_POOL if others else 1)):
        random.shuffle(pool)
        hands, at = [0] * deal.seats, 0
        for other in deal.order:
            if other == seat:
                hands[seat - 1] = own
                continue
            lacking = deal.size(other)
            hands[other - 1] = sum([1 << card for card in pool[at : at + lacking]])
            at += lacking
        world = World(deal, hands, pool[at:])
        found.append(world)
        weights.append(_likely(world, bids, seat))
    return drawn(random, found, weights, SAMPLES) if others else found


def drawn(
    random: Random, found: Sequence[World], weights: Sequence[float], most: int
) -> list[World]:
    """Draw deals at equal steps of the cumulative weight. Likely deals are always drawn, others in
    proportion to their weights.

    Args:
        random: draws the first step.
        found: the deals.
        weights: the weight of each deal.
        most: the number of deals to draw.
    """
    step = sum(weights) / most
    at, before = random.random() * step, 0.0
    some: list[World] = []
    for one, weight in zip(found, weights, strict=True):
        before += weight
        while at < before and len(some) < most:
            at += step
            some.append(one)
    return some


def _likely(world: World, bids: Sequence[Move], seat: int) -> float:
    """Return a weight for how well a deal explains the bids of the other seats."""
    explained = _by_contracts if isinstance(world.deal.bidding, belote.Coinche) else _by_turned
    return explained(world, bids, seat) + _LEAST


def _by_contracts(world: World, bids: Sequence[Move], seat: int) -> float:
    """Return how well a deal explains the other seats' bids in Coinche. A side's passes before its
    first bid mean weak hands. Its first bid in a suit means a hand worth about that bid."""
    weight, bid = 1.0, 0
    named: dict[int, set[str]] = {0: set(), 1: set()}
    for move in bids:
        other, passed = move.player - 1, move.words == _PASS
        ours = named[other % 2]
        if move.player != seat and passed and not ours:
            best = max(world.worth(other, suit) for suit in Suit)
            weight *= exp(-max(0, best - max(bid + 10, 85) - 5) / _DOUBT)
        elif move.player != seat and not passed and not ours & set(move.words):
            points = move.numbers[0] if move.numbers else belote.MOST
            short = max(0, points - 5 - world.worth(other, "SHDC".index(move.words[-1])))
            weight *= exp(-((short / _DOUBT) ** 2) / 2)
        if not passed:
            bid = move.numbers[0] if move.numbers else belote.MOST
            ours.add(move.words[-1])
    return weight


def _by_turned(world: World, bids: Sequence[Move], seat: int) -> float:
    """Return how well a deal explains the other seats' passes, first on the turned-up card's suit
    and then on the other suits."""
    turned, weight = world.deal.turned_bidding.suit, 1.0
    for number, move in enumerate(bids):
        if move.player != seat:
            late = number >= world.deal.seats
            suits = [suit for suit in Suit if (suit != turned) == late]
            weight *= _UNLIKE if any(world.takes(move.player - 1, suit) for suit in suits) else 1.0
    return weight


def _after_line(bidding: Any, move: Move) -> Any:
    """Return the auction after one more line."""
    if move.verb == "coinche":
        return bidding.double(move.player)
    return bidding.redouble(move.player) if move.verb == "surcoinche" else bidding.say(move)


def _end(world: World, bidding: Any) -> Any:
    """Play the auction to its end and return it. The other players bid by rules of thumb. In
    Coinche, the first contract is treated as final."""
    while bidding.taker is None and not bidding.passed_out:
        seat = bidding.bidder
        coinche = isinstance(bidding, belote.Coinche)
        words, numbers = (_raise if coinche else _take)(world, bidding, seat - 1)
        bidding = bidding.say(Move("bid", seat, words=words, numbers=numbers))
    return bidding


def _take(world: World, bidding: Any, seat: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return a seat's bid for the turned-up card or for another suit."""
    late, turned = bidding.second_round, bidding.suit
    for suit in Suit:
        if (suit != turned) == late and world.takes(seat, suit):
            return (suit.letter if late else "take",), ()
    return _PASS, ()


def _raise(world: World, bidding: Any, seat: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return a Coinche bid at the apparent worth of the hand."""
    suit = max(Suit, key=lambda suit: world.worth(seat, suit))
    points = min(world.worth(seat, suit) // 10 * 10, belote.MOST)
    if points < bidding.lowest:
        return _PASS, ()
    return (suit.letter,), (points,)


def _scored(world: World, bidding: Any) -> Scores:
    """Return each side's score after the contract has been played out."""
    play, hands, declared = world.played(bidding.taker - 1, bidding.trump)
    settle: Settle
    options = world.deal.options
    if isinstance(world.deal, belote.Deal):
        bid, doubled = (bidding.bid, bidding.doubled) if world.deal.coinche else (0, 1)
        settle = trick_tables.settle_belote(options, declared, None, bid, doubled)
    else:
        settle = trick_tables.settle_klaberjass(options, declared, None)
    return settle(play, hands)
