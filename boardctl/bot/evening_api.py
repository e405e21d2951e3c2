"""The routes of a duplicate evening: `/duplicate`.

GET returns the current or last evening, the people at this board, and the standings. It returns the
deals and the code only after the evening has ended, because they would reveal cards to players who
have yet to play them.

`POST /duplicate` begins an evening with a new code or with the code of another board's evening.
`/duplicate/play` begins a round in which one person plays against the board, `/duplicate/code`
returns the code for another board, and `/duplicate/end` ends the evening.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl import bot, text
from boardctl.bot import evening
from boardctl.bot.board_player import BoardPlayer
from boardctl.bot.evening import Code, Evening
from boardctl.games import IllegalMove
from boardctl.record.names import name_key
from boardctl.web import guard
from boardctl.web.board_view import BoardView
from boardctl.web.guard import read_body, refused_move
from boardctl.web.slow_work import Turns, unless_gone
from boardctl.web.table_api import begin

PATIENCE: Final = 60.0
"""The time limit for the comparison, in seconds."""
_NOTHING: Final[dict[str, Any]] = {"standings": [], "travellers": []}


class EveningApi:
    """The routes of a duplicate evening."""

    def __init__(
        self,
        board: BoardView,
        player: BoardPlayer,
        check: Callable[[Request], None],
        changed: Callable[[], None],
    ) -> None:
        self._board = board
        self._player = player
        self._check = check
        self._changed = changed
        self._path = board.data / evening.FILE
        self._evening = evening.load(self._path)
        self._turns = Turns()
        self._cached: tuple[object, dict[str, Any]] = (None, _NOTHING)

    def routes(self) -> list[Route]:
        return [
            Route("/duplicate", self._state),
            Route("/duplicate", self._begin, methods=["POST"]),
            Route("/duplicate/play", self._play, methods=["POST"]),
            Route("/duplicate/code", self._code, methods=["POST"]),
            Route("/duplicate/end", self._end, methods=["POST"]),
        ]

    async def _state(self, request: Request) -> Response:
        """Return the evening with its standings."""
        return await self._whole_evening(request)

    async def _begin(self, request: Request) -> Response:
        """`{"code": "", "rounds": 3, "level": 5}` -> the new evening. A code from another board
        determines the rounds and the level."""
        body = await read_body(request, {"code": str, "rounds": int, "level": int})
        self._check(request)
        try:
            self._check_none()
            self._keep(Evening(str(_chosen(**body))))
        except IllegalMove as error:
            return refused_move(request, error)
        return await self._whole_evening(request)

    async def _play(self, request: Request) -> Response:
        """`{"name": "Ann", "round": 2, "expect": 12}` -> the evening. The named person plays the
        round against the board, in seat 1."""
        body = await read_body(request, {"name": str, "round": int, "expect": int})
        self._check(request)
        try:
            self._open(body["round"])
            found = await unless_gone(request, self._compared(request))
            running = self._open(body["round"])  # the evening may have ended meanwhile
            names = self._player.partners(body["name"], running.level)
            _check_unplayed(found, names[0], body["round"])
            begin(self._board.table, bot.GAME, names, body["expect"])
            fixed = running.shuffle(body["round"]), running.seed(body["round"])
            self._player.sit_alone(running.level, fixed)
        except ClientDisconnect:
            return Response()  # the client has disconnected
        except IllegalMove as error:
            return refused_move(request, error)
        self._changed()
        return await self._whole_evening(request)

    async def _code(self, request: Request) -> Response:
        """`{}` -> the code of the current evening, for use on another board."""
        await read_body(request, {})
        self._check(request)
        try:
            return JSONResponse({"code": str(self._running())})
        except IllegalMove as error:
            return refused_move(request, error)

    async def _end(self, request: Request) -> Response:
        """`{}` -> the ended evening, with its code and deals."""
        await read_body(request, {})
        self._check(request)
        try:
            running = self._running()
            self._check_finished()
            self._keep(Evening(str(running), ended=True))
        except IllegalMove as error:
            return refused_move(request, error)
        return await self._whole_evening(request)

    def _running(self) -> Code:
        """Return the code of the current evening. Raises IllegalMove (`evening-none`) if there is
        none."""
        if self._evening is None or self._evening.ended:
            raise IllegalMove("evening-none")
        return self._evening.deals

    def _open(self, round_: int) -> Code:
        """Return the code of the current evening if this round can begin now. Raises IllegalMove
        (`evening-none`, `evening-round` or `evening-unfinished`) if it cannot."""
        running = self._running()
        if not 1 <= round_ <= running.rounds:
            raise IllegalMove("evening-round", rounds=running.rounds)
        self._check_finished()
        return running

    def _check_none(self) -> None:
        """Raise IllegalMove (`evening-runs`) if the last evening has not ended."""
        if self._evening is not None and not self._evening.ended:
            raise IllegalMove("evening-runs")

    def _check_finished(self) -> None:
        """Raise IllegalMove (`evening-unfinished`) in the middle of a round."""
        if self._player.plays_evening:
            raise IllegalMove("evening-unfinished")

    def _keep(self, chosen: Evening) -> None:
        """Store the evening. Raises IllegalMove (`evening-unsaved`) if the file cannot be
        written."""
        if not evening.save(self._path, chosen):
            raise IllegalMove("evening-unsaved")
        self._evening = chosen
        self._changed()

    async def _whole_evening(self, request: Request) -> Response:
        """Return the response with the whole evening."""
        now = self._evening
        try:
            found = await unless_gone(request, self._compared(request))
        except ClientDisconnect:
            return Response()  # the client has disconnected
        ended = now is not None and now.ended
        return JSONResponse(
            {
                "evening": None if now is None else _described(now),
                "names": self._names(found, guard.language(request)),
                "number": self._board.table.number,
                "standings": found["standings"],
                "travellers": found["travellers"] if ended else [],
            }
        )

    async def _compared(self, request: Request) -> dict[str, Any]:
        """Return the comparison of the evening so far. It is recomputed when the journal has
        changed."""
        now, language = self._evening, guard.language(request)
        if now is None:
            return _NOTHING
        async with self._turns.of(guard.address(request)):
            key = (self._board.table.number, now.code, language)
            if self._cached[0] != key:
                given = json.dumps({"code": now.code, "language": language}).encode()
                program = ("-m", "boardctl.bot.compared", str(self._board.data))
                try:
                    async with asyncio.timeout(PATIENCE), self._board.child(*program) as process:
                        output, _ = await process.communicate(given)
                except TimeoutError:
                    return _NOTHING
                self._cached = (key, json.loads(output) if not process.returncode else _NOTHING)
        return self._cached[1]

    def _names(self, found: dict[str, Any], language: str) -> list[str]:
        """Return the people who may play: those at the table, in the standings and in the
        roster."""
        board = self._board
        names = (
            *board.table.position.seats.values(),
            *(one["name"] for one in found["standings"]),
            *board.controller.settings.roster,
        )
        people = (name for name in names if name and not text.is_own_name(name))
        return list({name_key(name): text.called(name, language) for name in people}.values())


def _chosen(code: str, rounds: int, level: int) -> Code:
    """Return the code of a new evening. Raises IllegalMove (`evening-code` or `evening-choice`) if
    the request is invalid."""
    if code.strip():
        try:
            return evening.read_code(code)
        except ValueError:
            raise IllegalMove("evening-code") from None
    if rounds not in evening.ROUNDS or level not in evening.LEVELS:
        raise IllegalMove("evening-choice", rounds=evening.ROUNDS[-1], level=evening.LEVELS[-1])
    return evening.draw(rounds, level, secrets.randbelow)


def _check_unplayed(found: dict[str, Any], name: str, round_: int) -> None:
    """Raise IllegalMove (`evening-played`) if the player has already begun this round."""
    for one in found["standings"]:
        if name_key(one["name"]) == name_key(name) and round_ in one["rounds"]:
            raise IllegalMove("evening-played", name=one["name"], round=round_)


def _described(now: Evening) -> dict[str, Any]:
    """Return an evening in the form that the page expects."""
    code = now.deals
    return {
        "rounds": code.rounds,
        "level": code.level,
        "ended": now.ended,
        "commitment": code.commitment,
        "code": now.code if now.ended else None,
    }
