"""Choose cards and melds in Bezique, its variants and two-handed Pinochle.

While there is a stock, the cost of playing a card is the value of the melds that it could still
have formed. The value of a meld is its points times the chance of drawing the missing cards. Of the
many ways to form four of a kind, only the most likely one counts. A card that wins the trick earns
its points and the right to meld. A meld is valued by its points and by the melds that the hand can
still form afterwards.

Once the stock is exhausted, the opponent holds all unseen cards. The last tricks are searched
completely (alpha-beta, with a table of positions at the start of a trick). Longer endings are
played out by rules of thumb.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from boardctl.bot.sampling import numbers
from boardctl.bot.standing import Choice
from boardctl.bot.tricks import Play, pack
from boardctl.games import Move
from boardctl.games.bezique import melds
from boardctl.games.bezique.deal import Deal
from boardctl.games.cards import Card
from boardctl.record.record import Record
from boardctl.record.visibility import deal_start

EXACT: Final = 6
"""The largest number of cards in a hand for which the last tricks are searched completely."""
_MISSING: Final = 3
"""The largest number of missing cards with which a meld is considered."""
_SOON: Final = 0.5
"""The share of a complete meld's value that depends on winning this trick."""
_TURN: Final = 5.0
"""The additional value in points of winning a trick, because the opponent cannot meld then."""
_TRUMP: Final = 4.0
"""The value in points of a trump in the last tricks."""
_BEATS: Final = 0.8
"""The probability that an opponent who can beat a card in its suit does so."""
_TRUMPS: Final = (0.25, 0.7)
"""The probabilities that an opponent who holds a trump trumps a card without points, and a card
with points."""


class Meld(NamedTuple):
    """A kind of meld: its name, its group, its level in that group, and its cards."""

    name: str
    group: str
    level: int
    cards: Counter[Card]


Used = Mapping[tuple[str, int], Counter[Card]]
"""The melded cards of a hand, by group and level. A card may move up to a higher level of its
group."""


def choices(record: Record, seat: int, moves: Sequence[Move]) -> list[Choice]:
    """Return the cards that a seat may play, best first.

    Args:
        record: the record of the game, as the seat knows it.
        seat: from 1.
        moves: the lines that play the cards.
    """
    deal: Deal = record.position.state.deal
    hand = deal.held_by(seat)
    if hand is None:
        return []
    if deal.last_tricks:
        return _last_tricks(deal, seat, hand, moves)
    judge = _Judge(record, deal, seat, hand)
    found = [Choice(move, None, judge.worth(move.cards[0].plain)) for move in moves]
    return sorted(found, key=lambda choice: choice.points, reverse=True)


def unseen(deal: Deal, hand: Sequence[Card]) -> Counter[Card]:
    """Return the cards that a player with this hand has not seen, with their numbers of copies."""
    found = Counter(dict.fromkeys(deal.spec.pack, deal.spec.copies))
    found.subtract(card.plain for card in (*hand, *deal.played))
    return +found


def meld_choices(record: Record, seat: int, moves: Sequence[Move]) -> list[Choice]:
    """Return the melds that a seat may declare, best first.

    A meld is valued by its points and by the points that the hand may still meld afterwards.
    Declaring a marriage before the sequence that contains it therefore scores both. The arguments
    are those of `choices`.
    """
    deal: Deal = record.position.state.deal
    hand = deal.held_by(seat)
    if hand is None:
        return []
    judge = _Judge(record, deal, seat, hand)
    found = []
    for move in moves:
        awards = record.try_out(move).awards
        points = sum(award.points for award in awards if award.seat == seat)
        found.append(Choice(move, None, points + judge.after(move, points)))
    return sorted(found, key=lambda choice: choice.points, reverse=True)


class _Judge:
    """The values of the cards of one hand while there is a stock."""

    def __init__(self, record: Record, deal: Deal, seat: int, hand: Sequence[Card]) -> None:
        self._deal = deal
        self._hand = Counter(card.plain for card in hand)
        self._unseen = unseen(deal, hand)
        self._all = max(1, sum(self._unseen.values()))
        self._size = len(hand)
        options = deal.options
        self._values = options.values
        found = melds.kinds(deal.spec, options, deal.trump, deal.no_trump)
        self._melds: list[Meld] = [
            Meld(kind.name, kind.group, kind.level, Counter(cards))
            for kind, cards in found
            if self._values.get(kind.name)
        ]
        self._used = self._declared(record, seat)
        self._now = self._potential(self._hand)

    def _declared(self, record: Record, seat: int) -> Used:
        """Return the melded cards of the hand."""
        used: dict[tuple[str, int], Counter[Card]] = {}
        for move in record.moves[deal_start(record.moves) :]:
            if move.verb == "meld" and move.seat == seat:
                for meld in self._kinds(move):
                    used.setdefault(meld[1:3], Counter()).update(meld.cards)
        return {place: cards & self._hand for place, cards in used.items()}

    def _kinds(self, move: Move, points: int | None = None) -> list[Meld]:
        """Return the melds that a line may declare. If any of them score `points`, return only
        those."""
        cards = Counter(card.plain for card in move.cards)
        found = [meld for meld in self._melds if meld.cards == cards]
        return [meld for meld in found if self._values[meld.name] == points] or found

    def after(self, move: Move, points: int) -> float:
        """Return the points that the hand may still meld after a declaration, times the chance of
        winning another trick before the stock is exhausted."""
        used = {place: cards.copy() for place, cards in self._used.items()}
        for meld in self._kinds(move, points):
            used.setdefault(meld[1:3], Counter()).update(meld.cards)
        tricks: float = self._deal.stock / 2
        again: float = 1.0 - 0.5**tricks
        return again * self._potential(self._hand, used)

    @staticmethod
    def _free(meld: Meld, hand: Counter[Card], used: Used) -> Counter[Card]:
        """Return the cards of a hand that are free for a meld. Cards that were already used in the
        same group at the same or a higher level are not free."""
        for (group, level), cards in used.items():
            if group == meld.group and level >= meld.level:
                hand = hand - cards
        return hand

    def _draws(self, card: Card) -> float:
        """Return the chance of drawing a given card before the stock is exhausted."""
        copies = self._unseen[card]
        share = min(1.0, self._deal.stock / 2 / self._all)
        return 1.0 - (1.0 - share) ** copies if copies else 0.0

    def _potential(self, hand: Counter[Card], used: Used | None = None) -> float:
        """Return the points that a hand may still meld. `used` contains the cards in melds; by
        default, these are the melds declared so far."""
        used = self._used if used is None else used
        total = 0.0
        alike: dict[str, float] = {}
        for meld in self._melds:
            missing = meld.cards - self._free(meld, hand, used)
            lacking = sum(missing.values())
            if lacking > _MISSING or lacking == sum(meld.cards.values()):
                continue
            chance = 1.0
            for card, times in missing.items():
                chance *= self._draws(card) ** times
            points = chance * self._values[meld.name]
            if len({card.rank for card in meld.cards}) == 1:
                alike[meld.name] = max(points, alike.get(meld.name, 0.0))
            else:
                total += points
        return total + sum(alike.values())

    def _ready(self, hand: Counter[Card]) -> int:
        """Return the points of the best meld that a hand could declare immediately."""
        best = 0
        for meld in self._melds:
            if not meld.cards - self._free(meld, hand, self._used):
                best = max(best, self._values[meld.name])
        return best

    def worth(self, card: Card) -> float:
        """Return the points that playing a card gains, minus the value of the melds that it
        breaks."""
        deal, spec = self._deal, self._deal.spec
        rest = self._hand - Counter([card])
        cost = self._now - self._potential(rest)
        if card.suit == deal.trump:
            cost += _TRUMP + spec.plain[::-1].index(card.rank) / 2
        turn = _TURN + _SOON * self._ready(rest)
        points = spec.worth(card)
        if deal.lead is not None:
            points += spec.worth(deal.lead)
            wins = spec.beats(card, deal.lead, deal.lead.suit, deal.trump)
            return (points + turn if wins else -points - turn / 2) - cost
        beaten = self._beaten(card)
        return (1 - beaten) * (points + turn) - beaten * (points + turn / 2) - cost

    def _beaten(self, card: Card) -> float:
        """Return the chance that the opponent beats a card that is led now."""
        deal = self._deal
        share = min(1.0, self._size / self._all)
        above = trumps = 0
        for other, copies in self._unseen.items():
            if deal.spec.beats(other, card, card.suit, deal.trump):
                above += copies * (other.suit == card.suit)
                trumps += copies * (other.suit != card.suit)
        in_suit = _BEATS * (1 - (1 - share) ** above)
        by_trump = _TRUMPS[deal.spec.worth(card) > 0] * (1 - (1 - share) ** trumps)
        return in_suit + (1 - in_suit) * by_trump


def _last_tricks(
    deal: Deal, seat: int, hand: Sequence[Card], moves: Sequence[Move]
) -> list[Choice]:
    """Return the playable cards of the last tricks, best first. The opponent's hand is known."""
    theirs = list(unseen(deal, hand).elements())
    lead = deal.lead
    if deal.trump is None or len(theirs) != len(hand) - (lead is not None):
        return []
    spec = deal.spec
    numbered = pack(spec, deal.trump, tuple(map(spec.worth, spec.pack)))
    mine = numbered.mask(hand)
    other = numbered.mask(theirs, mine)
    play = Play(numbered, deal.options.duties, [mine, other], 0 if lead is None else 1, 0)
    if lead is not None:
        led = numbered.mask((lead,), mine | other)
        play.hands[1] |= led
        play.step(led.bit_length() - 1)
    solver = Solver(spec.last_trick)
    exact = len(hand) <= EXACT
    found = []
    for move in moves:
        card = numbered.number[move.cards[0].plain]
        while not mine >> card & 1:
            card += 1
        after = play.copy(play.hands)
        after.step(card)
        if exact:
            points = solver.difference(after, -_FAR, _FAR)
        else:
            after.finish()
            points = solver.end(after)
        found.append(Choice(move, None, points))
    return sorted(found, key=lambda choice: choice.points, reverse=True)


_FAR: Final = 10_000.0


class Solver:
    """A search of the last tricks, with both hands known. Values are seat 0's points minus seat 1's
    points."""

    def __init__(self, last: int) -> None:
        """Prepare a search. `last` is the number of points for the last trick."""
        self._last = last
        self._cached: dict[tuple[int, int, int], float] = {}

    def end(self, play: Play) -> float:
        """Return the difference in points after every card has been played."""
        one, two = play.points
        return one - two + (self._last if play.last == 0 else -self._last)

    def difference(self, play: Play, least: float, most: float) -> float:
        """Return the final difference under best play by both sides, bounded by `least` and
        `most`."""
        hands = play.hands
        if not play.laid:
            if not hands[play.turn]:
                return self.end(play)
            key = hands[0], hands[1], play.turn
            before = play.points[0] - play.points[1]
            if key not in self._cached:  # the rest does not depend on earlier tricks
                self._cached[key] = self._search(play, -_FAR, _FAR) - before
            return before + self._cached[key]
        return self._search(play, least, most)

    def _search(self, play: Play, least: float, most: float) -> float:
        mine = play.turn == 0
        best = -_FAR if mine else _FAR
        for card in reversed(numbers(_distinct(play))):
            after = play.copy(play.hands)
            after.step(card)
            found = self.difference(after, least, most)
            if mine:
                best = max(best, found)
                least = max(least, best)
            else:
                best = min(best, found)
                most = min(most, best)
            if least >= most:
                break
        return best


def _distinct(play: Play) -> int:
    """Return one copy of each legal card."""
    some, found = play.legal(), 0
    seen: set[Card] = set()
    for card in numbers(some):
        plain = play.pack.cards[card]
        if plain not in seen:
            seen.add(plain)
            found |= 1 << card
    return found


def handles(state: Any) -> bool:
    """Return whether a state belongs to a game with a stock."""
    return isinstance(getattr(state, "deal", None), Deal)
