"""Rubicon or Japanese Bezique: Bezique with four packs and one deal per game.

Trumps are set by the first marriage or sequence. Source: docs/rules/rubicon-bezique.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardctl.games import Option
from boardctl.games.bezique.game_spec import STRENGTH, GameSpec, RuleOptions
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.bezique.settlement import Rubicon
from boardctl.games.cards import Rank

VALUES: Final = {
    "carte-blanche": 50,
    "sequence": 250,
    "plain-sequence": 150,
    "royal-marriage": 40,
    "marriage": 20,
    "bezique": 40,
    "double-bezique": 500,
    "triple-bezique": 1500,
    "quadruple-bezique": 4500,
    "four-aces": 100,
    "four-kings": 80,
    "four-queens": 60,
    "four-jacks": 40,
}
"""The value of a declaration (4)."""
BEZIQUES: Final = ("bezique", "double-bezique", "triple-bezique", "quadruple-bezique")
OPTIONS: Final = (
    Option("rubicon", "1000", ("1000",)),
    Option("bezique_suits", "fixed", ("fixed", "trump_queen")),
    Option("carte_blanche_repeat", "on", ("on", "off")),
    Option("below_100_extra", "off", ("off", "on")),
)


def rule_options(options: Mapping[str, str]) -> RuleOptions:
    """The options as the table agreed them."""
    return RuleOptions(
        target=None,
        renewable=True,
        bezique_by_trump=options["bezique_suits"] == "trump_queen",
        blanche_repeat=options["carte_blanche_repeat"] == "on",
        rubicon=Rubicon(
            line=int(options["rubicon"]),
            bonus=500,
            price=1320,
            brisques=True,
            below_100=100 if options["below_100_extra"] == "on" else 0,
        ),
        values=VALUES,
    )


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
