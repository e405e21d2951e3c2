"""Bezique and its relatives: games with several packs, tricks, melds and a stock to draw from.

`game_spec` describes how the games differ; `rules` is the referee of all of them, `deal` plays one
deal, `melds` and `tricks` hold values and duties, `readings` tracks identical cards without naming
copies, and `prompts` lists what may be entered next. This module is Bezique itself;
`games.pinochle.two_hands` is a relative.

Source: docs/rules/bezique.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from boardctl.games import Option
from boardctl.games.bezique.game_spec import (
    COMMON_VALUES,
    STRENGTH,
    GameSpec,
    RuleOptions,
    to_target,
)
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.cards import Rank

VALUES: Final = {**COMMON_VALUES, "sequence": 250, "bezique": 40, "double-bezique": 500}
"""The value of a meld (4.3)."""
OPTIONS: Final = (
    Option("target", "1000", ("1000", "1500", "2000")),
    Option("endgame_rule", "strict", ("strict", "follow_only")),
    Option("last_draw_meld", "allowed", ("allowed", "forbidden")),
    Option("seven_method", "either", ("either", "exchange_only", "no_exchange")),
    Option("seven_counts_as_meld", "off", ("off", "on")),
    Option("double_win_below_500", "off", ("off", "on")),
    Option("tie_rule", "draw", ("draw", "extra_deal", "raise_target_500")),
    Option("double_bezique_after_two_singles", "on", ("on", "off")),
    Option("seven_in_last_eight", "on", ("on", "off")),
    Option("seven_same_card_twice", "off", ("off", "on")),
    Option("new_card_from_hand", "off", ("off", "on")),
    Option("exchanged_card_melds", "on", ("on", "off")),
)


def rule_options(options: Mapping[str, str]) -> RuleOptions:
    """The options as the table agreed them (rules 0)."""
    return replace(
        to_target(options, VALUES),
        seven_on_win=options["seven_method"] != "no_exchange",
        seven_any_time=options["seven_method"] != "exchange_only",
        seven_is_meld=options["seven_counts_as_meld"] == "on",
        seven_late=options["seven_in_last_eight"] == "on",
        seven_twice=options["seven_same_card_twice"] == "on",
        double_after_singles=options["double_bezique_after_two_singles"] == "on",
        new_card="on" if options["new_card_from_hand"] == "on" else "off",
        exchanged_melds=options["exchanged_card_melds"] == "on",
    )


GAME = BeziqueGame(
    GameSpec(
        name="bezique",
        source="Akagiri, “Bezique” (1995)",
        ranks=STRENGTH,
        copies=2,
        hand=8,
        trick_points={Rank.ACE: 10, Rank.TEN: 10},
        trick_reason="brisques",
        last_trick=10,
        options=OPTIONS,
        rule_options=rule_options,
        beziques=("bezique", "double-bezique"),
        seven=Rank.SEVEN,
    )
)
