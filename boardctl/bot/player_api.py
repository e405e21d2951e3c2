"""The computer player's routes: `/player`.

GET returns the player's seat, its last words, how its cards are dealt, and what it can play at this
table. POST with `{"seat": 2, "level": 5, "deals": false}` seats the player in a game in which
people deal real cards. With `"deals": true`, the board deals this game and later games, each from a
new sealed shuffle. `{"seat": 0, …}` makes the player leave.

`/player/game` begins a game in which one person plays against the board. In cribbage, the board
also cuts and deals; in any other game (`"game": "klaberjass"`), people deal real cards.
`/player/level` continues the game at another level. `/player/cut` cuts the pack of a game that the
board deals, after its commitment is known and before its first deal. If nobody cuts the pack, the
board does. `/player/fair` shows the sealed shuffles of the latest games, and whether their cards
match the board's commitments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl import bot
from boardctl.bot.board_player import BoardPlayer
from boardctl.games import IllegalMove
from boardctl.web import guard
from boardctl.web.board_view import BoardView
from boardctl.web.guard import read_body, refused_move
from boardctl.web.table_api import begin

MOST_CUT: Final = 80
"""The maximum length of the words that cut the pack."""


class PlayerApi:
    """The computer player's routes."""

    def __init__(
        self,
        board: BoardView,
        player: BoardPlayer,
        check: Callable[[Request], None],
        changed: Callable[[], None],
    ) -> None:
        self.player = player
        self._board = board
        self._check = check
        self._changed = changed

    def routes(self) -> list[Route]:
        return [
            Route("/player", self._state),
            Route("/player", self._choose, methods=["POST"]),
            Route("/player/cut", self._cut, methods=["POST"]),
            Route("/player/game", self._game, methods=["POST"]),
            Route("/player/level", self._level, methods=["POST"]),
            Route("/player/fair", self._fair),
        ]

    async def _state(self, request: Request) -> Response:
        """Return the computer player of this table."""
        return JSONResponse(self.player.state(guard.language(request)))

    async def _cut(self, request: Request) -> Response:
        """Cut the pack: `{"cut": "any words"}` -> the state of the player."""
        body = await read_body(request, {"cut": str})
        self._check(request)
        entered = body["cut"].strip()[:MOST_CUT]
        return self._answer(request, lambda: self.player.cut(entered))

    async def _game(self, request: Request) -> Response:
        """Begin a game against the board: `{"name": "Ann", "level": 3, "expect": 12}` -> the state
        of the player. `game` names a game other than cribbage, to be played with real cards.
        """
        shape = {"name": str, "level": int, "expect": int}
        body = await read_body(request, shape, {"game": str})
        self._check(request)

        def play() -> None:
            game, level = body.get("game", bot.GAME), body["level"]
            self.player.check_plays(game)
            names = self.player.partners(body["name"], level)
            begin(self._board.table, game, names, body["expect"])
            if game == bot.GAME:
                self.player.sit_alone(level)
            else:
                self.player.take_seat(2, level)

        return self._answer(request, play)

    async def _level(self, request: Request) -> Response:
        """Change the level: `{"level": 3}` -> the state of the player, which continues to play at
        this level."""
        body = await read_body(request, {"level": int})
        self._check(request)
        return self._answer(request, lambda: self.player.play_at(body["level"]))

    async def _fair(self, request: Request) -> Response:
        """Return the sealed shuffles of this game and the last game, newest first."""
        return JSONResponse({"games": self.player.fair()})

    async def _choose(self, request: Request) -> Response:
        """Let the computer player take a seat at a level from -1 to 5, or leave if the seat is 0.
        With `deals`, the board deals from a sealed shuffle. The response is the player's state."""
        body = await read_body(request, {"seat": int, "level": int, "deals": bool})
        self._check(request)

        return self._answer(
            request, lambda: self.player.take_seat(body["seat"], body["level"], body["deals"])
        )

    def _answer(self, request: Request, act: Callable[[], None]) -> Response:
        """Perform an action. Return the player's state after it, or the reason why the action was
        refused."""
        language = guard.language(request)
        try:
            act()
        except IllegalMove as error:
            return refused_move(request, error)
        self._changed()
        return JSONResponse(self.player.state(language))
