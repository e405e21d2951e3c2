"""What one stranger may cost: how many connections, how long half a request, how much unread.

`Gate` counts the connections of one server. Where there are too many, the one that has waited
longest for a request of its own is closed: who asks comes in, who only holds places does not keep
them. uvicorn takes its protocols as classes (`http=`, `ws=`); `http` and `socket` give it its own
ones, with the callbacks of `asyncio.Protocol` watched and none of its inner parts touched.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

_log: Final = logging.getLogger(__name__)

CONNECTIONS: Final = 128
"""Connections that may be open at once."""
EACH: Final = 32
"""Of these, from one address. Those from this machine are not counted so: a proxy here has them
all."""
HEADER: Final = 10.0
"""Seconds for a whole request to arrive, from the first of its bytes or of its connection."""
BODY: Final = 10.0
"""Seconds for the body of a request to arrive."""
STALLED: Final = 20.0
"""Seconds that a client may leave what it is sent unread."""
UNREAD: Final = 1 << 20
"""Bytes that may wait for a client that goes on sending (pings: each is answered)."""
_REPORT: Final = 60.0
"""Seconds between two lines of the log about closed connections."""

_Address = tuple[str, int]


@dataclass(eq=False)
class _Connection:
    """One connection; `since` is when it began to wait for a request, None while one is answered
    or a WebSocket is open."""

    transport: asyncio.Transport
    address: _Address
    since: float | None
    timers: dict[str, asyncio.TimerHandle] = field(default_factory=dict)

    def after(self, name: str, seconds: float | None) -> None:
        """Close it after so many seconds, unless this is called again before."""
        timer = self.timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self.timers[name] = loop.call_later(seconds, self.transport.abort)


class Gate:
    """The connections of one server."""

    def __init__(self, most: int = CONNECTIONS, each: int = EACH) -> None:
        self._most = most
        self._each = each
        self._open: dict[_Address, _Connection] = {}
        self._closed = 0
        self._reported = 0.0

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, transport: asyncio.Transport) -> None:
        """A connection was made; one that holds a place for nothing may have to go for it."""
        address = _address(transport)
        now = asyncio.get_running_loop().time()
        host = address[0]
        mine = [one for one in self._open.values() if one.address[0] == host]
        if not _here(host) and len(mine) >= self._each:
            self._make_room(mine, transport)
        elif len(self._open) >= self._most:
            self._make_room(list(self._open.values()), transport)
        connection = _Connection(transport, address, now)
        connection.after("header", HEADER)
        self._open[address] = connection

    def _make_room(self, among: list[_Connection], fresh: asyncio.Transport) -> None:
        waiting = [one for one in among if one.since is not None]
        if waiting:
            oldest = min(waiting, key=lambda one: one.since or 0.0)
            self._forget(oldest.address)
            oldest.transport.abort()
        else:
            fresh.abort()
        self._closed += 1
        now = asyncio.get_running_loop().time()
        if now - self._reported >= _REPORT:
            self._reported = now
            _log.warning("The page is full: %d connections were closed", self._closed)

    def leave(self, transport: asyncio.Transport) -> None:
        """A connection was lost."""
        address = _address(transport)
        connection = self._open.get(address)
        if connection is not None and connection.transport is transport:
            self._forget(address)

    def _forget(self, address: _Address) -> None:
        connection = self._open.pop(address)
        for name in tuple(connection.timers):
            connection.after(name, None)

    def stalled(self, transport: asyncio.Transport, is_full: bool) -> None:
        """A client does not read, or reads again."""
        connection = self._open.get(_address(transport))
        if connection is not None:
            connection.after("stalled", STALLED if is_full else None)

    def watch(self, app: ASGIApp) -> ASGIApp:
        """The same app; the gate sees when a request has come and when it is answered."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._open.get(tuple(scope.get("client") or ("", 0)))
            if connection is None:
                await app(scope, receive, send)
                return
            connection.since = None
            connection.after("header", None)
            try:
                await app(scope, _patient(receive) if scope["type"] == "http" else receive, send)
            except RuntimeError:
                # uvicorn says so of a message to a WebSocket that was lost meanwhile.
                if not connection.transport.is_closing():
                    raise
            finally:
                if connection.address in self._open:
                    connection.since = asyncio.get_running_loop().time()
                    connection.after("header", HEADER)

        return watched


def _patient(receive: Receive) -> Receive:
    """The body of a request, for so long; then the client counts as gone."""
    loop = asyncio.get_running_loop()
    end = loop.time() + BODY
    whole = False

    async def wrapped() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            whole = True
            return {"type": "http.disconnect"}
        whole = not message.get("more_body", False)
        return message

    return wrapped


def http(gate: Gate) -> type[asyncio.Protocol]:
    """uvicorn's protocol for requests, behind a gate."""

    class Http(_guarded(H11Protocol, gate)):  # type: ignore[misc]  # a class made here has no static base
        def connection_made(self, transport: asyncio.Transport) -> None:
            gate.enter(transport)
            super().connection_made(transport)

    return Http


def socket(gate: Gate) -> type[asyncio.Protocol]:
    """uvicorn's protocol for WebSockets, behind a gate: it takes over a connection of `http`."""
    return _guarded(AutoWebSocketsProtocol, gate)


def _guarded(base: Any, gate: Gate) -> type[Any]:
    class Guarded(base):  # type: ignore[misc]  # which of uvicorn's classes is said by the caller
        _limited: asyncio.Transport

        def connection_made(self, transport: asyncio.Transport) -> None:
            self._limited = transport
            super().connection_made(transport)

        def data_received(self, data: bytes) -> None:
            if self._limited.get_write_buffer_size() > UNREAD:
                self._limited.abort()
                return
            super().data_received(data)

        def pause_writing(self) -> None:
            gate.stalled(self._limited, True)
            super().pause_writing()

        def resume_writing(self) -> None:
            gate.stalled(self._limited, False)
            super().resume_writing()

        def shutdown(self) -> None:
            # uvicorn would say goodbye to a client that has said it already, which raises.
            if not self._limited.is_closing():
                super().shutdown()

        def connection_lost(self, exc: Exception | None) -> None:
            gate.leave(self._limited)
            super().connection_lost(exc)

    return Guarded


def _address(transport: asyncio.Transport) -> _Address:
    """The other end, as uvicorn names it in a request's `client`."""
    found = transport.get_extra_info("peername")
    if isinstance(found, tuple) and len(found) >= 2:
        return str(found[0]), int(found[1])
    return "", id(transport)


def _here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
