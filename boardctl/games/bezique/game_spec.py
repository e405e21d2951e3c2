"""The parameters of Bezique and its variants: pack, hand, values and table options.

Sources: docs/rules/bezique.md 0, 1 and 4.3; docs/rules/pinochle.md 0 and 1;
docs/rules/rubicon-bezique.md 8 and 9, docs/rules/six-pack-bezique.md 7 and 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import gcd
from typing import Final, Literal, NamedTuple, TypedDict, get_args

from boardctl.games import NamedTable, Option
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common.trick_deal import Duties, TrickSpec

STRENGTH: Final = (
    Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.NINE, Rank.EIGHT, Rank.SEVEN,
)  # fmt: skip
"""The ranks from strongest to weakest, in every suit (1.2)."""

COURTS: Final = frozenset({Rank.KING, Rank.QUEEN, Rank.JACK})
"""The ranks that a carte blanche does not contain."""
SHOWN: Final = 1
"""The state of a carte blanche that has been shown, if its player has not drawn since."""
DREW: Final = 2
"""The state of a carte blanche whose player has drawn a card that may continue it."""

COMMON_VALUES: Final = {
    "royal-marriage": 40,
    "marriage": 20,
    "four-aces": 100,
    "four-kings": 80,
    "four-queens": 60,
    "four-jacks": 40,
}
"""The values of melds that are the same in every game of the family (4.3)."""
GREAT_VALUES: Final = {
    **COMMON_VALUES,
    "sequence": 250,
    "plain-sequence": 150,
    "bezique": 40,
    "double-bezique": 500,
    "triple-bezique": 1500,
    "quadruple-bezique": 4500,
}
"""The values of declarations in the great Beziques (Rubicon 4, six-pack 3 to 5)."""
BEZIQUES: Final = ("bezique", "double-bezique", "triple-bezique", "quadruple-bezique")

NewCard = Literal["off", "on", "not-one-meld"]
Tie = Literal["draw", "extra_deal", "raise_target_500"]


BRISQUE: Final = 10
"""The value of an ace or a ten when brisques count."""


@dataclass(frozen=True, slots=True)
class Rubicon:
    """The settlement of a one-deal game, in points.

    line: a loser below it is rubiconed. bonus: added to the difference. price: added to the sum if
    the loser is rubiconed. brisques: whether brisques may break a tie or save the loser from the
    rubicon. below_100: the extra price of a loser below 100.
    """

    line: int
    bonus: int
    price: int
    brisques: bool
    below_100: int = 0


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """The table's options; the defaults are plain Bezique.

    call_out: the target ends the game at once, and players may claim that their tricks have taken
        them there; wrong_out_loses: a wrong call loses the game.
    strict, head: the duties of the last tricks (`Duties`; 3.1, 3.3; Pinochle 1.5).
    last_draw_meld: a meld after the last trick before the stock is gone (E6).
    seven_*: when the lowest trump may be declared (5.2, 5.3), whether it replaces the turn's meld,
        whether it still counts after the stock is gone, and whether one card may score twice (5.5).
    exchanged_melds: the card taken for a seven may be part of the same turn's meld (E5).
    renewable: a combination scores again once a card of it was played and replaced (Rubicon 6).
    blanche_repeat: a carte blanche continues with the cards drawn (Rubicon 3).
    no_repeat_trump: the last game's trumps cannot be this one's (six-pack 8).
    cut_bonus: the dealer's points for lifting the right number of cards, and the opponent's for
        guessing it (six-pack 2). rubicon: how one deal is settled as a game; None if the game has a
        target.
    """

    target: int | None = 1000
    tie: Tie = "draw"
    double_below: int = 0
    call_out: bool = False
    wrong_out_loses: bool = True
    strict: bool = True
    head: bool = True
    last_draw_meld: bool = True
    seven_on_win: bool = True
    seven_any_time: bool = True
    seven_exchange: bool = True
    seven_is_meld: bool = False
    seven_late: bool = True
    seven_twice: bool = False
    double_after_singles: bool = True
    exchanged_melds: bool = True
    new_card: NewCard = "off"
    distinct_fours: bool = False
    marriage_after_sequence: bool = False
    round_tens: bool = False
    both_raise: bool = False
    renewable: bool = False
    bezique_by_trump: bool = False
    blanche_repeat: bool = True
    no_repeat_trump: bool = False
    cut_bonus: tuple[int, int] | None = None
    rubicon: Rubicon | None = None
    values: Mapping[str, int] = field(default_factory=dict)

    @property
    def duties(self) -> Duties:
        return Duties(strict=self.strict, head=self.head)


class Changes(TypedDict, total=False):
    """The `RuleOptions` that a choice of the table changes. `values` are added to those of the
    game."""

    target: int
    tie: Tie
    double_below: int
    call_out: bool
    wrong_out_loses: bool
    strict: bool
    head: bool
    last_draw_meld: bool
    seven_on_win: bool
    seven_any_time: bool
    seven_exchange: bool
    seven_is_meld: bool
    seven_late: bool
    seven_twice: bool
    double_after_singles: bool
    exchanged_melds: bool
    new_card: NewCard
    distinct_fours: bool
    marriage_after_sequence: bool
    round_tens: bool
    both_raise: bool
    bezique_by_trump: bool
    blanche_repeat: bool
    no_repeat_trump: bool
    cut_bonus: tuple[int, int]
    rubicon: Rubicon
    values: Mapping[str, int]


class Rule(NamedTuple):
    """An option of the table, and the changes that each of its values makes to `RuleOptions`.

    name: the name of the option. values: the changes by value, default first. only_if: as in
    `Option`.
    """

    name: str
    values: Mapping[str, Changes]
    only_if: tuple[str, str] | None = None

    @property
    def option(self) -> Option:
        """The option as the table is asked for it."""
        (default, *_) = values = tuple(self.values)
        return Option(self.name, default, values, only_if=self.only_if)


def switch(name: str, changed: str, changes: Changes, default: str = "off") -> Rule:
    """Return a rule with two values. The second value makes the changes."""
    return Rule(name, {default: {}, changed: changes})


TARGET: Final = Rule("target", {"1000": {}, "1500": {}, "2000": {}})
ENDGAME: Final = switch("endgame_rule", "follow_only", {"strict": False}, "strict")
LAST_DRAW: Final = switch("last_draw_meld", "forbidden", {"last_draw_meld": False}, "allowed")
DOUBLE_WIN: Final = switch("double_win_below_500", "on", {"double_below": 500})
TIE: Final = Rule("tie_rule", {name: {"tie": name} for name in get_args(Tie)})
SEVEN_METHOD: Final = Rule(
    "seven_method",
    {
        "either": {},
        "exchange_only": {"seven_any_time": False},
        "no_exchange": {"seven_exchange": False, "seven_on_win": False},
    },
)
"""One of six rules that the games played to a target share."""
GREAT_RULES: Final = (
    switch("bezique_suits", "trump_queen", {"bezique_by_trump": True}, "fixed"),
    switch("carte_blanche_repeat", "off", {"blanche_repeat": False}, "on"),
)
"""The rules that the great Beziques share."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameSpec(TrickSpec):
    """The parameters of one game.

    hand: cards dealt to each. trick_points: by rank, awarded with the reason `trick_reason`. seven:
    the rank that is declared and exchanged, or None if there is none. turned: whether a card is
    turned for trumps. counts_last: whether `count` includes the last trick. beziques: the names of
    a single, double, triple … bezique. rules: the table's choices; if two rules change the same
    field, the first wins. base: the rules of a table without choices.
    tables: the named tables.
    """

    name: str
    source: str
    hand: int
    trick_points: Mapping[Rank, int]
    trick_reason: str
    last_trick: int
    rules: tuple[Rule, ...]
    base: RuleOptions
    beziques: tuple[str, ...]
    seven: Rank | None
    turned: bool = True
    counts_last: bool = True
    tables: tuple[NamedTable, ...] = ()

    def __post_init__(self) -> None:
        TrickSpec.__post_init__(self)
        object.__setattr__(self, "tricks", {2: self.size // 2})

    def rule_options(self, options: Mapping[str, str]) -> RuleOptions:
        """Return the rules that the table has agreed on, from the values of its options."""
        changes: Changes = {}
        for rule in reversed(self.rules):
            changes |= rule.values.get(options[rule.name], {})
        if self.base.target is not None:
            changes["target"] = int(options["target"])
        changes["values"] = {**self.base.values, **changes.get("values", {})}
        return replace(self.base, **changes)

    @property
    def stock(self) -> int:
        """The number of cards drawn in a deal, including the turned-up card."""
        return self.size - 2 * self.hand

    @property
    def trick_total(self) -> int:
        """All trick points of a deal, including the last trick: 170 in Bezique, 250 in Pinochle."""
        each = sum(self.trick_points.get(rank, 0) for rank in self.plain)
        return each * len(Suit) * self.copies + self.last_trick * self.counts_last

    def worth(self, card: Card) -> int:
        """Return the trick points of a card."""
        return 0 if card.rank is None else self.trick_points.get(card.rank, 0)

    @property
    def granule(self) -> int:
        """The greatest common divisor of the points that a trick can score: 10 in Bezique, 1 in
        Pinochle. In six-pack Bezique, only the last trick scores, so the divisor is its value."""
        return gcd(self.last_trick, *self.trick_points.values())
