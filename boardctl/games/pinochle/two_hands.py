"""Pinochle for two: a relative of Bezique with its own pack and values.

Source: docs/rules/pinochle.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from boardctl.games import Option
from boardctl.games.bezique.game_spec import (
    COMMON_VALUES,
    GameSpec,
    Heading,
    NewCard,
    RuleOptions,
    to_target,
)
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.cards import Rank
from boardctl.games.pinochle.tricks import LAST_TRICK, RANKS, TRADITIONAL

VALUES: Final = {**COMMON_VALUES, "sequence": 150, "pinochle": 40}
"""The value of a meld (1.6); the double pinochle is an option."""
OPTIONS: Final = (
    Option("target", "1000", ("1000", "1500", "2000")),
    Option("endgame_head", "trump_lead_only", ("trump_lead_only", "always")),
    Option("endgame_rule", "strict", ("strict", "follow_only")),
    Option("new_card_from_hand", "on", ("on", "off", "not_all_from_one_meld")),
    Option("four_kinds", "distinct", ("distinct", "any")),
    Option("double_pinochle", "off", ("off", "300", "80")),
    Option("dix_timing", "trick_win", ("trick_win", "any_time")),
    Option("seven_method", "either", ("either", "exchange_only", "no_exchange")),
    Option("last_draw_meld", "allowed", ("allowed", "forbidden")),
    Option("marriage_after_sequence", "off", ("off", "on")),
    Option("round_trick_points", "off", ("off", "nearest_10")),
    Option("double_win_below_500", "off", ("off", "on")),
    Option("tie_rule", "draw", ("draw", "extra_deal", "raise_target_500")),
    Option("both_reach", "higher", ("higher", "raise_250")),
    Option("end", "deal_end", ("deal_end", "call_out")),
    Option("wrong_out", "loses", ("loses", "goes_on"), only_if=("end", "call_out")),
)
_HEADING: Final[Mapping[str, Heading]] = {"trump_lead_only": "trumps", "always": "always"}
_NEW_CARD: Final[Mapping[str, NewCard]] = {
    "on": "on",
    "off": "off",
    "not_all_from_one_meld": "not-one-meld",
}


def rule_options(options: Mapping[str, str]) -> RuleOptions:
    """The options as the table agreed them (rules 0)."""
    double = options["double_pinochle"]
    method, any_time = options["seven_method"], options["dix_timing"] == "any_time"
    shared = to_target(
        options, VALUES if double == "off" else {**VALUES, "double-pinochle": int(double)}
    )
    return replace(
        shared,
        call_out=options["end"] == "call_out",
        wrong_out_loses=options["wrong_out"] == "loses",
        heading=_HEADING[options["endgame_head"]] if shared.trumping else "never",
        seven_on_win=method != "no_exchange" or not any_time,
        seven_any_time=any_time and method != "exchange_only",
        new_card=_NEW_CARD[options["new_card_from_hand"]],
        distinct_fours=options["four_kinds"] == "distinct",
        marriage_after_sequence=options["marriage_after_sequence"] == "on",
        both_raise=options["both_reach"] == "raise_250",
        round_tens=options["round_trick_points"] == "nearest_10",
    )


TWO_HANDS: Final = BeziqueGame(
    GameSpec(
        name="pinochle",
        source="named by Akagiri, “Bezique”; rules after Bicycle, Britannica (1911) and others",
        ranks=RANKS,
        copies=2,
        hand=12,
        trick_points=TRADITIONAL,
        trick_reason="counters",
        last_trick=LAST_TRICK,
        options=OPTIONS,
        rule_options=rule_options,
        beziques=("pinochle", "double-pinochle"),
        seven=Rank.NINE,
    )
)
