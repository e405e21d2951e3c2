"""One score everywhere: what a game ended with, and who has won how many."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.bot import analysis, report
from boardctl.commands.export import command as export
from boardctl.commands.session import command as session
from boardctl.mqtt import payloads
from boardctl.record import history
from boardctl.record.record import Record
from boardctl.storage.journal import read_sessions
from boardctl.web.move_list import Viewer
from boardctl.web.state import Snapshots
from tests.tables import submit
from tests.web.test_live import Board

PAST = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "start 120 100", "dealer 2", "deal", "1 peg 2")
"""A game that ends with two points where one was enough."""


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    submit(board.table, "session friday", "test")
    yield board
    board.close()


def said(command: Any, *arguments: str) -> str:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_game_ends_with_the_same_score_everywhere(board: Board) -> None:
    receipt = [submit(board.table, line, "test") for line in PAST][-1]
    receipt.saved.result(10)
    page = Snapshots(board).now(Viewer("en", None))
    assert [side["score"] for side in page["sides"]] == [121, 100]
    assert payloads.state(1, board.table.record, None, 1)["scores"] == [121, 100]
    assert payloads.event(receipt)["scores"] == [121, 100]
    assert payloads.shouts(receipt, was_over=False)[0]["scores"] == [121, 100]
    (game,) = history.played(read_sessions(board.data))
    assert history.summary(game)["scores"] == [121, 100]
    data = ("--data", str(board.data))
    assert "Ann 121  Bob 100" in said(session, *data)
    exported = json.loads(said(export, "1", "--as", "json", *data))
    assert exported["scores"] == exported["moves"][-1]["scores"] == [121, 100]
    rows = list(csv.DictReader(StringIO(said(export, "--as", "csv", *data))))
    assert [row["score"] for row in rows] == ["121", "100"]
    record = Record()
    for line in game.lines:
        record.read(line)
    judged = analysis.analyse(record.position_at(0), record.moves)
    assert report.as_data(judged)["curve"][-1]["scores"] == [121, 100]


ANN_WINS = ("start 120 100", "dealer 2", "deal", "1 peg 2")


def won(board: Board) -> dict[str, int]:
    """The games won as the page shows them, by the names at each side."""
    sides = Snapshots(board).now(Viewer("en", None))["sides"]
    return {" + ".join(side["names"]): side["won"] for side in sides}


def test_games_won_belong_to_people(board: Board) -> None:
    """They go with them to another seat, out of the evening and back into it."""
    table = board.table
    for line in (*PAST, "game cribbage", "seat 1 Bob", "seat 2 Ann"):
        submit(table, line, "test")
    assert won(board) == {"Bob": 0, "Ann": 1}
    for line in (*ANN_WINS, "game cribbage", "seat 1 Cleo", "seat 2 Ann"):
        submit(table, line, "test")
    assert won(board) == {"Cleo": 0, "Ann": 1}
    for line in (*ANN_WINS, "game cribbage", "seat 1 Bob", "seat 2 Cleo"):
        submit(table, line, "test")
    assert won(board) == {"Bob": 1, "Cleo": 1}
    receipt = [submit(table, line, "test") for line in ANN_WINS][-1]
    receipt.saved.result(10)
    assert table.position.tally.people == {"Ann": 1, "Bob": 2, "Cleo": 1}
    assert "games won: Ann 1  Bob 2  Cleo 1" in said(session, "--data", str(board.data))


def test_partners_have_what_they_won_together(board: Board) -> None:
    table = board.table
    four = [
        f"seat {seat} {name}" for seat, name in ((1, "Ann"), (2, "Bob"), (4, "Dan"), (3, "Cleo"))
    ]
    submit(table, "game cribbage", "test")
    table.submit_all([table.parse(line) for line in four], "test")
    for line in ANN_WINS:
        submit(table, line, "test")
    assert won(board) == {"Ann + Cleo": 1, "Bob + Dan": 0}
    for line in ("game cribbage", "seat 1 Cleo", "seat 2 Bob"):
        submit(table, line, "test")
    assert won(board) == {"Cleo": 1, "Bob": 0}, "hers too"
    submit(table, "game cribbage", "test")
    names = ((1, "Cleo"), (2, "Ann"), (4, "Dan"), (3, "Bob"))
    table.submit_all([table.parse(f"seat {seat} {name}") for seat, name in names], "test")
    assert won(board) == {"Cleo + Bob": 0, "Ann + Dan": 0}, "they have not won together"
