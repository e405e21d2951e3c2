"""Hints: `POST /hint` for the seat of `?seat=1`, with what is due of it.

The hint is made in a process of its own, which receives only what that seat may know, and is
written into the record as `N hint` before it is shown: once for each decision, however often it is
asked. Not where the config, a match or muggins forbids it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl.bot import seated
from boardctl.bot.habits import REPORTS
from boardctl.games import IllegalMove, Move, Prompt
from boardctl.record.seen import Dealt, GameLines, attempt
from boardctl.storage.child import running
from boardctl.table import Table
from boardctl.text import hints as words
from boardctl.text import moves
from boardctl.web.board_view import BoardView
from boardctl.web.child import unless_gone
from boardctl.web.move_list import Viewer, names

PATIENCE: Final = 30.0
"""Maximum seconds for a hint; a Raspberry Pi Zero 2 W needs a few to start the process."""
_COUNTS: Final = frozenset({"show", "crib"})


def due(prompt: Prompt, seat: int | None) -> str:
    """What is due of a seat that a hint can be about: `count`, `decision`, or nothing."""
    asks = [ask for ask in prompt.asks if seat is not None and ask.seat == seat]
    if any(ask.move.verb in _COUNTS and ask.kind == "confirm" for ask in asks):
        return "count"
    return "decision" if any(ask.move.verb not in REPORTS for ask in asks) else ""


def offered(view: BoardView, prompt: Prompt, dealt: Sequence[Dealt], seat: int | None) -> bool:
    """Whether the page of a seat offers a hint: one is allowed, and its cards are known."""
    if seat is None or refused(view, prompt, seat):
        return False
    hand = [card for one in dealt for card in _dealt(one.move, seat)]
    return bool(hand) and all(card.known for card in hand)


def _dealt(move: Move, seat: int) -> Sequence[Any]:
    return move.cards if move.verb in ("hand", "draw") and move.seat == seat else ()


def refused(view: BoardView, prompt: Prompt, seat: int | None) -> str:
    """The code of the reason why a seat gets no hint now, empty if it gets one."""
    setup = view.table.position.setup
    what = due(prompt, seat)
    if seat is None:
        return "hint-no-seat"
    if view.no_hints:
        return view.no_hints
    if not what or view.table.position.over or view.player.seat == seat:
        return "hint-not-due"
    if what == "count" and setup is not None and setup.options.get("muggins", "off") != "off":
        return "hints-muggins"
    return ""


class HintApi:
    """The route of hints."""

    def __init__(
        self,
        board: BoardView,
        check: Callable[[Request], None],
        viewer: Callable[[Request], Viewer],
        body: Callable[[Request, dict[str, type]], Awaitable[dict[str, Any]]],
    ) -> None:
        self._board = board
        self._check = check
        self._viewer = viewer
        self._body = body
        self._working = asyncio.Lock()

    def routes(self) -> list[Route]:
        return [Route("/hint", self._hint, methods=["POST"])]

    async def _hint(self, request: Request) -> Response:
        """`{"expect": 12}` -> the hint in words, and the number of the newest line."""
        self._check(request)
        body = await self._body(request, {"expect": int})
        viewer = self._viewer(request)
        try:
            answer = await unless_gone(request, self._find(viewer.seat, body["expect"]))
            said = self._give(answer, viewer, body["expect"])
        except ClientDisconnect:
            return Response()  # nobody hears it
        except IllegalMove as error:
            message = moves.refusal(error, (), viewer.language)
            return JSONResponse({"refused": {"code": error.code, "message": message}})
        return JSONResponse({"hint": said, "number": self._board.table.number})

    def _stands(self, expect: int) -> Table:
        """The table, where it stands as the caller has seen it. Raises IllegalMove: `stale`."""
        table = self._board.table
        if table.number != expect:
            raise IllegalMove("stale", expected=expect, number=table.number)
        return table

    def _give(self, answer: dict[str, Any], viewer: Viewer, expect: int) -> dict[str, Any]:
        """A hint in words, written into the record. Raises IllegalMove if the table moved on."""
        table = self._stands(expect)
        assert viewer.seat is not None
        seen = table.seen_by(viewer.seat).record
        best = table.parse(answer["best"]["line"])
        awards = attempt(seen, table.record, best).awards if answer["kind"] == "count" else ()
        said = words.hint(answer, best, awards, names(table.position), viewer.language)
        if not table.record.was_helped(viewer.seat):
            table.submit(Move("hint", viewer.seat), "page", expect)
        return said

    async def _find(self, seat: int | None, expect: int) -> dict[str, Any]:
        """The hint as data. Raises IllegalMove where there is none."""
        table, view = self._stands(expect), self._board
        why = refused(view, view.controller.prompt(seat), seat)
        if why or seat is None:
            raise IllegalMove(why)
        lines = seated.seen_by(table.record, GameLines(seat))
        asked = {"seat": seat, "hint": True, "lines": lines}
        try:
            async with asyncio.timeout(PATIENCE), self._working:
                output = await _answer(json.dumps(asked))
            answer = json.loads(output)
        except (TimeoutError, OSError, ValueError) as error:
            raise IllegalMove("hint-failed") from error
        if answer.get("hint") is None:
            raise IllegalMove("hint-unknown")
        found: dict[str, Any] = answer["hint"]
        return found


async def _answer(request: str) -> bytes:
    """What the player's process answers to one request."""
    async with running("-m", "boardctl.bot.worker", errors=None, nice=5) as process:
        output, _ = await process.communicate(request.encode() + b"\n")
    return output
