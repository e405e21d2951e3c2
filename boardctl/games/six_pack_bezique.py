"""Six-pack (Chinese) Bezique: Rubicon Bezique with six packs, twelve-card hands and fours in
trumps.

Source: docs/rules/six-pack-bezique.md.
"""

from __future__ import annotations

from typing import Final

from boardctl.games import NamedTable
from boardctl.games.bezique.game_spec import (
    BEZIQUES,
    GREAT_RULES,
    GREAT_VALUES,
    STRENGTH,
    GameSpec,
    Rubicon,
    RuleOptions,
    switch,
)
from boardctl.games.bezique.rules import BeziqueGame

VALUES: Final = {
    **GREAT_VALUES,
    "carte-blanche": 250,
    "four-trump-aces": 1000,
    "four-trump-tens": 900,
    "four-trump-kings": 800,
    "four-trump-queens": 600,
    "four-trump-jacks": 400,
}
"""The value of each declaration (3 to 5). Four tens of any suit are an option."""
RUBICON: Final = Rubicon(3000, bonus=1000, price=1000, brisques=False)
RULES: Final = (
    switch("cut_bonus", "on", {"cut_bonus": (250, 150)}),
    switch("any_four_tens_90", "on", {"values": {"four-tens": 90}}),
    *GREAT_RULES,
    switch("no_repeat_trump", "on", {"no_repeat_trump": True}),
)
TABLES: Final = (
    NamedTable("parlett", {"bezique_suits": "fixed"}, "Parlett, The Penguin Book of Card Games"),
    NamedTable(
        "herring", {"bezique_suits": "trump_queen"}, "Herring, with bezique by the trump queen"
    ),
)
"""The named tables (docs/rules/six-pack-bezique.md 6)."""


GAME = BeziqueGame(
    GameSpec(
        name="six-pack-bezique",
        source="named by Akagiri, “Bezique”; rules after Parlett, Bicycle and others",
        plain=STRENGTH,
        copies=6,
        hand=12,
        trick_points={},
        trick_reason="last-trick",
        last_trick=250,
        rules=RULES,
        base=RuleOptions(target=None, renewable=True, rubicon=RUBICON, values=VALUES),
        beziques=BEZIQUES,
        seven=None,
        turned=False,
        tables=TABLES,
    )
)
