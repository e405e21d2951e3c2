"""The play of games that count to 31: what is known of the cards, whose turn it is, gos said and
implied, the series.

Cards may be known fully, by rank, or not at all, from several entries: a hand as dealt, discards,
plays, a hand as shown. A line may presuppose gos that nobody said; they are implied unless the
known cards rule them out. Sources: docs/rules/cribbage.md 3 and 4, docs/rules/noddy.md 4,
docs/rules/costly-colours.md 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from boardctl.games import Ask, Award, IllegalMove, Move, Note, because, put
from boardctl.games.cards import CARDS, Card
from boardctl.games.common import known_cards
from boardctl.games.common.known_cards import Cards, merge, twice, with_rank, without
from boardctl.games.common.series import THIRTY_ONE, VALUE, Item

BIT: Final = {card: 1 << place for place, card in enumerate(CARDS)}
"""The bit of a known card in a set of cards kept as an integer."""
_LOW: Final = tuple(sum(BIT[c] for c in CARDS if VALUE[c.rank] <= n) for n in range(32))
"""_LOW[n]: the cards that count n or less."""


class Table(NamedTuple):
    """The cards of a deal and the progress of its play; tuples are by seat, seat 1 first."""

    size: int
    """The number of cards dealt to a hand."""
    keep: int
    """The number of them that are played; the others are discarded."""
    shown: tuple[Cards, ...]
    """The hands as counted, empty until then, where these are not all cards dealt."""
    floors: tuple[int, ...]
    """Every card that a seat still holds counts more than this, as shown by its gos."""
    exact: bool
    """Whether every card so far was entered by rank and suit, so that `seen` has them all; kept
    only where cards are discarded, for the speed of a long game."""
    # Entered before the play.
    hands: tuple[Cards, ...]
    """The cards entered for each as dealt."""
    discarded: tuple[Cards, ...]
    out: Cards
    """Cards entered that are in no hand."""
    seen: int
    """Every card of the deal as bits, if `exact`."""
    fully_known: bool
    """Whether every hand is known card by card, so that `held` has them all."""
    # Changed by every card of the play.
    played: tuple[Cards, ...]
    held: tuple[int, ...]
    """The cards in hand that could still be played, as bits, if `fully_known`."""
    series: Cards
    """The cards since the count was 0."""
    total: int
    """What they count."""
    last: int
    """The seat that played the latest card of the play, 0 if none has."""
    due: int
    """The seat to play, 0 outside the play."""
    passed: int
    """The seats that said go in this series; bit n is seat n."""

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def begun(self) -> bool:
        """Whether a card has been played."""
        return any(self.played)

    @property
    def entered(self) -> Cards:
        """Every card entered in the deal."""
        cards: list[Card] = []
        for hand, played, shown, discarded in zip(
            self.hands, self.played, self.shown, self.discarded, strict=True
        ):
            cards += merge(with_rank(hand), (*merge(played, shown), *with_rank(discarded)))
        return (*cards, *with_rank(self.out))

    @property
    def unseen(self) -> Cards:
        """The cards of the pack that could still be entered as new."""
        if self.fully_known:
            return tuple(card for card in CARDS if not BIT[card] & self.seen)
        return known_cards.unseen(self.entered)

    def holds(self, seat: int) -> bool:
        """Whether a seat still has cards to play."""
        return len(self.played[seat - 1]) < self.keep

    def known(self, seat: int) -> Cards:
        """The known cards of a hand, including cards already played."""
        return merge(self.played[seat - 1], self.hands[seat - 1])

    def own(self, seat: int) -> Cards:
        """The same in the order of the hand."""
        return merge(self.hands[seat - 1], self.played[seat - 1])

    def certain(self, seat: int) -> Cards:
        """The cards that a seat was dealt and has neither played nor openly discarded: each is
        still in the hand, or among the discards that were not entered."""
        place = seat - 1
        used = (*with_rank(self.discarded[place]), *self.played[place])
        return without(with_rank(self.hands[place]), used)

    def room(self, seat: int) -> int:
        """How many cards of a hand have not been entered in any form."""
        place = seat - 1
        used = (*self.played[place], *with_rank(self.discarded[place]))
        return self.size - len(merge(with_rank(self.hands[place]), used))

    def possible(self, seat: int) -> Cards:
        """The distinct cards that a seat may still hold: the certain ones, and all unseen ones if a
        card of its hand has not been entered."""
        cards = self.certain(seat)
        return tuple(dict.fromkeys((*cards, *self.unseen) if self.room(seat) else cards))

    def can_surely_play(self, seat: int) -> bool:
        """Whether a seat is known to hold a card that may be played."""
        place, most = seat - 1, THIRTY_ONE - self.total
        if not self.holds(seat):
            return False
        if most >= 10:
            return True
        if self.fully_known:
            held = self.held[place]
            discards = held.bit_count() - self.keep + len(self.played[place])
            return (held & _LOW[most]).bit_count() > discards
        discards = self.size - self.keep - len(with_rank(self.discarded[place]))
        return sum(VALUE[card.rank] <= most for card in self.certain(seat)) > discards

    def leader(self) -> int:
        """The seat to lead the next series: the next clockwise from the last card's that has cards;
        0 if there is none."""
        return next_to_play(self.played, 0, self.keep, self.last)

    def playable(self, seat: int) -> Cards:
        """The cards that could now be entered as played by a seat: those of its hand if known,
        otherwise also every unseen card."""
        most = THIRTY_ONE - self.total
        if self.fully_known:
            mask = self.held[seat - 1] & _LOW[most]
            return tuple(card for card in self.hands[seat - 1] if BIT[card] & mask)
        return tuple(card for card in self.possible(seat) if VALUE[card.rank] <= most)


# Most lines of a game come through the next two functions, which leave the first fields as they
# are: by `_replace` a game of cribbage takes a sixth longer (docs/performance.md).
_TABLE: Final[Callable[[type[Table], tuple[Any, ...]], Table]] = tuple.__new__
_HANDS: Final = Table._fields.index("hands")
_PLAYED: Final = Table._fields.index("played")


def _dealt(
    table: Table,
    hands: tuple[Cards, ...],
    discarded: tuple[Cards, ...],
    out: Cards,
    seen: int,
    fully_known: bool,
    held: tuple[int, ...],
    due: int = 0,
) -> Table:
    """The table after cards were entered before the play."""
    entered = (hands, discarded, out, seen, fully_known, table.played, held, (), 0, 0, due, 0)
    return _TABLE(Table, (*table[:_HANDS], *entered))


def _played_on(
    table: Table,
    played: tuple[Cards, ...],
    held: tuple[int, ...],
    series: Cards,
    total: int,
    last: int,
    due: int,
    passed: int,
) -> Table:
    """The table after a line of the play."""
    return _TABLE(Table, (*table[:_PLAYED], played, held, series, total, last, due, passed))


@cache
def opened(seats: int, size: int, discards: int = 0) -> Table:
    """A new deal about which nothing is known.

    Args:
        size: the number of cards dealt to a hand.
        discards: how many of them are laid away before the play.
    """
    none: tuple[Cards, ...] = ((),) * seats
    zeros = (0,) * seats
    exact = discards > 0
    before = (size, size - discards, none, zeros, exact, none, none, (), 0, False)
    return Table._make((*before, none, zeros, (), 0, 0, 0, 0))


def check(table: Table, more: Sequence[Card] = ()) -> None:
    """Check the cards, and `more` that are in no hand, against a pack of 52.

    Raises:
        IllegalMove: `card-twice`, `too-many-of-rank`, `not-held` with the seat whose hand it is.
    """
    everything = [*more]
    for seat, entered in enumerate(table.hands, 1):
        hand = with_rank(entered)
        on_show = merge(table.played[seat - 1], table.shown[seat - 1])
        used = (*on_show, *with_rank(table.discarded[seat - 1]))
        twice(used)
        twice(hand)
        held = merge(hand, used)
        if len(held) > table.size or len(on_show) > table.keep:
            why = None if hand else "full"
            raise IllegalMove("not-held", seat=seat, cards=used, held=hand, **because(why))
        everything += held
    twice((*everything, *table.out))


def _checked(table: Table) -> Table:
    """The table once its cards are checked against the pack, with its bits found anew."""
    check(table)
    if table.keep == table.size:
        return table
    cards = [card for hand in table.hands for card in hand]
    discarded = [card for some in table.discarded for card in some]
    if (
        len(cards) < table.size * table.seats
        or not all(card in BIT for card in (*cards, *table.out))
        or not all(card in BIT or card.rank is None for card in discarded)
    ):
        return table._replace(fully_known=False, exact=False)
    held = tuple(
        sum([BIT[card] for card in hand if card not in discarded])
        for hand, discarded in zip(table.hands, table.discarded, strict=True)
    )
    seen = sum([BIT[card] for card in (*cards, *table.out)])
    return table._replace(fully_known=True, exact=True, held=held, seen=seen)


def _bits(table: Table, cards: Cards) -> int:
    """Newly seen known cards as bits, if every card of the deal is fully known; otherwise 0, and
    the table needs the full check."""
    if not table.exact:
        return 0
    try:
        bits = sum([BIT[card] for card in cards])
    except KeyError:
        return 0
    return bits if bits.bit_count() == len(cards) and not bits & table.seen else 0


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
    if table.keep == table.size:
        cards = with_rank(cards)
    hands = put(table.hands, seat, (*before, *cards))
    bits = _bits(table, cards)
    if not bits:
        return _checked(table._replace(hands=hands))
    held = put(table.held, seat, table.held[seat - 1] | bits)
    fully_known = sum(map(len, hands)) == table.size * table.seats
    seen = table.seen | bits
    return _dealt(table, hands, table.discarded, table.out, seen, fully_known, held)


def discard(table: Table, seat: int, cards: Cards) -> Table:
    """`N discard CARD…`: cards that a seat lays away before the play.

    Raises:
        IllegalMove: `wrong-number-of-cards`; any error of `check`.
    """
    discards = table.size - table.keep
    if len(cards) != discards:
        raise IllegalMove("wrong-number-of-cards", said=len(cards), allowed=discards)
    discarded = put(table.discarded, seat, cards)
    if table.fully_known:
        before = left = table.held[seat - 1]
        for card in cards:
            left &= ~BIT.get(card, 0)
        if before.bit_count() - left.bit_count() == discards:
            held = put(table.held, seat, left)
            return _dealt(table, table.hands, discarded, table.out, table.seen, True, held)
    return _checked(table._replace(discarded=discarded))


def lay_open(table: Table, card: Card, leader: int = 0) -> Table:
    """A card that is in no hand; then the `leader` is to play. Raises IllegalMove as `check`
    does."""
    out, bits = (*table.out, card), _bits(table, (card,))
    if not bits:
        return _checked(table._replace(out=out, due=leader))
    seen, known = table.seen | bits, table.fully_known
    return _dealt(table, table.hands, table.discarded, out, seen, known, table.held, leader)


def turn(table: Table, card: Card, leader: int = 0) -> Table:
    """`starter CARD`. Raises IllegalMove `card-unknown` and the errors of `check`."""
    if card.rank is None:
        raise IllegalMove("card-unknown", card=card)
    return lay_open(table, card, leader)


def next_to_play(played: tuple[Cards, ...], passed: int, keep: int, seat: int) -> int:
    """The next seat clockwise that has cards and has not said go, the seat itself last; 0 if there
    is none. `played`, `passed` (bit n is seat n) and `keep` are those of `Table`."""
    for _ in played:
        seat = seat % len(played) + 1
        if len(played[seat - 1]) < keep and not passed >> seat & 1:
            return seat
    return 0


def waiting(table: Table, until: int) -> tuple[int, ...]:
    """The seats due before `until`; all of them if `until` is 0."""
    seats = []
    seat = table.due
    for _ in range(table.seats):
        if seat == until:
            break
        if table.holds(seat) and not table.passed >> seat & 1:
            seats.append(seat)
        seat = seat % table.seats + 1
    return tuple(seats)


def passing(table: Table, seats: tuple[int, ...]) -> Table | None:
    """The table after these seats have passed in turn; None if a known card rules one of them
    out."""
    passed, due = table.passed, table.due
    for seat in seats:
        if table.can_surely_play(seat):
            return None
        passed |= 1 << seat
    if not table.fully_known:  # what their hands can no longer hold
        most = THIRTY_ONE - table.total
        floors = tuple(
            max(floor, most) if at in seats else floor for at, floor in enumerate(table.floors, 1)
        )
        table = table._replace(floors=floors)
    if seats:
        due = next_to_play(table.played, passed, table.keep, seats[-1])
    played, held = table.played, table.held
    return _played_on(table, played, held, table.series, table.total, table.last, due, passed)


def go(table: Table, seat: int) -> Table:
    """`N go`, which implies the gos of the seats due before it; `due` becomes 0 if nobody can go
    on.

    Raises:
        IllegalMove: `can-play` with the seat that could, or must be able to.
    """
    if not table.holds(seat) or table.passed >> seat & 1:
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


def end_series(table: Table, leader: int) -> Table:
    """The table before its next series, 0 for no leader if there is none."""
    return _played_on(table, table.played, table.held, (), 0, table.last, leader, 0)


def make_way(
    table: Table, seat: int, card: Card, *, more_series: bool, own_go: bool = False
) -> tuple[Table, bool]:
    """The table ready for this card, after the gos that it implies, and whether they ended the
    previous series.

    Args:
        more_series: whether another series may follow.
        own_go: whether a seat whose hand is known must say its own go.

    Raises:
        IllegalMove: `not-in-play`, `card-unknown`, `no-cards-left`, `over-31`, `not-your-turn`.
    """
    if not table.due:
        raise IllegalMove("not-in-play", verb="play", phase="play", why="points")
    rank = card.rank
    if rank is None:
        raise IllegalMove("card-unknown", card=card)
    if not table.holds(seat):
        raise IllegalMove("no-cards-left", seat=seat)
    fits = table.total + VALUE[rank] <= THIRTY_ONE
    if fits and seat == table.due:
        return table, False
    if fits and not table.passed >> seat & 1:
        passed = passing(table, waiting(table, seat))
        if passed is None:
            raise IllegalMove("not-your-turn", seat=seat, turn=table.due)
        return passed, False
    certain = own_go and seat == table.due and not table.room(seat)
    if more_series and table.series and table.leader() == seat and not certain:
        ended = everybody_passed(table)
        if ended is not None:
            return end_series(ended, seat), True
    if fits or seat != table.due:
        raise IllegalMove("not-your-turn", seat=seat, turn=table.due)
    raise IllegalMove("over-31", seat=seat, card=card, count=table.total)


def lay(table: Table, seat: int, card: Card) -> tuple[Table, Card, bool]:
    """The table with the card played, the card as it is now known, and whether it contradicts an
    earlier go.

    A card entered by rank is the one of that rank if the hand is known to hold just one.

    Raises:
        IllegalMove: `not-held` and any error of `check`.
    """
    if table.fully_known:
        bit = BIT.get(card, 0)
        if bit & table.held[seat - 1]:
            return _lay(table, seat, card, bit), card, False
        table, card, bit = _take(table, seat, card)
        after = _lay(table, seat, card, bit)
    else:
        if table.keep == table.size:
            card = _named(table, seat, card)
        after = _lay(table, seat, card, 0)
        check(after)
    belied = VALUE[card.rank] <= table.floors[seat - 1]
    if belied:
        after = after._replace(floors=put(after.floors, seat, 0))
    return after, card, belied


def awarded(seat: int, items: Iterable[Item]) -> tuple[Award, ...]:
    """The awards to a seat for these combinations."""
    return tuple([Award(seat, points, reason, cards) for reason, cards, points in items])


def belied(seat: int, card: Card) -> Note:
    """The note that a card contradicts what was entered before."""
    return Note("impossible-with-known-cards", {"seat": seat, "card": card})


def _lay(table: Table, seat: int, card: Card, bit: int) -> Table:
    """The table after a card was played; `bit` is its bit in a fully known hand."""
    played = put(table.played, seat, (*table.played[seat - 1], card))
    held = put(table.held, seat, table.held[seat - 1] & ~bit) if bit else table.held
    total, passed = table.total + VALUE[card.rank], table.passed
    due = next_to_play(played, passed, table.keep, seat) if total < THIRTY_ONE else 0
    series = (*table.series, card)
    return _TABLE(Table, (*table[:_PLAYED], played, held, series, total, seat, due, passed))


def _take(table: Table, seat: int, card: Card) -> tuple[Table, Card, int]:
    """A card entered by rank out of a fully known hand, and its bit; it stays without a suit if the
    hand holds several. Raises IllegalMove `not-held`."""
    hand, held = table.hands[seat - 1], table.held[seat - 1]
    alike = [c for c in hand if card.suit is None and c.rank == card.rank and BIT[c] & held]
    if not alike:
        gone = ("played", table.played), ("discarded", table.discarded)
        why = next((where for where, cards in gone if card in cards[seat - 1]), None)
        raise IllegalMove("not-held", seat=seat, cards=(card,), held=hand, **because(why))
    if len(alike) > 1:
        return table._replace(fully_known=False), card, 0
    return table, alike[0], BIT[alike[0]]


def _named(table: Table, seat: int, card: Card) -> Card:
    """A card played of a hand of which none are discarded, with its suit if that is clear. Raises
    IllegalMove `not-held` for a card that the seat has played."""
    held = table.certain(seat)
    if card.suit is not None:
        if card in table.played[seat - 1]:
            raise IllegalMove("not-held", seat=seat, cards=(card,), held=held, why="played")
        return card
    same = [c for c in held if c.rank == card.rank]
    return same[0] if len(same) == 1 and not table.room(seat) else card


def card_asks(table: Table) -> tuple[Ask, ...]:
    """The next card of a play that counts to 31, or go."""
    seat = table.due
    if not seat:
        return ()
    fields = {"count": table.total}
    asks = []
    cards = table.playable(seat)
    if cards:
        play = Move("play", seat)
        asks.append(
            Ask("play", "cards", play, "cards", 1, 1, ranks=True, cards=cards, fields=fields)
        )
    if not table.can_surely_play(seat):
        asks.append(Ask("go", "confirm", Move("go", seat), "cards", fields=fields))
    return tuple(asks)
