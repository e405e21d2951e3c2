"""The hub's page: tables, live games, standings, and charts of the season. Read-only.

It uses the same guard as a board's page (`boardctl.web.guard`): our own host names only, no script
at all, no text turned into markup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

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
from boardctl.club.evening import ClubRefusal, Evening, Standing, season
from boardctl.club.hub import Hub
from boardctl.club.markup import document, table, wide
from boardctl.club.messages import State
from boardctl.club.metrics import CONTENT_TYPE
from boardctl.club.pictures import course, spreads
from boardctl.club.store import Meeting
from boardctl.web import Options
from boardctl.web.guard import Guard

_FRESH: Final = {"cache-control": "no-store"}
REFRESH: Final = 10
"""Seconds after which a browser reloads the page."""
_STYLE: Final = """
body { font: 16px/1.4 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem;
  color: #222; background: #fff }
a { color: inherit }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ccc }
.figure { text-align: right; font-variant-numeric: tabular-nums }
th { white-space: nowrap; vertical-align: bottom }
.wide { overflow-x: auto; margin: 0 0 1.5rem }
svg { width: 100%; min-width: 40rem; height: auto; display: block }
text { fill: currentColor; font-size: 12px }
.middle { text-anchor: middle }
.end { text-anchor: end }
.grid { stroke: #8885; stroke-width: 1 }
.up { fill: #2a6f4e }
.down { fill: #b3541e }
polyline { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round }
polyline.other { stroke: #8886; stroke-width: 1 }
.c0 { color: #0072b2 } .c1 { color: #c04a00 } .c2 { color: #00785a } .c3 { color: #a3467f }
.c4 { color: #8a6d00 } .c5 { color: #2b7fb0 } .c6 { color: #555 } .c7 { color: #7a5ab5 }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #1b1b1b }
  th, td { border-color: #444 }
  .up { fill: #7cc9a2 } .down { fill: #f0985f }
  .c0 { color: #56b4e9 } .c1 { color: #ff8b4d } .c2 { color: #2fd3a5 } .c3 { color: #e08fc0 }
  .c4 { color: #f0e442 } .c5 { color: #8cc8ee } .c6 { color: #bbb } .c7 { color: #b9a0ea } }
"""


def make(hub: Hub, options: Options, language: str = "en") -> Starlette:
    """Make the page's app for a hub."""

    # Not async: each runs in a thread, so that queries do not delay the hub's messages.

    def index(request: Request) -> Response:
        content = render(hub, language, still=request.url.path == "/still")
        return HTMLResponse(content, headers=_FRESH)

    def style(request: Request) -> Response:
        return Response(_STYLE, media_type="text/css")

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
        words = text.say("club", "no-store", {}, (), language)
        content = document("boardctl", f"<p>{escape(words)}</p>", language, REFRESH)
        return HTMLResponse(content, 503, headers=_FRESH)

    return Starlette(
        exception_handlers={SQLAlchemyError: no_store},
        routes=[
            Route("/", index),
            Route("/still", index),
            Route("/style.css", style),
            Route("/favicon.ico", icon),
            Route("/metrics", metrics),
            Route("/health/live", live),
            Route("/health/ready", ready),
            *views.routes(hub, options, language),
        ],
        middleware=[Middleware(_Forms), Middleware(Guard, options=options)],
    )


class _Forms:
    """ASGI middleware outside the guard: lets pages with a form submit it to us, with a referrer
    policy that makes browsers send `Origin`."""

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


def render(hub: Hub, language: str = "en", still: bool = False) -> str:
    """The whole page. It reloads by itself, for a screen on the wall; with `still` it does not, for
    slow readers and screen readers."""

    def words(code: str, **fields: object) -> str:
        return text.say("club", code, fields, (), language)

    body = []
    try:
        evening, name, _ = hub.store.evening()
    except ClubRefusal as error:
        name = "boardctl"
        body.append(f"<p>{escape(text.refusal(error, (), language))}</p>")
    else:
        body.append(views.invitation(hub, evening, words))
        body.append(_standings(hub.store.standings(evening), words))
        body.append(_meetings(hub.store.meetings(evening), words))
        body.append(_season(hub.store.evenings(), words))
    other = (
        f'<a href="/">{words("fresh")}</a>' if still else f'<a href="/still">{words("still")}</a>'
    )
    live = dict(sorted(hub.live.items()))  # a copy, since messages keep coming in
    body.insert(0, _live(live, hub.online, words))
    return document(name, f"<p>{other}</p>{''.join(body)}", language, None if still else REFRESH)


def _live(live: Mapping[str, State], online: set[str], words: Any) -> str:
    rows = [
        [
            board if board in online else f"{board} ({words('offline')})",
            state.game or "",
            " – ".join(state.seats),
            " : ".join(map(str, state.scores)),
        ]
        for board, state in live.items()
    ]
    head = [words(code) for code in ("board", "game", "players", "score")]
    return f"<h2>{escape(words('live'))}</h2>{table(head, rows)}" if rows else ""


def _standings(standings: Sequence[Standing], words: Any, title: str = "standings") -> str:
    head = [words(c) for c in ("rank", "player", "games", "won", "skunks", "points", "net", "plus")]
    rows = [
        [s.rank, s.name, s.games, s.won, s.skunks, s.points, f"{s.net:+}", s.plus]
        for s in standings
    ]
    return f"<h2>{escape(words(title))}</h2>{table(head, rows, {0, *range(2, 8)})}"


def _meetings(meetings: Sequence[Meeting], words: Any) -> str:
    if not meetings:
        return ""
    last = max(meeting.round for meeting in meetings)
    head = [words(code) for code in ("table", "players", "winner", "spread", "corrected")]
    found = []
    for number in range(last, 0, -1):
        rows = [
            [m.table, f"{m.one} – {m.two}", *_result(m, words)]
            for m in meetings
            if m.round == number
        ]
        found.append(f"<h2>{escape(words('round', round=number))}</h2>{table(head, rows, {0, 3})}")
    return "".join(found)


def _result(meeting: Meeting, words: Any) -> list[object]:
    won = meeting.result
    if won is None:
        return ["", "", ""]
    return [won.winner, won.spread, words("corrected") if won.corrected else ""]


def _season(evenings: Sequence[Evening], words: Any) -> str:
    """The season's standings as a table and two charts."""
    played = [evening for evening in evenings if any(s.games for s in evening.standings)]
    if not played:
        return ""
    ranked = season(played)
    pictures = ((course, words("course")), (spreads, words("spreads")))
    return _standings(ranked, words, "season") + "".join(
        f"<h3>{escape(title)}</h3>{wide(draw(played, ranked, title))}" for draw, title in pictures
    )
