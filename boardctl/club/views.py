"""More pages of a hub: for the director, a player, the league, and joining by phone."""

from __future__ import annotations

from collections.abc import Callable
from hmac import compare_digest
from html import escape
from typing import Final
from urllib.parse import parse_qs

import segno
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from boardctl import text
from boardctl.club import league as shared
from boardctl.club.evening import ClubRefusal
from boardctl.club.hub import Hub
from boardctl.club.markup import document, link, table
from boardctl.club.store import About
from boardctl.web import Options
from boardctl.web.guard import NUMBER

FORMS: Final = "/entry/"
"""The path prefix of pages with a form."""
LONGEST: Final = 2048
"""Maximum bytes of a submitted form."""
_FRESH: Final = {"cache-control": "no-store"}

Words = Callable[..., str]


def routes(hub: Hub, options: Options, language: str) -> list[Route]:
    """The routes of these pages."""

    def words(code: str, **fields: object) -> str:
        return text.say("club", code, fields, (), language)

    def page(title: str, body: str, status: int = 200) -> HTMLResponse:
        home = f"<p>{link('/', words('home'))}</p>"
        return HTMLResponse(document(title, home + body, language), status, headers=_FRESH)

    def missing() -> HTMLResponse:
        return page(words("not-here"), "", 404)

    def named(code: str) -> About | None:
        """The newest evening, if that is its code."""
        try:
            about = hub.store.about()
        except ClubRefusal:
            return None
        return about if about.code and compare_digest(code.encode(), about.code.encode()) else None

    # Not async: each runs in a thread, so that queries do not delay the hub's messages.

    def director_page(request: Request) -> Response:
        return page(words("director"), director(hub, words))

    def player_page(request: Request) -> Response:
        who = int(request.path_params["who"])
        found = player(hub, who, words) if who < 2**31 else None
        return missing() if found is None else page(*found)

    def league_page(request: Request) -> Response:
        return page(words("league"), league(hub, words))

    def code_image(request: Request) -> Response:
        try:
            about = hub.store.about()
        except ClubRefusal:
            return missing()
        base = _base(request, options)
        image = segno.make(f"{base}{FORMS}{about.code}", error="m")
        svg = image.svg_inline(scale=6, dark="#000", light="#fff", border=4)
        return Response(svg, media_type="image/svg+xml", headers=_FRESH)

    def entry_page(request: Request) -> Response:
        about = named(request.path_params["code"])
        if about is None:
            return missing()
        return page(words("enter", evening=about.name), _form(words))

    async def entered(request: Request) -> Response:
        body = b""
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > LONGEST:
                    return page(words("not-here"), "", 413)
            fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=4)
        except ClientDisconnect:
            return Response()  # nobody hears it
        except ValueError:  # more fields than the form has
            return page(words("not-here"), "", 413)
        from starlette.concurrency import run_in_threadpool

        return await run_in_threadpool(enter, request.path_params["code"], fields)

    def enter(code: str, fields: dict[str, list[str]]) -> Response:
        about = named(code)
        if about is None:
            return missing()
        name, pin = (fields.get(key, [""])[0] for key in ("name", "pin"))
        title = words("enter", evening=about.name)
        try:
            name = hub.store.enter(about.number, name, pin)
        except ClubRefusal as error:
            why = escape(text.refusal(error, (), language))
            return page(title, f'<p role="alert">{why}</p>{_form(words)}', 409)
        return page(title, f'<p role="status">{escape(words("entered", name=name))}</p>')

    return [
        Route("/director", director_page),
        Route("/league", league_page),
        Route(f"/player/{{who:{NUMBER}}}", player_page),
        Route("/entry.svg", code_image),
        Route("/entry/{code}", entry_page, methods=["GET"]),
        Route("/entry/{code}", entered, methods=["POST"]),
    ]


def _base(request: Request, options: Options) -> str:
    """The address for phones: the one this page was opened with, unless that is local to this
    machine and another host name is configured."""
    host = request.url.hostname or ""
    if host in ("127.0.0.1", "localhost", "::1") and options.names:
        name = options.names[0]
        return name if "://" in name else f"http://{name}:{request.url.port or 80}"
    return f"{request.url.scheme}://{request.url.netloc}"


def _form(words: Words) -> str:
    return (
        '<form method="post"><p><label>'
        f'{escape(words("player"))} <input name="name" required maxlength="40" autocomplete="name">'
        "</label></p><p><label>"
        f'{escape(words("pin"))} <input name="pin" required type="password" inputmode="numeric" '
        'pattern="[0-9]{4,12}" minlength="4" maxlength="12" autocomplete="off"></label></p>'
        f"<p>{escape(words('pin-hint'))}</p><p><button>{escape(words('send'))}</button></p></form>"
    )


def invitation(hub: Hub, evening: int, words: Words) -> str:
    """The QR code that lets phones join an evening, until the first round is drawn."""
    about = hub.store.about(evening)
    if not about.code or hub.store.draws(evening):
        return ""
    return (
        f"<h2>{escape(words('enter', evening=about.name))}</h2>"
        f'<p><img class="code" src="/entry.svg" alt="{escape(words("scan"))}"></p>'
    )


def director(hub: Hub, words: Words) -> str:
    """The director's page: missing results, conflicts, tables and their boards."""
    try:
        about = hub.store.about()
    except ClubRefusal as error:
        return f"<p>{escape(text.refusal(error))}</p>"
    meetings = hub.store.meetings(about.number)
    missing = [met for met in meetings if met.result is None]
    last = max((met.round for met in meetings), default=0)
    conflicts = hub.store.conflicts(about.number)
    body = [f"<h2>{escape(about.name)}</h2><p>{escape(words('round', round=last))}</p>"]
    body.append(f"<h2>{escape(words('conflicts'))}</h2>")
    heads = [words(c) for c in ("of-round", "table", "winner", "spread", "board", "reason")]
    rows = [
        [c.round, c.table, f"{c.result.winner} – {c.result.loser}", c.result.spread,
         f"{c.board} {c.game}", words(c.reason)]
        for c in conflicts
    ]  # fmt: skip
    body.append(table(heads, rows, {0, 1, 3}) if rows else f"<p>{escape(words('none'))}</p>")
    body.append(f"<h2>{escape(words('missing'))}</h2>")
    heads = [words(c) for c in ("of-round", "table", "players", "board")]
    waiting = [
        [met.round, met.table, f"{met.one} – {met.two}", _board(hub, met.board, words)]
        for met in missing
    ]
    body.append(table(heads, waiting, {0, 1}) if waiting else f"<p>{escape(words('none'))}</p>")
    return "".join(body)


def _board(hub: Hub, board: str | None, words: Words) -> str:
    if board is None:
        return ""
    return board if board in hub.online else f"{board} ({words('offline')})"


def player(hub: Hub, who: int, words: Words) -> tuple[str, str] | None:
    """A player's name and page: rating, season and evenings; None if there is no such player."""
    found = shared.card(hub.store, who)
    if found is None:
        return None
    name, rated, skill, season, evenings = found
    body = []
    if rated is not None:
        low, high = (round(rated.value + side * 2 * rated.deviation) for side in (-1, 1))
        sentence = words("rated", value=round(rated.value), low=low, high=high, games=rated.games)
        body.append(f"<p>{escape(sentence)}</p>")
    if skill is not None:
        played = skill.strength
        sentence = words(
            "judged" if played.enough else "judged-few",
            loss=f"{100 * played.loss:.2f}",
            half=f"{100 * (played.half or 0):.2f}",
            decisions=played.decisions,
            games=skill.games,
            luck=f"{100 * skill.luck:+.1f}",
        )
        body.append(f"<p>{escape(sentence)}</p>")
    heads = [words(c) for c in ("club", "games", "won", "points", "net", "cards", "earned")]
    rows = [[t.club, t.games, t.won, t.points, f"{t.net:+}", t.cards, t.earned] for t in season]
    body.append(f"<h2>{escape(words('season'))}</h2>{table(heads, rows, set(range(1, 7)))}")
    heads = [words(c) for c in ("evening", "club", "games", "won", "skunks", "points", "net")]
    rows = [
        [e.name, e.club, e.games, e.won, e.skunks, e.points, f"{e.plus - e.minus:+}"]
        for e in evenings
    ]
    body.append(f"<h2>{escape(words('evenings'))}</h2>{table(heads, rows, set(range(2, 7)))}")
    return name, "".join(body)


def league(hub: Hub, words: Words) -> str:
    """The top players of the season over all clubs."""
    heads = [words(c) for c in ("player", "club", "games", "won", "points", "net", "cards")]
    rows: list[list[object]] = [
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
    return table(heads, rows, {2, 3, 4, 5, 6})
