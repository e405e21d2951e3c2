"""The page's static files, read once and served from memory.

Each file has two addresses. At its plain address, such as `/main.js`, browsers ask each time
whether the file has changed. At `/kept-VERSION/main.js`, browsers keep the file. VERSION is a hash
of all files. The HTML pages refer to scripts, styles and fonts by the versioned address. The
scripts import one another by relative addresses, so browsers keep the imported scripts too.

A release contains a folder `static/bundle` with one script and one style sheet for each page
(`python -m tools.bundle`). If the folder exists, the pages refer to these bundles instead.

Only known names are served, so a requested path is never used to open a file.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Awaitable, Callable, Container, Iterator
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from importlib import resources
from typing import Any, Final, NamedTuple

from starlette.exceptions import HTTPException
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
_PACKED: Final = frozenset({"html", "css", "js", "json", "svg"})
"""The kinds of files that gzip makes smaller."""
_KEPT: Final = {"font/woff2": "max-age=604800"}
"""The time for which browsers keep a file under its own name. Other files are revalidated each
time."""
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
_REFERENCE: Final = re.compile(r'(?<=[" ])(href|src)="([\w-]+\.(?:js|css|woff2|svg))"')
_SCRIPT: Final = re.compile(r'<script type="module" src="([\w-]+)\.js"></script>')
_STYLE: Final = re.compile(r' *<link rel="stylesheet" href="[\w-]+\.css">\n')
BUNDLE: Final = "bundle"
"""The folder of a release's bundles."""


class _File(NamedTuple):
    """A static file: its name below `static/`, and its content."""

    name: str
    content: bytes

    @property
    def kind(self) -> str:
        return self.name.rpartition(".")[2]


def _read() -> Iterator[_File]:
    for folder in ("", BUNDLE):
        place = resources.files("boardctl.web").joinpath("static", folder)
        if not place.is_dir():
            continue
        for file in sorted(place.iterdir(), key=lambda one: one.name):
            if file.is_file() and file.name.rpartition(".")[2] in _TYPES:
                yield _File(f"{folder}/{file.name}".lstrip("/"), file.read_bytes())


def routes(only: Container[str] | None = None) -> list[Route]:
    """Return a route for every file in `static/`, or for the files with these names.

    `index.html` is served as `/`. With `only`, the files have no second address.
    """
    files = list(_read())
    if only is not None:
        return [_route(f"/{file.name}", file) for file in files if file.name in only]
    version = sha256(b"".join(file.name.encode() + file.content for file in files)).hexdigest()[:12]
    names = {file.name for file in files}
    found = []
    for file in files:
        shown = file
        if file.kind == "html":
            shown = file._replace(content=_cacheable(file, version, names))
        found.append(_route("/" if file.name == "index.html" else f"/{file.name}", shown))
    kept = {file.name: _serve(file, _FOR_GOOD) for file in files if file.kind != "html"}

    async def keep(request: Request) -> Response:
        serve = kept.get(request.path_params["name"])
        if serve is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return await serve(request)

    found.append(Route(f"/kept-{version}/{{name:path}}", keep, include_in_schema=False))
    return found


def _cacheable(page: _File, version: str, names: Container[str]) -> bytes:
    """Return a page whose scripts, styles and fonts have cacheable addresses."""
    text = page.content.decode()
    script = _SCRIPT.search(text)
    bundle = f"{BUNDLE}/{script[1]}" if script else ""
    if script and f"{bundle}.js" in names and f"{bundle}.css" in names:
        text = _STYLE.sub("", text)
        text = text.replace(
            script[0],
            f'<link rel="stylesheet" href="kept-{version}/{bundle}.css">\n'
            f'  <script type="module" src="kept-{version}/{bundle}.js"></script>',
        )
    return _REFERENCE.sub(rf'\1="kept-{version}/\2"', text).encode()


def _route(path: str, file: _File) -> Route:
    return Route(path, _serve(file), include_in_schema=False)


def _serve(file: _File, kept: str = "") -> Callable[[Request], Awaitable[Response]]:
    kind = _TYPES[file.kind]
    control = kept or _KEPT.get(kind, "no-cache")
    packs = file.kind in _PACKED

    async def endpoint(request: Request) -> Response:
        return answer(request, file.content, kind, control, packs=packs)

    return endpoint


def answer(
    request: Request, content: bytes, kind: str, control: str = "no-cache", *, packs: bool = True
) -> Response:
    """Return content, or 304 if the browser already has it.

    Args:
        request: the browser's request.
        content: the whole content.
        kind: the media type.
        control: the value of the `cache-control` header.
        packs: whether gzip makes the content smaller.
    """
    packed = packs and "gzip" in request.headers.get("accept-encoding", "")
    tag = f'"{sha256(content).hexdigest()[:20]}{"-gzip" if packed else ""}"'
    headers = {"etag": tag, "cache-control": control}
    if packs:
        headers["vary"] = "accept-encoding"
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if packed:
        headers["content-encoding"] = "gzip"
        content = _gzipped(content)
    return Response(content, media_type=kind, headers=headers)


@lru_cache(maxsize=256)
def _gzipped(content: bytes) -> bytes:
    return gzip.compress(content, 6, mtime=0)


def as_json(request: Request, content: Any) -> Response:
    """Return JSON that seldom changes, or 304 if the browser already has it."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return answer(request, data, "application/json")
