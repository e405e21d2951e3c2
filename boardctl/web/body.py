"""The JSON body of a request, read within limits. A bad body is refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request

BODY: Final = 2048
"""Maximum request body in bytes, ten times the longest line."""


class Refused(Exception):
    """A request refused with an error of one sentence and its fields."""

    def __init__(self, status: HTTPStatus, code: str, **fields: Any) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.fields = fields


async def read_body(
    request: Request, shape: dict[str, type], more: Mapping[str, type] = MappingProxyType({})
) -> dict[str, Any]:
    """Read the JSON object of a request, with the fields of `shape`, optionally those of `more`,
    and no others. Raises Refused."""
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
