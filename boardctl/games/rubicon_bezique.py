"""Rubicon or Japanese Bezique: Bezique with four packs and one deal per game.

Trumps are set by the first marriage or sequence. Source: docs/rules/rubicon-bezique.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardctl.games import Option
from boardctl.games.bezique.game_spec import (
    BEZIQUES,
    GREAT_OPTIONS,
    GREAT_VALUES,
    STRENGTH,
    GameSpec,
    RuleOptions,
    one_deal,
)
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.bezique.settlement import Rubicon
from boardctl.games.cards import Rank

VALUES: Final = {**GREAT_VALUES, "carte-blanche": 50}
"""The value of a declaration (4)."""
OPTIONS: Final = (
    Option("rubicon", "1000", ("1000",)),
    *GREAT_OPTIONS,
    Option("below_100_extra", "off", ("off", "on")),
)


def rule_options(options: Mapping[str, str]) -> RuleOptions:
    """The options as the table agreed them."""
    below_100 = 100 if options["below_100_extra"] == "on" else 0
    rubicon = Rubicon(int(options["rubicon"]), 500, 1320, brisques=True, below_100=below_100)
    return one_deal(options, rubicon, VALUES)


GAME = BeziqueGame(
    GameSpec(
        name="rubicon-bezique",
        source="named by Akagiri, “Bezique”; rules of the Portland Club (1887) and others",
        ranks=STRENGTH,
        copies=4,
        hand=9,
        trick_points={Rank.ACE: 10, Rank.TEN: 10},
        trick_reason="brisques",
        last_trick=50,
        options=OPTIONS,
        rule_options=rule_options,
        beziques=BEZIQUES,
        seven=None,
        turned=False,
        counts_last=False,
    )
)
