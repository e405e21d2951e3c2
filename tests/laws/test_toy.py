"""A game in a single file is found by its name, obeys the laws, and can be played on keypad and
board without any other code. (tests/web/test_toy.py plays it on the page.)"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl import games
from boardctl.app import config
from boardctl.app.simulation import Simulation
from boardctl.board import layout
from boardctl.board.render import Picture, lit
from boardctl.web.move_list import Viewer
from boardctl.web.state import Snapshots
from tests.laws.test_laws import check_end, check_fold, check_refusals, check_undo, play
from tests.tables import keyed, submit

TOYS = Path(__file__).parent / "toys"


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy's folder next to the games that ship."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(TOYS)])
    yield


def test_it_is_found() -> None:
    assert "toy" in games.names()
    assert games.find("toy").name == "toy"


@pytest.mark.parametrize("seed", range(20))
def test_it_keeps_the_laws(seed: int) -> None:
    walk = play("toy", seed, 40)
    check_fold(walk)
    check_undo(walk)
    check_refusals(walk)
    check_end(walk)


def test_it_is_played_on_keypad_and_board(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        for line in ("session x", "game toy", "seat 1 Ann", "seat 2 Bob"):
            submit(table.table, line, "test")
        table.press("# 2")
        assert table.table.record.deal[-1].text == "dealer 2"
        table.press("#")
        assert table.table.record.deal[-1].text == "deal"
        table.press("# 6 #")
        assert table.table.record.deal[-1].text == "1 take 6", "# opens what is due"
        table.press("B 5 #")
        assert table.table.record.deal[-1].text == "2 take 5", "a number after a seat tells it"
        assert table.scores == (6, 5)
        position = table.table.position
        assert position.game is not None
        board = position.game.scoreboard(position.state)
        lights = lit(layout.load("classic-2"), Picture(board), 0.0)
        assert {"track1.3", "track2.2"} <= lights.keys(), "two points a hole"
        table.press("A 7 #")
        assert table.scores == (6, 5), "and one that cannot be is refused"
        table.press("# 6 # # 6 # # 6 # # 6 # # 6 #")
        assert table.table.position.over


def test_it_is_seen_by_a_seat(tmp_path: Path) -> None:
    """The page of a player shows the player's hand, but this game has none."""
    with Simulation(config.Config(), tmp_path) as simulation:
        for line in ("session x", "game toy", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal"):
            submit(simulation.board.table, line, "test")
        for seat in (1, 2):
            state = Snapshots(simulation.board).now(Viewer("en", seat))
            assert state["held"] == []
