"""The board in a browser tab, here with an ordinary Python, but without sockets, threads or
processes."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import subprocess
import threading
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from boardctl.app import tab
from boardctl.app.tab import InTab, TabBoard
from boardctl.storage import backup, database
from boardctl.storage.journal import read_sessions

HAND = ("1 peg 8", "dealer 1", "deal", "starter 5", "2 show 4 5 5 6")


async def ask(program: str, arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    return tab.reply(program, arguments, given)


class Visitor:
    """A page in a tab."""

    def __init__(self, data: Path, language: str = "en") -> None:
        self.asked: list[str] = []

        async def counted(*request: Any) -> tuple[int, bytes]:
            self.asked.append(request[0])
            return await ask(*request)

        self.tab = TabBoard(str(data), language, counted)
        self._number = 0

    async def get(self, path: str, method: str = "GET", body: object = None) -> Any:
        self._number += 1
        headers = [("content-type", "application/json"), ("accept-language", "en")]
        content = b"" if body is None else json.dumps(body).encode()
        status, named, found = await self.tab.request(self._number, method, path, headers, content)
        kind = dict(json.loads(named)).get("content-type", "")
        return status, json.loads(found) if "json" in kind else found

    async def say(self, *lines: str) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        for line in lines:
            _, state = await self.get("/state")
            body = {"line": line, "expect": state["number"]}
            status, answer = await self.get("/lines", "POST", body)
            assert (status, answer.get("refused")) == (200, None), line
        return answer

    async def until(self, known: Callable[[], Awaitable[object]]) -> None:
        while not await known():
            await asyncio.sleep(0)

    async def close(self) -> None:
        await self.tab.close()


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine like the one that a tab provides."""

    def lacking(*_: object, **__: object) -> None:
        raise AssertionError("a tab has none of these")

    monkeypatch.setattr(database, "MODE", "TRUNCATE")
    monkeypatch.setattr(threading.Thread, "start", lacking)
    monkeypatch.setattr(subprocess.Popen, "__init__", lacking)
    monkeypatch.setattr(socket.socket, "bind", lacking)

    async def at_once(work: Callable[..., Any], *given: Any) -> Any:
        return work(*given)

    monkeypatch.setattr(asyncio, "to_thread", at_once)


def test_a_hand_and_what_the_history_says_of_it(tmp_path: Path) -> None:
    async def visit() -> None:
        page = Visitor(tmp_path)
        answer = await page.say(*HAND)
        assert answer["state"]["number"] > len(HAND)
        status, history = await page.get("/history")
        assert (status, history["games"][0]["sides"]) == (200, ["Ann", "Bob"])
        _, text = await page.get("/export/1.txt")
        assert text.decode().splitlines()[-len(HAND) :] == list(HAND)
        _, table = await page.get("/export/games.csv")
        assert table.startswith(b"number,")
        assert (await page.get("/history/9"))[0] == 404
        assert page.asked == [], "what reads the folder is done beside the board"
        await page.close()

    asyncio.run(visit())


def test_the_player_thinks_elsewhere(tmp_path: Path) -> None:
    async def visit() -> None:
        page = Visitor(tmp_path)
        _, state = await page.get("/state")
        begin = {"name": "Ann", "level": 1, "expect": state["number"]}
        status, _ = await page.get("/player/game", "POST", begin)
        assert status == 200

        async with asyncio.timeout(60):
            await page.until(lambda: _asked(page))
        assert set(page.asked) == {"boardctl.bot.worker"}
        position = "hand=5H+6S+7D+8C+JH+QS&deals=yes&score=0+0"
        status, found = await page.get(f"/position?{position}")
        assert (status, found["kind"]) == (200, "throw")
        await page.close()

    async def _asked(page: Visitor) -> bool:
        return bool(page.asked)

    asyncio.run(visit())


def test_what_cannot_work_in_a_tab_is_absent(tmp_path: Path) -> None:
    async def visit() -> None:
        page = Visitor(tmp_path, "ja-JP")
        _, state = await page.get("/state")
        assert state["features"] == ["bot", "far"]
        assert (await page.get("/photo"))[0] == 404
        assert page.tab.board.setup() is None
        assert page.tab.board.controller.language == "ja"
        await page.close()

    asyncio.run(visit())


def test_a_live_page(tmp_path: Path) -> None:
    async def visit() -> None:
        page = Visitor(tmp_path)
        told: list[tuple[str, Any]] = []
        heard = asyncio.Event()

        def tell(what: str, value: Any) -> None:
            told.append((what, value))
            heard.set()

        live = page.tab.connect("/ws?lang=en", [], tell)
        async with asyncio.timeout(60):
            while not any(what == "message" and isinstance(value, bytes) for what, value in told):
                heard.clear()
                await heard.wait()
        assert told[0] == ("accept", "")
        live.say(json.dumps({"key": "A", "down": True}))
        live.close()
        async with asyncio.timeout(60):
            while told[-1][0] != "close":
                heard.clear()
                await heard.wait()
        await page.close()

    asyncio.run(visit())


def test_a_page_that_leaves_is_told_to_its_request(tmp_path: Path) -> None:
    async def visit() -> None:
        page = Visitor(tmp_path)
        waits = asyncio.Event()

        async def never(*_: object) -> tuple[int, bytes]:
            waits.set()
            await asyncio.Event().wait()
            raise AssertionError

        page.tab.board.child = tab.starter(tmp_path, never)
        asked = page.tab.request(7, "GET", "/position?hand=5H+6S+7D+8C+JH+QS&score=0+0", [], b"")
        task = asyncio.ensure_future(asked)
        async with asyncio.timeout(60):
            await waits.wait()
            page.tab.leave(7)
            status, _, content = await task
        assert (status, content) == (200, b"")
        await page.close()

    asyncio.run(visit())


def test_games_go_to_another_board_and_back(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"

    async def visit(data: Path, *lines: str) -> tuple[bytes, bytes]:
        page = Visitor(data)
        if lines:
            await page.say(*lines)
        _, text = await page.get("/export/1.txt")
        copy = page.tab.save()
        await page.close()
        return copy, text

    async def open_copy(copy: bytes) -> str:
        page = Visitor(there)
        refused = page.tab.restore(copy)
        await page.close()
        return refused

    copy, text = asyncio.run(visit(here, *HAND))
    assert asyncio.run(open_copy(copy[:5000])), "a sentence says why it is refused"
    assert asyncio.run(open_copy(copy)) == ""
    again, told = asyncio.run(visit(there))
    assert told == text
    assert {file.name for file in there.iterdir()} & {tab.COPY, backup.WAITING} == set()
    (_, mine), *_ = read_sessions(here)
    (_, theirs), *_ = read_sessions(there)
    assert mine == theirs
    assert len(again) == len(copy)


def test_lines_are_answered_as_they_are_read() -> None:
    given: list[bytes] = []

    async def reply(lines: bytes) -> tuple[int, bytes]:
        given.append(lines)
        return 3, lines.upper()

    async def talk() -> None:
        child = InTab(reply)
        child.write(b"one\ntwo\n")
        await child.drain()
        assert [await child.readline() for _ in range(3)] == [b"ONE\n", b"TWO\n", b""]
        child.write(b"three\n")
        assert await child.readline() == b"THREE\n"
        assert child.returncode is None
        assert await child.communicate(b"four") == (b"FOUR", b"")
        assert await child.wait() == 3

    asyncio.run(talk())
    assert given == [b"one\ntwo\n", b"three\n", b"four"]


def test_a_rehearsal_ends_and_another_board_opens(tmp_path: Path) -> None:
    async def rehearsed() -> None:
        try:
            await tab.rehearse()
        finally:  # what the rehearsal froze is freed; the tests stay frozen (`tests/conftest.py`)
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        assert gc.isenabled()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        page = Visitor(tmp_path)
        assert (await page.say(*HAND))["state"]
        await page.close()

    asyncio.run(rehearsed())


def test_a_closed_board_calls_nothing() -> None:
    async def closed() -> list[int]:
        loop = asyncio.get_running_loop()
        called: list[int] = []
        clock = tab.TabClock(loop)
        for number in (1, 2):
            clock.call_at(0.0, partial(called.append, number))
            clock.call_soon_threadsafe(partial(called.append, number))
            if number == 2:
                clock.close()
            after = loop.create_future()
            loop.call_later(0.001, after.set_result, None)
            await after
        return called

    assert asyncio.run(closed()) == [1, 1]


def test_random_numbers_differ_between_starts_from_one_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without an argument, the seed comes from the system."""
    seeds: list[object] = []
    monkeypatch.setattr("random.seed", lambda *given: seeds.append(given))
    tab.renew()
    assert seeds == [()]
