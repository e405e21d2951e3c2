"""Six-pack or Chinese Bezique: Rubicon Bezique with six packs, hands of twelve and fours in trumps.

Source: docs/rules/six-pack-bezique.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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

VALUES: Final = {
    **GREAT_VALUES,
    "carte-blanche": 250,
    "four-trump-aces": 1000,
    "four-trump-tens": 900,
    "four-trump-kings": 800,
    "four-trump-queens": 600,
    "four-trump-jacks": 400,
}
"""The value of a declaration (3 to 5); four tens of any suit are an option."""
OPTIONS: Final = (
    Option("cut_bonus", "off", ("off", "on")),
    Option("any_four_tens_90", "off", ("off", "on")),
    *GREAT_OPTIONS,
    Option("no_repeat_trump", "off", ("off", "on")),
)


def rule_options(options: Mapping[str, str]) -> RuleOptions:
    """The options as the table agreed them."""
    tens = {"four-tens": 90} if options["any_four_tens_90"] == "on" else {}
    return replace(
        one_deal(options, Rubicon(3000, bonus=1000, price=1000, brisques=False), VALUES | tens),
        no_repeat_trump=options["no_repeat_trump"] == "on",
        cut_bonus=(250, 150) if options["cut_bonus"] == "on" else None,
    )


GAME = BeziqueGame(
    GameSpec(
        name="six-pack-bezique",
        source="named by Akagiri, “Bezique”; rules after Parlett, Bicycle and others",
        ranks=STRENGTH,
        copies=6,
        hand=12,
        trick_points={},
        trick_reason="last-trick",
        last_trick=250,
        options=OPTIONS,
        rule_options=rule_options,
        beziques=BEZIQUES,
        seven=None,
        turned=False,
    )
)
