"""Knowledge about the cards, without distinguishing identical copies.

The pack holds every card more than once. A line seldom names a copy, and the copy matters only if
it has a history: it is part of a meld, or it is a seven that has scored. A deal therefore keeps,
for each hand, every possible reading of its entries. A line is legal if any reading allows it; the
readings that it rules out are dropped. A reading contains only entered cards: a hand consists of
its known cards and a number of unseen ones, each of which can be any card not yet located.

The two hands depend on each other only through the copies in the pack: two readings are compatible
if the copies suffice for both. The history of one hand therefore never makes the cards of the other
hand less certain.

The number of readings stays small: equal ones are merged, and a reading is dropped if another one
allows everything that it allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Self

from boardctl.games import IllegalMove, put
from boardctl.games.cards import Card
from boardctl.games.common.trick_deal import TrickSpec

LIMIT: Final = 32
"""The maximum number of readings of a hand with unseen cards. Beyond it copy names are forgotten,
then melds, except the newest two. This happens only if copies are named in some lines and not in
others, or in games with many packs whose hands were not entered. Forgetting never makes the referee
stricter."""
WHOLE_LIMIT: Final = 64
"""The same maximum for a hand whose cards are all known. Such a hand seldom has more than ten
readings, but 3 of 30 random deals of six-pack Bezique exceeded this limit."""
MANY: Final = 4
"""At most this many times the maximum number of readings are compared with one another."""
TRIED: Final = 16
"""At most this many times the limit of ways to lay a meld are tried."""

BEZIQUE: Final = "bezique"
"""The group of single, double … beziques (`melds.Kind`)."""


class Use(NamedTuple):
    """A card's part in a meld: its group and level (`melds.Kind`), the meld's number in the deal,
    how many cards were in it, and whether it may be paired again once its partner has been played
    (marriages of the great Beziques)."""

    group: str
    level: int
    number: int
    size: int
    pairs_again: bool = False


class Held(NamedTuple):
    """A located card, the melds it is part of, and whether it has scored as a seven."""

    card: Card
    uses: frozenset[Use] = frozenset()
    scored: bool = False


def _order(held: Held) -> tuple[int, int, str, tuple[Use, ...], bool]:
    card = held.card
    return (card.rank or 0, card.suit or 0, card.copy or "", tuple(sorted(held.uses)), held.scored)


@dataclass(frozen=True, slots=True)
class Reading:
    """One consistent interpretation of everything entered about a hand.

    `cards` are its known cards, sorted; `last` is the card just played; `gone` are the played cards
    whose copy was named. `lost`: the forgotten melds that any card may have been part of
    (`forget`).
    """

    cards: tuple[Held, ...] = ()
    last: Held | None = None
    gone: frozenset[Card] = frozenset()
    lost: frozenset[Use] = frozenset()

    @property
    def known(self) -> Iterator[Card]:
        """The known cards themselves."""
        return (held.card for held in self.cards)

    def holding(self, cards: Iterable[Held]) -> Reading:
        return replace(self, cards=tuple(sorted(cards, key=_order)))

    def found(self, card: Card) -> tuple[Held, Reading]:
        """Return one of the unseen cards, and the reading in which it is known."""
        held = Held(card, self.lost)
        return held, self.give(held)

    def give(self, *held: Held) -> Reading:
        """Return the reading with these cards added."""
        return self.holding((*self.cards, *held))

    def take(self, held: Held) -> Reading:
        """Return the reading without a known card."""
        cards = list(self.cards)
        cards.remove(held)
        return self.holding(cards)

    def swap(self, old: Held, new: Held) -> Reading:
        """Return the reading with one known card replaced by another."""
        return self.take(old).give(new)

    def play(self, held: Held) -> Reading:
        """Return the reading after a known card was played."""
        gone = self.gone if held.card.copy is None else self.gone | {held.card}
        last = Held(held.card, scored=held.scored)
        return replace(self.take(held), last=last, gone=gone)

    def forget_broken(self) -> Reading:
        """Return the reading without broken melds, for games in which melds are barred only while
        complete on the table. A card's former marriage is kept because the card may be paired
        again."""
        lying = Counter(use for held in self.cards for use in held.uses)
        whole = {use for use, count in lying.items() if count == use.size}
        return self.holding(held._replace(uses=_still(held.uses, whole)) for held in self.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """All readings, and their common facts.

    spec: the pack.
    sizes: how many cards each hand holds, or None if the play is not entered: then a hand may hold
        any card that nobody else is known to have had.
    stock: cards still to be drawn, the last of which is `turned_card`.
    turned_card: the turned card or the seven that was put in its place, or None if there is none or
        only the suit is known.
    hands: the readings of seats 1 and 2.
    played: the cards played to tricks, without their copies.
    denied: the cards that a hand cannot hold unseen, because the player did not follow, head or
        trump.
    """

    spec: TrickSpec = field(repr=False)
    sizes: tuple[int, ...] | None
    stock: int
    turned_card: Card | None = None
    hands: tuple[tuple[Reading, ...], ...] = ((Reading(),), (Reading(),))
    played: tuple[Card, ...] = ()
    denied: tuple[frozenset[Card], ...] = (frozenset(), frozenset())

    def narrowed(
        self, seat: int, readings: Iterable[Reading], refusal: IllegalMove | None = None
    ) -> Self:
        """Return the deal in which a hand has only these readings, and each hand only compatible
        ones; if there are none, raise the refusal."""
        own, others = self.fewest(seat, readings), self.hands[2 - seat]
        if len(others) > 1:
            own = tuple(self.going(seat, own, others))
            others = tuple(self.going(3 - seat, others, own))
        if refusal is not None and not own:
            raise refusal
        return replace(self, hands=put(put(self.hands, seat, own), 3 - seat, others))

    def fewest(self, seat: int, readings: Iterable[Reading]) -> tuple[Reading, ...]:
        """Return the smallest equivalent set of readings of a hand."""
        some = tuple(readings)
        return fewest(some, self.limit(seat, some))

    def limit(self, seat: int, readings: Iterable[Reading]) -> int:
        """Return the maximum number of these readings of a hand."""
        whole = all(self.unseen(one, seat) == 0 for one in readings)
        return WHOLE_LIMIT if whole else LIMIT

    def going(
        self, seat: int, readings: Iterable[Reading], others: Sequence[Reading]
    ) -> Iterator[Reading]:
        """Return a hand's readings that are compatible with at least one reading of the other hand:
        no copy is needed twice, and once the stock is gone, the cards not located fit in the two
        hands."""
        return (one for one in readings if any(self._agree(seat, one, two) for two in others))

    def _agree(self, seat: int, one: Reading, two: Reading) -> bool:
        known = (*one.known, *two.known, *self._turned)
        named = [*one.gone, *two.gone, *(card for card in known if card.copy is not None)]
        located = Counter((*self.played, *(card.plain for card in known)))
        if len(set(named)) < len(named) or max(located.values(), default=0) > self.spec.copies:
            return False
        demands = (
            (self.unseen(some, place), self.denied[place - 1])
            for some, place in ((one, seat), (two, 3 - seat))
        )
        return (
            self.sizes is None or self.stock > 0 or self.spec.can_fill(located.elements(), demands)
        )

    @property
    def _turned(self) -> tuple[Card, ...]:
        """The turned card, while it is on the table."""
        return (self.turned_card,) if self.stock and self.turned_card is not None else ()

    def unseen(self, reading: Reading, seat: int) -> int:
        """Return the number of unseen cards in a hand; 1 stands for any number."""
        return 1 if self.sizes is None else self.sizes[seat - 1] - len(reading.cards)

    def unlocated(self, seat: int, card: Card) -> int:
        """Return the maximum number of copies of a card that have yet to be located."""
        left = self.spec.copies - self.played.count(card.plain)
        return left - min(
            sum(mine[:2] == card[:2] for mine in (*one.known, *self._turned))
            + sum(held.card[:2] == card[:2] for held in other.cards)
            for one in self.hands[seat - 1]
            for other in self.hands[2 - seat]
        )

    def free(self, reading: Reading, seat: int, card: Card) -> bool:
        """Return whether a copy of this card (this copy, if named) has yet to be located, in this
        reading of a hand and any reading of the other hand."""
        left = self.spec.copies - self.played.count(card.plain)
        left -= sum(mine[:2] == card[:2] for mine in (*reading.known, *self._turned))
        return any(
            sum(held.card[:2] == card[:2] for held in other.cards) < left
            and (card.copy is None or self._unused(reading, other, card))
            for other in self.hands[2 - seat]
        )

    def _unused(self, one: Reading, other: Reading, copy: Card) -> bool:
        """Return whether no other card is known to be this copy, in these readings of the hands."""
        known = (*one.known, *other.known, *self._turned)
        return copy not in known and copy not in one.gone | other.gone

    def _same(self, reading: Reading, seat: int, held: Held, card: Card) -> bool:
        """Return whether a known card of a hand can be the one that a line means."""
        mine = held.card
        if mine.rank != card.rank or mine.suit != card.suit:
            return False
        if card.copy is None or mine.copy == card.copy:
            return True
        others = self.hands[2 - seat]
        return mine.copy is None and any(self._unused(reading, other, card) for other in others)

    def finds(
        self, reading: Reading, seat: int, card: Card, besides: tuple[Held, ...] = ()
    ) -> Iterator[tuple[Held, Reading]]:
        """Return the cards of a hand that a line can mean by `card`, excluding `besides`: each of
        its known copies, and an unseen one. Each comes with the reading in which it is known."""
        rest = list(reading.cards)
        for held in besides:
            rest.remove(held)
        again = bool(besides) and besides[-1].card.plain == card
        for held in dict.fromkeys(rest):
            # Only one order of cards that the line does not distinguish is tried.
            if again and _order(held) < _order(besides[-1]):
                continue
            if not self._same(reading, seat, held, card):
                continue
            if card.copy is None or held.card == card:
                yield held, reading
            else:
                named = held._replace(card=card)
                yield named, reading.swap(held, named)
        if (
            self.unseen(reading, seat) > 0
            and card.plain not in self.denied[seat - 1]
            and self.free(reading, seat, card)
        ):
            yield reading.found(card)

    def finds_all(
        self,
        reading: Reading,
        seat: int,
        cards: tuple[Card, ...],
        found: tuple[Held, ...] = (),
        *,
        seen: bool = False,
    ) -> Iterator[tuple[tuple[Held, ...], Reading]]:
        """Yield the choices for several cards at once, with equal cards adjacent; with `seen`, only
        cards already known.
        """
        if not cards:
            yield found, reading
            return
        for held, known in self.finds(reading, seat, cards[0], found):
            if not seen or known is reading:
                yield from self.finds_all(known, seat, cards[1:], (*found, held), seen=seen)


def fewest(readings: Iterable[Reading], limit: int = LIMIT) -> tuple[Reading, ...]:
    """Return the smallest equivalent set of readings of a hand, at most `limit`."""
    for known_less in simpler(readings):
        if len(known_less) <= MANY * limit and len(kept := _prune(known_less)) <= limit:
            return kept
    return _prune(known_less)


def simpler(readings: Iterable[Reading]) -> Iterator[tuple[Reading, ...]]:
    """Return the readings without duplicates; if there are too many, then without the names of
    copies, then with only the newest two melds, then without any."""
    whole = tuple(dict.fromkeys(readings))
    yield whole
    nameless = tuple(dict.fromkeys(map(_nameless, whole)))
    yield nameless
    uses = {use for reading in nameless for held in reading.cards for use in held.uses}
    numbers = sorted({use.number for use in uses})
    for last in (*numbers[-3:-2], *numbers[-1:]):
        lost = _still(frozenset(use for use in uses if use.number <= last), set())
        yield tuple(dict.fromkeys(forget(reading, last, lost) for reading in nameless))


def _still(uses: frozenset[Use], whole: set[Use]) -> frozenset[Use]:
    """Return the uses of a card that still matter, given the melds complete on the table: those
    melds, or else a former marriage."""
    standing = uses & whole
    if any(use.pairs_again for use in standing):
        return standing
    return standing | {use._replace(number=-1, size=0) for use in uses if use.pairs_again}


def _nameless(reading: Reading) -> Reading:
    """Return the reading without the names of copies."""
    last = None if reading.last is None else reading.last._replace(card=reading.last.card.plain)
    cards = (held._replace(card=held.card.plain) for held in reading.cards)
    return replace(reading, last=last, gone=frozenset()).holding(cards)


def forget(reading: Reading, last: int, lost: frozenset[Use]) -> Reading:
    """Return the reading without the melds up to the number `last`. `lost`: the broken marriages
    that any card may have been part of instead, which permits more."""

    def kept(held: Held) -> Held:
        uses = frozenset(use for use in held.uses if use.number > last)
        married = any(use.pairs_again for use in uses)
        return held._replace(uses=uses if married else uses | lost)

    return replace(reading, lost=lost).holding(map(kept, reading.cards))


def bare(reading: Reading) -> Reading:
    """Return the reading without the melds, once no more can follow."""
    cards = (held._replace(uses=frozenset()) for held in reading.cards)
    return replace(reading, lost=frozenset()).holding(cards)


def _prune(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """Return the readings without the redundant ones."""
    kept: list[_Pruned] = []
    for reading in sorted(readings, key=_history):  # no later one covers an earlier one
        cards = Counter(reading.cards)
        uses = frozenset[Use]().union(*(held.uses for held in cards))
        one = _Pruned(reading, cards, uses)
        if not any(covers(other, one) for other in kept):
            kept.append(one)
    return tuple(one.reading for one in kept)


def _history(reading: Reading) -> tuple[int, int]:
    """Return the amount of knowledge in a reading: cards, and their history."""
    cards = reading.cards
    return len(cards), sum(len(held.uses) + held.scored for held in cards)


class _Pruned(NamedTuple):
    """A reading with the values that are compared repeatedly."""

    reading: Reading
    cards: Counter[Held]
    """The number of copies of each card in the reading."""
    uses: frozenset[Use]
    """The uses of all cards in the reading."""


def covers(wide: _Pruned, narrow: _Pruned) -> bool:
    """Return whether a reading allows everything that another reading with as much knowledge
    allows.

    It does if the same cards have less history, or if an unnamed card known in `narrow` is one of
    the unseen cards in `wide`. Both must have the same history
    that may allow a meld (`Use.pairs_again`).
    """
    one, two = wide.reading, narrow.reading
    if not wide.uses <= narrow.uses:
        return False
    if (one.last, one.gone, one.lost) != (two.last, two.gone, two.lost):
        return False
    mine = tuple((wide.cards - narrow.cards).elements())
    others = tuple((narrow.cards - wide.cards).elements())
    allowed = [[_allows(held, other) for other in others] for held in mine]
    shown = [
        [row[place] for row in allowed]
        for place, other in enumerate(others)
        if other.card.copy is not None or (not one.lost and _paired(other))
    ]
    # Two matchings, one for each side, can be combined into one that serves both (Mendelsohn and
    # Dulmage).
    return _all_paired(allowed) and _all_paired(shown)


def _allows(held: Held, other: Held) -> bool:
    """Return whether a card allows everything that the same card with more history allows."""
    return (
        held.card == other.card
        and held.uses <= other.uses
        and held.scored <= other.scored
        and _paired(held) == _paired(other)
    )


def _all_paired(rows: Sequence[Sequence[bool]]) -> bool:
    """Return whether each row can be matched with its own column in which it is true (augmenting
    paths)."""
    taken: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for column, fits in enumerate(rows[row]):
            if fits and column not in seen:
                seen.add(column)
                if column not in taken or place(taken[column], seen):
                    taken[column] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(rows)))


def _paired(held: Held) -> frozenset[Use]:
    return frozenset(use for use in held.uses if use.pairs_again)
