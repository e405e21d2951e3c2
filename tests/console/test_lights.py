"""The lights continue after any change of a table, and after any error in a drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from boardctl.board import layout
from boardctl.board.render import Picture, render
from boardctl.console import keypad, keys, table_controller
from boardctl.console import lights as lights_module
from boardctl.console.lights import LESSON
from boardctl.record.record import Record
from tests.tables import KeyedTable, keyed, submit

THREE = ("seat 1 Ann", "seat 2 Bob", "seat 3 Cleo")
TWO = ("seat 1 Ann", "seat 2 Bob")
PARTNERS = (*TWO, "seat 3 Cleo", "seat 4 Dan")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[KeyedTable]:
    with keyed(tmp_path, board="classic-3") as opened:
        yield opened


def play(table: KeyedTable, *lines: str) -> None:
    """Play lines without waiting, so pegs are still moving at the next."""
    for line in lines:
        submit(table.table, line, "page")


def seat(table: KeyedTable, players: tuple[str, ...]) -> None:
    table.table.submit_all([table.table.parse(line) for line in players], "page")


def settled(table: KeyedTable) -> bytes:
    """Return the frame of the position alone, with nothing remembered."""
    position = table.table.position
    board = position.scoreboard
    if board is None:
        return bytes(len(table.row.frame))
    picture = Picture(board, won=position.tally.won)
    return render(layout.load("classic-3"), picture, table.clock.time())


def rested(table: KeyedTable) -> bytes:
    """Return the frame on the strip after every animation has ended."""
    table.clock.run(30)
    return table.row.frame


CHANGES = {
    "a game for two": ("3 peg 8", "game bezique", *TWO),
    "a game for two after another": ("3 peg 8", "game bezique", *TWO, "game noddy"),
    "fewer, then more players": ("3 peg 8", "game cribbage", *TWO, "game cribbage", *THREE),
    "partners": ("3 peg 8", "game cribbage", *PARTNERS),
    "partners after two": ("3 peg 8", "game cribbage", *TWO, "game belote", *PARTNERS),
    "back over the start of a game": ("3 peg 8", "game bezique", *TWO, "undo 3", "undo"),
    "and forward again": ("3 peg 8", "game bezique", *TWO, "undo 3", "redo", "undo 4", "redo"),
    "another unit of the peg": ("1 peg 8", "game pinochle", "undo", "game pinochle"),
    "another target": ("3 adjust +60", "game cribbage", "set target 61"),
    "corrected points": ("3 peg 8", "amend 1 3 peg 2"),
    "no players any more": ("3 peg 8", "session saturday", "game bezique"),
    "a new evening": ("3 peg 8", "session saturday", "game bezique", *TWO),
}


@pytest.mark.parametrize("change", CHANGES)
def test_pegs_move_while_the_game_changes(
    table: KeyedTable, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    play(table, "game cribbage")
    seat(table, THREE)
    play(table, "dealer 1", "deal", *CHANGES[change])
    assert rested(table) == settled(table)
    assert not caplog.records, caplog.text


class Once:
    """A function that raises at its next call, and then works."""

    def __init__(self, works: Callable[..., Any]) -> None:
        self.works = works
        self.raised = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.raised:
            self.raised = True
            raise IndexError("tuple index out of range")
        return self.works(*args, **kwargs)


@pytest.mark.parametrize(
    ("room", "name", "part", "typed"),
    [
        (lights_module, "render", "leds", ""),
        (lights_module, "settled", "leds", ""),
        (keypad, "lines", None, ""),
        (keypad, "revise", None, "A"),
        (lights_module, "_walks", None, ""),
    ],
)
def test_whatever_a_drawing_raises_is_over_with_the_next_line(
    table: KeyedTable,
    room: ModuleType,
    name: str,
    part: str | None,
    typed: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    play(table, "game cribbage")
    seat(table, THREE)
    play(table, "dealer 1", "deal", "3 peg 8")
    table.press(typed)
    table.clock.run(0)
    fault = Once(getattr(room, name))
    monkeypatch.setattr(room, name, fault)
    play(table, "1 peg 2")
    table.clock.run(0)
    assert fault.raised
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [IndexError]
    if part is not None:
        assert table.controller.faults == {part: "IndexError: tuple index out of range"}
    play(table, "2 peg 4")
    table.clock.run(0)
    assert not table.controller.faults
    assert rested(table) == settled(table)
    assert "4" in table.said


def test_a_drawing_that_fails_is_tried_again_without_a_line(
    table: KeyedTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    play(table, "game cribbage", "dealer 1", "deal", "2 peg 8")
    table.clock.run(0)
    monkeypatch.setattr(lights_module, "render", Once(render))
    play(table, "1 peg 2")
    table.clock.run(0)
    assert table.controller.faults
    assert rested(table) == settled(table)
    assert not table.controller.faults
    assert [record.message for record in caplog.records] == ["the lights could not be drawn"]


def test_a_drawing_that_fails_again_and_again_is_logged_once(
    table: KeyedTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    play(table, "game cribbage", "dealer 1", "deal")
    table.clock.run(0)
    monkeypatch.setattr(lights_module, "render", lambda *_: [][1])
    for line in ("1 peg 2", "2 peg 4", "1 peg 3"):
        play(table, line)
        table.clock.run(60)
    assert len([record for record in caplog.records if record.exc_info]) == 1
    assert table.controller.faults == {"leds": "IndexError: list index out of range"}


@pytest.mark.parametrize("part", ["leds", "display"])
def test_a_part_with_an_error_that_nobody_thought_of_keeps_nothing_else_from_showing(
    part: str,
    table: KeyedTable,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The lights and the display used to remain unchanged, even if only the other of the two had
    failed."""
    play(table, "game cribbage", "dealer 1", "deal")
    table.clock.run(60)
    failing = table.row if part == "leds" else table.screen
    monkeypatch.setattr(failing, "show", lambda *_: [][1])
    before = table.row.frame, table.screen.lines
    table.press("A 8 #")
    table.clock.run(60)
    assert table.scores == (8, 0)
    same = [
        one == now for one, now in zip(before, (table.row.frame, table.screen.lines), strict=True)
    ]
    assert same == [part == "leds", part == "display"]
    assert table.controller.faults == {part: "IndexError: list index out of range"}
    assert len([record for record in caplog.records if record.exc_info]) == 1
    monkeypatch.undo()
    table.clock.run(60)
    assert not table.controller.faults
    assert rested(table) == settled(table)
    assert "8" in table.said


def test_a_key_that_pegs_is_a_light_before_anything_is_prepared_for_the_next_key(
    table: KeyedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(table, "game cribbage", "dealer 1", "deal")
    table.press("A 8")
    happened: list[str] = []

    def noted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*arguments: Any) -> Any:
            happened.append(name)
            return call(*arguments)

        return noting

    monkeypatch.setattr(table_controller, "table_view", noted("view", keys.table_view))
    monkeypatch.setattr(table.row, "show", noted("light", table.row.show))
    table.press("#")
    assert table.scores == (8, 0)
    assert happened[:2] == ["light", "view"]


def test_a_lesson_has_the_lamps_until_a_line_is_played(table: KeyedTable) -> None:
    play(table, "game cribbage")
    seat(table, TWO)
    play(table, "1 peg 8")
    evening = rested(table)
    lesson = Record()
    for line in ("game cribbage", *TWO, "start 60 90"):
        lesson.read(line)
    table.controller.lights.show_lesson(lesson.position)
    shown = rested(table)
    assert shown != evening
    assert lesson.position.scoreboard is not None
    picture = Picture(lesson.position.scoreboard)
    assert shown == render(layout.load("classic-3"), picture, table.clock.time())
    table.controller.lights.show_lesson(None)
    assert rested(table) == evening, "the learner has left"
    table.controller.lights.show_lesson(lesson.position)
    play(table, "2 peg 2")
    assert rested(table) == settled(table), "the evening goes on"
    table.controller.lights.show_lesson(lesson.position)
    table.clock.run(LESSON + 1)
    assert table.row.frame == settled(table), "nobody went on with the lesson"
