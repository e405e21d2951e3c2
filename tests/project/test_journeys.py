"""Journeys through the code, traced: docs/architecture.md names the functions in the order of their
first calls."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import boardctl
from boardctl.app.config import Config
from boardctl.app.simulation import Simulation, strokes
from boardctl.bot.worker import Worker
from boardctl.storage import child
from boardctl.web import Options
from boardctl.web.app import make
from tests.tables import submit
from tests.test_untrusted_input import ask
from tests.waiting import until
from tests.web.test_live import Board

ROOT = Path(boardctl.__file__).parent
PAGE = (ROOT.parent / "docs" / "architecture.md").read_text("utf-8")
VIRTUAL = ("drivers/virtual/", "app/simulation.py")
"""The wires and the fingers of a simulated board; a real one has copper and people instead."""


class Trace:
    """Calls of the package's functions.

    entered: each `(file, function)` in the order of first entry, without comprehensions.
    """

    def __init__(self) -> None:
        self.entered: dict[tuple[str, str], None] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event != "call" or not path.is_relative_to(ROOT):
            return
        file = path.relative_to(ROOT).as_posix()
        if not file.startswith(VIRTUAL) and not frame.f_code.co_name.startswith("<"):
            self.entered.setdefault((file, frame.f_code.co_name))


@contextmanager
def traced() -> Iterator[Trace]:
    trace, before = Trace(), sys.getprofile()
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(before)


def named_in(heading: str) -> list[tuple[str, str]]:
    """Return the functions that the page names below a heading."""
    block = PAGE.partition(f"## {heading}\n")[2].partition("```\n")[2].partition("```")[0]
    found = re.findall(r"^(\S+\.py)\s+(\w+)  ", block, re.MULTILINE)
    assert len(found) == len(block.splitlines()) > 5
    return found


def follows(trace: Trace, heading: str) -> None:
    """Check that the functions named by the page were entered, in that order."""
    entered = list(trace.entered)
    named = named_in(heading)
    assert [one for one in named if one not in trace.entered] == []
    assert named == sorted(named, key=entered.index)


def test_a_key_to_its_light(tmp_path: Path) -> None:
    with Simulation(Config(), tmp_path) as simulation:
        for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"):
            submit(simulation.board.table, line, "test")
        for stroke in strokes(["A 8 #", "A 8"]):
            simulation.press(stroke)
        simulation.settle()
        with traced() as trace:
            for stroke in strokes(["#"]):
                simulation.press(stroke)
        assert simulation.board.table.position.scores == (16, 0)
    follows(trace, "How a key press travels")


def test_a_hand_from_a_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = without_lights(tmp_path, monkeypatch)
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "starter 5H"):
        submit(board.table, line, "test")
    address = "http://127.0.0.1:8121"
    headers = {"host": address[7:], "origin": address, "content-type": "application/json"}

    async def post(app: Any, line: str) -> None:
        body = json.dumps({"line": line, "expect": board.table.number}).encode()
        status, answer = await ask(app, "POST", "/lines", headers, body)
        assert (status, b"error" in answer) == (200, False), answer

    async def hand() -> Trace:
        app = make(board, Options())
        # modules imported with the first line are not part of the journey
        await post(app, "1 peg 2")
        with traced() as trace:
            await post(app, "2 show 4S 5C 5D 6H")
        return trace

    try:
        trace = asyncio.run(hand())
        assert board.table.position.scores[1] == 23
    finally:
        board.close()
    follows(trace, "How a hand from a phone travels")


def without_lights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    """Return a board whose table has no drawing observer, because drawing is part of a key's
    journey."""
    board = Board(tmp_path)
    board.table.accepted._receivers.pop(0)
    monkeypatch.setattr(board.controller, "draw", lambda: None)
    return board


class Beside:
    """Run the player's process in this one, so that both are traced."""

    returncode = None

    def __init__(self) -> None:
        self.worker = Worker()
        self.stdin = self.stdout = self
        self.answers: list[bytes] = []

    def write(self, request: bytes) -> None:
        self.answers.append(self.worker.answer(request.decode()).encode() + b"\n")

    async def drain(self) -> None:
        pass

    async def readline(self) -> bytes:
        return self.answers.pop()


def test_a_move_of_the_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = Beside()

    @asynccontextmanager
    async def running(*_: Any, **__: Any) -> AsyncIterator[Beside]:
        yield process

    monkeypatch.setattr(child, "running", running)
    board = without_lights(tmp_path, monkeypatch)

    async def evening() -> Trace:
        for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob"):
            submit(board.table, line, "test")
        board.player.take_seat(2, 5)
        for line in ("dealer 2", "deal", "2 hand 5H 6S 7D 8C JH QS", "1 discard ? ?"):
            submit(board.table, line, "test")
        await until(lambda: board.table.position.situation.phase == "starter")
        submit(board.table, "starter 2C", "test")
        submit(board.table, "1 play 9S", "test")
        await until(lambda: board.table.record.deal[-1].text.startswith("2 play"))
        with traced() as trace:
            submit(board.table, "1 play 4S", "test")
            await until(lambda: board.table.record.deal[-1].text.startswith("2 play"))
        await board.player.close()
        return trace

    try:
        trace = asyncio.run(evening())
    finally:
        board.close()
    follows(trace, "How a move of the player travels")
