"""The page's routes. `make` is called by `serve`, and by tests with a face of their own.

GET changes nothing: `/` and its files, `/layout` (the board's geometry), `/state` (how the game
stands), `/words` (the page's own words). POST takes JSON and answers JSON: `/lines` plays a line
and answers when it is on disk, `/preview` says what a line would earn; what the referee refuses is
an answer like any other, `{"refused": {"code": …, "message": …}}`. Other statuses than 200 are for
requests that no page of ours makes. `/ws` is the live board (`live`).
"""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from boardctl import notation, text
from boardctl.board import plan
from boardctl.games import Game, IllegalMove, Move
from boardctl.journal import JournalError
from boardctl.web import Options, files, state
from boardctl.web.face import Face
from boardctl.web.guard import Guard, refuse
from boardctl.web.live import Live

BODY: Final = 2048
"""The longest body that is read, in bytes: a line is never longer than a tenth of it."""


def make(face: Face, options: Options | None = None) -> Starlette:
    """The page over a running board."""
    page = _Page(face)
    routes = [
        Route("/layout", page.layout),
        Route("/state", page.state),
        Route("/words", page.words),
        Route("/lines", page.lines, methods=["POST"]),
        Route("/preview", page.preview, methods=["POST"]),
        WebSocketRoute("/ws", page.socket),
        *files.routes(),
    ]
    guard = Middleware(Guard, options=options or Options())
    return Starlette(
        routes=routes,
        middleware=[guard],
        exception_handlers={404: _not_found, 405: _wrong_method, _Refused: _refused},
    )


class _Refused(Exception):
    """A request that is answered with an error of one sentence."""

    def __init__(self, status: HTTPStatus, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": {"code": code, "message": message}}


class _Page:
    """The routes that look at the board."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._snapshots = state.Snapshots(face.table)
        self._live = Live(face, self._snapshots)

    async def layout(self, request: Request) -> Response:
        return JSONResponse(plan.picture(self._face.layout))

    async def state(self, request: Request) -> Response:
        return JSONResponse(self._snapshots.now)

    async def words(self, request: Request) -> Response:
        """The page's own words, by their codes."""
        words = {
            code.removeprefix("page."): template
            for code, template in text.sentences().items()
            if code.startswith("page.")
        }
        return JSONResponse({"language": "en", "words": words})

    async def socket(self, socket: WebSocket) -> None:
        await self._live.serve(socket, may_play=True)

    async def lines(self, request: Request) -> Response:
        """`{"line": "1 peg 8", "expect": 12}` -> `{"number": 13, "state": …}` once it is saved."""
        body = await _body(request, {"line": str, "expect": int})
        try:
            receipt = self._face.table.submit(body["line"], "page", body["expect"])
        except IllegalMove as error:
            return self._refusal(error, body["line"])
        try:
            await asyncio.wrap_future(receipt.saved)
        except JournalError as error:
            raise _Refused(HTTPStatus.INSUFFICIENT_STORAGE, "not-saved", str(error)) from error
        return JSONResponse({"number": receipt.number, "state": self._snapshots.now})

    async def preview(self, request: Request) -> Response:
        """`{"line": "1 show 5H 5S 5C JD"}` -> what it would earn; nothing is played."""
        body = await _body(request, {"line": str})
        position = self._face.table.position
        try:
            move = _move(body["line"], position.game)
            played = self._face.table.record.try_out(move)
        except IllegalMove as error:
            return self._refusal(error, body["line"])
        names = self._snapshots.now["seats"]
        return JSONResponse(
            {
                "line": notation.spell(move),
                "number": self._face.table.number,
                "points": sum(award.points for award in played.awards),
                "awards": [state.award(award, names) for award in played.awards],
            }
        )

    def _refusal(self, error: IllegalMove, line: str) -> Response:
        """Why the referee refuses; a stale line is told the present state, and where more must be
        known, the lines that would tell it."""
        names = self._snapshots.now["seats"]
        refused: dict[str, Any] = {"code": error.code, "message": text.refusal(error, names)}
        if error.code == "stale":
            refused["state"] = self._snapshots.now
        if "choices" in error.fields:
            move = notation.parse(line, self._face.table.position.game)
            assert move is not None
            refused["choices"] = state.choices(move, error.fields["choices"], names)
        return JSONResponse({"refused": refused})


def _move(line: str, game: Game[Any] | None) -> Move:
    move = notation.parse(line, game)
    if move is None or move.verb in notation.NOT_MOVES:
        raise IllegalMove("syntax", text=line, why="not-a-move", at="")
    return move


async def _body(request: Request, shape: dict[str, type]) -> dict[str, Any]:
    """The JSON object of a request, with exactly the fields of `shape`. Raises _Refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise _Refused(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-json", "The body must be application/json."
        )
    data = bytearray()
    try:
        async for piece in request.stream():
            data += piece
            if len(data) > BODY:
                raise _Refused(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                    "too-large",
                    f"The body is longer than {BODY} bytes.",
                )
    except ClientDisconnect:
        raise _Refused(HTTPStatus.BAD_REQUEST, "cut-short", "The body ended early.") from None
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        body = None
    fits = isinstance(body, dict) and body.keys() == shape.keys()
    # type(…) is and not isinstance: to Python true is an int, to JSON it is none.
    if not fits or not all(type(body[name]) is kind for name, kind in shape.items()):
        wanted = ", ".join(f"{name} ({_JSON[kind]})" for name, kind in shape.items())
        raise _Refused(
            HTTPStatus.BAD_REQUEST, "wrong-shape", f"The body must be a JSON object of {wanted}."
        )
    result: dict[str, Any] = body
    return result


_JSON: Final = {str: "a string", int: "a whole number"}


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, _Refused)
    return JSONResponse(error.body, error.status)


async def _not_found(request: Request, error: Exception) -> Response:
    return refuse(HTTPStatus.NOT_FOUND, "not-found", "There is nothing here.")


async def _wrong_method(request: Request, error: Exception) -> Response:
    headers = getattr(error, "headers", None)
    answer = refuse(HTTPStatus.METHOD_NOT_ALLOWED, "wrong-method", "Not with this method.")
    answer.headers.update(headers or {})
    return answer
