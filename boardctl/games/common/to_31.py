"""The play of games that count to 31: whose turn it is, gos said and implied, the series.

A series is the cards played since the count was last 0. A line may presuppose gos that nobody said;
they are implied unless the known cards rule them out. Sources: docs/rules/noddy.md 4,
docs/rules/costly-colours.md 4, docs/rules/cribbage.md 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from boardctl.games import IllegalMove, because
from boardctl.games.cards import Card, Rank
from boardctl.games.common import known_cards
from boardctl.games.common.known_cards import Cards
from boardctl.games.table_rules import put

THIRTY_ONE: Final = 31
VALUE: Final[dict[Rank | None, int]] = {rank: min(rank, 10) for rank in Rank}
"""What each rank counts: ace 1, court cards 10."""
MUST_PLAY: Final = THIRTY_ONE - 10
"""Up to this count every card can be played, so nobody may say go."""


def count(series: Sequence[Card]) -> int:
    """The running count of a series."""
    return sum(VALUE[card.rank] for card in series)


def alike(series: Sequence[Card]) -> int:
    """How many of the last cards are of one rank, with no other in between."""
    number = 0
    for card in reversed(series):
        if card.rank != series[-1].rank:
            break
        number += 1
    return number


def run(series: Sequence[Card]) -> int:
    """The greatest n of at least 3 such that the last n cards are n consecutive ranks, else 0."""
    ranks = longest = 0
    for number, (rank, _, _) in enumerate(reversed(series), 1):
        bit = 1 << (rank or 0)
        if ranks & bit:
            break
        ranks |= bit
        # Adding the lowest bit to consecutive ranks' bits carries past the highest of them.
        if number > 2 and not ranks + (ranks & -ranks) & ranks:
            longest = number
    return longest


def flush(series: Sequence[Card]) -> int:
    """The greatest n of at least 3 such that the last n cards are of one known suit, else 0."""
    number = 0
    for card in reversed(series):
        if card.suit is None or card.suit != series[-1].suit:
            break
        number += 1
    return number if number >= 3 else 0


class Item(NamedTuple):
    """One scoring combination; `reason` is the code of an award."""

    reason: str
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class PlayScores:
    """What a game scores for the card last played."""

    counts: Mapping[int, str]
    """The counts that score, each with its reason."""
    count_points: int | None
    """What they score; None for a point for each card of the series."""
    alike: Mapping[int, tuple[str, int]]
    """Reason and points for so many cards of one rank in a row."""
    runs: bool = True
    flushes: bool = False

    def items(self, series: Sequence[Card]) -> tuple[Item, ...]:
        """What the last card of a series earns."""
        if len(series) < 2:
            return ()
        cards = tuple(series)
        items = []
        reason = self.counts.get(count(series))
        if reason is not None:
            points = len(cards) if self.count_points is None else self.count_points
            items.append(Item(reason, cards, points))
        same = alike(series)
        if same in self.alike:
            reason, points = self.alike[same]
            items.append(Item(reason, cards[-same:], points))
        in_a_row = run(series) if self.runs else 0
        if in_a_row:
            items.append(Item("run", cards[-in_a_row:], in_a_row))
        suited = flush(series) if self.flushes else 0
        if suited:
            items.append(Item("flush", cards[-suited:], suited))
        return tuple(items)


@dataclass(frozen=True, slots=True)
class Table:
    """The cards of a deal and its play; tuples are by seat, seat 1 first.

    size: cards in a hand. hands: the cards entered for each, without `?`. played: the cards each
    has played. aside: known cards that are in no hand. due: the seat to play, 0 outside the play.
    series, last: the cards since the count was 0, and the seat that played the latest. passed: the
    seats that said go in this series. floors: every card that a seat still holds counts more than
    this, as shown by its gos.
    """

    size: int
    hands: tuple[Cards, ...]
    played: tuple[Cards, ...]
    aside: Cards = ()
    due: int = 0
    series: Cards = ()
    last: int = 0
    passed: frozenset[int] = frozenset()
    floors: tuple[int, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def total(self) -> int:
        return count(self.series)

    @property
    def begun(self) -> bool:
        """Whether a card has been played."""
        return any(self.played)

    @property
    def seen(self) -> Cards:
        """Every card entered in the deal."""
        hands = zip(self.hands, self.played, strict=True)
        return (*(card for pair in hands for card in known_cards.merge(*pair)), *self.aside)

    def holds(self, seat: int) -> bool:
        """Whether a seat still has cards to play."""
        return len(self.played[seat - 1]) < self.size

    def known(self, seat: int) -> Cards:
        """The known cards of a hand, including cards already played."""
        return known_cards.merge(self.played[seat - 1], self.hands[seat - 1])

    def own(self, seat: int) -> Cards:
        """The same in the order of the hand."""
        return known_cards.merge(self.hands[seat - 1], self.played[seat - 1])

    def certain(self, seat: int) -> Cards:
        """The cards that a seat is known to hold still."""
        return known_cards.without(self.hands[seat - 1], self.played[seat - 1])

    def room(self, seat: int) -> int:
        """How many cards of a hand have not been entered in any form."""
        return self.size - len(self.known(seat))

    def can_surely_play(self, seat: int) -> bool:
        """Whether a seat is known to hold a card that may be played."""
        if not self.holds(seat):
            return False
        most = THIRTY_ONE - self.total
        return most >= 10 or any(VALUE[card.rank] <= most for card in self.certain(seat))

    def next(self, seat: int) -> int:
        """The next seat clockwise that has cards and has not said go, the seat itself last; 0 if
        there is none."""
        for step in range(self.seats):
            other = (seat + step) % self.seats + 1
            if self.holds(other) and other not in self.passed:
                return other
        return 0

    def leader(self) -> int:
        """The seat to lead the next series: the next after the last card's that has cards."""
        return replace(self, passed=frozenset()).next(self.last)

    def playable(self, seat: int) -> Cards:
        """The cards that could now be entered as played by a seat."""
        most = THIRTY_ONE - self.total
        cards = self.certain(seat)
        if self.room(seat):
            cards += known_cards.unseen(self.seen)
        return tuple(card for card in dict.fromkeys(cards) if VALUE[card.rank] <= most)


def opened(seats: int, size: int) -> Table:
    """A new deal about which nothing is known."""
    none: tuple[Cards, ...] = ((),) * seats
    return Table(size, none, none, floors=(0,) * seats)


def check(table: Table) -> None:
    """Check the cards against a pack of 52.

    Raises:
        IllegalMove: `card-twice`, `too-many-of-rank`, `not-held` with the seat whose hand it is.
    """
    for seat in range(1, table.seats + 1):
        hand, played = table.hands[seat - 1], table.played[seat - 1]
        known_cards.twice(played)
        known_cards.twice(hand)
        if len(known_cards.merge(hand, played)) > table.size:
            why = None if hand else "full"
            raise IllegalMove("not-held", seat=seat, cards=played, held=hand, **because(why))
    known_cards.twice(table.seen)


def enter_hand(table: Table, seat: int, cards: Cards) -> Table:
    """`N hand CARD…`: cards dealt to a seat, in any number of lines.

    Raises:
        IllegalMove: `hand-too-long`; any error of `check`.
    """
    before = table.hands[seat - 1]
    if len(before) + len(cards) > table.size:
        raise IllegalMove(
            "hand-too-long", seat=seat, told=len(before), said=len(cards), allowed=table.size
        )
    hand = (*before, *known_cards.with_rank(cards))
    after = replace(table, hands=put(table.hands, seat, hand))
    check(after)
    return after


def turn(table: Table, card: Card) -> Table:
    """`starter CARD`. Raises IllegalMove `card-unknown` and the errors of `check`."""
    if card.rank is None:
        raise IllegalMove("card-unknown", card=card)
    after = replace(table, aside=(*table.aside, card))
    check(after)
    return after


def waiting(table: Table, until: int) -> tuple[int, ...]:
    """The seats due before `until`; all of them if `until` is 0."""
    seats = []
    seat = table.due
    for _ in range(table.seats):
        if seat == until:
            break
        if table.holds(seat) and seat not in table.passed:
            seats.append(seat)
        seat = seat % table.seats + 1
    return tuple(seats)


def passing(table: Table, seats: tuple[int, ...]) -> Table | None:
    """The table after these seats have passed in turn; None if a known card rules one of them
    out."""
    most = THIRTY_ONE - table.total
    if any(table.can_surely_play(seat) for seat in seats):
        return None
    floors = tuple(
        max(floor, most) if at in seats else floor for at, floor in enumerate(table.floors, 1)
    )
    after = replace(table, passed=table.passed | set(seats), floors=floors)
    return replace(after, due=after.next(seats[-1]) if seats else table.due)


def go(table: Table, seat: int) -> Table:
    """`N go`, which implies the gos of the seats due before it; `due` becomes 0 if nobody can go
    on.

    Raises:
        IllegalMove: `can-play` with the seat that could, or must be able to.
    """
    if not table.holds(seat) or seat in table.passed:
        return table
    seats = (*waiting(table, seat), seat)
    after = passing(table, seats)
    if after is None:
        able = next(s for s in seats if table.can_surely_play(s))
        raise IllegalMove("can-play", seat=able, count=table.total)
    return after


def everybody_passed(table: Table) -> Table | None:
    """The table with its series ended by gos that nobody said; None if a known card rules them
    out."""
    return passing(table, waiting(table, 0))


def make_way(table: Table, seat: int, card: Card, *, more_series: bool) -> tuple[Table, bool]:
    """The table ready for this card, after the gos that it implies, and whether they ended the
    previous series.

    Args:
        more_series: whether another series may follow.

    Raises:
        IllegalMove: `not-in-play`, `card-unknown`, `no-cards-left`, `over-31`, `not-your-turn`.
    """
    if not table.due:
        raise IllegalMove("not-in-play", verb="play", phase="play", why="points")
    if card.rank is None:
        raise IllegalMove("card-unknown", card=card)
    if not table.holds(seat):
        raise IllegalMove("no-cards-left", seat=seat)
    fits = table.total + VALUE[card.rank] <= THIRTY_ONE
    if fits and seat == table.due:
        return table, False
    if fits and seat not in table.passed:
        after = passing(table, waiting(table, seat))
        if after is None or after.due != seat:
            raise IllegalMove("not-your-turn", seat=seat, turn=table.due)
        return after, False
    certain = seat == table.due and not table.room(seat)  # whose hand is known, says its go
    if more_series and table.series and table.leader() == seat and not certain:
        after = everybody_passed(table)
        if after is not None:
            return replace(after, series=(), passed=frozenset(), due=seat), True
    if seat == table.due:
        raise IllegalMove("over-31", seat=seat, card=card, count=table.total)
    raise IllegalMove("not-your-turn", seat=seat, turn=table.due)


def lay(table: Table, seat: int, card: Card) -> tuple[Table, Card, bool]:
    """The table with the card played, the card as it is now known, and whether it contradicts an
    earlier go.

    A card entered by rank is the one of that rank if the hand is known to hold just one.

    Raises:
        IllegalMove: `not-held` and any error of `check`.
    """
    held = table.certain(seat)
    if card.suit is None:
        same = [c for c in held if c.rank == card.rank]
        if len(same) == 1 and not table.room(seat):
            card = same[0]
    played = put(table.played, seat, (*table.played[seat - 1], card))
    after = replace(table, played=played, series=(*table.series, card), last=seat)
    if card.suit is not None and card in table.played[seat - 1]:
        raise IllegalMove("not-held", seat=seat, cards=(card,), held=held, why="played")
    check(after)
    belied = VALUE[card.rank] <= table.floors[seat - 1]
    if belied:
        floors = tuple(0 if at == seat else f for at, f in enumerate(table.floors, 1))
        after = replace(after, floors=floors)
    due = after.next(seat) if after.total < THIRTY_ONE else 0
    return replace(after, due=due), card, belied
