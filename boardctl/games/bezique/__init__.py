"""Bezique and its variants: games with several packs, tricks, melds and a stock to draw from.

`game_spec` describes the differences between the games. `rules` is their common referee and lists
the possible entries. `deal` plays one deal. `melds` defines the melds. `declare` checks who may
declare, and when. `readings` tracks identical cards without naming copies. This module defines
Bezique itself. `games.pinochle.TWO_HANDS` is another game of the family.

Source: docs/rules/bezique.md.
"""

from __future__ import annotations

from typing import Final

from boardctl.games import NamedTable
from boardctl.games.bezique.game_spec import (
    COMMON_VALUES,
    DOUBLE_WIN,
    ENDGAME,
    LAST_DRAW,
    SEVEN_METHOD,
    STRENGTH,
    TARGET,
    TIE,
    GameSpec,
    RuleOptions,
    switch,
)
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.cards import Rank

VALUES: Final = {**COMMON_VALUES, "sequence": 250, "bezique": 40, "double-bezique": 500}
"""The value of each meld (4.3)."""
RULES: Final = (
    TARGET,
    ENDGAME,
    LAST_DRAW,
    SEVEN_METHOD,
    switch("seven_counts_as_meld", "on", {"seven_is_meld": True}),
    DOUBLE_WIN,
    TIE,
    switch("double_bezique_after_two_singles", "off", {"double_after_singles": False}, "on"),
    switch("seven_in_last_eight", "off", {"seven_late": False}, "on"),
    switch("seven_same_card_twice", "on", {"seven_twice": True}),
    switch("new_card_from_hand", "on", {"new_card": "on"}),
    switch("exchanged_card_melds", "off", {"exchanged_melds": False}, "on"),
)


_AKAGIRI: Final = {
    "double_bezique_after_two_singles": "on",
    "seven_in_last_eight": "on",
    "new_card_from_hand": "off",
    "exchanged_card_melds": "on",
}
TABLES: Final = (
    NamedTable("akagiri", _AKAGIRI, "Akagiri, “Bezique” (1995)"),
    NamedTable(
        "foster",
        _AKAGIRI | {"double_bezique_after_two_singles": "off", "new_card_from_hand": "on"},
        "Foster's Complete Hoyle",
    ),
    NamedTable(
        "enquire",
        _AKAGIRI | {"seven_in_last_eight": "off", "exchanged_card_melds": "off"},
        "Enquire Within Upon Everything",
    ),
)
"""The named tables of Bezique (docs/rules/bezique.md 0)."""

GAME = BeziqueGame(
    GameSpec(
        name="bezique",
        source="Akagiri, “Bezique” (1995)",
        plain=STRENGTH,
        copies=2,
        hand=8,
        trick_points={Rank.ACE: 10, Rank.TEN: 10},
        trick_reason="brisques",
        last_trick=10,
        rules=RULES,
        base=RuleOptions(values=VALUES),
        tables=TABLES,
        beziques=("bezique", "double-bezique"),
        seven=Rank.SEVEN,
    )
)
