"""The hub's page: tables, live games, standings, and charts of the season. Read-only.

The page uses the same guard as a board's page (`boardctl.web.guard`): only our own host names, no
scripts, and no text that becomes markup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boardctl import text
from boardctl.club import views
from boardctl.club.evening import ClubRefusal, Draw, Evening, Standing, season
from boardctl.club.html import FOLDER, Words, words
from boardctl.club.html import render as page
from boardctl.club.hub import Hub
from boardctl.club.messages import State
from boardctl.club.metrics import CONTENT_TYPE
from boardctl.club.pictures import course, spreads
from boardctl.club.store import Meeting
from boardctl.text.moves import title
from boardctl.web import Options, files
from boardctl.web.guard import Guard

_FRESH: Final = {"cache-control": "no-store"}
FONTS: Final = ("sans.woff2", "sans-bold.woff2")
"""The board's own fonts, named by the style sheet."""
REFRESH: Final = 10
"""Seconds after which a browser reloads the page."""


def make(hub: Hub, options: Options, language: str = "en") -> Starlette:
    """Create the web app for a hub."""

    # Not async: each handler runs in a thread, so queries do not delay the hub's messages.

    def index(request: Request) -> Response:
        content = render(hub, language, request.url.path == "/still", reached=not options.private)
        hub.solved("page")
        return HTMLResponse(content, headers=_FRESH)

    def style(request: Request) -> Response:
        return Response((FOLDER / "style.css").read_text("utf-8"), media_type="text/css")

    def icon(request: Request) -> Response:
        return Response(status_code=204)  # browsers always request one

    def metrics(request: Request) -> Response:
        return Response(hub.metrics.exposition(), media_type=CONTENT_TYPE, headers=_FRESH)

    def live(request: Request) -> Response:
        return JSONResponse({"live": True}, headers=_FRESH)

    def ready(request: Request) -> Response:
        parts = {"broker": hub.connected, "store": _answers(hub)}
        return JSONResponse(parts, 200 if all(parts.values()) else 503, headers=_FRESH)

    async def no_store(request: Request, error: Exception) -> Response:
        hub.log_once("page", f"the store does not answer: {error}")
        sentence = words(language)("no-store")
        content = page("page.html", language, title="boardctl", sentence=sentence, refresh=REFRESH)
        return HTMLResponse(content, 503, headers=_FRESH)

    return Starlette(
        exception_handlers={SQLAlchemyError: no_store},
        routes=[
            Route("/", index),
            Route("/still", index),
            Route("/style.css", style),
            *files.routes(only=FONTS),
            Route("/favicon.ico", icon),
            Route("/metrics", metrics),
            Route("/health/live", live),
            Route("/health/ready", ready),
            *views.routes(hub, options, language),
        ],
        middleware=[Middleware(_Forms), Middleware(Guard, options=options)],
    )


class _Forms:
    """ASGI middleware outside the guard. It allows the pages to submit their forms to the hub, and
    sets a referrer policy that makes browsers send `Origin`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def allowing(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                policy = headers.get("content-security-policy", "")
                headers["content-security-policy"] = policy.replace(
                    "form-action 'none'", "form-action 'self'"
                )
                headers["referrer-policy"] = "same-origin"
            await send(message)

        formed = scope["type"] == "http" and scope["path"].startswith(views.FORMS)
        await self._app(scope, receive, allowing if formed else send)


def _answers(hub: Hub) -> bool:
    try:
        return hub.store.alive()
    except SQLAlchemyError:
        return False


def render(hub: Hub, language: str = "en", still: bool = False, *, reached: bool = True) -> str:
    """Render the complete page.

    Args:
        still: whether to turn off automatic reloading, for slow readers and screen readers. By
            default the page reloads, for a screen on the wall.
        reached: whether phones can open the page. It shows a code for phones, or the reason why
            there is no code.
    """
    say = words(language)
    values: dict[str, Any] = {
        "title": "boardctl",
        "refusal": "",
        "invited": "",
        "standings": [],
        "rounds": [],
        "pictures": [],
    }
    try:
        about = hub.store.about()
    except ClubRefusal as error:
        values["refusal"] = text.refusal(error, text.Reader(language))
    else:
        number, draws = about.number, hub.store.draws(about.number)
        values["title"] = about.name
        values["invited"] = about.name if about.code and not draws else ""
        values["standings"] = [(say("standings"), _standings(hub.store.standings(number)))]
        values["rounds"] = _rounds(hub.store.meetings(number), draws, say)
        played = [one for one in hub.store.evenings() if any(s.games for s in one.standings)]
        if played:
            ranked = season(played)
            values["standings"].append((say("season"), _standings(ranked)))
            values["pictures"] = _pictures(played, ranked, say)
    live = dict(sorted(hub.live.items()))  # a copy, because messages keep arriving
    return page(
        "evening.html",
        language,
        refresh=None if still else REFRESH,
        still=still,
        reached=reached,
        connected=hub.connected,
        live=_live(live, hub.online, language),
        **values,
    )


def _live(live: Mapping[str, State], online: set[str], language: str) -> list[list[object]]:
    say = words(language)
    return [
        [
            board,
            say("offline" if board not in online else "over" if state.over else "playing"),
            " – ".join(state.seats),
            " : ".join(map(str, state.scores)),
            title(state.game, language) if state.game else "",
        ]
        for board, state in live.items()
    ]


def _standings(standings: Sequence[Standing]) -> list[list[object]]:
    return [
        [s.rank, s.name, s.points, f"{s.net:+}", s.games, s.won, s.skunks, s.plus]
        for s in standings
    ]


def _rounds(
    meetings: Sequence[Meeting], draws: Sequence[Draw], say: Words
) -> list[tuple[str, list[list[object]]]]:
    """Return the rounds, latest first, each as a heading and rows, with the byes at the end."""
    found = []
    for number, drawn in reversed(list(enumerate(draws, 1))):
        rows: list[list[object]] = [
            [met.table, f"{met.one} – {met.two}", *_result(met, say)]
            for met in meetings
            if met.round == number
        ]
        if drawn.bye is not None:
            rows.append(["", say("bye", name=drawn.bye), "", "", ""])
        found.append((say("round", round=number), rows))
    return found


def _result(meeting: Meeting, say: Words) -> list[object]:
    won = meeting.result
    if won is None:
        return ["", "", ""]
    return [won.winner, won.spread, say(won.mark) if won.mark else ""]


def _pictures(
    played: Sequence[Evening], ranked: Sequence[Standing], say: Words
) -> list[tuple[str, Markup]]:
    """Return the season's charts, each as a heading and an SVG drawing."""
    return [
        (say(code), draw(played, ranked, say(code)))
        for draw, code in ((course, "course"), (spreads, "spreads"))
    ]
