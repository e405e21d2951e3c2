"""Hints are counted next to the moves: no correction removes one, and none changes a score."""

from __future__ import annotations

import pytest

from boardctl.games import IllegalMove
from boardctl.record import history
from boardctl.record.record import Record
from boardctl.record.replay import answers

OPENING = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal")


def read(*lines: str) -> Record:
    record = Record()
    for line in (*OPENING, *lines):
        record.read(line)
    return record


def lines(record: Record) -> list[str]:
    """Return the lines of the current game."""
    *_, (_, _, found) = record.games()
    return list(found)


def test_a_hint_is_no_move_and_has_its_place() -> None:
    record = read("1 peg 2", "1 hint", "2 peg 3", "2 hint", "2 hint")
    assert len(record.moves) == len(OPENING) + 2
    assert record.hints == {1: 1, 2: 2}
    assert lines(record)[-5:] == ["1 peg 2", "1 hint", "2 peg 3", "2 hint", "2 hint"]
    assert Record().hints == {}


def test_undo_after_a_hint_takes_back_the_move_and_not_the_hint() -> None:
    record = read("1 peg 2", "1 hint", "2 peg 3", "2 hint", "undo", "undo")
    assert record.position.scores == (0, 0)
    assert record.hints == {1: 1, 2: 1}
    assert lines(record)[-2:] == ["1 hint", "2 hint"]
    record.read("redo")
    assert record.position.scores == (2, 0)


def test_what_was_taken_back_can_be_restored_after_a_hint() -> None:
    record = read("1 peg 2", "undo", "1 hint")
    assert record.redoable
    record.read("redo")
    assert record.position.scores == (2, 0)


@pytest.mark.parametrize("edit", ["amend 2 1 peg 4", "amend 2", "insert 3 1 peg 1", "amend 1"])
def test_corrections_keep_hints(edit: str) -> None:
    record = read("1 peg 2", "1 hint", "2 peg 3", "1 hint", edit)
    assert record.hints == {1: 2}
    again = Record()
    for line in lines(record):
        again.read(line)
    assert (again.hints, again.position.scores) == (record.hints, record.position.scores)


def test_a_game_has_its_own_hints() -> None:
    record = read("1 hint", "1 peg 2", "game cribbage", "dealer 1", "2 hint")
    assert record.hints == {2: 1}
    assert [[line for line in own if "hint" in line] for _, _, own in record.games()] == [
        ["1 hint"],
        ["2 hint"],
    ]
    record.read("undo 2")
    assert record.hints == {1: 1}, "a game that is taken back takes its hints along"


def test_an_evening_begins_without_hints() -> None:
    record = read("1 hint", "session Monday", "game cribbage")
    assert record.hints == {}


def test_a_decision_is_helped_once() -> None:
    record = read("1 peg 2", "1 hint")
    assert record.was_helped(1)
    assert not record.was_helped(2)
    record.read("1 peg 1")
    assert not record.was_helped(1)


@pytest.mark.parametrize(
    ("before", "line", "code"),
    [((), "1 hint", "no-game"), (OPENING, "3 hint", "no-such-seat"),
     ((*OPENING, "1 resign"), "1 hint", "game-over")],
)  # fmt: skip
def test_a_hint_that_cannot_be(before: tuple[str, ...], line: str, code: str) -> None:
    record = Record()
    for said in before:
        record.read(said)
    with pytest.raises(IllegalMove) as refused:
        record.read(line)
    assert refused.value.code == code
    moves = record.moves
    assert record.resume(line) is not None
    assert record.moves == moves, "no place is kept for what is no move"


def test_replay_tells_a_hint_as_a_line_without_effect() -> None:
    lines = list(answers([*OPENING, "1 peg 2", "1 hint"], False, lambda *_: ""))
    hint = next(line for line in lines if line.get("move") == "1 hint")
    before = next(line for line in lines if line.get("move") == "1 peg 2")
    assert (hint["awards"], hint["scores"], hint["state"]) == ([], [2, 0], before["state"])


def test_a_played_game_is_walked_with_its_hints() -> None:
    record = read("1 peg 2 play", "1 hint", "2 peg 3 play")
    played = history.PlayedGame(1, 0.0, 1, None, ("Ann", "Bob"), None, tuple(lines(record)))
    steps = [(step.line, step.position.scores) for step in history.walk(played)]
    assert steps[-3:] == [("1 peg 2 play", (2, 0)), ("1 hint", (2, 0)), ("2 peg 3 play", (2, 3))]
