"""`POST /player/photo` takes a photo of the computer player's cards and enters them at the table
without showing them to anybody. The route exists only if the board can read photographs
(`camera`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl import text
from boardctl.bot.board_player import BoardPlayer
from boardctl.camera.photo_api import PhotoReader, PhotoRefused, questionable
from boardctl.games import IllegalMove
from boardctl.message import Message
from boardctl.table import PLAYER
from boardctl.web import guard
from boardctl.web.board_view import BoardView
from boardctl.web.guard import rejection


def in_a_row(found: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the cards that were read with certainty in a photo, from left to right, without
    duplicates."""
    row = sorted(found, key=lambda one: min(x for x, _ in one["box"]))
    return list(dict.fromkeys(one["card"] for one in row if one["sure"]))


class PlayerPhotoApi:
    """The route that photographs the player's cards."""

    def __init__(
        self, board: BoardView, player: BoardPlayer, check: Callable[[Request], None]
    ) -> None:
        self.player = player
        self._board = board
        self._check = check
        self._reader = PhotoReader(board.data)

    def routes(self) -> list[Route]:
        return [Route("/player/photo", self._photo, methods=["POST"])]

    async def _photo(self, request: Request) -> Response:
        """Take a photo of the player's cards -> `{"read": 6}`. The cards are entered at the table
        without being shown."""
        self._check(request)
        language = guard.language(request)
        try:
            found = await self._reader.read(request.stream())
        except ClientDisconnect:
            return Response()  # the client has disconnected
        except PhotoRefused as error:
            return error.answer(request)
        self._check(request)  # the photo may have taken a while
        seat, table = self.player.seat, self._board.table
        asks = self._board.table.position.prompt.asks
        most = next((a.most for a in asks if a.move.verb == "hand" and a.seat == seat), 0)
        seen = questionable(found)
        sure = in_a_row(seen)
        if len(sure) != most or not seat:
            fields = {"count": len(sure), "wanted": most}
            message = text.say(
                Message("player", "not-all" if most else "not-due", fields), text.Reader(language)
            )
            return rejection("not-all", message)
        if len(seen) != most:  # nobody sees these cards or could notice an error
            message = text.say(Message("player", "doubt", {"wanted": most}), text.Reader(language))
            return rejection("doubt", message)
        try:
            table.submit(table.parse(f"{seat} hand {' '.join(sure)}"), PLAYER)
        except IllegalMove as error:
            return guard.refused_move(request, error)
        return JSONResponse({"read": len(sure)})
