"""The points of a hand in Costly Colours, which is three cards and the starter.

Source: docs/rules/costly-colours.md 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple

from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common import suits
from boardctl.games.common.suits import Question
from boardctl.games.common.to_31 import ALIKE, VALUE, Item
from boardctl.games.costly_colours.mogging import HONOURS, honour

SUMS: Final = (15, 25, 31)
REASONS: Final = {15: "fifteen", 25: "twenty-five", 31: "thirty-one"}
HIGH_PAIRS: Final = {2: ("pair", 2), 3: ("pair-royal", 9), 4: ("double-pair-royal", 18)}

Colours = Literal[
    "none", "three-colour", "three-suit", "four-colour", "four-colour-three-suit", "costly"
]
COLOURS: Final[tuple[Colours, ...]] = (
    "none",
    "three-colour",
    "three-suit",
    "four-colour",
    "four-colour-three-suit",
    "costly",
)
RIGHT: Final = ("right 0", "right 1", "right 2")
WORDS: Final = (*COLOURS, *RIGHT)
_RED: Final = frozenset({Suit.HEARTS, Suit.DIAMONDS})

_IMPOSSIBLE: Final[Mapping[tuple[str, str, str], tuple[int, ...]]] = {
    ("9_18", "on", "full"): (1, 29, 31, 33, 35),
    ("9_18", "on", "none"): (1, 27, 29, 31, 33, 35),
    ("9_18", "off", "full"): (1, 27, 29, 31),
    ("9_18", "off", "none"): (1, 27, 29, 31),
    ("6_12", "on", "full"): (1, 30, 32),
    ("6_12", "on", "none"): (1, 28, 30, 32),
    ("6_12", "off", "full"): (1, 27),
    ("6_12", "off", "none"): (1, 26),
}
"""The impossible values of a hand, by the options `pairs`, `jd_pairs` and `colour_four`. All values
above the last are impossible too (7.7)."""


class Scale(NamedTuple):
    """The scores that depend on options."""

    pairs: Mapping[int, tuple[str, int]]
    """The reason and the points by the number of cards of one rank."""
    honour_pairs: bool
    """Whether jacks and deuces also form pairs."""
    colours: Mapping[str, int]
    """The points by the class of the suits of the four cards."""


def hand_values(options: Mapping[str, str]) -> frozenset[int]:
    """Return all values that a hand can have under these options."""
    never = _IMPOSSIBLE[options["pairs"], options["jd_pairs"], options["colour_four"]]
    return frozenset(range(never[-1])) - {*never}


def scale(options: Mapping[str, str]) -> Scale:
    """Return the scale for these option values."""
    full = options["colour_four"] == "full"
    return Scale(
        HIGH_PAIRS if options["pairs"] == "9_18" else ALIKE,
        options["jd_pairs"] == "on",
        dict(zip(COLOURS, (0, 2, 3, 4 if full else 2, 5 if full else 3, 6), strict=True)),
    )


class Reading(NamedTuple):
    """The aspects of a hand's and starter's suits that score: the colours, and the jacks and deuces
    with their points."""

    colours: Colours
    honours: tuple[tuple[Card, int], ...]

    @property
    def honour_points(self) -> int:
        return sum(points for _, points in self.honours)


def questions(by: Scale) -> tuple[Question[Reading], ...]:
    """Return the questions that may need an answer: the colours of the cards, and the number of
    jacks and deuces of the starter's suit."""
    return (
        Question("colours", COLOURS, lambda r: r.colours, lambda r: by.colours[r.colours]),
        Question(
            "right",
            RIGHT,
            lambda r: RIGHT[sum(points == 4 for _, points in r.honours)],
            lambda r: r.honour_points,
        ),
    )


def colours(cards: Sequence[Card]) -> Colours:
    """Return the best colours of the four cards (5.2). The suits must be known."""
    found = [card.suit for card in cards]
    suit = max(found.count(some) for some in set(found))
    red = sum(some in _RED for some in found)
    if suit == 4:
        return "costly"
    if red in (0, 4):
        return "four-colour-three-suit" if suit == 3 else "four-colour"
    if suit == 3:
        return "three-suit"
    return "three-colour" if red in (1, 3) else "none"


def readings(
    hand: Sequence[Card], starter: Card, mogged: Card | None, worth: int
) -> tuple[Reading, ...]:
    """Return all possible readings of the suits in a fixed order. If the suits are known, there is
    only one reading.

    Args:
        hand: the three cards.
        starter: the starter.
        mogged: the card in the hand that its giver scored for, `?` if it was not seen, or None if
            there is no such card.
        worth: the giver's score for that card.

    Raises:
        IllegalMove: `contradicts` if no card of the hand fits this score.
    """
    found: dict[Reading, None] = {}
    for cards in suits.assignments((*hand, starter)):
        *own, turned = cards
        worths = [(said, honour(card, turned)) for said, card in zip(hand, own, strict=True)]
        counting = [(card, points) for card, points in worths if points]
        if worth:
            taken = next(
                (
                    n
                    for n, (card, points) in enumerate(counting)
                    if points == worth and (mogged is None or card.matches(mogged))
                ),
                None,
            )
            if taken is None:
                continue
            counting.pop(taken)
        found[Reading(colours(cards), tuple(counting))] = None
    return tuple(found)


def count(hand: Sequence[Card], starter: Card, reading: Reading, by: Scale) -> tuple[Item, ...]:
    """Return every scoring combination: 15, 25 and 31, jacks and deuces, pairs, and colours.

    Args:
        hand: the three cards.
        starter: the starter.
        reading: the suits as far as they score.
        by: the scores that depend on options.
    """
    cards = (*hand, starter)
    items = [
        Item(REASONS[total], some, len(some))
        for size in (2, 3, 4)
        for some in combinations(cards, size)
        if (total := sum(VALUE[card.rank] for card in some)) in SUMS
    ]
    for card, points in reading.honours:
        items.append(Item("jack" if card.rank is Rank.JACK else "deuce", (card,), points))
    for rank in dict.fromkeys(card.rank for card in cards):
        alike = tuple(card for card in cards if card.rank == rank)
        if len(alike) > 1 and (by.honour_pairs or rank not in HONOURS):
            reason, points = by.pairs[len(alike)]
            items.append(Item(reason, alike, points))
    if by.colours[reading.colours]:
        items.append(Item("colours", cards, by.colours[reading.colours]))
    return tuple(items)
