"""The history: evenings, players' statistics, games to replay, and exported files.

All routes use GET and are open to guests: `/history`, the newest games and everybody's statistics;
`/history?before=51`, the page of games before that one; `/history/3`, `/highlights/3`,
`/export/3.txt`, `/export/3.html`, `/export/3.svg`, `/export/3.png`, `/export/games.csv`,
`/export/games.json`.

A separate process (`history_worker`) does the work, so that neither many requests nor a long
history can delay keys and lights. It reads only a small part of the journal, because another
process updates the archive after each game and after each outdated response. Responses about single
games and pages are short. They are read from their process immediately, even for a slow client;
clients at different addresses take turns. Whole files are streamed by separate processes, one per
address, so that other responses need not wait for them.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from boardctl import __version__
from boardctl.storage.child import PIECE, Child
from boardctl.table import Receipt
from boardctl.web import BEHIND, NO_PNG, NO_SUCH_GAME, UNREADABLE, guard
from boardctl.web.board_view import BoardView
from boardctl.web.guard import refuse
from boardctl.web.pairing import network
from boardctl.web.slow_work import Streamed, Turns, unless_gone

WORKERS: Final = 2
"""The maximum number of simultaneous worker processes for pages and games, and also for files."""
WAITING: Final = 8
"""The maximum number of requests for pages and games that wait for one address, and of addresses
with requests for files. Further requests are answered with 503."""
PATIENCE: Final = 60.0
"""The maximum seconds for an answer."""
STALLED: Final = 60.0
"""The maximum seconds until a client takes a piece of a file, or until the next piece is ready. The
first file of a long journal waits until the journal has been read."""
FIRST: Final = 600.0
"""The maximum seconds until the first piece of a file."""
_DIGITS: Final = 10
_JSON: Final = "application/json"


@dataclass(slots=True)
class _Turn:
    """The file requests from one client address. While one file is being sent, one more request may
    wait."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    count: int = 0


class HistoryApi:
    """The routes of the history."""

    def __init__(self, board: BoardView) -> None:
        self._board = board
        self._turns = Turns(WORKERS, WORKERS + WAITING)
        self._free_for_files = asyncio.Semaphore(WORKERS)
        self._files: dict[str, _Turn] = {}
        """The addresses with requests for a file."""
        self._reading: asyncio.Task[None] | None = None
        self._is_outdated = False
        self._is_served = False
        self._unobserve = board.table.accepted.connect(self._on_move)

    def begin(self) -> None:
        """Keep the archive up to date in the background from now on, until `close`."""
        self._is_served = True

    async def close(self) -> None:
        """Stop reading in the background, and end the process that reads."""
        self._is_served = False
        self._unobserve()
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait((self._reading,))

    def routes(self) -> list[Route]:
        return [
            Route("/history", self._history),
            Route("/history/{number:number}", self._game),
            Route("/highlights/{number:number}", self._highlights),
            Route("/export/{number:number}.txt", self._notation),
            Route("/export/{number:number}.html", self._page),
            Route("/export/{number:number}.svg", self._picture),
            Route("/export/{number:number}.png", self._png),
            Route("/export/games.csv", self._csv),
            Route("/export/games.json", self._json),
        ]

    async def _history(self, request: Request) -> Response:
        """Return a page of games without their moves, newest first, and every player's
        statistics."""
        before = request.query_params.get("before", "0")
        if not (before.isascii() and before.isdigit() and len(before) < _DIGITS):
            return refuse(request, HTTPStatus.NOT_FOUND, "no-such-game", "no-such-games")
        return await self._ask(request, "overview", before, _JSON)

    async def _game(self, request: Request) -> Response:
        """Return a game to replay: each move with its scores, awards and lights."""
        return await self._ask(request, "game", str(request.path_params["number"]), _JSON)

    async def _notation(self, request: Request) -> Response:
        """Return the record of a game in the table notation."""
        number = str(request.path_params["number"])
        kind = "text/plain; charset=utf-8"
        return await self._ask(request, "notation", number, kind, _named(f"game-{number}.txt"))

    async def _highlights(self, request: Request) -> Response:
        """Return the highlights of a game as sentences. Game 0 is the newest."""
        return await self._ask(request, "highlights", str(request.path_params["number"]), _JSON)

    async def _page(self, request: Request) -> Response:
        """Return a game as an HTML file that shows it move by move."""
        number = str(request.path_params["number"])
        kind = "text/html; charset=utf-8"
        return await self._ask(request, "html", number, kind, _named(f"game-{number}.html"))

    async def _picture(self, request: Request) -> Response:
        """Return a picture of a game for sharing."""
        number = str(request.path_params["number"])
        headers = _named(f"game-{number}.svg")
        return await self._ask(request, "picture", number, "image/svg+xml", headers)

    async def _png(self, request: Request) -> Response:
        """Return the same picture as a PNG file, drawn with the board's own fonts."""
        number = str(request.path_params["number"])
        return await self._ask(request, "png", number, "image/png", _named(f"game-{number}.png"))

    async def _csv(self, request: Request) -> Response:
        """Return all games as a table, one row for each side."""
        return await self._file(request, "csv", "text/csv; charset=utf-8", "games.csv")

    async def _json(self, request: Request) -> Response:
        """Return all games with their records and the scores after each move."""
        return await self._file(request, "json", f"{_JSON}; charset=utf-8", "games.json")

    # The archive

    def _on_move(self, receipt: Receipt) -> None:
        """Store the summary of a game as soon as it is over."""
        if receipt.report.ended is None and receipt.report.closes is None:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a board that does not serve the page
            return
        # The future completes on the journal's thread.
        receipt.saved.add_done_callback(lambda _: loop.call_soon_threadsafe(self._read_on))

    def _read_on(self) -> None:
        """Update the archive in the background. If an update is already in progress, run one more
        after it."""
        if not self._is_served:
            return
        if self._reading is not None and not self._reading.done():
            self._is_outdated = True
            return
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        program = ("-m", "boardctl.storage.archive", str(self._board.data), __version__)
        self._is_outdated = True
        while self._is_outdated:
            self._is_outdated = False
            async with self._board.child(*program, errors=None, nice=19) as process:
                await process.communicate(b"")

    # Short answers

    async def _ask(
        self,
        request: Request,
        what: str,
        number: str,
        kind: str,
        headers: dict[str, str] | None = None,
    ) -> Response:
        try:
            async with asyncio.timeout(PATIENCE):
                status, output = await unless_gone(request, self._answer(request, what, number))
        except ClientDisconnect:
            return Response()  # the client has disconnected
        except TimeoutError:
            return _busy(request)
        if status == BEHIND:
            self._read_on()
        if status == UNREADABLE:
            return unreadable(request, output)
        if output:
            return Response(output, media_type=kind, headers=headers)
        if status == BEHIND:
            return refuse(request, HTTPStatus.SERVICE_UNAVAILABLE, "busy", "history-behind")
        return _refused(request, status)

    async def _answer(self, request: Request, what: str, number: str) -> tuple[int | None, bytes]:
        """Return a worker's exit status and complete output. Raises Refused if the request cannot
        be served now."""
        async with AsyncExitStack() as working:
            await working.enter_async_context(self._turns.of(guard.address(request)))
            worker = await self._begin(request, what, number, working)
            output, _ = await worker.communicate(pickle.dumps(self._board.layout))
            return worker.returncode, output

    async def _begin(
        self, request: Request, what: str, number: str, working: AsyncExitStack
    ) -> Child:
        """Return a worker that ends with `working`."""
        program = ("-m", "boardctl.web.history_worker", str(self._board.data), what)
        return await working.enter_async_context(
            self._board.child(*program, number, guard.language(request), errors=None)
        )

    # Files

    async def _file(self, request: Request, what: str, kind: str, name: str) -> Response:
        address = network(guard.address(request))
        turn = self._files.setdefault(address, _Turn())
        if turn.count > 1 or len(self._files) > WAITING:
            self._leave(address)
            return _busy(request)
        turn.count += 1
        working = AsyncExitStack()
        working.callback(self._leave, address, 1)
        try:
            begun = self._first(request, what, working, turn.lock)
            first, worker = await unless_gone(request, begun)
        except ClientDisconnect:
            await working.aclose()
            return Response()  # the client has disconnected
        except BaseException:
            await working.aclose()
            raise
        if not first:
            await working.aclose()
            if worker.returncode == UNREADABLE:
                return await self._ask(request, "trouble", "0", _JSON)
            return _refused(request, worker.returncode)
        pieces = _rest(worker, first)
        return Streamed(pieces, working.aclose, media_type=kind, headers=_named(name))

    def _leave(self, address: str, count: int = 0) -> None:
        """Record that a request for a file has ended, or was refused before it began."""
        turn = self._files[address]
        turn.count -= count
        if turn.count == 0:
            del self._files[address]

    async def _first(
        self, request: Request, what: str, working: AsyncExitStack, turn: asyncio.Lock
    ) -> tuple[bytes, Child]:
        """Return a worker that ends with `working`, and its first output. Raise an error if there
        is no output."""
        await working.enter_async_context(turn)
        await working.enter_async_context(self._free_for_files)
        worker = await self._begin(request, what, "0", working)
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.close()
        async with asyncio.timeout(FIRST):
            first = await worker.stdout.read(PIECE)
            if not first:
                await worker.wait()
        return first, worker


async def _rest(worker: Child, first: bytes) -> AsyncIterator[bytes]:
    """Yield the worker's remaining output as fast as the client reads it."""
    assert worker.stdout is not None
    piece = first
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(STALLED) as moving:
        while piece:
            yield piece
            moving.reschedule(loop.time() + STALLED)
            piece = await worker.stdout.read(PIECE)


def _named(name: str) -> dict[str, str]:
    """Return the header that makes a browser save the response as a file."""
    return {"content-disposition": f'attachment; filename="{name}"'}


def _busy(request: Request) -> Response:
    return refuse(request, HTTPStatus.SERVICE_UNAVAILABLE, "busy")


def unreadable(request: Request, why: bytes) -> Response:
    """Return the response for an unreadable journal. `why` is the reason given by
    `history_worker`."""
    failed = HTTPStatus.INTERNAL_SERVER_ERROR
    return refuse(request, failed, "no-history", "no-history-why", reason=why.decode())


def _refused(request: Request, status: int | None) -> Response:
    if status == NO_SUCH_GAME:
        return refuse(request, HTTPStatus.NOT_FOUND, "no-such-game")
    if status == NO_PNG:
        return refuse(request, HTTPStatus.NOT_IMPLEMENTED, "no-png")
    return refuse(request, HTTPStatus.INTERNAL_SERVER_ERROR, "no-history")
