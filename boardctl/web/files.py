"""The page's static files, read once and served from memory.

Only known names are served, so a requested path never reaches the file system.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container
from hashlib import sha256
from importlib import resources
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
_KEPT: Final = {"font/woff2": "max-age=604800"}
"""How long browsers keep what does not change from version to version; the rest is revalidated each
time, and is mostly answered with 304."""


def routes(only: Container[str] | None = None) -> list[Route]:
    """Return a route for every file in `static/`, or for the files with these names; `index.html`
    is `/`."""
    found = []
    for file in resources.files("boardctl.web").joinpath("static").iterdir():
        kind = _TYPES.get(file.name.rpartition(".")[2])
        if kind is not None and (only is None or file.name in only):
            path = "/" if file.name == "index.html" else f"/{file.name}"
            found.append(Route(path, _serve(file.read_bytes(), kind), include_in_schema=False))
    return found


def _serve(content: bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    headers = {"etag": tag, "cache-control": _KEPT.get(kind, "no-cache")}

    async def endpoint(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return endpoint
