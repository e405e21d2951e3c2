"""The route for hints. `POST /hint?seat=1` gives a hint for seat 1's pending decision
(`bot.board_hints`)."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl.bot.board_hints import BoardHints
from boardctl.games import IllegalMove
from boardctl.text import moves
from boardctl.web.board_view import BoardView
from boardctl.web.guard import read_body, rejection
from boardctl.web.move_list import Viewer
from boardctl.web.slow_work import unless_gone


class HintApi:
    """The route for hints."""

    def __init__(
        self,
        board: BoardView,
        hints: BoardHints,
        check: Callable[[Request], None],
        viewer: Callable[[Request], Viewer],
    ) -> None:
        self._board = board
        self._hints = hints
        self._check = check
        self._viewer = viewer

    def routes(self) -> list[Route]:
        return [Route("/hint", self._hint, methods=["POST"])]

    async def _hint(self, request: Request) -> Response:
        """Give a hint: `{"expect": 12}` -> the hint in words, and the number of the newest line."""
        body = await read_body(request, {"expect": int})
        self._check(request)
        viewer, hints = self._viewer(request), self._hints
        try:
            found = await unless_gone(request, hints.find(viewer.seat, body["expect"]))
            assert viewer.seat is not None  # otherwise no hint is found
            said = hints.give(found, viewer.seat, viewer.language, body["expect"], "page")
        except ClientDisconnect:
            return Response()  # the client has disconnected
        except IllegalMove as error:
            return rejection(error.code, moves.refusal(error, (), viewer.language))
        return JSONResponse({"hint": said, "number": self._board.table.number})
