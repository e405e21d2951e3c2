"""Practice positions are possible, clear, match their theme, and agree with brute force."""

from __future__ import annotations

import json
from importlib import resources
from itertools import combinations
from typing import Any

import pytest

from boardctl.bot.positions import KnownPosition, answer, record_of
from boardctl.bot.tables import TARGET
from boardctl.bot.totals import total
from boardctl.games.cards import CARDS, parse_cards
from boardctl.text import sentences
from tests.sweeps import sweep
from tools import drills
from tools.drills import EACH, MARGIN, THEMES

FILE = resources.files("boardctl.web").joinpath("static/drills.json")
DRILLS: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text())


def known(one: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name not in ("now", "series")}


def test_every_position_is_possible() -> None:
    """The referee accepts each position, it is seat 1's turn, and the scores and the count are as
    stated."""
    assert list(DRILLS) == list(THEMES)
    for theme, some in DRILLS.items():
        assert f"page.drill-{theme}" in sentences()
        assert len({json.dumps(one) for one in some}) == EACH
        mine, theirs, fits = THEMES[theme]
        for one in some:
            position = record_of(KnownPosition(**known(one))).position
            assert mine[0] <= one["score"][0] <= mine[1]
            assert theirs[0] <= one["score"][1] <= theirs[1]
            assert list(position.shown_scores) == one["now"]
            assert ("thrown" in one) == (fits is not None)
            if fits is not None:
                count = sum(min(10, card.rank or 0) for card in parse_cards(one["series"]))
                assert (position.situation.count or 0) == count
                assert position.situation.turn == 1


@sweep("number", range(EACH), ordinary=[0])
@pytest.mark.parametrize("theme", list(THEMES))
def test_the_best_is_clear_and_explained(theme: str, number: int) -> None:
    found = answer(known(DRILLS[theme][number]), why=True)
    best = found["choices"][0]
    ranks = sorted(card[0] for card in best["cards"])
    rest = [one for one in found["choices"] if sorted(c[0] for c in one["cards"]) != ranks]
    assert best["win"] - max(one["win"] for one in rest) >= MARGIN - 1e-4
    assert len(found["why"]) == 3
    assert found["move"]
    assert answer(known(DRILLS[theme][number]), "ja", why=True)["move"] != found["move"]


def test_the_file_is_what_the_tool_makes() -> None:
    made = json.loads(json.dumps(drills.made_for("crib", 1)))
    assert made == DRILLS["crib"][:1]


def test_a_throw_that_counts_out_for_certain_is_a_right_answer() -> None:
    """According to a brute-force search over all starters, some throw wins with each of them
    through the pone's hand."""
    certain = 0
    for one in (one for some in DRILLS.values() for one in some):
        if "thrown" in one or one.get("deals"):
            continue
        six = list(map(CARDS.index, parse_cards(one["hand"])))
        need = TARGET - one["score"][0]
        rest = [card for card in range(52) if card not in six]
        ways = {
            frozenset(two): sum(total(a, b, c, d, starter) >= need for starter in rest)
            for two in combinations(six, 2)
            for a, b, c, d in [[card for card in six if card not in two]]
        }
        if max(ways.values()) < len(rest):
            continue
        certain += 1
        best = answer(known(one))["choices"][0]
        away = frozenset(map(CARDS.index, parse_cards(" ".join(best["cards"]))))
        assert ways[away] == len(rest)
    assert certain
