"""Rubicon Bezique, also called Japanese Bezique: Bezique with four packs. One deal is a game.

The first marriage or sequence sets trumps. Source: docs/rules/rubicon-bezique.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from boardctl.games import NamedTable
from boardctl.games.bezique.game_spec import (
    BEZIQUES,
    GREAT_RULES,
    GREAT_VALUES,
    STRENGTH,
    GameSpec,
    Rubicon,
    Rule,
    RuleOptions,
    switch,
)
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.cards import Rank

VALUES: Final = {**GREAT_VALUES, "carte-blanche": 50}
"""The value of each declaration (4)."""
RUBICON: Final = Rubicon(1000, 500, 1320, brisques=True)
RULES: Final = (
    Rule("rubicon", {"1000": {}}),
    *GREAT_RULES,
    switch("below_100_extra", "on", {"rubicon": replace(RUBICON, below_100=100)}),
)
TABLES: Final = (
    NamedTable(
        "portland", {"carte_blanche_repeat": "on"}, "Portland Club (1887), Hoyle's Games Modernized"
    ),
    NamedTable("foster", {"carte_blanche_repeat": "off"}, "Foster's Complete Hoyle"),
)
"""The named tables (docs/rules/rubicon-bezique.md 3)."""


GAME = BeziqueGame(
    GameSpec(
        name="rubicon-bezique",
        source="named by Akagiri, “Bezique”; rules of the Portland Club (1887) and others",
        plain=STRENGTH,
        copies=4,
        hand=9,
        trick_points={Rank.ACE: 10, Rank.TEN: 10},
        trick_reason="brisques",
        last_trick=50,
        rules=RULES,
        base=RuleOptions(target=None, renewable=True, rubicon=RUBICON, values=VALUES),
        beziques=BEZIQUES,
        seven=None,
        turned=False,
        counts_last=False,
        tables=TABLES,
    )
)
