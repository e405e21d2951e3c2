"""Pinochle for two: a relative of Bezique with its own pack and values.

Source: docs/rules/pinochle.md.
"""

from __future__ import annotations

from typing import Final

from boardctl.games.bezique.game_spec import (
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
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.cards import Rank
from boardctl.games.pinochle.melds import VALUES
from boardctl.games.pinochle.tricks import LAST_TRICK, RANKS, TRADITIONAL

RULES: Final = (
    TARGET,
    switch("endgame_head", "always", {"heading": "always"}, "trump_lead_only"),
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
        rules=RULES,
        base=RuleOptions(heading="trumps", new_card="on", distinct_fours=True, values=VALUES),
        beziques=("pinochle", "double-pinochle"),
        seven=Rank.NINE,
    )
)
