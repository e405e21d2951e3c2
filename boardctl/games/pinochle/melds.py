"""The Pinochle pack, card values and melds, and the differences between two-handed Pinochle and
Bezique.

Sources: docs/rules/pinochle.md 0 and 1, docs/rules/pinochle-3-4.md 1, 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from boardctl.games.bezique import melds as bezique
from boardctl.games.bezique.game_spec import (
    COMMON_VALUES,
    DOUBLE_WIN,
    ENDGAME,
    LAST_DRAW,
    SEVEN_METHOD,
    TARGET,
    TIE,
    GameSpec,
    Rule,
    RuleOptions,
    switch,
)
from boardctl.games.cards import Card, Rank, Suit, parse_cards
from boardctl.games.common.trick_deal import Cards, TrickSpec

RANKS: Final = tuple(card.rank for card in parse_cards("A T K Q J 9") if card.rank is not None)
"""The ranks, strongest first."""
PACK: Final = tuple(Card(rank, suit) for suit in Suit for rank in RANKS)
"""The distinct cards. The pack contains each card twice."""
SPEC: Final = TrickSpec(plain=RANKS, copies=2, tricks={3: 15, 4: 12}, pack=PACK)
TRADITIONAL: Final = {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2}
"""The value of each rank in a trick."""
MODERN: Final = {Rank.ACE: 10, Rank.TEN: 10, Rank.KING: 10}
LAST_TRICK: Final = 10
ALL: Final = 250
"""The trick points of a deal, including the last trick."""


VALUES: Final = {**COMMON_VALUES, "sequence": 150, "pinochle": 40}
"""The value of each meld. The two-handed game uses the same values (docs/rules/pinochle.md 1.6)."""
DOUBLE: Final = {
    "sequence": 1500,
    "pinochle": 300,
    "four-aces": 1000,
    "four-kings": 800,
    "four-queens": 600,
    "four-jacks": 400,
}
"""The optional value of two equal melds. Other double melds are worth twice the single meld."""
DIX: Final = 10

_RULES: Final = (
    TARGET,
    switch("endgame_head", "always", {"head": True}, "trump_lead_only"),
    ENDGAME,
    Rule(
        "new_card_from_hand",
        {
            "on": {},
            "off": {"new_card": "off"},
            "not_all_from_one_meld": {"new_card": "not-one-meld"},
        },
    ),
    switch("four_kinds", "any", {"distinct_fours": False}, "distinct"),
    Rule(
        "double_pinochle",
        {"off": {}, **{n: {"values": {"double-pinochle": int(n)}} for n in ("300", "80")}},
    ),
    Rule(
        "dix_timing",
        {"trick_win": {"seven_any_time": False, "seven_on_win": True}, "any_time": {}},
    ),
    SEVEN_METHOD,
    LAST_DRAW,
    switch("marriage_after_sequence", "on", {"marriage_after_sequence": True}),
    switch("round_trick_points", "nearest_10", {"round_tens": True}),
    DOUBLE_WIN,
    TIE,
    switch("both_reach", "raise_250", {"both_raise": True}, "higher"),
    switch("end", "call_out", {"call_out": True}, "deal_end"),
    Rule(
        "wrong_out",
        {"loses": {}, "goes_on": {"wrong_out_loses": False}},
        only_if=("end", "call_out"),
    ),
)

TWO_HANDS: Final = GameSpec(
    name="pinochle",
    source="named by Akagiri, “Bezique”; rules after Bicycle, Britannica (1911) and others",
    plain=RANKS,
    copies=2,
    hand=12,
    trick_points=TRADITIONAL,
    trick_reason="counters",
    last_trick=LAST_TRICK,
    rules=_RULES,
    base=RuleOptions(head=False, new_card="on", distinct_fours=True, values=VALUES),
    beziques=("pinochle", "double-pinochle"),
    seven=Rank.NINE,
)
"""The parameters of two-handed Pinochle."""


class Meld(NamedTuple):
    """One or more melds of one kind."""

    name: str
    group: str
    """The group of the meld. A card counts only once in each group."""
    times: int
    points: int
    cards: tuple[Card, ...]
    """The cards of one meld."""


@cache
def kinds(trump: Suit) -> tuple[tuple[str, str, Cards], ...]:
    """Return the name, group (`Meld.group`) and cards of every meld for this trump suit: the melds
    of the two-handed game, and the dix."""
    found = bezique.kinds(TWO_HANDS, TWO_HANDS.base, trump)
    with_two = tuple((kind.name, kind.group, cards) for kind, cards in found)
    return (*with_two, ("dix", "dix", (Card(Rank.NINE, trump),)))


def melds(cards: Iterable[Card], trump: Suit, *, double: bool) -> tuple[Meld, ...]:
    """Return the set of melds in these cards that has the highest total value (1.3, 1.4).

    Args:
        cards: the cards.
        trump: the trump suit.
        double: whether two equal melds have a separate value.
    """
    held = Counter(card.plain for card in cards)
    found: list[Meld] = []
    for name, group, lying in kinds(trump):
        times = min(held[card] for card in lying)
        if name == "royal-marriage":  # except with the king and queen of a sequence
            times -= sum(meld.times for meld in found if meld.name == "sequence")
        if times > 0:
            worth = VALUES.get(name, DIX) * times
            if times == 2 and double:
                worth = DOUBLE.get(name, worth)
            found.append(Meld(name, group, times, worth, lying))
    return tuple(found)


def joined(found: Iterable[Meld], trump: Suit, *, double: bool) -> tuple[Meld, ...]:
    """Return the melds of several lines together. Two equal melds are joined into a double meld, so
    that the value does not depend on how many lines were used.

    Args:
        found: the melds of all lines.
        trump, double: as for `melds`.
    """
    kinds: dict[tuple[str, Cards], Meld] = {}
    for one in found:
        twin = kinds.get((one.name, one.cards))
        if twin is not None:
            both = melds(one.cards * (one.times + twin.times), trump, double=double)
            one = next(meld for meld in both if meld.name == one.name)
        kinds[one.name, one.cards] = one
    return tuple(kinds.values())


def points(found: Iterable[Meld]) -> int:
    """Return the total value of melds."""
    return sum(meld.points for meld in found)


def used(found: Iterable[Meld]) -> Counter[Card]:
    """Return the number of copies of each card that the melds require: the maximum over the groups
    of melds."""
    groups: dict[str, Counter[Card]] = {}
    for meld in found:
        count = groups.setdefault(meld.group, Counter())
        for card in meld.cards:
            count[card] += meld.times
    total: Counter[Card] = Counter()
    for count in groups.values():
        total |= count
    return total
