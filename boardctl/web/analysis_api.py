"""What a game's decisions cost, for the page: `/analysis/3`, and `/odds` for the game at hand.

GET only, for guests too; a game is judged once it is over. The judging takes seconds of a
processor, so it runs in a process of its own at the lowest priority, one at a time, and its answer
is kept while the journal does not change.
"""

from __future__ import annotations

import asyncio
import json
import sys
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl.record import history
from boardctl.storage.journal import JournalError, read_sessions
from boardctl.web.board_view import BoardView
from boardctl.web.guard import refuse

PATIENCE: Final = 120.0
"""Seconds that a game may take to be judged."""
_KEPT: Final = 16
_PROGRAM: Final = "import os, runpy; os.nice(19); runpy.run_module('boardctl', run_name='__main__')"


class AnalysisApi:
    """The routes that judge."""

    def __init__(self, board: BoardView) -> None:
        self._board = board
        self._kept: dict[tuple[int, int], dict[str, Any]] = {}
        self._judging = asyncio.Lock()

    def routes(self) -> list[Route]:
        return [Route("/analysis/{number:int}", self._analysis), Route("/odds", self._odds)]

    async def _odds(self, request: Request) -> Response:
        """`{"odds": 0.56}`, seat 1's chance to win, null where it is not known."""
        from boardctl.bot.odds import odds

        return JSONResponse({"odds": odds(self._board.table.position)})

    async def _analysis(self, request: Request) -> Response:
        """What `boardctl review --json` says of a game, `unfinished` or `not-judged` else."""
        async with self._judging:
            number: int = request.path_params["number"]
            key = self._board.table.number, number
            if key not in self._kept:
                found = await asyncio.to_thread(self._find, number)
                if found is None:
                    return refuse(HTTPStatus.NOT_FOUND, "no-such-game", "There is no such game.")
                if found.outcome is None or found.outcome.state == "unfinished":
                    return JSONResponse({"judged": False, "why": "unfinished"})
                while len(self._kept) >= _KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[key] = await _judged(found.lines)
            return JSONResponse(self._kept[key])

    def _find(self, number: int) -> history.PlayedGame | None:
        try:
            games = tuple(history.played(read_sessions(self._board.data)))
        except JournalError:  # nothing was written yet
            return None
        return games[number - 1] if 1 <= number <= len(games) else None


async def _judged(lines: tuple[str, ...]) -> dict[str, Any]:
    """The analysis of a game's lines, by a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM, "review", "-", "--json"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            output, _ = await process.communicate("\n".join((*lines, "")).encode())
    except TimeoutError:
        process.kill()
        await process.wait()
        return {"judged": False, "why": "too-slow"}
    told = [json.loads(line) for line in output.decode().splitlines()]
    found = next((some for some in told if "curve" in some), None)
    if process.returncode or found is None:
        return {"judged": False, "why": "not-judged"}
    return {"judged": True, **found}
