"""The page's state after every move: made from what has changed, and the same as if made anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardctl.games import IllegalMove, Move
from boardctl.record import seen
from boardctl.record.position import Position, step
from boardctl.web.move_list import Viewer
from boardctl.web.state import Snapshots
from tests.tables import submit
from tests.web.test_live import Board

ANN = Viewer("en", 1)
DEAL = (
    "deal",
    "1 hand 5H 6S 7D 8C JH QS",
    "2 hand 2H 3S 4D 9C TH KS",
    "1 discard JH QS",
    "2 discard 2H KS",
    "starter 5D",
    "1 play 8C",
    "2 play 9C",
    "1 play 5H",
    "2 play 3S",
    "1 play 6S",
    "2 play 4D",
    "1 play 7D",
    "2 play TH",
)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 2"):
        submit(board.table, line, "test")
    yield board
    board.close()


def test_it_is_the_same_as_if_made_anew(board: Board) -> None:
    """However the record changes: lines, undo, redo, amend, another deal, another game."""
    kept = Snapshots(board)
    chance = random.Random(4)
    others = (
        ("undo", "redo"),
        ("undo 3", "redo", "redo", "redo"),
        ("amend 1 1 play 5S", "undo"),
        ("amend 4 starter 5S", "undo"),
        ("amend 2", "undo"),
    )
    lines = (*DEAL, *DEAL, "game cribbage", "dealer 1", *DEAL)
    accepted = refused = 0
    for line in lines:
        for tried in (line, *(chance.choice(others) if chance.random() < 0.5 else ())):
            try:
                submit(board.table, tried, "test")
                accepted += 1
            except IllegalMove:
                refused += 1
                if tried.startswith("amend"):
                    break  # there is nothing to undo
            assert kept.now(ANN) == Snapshots(board).now(ANN), tried
    assert accepted > 40
    assert refused > 3


def test_a_move_is_played_once(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the whole deal again for every viewer and line, which took 10 ms in a long deal."""
    played: list[Move] = []

    def counted(position: Position, move: Move) -> Any:
        played.append(move)
        return step(position, move)

    monkeypatch.setattr(seen, "step", counted)
    kept = Snapshots(board)
    for line in DEAL:
        submit(board.table, line, "test")
        kept.now(ANN)
        kept.now(Viewer("ja"))
    each = 3 * len(DEAL)  # as it is, as Ann knows it, and as an onlooker does
    assert len(DEAL) < len(played) <= each
    before = len(played)
    submit(board.table, "undo", "test")
    kept.now(ANN)
    assert len(played) == before
