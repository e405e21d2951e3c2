"""What was played: the evenings, the players' figures, each game to be seen again, and files.

GET only, for guests too: `/history`, `/history/3`, `/export/3.txt`, `/export/games.csv`,
`/export/games.json`. Worked out from the journal once a line, beside the event loop and one thing
at a time, so that however many ask, the board hardly notices.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from http import HTTPStatus
from statistics import fmean
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl.board.render import Picture, lit
from boardctl.record import history
from boardctl.record.history import Figures, PlayedGame
from boardctl.storage.journal import JournalError, read_sessions
from boardctl.text import moves
from boardctl.web import state
from boardctl.web.board_view import BoardView
from boardctl.web.guard import refuse


class HistoryApi:
    """The routes that look back."""

    def __init__(self, board: BoardView, language: Callable[[Request], str]) -> None:
        self._board = board
        self._language = language
        self._number = -1
        self._games: tuple[PlayedGame, ...] = ()
        self._overview: dict[str, Any] = {}
        self._reading = asyncio.Lock()

    def routes(self) -> list[Route]:
        return [
            Route("/history", self._history),
            Route("/history/{number:int}", self._game),
            Route("/export/{number:int}.txt", self._notation),
            Route("/export/games.csv", self._csv),
            Route("/export/games.json", self._json),
        ]

    async def _read(self) -> None:
        """Read the journal where it has grown, one reader at a time."""
        async with self._reading:
            number = self._board.table.number
            if number != self._number:
                self._games, self._overview = await asyncio.to_thread(self._look_back)
                self._number = number

    def _look_back(self) -> tuple[tuple[PlayedGame, ...], dict[str, Any]]:
        try:
            games = tuple(history.played(read_sessions(self._board.data)))
        except JournalError:  # nothing was written yet
            games = ()
        return games, {
            "games": [_shown(game) for game in games],
            "players": [_figures(player) for player in history.figures(games)],
        }

    async def _find(self, request: Request) -> PlayedGame | None:
        await self._read()
        number: int = request.path_params["number"]
        return self._games[number - 1] if 1 <= number <= len(self._games) else None

    async def _history(self, request: Request) -> Response:
        await self._read()
        language = self._language(request)
        games = [_titled(game, language) for game in self._overview.get("games", ())]
        return JSONResponse({**self._overview, "games": games})

    async def _game(self, request: Request) -> Response:
        game = await self._find(request)
        if game is None:
            return _no_such_game()
        language = self._language(request)
        async with self._reading:
            told = await asyncio.to_thread(self._retell, game, language)
        return JSONResponse(told)

    def _retell(self, game: PlayedGame, language: str) -> dict[str, Any]:
        names = list(game.seats)
        steps = [self._step(step, names, language) for step in history.walk(game)]
        return {**_titled(_shown(game), language), "seats": names, "steps": steps}

    def _step(self, step: history.Step, names: list[str], language: str) -> dict[str, Any]:
        position = step.position
        lights: dict[str, Any] = {}
        if position.game is not None and position.state is not None:
            picture = Picture(position.game.scoreboard(position.state), won=position.tally.won)
            lights = lit(self._board.layout, picture, 0.0)
        return {
            "line": step.line,
            "text": moves.describe(step.move, names, language),
            "seat": step.move.seat,
            "source": step.source,
            "scores": list(position.shown_scores),
            "awards": [state.award(award, names, language) for award in step.awards],
            "lit": {name: list(colour) for name, colour in lights.items()},
        }

    async def _notation(self, request: Request) -> Response:
        game = await self._find(request)
        if game is None:
            return _no_such_game()
        return _file("\n".join(game.lines) + "\n", "text/plain", f"game-{game.number}.txt")

    async def _csv(self, request: Request) -> Response:
        await self._read()
        return _file(history.to_csv(self._games), "text/csv", "games.csv")

    async def _json(self, request: Request) -> Response:
        await self._read()
        async with self._reading:
            text = await asyncio.to_thread(_all_as_json, self._games)
        return _file(text, "application/json", "games.json")


def _shown(game: PlayedGame) -> dict[str, Any]:
    """A game's summary with the scores that people read, none beyond the game hole."""
    return {**history.summary(game), "scores": list(game.shown_scores)}


def _titled(summary: dict[str, Any], language: str) -> dict[str, Any]:
    return {**summary, "title": moves.title(summary["game"], language)}


def _all_as_json(games: tuple[PlayedGame, ...]) -> str:
    return json.dumps([history.to_json(game) for game in games], ensure_ascii=False)


def _figures(player: Figures) -> dict[str, Any]:
    """A player's figures, averages worked out; None where nothing was counted."""
    return {
        "name": player.name,
        "games": player.games,
        "won": player.won,
        "skunks": player.skunks,
        "points": player.points,
        "hands": len(player.hands),
        "hand": _mean(player.hands),
        "cribs": len(player.cribs),
        "crib": _mean(player.cribs),
        "lucky": len(player.luck),
        "luck": _mean(player.luck),
    }


def _mean(values: list[int] | list[float]) -> float | None:
    return round(fmean(values), 2) if values else None


def _file(text: str, kind: str, name: str) -> Response:
    return Response(
        text,
        media_type=f"{kind}; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def _no_such_game() -> Response:
    return refuse(HTTPStatus.NOT_FOUND, "no-such-game", "The journal has no game of that number.")
