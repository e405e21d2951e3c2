"""The page's routes for analysis. `/analysis/3` returns the cost of a game's decisions,
`/analysis/3/so-far` the progress of its analysis, and `/odds` the chances in the current game.
`/trainer` judges a repeated throw.

All routes use GET and are open to guests. A game can be analysed once it is over. An analysis takes
several seconds of processor time, so it runs in a separate process at the lowest priority. Only one
analysis runs at a time; clients at different addresses take turns. The result is cached until the
journal changes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl import games, text
from boardctl.bot.page_types import POSITION
from boardctl.games import Game
from boardctl.record import notation
from boardctl.storage.child import PIECE, Output
from boardctl.text import moves
from boardctl.web import UNREADABLE, guard
from boardctl.web.board_view import BoardView
from boardctl.web.guard import refuse
from boardctl.web.history_api import unreadable
from boardctl.web.slow_work import Turns, unless_gone

PATIENCE: Final = 120.0
"""The time limit for the analysis of a game, in seconds."""
_KEPT: Final = 16
_WORDS: Final = 5
_LONGEST: Final = 20
_MOST: Final = 80
_RECORD: Final = 8_000
"""The maximum number of characters of a record to judge. The address has room for them, escaped."""


class _UnreadableError(Exception):
    """Raised if the journal cannot be read. `why` gives the reason and the remedy."""

    def __init__(self, why: bytes) -> None:
        super().__init__()
        self.why = why


class AnalysisApi:
    """The routes for analysis."""

    def __init__(self, board: BoardView, odds: Callable[[], float | None]) -> None:
        """Create the routes of one board.

        Args:
            board: the board whose games are analysed.
            odds: returns the chance of winning, or None if it must not be shown.
        """
        self._board = board
        self._now = odds
        self._cached: dict[tuple[int, int], dict[str, Any]] = {}
        self._so_far: dict[int, bytes] = {}
        """The latest output line (JSON) of each analysis in progress, by game."""
        self._turns = Turns()

    def routes(self) -> list[Route]:
        return [
            Route("/analysis/{number:number}", self._analysis),
            Route("/analysis/{number:number}/so-far", self._stage),
            Route("/odds", self._odds),
            Route("/trainer", self._trainer),
            Route("/position", self._position),
        ]

    async def _trainer(self, request: Request) -> Response:
        """Judge a throw in a separate process: `?hand=5H 6S …&role=pone&score=30 40&throw=JH QS` ->
        whether the throw is right, its cost and the best throw.
        """
        given = [request.query_params.get(name, "") for name in ("hand", "role", "score", "throw")]
        words = [given[0], given[1], *given[2].split(), given[3]]
        if len(words) != _WORDS or any(len(word) > _LONGEST for word in words):
            return _no_question(request)
        return await self._by_process(request, ("boardctl.bot.trainer", *words))

    async def _position(self, request: Request) -> Response:
        """`?hand=5H 6S …&deals=yes&score=30 40&thrown=&starter=&played=&target=121&five=&objective=
        &why=` -> every throw or card with its value, judged in a separate process. With `why`, the
        response also states the reasons in words. If the position is invalid, `problem` is a
        sentence that says why.

        `?record=game belote…&seat=2` judges a decision in any game, given the lines of the notation
        that lead to it.
        """
        record, seat = (request.query_params.get(name, "") for name in ("record", "seat"))
        if record:
            seats = {"": None, "1": 1, "2": 2, "3": 3, "4": 4}
            if len(record) > _RECORD or seat not in seats:
                return _no_question(request)
            told: dict[str, Any] = {"record": record.splitlines(), "seat": seats[seat]}
            told |= {"language": guard.language(request)}
            program = ("boardctl.bot.pending_decision",)
            return await self._by_process(request, program, told, _judgement)
        given = {name: request.query_params.get(name, "")[:_MOST] for name in POSITION}
        numbers = [*given["score"].split(), given["target"] or "121"]
        if not all(number.isascii() and number.isdigit() for number in numbers):
            return _no_question(request)
        *score, target = map(int, numbers)
        position = {
            **given,
            "deals": bool(given["deals"]),
            "five": bool(given["five"]),
            "score": score,
            "target": target,
            "objective": given["objective"] or "win",
        }
        why = bool(request.query_params.get("why"))
        asked = {"position": position, "language": guard.language(request), "why": why}
        return await self._by_process(request, ("boardctl.bot.positions",), asked, _judgement)

    async def _by_process(
        self,
        request: Request,
        program: tuple[str, ...],
        asked: object = None,
        shown: Callable[[dict[str, Any]], dict[str, Any]] = lambda found: found,
    ) -> Response:
        """Return the reply from a separate process. The process is ended if the client disconnects.

        Args:
            request: the request, which is refused if the program gives no answer in time.
            program: the name of a module, and its arguments.
            asked: the program's input, sent as JSON, or None for no input.
            shown: converts the program's output to the answer.
        """
        given = b"" if asked is None else json.dumps(asked).encode()

        async def written() -> bytes:
            turn = self._turns.of(guard.address(request))
            async with turn, self._board.child("-m", *program) as process:
                output, _ = await process.communicate(given)
            return b"" if process.returncode else output

        try:
            async with asyncio.timeout(PATIENCE):
                output = await unless_gone(request, written())
        except ClientDisconnect:
            return Response()  # the client has disconnected
        except TimeoutError:
            output = b""
        return JSONResponse(shown(json.loads(output))) if output else _no_question(request)

    async def _odds(self, request: Request) -> Response:
        """Return `{"odds": 0.56}`, seat 1's chance of winning, or null if the chance is unknown or
        must not be shown."""
        return JSONResponse({"odds": self._now()})

    async def _analysis(self, request: Request) -> Response:
        """Return the data of `boardctl review --json` for a game, or the code `unfinished` or
        `not-judged`."""
        try:
            async with asyncio.timeout(PATIENCE):
                number, language = request.path_params["number"], guard.language(request)
                address = guard.address(request)
                answer = await unless_gone(request, self._judge(number, language, address))
        except ClientDisconnect:
            return Response()  # the client has disconnected
        except TimeoutError:
            answer = {"judged": False, "why": "too-slow"}
        except _UnreadableError as error:
            return unreadable(request, error.why)
        if answer is None:
            return refuse(request, HTTPStatus.NOT_FOUND, "no-such-game")
        return JSONResponse(_with_names(answer, guard.language(request)))

    async def _stage(self, request: Request) -> Response:
        """Return the progress of a game's analysis, the curve, and the errors found so far. Return
        null if no analysis is in progress."""
        found = json.loads(self._so_far.get(request.path_params["number"], b"{}"))
        in_progress = "done" in found  # the last line holds the whole analysis
        language = guard.language(request)
        return JSONResponse({"stage": _named(found, language) if in_progress else None})

    async def _judge(self, number: int, language: str, address: str) -> dict[str, Any] | None:
        """Return the available data of a game, or None if there is no such game. Raises
        _UnreadableError or Refused."""
        key = self._board.table.number, number
        if key in self._cached:
            return self._cached[key]
        async with self._turns.of(address):
            key = self._board.table.number, number
            if key not in self._cached:
                game = await self._find(number, language)
                if game is None:
                    return None
                if game["state"] in (None, "unfinished"):
                    return {"judged": False, "why": "unfinished"}
                while len(self._cached) >= _KEPT:
                    self._cached.pop(next(iter(self._cached)))
                self._cached[key] = await self._judged(number, game["lines"])
            return self._cached[key]

    async def _find(self, number: int, language: str) -> dict[str, Any] | None:
        """Return a game's state and lines from the archive, or None if there is no such game.
        Raises _UnreadableError."""
        program = ("-m", "boardctl.web.history_worker", str(self._board.data))
        lines = self._board.child(*program, "lines", str(number), language, errors=None)
        async with lines as worker:
            output, _ = await worker.communicate(b"")
        if worker.returncode == UNREADABLE:
            raise _UnreadableError(output)
        return None if worker.returncode else json.loads(output)

    async def _judged(self, number: int, lines: list[str]) -> dict[str, Any]:
        """Return the analysis of a game's lines. While the analysis runs, `_so_far` contains its
        latest stage."""
        newest = b""
        try:
            async with self._board.child("-m", "boardctl.bot.judged", "stages", nice=19) as process:
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write("\n".join((*lines, "")).encode())
                process.stdin.close()
                async for newest in _lines(process.stdout):
                    self._so_far[number] = newest
                status = await process.wait()
        finally:
            self._so_far.pop(number, None)
        if status or not newest:
            return {"judged": False, "why": "not-judged"}
        return {"judged": True, **json.loads(newest)}


async def _lines(output: Output) -> AsyncIterator[bytes]:
    """Yield the lines of a child process's output. A line may be longer than the buffer of a
    pipe."""
    rest = b""
    while piece := await output.read(PIECE):
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line


def _judgement(found: dict[str, Any]) -> dict[str, Any]:
    """Return the judgement of a position, with all fields present."""
    nothing = {"problem": found.pop("error", None), "kind": "", "choices": [], "likely": []}
    return nothing | {"objective": "win", "move": "", "why": [], "seat": None} | found


def _no_question(request: Request) -> Response:
    return refuse(request, HTTPStatus.BAD_REQUEST, "wrong-shape", "no-question")


def _with_names(answer: dict[str, Any], language: str) -> dict[str, Any]:
    """Return an analysis in which the players' names are in their displayed form."""
    return _named(answer, language) if answer["judged"] else answer


def _in_words(
    decision: dict[str, Any], game: Game[Any], names: Sequence[str], language: str
) -> dict[str, Any]:
    """Return a decision in words: the line that was played (`said`) and the better line (`better`).
    Its question also has the deal (`story`) and each choice (`said`) in words."""

    def said(line: str, own: int | None = None) -> str:
        return moves.describe(notation.parse_move(line, game), names, language, own=own)

    asked, seat = decision["question"], decision["seat"]
    if asked is not None:
        choices = [{**one, "said": said(one["line"], seat)} for one in asked["choices"]]
        asked = {**asked, "story": [said(line, seat) for line in asked["lines"]]}
        asked["choices"] = choices
    spoken = {"said": said(decision["chosen"]), "better": said(decision["best"])}
    return {**decision, **spoken, "question": asked}


def _named(answer: dict[str, Any], language: str) -> dict[str, Any]:
    """Return a finished or unfinished analysis with names in their displayed form."""

    def named(some: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "player": text.called(one["player"], language)} for one in some]

    if "players" not in answer:
        return answer  # the answer has only the progress
    names = tuple(text.called(name, language) for name in answer["players"])
    decisions = named(answer["decisions"])
    if "name" in answer:
        game = games.find(answer["name"])
        decisions = [_in_words(one, game, names, language) for one in decisions]
    return {
        **answer,
        "players": list(names),
        "decisions": decisions,
        **({"totals": named(answer["totals"])} if "totals" in answer else {}),
    }
