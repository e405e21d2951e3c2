"""Requests of guests about a longer game take no more work in one turn of the loop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from boardctl.web import Options
from boardctl.web.app import make
from boardctl.web.pairing import network
from tests.spread import spread
from tests.tables import submit
from tests.web.test_live import Board
from tests.work import turns_counted

SHORT, LONG = 100, 800
"""The number of lines in the game."""


def busiest(folder: Path, lines: int, path: str) -> int:
    """Return the maximum number of the project's calls in one turn while a request is answered."""
    board = Board(folder)
    for line in ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1"):
        submit(board.table, line, "test")
    for number in range(lines):
        submit(board.table, f"1 adjust {'+-'[number % 2]}1", "test")

    async def ask() -> int:
        app = make(board, Options(), now=lambda: 1.0)
        transport = httpx.ASGITransport(app, client=("10.0.0.66", 5))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:8121"
        ) as client:
            with turns_counted() as counts:
                answer = await client.get(path)
            assert answer.status_code == 200
            return max(counts)

    try:
        return asyncio.run(ask())
    finally:
        board.close()


@pytest.mark.parametrize(
    "path", spread(1, ["/history", "/history/1", "/export/1.txt", "/analysis/1"])
)
def test_a_longer_game_is_no_more_work_in_one_turn(path: str, tmp_path: Path) -> None:
    few = busiest(tmp_path / "short", SHORT, path)
    assert busiest(tmp_path / "long", LONG, path) <= few + 20


def test_work_that_grows_in_one_turn_is_seen() -> None:
    """Check the count itself: a turn with that many calls counts as that much work."""

    async def work(times: int) -> None:
        for _ in range(times):
            network("10.0.0.1")

    found = []
    for times in (10, 100):
        with turns_counted() as counts:
            asyncio.run(work(times))
        found.append(max(counts))
    assert found[1] >= found[0] + 90
