"""The hub's page: tables, live games, standings, and the season as a picture. It can only be read.

It stands behind the same gate as a board's page (`boardctl.web.guard`): our own names only, no
script at all, nothing that becomes markup. Called by `boardctl hub`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from boardctl import text
from boardctl.club.evening import ClubRefusal, Standing
from boardctl.club.hub import Hub
from boardctl.club.store import Meeting
from boardctl.web import Options
from boardctl.web.guard import Guard

REFRESH: Final = 10
"""Seconds after which a browser asks again."""
_STYLE: Final = """
body { font: 16px/1.4 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem;
  color: #222; background: #fff }
table { border-collapse: collapse; margin: 0 0 1.5rem; width: 100% }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ccc }
.figure { text-align: right; font-variant-numeric: tabular-nums }
svg { width: 100%; height: auto }
rect { fill: #2a6f4e }
text { fill: currentColor; font-size: 12px }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #1b1b1b }
  rect { fill: #7cc9a2 } }
"""


def make(hub: Hub, options: Options, language: str = "en") -> Starlette:
    """The page over a hub."""

    async def index(request: Request) -> Response:
        return HTMLResponse(render(hub, language), headers={"cache-control": "no-store"})

    async def style(request: Request) -> Response:
        return Response(_STYLE, media_type="text/css")

    return Starlette(
        routes=[Route("/", index), Route("/style.css", style)],
        middleware=[Middleware(Guard, options=options)],
    )


def render(hub: Hub, language: str = "en") -> str:
    """The whole page as it stands now."""

    def words(code: str, **fields: object) -> str:
        return text.say("club", code, fields, (), language)

    body = []
    try:
        evening, name, _ = hub.store.evening()
    except ClubRefusal as error:
        name = "boardctl"
        body.append(f"<p>{escape(text.refusal(error, (), language))}</p>")
    else:
        body.append(_standings(hub.store.standings(evening), words))
        body.append(_meetings(hub.store.meetings(evening), words))
        body.append(_season(hub.store.season(), words))
    live = dict(sorted(hub.live.items()))
    body.insert(0, _live(live, hub.online, words))
    return (
        f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8">'
        f'<meta http-equiv="refresh" content="{REFRESH}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(name)}</title><link rel="stylesheet" href="/style.css"></head>'
        f"<body><main><h1>{escape(name)}</h1>{''.join(body)}</main></body></html>"
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    told = "".join(f'<th scope="col">{escape(item)}</th>' for item in head)
    cells = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{told}</tr></thead><tbody>{cells}</tbody></table>"


def _cell(value: object) -> str:
    kind = ' class="figure"' if isinstance(value, int) else ""
    return f"<td{kind}>{escape(str(value))}</td>"


def _live(live: Mapping[str, Mapping[str, Any]], online: set[str], words: Any) -> str:
    rows = [
        [
            board if board in online else f"{board} ({words('offline')})",
            told["game"],
            " – ".join(told["seats"]),
            " : ".join(map(str, told["scores"])),
        ]
        for board, told in live.items()
    ]
    head = [words(code) for code in ("board", "game", "players", "score")]
    return f"<h2>{escape(words('live'))}</h2>{_table(head, rows)}" if rows else ""


def _standings(standings: Sequence[Standing], words: Any) -> str:
    head = [words(c) for c in ("rank", "player", "games", "won", "skunks", "points", "net", "plus")]
    rows = [[s.rank, s.name, s.games, s.won, s.skunks, s.points, s.net, s.plus] for s in standings]
    return f"<h2>{escape(words('standings'))}</h2>{_table(head, rows)}"


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
        found.append(f"<h2>{escape(words('round', round=number))}</h2>{_table(head, rows)}")
    return "".join(found)


def _result(meeting: Meeting, words: Any) -> list[object]:
    won = meeting.result
    if won is None:
        return ["", "", ""]
    return [won.winner, won.spread, words("corrected") if won.corrected else ""]


def _season(season: Mapping[str, int], words: Any) -> str:
    """Game points of all evenings, a bar for each player."""
    if not any(season.values()):
        return ""
    most = max(season.values())
    bars = []
    for place, (name, points) in enumerate(
        sorted(season.items(), key=lambda item: (-item[1], item[0]))
    ):
        top = 22 * place
        bars.append(
            f'<text x="0" y="{top + 15}">{escape(name)}</text>'
            f'<rect x="160" y="{top + 3}" width="{points / most * 400:.1f}" height="16"/>'
            f'<text x="{165 + points / most * 400:.1f}" y="{top + 15}">{points}</text>'
        )
    title = escape(words("season"))
    return (
        f'<h2>{title}</h2><svg role="img" aria-label="{title}" '
        f'viewBox="0 0 600 {22 * len(season)}">{"".join(bars)}</svg>'
    )
