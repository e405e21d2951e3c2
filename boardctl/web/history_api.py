"""What was played: the evenings, the players' figures, each game to be seen again, and files.

GET only, for guests too: `/history`, `/history/3`, `/export/3.txt`, `/export/games.csv`,
`/export/games.json`. Worked out by a process of its own (`history_worker`), whose output is passed
on as it comes: however many ask, and however long the history, the loop of keys and light hardly
notices.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from boardctl.web.board_view import BoardView
from boardctl.web.guard import refuse
from boardctl.web.history_worker import NO_SUCH_GAME

WORKERS: Final = 2
"""Processes that may work at once."""
WAITING: Final = 8
"""Questions that may wait for one; more are asked to come again."""
PIECE: Final = 65_536
"""Bytes that are passed on at a time."""
PATIENCE: Final = 600.0
"""Seconds that an answer may take, the first time in a long history above all."""
_JSON: Final = "application/json"


class HistoryApi:
    """The routes that look back."""

    def __init__(self, board: BoardView, language: Callable[[Request], str]) -> None:
        self._board = board
        self._language = language
        self._reaping: set[asyncio.Task[None]] = set()
        self._free = asyncio.Semaphore(WORKERS)
        self._waiting = 0

    def routes(self) -> list[Route]:
        return [
            Route("/history", self._history),
            Route("/history/{number:int}", self._game),
            Route("/export/{number:int}.txt", self._notation),
            Route("/export/games.csv", self._csv),
            Route("/export/games.json", self._json),
        ]

    async def _history(self, request: Request) -> Response:
        return await self._ask(request, "overview", _JSON)

    async def _game(self, request: Request) -> Response:
        return await self._ask(request, "game", _JSON)

    async def _notation(self, request: Request) -> Response:
        name = f"game-{request.path_params['number']}.txt"
        return await self._ask(request, "notation", "text/plain; charset=utf-8", name)

    async def _csv(self, request: Request) -> Response:
        return await self._ask(request, "csv", "text/csv; charset=utf-8", "games.csv")

    async def _json(self, request: Request) -> Response:
        return await self._ask(request, "json", f"{_JSON}; charset=utf-8", "games.json")

    async def _ask(self, request: Request, what: str, kind: str, name: str = "") -> Response:
        if self._waiting >= WAITING:
            return refuse(
                HTTPStatus.SERVICE_UNAVAILABLE, "busy", "Many ask for the history; try again soon."
            )
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        worker: asyncio.subprocess.Process | None = None
        try:
            worker = await self._start(request, what)
            assert worker.stdout is not None
            async with asyncio.timeout(PATIENCE):
                first = await worker.stdout.read(PIECE)
                ended = await worker.wait() if not first else 0
        except BaseException:
            await self._end(worker)
            raise
        if not first:
            await self._end(worker)
            if ended == NO_SUCH_GAME:
                message = "The journal has no game of that number."
                return refuse(HTTPStatus.NOT_FOUND, "no-such-game", message)
            message = "The history cannot be read now; `boardctl journal check` says why."
            return refuse(HTTPStatus.INTERNAL_SERVER_ERROR, "no-history", message)
        headers = {"content-disposition": f'attachment; filename="{name}"'} if name else None
        pieces = self._rest(worker, first)
        return _Streamed(pieces, partial(self._end, worker), media_type=kind, headers=headers)

    async def _start(self, request: Request, what: str) -> asyncio.subprocess.Process:
        number = request.path_params.get("number", 0)
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "boardctl.web.history_worker"),
            *(str(self._board.data), what, str(number), self._language(request)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=PIECE,
        )
        assert worker.stdin is not None
        worker.stdin.write(pickle.dumps(self._board.layout))
        worker.stdin.close()
        return worker

    async def _rest(self, worker: asyncio.subprocess.Process, first: bytes) -> AsyncIterator[bytes]:
        """What the worker says, as fast as it is read."""
        assert worker.stdout is not None
        piece = first
        async with asyncio.timeout(PATIENCE):
            while piece:
                yield piece
                piece = await worker.stdout.read(PIECE)

    async def _end(self, worker: asyncio.subprocess.Process | None) -> None:
        self._free.release()
        if worker is None:
            return
        assert worker.stdout is not None
        if worker.returncode is None and not worker.stdout.at_eof():
            # Not `worker.kill()`: it looks first whether the process lives, and so takes its exit
            # status away from asyncio, which then warns.
            with suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGKILL)
        reaping = asyncio.create_task(_reap(worker))
        self._reaping.add(reaping)  # a loop keeps only a weak reference
        reaping.add_done_callback(self._reaping.discard)
        await asyncio.shield(reaping)


class _Streamed(StreamingResponse):
    """A response that ends its worker however it ends: a client may be gone before the first piece,
    when its generator has not begun and no `finally` in it would run."""

    def __init__(
        self, pieces: AsyncIterator[bytes], end: Callable[[], Awaitable[None]], **more: Any
    ) -> None:
        super().__init__(pieces, **more)
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._end()


async def _reap(worker: asyncio.subprocess.Process) -> None:
    """Wait for a worker's end: its pipe is read out first, since one that is paused never ends."""
    assert worker.stdout is not None
    while await worker.stdout.read(PIECE):
        pass
    await worker.wait()
