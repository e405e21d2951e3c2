"""Six-pack or Chinese Bezique: Rubicon Bezique with six packs, hands of twelve and fours in trumps.

Source: docs/rules/six-pack-bezique.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardctl.games import Option
from boardctl.games.bezique.game_spec import STRENGTH, GameSpec, RuleOptions
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.bezique.settlement import Rubicon

VALUES: Final = {
    "carte-blanche": 250,
    "sequence": 250,
    "plain-sequence": 150,
    "royal-marriage": 40,
    "marriage": 20,
    "bezique": 40,
    "double-bezique": 500,
    "triple-bezique": 1500,
    "quadruple-bezique": 4500,
    "four-trump-aces": 1000,
    "four-trump-tens": 900,
    "four-trump-kings": 800,
    "four-trump-queens": 600,
    "four-trump-jacks": 400,
    "four-aces": 100,
    "four-kings": 80,
    "four-queens": 60,
    "four-jacks": 40,
}
"""The value of a declaration (3 to 5); four tens of any suit are an option."""
OPTIONS: Final = (
    Option("cut_bonus", "off", ("off", "on")),
    Option("any_four_tens_90", "off", ("off", "on")),
    Option("bezique_suits", "fixed", ("fixed", "trump_queen")),
    Option("carte_blanche_repeat", "on", ("on", "off")),
    Option("no_repeat_trump", "off", ("off", "on")),
)


def rule_options(options: Mapping[str, str]) -> RuleOptions:
    """The options as the table agreed them."""
    tens = {"four-tens": 90} if options["any_four_tens_90"] == "on" else {}
    return RuleOptions(
        target=None,
        renewable=True,
        bezique_by_trump=options["bezique_suits"] == "trump_queen",
        blanche_repeat=options["carte_blanche_repeat"] == "on",
        no_repeat_trump=options["no_repeat_trump"] == "on",
        cut_bonus=(250, 150) if options["cut_bonus"] == "on" else None,
        rubicon=Rubicon(line=3000, bonus=1000, price=1000, brisques=False),
        values=VALUES | tens,
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
        beziques=("bezique", "double-bezique", "triple-bezique", "quadruple-bezique"),
        seven=None,
        turned=False,
    )
)
