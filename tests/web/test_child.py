"""Work in separate processes ends when its client disconnects."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from boardctl.app import service
from boardctl.board import layout
from boardctl.bot import analysis_api
from boardctl.storage import child
from boardctl.storage.child import running
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Table
from boardctl.web.slow_work import unless_gone
from tests.bot.test_analysis import PEGS_OUT
from tests.spread import spread
from tests.tables import keyed, submit
from tests.web.test_live import Board

FOREVER = ("-c", "import time; time.sleep(600)")


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def client(leaves: asyncio.Event) -> Callable[[], Awaitable[dict[str, Any]]]:
    """Return the messages that a request receives from a client that disconnects on demand."""
    inbox: list[dict[str, Any]] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if inbox:
            return inbox.pop()
        await leaves.wait()
        return {"type": "http.disconnect"}

    return receive


def test_a_process_ends_with_its_block() -> None:
    async def work() -> int:
        with pytest.raises(TimeoutError):
            async with running(*FOREVER) as process, asyncio.timeout(0):
                await process.wait()
        return process.pid

    assert not lives(asyncio.run(work()))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own file")
def test_where_memory_is_short_it_goes_and_the_board_stays() -> None:
    async def work() -> str:
        async with running(*FOREVER) as process:
            return Path(f"/proc/{process.pid}/oom_score_adj").read_text()

    assert int(asyncio.run(work())) == 1000
    assert "OOMPolicy=continue" in service.unit("boardctl").splitlines()


def test_a_system_that_refuses_priorities_runs_it_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """systemd's filter answers `setpriority` and `nice` with EPERM."""

    def refused(*_: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "setpriority", refused)

    async def work() -> bytes:
        async with running("-c", "print(7)", memory=1 << 30) as process:
            return (await process.communicate(b""))[0]

    assert asyncio.run(work()) == b"7\n"


def test_work_ends_when_its_asker_leaves() -> None:
    started: list[int] = []

    async def whole() -> None:
        leaves = asyncio.Event()

        async def work() -> None:
            async with running(*FOREVER) as process:
                started.append(process.pid)
                leaves.set()
                await process.wait()

        request = Request({"type": "http", "method": "GET"}, client(leaves))
        with pytest.raises(ClientDisconnect):
            await unless_gone(request, work())

    asyncio.run(whole())
    assert not lives(started[0])


def test_an_analysis_whose_asker_has_gone_is_ended_and_the_next_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path, AtOnce())
    table = Table(journal, now=lambda: 1.0)
    for line in PEGS_OUT.splitlines():
        submit(table, line, "test")
    journal.close()
    board = Board(tmp_path)
    started: list[int] = []

    async def whole() -> None:
        leaves = asyncio.Event()

        async def judged(api: object, number: int, lines: list[str]) -> dict[str, Any]:
            async with running(*FOREVER) as process:
                started.append(process.pid)
                leaves.set()
                await process.wait()
            raise AssertionError("it waits for ever")

        monkeypatch.setattr(analysis_api.AnalysisApi, "_judged", judged)
        api = analysis_api.AnalysisApi(board, lambda: None)
        (route,) = (route for route in api.routes() if route.path == "/analysis/{number:number}")
        scope: dict[str, Any] = {"type": "http", "method": "GET", "path_params": {"number": 1}}
        scope |= {"query_string": b"", "headers": []}
        await route.endpoint(Request(scope, client(leaves)))

        async def at_once(api: object, number: int, lines: list[str]) -> dict[str, Any]:
            return {"judged": True, "players": [], "decisions": [], "totals": []}

        monkeypatch.setattr(analysis_api.AnalysisApi, "_judged", at_once)
        answer = await route.endpoint(Request(scope, client(asyncio.Event())))
        assert answer.body.startswith(b'{"judged":true')

    asyncio.run(whole())
    board.close()
    assert not lives(started[0])


def test_a_worker_to_whom_nobody_listens_says_nothing(tmp_path: Path) -> None:
    """If the page has ended before its worker, the service's log has no traceback."""
    journal = Journal(tmp_path, AtOnce())
    submit(Table(journal, now=lambda: 1.0), "session friday", "test")
    journal.close()
    hearing, speaking = os.pipe()
    os.close(hearing)
    worker = subprocess.run(
        [sys.executable, "-m", "boardctl.web.history_worker", tmp_path, "overview", "0", "en"],
        stdout=speaking,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(speaking)
    assert worker.stderr == b""


WORKERS = {
    "player": (
        ("boardctl.bot.worker",),
        b'{"seat": 1, "level": 1, "seed": 1, "lines": ["game cribbage", "seat 1 Ann"]}\n',
    ),
    "trainer": (("boardctl.bot.trainer", "5H 5S 5C JD 2C 3D", "dealer", "0", "0", "2C 3D"), b""),
    "history": (
        ("boardctl.web.history_worker", "{data}", "game", "1", "en"),
        pickle.dumps(layout.load("classic-2")),
    ),
}


@pytest.mark.parametrize("name", WORKERS)
@pytest.mark.parametrize("cut", spread(1, ["in the request", "before the answer"]))
def test_a_process_that_outlives_its_board_ends_without_a_word(
    name: str, cut: str, tmp_path: Path
) -> None:
    """A killed board disconnects in the middle of a request, or before the answer."""
    words, request = WORKERS[name]
    with keyed(tmp_path) as table:
        table.press("A8#")
    with subprocess.Popen(
        [sys.executable, "-m", *(word.format(data=tmp_path) for word in words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(request if cut == "before the answer" else request[:-9])
        process.stdin.close()
        said = process.stderr.read()
    assert said == b""


REPLIES = {
    **WORKERS,
    "archive": (("boardctl.storage.archive", "{data}", "1.0"), b""),
    "judged": (("boardctl.bot.judged",), PEGS_OUT.encode()),
    "no game": (("boardctl.bot.judged",), b"session friday\n"),
    "position": (
        ("boardctl.bot.positions",),
        b'{"language": "en", "why": true, "position": {"hand": "5H 6S 7D 8C JH QS", '
        b'"deals": true, "score": [0, 0], "thrown": "", "starter": "", "played": "", '
        b'"target": 121, "five": false}}',
    ),
    "record": (
        ("boardctl.bot.pending_decision",),
        b'{"language": "ja", "seat": null, "record": ["game klaberjass", "seat 1 Ann", '
        b'"seat 2 Bob", "dealer 2", "deal", "1 hand KH QH 7S 8S 9S AC", "turnup TH"]}',
    ),
}


@pytest.mark.parametrize("name", spread(3, REPLIES))
def test_a_process_answers_as_its_function_does(name: str, tmp_path: Path) -> None:
    """Without processes, the board calls the function."""
    words, request = REPLIES[name]
    with keyed(tmp_path) as table:
        table.press("A8#")
    program, *arguments = (word.format(data=tmp_path) for word in words)
    process = subprocess.run(
        [sys.executable, "-m", program, *arguments],
        input=request,
        stdout=subprocess.PIPE,
        check=False,
    )
    reply: child.Reply = import_module(program).reply
    assert reply(arguments, request) == (process.returncode, process.stdout)
    assert (process.stdout == b"") == (name in ("archive", "no game"))
