"""A table where only points are entered: the deal passes, game after game."""

from __future__ import annotations

import random
from pathlib import Path
from typing import get_args

import pytest

from boardctl import games
from boardctl.console.keypad import effects, spoken
from boardctl.console.keypad.state import REST
from boardctl.console.settings import TableSettings
from boardctl.games import Move, Telling
from boardctl.text import sentences
from boardctl.web.table_api import possible_points
from tests.spread import spread
from tests.tables import KeyedTable, keyed, submit
from tests.web.walks import FORMS, walk

POINTS = TableSettings(telling="points")


def due(table: KeyedTable) -> list[str]:
    """Return the entries that this table asks for, the most usual first."""
    return [ask.code for ask in table.controller.view.asks]


def scores(table: KeyedTable, seat: int) -> None:
    """Return the fewest points that the game allows this seat now."""
    fewest = possible_points(table.table.position, Move("peg", seat), 1)
    submit(table.table, f"{seat} peg {next(filter(None, fewest))}", "page")


def test_the_deal_passes_by_one_key(tmp_path: Path) -> None:
    with keyed(tmp_path, POINTS) as table:
        dealers = []
        for _ in range(4):
            table.press("# 1 #" if not table.table.position.situation.dealer else "#")
            assert "next-deal" not in due(table), "nothing has been scored yet"
            dealers.append(table.table.position.situation.dealer)
            table.press("A 2 # B 4 #")
            assert due(table)[0] == "next-deal"
            assert "Next deal?" in table.said
        assert dealers == [1, 2, 1, 2]
        assert table.scores == (8, 16)


@pytest.mark.parametrize("name", spread(4, games.names()))
def test_in_every_game_the_next_deal_can_be_told(name: str, tmp_path: Path) -> None:
    """If the game accepts a deal after points alone, it is offered, and passes the deal."""
    with keyed(tmp_path, POINTS) as table:
        for line in (f"game {name}", "dealer 1", "deal"):
            submit(table.table, line, "page")
        first = table.table.position.situation.dealer
        for seat in (1, 2):
            scores(table, seat)
        deals = [ask for ask in table.controller.view.asks if ask.move.verb == "deal"]
        assert len(deals) == 1
        table.table.submit(deals[0].move, "page")
        assert table.table.position.situation.dealer != first
        assert "next-deal" not in due(table)


@pytest.mark.parametrize(
    ("name", "other", "opens"),
    [
        ("bezique", "tricks", "Ann tricks?"),
        ("pinochle", "tricks", "Ann tricks?"),
        ("rubicon-bezique", "tricks", "Ann tricks?"),
        ("six-pack-bezique", "last", "Last trick?"),
    ],
)
def test_what_comes_after_points_is_offered_beside_them(
    name: str, other: str, opens: str, tmp_path: Path
) -> None:
    """Melds are pegged before anybody counts tricks. Display and voice do not ask for tricks right
    after the deal; `#` opens them, as usual."""
    with keyed(tmp_path, POINTS._replace(game=name)) as table:
        for line in (f"game {name}", "dealer 1", "deal"):
            submit(table.table, line, "page")
        for _ in range(2):
            table.clock.run(0.05)
            assert table.said.startswith(f"Points? # {other} | ")
            aloud = spoken.question_words(REST, table.controller.view)
            assert aloud[-2].startswith("Whose points?")
            assert aloud[-1].startswith("Or hash alone: ")
            table.press("B 4 #")
            assert table.scores == (0, 40)
            table.press("* #")
        table.press("#")
        assert table.said.startswith(opens)


@pytest.mark.slow
def test_every_game_says_what_comes_after_points() -> None:
    """This is true for every entry that is offered only there."""
    later = {
        ask["code"]
        for game, seats in FORMS
        for shown in walk(game, 8, seats, random.Random(game))
        for ask in shown["asks"]
        if ask["later"]
    }
    assert later
    assert {f"keypad.points-{code}" for code in later} <= sentences().keys()


def test_nothing_is_added_where_cards_are_told(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings(telling="hands")) as table:
        for line in ("dealer 1", "deal", "1 peg 2"):
            submit(table.table, line, "page")
        assert "next-deal" not in due(table)
    with keyed(tmp_path, POINTS) as table:
        for line in ("1 discard ? ?", "2 discard ? ?", "starter 5D", "2 play 5"):
            submit(table.table, line, "page")
        assert "next-deal" not in due(table), "the referee waits for the rest of this deal"


def test_a_seat_key_offers_no_ranks_where_no_hand_is_due(tmp_path: Path) -> None:
    with keyed(tmp_path, POINTS) as table:
        table.press("# 1 # A 8")
        state, view = table.controller.keypad_state, table.controller.view
        assert state.keys == "8"
        said = spoken.choices(state, view)
        assert not [part for part in said if "ace" in part or "jack" in part], said
        assert {key for key, _ in effects.scan(state, view)} >= {"0", "5"}
        assert not {key for key, _ in effects.scan(state, view)} & set("ABCD")


@pytest.mark.parametrize("telling", get_args(Telling))
@pytest.mark.parametrize("typed", ["0 0 1 2", "0 5", "A B C 5", "5 A", "1 2 3 4 5 6 7", "0 0"])
def test_a_hand_typed_before_its_starter_is_no_score(
    tmp_path: Path, telling: Telling, typed: str
) -> None:
    with keyed(tmp_path, TableSettings(telling=telling)) as table:
        table.press(f"# 2 # B {typed}")
        table.press("#")
        refused = table.controller.keypad_state.refused
        assert refused is not None
        assert (refused.code, refused.fields.get("why")) in SAID
        assert table.table.position.scores == (0, 0)
        table.press("# 5")
        assert table.table.position.scores == (0, 0)


SAID = {("not-a-number", "starter"), ("impossible-points", None)}


def test_a_hand_that_is_typed_in_part_is_no_score(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings(telling="hands")) as table:
        for line in ("dealer 2", "deal", "starter 5", "1 peg 1 go"):
            submit(table.table, line, "page")
        for typed in ("0 5", "0 0 1", "A 5"):
            table.press(f"A {typed} #")
            refused = table.controller.keypad_state.refused
            assert refused is not None
            assert refused.code == "not-a-number"
            assert refused.fields["cards"] == 4
        assert table.table.position.scores == (1, 0)
