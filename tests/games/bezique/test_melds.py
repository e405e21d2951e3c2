"""The meld rows of the vectors: the melds allowed after others, and their values."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardctl import games
from boardctl.games import IllegalMove, Setup
from boardctl.games.bezique import declare, melds
from boardctl.games.bezique.deal import Deal
from boardctl.games.bezique.game_spec import GameSpec, RuleOptions
from boardctl.games.bezique.readings import Held, Reading
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.cards import Card, Suit, parse_card
from boardctl.games.pinochle import TWO_HANDS

VECTORS = Path(__file__).parents[2] / "vectors"
SITUATIONS = json.loads((VECTORS / "vectors_situations.json").read_text())
ROWS = [row for rows in SITUATIONS.values() for row in rows if isinstance(row, dict)]
MELDS = [row for row in ROWS if str(row.get("id", "")).startswith("bm-")]
KINDS = {
    "royal_marriage": "royal-marriage",
    "four_A": "four-aces",
    "four_K": "four-kings",
    "four_Q": "four-queens",
    "four_J": "four-jacks",
    "double_bezique": "double-bezique",
}
VALUES = {True: "on", False: "off"}


def referee(name: str) -> BeziqueGame:
    game = TWO_HANDS if name == "pinochle" else games.find(name)
    assert isinstance(game, BeziqueGame)
    return game


def options_of(game: BeziqueGame, **chosen: str) -> RuleOptions:
    options = {option.name: option.default for option in game.options} | chosen
    return game.spec.rule_options(Setup(("Ann", "Bob"), options).options)


def holding(spec: GameSpec, options: RuleOptions, cards: list[Card], trump: Suit) -> Deal:
    """Return a deal in which Ann has just won a trick with exactly these cards in hand."""
    hand = Reading().give(*(Held(card) for card in cards))
    return Deal(
        spec=spec, sizes=(len(cards), 0), hands=((hand,), (Reading(),)), turn=1, stock=20,
        options=options, trump=trump, turned=True, by_cards=True, drawn=0, tricks=3,
    )  # fmt: skip


def chosen(row: dict[str, Any]) -> dict[str, str]:
    return {
        "double_bezique_after_two_singles" if name.startswith("double") else name: VALUES[value]
        for name, value in row.get("option", {}).items()
    }


def attempt(row: dict[str, Any]) -> int:
    """Declare the earlier melds, then attempt one. Return its points. Raises IllegalMove."""
    game = referee(row["game"])
    agreed = options_of(game, **chosen(row))
    trump = next(suit for suit in Suit if suit.letter == row["trump"])
    steps = [*row["declared"], row["attempt"]]
    table = [[parse_card(card) for card in cards] for _, cards in steps]
    gone = {parse_card(card) for card in row.get("already_played", ())}
    hand = sorted({card for cards in table for card in cards}, key=str)
    deal = holding(game.spec, agreed, hand, trump)
    points = 0
    for place, ((name, _), cards) in enumerate(zip(steps, table, strict=True)):
        kind = melds.classify(game.spec, agreed, tuple(cards), trump)
        if kind is None or kind.name != KINDS.get(name, name):
            raise IllegalMove("no-such-meld")
        if place == len(steps) - 1:
            (reading,) = deal.hands[0]
            left = reading.holding(held for held in reading.cards if held.card not in gone)
            sizes, hands = (len(left.cards), 0), ((left,), deal.hands[1])
            deal = replace(deal, sizes=sizes, hands=hands, melded=False, melds=0)
        deal, awards = declare.lay(deal, 1, tuple(cards), kind)
        points = awards[0].points
    return points


@pytest.mark.parametrize("row", MELDS, ids=[row["id"] for row in MELDS])
def test_every_meld_row_is_judged_as_the_rules_say(row: dict[str, Any]) -> None:
    if row["legal"]:
        assert attempt(row) == row["points"]
    else:
        with pytest.raises(IllegalMove):
            attempt(row)


def test_there_are_meld_rows() -> None:
    assert len(MELDS) == 24
