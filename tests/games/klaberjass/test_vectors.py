"""The handmade situations: sequences, duties, settlement, values; and scores on the board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardctl import games
from boardctl.board import render
from boardctl.games import Setup
from boardctl.games.cards import Card, Rank, Suit, parse_card, parse_suit
from boardctl.games.common.jass import PACK, SPEC, Points, contest, settle, value
from boardctl.games.common.trick_deal import Duties
from boardctl.games.klaberjass.deal import runs
from boardctl.games.klaberjass.state import AS_IN_BELOTE, ENDINGS
from tests.games.common import legal

VECTORS = Path(__file__).parents[2] / "vectors"
SIDES = {1: "elder", 2: "younger"}
SITUATIONS = json.loads((VECTORS / "vectors_situations.json").read_text(encoding="utf-8"))
BOARD = json.loads((VECTORS / "vectors_board.json").read_text(encoding="utf-8"))


def cards(names: list[str]) -> frozenset[Card]:
    return frozenset(map(parse_card, names))


def by_id(row: Any) -> str:
    return str(row["id"])


@pytest.mark.parametrize("row", SITUATIONS["klaberjass_melds"], ids=by_id)
def test_sequences(row: Any) -> None:
    held = [(n, run) for n, side in SIDES.items() for run in runs(cards(row[side]))]
    trump = parse_suit(row["trump"])
    winner, counting = contest(
        held, lambda run: run.strength(trump), 2, earlier_wins=row["meld_tie"] == "elder"
    )
    assert SIDES.get(winner or 0) == row["winner"]
    assert sum(run.points for _, run in counting) == row["points"]


@pytest.mark.parametrize("row", SITUATIONS["klaberjass_legal"], ids=by_id)
def test_duties(row: Any) -> None:
    lead = ((1, parse_card(row["lead"])),)
    allowed = legal(SPEC, Duties(), lead, cards(row["hand"]), 2, parse_suit(row["trump"]))
    assert allowed == cards(row["legal"])


@pytest.mark.parametrize("row", SITUATIONS["klaberjass_settlement"], ids=by_id)
def test_settlement(row: Any) -> None:
    one, two = row["raw"]
    first = row["maker"] == 0
    settled = settle(Points((one, two) if first else (two, one)), {**AS_IN_BELOTE, "tie": "lost"})
    scored = settled.scored if first else settled.scored[::-1]
    assert (ENDINGS[settled.result], list(scored)) == (row["result"], row["scored"])


def test_values() -> None:
    row = SITUATIONS["klaberjass_values"]
    for kind, suit in (("trump", Suit.HEARTS), ("plain", Suit.CLUBS)):
        for letter, points in row[kind].items():
            rank = parse_card(letter).rank
            assert rank is not None
            assert value(Card(rank, suit), Suit.HEARTS) == points
    for trump in Suit:
        assert sum(value(card, trump) for card in PACK) == row["pack_total_with_a_trump_suit"]


@pytest.mark.parametrize(
    "row",
    [row for row in BOARD["mapping"] if row["game"] == "klaberjass"],
    ids=lambda row: str(row["score"]),
)
def test_the_board(row: Any) -> None:
    game = games.find("klaberjass")
    options = {option.name: option.default for option in game.options}
    options["target"] = str(row["target"])
    board = game.scoreboard(game.begin(Setup(("Ann", "Bob"), options)))
    assert board.unit == row["unit"]
    peg = render.hole(row["score"], board.unit)
    assert (peg.hole, peg.remainder) == (row["hole"], row["remainder"])
    assert (peg.hole >= board.goal) == row["won_line"]


def test_a_plain_nine_is_worth_nothing() -> None:
    assert value(Card(Rank.NINE, Suit.CLUBS), Suit.HEARTS) == 0  # E1
