"""Melds: their values, and whether particular cards may be declared.

A kind of meld belongs to a group and has a level in that group. Marriage and sequence form one
group. Single, double and higher beziques form another group. Each four of a kind is a group of its
own. A card may be reused at a higher level of the same group, but not twice at one level. In other
groups, the card may be used freely.

Sources: docs/rules/bezique.md 4, docs/rules/pinochle.md 1.6 and 1.7, docs/rules/rubicon-bezique.md
4 and 6, docs/rules/six-pack-bezique.md 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

from boardctl.games.bezique.game_spec import GameSpec, RuleOptions
from boardctl.games.bezique.readings import BEZIQUE, Held, Use
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common.trick_deal import Cards

LADDER: Final = "ladder"
SEQUENCE: Final = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK)
MARRIAGE: Final = (Rank.KING, Rank.QUEEN)
FOURS: Final = {
    Rank.ACE: "aces", Rank.TEN: "tens", Rank.KING: "kings", Rank.QUEEN: "queens",
    Rank.JACK: "jacks",
}  # fmt: skip
_BY_TRUMP: Final = {
    Suit.HEARTS: Suit.CLUBS, Suit.DIAMONDS: Suit.SPADES, Suit.CLUBS: Suit.HEARTS,
    Suit.SPADES: Suit.DIAMONDS,
}  # fmt: skip
"""The suit of the jack that pairs with the queen of trumps, by trump suit (six-pack 6)."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of meld."""

    name: str
    """The reason of its award."""
    points: int
    group: str
    level: int
    sets_trump: Suit | None = None
    """The suit that the meld makes trumps, or None. Only the first marriage or sequence in a game
    without a turned-up card sets trumps."""


def bezique_pair(options: RuleOptions, trump: Suit | None) -> tuple[Card, Card] | None:
    """Return the queen and jack that form a bezique. They are the queen of spades and the jack of
    diamonds (E10), unless an option makes them depend on trumps. In that case, return None until
    the trump suit is known."""
    suits: tuple[Suit, Suit] = (Suit.SPADES, Suit.DIAMONDS)
    if options.bezique_by_trump:
        if trump is None:
            return None
        suits = trump, _BY_TRUMP[trump]
    return Card(Rank.QUEEN, suits[0]), Card(Rank.JACK, suits[1])


_Shape = tuple[str, str, int, Cards, Suit | None]
"""The name, group, level and cards of a meld, and the suit that it makes trumps."""


def _fours(options: RuleOptions, trump: Suit | None) -> Iterator[_Shape]:
    """Yield every four of a kind. If four trumps of one rank have a separate value, yield these as
    a separate meld."""
    for rank, name in FOURS.items():
        for suits in combinations_with_replacement(Suit, 4):
            four = tuple(Card(rank, suit) for suit in suits)
            if set(suits) == {trump} and f"four-trump-{name}" in options.values:
                yield f"four-trump-{name}", name, 2, four, None
            elif len(set(suits)) == 4 or not options.distinct_fours:
                yield f"four-{name}", name, 1, four, None


def _beziques(spec: GameSpec, pair: tuple[Card, Card]) -> list[_Shape]:
    """Return the single, double, triple and higher beziques."""
    return [
        (name, BEZIQUE, count, (pair[0],) * count + (pair[1],) * count, None)
        for count, name in enumerate(spec.beziques, 1)
    ]


def kinds(
    spec: GameSpec, options: RuleOptions, trump: Suit | None, no_trump: Suit | None = None
) -> Iterator[tuple[Kind, Cards]]:
    """Yield every meld (4.3) with its cards, most valuable first.

    Args:
        spec: the parameters of the game.
        options: the rules of the table.
        trump: the trump suit, or None before it is known.
        no_trump: the suit that cannot become trumps.
    """
    shapes: list[_Shape] = []
    ladders: list[_Shape] = []
    for suit in sorted(Suit, key=lambda suit: suit != trump):
        sets = suit if trump is None and not spec.turned and suit != no_trump else None
        royal = suit in (trump, sets)
        sequence, marriage = (
            tuple(Card(rank, suit) for rank in ranks) for ranks in (SEQUENCE, MARRIAGE)
        )
        shapes.append(("sequence" if royal else "plain-sequence", LADDER, 2, sequence, sets))
        ladders.append(("royal-marriage" if royal else "marriage", LADDER, 1, marriage, sets))
    shapes += _fours(options, trump)
    pair = bezique_pair(options, trump)
    if pair is not None:
        beziques = _beziques(spec, pair)
        shapes = [*beziques[:0:-1], *shapes, beziques[0]]
    for name, group, level, cards, sets in (*shapes, *ladders):
        if name in options.values:
            yield Kind(name, options.values[name], group, level, sets), cards


def classify(
    spec: GameSpec,
    options: RuleOptions,
    cards: Cards,
    trump: Suit | None,
    no_trump: Suit | None = None,
) -> Kind | None:
    """Return the kind of meld that the cards form, or None if they form none."""
    wanted = sorted(card.plain for card in cards)
    found = kinds(spec, options, trump, no_trump)
    return next((kind for kind, shape in found if sorted(shape) == wanted), None)


def declarations(spec: GameSpec, options: RuleOptions) -> tuple[int, ...]:
    """Return the possible values of a single declaration, for use with `peg`."""
    seven = () if spec.seven is None else (10,)
    return tuple(sorted({*options.values.values(), *seven}))


def forbids(
    options: RuleOptions, kind: Kind, cards: tuple[Held, ...], hand: tuple[Held, ...] | None
) -> str | None:
    """Return the code for the reason why these cards cannot be declared as this kind, or None if
    they can.

    `hand` is the hand that contains the cards. It is None if the cards played are not entered,
    because any card of an earlier meld may then have been played.
    """
    if options.renewable:
        return _stands(kind, cards, hand) if hand is not None else _the_same(kind, cards)
    if any(_bars(options, use, kind) for held in cards for use in held.uses):
        return "meld-reuse"
    return "meld-needs-new-card" if _lacks_new_card(options, kind, cards) else None


def _bars(options: RuleOptions, use: Use, kind: Kind) -> bool:
    """Return whether an earlier meld of a card excludes it from a meld of this kind."""
    higher = use.level > kind.level and not options.marriage_after_sequence
    return use.group == kind.group and (use.level == kind.level or higher)


def _lacks_new_card(options: RuleOptions, kind: Kind, cards: tuple[Held, ...]) -> bool:
    """Return whether the table requires a card that is not yet in a meld, and these cards do not
    include one."""
    doubled = kind.group == BEZIQUE and kind.level > 1
    spent = all(any(use.group == BEZIQUE for use in held.uses) for held in cards)
    return (doubled and spent and not options.double_after_singles) or _all_lie(options, cards)


def _all_lie(options: RuleOptions, cards: tuple[Held, ...]) -> bool:
    """Return whether all these cards are already in melds or, with an option, in a single meld."""
    if options.new_card == "on":
        return all(held.uses for held in cards)
    numbers = (frozenset(use.number for use in held.uses) for held in cards)
    return options.new_card == "not-one-meld" and bool(frozenset[int].intersection(*numbers))


def _stands(kind: Kind, cards: tuple[Held, ...], hand: tuple[Held, ...]) -> str | None:
    """Return the code of a refusal under the rules of the great Beziques (Rubicon 6), or None.

    A combination that is still complete on the table cannot score again, nor can its cards form a
    lower meld. Once one of its cards has been played, the other cards are free. After a card of one
    marriage has been played, two marriages of one suit may be paired anew.
    """
    standing = _standing(hand)
    mine = [use for held in cards for use in held.uses if use.group == kind.group]
    if not any(use in standing and use.level >= kind.level for use in mine):
        return None
    is_marriage = kind.group == LADDER and kind.level == 1
    higher = any(use in standing and use.level > 1 for use in mine)
    return None if is_marriage and not higher and _re_paired(cards, standing) else "meld-standing"


def _standing(hand: tuple[Held, ...]) -> set[Use]:
    """Return the combinations of a hand that are still complete on the table, as `Use` objects."""
    lying = Counter(use for held in hand for use in held.uses)
    return {use for use, count in lying.items() if count == use.size}


def _re_paired(cards: tuple[Held, ...], standing: set[Use]) -> bool:
    """Return whether a king and queen from two marriages form a new marriage, because the partner
    of one of them has been played."""
    pairs = [{use for use in held.uses if use.group == LADDER and use.level == 1} for held in cards]
    widowed = any(uses and not uses & standing for uses in pairs)
    return all(pairs) and widowed and not set.intersection(*pairs) & standing


def _the_same(kind: Kind, cards: tuple[Held, ...]) -> str | None:
    """Return the code of a refusal under the rules in `_stands` if the cards played are not
    entered, or None. Only combinations that are complete among these cards are barred."""
    shared = frozenset[Use].intersection(*(held.uses for held in cards))
    if any(use.size and use.group == kind.group and use.level >= kind.level for use in shared):
        return "meld-standing"
    return None


def lay(options: RuleOptions, held: Held, kind: Kind, number: int, size: int) -> Held:
    """Return a card after it has been used in a meld.

    Args:
        options: the rules of the table.
        held: the card.
        kind: the kind of meld.
        number: the number of the meld in the deal. It is stored only if the rules depend on the
            other cards of the meld.
        size: the number of cards in the meld.
    """
    together = options.renewable or options.new_card == "not-one-meld"
    again = options.renewable and kind.group == LADDER and kind.level == 1
    use = Use(kind.group, kind.level, number if together else 0, size, again)
    return Held(held.card, held.uses | {use}, held.scored)
