"""One score everywhere: a game's final score, and the games won by each player."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from boardctl.board import layout
from boardctl.bot import analysis, report
from boardctl.commands.export import command as export
from boardctl.commands.session import command as session
from boardctl.mqtt import payloads
from boardctl.record import history
from boardctl.record.record import Record
from boardctl.storage.archive import Archive
from boardctl.storage.journal import read_sessions
from boardctl.web import viewer
from boardctl.web.history_worker import _overview, _page
from boardctl.web.move_list import Viewer
from boardctl.web.state import Snapshots
from boardctl.web.viewer import game_picture
from tests.tables import submit
from tests.web.test_live import Board

CLASSIC = layout.load("classic-2")
PAST = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "start 120 100", "dealer 2", "deal", "1 peg 2")
"""A game that ends with two points when one was enough."""


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
    ann, _ = history.figures([game])
    assert sum(ann.points.values()) == 1, "the second point was not pegged"
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
    """Return the games won as shown on the page, by the names of each side."""
    sides = Snapshots(board).now(Viewer("en", None))["sides"]
    return {" + ".join(side["names"]): side["won"] for side in sides}


def test_games_won_belong_to_people(board: Board) -> None:
    """They move to another seat with their people. The page shows the games won against the current
    players."""
    table = board.table
    for line in (*PAST, "game cribbage", "seat 1 Bob", "seat 2 Ann"):
        submit(table, line, "test")
    assert won(board) == {"Bob": 0, "Ann": 1}
    for line in (*ANN_WINS, "game cribbage", "seat 1 Cleo", "seat 2 Ann"):
        submit(table, line, "test")
    assert won(board) == {"Cleo": 0, "Ann": 0}, "what Ann won against Bob is not mixed in"
    for line in (*ANN_WINS, "game cribbage", "seat 1 Bob", "seat 2 Cleo"):
        submit(table, line, "test")
    assert won(board) == {"Bob": 0, "Cleo": 0}
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
    assert won(board) == {"Cleo": 0, "Bob": 0}, "she won it with Ann"
    submit(table, "game cribbage", "test")
    names = ((1, "Cleo"), (2, "Ann"), (4, "Dan"), (3, "Bob"))
    table.submit_all([table.parse(f"seat {seat} {name}") for seat, name in names], "test")
    assert won(board) == {"Cleo + Bob": 0, "Ann + Dan": 0}, "they have not won together"


def test_partners_are_named_alike_everywhere(board: Board) -> None:
    """This holds on the page, in the history, the picture, the game to send and the output of
    `session`. Exports keep their form, in which "+" joins the names of a side."""
    submit(board.table, "game cribbage", "test")
    four = ["seat 1 Ann", "seat 2 Bob", "seat 4 Dan", "seat 3 The board"]
    board.table.submit_all([board.table.parse(line) for line in four], "test")
    receipt = [submit(board.table, line, "test") for line in ANN_WINS][-1]
    receipt.saved.result(10)
    (game,) = history.played(read_sessions(board.data))
    for language, own in (("en", "The board"), ("ja", "盤")):
        names = [f"Ann & {own}", "Bob & Dan"]
        sides = Snapshots(board).now(Viewer(language, None))["sides"]
        assert [" & ".join(side["names"]) for side in sides] == names
        found = json.loads("".join(_overview([game], [], None, language)))["games"]
        assert [one["sides"] for one in found] == [names]
        assert [one["teams"] for one in found] == [[["Ann", own], ["Bob", "Dan"]]]
        picture = ElementTree.fromstring(game_picture.draw(game, CLASSIC, language))
        assert set(names) <= {node.text for node in picture.iter()}
        assert json.dumps(names, ensure_ascii=False, separators=(",", ":")) in viewer.page(
            game, CLASSIC, language
        )
    assert "Ann & The board 121  Bob & Dan 100" in said(session, "--data", str(board.data))
    assert history.summary(game)["sides"] == ["Ann + The board", "Bob + Dan"]


def test_family_records_belong_to_people(board: Board) -> None:
    """These are the highest hand, and the most consecutive games won, at any seat."""
    counted = ("dealer 2", "deal", "1 discard ? ?", "2 discard ? ?", "starter 5D")
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "start 50 0", *counted):
        submit(board.table, line, "test")
    for line in ("1 peg 21 hand", "2 peg 8 hand", "2 peg 24 crib", "1 adjust +60"):
        submit(board.table, line, "test")
    for names in (("Bob", "Ann"), ("Cleo", "Ann"), ("Ann", "Bob")):
        for line in ("game cribbage", f"seat 1 {names[0]}", f"seat 2 {names[1]}"):
            submit(board.table, line, "test")
        winner = names.index("Ann") + 1
        start = "start 120 100" if winner == 1 else "start 100 120"
        for line in (start, "dealer 2", "deal", f"{winner} peg 2"):
            submit(board.table, line, "test")
    submit(board.table, "game cribbage", "test").saved.result(10)
    with closing(Archive(board.data, "test")) as archive:
        players = {one["name"]: one for one in archive.players()}
    assert (players["Ann"]["streak"], players["Ann"]["won"]) == (4, 4)
    assert players["Bob"]["streak"] == players["Cleo"]["streak"] == 0
    assert (players["Ann"]["best_hand"], players["Bob"]["best_hand"]) == (21, 24)


def test_a_game_in_which_nobody_scored_does_not_fill_the_history(board: Board) -> None:
    for line in (*PAST, "game bezique", "game noddy", "dealer 1", "deal", "game cribbage"):
        receipt = submit(board.table, line, "test")
    receipt.saved.result(10)
    printed = said(session, "--data", str(board.data))
    assert "Ann 121" in printed
    assert "bezique" not in printed
    assert "noddy" not in printed
    with closing(Archive(board.data, "test")) as archive:
        assert len(archive) == 4
        overview = json.loads("".join(_overview(_page(archive, None)[0], archive.players(), None)))
    assert [game["number"] for game in overview["games"]] == [1]
