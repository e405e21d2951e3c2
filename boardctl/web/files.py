"""The page's own files, read once and served from memory.

Only names that are in the package can be asked for, so no path ever reaches the disk.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


def routes() -> list[Route]:
    """A route for every file in `static/`; `index.html` is `/`."""
    found = []
    for file in resources.files("boardctl.web").joinpath("static").iterdir():
        kind = _TYPES.get(file.name.rpartition(".")[2])
        if kind is not None:
            path = "/" if file.name == "index.html" else f"/{file.name}"
            found.append(Route(path, _serve(file.read_bytes(), kind)))
    return found


def _serve(content: bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    """A browser asks again each time and is mostly told that nothing has changed."""
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}

    async def endpoint(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return endpoint
