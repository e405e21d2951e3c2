"""What is known of the cards, where identical cards need no names.

The pack holds every card more than once. A line seldom says which copy it means, and it matters
only when a copy carries a history: it is part of a meld, or it is a seven that has scored. So a
deal keeps all readings of what was entered. A line is legal if any reading allows it, and the
readings that it rules out are dropped. Cards that nobody has entered are not part of a reading: a
hand is its known cards and a number of unseen ones, and what is unseen can be any card not yet
located.

The number of readings stays small: equal ones are one, and a reading that allows nothing that
another does not allow as well is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, NamedTuple

from boardctl.cards import Card

LIMIT: Final = 32
"""Beyond so many readings the names of copies are forgotten, and if that is not enough their
melds: only copies that were named in one line and not in the next, or many packs, can come so
far, and forgetting makes the referee no stricter."""


BEZIQUE: Final = "bezique"
"""The group of single, double … beziques (`melds.Kind`)."""


class Use(NamedTuple):
    """A card's part in a meld: which group and level (`melds.Kind`), the meld's number in the
    deal, and how many cards lay in it."""

    group: str
    level: int
    number: int
    size: int


@dataclass(frozen=True, slots=True)
class Held:
    """A card whose place is known, the melds it is part of, and whether it has scored as a
    seven."""

    card: Card
    uses: frozenset[Use] = frozenset()
    scored: bool = False


def _order(held: Held) -> tuple[int, int, str, tuple[Use, ...], bool]:
    card = held.card
    return (card.rank or 0, card.suit or 0, card.copy or "", tuple(sorted(held.uses)), held.scored)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way in which all that was entered can be true.

    `hands` are the known cards of seats 1 and 2, in order; `turned` the turned card, `last` the
    card played last until something else happens, `gone` the played cards whose copy was named.
    """

    hands: tuple[tuple[Held, ...], ...] = ((), ())
    turned: Held | None = None
    last: Held | None = None
    gone: frozenset[Card] = frozenset()

    def located(self) -> Iterator[Held]:
        """Every card of the reading that has not been played."""
        for hand in self.hands:
            yield from hand
        if self.turned is not None:
            yield self.turned

    def with_hand(self, seat: int, hand: Iterable[Held]) -> Reading:
        ordered = tuple(sorted(hand, key=_order))
        hands = (ordered, self.hands[1]) if seat == 1 else (self.hands[0], ordered)
        return replace(self, hands=hands)

    def give(self, seat: int, *held: Held) -> Reading:
        """The reading with further known cards in a hand."""
        return self.with_hand(seat, (*self.hands[seat - 1], *held))

    def take(self, seat: int, held: Held) -> Reading:
        """The reading without a known card of a hand."""
        hand = list(self.hands[seat - 1])
        hand.remove(held)
        return self.with_hand(seat, hand)

    def swap(self, seat: int, old: Held, new: Held) -> Reading:
        """The reading with one known card of a hand for another."""
        return self.take(seat, old).give(seat, new)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All readings, and what is the same in each of them.

    sizes: how many cards each hand holds, None if the play is not entered: then a hand may hold
        any card that nobody else is known to have had.
    played: the cards on the tricks, without their copies.
    barred: what a hand cannot hold unseen, because its owner did not follow, head or trump.
    """

    copies: int
    sizes: tuple[int, ...] | None
    readings: tuple[Reading, ...] = (Reading(),)
    played: tuple[Card, ...] = ()
    barred: tuple[frozenset[Card], ...] = (frozenset(), frozenset())

    def unseen(self, reading: Reading, seat: int) -> int:
        """How many unseen cards a hand holds; 1 stands for any number."""
        if self.sizes is None:
            return 1
        return self.sizes[seat - 1] - len(reading.hands[seat - 1])

    def has_room(self, reading: Reading, card: Card) -> bool:
        """Whether a copy of this card (this copy, if named) is still to be located."""
        plain = card.plain
        count = self.played.count(plain)
        for held in reading.located():
            if held.card.rank == card.rank and held.card.suit == card.suit:
                if card.copy is not None and held.card.copy == card.copy:
                    return False
                count += 1
        return count < self.copies and card not in reading.gone

    def _same(self, reading: Reading, held: Held, card: Card) -> bool:
        """Whether a located card can be the one that a line means."""
        mine = held.card
        if mine.rank != card.rank or mine.suit != card.suit:
            return False
        if card.copy is None or mine.copy == card.copy:
            return True
        return (
            mine.copy is None
            and card not in reading.gone
            and all(other.card != card for other in reading.located())
        )

    def finds(
        self, reading: Reading, seat: int, card: Card, besides: tuple[Held, ...] = ()
    ) -> Iterator[tuple[Held, Reading]]:
        """The cards of a hand that a line can mean by `card`, `besides` not among them: each of
        its known copies, and an unseen one. The card is known in the reading that comes with it."""
        free = list(reading.hands[seat - 1])
        for held in besides:
            free.remove(held)
        again = bool(besides) and besides[-1].card.plain == card
        for held in dict.fromkeys(free):
            # Of several cards that a line does not tell apart, only one order is tried.
            if again and _order(held) < _order(besides[-1]):
                continue
            if not self._same(reading, held, card):
                continue
            if card.copy is None or held.card == card:
                yield held, reading
            else:
                named = replace(held, card=card)
                yield named, reading.swap(seat, held, named)
        if (
            self.unseen(reading, seat) > 0
            and card.plain not in self.barred[seat - 1]
            and self.has_room(reading, card)
        ):
            yield Held(card), reading.give(seat, Held(card))

    def finds_all(
        self,
        reading: Reading,
        seat: int,
        cards: tuple[Card, ...],
        found: tuple[Held, ...] = (),
        *,
        seen: bool = False,
    ) -> Iterator[tuple[tuple[Held, ...], Reading]]:
        """The same for several cards at once, equal ones next to one another; with `seen` only
        cards that are known already."""
        if not cards:
            yield found, reading
            return
        for held, known in self.finds(reading, seat, cards[0], found):
            if not seen or known is reading:
                yield from self.finds_all(known, seat, cards[1:], (*found, held), seen=seen)

    def forget_broken(self, seat: int) -> Knowledge:
        """Where melds are barred only while they are complete on the table: a broken one matters no
        more, but for a marriage, which may be paired again."""

        def forget(hand: tuple[Held, ...]) -> tuple[Held, ...]:
            lying = Counter(use for held in hand for use in held.uses)
            kept = {
                use
                for use, count in lying.items()
                if count == use.size or (use.level == 1 and use.size == 2 and use.group != BEZIQUE)
            }
            return tuple(replace(held, uses=held.uses & kept) for held in hand)

        return replace(
            self,
            readings=tuple(r.with_hand(seat, forget(r.hands[seat - 1])) for r in self.readings),
        )

    def holds(self, reading: Reading, seat: int, card: Card) -> bool:
        """Whether the hand is known to hold this card."""
        return any(
            held.card.rank == card.rank and held.card.suit == card.suit
            for held in reading.hands[seat - 1]
        )

    def fits(self, reading: Reading, pack: tuple[Card, ...]) -> bool:
        """Whether the cards not located can lie in the two hands, once the stock is gone.

        Each must go to a hand that is not barred from it, and each hand has its number of places;
        with two hands that is so when what only one of them can take does not exceed its places.
        """
        if self.sizes is None:
            return True
        count = Counter(self.played)
        count.update(held.card.plain for held in reading.located())
        forced = [0, 0]
        for card in pack:
            left = self.copies - count[card]
            if left <= 0:
                continue
            first, second = (card in barred for barred in self.barred)
            if first and second:
                return False
            forced[0] += left * second
            forced[1] += left * first
        return all(forced[n] <= self.unseen(reading, n + 1) for n in range(2))

    def without_history(self) -> Knowledge:
        """Once no meld can follow, it matters no more in which a card lay."""
        return self.keep(map(_bare, self.readings))

    def having(self, readings: Iterable[Reading]) -> Knowledge:
        """The knowledge with these readings, equal ones once. Enough where what was entered is the
        same for all, and so makes none superfluous."""
        return replace(self, readings=tuple(dict.fromkeys(readings)))

    def keep(self, readings: Iterable[Reading]) -> Knowledge:
        """The knowledge with these readings, as few of them as tell the same."""
        told = list(dict.fromkeys(readings))
        # Pruning compares all with all, so a great many are not first pruned with their names.
        kept = _prune(told) if len(told) <= 4 * LIMIT else told
        if len(kept) > LIMIT:
            kept = _prune(list(dict.fromkeys(map(_nameless, kept))))
        if len(kept) > LIMIT:
            kept = _prune(list(dict.fromkeys(map(_bare, kept))))
        return replace(self, readings=tuple(kept))


def _nameless(reading: Reading) -> Reading:
    def plain(held: Held) -> Held:
        return replace(held, card=held.card.plain)

    bare = replace(
        reading,
        turned=None if reading.turned is None else plain(reading.turned),
        last=None if reading.last is None else plain(reading.last),
        gone=frozenset(),
    )
    for seat in (1, 2):
        bare = bare.with_hand(seat, map(plain, reading.hands[seat - 1]))
    return bare


def _bare(reading: Reading) -> Reading:
    """The reading without the melds in which its cards lay."""
    hands = (tuple(Held(held.card, scored=held.scored) for held in hand) for hand in reading.hands)
    return replace(reading, hands=tuple(hands))


def _prune(readings: list[Reading]) -> list[Reading]:
    """Without the readings that another one makes superfluous."""
    kept: list[Reading] = []
    for reading in readings:
        if any(_covers(other, reading) for other in kept):
            continue
        kept = [other for other in kept if not _covers(reading, other)]
        kept.append(reading)
    return kept


def _covers(wide: Reading, narrow: Reading) -> bool:
    """Whether `wide` allows all that `narrow` does.

    It does where the same cards carry less history, or where a nameless card known in `narrow`
    is one of the unseen in `wide`.
    """
    if (wide.turned, wide.last, wide.gone) != (narrow.turned, narrow.last, narrow.gone):
        return False
    if any(len(few) > len(many) for few, many in zip(wide.hands, narrow.hands, strict=True)):
        return False
    return all(map(_matches, wide.hands, narrow.hands))


def _matches(wide: tuple[Held, ...], narrow: tuple[Held, ...]) -> bool:
    """Whether each card of `wide` is one of `narrow` with no more history, and the rest of
    `narrow` nameless. Both are in order, so equal cards lie together."""
    place = 0
    for card, group in groupby(wide, key=_card):
        while place < len(narrow) and narrow[place].card != card:
            if narrow[place].card.copy is not None:
                return False
            place += 1
        end = place
        while end < len(narrow) and narrow[end].card == card:
            end += 1
        if not _pairs(tuple(group), narrow[place:end]):
            return False
        place = end
    return all(held.card.copy is None for held in narrow[place:])


def _pairs(wide: tuple[Held, ...], narrow: tuple[Held, ...]) -> bool:
    """The same for copies of one card."""
    if len(wide) > len(narrow):
        return False
    if not wide:
        return not narrow or narrow[0].card.copy is None
    first = wide[0]
    return any(
        first.uses <= other.uses
        and first.scored <= other.scored
        and _pairs(wide[1:], narrow[:place] + narrow[place + 1 :])
        for place, other in enumerate(narrow)
    )


def _card(held: Held) -> Card:
    return held.card
