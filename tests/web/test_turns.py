"""Routes with long computations: a guest with many requests keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from boardctl.web import Options
from boardctl.web.app import make
from boardctl.web.guard import Refused
from boardctl.web.slow_work import Streamed, Turns, unless_gone
from tests.tables import submit
from tests.web.test_live import Board

GUEST, FAMILY = "10.0.0.66", "10.0.0.2"
MANY = 9
"""The number of a guest's requests, each about something else."""


async def settle() -> None:
    """Let every runnable task continue."""
    for _ in range(200):
        await asyncio.sleep(0)


class Work:
    """Work that ends when the test ends it, one after the other."""

    def __init__(self) -> None:
        self.free = asyncio.Semaphore(0)
        self.running = 0

    async def do(self) -> None:
        self.running += 1
        try:
            await self.free.acquire()
        finally:
            self.running -= 1

    async def ends(self) -> None:
        """End the work that began first."""
        assert self.running
        self.free.release()
        await settle()


async def in_turn(turns: Turns, address: str, work: Work, done: list[str]) -> None:
    async with turns.of(address):
        await work.do()
    done.append(address)


def test_the_address_whose_turn_is_longest_ago_is_next() -> None:
    async def run() -> None:
        turns, work, done = Turns(), Work(), list[str]()
        async with asyncio.TaskGroup() as group:
            for address in (*[GUEST] * 4, *[FAMILY] * 2, "10.0.0.3"):
                group.create_task(in_turn(turns, address, work, done))
            await settle()
            while work.running:
                assert work.running == 1
                await work.ends()
        assert done == [GUEST, FAMILY, "10.0.0.3", GUEST, FAMILY, GUEST, GUEST]

    asyncio.run(run())


def test_a_household_takes_its_turns_as_one_however_many_addresses_it_has() -> None:
    async def run() -> None:
        turns, work, done = Turns(), Work(), list[str]()
        guests = [f"2001:db8:1:2::{number:x}" for number in range(3)]
        async with asyncio.TaskGroup() as group:
            for address in (*guests, "2001:db8:1:3::1"):
                group.create_task(in_turn(turns, address, work, done))
            await settle()
            while work.running:
                await work.ends()
        assert done.index("2001:db8:1:3::1") == 1

    asyncio.run(run())


def test_too_many_requests_are_refused_and_what_ends_makes_room() -> None:
    async def run() -> None:
        turns, work, done = Turns(at_once=2, each=3, addresses=2), Work(), list[str]()
        tasks = [asyncio.create_task(in_turn(turns, GUEST, work, done)) for _ in range(3)]
        await settle()
        with pytest.raises(Refused) as refused:
            await in_turn(turns, GUEST, work, done)
        assert (refused.value.status, refused.value.code) == (503, "busy")
        tasks.append(asyncio.create_task(in_turn(turns, FAMILY, work, done)))
        await settle()
        with pytest.raises(Refused, match="busy"):
            await in_turn(turns, "10.0.0.3", work, done)
        assert work.running == 2
        await work.ends()
        assert work.running == 2
        tasks.append(asyncio.create_task(in_turn(turns, GUEST, work, done)))
        while work.running:
            await work.ends()
        await asyncio.gather(*tasks)
        assert sorted(done) == sorted([GUEST] * 4 + [FAMILY])
        await asyncio.wait_for(in_turn(turns, "10.0.0.3", free(), done), 60)

    asyncio.run(run())


def free() -> Work:
    work = Work()
    work.free.release()
    return work


@pytest.mark.parametrize("when", ["waiting", "working", "as its turn comes"])
def test_who_leaves_takes_no_turn_along(when: str) -> None:
    async def run() -> None:
        turns, work, done = Turns(), Work(), list[str]()
        first = asyncio.create_task(in_turn(turns, GUEST, work, done))
        second = asyncio.create_task(in_turn(turns, GUEST, work, done))
        third = asyncio.create_task(in_turn(turns, GUEST, work, done))
        await settle()
        if when == "waiting":
            second.cancel()
        elif when == "working":
            first.cancel()
        else:
            work.free.release()
            while not done:
                await asyncio.sleep(0)
            second.cancel()
        await settle()
        while work.running:
            await work.ends()
        await asyncio.gather(first, second, third, return_exceptions=True)
        assert done == [GUEST, GUEST]
        await in_turn(turns, FAMILY, free(), done)

    asyncio.run(run())


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    made = Board(tmp_path)
    for line in ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1"):
        submit(made.table, line, "test")
    for _ in range(MANY):
        submit(made.table, "1 adjust +1", "test")
    yield made
    made.close()


ROUTES = {
    "/position": "/position?hand=5H+6S+7D+8C+9H+TS&score={}+0",
    "/trainer": "/trainer?hand=5H+6S+7D+8C+9H+TS&role=pone&score={}+0&throw=5H+6S",
    "/analysis": "/analysis/{}",
    "/history": "/history?before={}",
    "/history/1": "/history/{}",
    "/highlights": "/highlights/{}",
    "/export.txt": "/export/{}.txt",
    "/export.html": "/export/{}.html",
    "/export.svg": "/export/{}.svg",
    "/export.png": "/export/{}.png",
    "/amend": "/amend?back={}",
}


@pytest.mark.parametrize("route", ROUTES)
def test_the_family_waits_for_no_more_than_the_work_in_progress(
    route: str, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest's nine requests took their turns before the family's one, which took 86 s on a real
    board."""

    async def run() -> None:
        work = Work()

        found = {"state": "won", "lines": [], "players": [], "decisions": [], "totals": []}

        class Process:
            returncode = 0

            def __init__(self) -> None:
                self.stdin = io.BytesIO()
                self.stdout = self
                self.said = False

            async def communicate(self, _: bytes) -> tuple[bytes, bytes]:
                await work.do()
                return json.dumps(found).encode(), b""

            async def read(self, _: int) -> bytes:
                if self.said:
                    return b""
                self.said = True
                await work.do()
                return json.dumps(found).encode() + b"\n"

            async def wait(self) -> int:
                return 0

        @asynccontextmanager
        async def running(*_: str, **__: Any) -> AsyncIterator[Process]:
            yield Process()

        async def to_thread(do: Callable[[], Any]) -> Any:
            await work.do()
            return do()

        monkeypatch.setattr(board, "child", running)
        monkeypatch.setattr(asyncio, "to_thread", to_thread)
        app = make(board, Options(), now=lambda: 1.0)

        async def get(address: str, number: int) -> httpx.Response:
            transport = httpx.ASGITransport(app, client=(address, 5))
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1:8121"
            ) as client:
                return await client.get(ROUTES[route].format(number))

        guests = [asyncio.create_task(get(GUEST, number)) for number in range(1, MANY + 1)]
        await settle()
        family = asyncio.create_task(get(FAMILY, MANY + 1))
        await settle()
        begun, ended = work.running, 0
        while not family.done():
            await work.ends()
            ended += 1
        assert family.result().status_code == 200
        pieces = 2 if route == "/analysis" else 1  # reading the game, and judging it
        assert ended <= (begun + 1) * pieces
        while work.running:
            await work.ends()
        assert {answer.status_code for answer in await asyncio.gather(*guests)} == {200}

    asyncio.run(run())


def request(*messages: Message) -> Request:
    """Return a request whose client sends these messages, and then nothing more."""
    left = [*messages]

    async def receive() -> Message:
        if not left:
            await asyncio.Event().wait()
        return left.pop(0)

    return Request({"type": "http", "method": "POST"}, receive)


def test_a_body_does_not_end_the_work_and_a_disconnect_does() -> None:
    """The work has cleaned up when its requester is told."""
    ended: list[str] = []

    async def work(free: asyncio.Event) -> str:
        try:
            await free.wait()
        finally:
            await asyncio.sleep(0)
            ended.append("work")
        return "done"

    async def act() -> None:
        free, body = asyncio.Event(), {"type": "http.request", "body": b"{}"}
        working = asyncio.ensure_future(unless_gone(request(body), work(free)))
        await settle()
        assert not working.done()
        free.set()
        assert await working == "done"
        ended.clear()
        with pytest.raises(ClientDisconnect):
            await unless_gone(request(body, {"type": "http.disconnect"}), work(asyncio.Event()))
        assert ended == ["work"]

    asyncio.run(act())


@pytest.mark.parametrize("leaves", [False, True])
def test_a_streamed_response_is_sent_whole_and_closes_its_source(leaves: bool) -> None:
    sent: list[Message] = []
    ended: list[bool] = []

    async def pieces() -> AsyncIterator[bytes]:
        yield b"one"
        yield b"two"

    async def end() -> None:
        ended.append(True)

    async def send(message: Message) -> None:
        if leaves:
            raise OSError("the client has left")
        sent.append(message)

    async def act() -> None:
        response = Streamed(pieces(), end, media_type="text/plain", headers={"x-number": "7"})
        scope = {"type": "http", "asgi": {"spec_version": "2.4"}}
        if leaves:
            with pytest.raises(ClientDisconnect):
                await response(scope, request().receive, send)
        else:
            await response(scope, request().receive, send)

    asyncio.run(act())
    assert ended == [True]
    if not leaves:
        assert b"".join(message.get("body", b"") for message in sent) == b"onetwo"
        headers = dict(sent[0]["headers"])
        assert headers[b"x-number"] == b"7"
        assert headers[b"content-type"].startswith(b"text/plain")
