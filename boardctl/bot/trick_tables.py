"""Deals of Belote, Klaberjass, and three- and four-handed Pinochle, in the form that the search
uses.

`Imagined` is a seat's knowledge of a deal with known trumps. It contains the seat's cards as
numbers (`tricks.Pack`), the groups of unseen cards, the cards that the referee rules out for each
group, and the play so far. Deals that are played out are settled by the referee's own functions.
This module counts seats and sides from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from boardctl.bot import sampling
from boardctl.bot.sampling import Group, numbers
from boardctl.bot.tricks import Play, pack
from boardctl.games.belote import deal as belote
from boardctl.games.belote.state import coinche
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common import jass
from boardctl.games.common.jass import LAST_TRICK, ROYALS, Points
from boardctl.games.common.trick_deal import TrickDeal
from boardctl.games.klaberjass.state import AS_IN_BELOTE
from boardctl.games.pinochle import melds as pinochle
from boardctl.games.pinochle.state import Share, weighed

Scores = Sequence[float]
"""The points of each side in a deal."""
Settle = Callable[[Play, Sequence[int]], Scores]
"""A function that settles a deal after it has been played out. Its last argument is a mask of each
hand as dealt."""


class Imagined:
    """One seat's knowledge of a deal with known trumps.

    Args:
        deal: the deal, as the seat knows it.
        trump: the trump suit.
        attack: the side that took the contract.
    """

    def __init__(self, deal: TrickDeal, trump: Suit, attack: int) -> None:
        spec, seats = deal.spec, deal.seats
        self.deal = deal
        self.pack = pack(spec, trump, tuple(_worth(deal, card, trump) for card in spec.pack))
        self.play = Play(self.pack, deal.duties, [0] * seats, deal.leader - 1, attack)
        self.had = [0] * seats
        """The cards that each seat has played."""
        taken = 0
        for seat, card in deal.plays:
            bit = self.pack.mask((card,), taken)
            taken |= bit
            self.had[seat - 1] |= bit
            self.play.step(bit.bit_length() - 1)
        for seat in range(seats):
            mine = self.pack.mask(deal.remaining(seat + 1), taken)
            taken |= mine
            self.play.hands[seat] = mine
        self.pool = numbers(self.pack.mask(deal.unlocated(), taken))
        self.groups = self._groups()

    def _groups(self) -> tuple[Group, ...]:
        deal, copies = self.deal, self.deal.spec.copies
        demands = deal.demands()
        seats = [seat - 1 for seat in deal.order]
        if len(demands) > len(seats):  # first come the cards that the Pinochle bidder laid away
            bidder = deal.order.index(deal.bidding.taker or 0)
            seats.insert(bidder, -1)
        found = []
        for seat, (need, denied) in zip(seats, demands, strict=True):
            barred = 0
            for card in denied:
                number = self.pack.number[card]
                barred |= (1 << copies) - 1 << number
            found.append(Group(seat, need, barred))
        rest = len(self.pool) - sum(group.need for group in found)
        return (*found, Group(-1, rest))

    def hands(self, random: Random) -> list[int] | None:
        """Return the current hands of all seats, with the unseen cards dealt at random. Return None
        if no possible deal was found."""
        some = sampling.dealt(random, self.pool, self.groups)
        if some is None:
            return None
        hands = list(self.play.hands)
        for group, cards in zip(self.groups, some, strict=True):
            if group.seat >= 0:
                hands[group.seat] |= cards
        return hands


def _worth(deal: TrickDeal, card: Card, trump: Suit) -> int:
    """Return the points of a card in a trick if this suit is trumps."""
    return jass.value(card, trump) if isinstance(deal, jass.JassDeal) else deal.worth(card)


def royals(play: Play, hands: Sequence[int]) -> int | None:
    """Return the side of the seat that was dealt both the king and the queen of trumps, or None."""
    number, trump = play.pack.number, play.pack.trump
    both = 1 << number[Card(Rank.KING, trump)] | 1 << number[Card(Rank.QUEEN, trump)]
    held = (play.side[seat] for seat, hand in enumerate(hands) if hand & both == both)
    return next(held, None)


_BONUS: Final = belote.CAPOT_BONUS


def settle_belote(
    options: Mapping[str, str], declared: Scores, called: int | None, bid: int, doubled: int
) -> Settle:
    """Return a function that settles a deal of Belote.

    Args:
        options: the options of the game.
        declared: the points of declarations, by side.
        called: the side that called belote, or None if nobody has called it yet.
        bid: the points of the Coinche contract, or 0 in Belote with a turned-up card.
        doubled: the multiplier, as the referee counts it.
    """
    bonus = _BONUS[options["capot"]]
    capot = bid == belote.CAPOT

    def settle(play: Play, hands: Sequence[int]) -> Scores:
        tricks = list(play.points)
        tricks[play.side[play.last]] += LAST_TRICK
        winners = [side for side in (0, 1) if play.won[side]]
        attack = play.attack
        all_to = None
        if len(winners) == 1:
            tricks[winners[0]] += bonus
            all_to = int(winners[0] != attack)
        side = royals(play, hands) if called is None else called
        order = attack, 1 - attack
        points = Points(
            (tricks[order[0]], tricks[order[1]]),
            (int(declared[order[0]]), int(declared[order[1]])),
            (ROYALS * (side == order[0]), ROYALS * (side == order[1])),
            all_to,
        )
        if bid:
            scored = coinche(points, options, bid, capot, doubled).scored
        else:
            scored = jass.settle(points, options).scored
        return scored if attack == 0 else (scored[1], scored[0])

    return settle


def settle_klaberjass(options: Mapping[str, str], declared: Scores, called: int | None) -> Settle:
    """Return a function that settles a deal of Klaberjass. The arguments are those of
    `settle_belote`."""
    tie = "litige" if options["tie"] == "carried" else "lost"
    rules = {**AS_IN_BELOTE, "tie": tie}

    def settle(play: Play, hands: Sequence[int]) -> Scores:
        tricks = list(play.points)
        tricks[play.last] += LAST_TRICK
        side = royals(play, hands) if called is None else called
        attack = play.attack
        order = attack, 1 - attack
        runs = [int(declared[at]) + ROYALS * (side == at) for at in order]
        points = Points((tricks[order[0]], tricks[order[1]]), (runs[0], runs[1]))
        scored = jass.settle(points, rules).scored
        return scored if attack == 0 else (scored[1], scored[0])

    return settle


def settle_pinochle(options: Mapping[str, str], melded: Scores, bidder: int, bid: int) -> Settle:
    """Return a function that settles a deal of three- or four-handed Pinochle.

    Args:
        options: the options of the game.
        melded: the points of melds, by side.
        bidder: the side that won the auction.
        bid: the points of the contract.
    """

    def settle(play: Play, hands: Sequence[int]) -> Scores:
        points = list(play.points)
        if len(points) == 3:  # the bidder counts the cards laid away
            points[bidder] += pinochle.ALL - pinochle.LAST_TRICK - sum(points)
        last = play.side[play.last]
        shares = [
            Share(int(melded[side]), points[side], pinochle.LAST_TRICK * (last == side), won > 0)
            for side, won in enumerate(play.won)
        ]
        made, kept, price = weighed(shares, bidder + 1, bid, options, conceded=False)
        scored = [share.total for share in kept]
        if not made:
            scored[bidder] = 0
        elif len(scored) == 3 and options["bidder_scores"] == "bid":
            scored[bidder] = bid
        scored[bidder] -= price
        return scored

    return settle


def settlement(deal: Any) -> Settle:
    """Return the function that settles the current deal, using only open information."""
    options = deal.options
    if not isinstance(deal, jass.JassDeal):
        melded = [deal.meld_points(side) for side in range(1, deal.sides + 1)]
        bidder = deal.bidding.taker
        return settle_pinochle(options, melded, deal.side(bidder) - 1, deal.bidding.bid)
    called = None if deal.royals_called is None else deal.side(deal.royals_called) - 1
    if isinstance(deal, belote.Deal):
        declared = [deal.meld_points(side) for side in (1, 2)]
        bid, doubled = (deal.bidding.bid, deal.bidding.doubled) if deal.coinche else (0, 1)
        return settle_belote(options, declared, called, bid, doubled)
    runs = sum(run.points for run in deal.scored_runs)  # type: ignore[attr-defined]
    scorer = deal.scorer  # type: ignore[attr-defined]
    return settle_klaberjass(options, [runs * (scorer == seat) for seat in (1, 2)], called)
