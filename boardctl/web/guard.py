"""Security headers, and checks of a request's host, origin, body and rate.

* `Host` must be one of our names. Otherwise a foreign page could reach the board by pointing its
own name at this machine (DNS rebinding). A literal address cannot be rebound, so addresses are
accepted if the page is available on the network.
* `Origin` must be exactly the page's own origin for every WebSocket and every request that could
change data. Browsers do not prevent other sites from opening WebSockets, but this check does.
* Forwarding headers are not trusted and never read.
* A JSON body is read within limits (`read_body`). A bad body is refused with one sentence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.convertors import Convertor, register_url_convertor
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from boardctl import text
from boardctl.games import IllegalMove
from boardctl.message import Message
from boardctl.web import Options, is_address

_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})
_HARMLESS: Final = frozenset({"GET", "HEAD"})

_FIXED_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), geolocation=(), microphone=()",
}


def policy(origin: str) -> str:
    """Return the Content-Security-Policy, which allows only our own files, no inline script or
    style, and no text that becomes markup. The WebSocket is listed because older versions of Safari
    do not include it in `'self'`."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "font-src 'self'",
            "img-src 'self'",
            f"connect-src 'self' {origin.replace('http', 'ws', 1)}".rstrip(),
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


class Number(Convertor[int]):
    """A number in an address, `{name:number}`, that is small enough for a database. Addresses with
    larger numbers are not found."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


NUMBER: Final = "number"
register_url_convertor(NUMBER, Number())


def language(connection: HTTPConnection) -> str:
    """Return the language requested in the address, or else the browser's language, or else the
    table's."""
    asked = [connection.query_params.get("lang", "")]
    asked += connection.headers.get("accept-language", "").split(",")
    for choice in asked:
        wanted = choice.partition(";")[0].partition("-")[0].strip().lower()
        if wanted in text.LANGUAGES:
            return wanted
    app = connection.scope.get("app")
    tables: str = getattr(app.state, "language", lambda: "en")() if app is not None else "en"
    return tables


def refuse(
    connection: HTTPConnection, status: HTTPStatus, code: str, why: str = "", **fields: Any
) -> Response:
    """Return an error response with one sentence: `{"error": {"code": …, "message": …}}`.

    Args:
        why: the code of the sentence, if it differs from the answer's code.
        fields: the fields of the sentence.
    """
    message = text.say(Message("error", why or code, fields), text.Reader(language(connection)))
    return JSONResponse({"error": {"code": code, "message": message}}, status)


def rejection(code: str, message: str, **more: Any) -> Response:
    """Return the response for a rejection by the table or the board, which is not an HTTP error:
    `{"refused": {"code": …, "message": …}}`.

    Args:
        code: the code of the rejection.
        message: the sentence, in the language of the request.
        more: additional data for the page, such as the number to type at the board.
    """
    return JSONResponse({"refused": {"code": code, "message": message, **more}})


def refused_move(request: HTTPConnection, error: IllegalMove) -> Response:
    """Return the response for a rejected move, in the language of the request."""
    return rejection(error.code, text.refusal(error, text.Reader(language(request))))


class Guard:
    """ASGI middleware around the whole page."""

    def __init__(self, app: ASGIApp, options: Options) -> None:
        self._app = app
        self._options = options
        names = options.names
        self._names = frozenset(name for name in names if "://" not in name)
        self._proxied = {urlsplit(name).netloc: name for name in names if "://" in name}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = self._origin(headers, scope)
        if origin is None:
            answer = refuse(HTTPConnection(scope), HTTPStatus.MISDIRECTED_REQUEST, "wrong-host")
        elif self._needs_origin(scope) and headers.getlist("origin") != [origin]:
            answer = refuse(HTTPConnection(scope), HTTPStatus.FORBIDDEN, "wrong-origin")
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        else:
            await self._app(scope, receive, _with_headers(send, origin))
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await answer(scope, receive, _with_headers(send, origin or ""))

    def _origin(self, headers: Headers, scope: Scope) -> str | None:
        """Return the origin given by the Host header, if there is exactly one and it is one of our
        names."""
        hosts = headers.getlist("host")
        server = scope.get("server")
        if len(hosts) != 1 or server is None:
            return None
        host = hosts[0].lower()
        if host in self._proxied:
            return self._proxied[host]
        name, port = _split(host)
        allowed = name in _LOCAL or name in self._names
        if not allowed and not self._options.private:
            allowed = is_address(name.removeprefix("[").removesuffix("]"))
        if port == server[1] and allowed:
            return f"http://{host}"
        return None

    @staticmethod
    def _needs_origin(scope: Scope) -> bool:
        return scope["type"] == "websocket" or scope["method"] not in _HARMLESS


def _split(host: str) -> tuple[str, int | None]:
    """Split a host and a port: `[::1]:8121` -> `[::1]`, 8121. The default port is 80, the port of
    plain HTTP."""
    name, colon, port = host.rpartition(":")
    if not colon or name.startswith("[") != name.endswith("]"):
        return host, 80
    return name, int(port) if port.isascii() and port.isdigit() and len(port) <= 5 else None


def _with_headers(send: Send, origin: str) -> Send:
    async def wrapped(message: Event) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(_FIXED_HEADERS)
            headers["content-security-policy"] = policy(origin)
        await send(message)

    return wrapped


def address(connection: HTTPConnection) -> str:
    """Return a client's address from its connection, without using headers."""
    return "" if connection.client is None else connection.client.host


BODY: Final = 2048
"""The maximum size of a request body in bytes: ten times the longest line."""


class Refused(Exception):
    """The error for a refused request, with one sentence and its fields."""

    def __init__(self, status: HTTPStatus, code: str, **fields: Any) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.fields = fields


async def read_body(
    request: Request, shape: dict[str, type], more: Mapping[str, type] = MappingProxyType({})
) -> dict[str, Any]:
    """Read a request's JSON object. It must have the fields in `shape`, and may have those in
    `more`, but no others. Raises Refused if the body is invalid."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-json")
    data = bytearray()
    try:
        async for piece in request.stream():
            data += piece
            if len(data) > BODY:
                raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", most=BODY)
    except ClientDisconnect:
        raise Refused(HTTPStatus.BAD_REQUEST, "cut-short") from None
    try:
        body = json.loads(data)
        # A lone surrogate is valid in JSON, but no answer could repeat it.
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        body = None
    both = {**shape, **more}
    fits = isinstance(body, dict) and shape.keys() <= body.keys() <= both.keys()
    # type(…) is, not isinstance: a bool is an int in Python but not in JSON.
    if not fits or not all(type(value) is both[name] for name, value in body.items()):
        wanted = ", ".join(f"{name} ({_JSON[kind]})" for name, kind in both.items())
        raise Refused(HTTPStatus.BAD_REQUEST, "wrong-shape", wanted=wanted)
    result: dict[str, Any] = body
    return result


_JSON: Final = {
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    list: "a list",
    dict: "an object",
}


@dataclass(eq=False)
class Allowance:
    """An allowance with a rate per second, and a burst after a rest."""

    pace: float
    most: float
    remaining: float
    at: float

    def take(self, much: float, now: float) -> float:
        """Take an amount, and return the seconds to wait before more may be taken."""
        self.remaining = min(self.most, self.remaining + (now - self.at) * self.pace) - much
        self.at = now
        return max(0.0, -self.remaining / self.pace)
