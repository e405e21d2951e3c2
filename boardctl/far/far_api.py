"""The routes of games with other houses: `/far`.

GET returns the known houses, an open invitation, and the game on the table. Until somebody has
played with another house, it returns `{"houses": [], …}`. POST `/far/invite` opens an invitation:
`{"name": "Ann", "partner": "", "game": "cribbage", "options": {}}`. With a partner, the game is for
four, two in each house. `/far/accept` accepts an invitation: `{"words": "six words, numbers or a
link", "name": "Bob", "partner": ""}`. `/far/cancel` withdraws an invitation, or stops waiting for
another house. In a browser tab, `/far/broker` names the broker: `{"broker": "wss://…"}`.
`/far/play` plays with a known house: `{"house": 0}`. `game` and `options` choose a game other than
the last one; `name` and `partner` choose other players in this house. `/far/withdraw` withdraws the
offer to a house, and `/far/remove` removes a house from the list: `{"house": 0}`. `/far/answer`
answers the other house's question (`game.question`): `{"number": 31, "line": "undo", "yes": true}`.
`/far/stand` lets a claim stand. `/far/leave` takes the game from the table. `/far/show` invites an
onlooker to the game, and `/far/look` watches another house's game. `/far/forget` ends either of
these: `{"onlooker": 0}`. Each response is the new state, or the reason why the request was refused.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from boardctl.far import GAMES, invitation_words
from boardctl.far.on_demand import OtherHouses
from boardctl.games import IllegalMove
from boardctl.text import moves
from boardctl.web import guard
from boardctl.web.guard import Refused, read_body, refused_move
from boardctl.web.invitation import qr_rows

_NOBODY: dict[str, Any] = {
    "words": [],
    "numbers": [],
    "accepting": False,
    "late": False,
    "unanswered": False,
    "connected": False,
    "trouble": "",
    "houses": [],
    "onlookers": [],
    "looking": None,
    "left": None,
    "game": None,
}


class FarApi:
    """The routes of games with other houses."""

    def __init__(
        self,
        far: OtherHouses,
        check: Callable[[Request], None],
    ) -> None:
        self._far = far
        self._check = check

    def routes(self) -> list[Route]:
        return [
            Route("/far", self._state),
            Route("/far/invite", self._invite, methods=["POST"]),
            Route("/far/accept", self._accept, methods=["POST"]),
            Route("/far/broker", self._use, methods=["POST"]),
            Route("/far/cancel", self._cancel, methods=["POST"]),
            Route("/far/play", self._play, methods=["POST"]),
            Route("/far/withdraw", self._withdraw, methods=["POST"]),
            Route("/far/answer", self._agree, methods=["POST"]),
            Route("/far/stand", self._stand, methods=["POST"]),
            Route("/far/leave", self._leave, methods=["POST"]),
            Route("/far/remove", self._remove, methods=["POST"]),
            Route("/far/show", self._show, methods=["POST"]),
            Route("/far/look", self._watch, methods=["POST"]),
            Route("/far/forget", self._forget, methods=["POST"]),
        ]

    def _now(self, request: Request) -> dict[str, Any]:
        houses = self._far.houses
        answer = dict(_NOBODY) if houses is None else houses.state(guard.language(request))
        spelled = answer["words"]
        link, tab_link = "", ""
        if spelled:
            link = self._far.link(spelled)
            tab_link = "" if self._far.is_in_tab else self._far.tab_link(spelled)
        usual = moves.title(next(iter(GAMES)), guard.language(request))
        return {
            **answer,
            "games": list(GAMES),
            "usual": usual,
            "link": link,
            "tab_link": tab_link,
            "broker": self._far.host,
            "code": self._far.code,
            "qr": qr_rows(link) if link else [],
        }

    async def _state(self, request: Request) -> Response:
        """Return the other houses, and the game with one of these houses."""
        answer = self._now(request)
        try:
            self._check(request)
        except Refused:  # a phone that may not play sees the game, not the invitation
            answer |= {
                "trouble": "",
                "code": "",
                "words": [],
                "numbers": [],
                "link": "",
                "tab_link": "",
                "qr": [],
                "houses": [],
                "onlookers": [],
            }
        return JSONResponse(answer)

    async def _invite(self, request: Request) -> Response:
        """Open an invitation to a game."""
        body = await read_body(request, {"name": str, "partner": str, "game": str, "options": dict})
        self._check(request)

        async def act() -> None:
            options = {str(name): str(value) for name, value in body["options"].items()}
            houses = self._far.open()
            await houses.invite(body["name"], body["game"], options, body["partner"])

        return await self._answer(request, act)

    async def _accept(self, request: Request) -> Response:
        """Accept an invitation."""
        body = await read_body(request, {"words": str, "name": str, "partner": str})
        self._check(request)

        async def act() -> None:
            if broker := invitation_words.broker(body["words"]):
                await self._far.use(broker)
            await self._far.open().accept(body["words"], body["name"], body["partner"])

        return await self._answer(request, act)

    async def _use(self, request: Request) -> Response:
        """In a browser tab, set the broker that connects this board with other houses."""
        body = await read_body(request, {"broker": str})
        self._check(request)

        async def act() -> None:
            if not self._far.is_in_tab:
                raise IllegalMove("far-config")
            await self._far.use(body["broker"].strip())

        return await self._answer(request, act)

    async def _cancel(self, request: Request) -> Response:
        """Withdraw an invitation, or stop waiting."""
        return await self._do(request, {}, lambda body: self._far.open().cancel())

    async def _play(self, request: Request) -> Response:
        """Play with a known house."""

        def act(body: dict[str, Any]) -> None:
            options = {str(name): str(value) for name, value in body.get("options", {}).items()}
            who = body.get("name", ""), body.get("partner", "")
            self._far.open().play(body["house"], body.get("game", ""), options, *who)

        more = {"game": str, "options": dict, "name": str, "partner": str}
        return await self._do(request, {"house": int}, act, more)

    async def _remove(self, request: Request) -> Response:
        """Remove a known house."""
        return await self._do(
            request, {"house": int}, lambda body: self._far.open().remove(body["house"])
        )

    async def _withdraw(self, request: Request) -> Response:
        """Withdraw the game offered to a known house."""
        return await self._do(
            request, {"house": int}, lambda body: self._far.open().withdraw(body["house"])
        )

    async def _agree(self, request: Request) -> Response:
        """Answer the other house's question."""

        def act(body: dict[str, Any]) -> None:
            self._far.open().answer(body["number"], body["line"], body["yes"])

        return await self._do(request, {"number": int, "line": str, "yes": bool}, act)

    async def _stand(self, request: Request) -> Response:
        """Let the other house's claim stand."""
        return await self._do(request, {}, lambda body: self._far.open().let_stand())

    async def _leave(self, request: Request) -> Response:
        """Take the game from the table. It can be continued later."""
        return await self._do(request, {}, lambda body: self._far.open().leave())

    async def _show(self, request: Request) -> Response:
        """Invite an onlooker to the game on the table."""
        await read_body(request, {})
        self._check(request)
        return await self._answer(request, lambda: self._far.open().show())

    async def _watch(self, request: Request) -> Response:
        """Watch another house's game."""
        return await self._do(
            request,
            {"onlooker": int},
            lambda body: self._far.open().watch(body["onlooker"]),
        )

    async def _forget(self, request: Request) -> Response:
        """Stop showing an onlooker our game, or stop watching another house's game."""

        def act(body: dict[str, Any]) -> None:
            self._far.open().forget(body["onlooker"])

        return await self._do(request, {"onlooker": int}, act)

    async def _do(
        self,
        request: Request,
        shape: dict[str, type],
        act: Callable[[dict[str, Any]], None],
        more: Mapping[str, type] = MappingProxyType({}),
    ) -> Response:
        body = await read_body(request, shape, more)
        self._check(request)

        async def done() -> None:
            act(body)

        return await self._answer(request, done)

    async def _answer(self, request: Request, act: Callable[[], Awaitable[None]]) -> Response:
        try:
            await act()
        except IllegalMove as error:
            return refused_move(request, error)
        return JSONResponse(self._now(request))
