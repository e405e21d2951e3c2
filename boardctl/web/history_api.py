"""The history: evenings, players' figures, each game to replay, and exported files.

GET only, also for guests: `/history`, `/history/3`, `/export/3.txt`, `/export/games.csv`,
`/export/games.json`. A separate process (`history_worker`) does the work, and its output is
streamed, so neither many requests nor a long history delay keys and lights.
"""

from __future__ import annotations

import asyncio
import pickle
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from http import HTTPStatus
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from boardctl.web.board_view import BoardView
from boardctl.web.child import PIECE, Streamed, running, unless_gone
from boardctl.web.guard import refuse
from boardctl.web.history_worker import NO_SUCH_GAME

WORKERS: Final = 2
"""Maximum worker processes at once."""
WAITING: Final = 8
"""Maximum requests waiting for a worker; more are answered with 503."""
PATIENCE: Final = 600.0
"""Maximum seconds for an answer; the first in a long history takes longest."""
_JSON: Final = "application/json"


class HistoryApi:
    """The routes of the history."""

    def __init__(self, board: BoardView, language: Callable[[Request], str]) -> None:
        self._board = board
        self._language = language
        self._free = asyncio.Semaphore(WORKERS)
        self._waiting = 0

    def routes(self) -> list[Route]:
        return [
            Route("/history", self._history),
            Route("/history/{number:number}", self._game),
            Route("/export/{number:number}.txt", self._notation),
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
                HTTPStatus.SERVICE_UNAVAILABLE,
                "busy",
                "There are too many requests for the history; try again soon.",
            )
        working = AsyncExitStack()
        try:
            first, worker = await unless_gone(request, self._begin(request, what, working))
        except ClientDisconnect:
            await working.aclose()
            return Response()  # nobody hears it
        except BaseException:
            await working.aclose()
            raise
        if not first:
            await working.aclose()
            if worker.returncode == NO_SUCH_GAME:
                message = "The journal has no game of that number."
                return refuse(HTTPStatus.NOT_FOUND, "no-such-game", message)
            message = "The history cannot be read now; run `boardctl journal check` to see why."
            return refuse(HTTPStatus.INTERNAL_SERVER_ERROR, "no-history", message)
        headers = {"content-disposition": f'attachment; filename="{name}"'} if name else None
        pieces = self._rest(worker, first)
        return Streamed(pieces, working.aclose, media_type=kind, headers=headers)

    async def _begin(
        self, request: Request, what: str, working: AsyncExitStack
    ) -> tuple[bytes, Process]:
        """A worker, which ends with `working`, and the first that it says; none is an error."""
        self._waiting += 1
        try:
            await working.enter_async_context(self._free)
        finally:
            self._waiting -= 1
        worker = await working.enter_async_context(
            running(
                *("-m", "boardctl.web.history_worker", str(self._board.data), what),
                *(str(request.path_params.get("number", 0)), self._language(request)),
                errors=None,
            )
        )
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(pickle.dumps(self._board.layout))
        worker.stdin.close()
        async with asyncio.timeout(PATIENCE):
            first = await worker.stdout.read(PIECE)
            if not first:
                await worker.wait()
        return first, worker

    async def _rest(self, worker: Process, first: bytes) -> AsyncIterator[bytes]:
        """The worker's remaining output, as fast as it is read."""
        assert worker.stdout is not None
        piece = first
        async with asyncio.timeout(PATIENCE):
            while piece:
                yield piece
                piece = await worker.stdout.read(PIECE)
