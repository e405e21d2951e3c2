"""The play in games to 31: scores within a series, turns, and spoken and implied gos.

A series consists of the cards played since the count was last 0. A line may imply gos that nobody
said, unless the known cards rule them out. Sources: docs/rules/cribbage.md 4, docs/rules/noddy.md
4, docs/rules/costly-colours.md 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from operator import itemgetter
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, TypeVar

from boardctl.games import Ask, Award, IllegalMove, Move, because, new, put
from boardctl.games.cards import CARDS, Card, Rank
from boardctl.games.common.known_cards import (
    BIT,
    Cards,
    DealExtra,
    Phase,
    RaceDeal,
    check,
    with_rank,
)

Value = TypeVar("Value")
THIRTY_ONE: Final = 31
VALUE: Final[dict[Rank | None, int]] = {rank: min(rank, 10) for rank in Rank}
"""The value of each rank in the count: an ace is 1, and court cards are 10."""
MUST_PLAY: Final = THIRTY_ONE - 10
"""The highest count at which every card can be played, so that nobody may say go."""
FIFTEEN: Final = 15
ALIKE: Final = {2: ("pair", 2), 3: ("pair-royal", 6), 4: ("double-pair-royal", 12)}
"""The reason and the points for two to four cards of one rank in a row."""


def alike(series: Sequence[Card]) -> int:
    """Return the number of equal ranks at the end of these cards."""
    number = 0
    for card in reversed(series):
        if card.rank != series[-1].rank:
            break
        number += 1
    return number


def run(series: Sequence[Card]) -> int:
    """Return the largest n such that the last n cards are n consecutive ranks, or 0 if n is below
    3."""
    ranks = longest = 0
    for number, (rank, _, _) in enumerate(reversed(series), 1):
        bit = 1 << (rank or 0)
        if ranks & bit:
            break
        ranks |= bit
        # Adding the lowest bit to the bits of consecutive ranks carries past the highest bit.
        if number > 2 and not ranks + (ranks & -ranks) & ranks:
            longest = number
    return longest


def flush(series: Sequence[Card]) -> int:
    """Return the largest n such that the last n cards are of one known suit, or 0 if n is below
    3."""
    number = 0
    for card in reversed(series):
        if card.suit is None or card.suit != series[-1].suit:
            break
        number += 1
    return number if number >= 3 else 0


class Item(NamedTuple):
    """A scoring combination of cards."""

    reason: str
    """The code of an award."""
    cards: tuple[Card, ...]
    points: int


class Pick(Protocol):
    """A function that picks the cards, or objects standing for cards, at fixed positions."""

    def __call__(self, cards: Sequence[Value], /) -> tuple[Value, ...]: ...
    def __hash__(self) -> int: ...


@cache
def _pick(*places: int) -> Pick:
    """Return a function that picks the cards at two or more positions."""
    pick: Pick = itemgetter(*places)
    return pick


@cache
def _scoring(reason: str, pick: Pick, points: int) -> tuple[str, Pick, int]:
    """Return one shared tuple object for all sets of ranks with the same score, because only a few
    distinct tuples exist."""
    return reason, pick, points


_SUBSETS: Final = {
    cards: tuple(
        _pick(*places)
        for size in range(2, cards + 1)
        for places in combinations(range(cards), size)
    )
    for cards in (4, 5)
}
"""All subsets of two or more cards, smaller subsets first, by number of cards."""


@cache
def rank_items(*ranks: Rank) -> tuple[tuple[tuple[str, Pick, int], ...], bool]:
    """Return the fifteens, pairs and runs in a set of ascending ranks, and whether it includes a
    jack. Each combination is paired with the function that picks its cards.

    There are 6,188 multisets of five ranks, so the cache stays small.
    """
    if None in ranks:
        raise ValueError("?")
    values = [min(rank, 10) for rank in ranks]
    items = [
        _scoring("fifteen", pick, 2)
        for pick in _SUBSETS[len(ranks)]
        if sum(pick(values)) == FIFTEEN
    ]
    places: dict[int, list[int]] = {}
    for place, rank in enumerate(ranks):
        places.setdefault(rank, []).append(place)
    for alike in places.values():
        if len(alike) in ALIKE:
            reason, points = ALIKE[len(alike)]
            items.append(_scoring(reason, _pick(*alike), points))
    run = _longest_run(sorted(places))
    if len(run) >= 3:
        ways = product(*map(places.__getitem__, run))
        items += (_scoring("run", _pick(*some), len(run)) for some in ways)
    return tuple(items), Rank.JACK in ranks


def _longest_run(ranks: Sequence[int]) -> Sequence[int]:
    """Return the longest sequence of consecutive ranks among these distinct ranks in ascending
    order."""
    longest: Sequence[int] = ()
    start = 0
    for end in range(1, len(ranks) + 1):
        if end == len(ranks) or ranks[end] != ranks[end - 1] + 1:
            longest = max(longest, ranks[start:end], key=len)
            start = end
    return longest


def turned_jack(hand: Sequence[Card], starter: Card) -> Card:
    """Return the jack of the starter's suit in a hand. If no suit was entered for the jack, return
    it without one."""
    jacks = [card for card in hand if card.rank is Rank.JACK]
    same = [card for card in jacks if card.suit is not None and card.suit is starter.suit]
    return (same or [card for card in jacks if card.suit is None] or jacks)[0]


class PlayScores(NamedTuple):
    """The scores of a game for the last played card."""

    counts: Mapping[int, str]
    """The counts that score, each with its reason. They are named before the other points of the
    cards."""
    count_points: int | None
    """The points for such a count, or None for one point for each card of the series."""
    alike: Mapping[int, tuple[str, int]]
    """The reason and the points, by the number of cards of one rank in a row."""
    runs: bool = True
    flushes: bool = False
    last_counts: Mapping[int, str] = MappingProxyType({})
    """The counts that score and are named after the other points."""

    def items(self, series: Sequence[Card], total: int) -> tuple[Item, ...]:
        """Return the combinations that the last card of a series scores. `total` is the count."""
        if len(series) < 2:
            return ()
        items: list[Item] = []
        if total in self.counts:
            items.append(self._count(self.counts[total], series))
        if series[-1].rank == series[-2].rank:
            same = alike(series)
            if same in self.alike:
                reason, points = self.alike[same]
                items.append(Item(reason, tuple(series[-same:]), points))
        elif self.runs:
            length = run(series)
            if length:
                items.append(Item("run", tuple(series[-length:]), length))
        if self.flushes:
            length = flush(series)
            if length:
                items.append(Item("flush", tuple(series[-length:]), length))
        if total in self.last_counts:
            items.append(self._count(self.last_counts[total], series))
        return tuple(items)

    def _count(self, reason: str, series: Sequence[Card]) -> Item:
        points = len(series) if self.count_points is None else self.count_points
        return Item(reason, tuple(series), points)


_LOW: Final = tuple(sum(BIT[c] for c in CARDS if VALUE[c.rank] <= n) for n in range(32))
"""The bits of the cards whose value is at most n, by n."""
_PHASE: Final = RaceDeal._fields.index("phase")
_PLAYED: Final = RaceDeal._fields.index("played")
_TO_PLAY: Final = RaceDeal._fields.index("to_play")


def can_surely_play(deal: RaceDeal[DealExtra], seat: int) -> bool:
    """Return whether a seat is known to hold a card that may be played."""
    place, most = seat - 1, THIRTY_ONE - deal.total
    if not deal.holds(seat):
        return False
    if most >= 10:
        return True
    if deal.fully_known:
        held = deal.hand_bits[place]
        discards = held.bit_count() - deal.keep + len(deal.played[place])
        return (held & _LOW[most]).bit_count() > discards
    discards = deal.size - deal.keep - len(with_rank(deal.discarded[place]))
    return sum(VALUE[card.rank] <= most for card in deal.certain(seat)) > discards


def leader(deal: RaceDeal[DealExtra]) -> int:
    """Return the seat that leads the next series, or 0 if no seat has cards. It is the first seat
    with cards, clockwise after the player of the last card."""
    return next_to_play(deal.played, 0, deal.keep, deal.last)


def playable(deal: RaceDeal[DealExtra], seat: int) -> Cards:
    """Return the cards that a seat may play now: the cards of its hand, and also every unseen card
    if the hand is not fully known."""
    most = THIRTY_ONE - deal.total
    if deal.fully_known:
        mask = deal.hand_bits[seat - 1] & _LOW[most]
        return tuple(card for card in deal.hands[seat - 1] if BIT[card] & mask)
    return tuple(card for card in deal.possible(seat) if VALUE[card.rank] <= most)


def next_to_play(played: tuple[Cards, ...], passed: int, keep: int, seat: int) -> int:
    """Return the next seat clockwise that has cards and has not said go, or 0 if there is no such
    seat. The given seat comes last. `played`, `passed` and `keep` are the fields of `RaceDeal`."""
    for _ in played:
        seat = seat % len(played) + 1
        if len(played[seat - 1]) < keep and not passed >> seat & 1:
            return seat
    return 0


def waiting(deal: RaceDeal[DealExtra], until: int) -> tuple[int, ...]:
    """Return the seats that must act before seat `until`, or all waiting seats if `until` is 0."""
    seats = []
    seat = deal.to_play
    for _ in range(deal.seats):
        if seat == until:
            break
        if deal.holds(seat) and not deal.passed >> seat & 1:
            seats.append(seat)
        seat = seat % deal.seats + 1
    return tuple(seats)


def passing(deal: RaceDeal[DealExtra], seats: tuple[int, ...]) -> RaceDeal[DealExtra] | None:
    """Return the deal after these seats have said go in turn, or None if a known card rules out one
    of these gos."""
    passed, to_play = deal.passed, deal.to_play
    for seat in seats:
        if can_surely_play(deal, seat):
            return None
        passed |= 1 << seat
    if seats:
        to_play = next_to_play(deal.played, passed, deal.keep, seats[-1])
    after: RaceDeal[DealExtra] = new(RaceDeal, (*deal[:_TO_PLAY], to_play, passed))
    if deal.fully_known:
        return after
    most = THIRTY_ONE - deal.total  # cards that their hands can no longer contain
    floors = enumerate(deal.floors, 1)
    known = tuple(max(floor, most) if at in seats else floor for at, floor in floors)
    return after._replace(floors=known)


def go(deal: RaceDeal[DealExtra], seat: int) -> RaceDeal[DealExtra]:
    """Say go: `N go`. The line implies gos for the seats whose turns come earlier. `to_play`
    becomes 0 if nobody can play.

    Raises:
        IllegalMove: `can-play`, with the seat that can certainly play.
    """
    if not deal.holds(seat) or deal.passed >> seat & 1:
        return deal
    seats = (*waiting(deal, seat), seat)
    after = passing(deal, seats)
    if after is None:
        able = next(s for s in seats if can_surely_play(deal, s))
        raise IllegalMove("can-play", seat=able, count=deal.total)
    return after


def everybody_passed(deal: RaceDeal[DealExtra]) -> RaceDeal[DealExtra] | None:
    """Return the deal after unsaid gos have ended its series, or None if known cards rule these gos
    out."""
    return passing(deal, waiting(deal, 0))


def end_series(
    deal: RaceDeal[DealExtra], leader: int, phase: Phase | None = None, counted: int | None = None
) -> RaceDeal[DealExtra]:
    """Return the deal at the start of its next series or, if the leader is 0, after its play.

    Args:
        deal: the deal.
        leader: the seat that leads the next series, or 0.
        phase: the new phase, or None if the phase has not changed.
        counted: the number of counted hands, or None if it has not changed.
    """
    now = phase or deal.phase, deal.counted if counted is None else counted
    play = (deal.played, deal.hand_bits, (), 0, deal.last, leader, 0)
    return new(RaceDeal, (*deal[:_PHASE], *now, *play))


def make_way(
    deal: RaceDeal[DealExtra], seat: int, card: Card, *, more_series: bool, own_go: bool
) -> tuple[RaceDeal[DealExtra], bool]:
    """Return the deal after the gos implied by playing this card, and whether these gos ended a
    series.

    Args:
        deal: the deal.
        seat: the seat that plays the card.
        card: the card.
        more_series: whether another series may follow.
        own_go: whether a seat whose hand is known must say its own go.

    Raises:
        IllegalMove: `card-unknown`, `no-cards-left`, `over-31` or `not-your-turn`.
    """
    rank = card.rank
    if rank is None:
        raise IllegalMove("card-unknown", card=card)
    if not deal.holds(seat):
        raise IllegalMove("no-cards-left", seat=seat)
    fits = deal.total + VALUE[rank] <= THIRTY_ONE
    if fits and seat == deal.to_play:
        return deal, False
    if fits and not deal.passed >> seat & 1:
        passed = passing(deal, waiting(deal, seat))
        if passed is None:
            raise IllegalMove("not-your-turn", seat=seat, turn=deal.to_play)
        return passed, False
    if more_series and _may_lead(deal, seat, own_go=own_go):
        ended = everybody_passed(deal)
        if ended is not None:
            return end_series(ended, seat), True
    if fits or seat != deal.to_play:
        raise IllegalMove("not-your-turn", seat=seat, turn=deal.to_play)
    raise IllegalMove("over-31", seat=seat, card=card, count=deal.total)


def _may_lead(deal: RaceDeal[DealExtra], seat: int, *, own_go: bool) -> bool:
    """Return whether a seat may lead the next series if unsaid gos end this series. A seat that
    must say its own go may not lead."""
    must_say = own_go and seat == deal.to_play and not deal.room(seat)
    return bool(deal.series) and leader(deal) == seat and not must_say


def lay(deal: RaceDeal[DealExtra], seat: int, card: Card) -> tuple[RaceDeal[DealExtra], Card, bool]:
    """Return the deal after a card has been played, the card with all that is now known about it,
    and whether it contradicts an earlier go.

    A card entered by rank gets its suit if the hand is known to contain exactly one card of that
    rank.

    Raises:
        IllegalMove: `not-held`, or a code of `check`.
    """
    if deal.fully_known:
        bit = BIT.get(card, 0)
        if bit & deal.hand_bits[seat - 1]:
            return _lay(deal, seat, card, bit), card, False
        deal, card, bit = _take(deal, seat, card)
        after = _lay(deal, seat, card, bit)
    else:
        if deal.keep == deal.size:
            card = _named(deal, seat, card)
        whole = card.suit is None and not deal.room(seat)
        if whole and not any(map(card.matches, deal.certain(seat))):
            raise _not_held(deal, seat, card)
        after = _lay(deal, seat, card, 0)
        check(after)
    belied = VALUE[card.rank] <= deal.floors[seat - 1]
    if belied:
        after = after._replace(floors=put(after.floors, seat, 0))
    return after, card, belied


def awarded(seat: int, items: Iterable[Item]) -> tuple[Award, ...]:
    """Return the awards to a seat for these combinations."""
    return tuple([Award(seat, points, reason, cards) for reason, cards, points in items])


def _lay(deal: RaceDeal[DealExtra], seat: int, card: Card, bit: int) -> RaceDeal[DealExtra]:
    """Return the deal after a card has been played. `bit` is the bit of the card in a fully known
    hand."""
    played = put(deal.played, seat, (*deal.played[seat - 1], card))
    held = put(deal.hand_bits, seat, deal.hand_bits[seat - 1] & ~bit)
    total, passed = deal.total + VALUE[card.rank], deal.passed
    to_play = next_to_play(played, passed, deal.keep, seat) if total < THIRTY_ONE else 0
    series = (*deal.series, card)
    return new(RaceDeal, (*deal[:_PLAYED], played, held, series, total, seat, to_play, passed))


def _not_held(deal: RaceDeal[DealExtra], seat: int, card: Card) -> IllegalMove:
    """Return the error for a card that is not in a fully known hand: it was played, discarded or
    never dealt to the seat."""
    gone = ("played", deal.played), ("discarded", deal.discarded)
    place = seat - 1
    where = (why for why, cards in gone if any(map(card.matches, with_rank(cards[place]))))
    why = because(next(where, None))
    return IllegalMove("not-held", seat=seat, cards=(card,), held=deal.hands[place], **why)


def _take(
    deal: RaceDeal[DealExtra], seat: int, card: Card
) -> tuple[RaceDeal[DealExtra], Card, int]:
    """From a fully known hand, take a card that was entered by rank. Return the deal, the card and
    its bit. The card has no suit if the hand contains several cards of that rank. Raises
    IllegalMove (`not-held`) if the hand contains no such card."""
    hand, held = deal.hands[seat - 1], deal.hand_bits[seat - 1]
    alike = [c for c in hand if card.suit is None and c.rank == card.rank and BIT[c] & held]
    if not alike:
        raise _not_held(deal, seat, card)
    if len(alike) > 1:
        return deal._replace(fully_known=False), card, 0
    return deal, alike[0], BIT[alike[0]]


def _named(deal: RaceDeal[DealExtra], seat: int, card: Card) -> Card:
    """Return a card played from a hand without discards, with its suit if the suit can be inferred.
    Raises IllegalMove `not-held` if the seat has already played the card."""
    held = deal.certain(seat)
    if card.suit is not None:
        if card in deal.played[seat - 1]:
            raise IllegalMove("not-held", seat=seat, cards=(card,), held=held, why="played")
        return card
    same = [c for c in held if c.rank == card.rank]
    return same[0] if len(same) == 1 and not deal.room(seat) else card


def card_asks(deal: RaceDeal[DealExtra]) -> tuple[Ask, ...]:
    """Return the entries for the next card of the play, or for a go."""
    seat = deal.to_play
    if not seat:
        return ()
    fields = {"count": deal.total}
    asks = []
    cards = playable(deal, seat)
    if cards:
        play = Move("play", seat)
        asks.append(
            Ask("play", "cards", play, "cards", 1, 1, ranks=True, cards=cards, fields=fields)
        )
    if not can_surely_play(deal, seat):
        asks.append(Ask("go", "confirm", Move("go", seat), "cards", fields=fields))
    return tuple(asks)
