"""What is known about the cards, without distinguishing identical copies.

The pack holds every card more than once. A line seldom says which copy it means, and that matters
only if a copy has a history: it is part of a meld, or it is a seven that has scored. A deal
therefore keeps every reading of what was entered. A line is legal if any reading allows it, and the
readings it rules out are dropped. Cards that nobody has entered are not part of a reading: a hand
consists of its known cards and a number of unseen ones, each of which can be any card not yet
located.

The number of readings stays small: equal ones are merged, and a reading that allows nothing beyond
what another allows is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from boardctl.games import IllegalMove, put
from boardctl.games.cards import Card
from boardctl.games.common.trick_deal import TrickSpec

LIMIT: Final = 32
"""The maximum number of readings. Beyond it copy names are forgotten, and if that is not enough,
the melds. Only copies named in one line and not in the next, or many packs, can lead to this, and
forgetting makes the referee no stricter."""


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


@dataclass(frozen=True, slots=True)
class Held:
    """A located card, the melds it is part of, and whether it has scored as a seven."""

    card: Card
    uses: frozenset[Use] = frozenset()
    scored: bool = False


def _order(held: Held) -> tuple[int, int, str, tuple[Use, ...], bool]:
    card = held.card
    return (card.rank or 0, card.suit or 0, card.copy or "", tuple(sorted(held.uses)), held.scored)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way in which everything entered can be true.

    `hands` are the known cards of seats 1 and 2, sorted; `turned` is the turned card, `last` the
    last card played until something else happens, `gone` the played cards whose copy was named.
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

    def each(self, change: Callable[[Held], Held]) -> Reading:
        """The reading with every card of it changed alike."""
        turned, last = (None if held is None else change(held) for held in (self.turned, self.last))
        reading = replace(self, turned=turned, last=last)
        for seat in (1, 2):
            reading = reading.with_hand(seat, map(change, self.hands[seat - 1]))
        return reading

    def with_hand(self, seat: int, hand: Iterable[Held]) -> Reading:
        return replace(self, hands=put(self.hands, seat, tuple(sorted(hand, key=_order))))

    def give(self, seat: int, *held: Held) -> Reading:
        """The reading with more known cards in a hand."""
        return self.with_hand(seat, (*self.hands[seat - 1], *held))

    def take(self, seat: int, held: Held) -> Reading:
        """The reading without a known card of a hand."""
        hand = list(self.hands[seat - 1])
        hand.remove(held)
        return self.with_hand(seat, hand)

    def swap(self, seat: int, old: Held, new: Held) -> Reading:
        """The reading with one known card of a hand replaced by another."""
        return self.take(seat, old).give(seat, new)

    def forget_broken(self, seat: int) -> Reading:
        """Forget broken melds, for games in which melds are barred only while complete on the
        table. That a card lay in a marriage is kept, since it may be paired again."""
        hand = self.hands[seat - 1]
        lying = Counter(use for held in hand for use in held.uses)
        whole = {use for use, count in lying.items() if count == use.size}
        return self.with_hand(seat, (replace(held, uses=_still(held.uses, whole)) for held in hand))


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All readings, and what they have in common.

    spec: the pack.
    sizes: how many cards each hand holds, None if the play is not entered: then a hand may hold
        any card that nobody else is known to have had.
    played: the cards played to tricks, without their copies.
    denied: what a hand cannot hold unseen, because the player did not follow, head or trump.
    """

    spec: TrickSpec = field(repr=False)
    sizes: tuple[int, ...] | None
    readings: tuple[Reading, ...] = (Reading(),)
    played: tuple[Card, ...] = ()
    denied: tuple[frozenset[Card], ...] = (frozenset(), frozenset())

    def unseen(self, reading: Reading, seat: int) -> int:
        """The number of unseen cards in a hand; 1 stands for any number."""
        if self.sizes is None:
            return 1
        return self.sizes[seat - 1] - len(reading.hands[seat - 1])

    def free(self, reading: Reading, card: Card) -> bool:
        """Whether a copy of this card (this copy, if named) has yet to be located."""
        plain = card.plain
        count = self.played.count(plain)
        for held in reading.located():
            if held.card.rank == card.rank and held.card.suit == card.suit:
                if card.copy is not None and held.card.copy == card.copy:
                    return False
                count += 1
        return count < self.spec.copies and card not in reading.gone

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
        """The cards of a hand that a line can mean by `card`, excluding `besides`: each of its
        known copies, and an unseen one. The card is known in the reading returned with it."""
        free = list(reading.hands[seat - 1])
        for held in besides:
            free.remove(held)
        again = bool(besides) and besides[-1].card.plain == card
        for held in dict.fromkeys(free):
            # Only one order of cards that the line does not distinguish is tried.
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
            and card.plain not in self.denied[seat - 1]
            and self.free(reading, card)
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
        """The same for several cards at once, equal ones adjacent; with `seen`, only cards already
        known."""
        if not cards:
            yield found, reading
            return
        for held, known in self.finds(reading, seat, cards[0], found):
            if not seen or known is reading:
                yield from self.finds_all(known, seat, cards[1:], (*found, held), seen=seen)

    def fits(self, reading: Reading) -> bool:
        """Whether the cards not located fit in the two hands, once the stock is gone."""
        if self.sizes is None:
            return True
        located = (*self.played, *(held.card for held in reading.located()))
        demands = ((self.unseen(reading, seat), self.denied[seat - 1]) for seat in (1, 2))
        return self.spec.can_fill(located, demands)


def distinct(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """The readings, each once. Sufficient if the same thing was entered for all of them, so that
    none becomes redundant; otherwise `fewest`."""
    return tuple(dict.fromkeys(readings))


def fewest(readings: Iterable[Reading], refusal: IllegalMove | None = None) -> tuple[Reading, ...]:
    """The smallest set of readings that is equivalent to these; if there are none, the refusal is
    raised."""
    kept = distinct(readings)
    if refusal is not None and not kept:
        raise refusal
    # Pruning compares every pair, so if there are very many, drop the copy names first.
    if len(kept) <= 4 * LIMIT:
        kept = _prune(kept)
    if len(kept) > LIMIT:
        kept = _prune(distinct(map(_nameless, kept)))
    if len(kept) > LIMIT:
        kept = _prune(distinct(map(bare, kept)))
    return kept


def _still(uses: frozenset[Use], whole: set[Use]) -> frozenset[Use]:
    """What still matters of a card's uses, given the melds that are complete on the table: those,
    or else that it lay in a marriage."""
    standing = uses & whole
    if any(use.pairs_again for use in standing):
        return standing
    return standing | {use._replace(number=-1, size=0) for use in uses if use.pairs_again}


def _nameless(reading: Reading) -> Reading:
    """The reading without the names of copies."""
    changed = reading.each(lambda held: replace(held, card=held.card.plain))
    return replace(changed, gone=frozenset())


def bare(reading: Reading) -> Reading:
    """The reading without the melds that its cards were part of."""
    return reading.each(lambda held: replace(held, uses=frozenset()))


def _prune(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The readings without those that another one makes redundant."""
    kept: list[Reading] = []
    for reading in readings:
        if any(_covers(other, reading) for other in kept):
            continue
        kept = [other for other in kept if not _covers(reading, other)]
        kept.append(reading)
    return tuple(kept)


def _covers(wide: Reading, narrow: Reading) -> bool:
    """Whether `wide` allows everything that `narrow` allows.

    It does if the same cards have less history, or if an unnamed card known in `narrow` is one of
    the unseen cards in `wide`. History that may allow a meld (`Use.pairs_again`) must be the same.
    """
    if (wide.turned, wide.last, wide.gone) != (narrow.turned, narrow.last, narrow.gone):
        return False
    return all(map(_matches, wide.hands, narrow.hands))


def _matches(wide: tuple[Held, ...], narrow: tuple[Held, ...]) -> bool:
    """Whether each card of `wide` matches one of `narrow` with no more history, and the rest of
    `narrow` can be unseen cards: not named, and in no meld that may be paired again."""
    if len(wide) > len(narrow):
        return False
    if not wide:
        return all(held.card.copy is None and not _paired(held) for held in narrow)
    first = wide[0]
    return any(
        first.card == other.card
        and first.uses <= other.uses
        and first.scored <= other.scored
        and _paired(first) == _paired(other)
        and _matches(wide[1:], narrow[:place] + narrow[place + 1 :])
        for place, other in enumerate(narrow)
    )


def _paired(held: Held) -> frozenset[Use]:
    return frozenset(use for use in held.uses if use.pairs_again)
