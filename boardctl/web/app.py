"""The page's routes.

GET routes change nothing: `/` and its files, `/layout` (the board's geometry), `/state` (the game's
state), `/words` (the page's texts), and those of `table_api`, `history_api`, `analysis_api` and
`setup_api`. POST routes accept and return JSON: `/lines` plays a line and responds when the line is
on disk. `/undo` and `/redo` take back and restore moves. `/evening` continues last evening's game.
`/preview` returns the points of a line, and `/withdraw` cancels the preview. `/table` starts a game
with its players. `/commands` carries out commands of the keypad menu. The routes of `phones_api`
pair phones. A rejection by the referee is a normal response, `{"refused": {"code": …, "message":
…}}`. Any status other than 200 means that the request is one that our page never makes. `/ws` is
the live board (`live`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from boardctl import text
from boardctl.board import plan
from boardctl.games import NOT_MOVES, Game, IllegalMove, Move
from boardctl.games.cards import codes
from boardctl.record import notation
from boardctl.record.position import step
from boardctl.record.visibility import opens_now
from boardctl.table import Receipt, Table
from boardctl.text import moves
from boardctl.web import (
    PHONES,
    Options,
    files,
    guard,
    move_list,
    state,
    table_api,
)
from boardctl.web.board_view import BoardView, Page
from boardctl.web.consent import Consent, NoConsent
from boardctl.web.guard import Guard, Refused, read_body, refuse, rejection
from boardctl.web.history_api import HistoryApi
from boardctl.web.live import Live
from boardctl.web.move_list import Viewer
from boardctl.web.pairing import Pairing
from boardctl.web.phone_seats import PhoneSeats
from boardctl.web.phones_api import PhonesApi
from boardctl.web.setup_api import SetupApi

PATIENCE: Final = 20.0
"""The maximum seconds for which an answer waits for the disk."""


def make(
    board: BoardView,
    options: Options | None = None,
    now: Callable[[], float] = time.time,
) -> Starlette:
    """Create the web app for a running board.

    Args:
        board: the board, with its table, lights and phones.
        options: the page's options; None for the defaults.
        now: returns seconds since 1970, for expiry times.
    """
    options = options or Options()
    page = _Page(board, options, now)
    history = HistoryApi(board)
    setup = SetupApi(board, page.phones.check, page.consent)
    routes = [
        Route("/layout", page.layout),
        Route("/state", page.state),
        Route("/words", page.words),
        Route("/lines", page.lines, methods=["POST"]),
        Route("/undo", page.undo, methods=["POST"]),
        Route("/redo", page.redo, methods=["POST"]),
        Route("/evening", page.evening, methods=["POST"]),
        Route("/preview", page.preview, methods=["POST"]),
        Route("/withdraw", page.withdraw, methods=["POST"]),
        Route("/table", page.table, methods=["POST"]),
        Route("/rules", page.rules, methods=["POST"]),
        Route("/commands", page.commands, methods=["POST"]),
        Route("/openapi.json", _openapi),
        WebSocketRoute("/ws", page.socket),
        *table_api.TableApi(board, page.viewer).routes(),
        *page.phones.routes(),
        *history.routes(),
        *setup.routes(),
        *files.routes(),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, options=options)],
        exception_handlers={
            404: _not_found,
            405: _wrong_method,
            Refused: _refused,
            NoConsent: page.phones.no_consent,
        },
    )
    offered = Page(board, page.phones.check, page.phones.may_play, page.viewer, page.live.changed)
    board.features.routes(offered, app.router.routes.extend)
    app.state.page = page
    app.state.features = board.features
    app.state.history = history
    app.state.language = lambda: board.controller.language
    return app


class _Page:
    """The routes for reading and operating the board."""

    def __init__(
        self,
        board: BoardView,
        options: Options,
        now: Callable[[], float],
    ) -> None:
        self._board = board
        self._pairing = Pairing(board.data / PHONES, now)
        self.snapshots = state.Snapshots(board)
        self.live = Live(
            board, self.snapshots, lambda: self._pairing.is_shown, pairs=not options.private
        )
        self.consent = Consent(board, options.private)
        self.seats = PhoneSeats(board, self.consent, self.live.is_open, self._seat_changed)
        self.live.claims = self.seats.claims
        self.phones = PhonesApi(
            board, options, self._pairing, self.consent, self.seats, self.live.dismiss
        )

    async def layout(self, request: Request) -> Response:
        """Return the board's geometry in millimetres. Frames on `/ws` refer to its lamps by
        index."""
        return files.as_json(request, plan.picture(self._board.layout))

    async def state(self, request: Request) -> Response:
        """Return the game's state as the seat in `?seat=1` may see it."""
        return JSONResponse(self.snapshots.now(self.viewer(request)))

    async def words(self, request: Request) -> Response:
        """Return the page's texts, by code."""
        language = guard.language(request)
        words = {
            code.removeprefix("page."): text.catalogue(language).gettext(template)
            for code, template in text.sentences().items()
            if code.startswith("page.")
        }
        return files.as_json(request, {"language": language, "words": words})

    async def socket(self, socket: WebSocket) -> None:
        await self.live.serve(
            socket,
            partial(self.viewer, socket),
            partial(self.phones.may_play, socket),
            guard.address(socket),
            self.phones.phone(socket),
        )

    def _seat_changed(self, name: str) -> None:
        if name:
            language = self._board.controller.language
            called = text.called(name, language)
            self._board.announce(*text.two_lines("pairing", "seat", {"name": called}, language))
        self.live.seats_changed(name)

    async def lines(self, request: Request) -> Response:
        """Play a line: `{"line": "1 peg 8", "expect": 12}` -> `{"number": 13, "state": …}` once it
        is saved.
        """
        body = await read_body(request, {"line": str, "expect": int})
        self.phones.check(request)
        viewer = self.viewer(request)
        try:
            move = self._board.table.parse(body["line"])
            receipt = self._board.table.submit(move, "page", body["expect"], viewer.seat)
        except IllegalMove as error:
            return self._refusal(error, body["line"], viewer)
        return await self._saved(receipt, request)

    async def undo(self, request: Request) -> Response:
        """Take back the last change with `{"expect": 12}`: a correction or a move (against the
        computer player, the person's last move). The response is the same as for `lines`."""
        return await self._take(request, lambda table: table.undoing or Move("undo"))

    async def redo(self, request: Request) -> Response:
        """Restore the last undone change with `{"expect": 12}`. The response is the same as for
        `lines`."""
        return await self._take(request, lambda table: table.record.redoing or Move("redo"))

    async def evening(self, request: Request) -> Response:
        """Continue last evening's unfinished game with `{"expect": 12}`. The response is the same
        as for `lines`."""
        body = await read_body(request, {"expect": int})
        self.phones.check(request)
        try:
            receipts = self._board.table.resume("page", body["expect"])
        except IllegalMove as error:
            return self._refusal(error, "", self.viewer(request))
        return await self._saved(receipts[-1], request)

    async def _take(self, request: Request, line: Callable[[Table], Move]) -> Response:
        body = await read_body(request, {"expect": int})
        self.phones.check(request)
        table = self._board.table
        try:
            receipt = table.submit(line(table), "page", body["expect"])
        except IllegalMove as error:
            return self._refusal(error, "", self.viewer(request))
        return await self._saved(receipt, request)

    async def _saved(self, receipt: Receipt, request: Request) -> Response:
        """Return the new state once a line has been written to disk."""
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.shield(asyncio.wrap_future(receipt.saved))  # the write continues
        except TimeoutError:
            raise Refused(HTTPStatus.INSUFFICIENT_STORAGE, "not-saved") from None
        state = self.snapshots.now(self.viewer(request))
        return JSONResponse({"number": receipt.number, "state": state})

    async def preview(self, request: Request) -> Response:
        """Preview a line: `{"line": "1 show 5H 5S 5C JD"}` -> the line's points, as far as the
        viewer may know them. The line is not played, but the board also shows it, so that its menu
        can peg it. With `quiet`, the board does not show the line, because the player counts the
        hand first.
        """
        body = await read_body(request, {"line": str}, {"quiet": bool})
        self.phones.check(request)
        table, viewer = self._board.table, self.viewer(request)
        seen = table.visible_to(viewer.seat).record
        try:
            move, before = table_api.previewed(seen, body["line"])
            played = step(before, move)
        except IllegalMove as error:
            return self._refusal(error, body["line"], viewer, previewed=True)
        now = before is seen.position
        game = before.game
        pegged = move.seat is not None and not body.get("quiet")  # not a card of the table
        if pegged and now and game is not None and not game.secret(move):
            with suppress(IllegalMove):  # onlookers may know too little
                self._board.controller.offer(move)
        names = move_list.names(table.position)
        answer = state.preview(move, played.awards, names, viewer.language)
        line = answer["line"] if now else body["line"]
        return JSONResponse({**answer, "line": line, "number": table.number})

    async def withdraw(self, request: Request) -> Response:
        """Stop showing a previewed line: `{"line": …}`, as in the response of `/preview`."""
        body = await read_body(request, {"line": str})
        self.phones.check(request)
        try:
            self._board.controller.withdraw(_move(body["line"], self._board.table.position.game))
        except IllegalMove as error:
            return self._refusal(error, body["line"], self.viewer(request))
        return JSONResponse({"withdrawn": True})

    async def table(self, request: Request) -> Response:
        """`{"game": "cribbage", "players": ["Ann", "Bob"], "expect": 12, "options": {"muggins":
        "full"}}` starts a game with these players and options, or changes the players and options
        before the first deal. `options` may be omitted. With `"rename": true`, the current game's
        players get these names, and nothing else changes."""
        shape = {"game": str, "players": list, "expect": int}
        body = await read_body(request, shape, {"options": dict, "rename": bool})
        self.phones.check(request)
        table, players, expect = self._board.table, body["players"], body["expect"]
        try:
            if body.get("rename", False):
                receipts = table_api.rename(table, players, expect)
            else:
                chosen = body.get("options", {})
                receipts = table_api.begin(table, body["game"], players, expect, chosen)
        except IllegalMove as error:
            return self._refusal(error, "", self.viewer(request))
        if not receipts:
            now = self.snapshots.now(self.viewer(request))
            return JSONResponse({"number": now["number"], "state": now})
        return await self._saved(receipts[-1], request)

    async def rules(self, request: Request) -> Response:
        """`{"name": "Friday", "game": "cribbage", "options": {"muggins": "full"}}` saves a set of
        rules under a name, replacing any saved set with this name. With `"remove": true`, the saved
        set is removed."""
        shape: dict[str, type] = {"name": str, "game": str, "options": dict}
        body = await read_body(request, shape, {"remove": bool})
        self.phones.check(request)
        controller = self._board.controller
        try:
            if body.get("remove", False):
                controller.remove_rules(body["name"])
            else:
                saved = table_api.own_rules(body["name"], body["game"], body["options"])
                controller.save_rules(saved)
        except IllegalMove as error:
            return self._refusal(error, "", self.viewer(request))
        return JSONResponse({"done": True})

    async def commands(self, request: Request) -> Response:
        """Carry out a keypad menu command: `{"what": "telling", "value": "cards"}`."""
        body = await read_body(request, {"what": str, "value": str})
        self.phones.check(request)
        try:
            self._board.controller.obey(table_api.command(body["what"], body["value"]))
        except IllegalMove as error:
            return self._refusal(error, "", self.viewer(request))
        self.live.changed()
        return JSONResponse({"done": True})

    def viewer(self, connection: HTTPConnection) -> Viewer:
        """Return the viewer of a connection: the language, and the requested seat if the viewer may
        have it."""
        value = connection.query_params.get("seat", "")
        seat = int(value) if value in ("1", "2", "3", "4") else None
        return Viewer(guard.language(connection), self.phones.seat(connection, seat))

    def _refusal(
        self, error: IllegalMove, line: str, viewer: Viewer, *, previewed: bool = False
    ) -> Response:
        """Return the response for a rejected line. It includes the current state if the line is
        stale, and the possible lines if the referee needs more details. For a preview, it reveals
        only what the viewer may know."""
        table = self._board.table
        names = move_list.names(table.position)
        message = moves.refusal(error, names, viewer.language)
        more: dict[str, Any] = {}
        if error.code == "stale":
            more["state"] = self.snapshots.now(viewer)
        if "choices" in error.fields:
            more["cards"] = codes(error.fields["cards"])
            seen = table.visible_to(viewer.seat).record
            move, before = table_api.previewed(seen, line)
            now = before is seen.position
            shown = now and not previewed and opens_now(before, move)
            more["choices"] = state.choices(
                move,
                error.fields["choices"],
                table.position if shown else before,
                names,
                viewer.language,
            )
            if before is not seen.position:
                head = " ".join(line.split()[:2])
                for choice in more["choices"]:
                    choice["line"] = f"{head} {choice['line']}"
        return rejection(error.code, message, **more)


async def _openapi(request: Request) -> Response:
    """Return this interface as an OpenAPI document."""
    from boardctl.web import openapi  # rarely requested

    return JSONResponse(openapi.document(request.app.routes, request.app.state.features.all))


def _move(line: str, game: Game[Any] | None) -> Move:
    move = notation.parse(line, game)
    if move is None or move.kind in NOT_MOVES:
        raise IllegalMove("syntax", text=line, why="not-a-move", at="")
    return move


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refuse(request, error.status, error.code, **error.fields)


async def _not_found(request: Request, error: Exception) -> Response:
    return refuse(request, HTTPStatus.NOT_FOUND, "not-found")


async def _wrong_method(request: Request, error: Exception) -> Response:
    headers = getattr(error, "headers", None)
    answer = refuse(request, HTTPStatus.METHOD_NOT_ALLOWED, "wrong-method")
    answer.headers.update(headers or {})
    return answer
