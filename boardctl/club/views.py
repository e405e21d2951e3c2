"""A hub's other pages: for the director, a player, the league, and joining by phone."""

from __future__ import annotations

import io
from hmac import compare_digest
from typing import Any, Final
from urllib.parse import parse_qs

import segno
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from boardctl import text
from boardctl.club import league as shared
from boardctl.club.evening import COUNTED, ClubRefusal
from boardctl.club.html import Words, link, render, words
from boardctl.club.hub import Hub
from boardctl.club.store import About
from boardctl.web import Options
from boardctl.web.guard import NUMBER
from boardctl.web.invitation import address_for

FORMS: Final = "/entry/"
"""The path prefix of pages with a form."""
LONGEST: Final = 2048
"""The maximum size of a submitted form in bytes."""
_FRESH: Final = {"cache-control": "no-store"}


def routes(hub: Hub, options: Options, language: str) -> list[Route]:
    """Return the routes of these pages."""

    say = words(language)

    def page(template: str, title: str, status: int = 200, **values: Any) -> HTMLResponse:
        content = render(template, language, title=title, **values)
        return HTMLResponse(content, status, headers=_FRESH)

    def missing(status: int = 404) -> HTMLResponse:
        return page("page.html", say("not-here"), status)

    def named(code: str) -> About | None:
        """Return the newest evening if this is its code."""
        try:
            about = hub.store.about()
        except ClubRefusal:
            return None
        return about if about.code and compare_digest(code.encode(), about.code.encode()) else None

    # Not async: each handler runs in a thread, so queries do not delay the hub's messages.

    def director_page(request: Request) -> Response:
        try:
            values = director(hub, say)
        except ClubRefusal as error:
            sentence = text.refusal(error, text.Reader(language))
            return page("page.html", say("director"), sentence=sentence)
        return page("director.html", say("director"), **values)

    def player_page(request: Request) -> Response:
        who = int(request.path_params["who"])
        found = player(hub, who, say) if who < 2**31 else None
        return missing() if found is None else page("player.html", **found)

    def league_page(request: Request) -> Response:
        return page("league.html", say("league"), rows=league(hub))

    def code_image(request: Request) -> Response:
        try:
            about = hub.store.about()
        except ClubRefusal:
            return missing()
        base = _base(request, options)
        image = segno.make(f"{base}{FORMS}{about.code}", error="m")
        svg = io.BytesIO()  # with its namespace, which an <img> needs
        image.save(svg, kind="svg", scale=6, dark="#000", light="#fff", border=4)
        return Response(svg.getvalue(), media_type="image/svg+xml", headers=_FRESH)

    def entry_page(request: Request) -> Response:
        about = named(request.path_params["code"])
        if about is None:
            return missing()
        return page("entry.html", say("enter", evening=about.name))

    async def entered(request: Request) -> Response:
        body = b""
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > LONGEST:
                    return missing(413)
            fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=4)
        except ClientDisconnect:
            return Response()  # the client has disconnected
        except ValueError:  # more fields than the form has
            return missing(413)
        from starlette.concurrency import run_in_threadpool

        return await run_in_threadpool(enter, request.path_params["code"], fields)

    def enter(code: str, fields: dict[str, list[str]]) -> Response:
        about = named(code)
        if about is None:
            return missing()
        name, pin = (fields.get(key, [""])[0] for key in ("name", "pin"))
        title = say("enter", evening=about.name)
        try:
            name = hub.store.enter(about.number, name, pin)
        except ClubRefusal as error:
            why = text.refusal(error, text.Reader(language))
            return page("entry.html", title, 409, sentence=why, role="alert")
        return page("page.html", title, sentence=say("entered", name=name), role="status")

    return [
        Route("/director", director_page),
        Route("/league", league_page),
        Route(f"/player/{{who:{NUMBER}}}", player_page),
        Route("/entry.svg", code_image),
        Route("/entry/{code}", entry_page, methods=["GET"]),
        Route("/entry/{code}", entered, methods=["POST"]),
    ]


def _base(request: Request, options: Options) -> str:
    """Return the address for phones: the address of this page, unless it is local to this machine.
    In that case, return a configured name or this machine's network address."""
    host = request.url.hostname or ""
    if host not in ("127.0.0.1", "localhost", "::1"):
        return f"{request.url.scheme}://{request.url.netloc}"
    if options.names:
        name = options.names[0]
        return name if "://" in name else f"http://{name}:{request.url.port or 80}"
    return address_for(request.url.netloc)


def director(hub: Hub, say: Words) -> dict[str, Any]:
    """Return the director's page with missing results, conflicts, and tables with their boards.
    Raises ClubRefusal."""
    about = hub.store.about()
    meetings = hub.store.meetings(about.number)
    return {
        "evening": about.name,
        "connected": hub.connected,
        "round": max((met.round for met in meetings), default=0),
        "conflicts": [
            [c.round, c.table or "", f"{c.result.winner} – {c.result.loser}", c.result.spread,
             f"{c.board} {c.game}", say(c.reason)]
            for c in hub.store.conflicts(about.number)
        ],
        "missing": [
            [met.round, met.table, f"{met.one} – {met.two}",
             _board(hub, met.board if about.kind in COUNTED else None, say)]
            for met in meetings
            if met.result is None
        ],
    }  # fmt: skip


def _board(hub: Hub, board: str | None, say: Words) -> str:
    if board is None:
        return ""
    return board if board in hub.online else f"{board} ({say('offline')})"


def player(hub: Hub, who: int, say: Words) -> dict[str, Any] | None:
    """Return a player's page with name, rating, season and evenings, or None if there is no such
    player."""
    found = shared.card(hub.store, who)
    if found is None:
        return None
    name, rated, skill, season, evenings = found
    sentences = []
    if rated is not None:
        low, high = (round(rated.value + side * 2 * rated.deviation) for side in (-1, 1))
        sentences.append(
            say("rated", value=round(rated.value), low=low, high=high, games=rated.games)
        )
    if skill is not None:
        played = skill.strength
        sentences.append(
            say(
                "judged" if played.enough else "judged-few",
                loss=f"{100 * played.loss:.2f}",
                half=f"{100 * (played.half or 0):.2f}",
                decisions=played.decisions,
                games=skill.games,
                luck=f"{100 * skill.luck:+.1f}",
            )
        )
    return {
        "title": name,
        "sentences": sentences,
        "season": [
            [t.club, t.games, t.won, t.points, f"{t.net:+}", t.cards, t.earned] for t in season
        ],
        "evenings": [
            [e.name, e.club, e.games, e.won, e.skunks, e.points, f"{e.plus - e.minus:+}"]
            for e in evenings
        ],
    }


def league(hub: Hub) -> list[list[object]]:
    """Return the season's top players across all clubs."""
    return [
        [
            link(f"/player/{t.person}", t.name),
            t.club,
            t.games,
            t.won,
            t.points,
            f"{t.net:+}",
            t.cards,
        ]
        for t in shared.best(hub.store)
    ]
