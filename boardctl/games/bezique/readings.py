"""The possible locations of the cards in a deal, without naming identical copies.

The pack contains every card more than once. A line seldom names a copy. The copy matters only if it
has a history: the copy is part of a meld, or is a seven that has scored. A deal therefore keeps
every possible interpretation (reading) of the entries for each hand. A line is legal if any reading
allows it. Readings that the line rules out are dropped. A reading contains only entered cards. The
remaining cards of the hand are unseen; each of them can be any card that has yet to be located.

The readings of the two hands depend on each other only through the number of copies in the pack.
Two readings are compatible if there are enough copies for both. The history of one hand therefore
never makes the cards of the other hand less certain.

The number of readings stays small. Equal readings are merged, and a reading is dropped if another
reading allows everything that the first one allows.
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
"""The maximum number of readings of a hand with unseen cards. If there are more, the names of
copies are forgotten, and then all melds except the newest two. This happens only if some lines name
copies and others do not, or in games with many packs whose hands were not entered. Forgetting never
makes the referee stricter."""
WHOLE_LIMIT: Final = 64
"""The maximum number of readings of a hand whose cards are all known. Such a hand seldom has more
than ten readings, but 3 of 30 random deals of six-pack Bezique exceeded this limit."""
MANY: Final = 4
"""The number of readings that are compared with one another, as a multiple of the limit."""
TRIED: Final = 16
"""The number of ways to lay down a meld that are tried, as a multiple of the limit."""

BEZIQUE: Final = "bezique"
"""The group of single, double and higher beziques (`melds.Kind`)."""


class Use(NamedTuple):
    """One use of a card in a meld."""

    group: str
    """The group of the meld (`melds.Kind`)."""
    level: int
    """The level of the meld in its group."""
    number: int
    """The number of the meld in the deal."""
    size: int
    """The number of cards in the meld."""
    pairs_again: bool = False
    """Whether the card may be paired again once its partner has been played, as in the great
    Beziques."""


class Held(NamedTuple):
    """A located card, its uses in melds, and whether it has scored as a seven."""

    card: Card
    uses: frozenset[Use] = frozenset()
    scored: bool = False


def _order(held: Held) -> tuple[int, int, str, tuple[Use, ...], bool]:
    card = held.card
    return (card.rank or 0, card.suit or 0, card.copy or "", tuple(sorted(held.uses)), held.scored)


@dataclass(frozen=True, slots=True)
class Reading:
    """One consistent interpretation of all entries about a hand."""

    cards: tuple[Held, ...] = ()
    """The known cards, sorted."""
    last: Held | None = None
    """The card just played, or None."""
    gone: frozenset[Card] = frozenset()
    """The played cards whose copies were named."""
    lost: frozenset[Use] = frozenset()
    """The forgotten melds that any card may have been part of (`forget`)."""

    @property
    def known_cards(self) -> Iterator[Card]:
        """The known cards, without their histories."""
        return (held.card for held in self.cards)

    def holding(self, cards: Iterable[Held]) -> Reading:
        return replace(self, cards=tuple(sorted(cards, key=_order)))

    def found(self, card: Card) -> tuple[Held, Reading]:
        """Turn an unseen card into a known card. Return the card and the new reading."""
        held = Held(card, self.lost)
        return held, self.give(held)

    def give(self, *held: Held) -> Reading:
        """Return the reading after adding these cards."""
        return self.holding((*self.cards, *held))

    def take(self, held: Held) -> Reading:
        """Return the reading without one known card."""
        cards = list(self.cards)
        cards.remove(held)
        return self.holding(cards)

    def swap(self, old: Held, new: Held) -> Reading:
        """Return the reading with one known card replaced by another card."""
        return self.take(old).give(new)

    def play(self, held: Held) -> Reading:
        """Return the reading after a known card has been played."""
        gone = self.gone if held.card.copy is None else self.gone | {held.card}
        last = Held(held.card, scored=held.scored)
        return replace(self.take(held), last=last, gone=gone)

    def forget_broken(self) -> Reading:
        """Return the reading without its broken melds, for games in which only complete melds on
        the table bar others. A card's former marriage is kept, because the card may be paired
        again."""
        lying = Counter(use for held in self.cards for use in held.uses)
        whole = {use for use, count in lying.items() if count == use.size}
        return self.holding(held._replace(uses=_still(held.uses, whole)) for held in self.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """All readings of both hands, and the facts common to them."""

    spec: TrickSpec = field(repr=False)
    """The pack."""
    sizes: tuple[int, ...] | None
    """The number of cards in each hand, or None if the play is not entered. A hand may then contain
    any card that nobody else is known to have had."""
    stock: int
    """The number of cards still to be drawn. The last of them is `turned_card`."""
    turned_card: Card | None = None
    """The turned-up card or the seven that replaced it, or None if there is no such card or only
    its suit is known."""
    hands: tuple[tuple[Reading, ...], ...] = ((Reading(),), (Reading(),))
    """The readings of seats 1 and 2."""
    played: tuple[Card, ...] = ()
    """The cards played to tricks, without copy letters."""
    denied: tuple[frozenset[Card], ...] = (frozenset(), frozenset())
    """The cards that cannot be among the unseen cards of each hand, because the player did not
    follow, head or trump."""

    def narrowed(
        self, seat: int, readings: Iterable[Reading], refusal: IllegalMove | None = None
    ) -> Self:
        """Return the deal after reducing the readings of a hand to these. Incompatible readings of
        either hand are dropped. If no reading remains, raise the given error."""
        own, others = self.fewest(seat, readings), self.hands[2 - seat]
        if len(others) > 1:
            own = tuple(self.going(seat, own, others))
            others = tuple(self.going(3 - seat, others, own))
        if refusal is not None and not own:
            raise refusal
        return replace(self, hands=put(put(self.hands, seat, own), 3 - seat, others))

    def fewest(self, seat: int, readings: Iterable[Reading]) -> tuple[Reading, ...]:
        """Return the smallest equivalent set of readings for a hand."""
        some = tuple(readings)
        return fewest(some, self.limit(seat, some))

    def limit(self, seat: int, readings: Iterable[Reading]) -> int:
        """Return the maximum number of readings to keep for a hand."""
        whole = all(self.unseen(one, seat) == 0 for one in readings)
        return WHOLE_LIMIT if whole else LIMIT

    def going(
        self, seat: int, readings: Iterable[Reading], others: Sequence[Reading]
    ) -> Iterator[Reading]:
        """Return the readings of a hand that are compatible with at least one reading of the other
        hand. The two readings may not need the same copy. Once the stock is exhausted, the cards
        that have yet to be located must fit into the two hands."""
        return (one for one in readings if any(self._agree(seat, one, two) for two in others))

    def _agree(self, seat: int, one: Reading, two: Reading) -> bool:
        known = (*one.known_cards, *two.known_cards, *self._turned)
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
        """The turned-up card, while it is on the table."""
        return (self.turned_card,) if self.stock and self.turned_card is not None else ()

    def unseen(self, reading: Reading, seat: int) -> int:
        """Return the number of unseen cards in a hand, or 1 if hand sizes are unknown."""
        return 1 if self.sizes is None else self.sizes[seat - 1] - len(reading.cards)

    def unlocated(self, seat: int, card: Card) -> int:
        """Return the maximum number of copies of a card that have yet to be located."""
        left = self.spec.copies - self.played.count(card.plain)
        return left - min(
            sum(mine[:2] == card[:2] for mine in (*one.known_cards, *self._turned))
            + sum(held.card[:2] == card[:2] for held in other.cards)
            for one in self.hands[seat - 1]
            for other in self.hands[2 - seat]
        )

    def free(self, reading: Reading, seat: int, card: Card) -> bool:
        """Return whether a copy of this card has yet to be located, in this reading of one hand and
        any reading of the other. If the card names a copy, only that copy is considered."""
        left = self.spec.copies - self.played.count(card.plain)
        left -= sum(mine[:2] == card[:2] for mine in (*reading.known_cards, *self._turned))
        return any(
            sum(held.card[:2] == card[:2] for held in other.cards) < left
            and (card.copy is None or self._unused(reading, other, card))
            for other in self.hands[2 - seat]
        )

    def _unused(self, one: Reading, other: Reading, copy: Card) -> bool:
        """Return whether no other card in these readings of both hands is known to be this copy."""
        known = (*one.known_cards, *other.known_cards, *self._turned)
        return copy not in known and copy not in one.gone | other.gone

    def _same(self, reading: Reading, seat: int, held: Held, card: Card) -> bool:
        """Return whether a known card in a hand can be the card named in a line."""
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
        """Yield the cards in a hand that `card` can refer to, except those in `besides`: each known
        copy, and an unseen copy. Each is paired with the reading in which the card is known."""
        rest = list(reading.cards)
        for held in besides:
            rest.remove(held)
        again = bool(besides) and besides[-1].card.plain == card
        for held in dict.fromkeys(rest):
            # Cards that the line does not distinguish are tried in one order only.
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
        """Yield the possible sets of cards that several named cards can refer to, each with its
        reading.

        Args:
            reading: the reading of the hand.
            seat: the seat of the hand.
            cards: the cards that a line names. Equal cards must be adjacent.
            found: the choices for earlier cards.
            seen: whether to use only known cards.
        """
        if not cards:
            yield found, reading
            return
        for held, known in self.finds(reading, seat, cards[0], found):
            if not seen or known is reading:
                yield from self.finds_all(known, seat, cards[1:], (*found, held), seen=seen)


def fewest(readings: Iterable[Reading], limit: int = LIMIT) -> tuple[Reading, ...]:
    """Return the smallest equivalent set of readings for a hand, at most `limit` of them."""
    for known_less in simpler(readings):
        if len(known_less) <= MANY * limit and len(kept := _prune(known_less)) <= limit:
            return kept
    return _prune(known_less)


def simpler(readings: Iterable[Reading]) -> Iterator[tuple[Reading, ...]]:
    """Yield increasingly simple sets of readings: without duplicates, then without the names of
    copies, then with only the latest two melds, and finally without melds."""
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
    """Return the uses of a card that still matter: the melds that are complete on the table, or
    else a former marriage."""
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
    """Return the reading without the melds numbered up to `last`. `lost` contains the broken
    marriages that any card may then have been part of, so more lines become legal."""

    def kept(held: Held) -> Held:
        uses = frozenset(use for use in held.uses if use.number > last)
        married = any(use.pairs_again for use in uses)
        return held._replace(uses=uses if married else uses | lost)

    return replace(reading, lost=lost).holding(map(kept, reading.cards))


def bare(reading: Reading) -> Reading:
    """Return the reading without its melds, for use once no more melds are possible."""
    cards = (held._replace(uses=frozenset()) for held in reading.cards)
    return replace(reading, lost=frozenset()).holding(cards)


def _prune(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """Remove redundant readings."""
    kept: list[_Pruned] = []
    for reading in sorted(readings, key=_history):  # no later reading covers an earlier one
        cards = Counter(reading.cards)
        uses = frozenset[Use]().union(*(held.uses for held in cards))
        one = _Pruned(reading, cards, uses)
        if not any(covers(other, one) for other in kept):
            kept.append(one)
    return tuple(one.reading for one in kept)


def _history(reading: Reading) -> tuple[int, int]:
    """Return how much is known in a reading: the number of cards, and of their uses."""
    cards = reading.cards
    return len(cards), sum(len(held.uses) + held.scored for held in cards)


class _Pruned(NamedTuple):
    """A reading, with cached values that comparisons need repeatedly."""

    reading: Reading
    cards: Counter[Held]
    """The number of copies of each card in the reading."""
    uses: frozenset[Use]
    """The uses of all cards in the reading."""


def covers(wide: _Pruned, narrow: _Pruned) -> bool:
    """Return whether `wide` allows everything that `narrow` allows. `narrow` must have at least as
    much history as `wide`.

    It does so if the same cards have less history. It also does so if a card that is known in
    `narrow`, without its copy, is one of the unseen cards in `wide`. Any history that may allow a
    meld (`Use.pairs_again`) must be the same in both readings.
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
    # Two matchings, one for each side, can be combined into one matching for both sides (Mendelsohn
    # and Dulmage).
    return _all_paired(allowed) and _all_paired(shown)


def _allows(held: Held, other: Held) -> bool:
    """Return whether a card allows every line that the same card with more history allows."""
    return (
        held.card == other.card
        and held.uses <= other.uses
        and held.scored <= other.scored
        and _paired(held) == _paired(other)
    )


def _all_paired(rows: Sequence[Sequence[bool]]) -> bool:
    """Return whether each row can be matched with a different column in which the row is true
    (using augmenting paths)."""
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
