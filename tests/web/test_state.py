"""The page's state after every move is built from the changes, and equals a state built anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardctl.games import IllegalMove, Move
from boardctl.record import visibility
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
    """This holds for every change of the record: lines, undo, redo, amend, another deal, another
    game."""
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


SHOWN = (
    *("deal", "starter 5D", "1 peg 4", "1 show 5H 5S 5C JD", "2 show 2H 4H 6H 8S"),
    *("2 crib 2C 3D 7S TC", "deal"),
)


def said(board: Board, line: str, viewer: Viewer = ANN) -> str:
    submit(board.table, line, "test")
    sentence: str = Snapshots(board).now(viewer)["happened"]["text"]
    return sentence


@pytest.mark.parametrize(
    ("lines", "moment"),
    [
        (("deal", "1 peg 8 hand", "2 peg 29 hand"), "29"),
        (("deal", "1 peg 8 hand", "2 peg 29 show"), None),  # a hand and a crib
        (("game klaberjass", "dealer 1", "deal", "1 peg 29"), None),
    ],
)
def test_only_a_hand_of_twenty_nine_is_the_best(
    board: Board, lines: tuple[str, ...], moment: str | None
) -> None:
    for line in lines:
        submit(board.table, line, "test")
    assert Snapshots(board).now(ANN)["happened"]["moment"] == moment


def test_a_hand_without_the_words_of_a_count_is_spoken_too(board: Board) -> None:
    """Its first point is for the last card, because nobody said go."""
    for line in ("game five-card-cribbage", "dealer 1", "deal", "starter 5D"):
        submit(board.table, line, "test")
    for line in ("2 play KC", "1 play KH", "2 play 9S", "2 show KC 9S 5H"):
        submit(board.table, line, "test")
    spoken = Snapshots(board).now(ANN)["spoken"]
    assert spoken == "last card 1, fifteen 2, fifteen 2, pair 2"


@pytest.mark.parametrize(
    ("lines", "last", "sentence"),
    [
        (
            SHOWN[:2],
            "1 show 4S 5C 5H 6H = 12",
            "Ann 23: fifteen eight, pair royal is fourteen, run of three is twenty-three – "
            "claimed 12, but it counts 23",
        ),
        (
            ("deal", "starter KD"),
            "1 show 2H 4H 6S 8C = 4",
            "Ann 0: nothing – claimed 4, but it counts 0",
        ),
        (DEAL[:6], "1 play 8C = 2", "You play 8♣ – claimed 2, but it counts 0"),
        (
            ("game klaberjass", "dealer 1", "deal", "turnup 9H", "2 bid take", "1 count 60"),
            "2 count 40",
            "Bob counts 40 in tricks: the deal 100 for Ann – Bob is bête: 40 to 60",
        ),
    ],
)
def test_what_the_referee_adds_is_said(
    board: Board, lines: tuple[str, ...], last: str, sentence: str
) -> None:
    """A wrong claim without muggins and a failed bid appear in the sentence and in the list."""
    for line in lines:
        submit(board.table, line, "test")
    assert said(board, last) == sentence
    added = sentence.partition(" – ")[2]
    assert Snapshots(board).now(Viewer("en"))["moves"][-1]["why"].endswith(added)


def test_a_correction_says_what_it_changed(board: Board) -> None:
    """This includes a deal that ended long ago, until the next message."""
    for line in SHOWN:
        submit(board.table, line, "test")
    sentence = said(board, "amend 4 1 show 5H 5S 6C JD")
    assert sentence == (
        "Corrected in an earlier deal: You show 5♥ 5♠ 6♣ J♦ – Ann now has 19, not 33"
    )
    assert said(board, "amend 4 1 show 5H 5S 5C JD").endswith("Ann now has 33, not 19")
    sentence = said(board, "amend 5 1 peg 4", Viewer("ja"))
    assert sentence == "前のディールを訂正：Annに4点（得点は変わりません）"
    assert said(board, "amend 5") == (
        "Removed from an earlier deal: You peg 4 – Ann now has 29, not 33"
    )
    assert said(board, "insert 4 1 peg 4").startswith("Added in an earlier deal: You peg 4 –")
    assert said(board, "starter 4C") == "The starter is 4♣"
    assert (
        said(board, "amend 1 starter JC") == "Corrected: The starter is J♣ – Ann now has 35, not 33"
    )


def test_a_correction_shows_nobody_anothers_cards(board: Board) -> None:
    for line in ("deal", "1 discard 5H 6S"):
        submit(board.table, line, "test")
    sentence = said(board, "amend 1 1 discard 5H 7S", Viewer("en", 2))
    assert sentence == "Corrected: Ann discards 2 cards – the scores are unchanged"
    assert "7♠" in Snapshots(board).now(ANN)["happened"]["text"]


def test_a_move_is_played_once(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page no longer replays the whole deal for every viewer and line, which took 10 ms in a
    long deal."""
    played: list[Move] = []

    def counted(position: Position, move: Move) -> Any:
        played.append(move)
        return step(position, move)

    monkeypatch.setattr(visibility, "step", counted)
    kept = Snapshots(board)
    for line in DEAL:
        submit(board.table, line, "test")
        kept.now(ANN)
        kept.now(Viewer("ja"))
    each = 3 * len(DEAL)  # unchanged, as Ann knows it, and as an onlooker does
    assert len(DEAL) < len(played) <= each
    before = len(played)
    submit(board.table, "undo", "test")
    kept.now(ANN)
    assert len(played) == before


def test_what_lies_in_the_count_is_shown(board: Board) -> None:
    """These are its cards and the starter. After the count they stay until the next card is
    played."""
    snapshots = Snapshots(board)
    laid = []
    for line in DEAL:
        submit(board.table, line, "test")
        state = snapshots.now(Viewer("en"))
        laid.append((state["count"], state["laid"], state["starter"]))
    assert laid[:5] == [(None, [], None)] * 5
    assert laid[5] == (0, [], "5D")
    assert laid[8][:2] == (22, ["8C", "9C", "5H"])
    assert laid[10][:2] == (0, ["8C", "9C", "5H", "3S", "6S"])
    assert laid[11][1] == ["4D"]
    assert laid[-1][1:] == ([], "5D"), "the play is over"


def test_a_player_sees_what_the_other_counted(board: Board) -> None:
    """A player's own phone shows another's hand with its cards, and for a crib that follows at once
    the hand's points. A shared phone, where they were entered, shows only the count."""
    snapshots = Snapshots(board)
    for line in (*DEAL, "1 show", "2 show"):
        submit(board.table, line, "test")
    hand = snapshots.now(ANN)["happened"]["text"]
    assert hand.startswith("Bob shows 9♣ 3♠ 4♦ 10♥: fifteen")
    assert snapshots.now(Viewer("en", 2))["happened"]["text"].startswith("Bob 5: fifteen")
    points = snapshots.now(ANN)["happened"]["points"]
    submit(board.table, "2 crib", "test")
    crib = snapshots.now(ANN)["happened"]["text"]
    assert crib.startswith(f"Bob’s hand {points}, crib J♥ Q♠ 2♥ K♠: fifteen")
    own = snapshots.now(Viewer("en", 2))["happened"]["text"]
    assert own.startswith("Your crib: J♥ Q♠ 2♥ K♠: fifteen")
