"""The parameters of Bezique and its variants: pack, hand size, values and table options.

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
    """The settlement of a one-deal game, in points."""

    line: int
    """The score below which the loser is rubiconed."""
    bonus: int
    """The points added to the difference of the scores."""
    price: int
    """The points added to the sum of the scores if the loser is rubiconed."""
    brisques: bool
    """Whether brisques may break a tie or save the loser from the rubicon."""
    below_100: int = 0
    """The additional price for a loser below 100."""


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """The rules that a table has agreed on. The defaults are those of plain Bezique."""

    target: int | None = 1000
    tie: Tie = "draw"
    double_below: int = 0
    """The score below which a loser loses a double game."""
    call_out: bool = False
    """Whether the target ends the game at once. Players may then claim that their tricks have taken
    them to the target."""
    wrong_out_loses: bool = True
    """Whether a wrong claim loses the game."""
    strict: bool = True
    """As in `Duties`, in the last tricks (3.1, 3.3; Pinochle 1.5)."""
    head: bool = True
    """As in `Duties`, in the last tricks."""
    last_draw_meld: bool = True
    """Whether the winner of the last trick before the stock is exhausted may meld (E6)."""
    seven_on_win: bool = True
    """Whether the lowest trump may be declared after a won trick (5.2, 5.3)."""
    seven_any_time: bool = True
    """Whether the lowest trump in hand may be declared at any time (5.2, 5.3)."""
    seven_exchange: bool = True
    """Whether the lowest trump may be exchanged for the turned-up card."""
    seven_is_meld: bool = False
    """Whether declaring the lowest trump replaces the meld of the turn."""
    seven_late: bool = True
    """Whether the lowest trump still counts once the stock is exhausted."""
    seven_twice: bool = False
    """Whether the same card may score twice as the lowest trump (5.5)."""
    double_after_singles: bool = True
    exchanged_melds: bool = True
    """Whether the card taken for a seven may be part of a meld in the same turn (E5)."""
    new_card: NewCard = "off"
    distinct_fours: bool = False
    marriage_after_sequence: bool = False
    round_tens: bool = False
    both_raise: bool = False
    renewable: bool = False
    """Whether a combination scores again after a card of it was played and replaced (Rubicon 6)."""
    bezique_by_trump: bool = False
    blanche_repeat: bool = True
    """Whether a carte blanche continues with the drawn cards (Rubicon 3)."""
    no_repeat_trump: bool = False
    """Whether the trump suit of the last game cannot be trumps again (six-pack 8)."""
    cut_bonus: tuple[int, int] | None = None
    """The dealer's points for lifting the right number of cards, and the opponent's points for
    guessing it (six-pack 2), or None."""
    rubicon: Rubicon | None = None
    """The settlement of a one-deal game, or None if the game has a target."""
    values: Mapping[str, int] = field(default_factory=dict)

    @property
    def duties(self) -> Duties:
        return Duties(strict=self.strict, head=self.head)


class Changes(TypedDict, total=False):
    """The changes that a chosen option value makes to `RuleOptions`."""

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
    """The values to add to those of the game."""


class Rule(NamedTuple):
    """An option of the table, and the changes that each of its values makes to `RuleOptions`."""

    name: str
    """The name of the option."""
    values: Mapping[str, Changes]
    """The changes by value, default first."""
    only_if: tuple[str, str] | None = None
    """As in `Option`."""

    @property
    def option(self) -> Option:
        """The option to offer to the players."""
        (default, *_) = values = tuple(self.values)
        return Option(self.name, default, values, only_if=self.only_if)


def switch(name: str, changed: str, changes: Changes, default: str = "off") -> Rule:
    """Return a rule with two values.

    Args:
        name: the name of the option.
        changed: the value that makes the changes.
        changes: the changes to `RuleOptions`.
        default: the value that changes nothing.
    """
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
    """The parameters of one game."""

    name: str
    source: str
    hand: int
    """The number of cards dealt to each player."""
    trick_points: Mapping[Rank, int]
    """The points of each rank in a trick, awarded with the reason `trick_reason`."""
    trick_reason: str
    last_trick: int
    rules: tuple[Rule, ...]
    """The choices of the table. If two rules change the same field, the first rule wins."""
    base: RuleOptions
    """The rules of a table that makes no choices."""
    beziques: tuple[str, ...]
    """The names of a single, double, triple and higher bezique."""
    seven: Rank | None
    """The rank that is declared and exchanged, or None."""
    turned: bool = True
    """Whether a card is turned up for trumps."""
    counts_last: bool = True
    """Whether `count` includes the last trick."""
    tables: tuple[NamedTable, ...] = ()
    """The named tables."""

    def __post_init__(self) -> None:
        TrickSpec.__post_init__(self)
        object.__setattr__(self, "tricks", {2: self.size // 2})

    def rule_options(self, options: Mapping[str, str]) -> RuleOptions:
        """Return the rules that the table has agreed on, given the values of its options."""
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
        Pinochle. In six-pack Bezique, only the last trick scores, so the divisor is the value of
        that trick."""
        return gcd(self.last_trick, *self.trick_points.values())
