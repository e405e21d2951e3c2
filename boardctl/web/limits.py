"""Protection against denial of service: limits on connections, slow requests and unread output.

`Gate` counts a server's connections. If there are too many, the connection that has been idle
longest is closed, so that idle connections cannot block new requests.

uvicorn's own options limit the time between two requests and the sizes of a request's head and of a
message (`serve`). They cannot limit connections by address, the time taken to send a head or body
or to read output, or the pace of a WebSocket. `limit_concurrency` would refuse the newest
connection instead of closing the one that has been idle longest. For these limits, `http` and
`socket` return subclasses of uvicorn's protocols (`http=`, `ws=`) that observe the callbacks of
`asyncio.Protocol` and its `shutdown`.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from boardctl.web import is_loopback
from boardctl.web.guard import Allowance
from boardctl.web.pairing import network

_log: Final = logging.getLogger(__name__)

CONNECTIONS: Final = 128
"""The maximum number of open connections."""
EACH: Final = 32
"""The maximum number of open connections per address, or per 64-bit IPv6 network. This machine is
exempt, because a proxy on it opens all connections."""
HEADER: Final = 10.0
"""The maximum seconds in which a whole request must arrive, measured from its first byte or from
the connection."""
HEAD: Final = 16384
"""The maximum size of a request's head in bytes."""
BODY: Final = 10.0
"""The maximum seconds without progress while a request's body arrives."""
SLOWEST: Final = 16384.0
"""The number of body bytes that extend the time limit by a second. A photo over slow Wi-Fi, which
takes minutes, is accepted; a body that trickles in is not."""
STALLED: Final = 20.0
"""The maximum seconds for which a client may leave output unread."""
UNREAD: Final = 1 << 20
"""The maximum number of output bytes pending for a client that keeps sending, because each ping is
answered."""
PIECE: Final = 1024
"""The number of bytes read from a WebSocket at a time. A key waits at most until these bytes have
been handled."""
PACE: Final = 2048.0
"""The number of bytes per second that a WebSocket may send. Further bytes wait in the network. A
key on the page takes about fifty bytes, so this allows forty keys per second."""
AT_ONCE: Final = 4096.0
"""The number of bytes that a WebSocket may send at once after a rest."""
SPEECHLESS: Final = 1 << 18
"""The number of bytes that a WebSocket may send without a complete message (pings, endless
fragments). A browser's answers to our own pings reach this number in a week."""
GOODBYE: Final = 0.5
"""Seconds for which requests are still answered when the server ends. Judging a game takes
longer."""
REQUESTS: Final = 100.0
"""The number of requests per second answered for one address. Further requests wait."""
REQUESTS_AT_ONCE: Final = 300.0
"""The number of requests answered at once after a rest. A page with its pictures takes about
fifty."""
_ADDRESSES: Final = 512
"""The number of addresses whose requests are remembered."""
_REPORT: Final = 60.0
"""Seconds between two log lines about closed connections."""

_Address = tuple[str, int]


@dataclass(eq=False)
class _Connection:
    """A connection. `since` is the time when it became idle, or None while a request is answered or
    a WebSocket is open. For a WebSocket, `rests` is the time when reading resumes, and `unsaid` is
    the number of bytes received since its last complete message."""

    transport: asyncio.Transport
    address: _Address
    since: float | None
    bytes: Allowance
    rests: float = 0.0
    unsaid: int = 0
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    timers: dict[str, asyncio.TimerHandle] = field(default_factory=dict)

    def after(self, name: str, seconds: float | None) -> None:
        """Close the connection after this many seconds, unless this method is called again before
        then."""
        timer = self.timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self.timers[name] = loop.call_later(seconds, self.transport.abort)

    def sent(self, size: int) -> None:
        """Count bytes received on a WebSocket. Reading may then pause, or the connection be
        closed."""
        self.unsaid += size
        if self.unsaid > SPEECHLESS:
            self.transport.abort()
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        wait = self.bytes.take(size, now)
        if wait > 0:
            self.rests = now + wait
            self.transport.pause_reading()
            old = self.timers.pop("rest", None)
            if old is not None:
                old.cancel()
            self.timers["rest"] = loop.call_later(wait, self.transport.resume_reading)

    def at_its_pace(self, receive: Receive) -> Receive:
        """Return the messages of a WebSocket, but none while reading is paused. uvicorn continues
        reading after each message."""

        async def wrapped() -> Message:
            wait = self.rests - asyncio.get_running_loop().time()
            if wait > 0:
                await asyncio.sleep(wait)
            message = await receive()
            self.unsaid = 0
            return message

        return wrapped

    def while_open(self, send: Send) -> Send:
        """Send to a WebSocket until it is lost. uvicorn notices the loss only in the event loop's
        next iteration. Until then, asyncio would log each message."""

        async def wrapped(message: Message) -> None:
            if self.transport.is_closing():
                raise ClientDisconnected
            await send(message)

        return wrapped


class Gate:
    """The connections of one server."""

    def __init__(self, most: int = CONNECTIONS, each: int = EACH) -> None:
        self._most = most
        self._each = each
        self._open: dict[_Address, _Connection] = {}
        self._closed = 0
        self._reported = float("-inf")
        self._allowances: dict[str, Allowance] = {}
        self._answering: set[asyncio.Task[Any]] = set()
        self._is_ending = False

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, transport: asyncio.Transport) -> None:
        """Register a new connection. An idle connection may be closed to make room."""
        address = _address(transport)
        now = asyncio.get_running_loop().time()
        host = address[0]
        home = network(host)
        mine = [one for one in self._open.values() if network(one.address[0]) == home]
        if not is_loopback(host) and len(mine) >= self._each:
            self._make_room(mine, transport)
        elif len(self._open) >= self._most:
            self._make_room(list(self._open.values()), transport)
        allowance = Allowance(PACE, AT_ONCE, AT_ONCE, now)
        connection = _Connection(transport, address, now, allowance)
        connection.after("header", HEADER)
        self._open[address] = connection

    def _make_room(self, among: list[_Connection], fresh: asyncio.Transport) -> None:
        waiting = [one for one in among if one.since is not None]
        if waiting:
            oldest = min(waiting, key=lambda one: one.since or 0.0)
            oldest.transport.abort()
            self._forget(oldest.address)
        else:
            fresh.abort()
        self._closed += 1
        now = asyncio.get_running_loop().time()
        if now - self._reported >= _REPORT:
            self._reported = now
            _log.warning("The page is full: %d connections were closed", self._closed)

    def leave(self, transport: asyncio.Transport) -> None:
        """Unregister a lost connection."""
        address = _address(transport)
        connection = self._open.get(address)
        if connection is not None and connection.transport is transport:
            self._forget(address)

    def _forget(self, address: _Address) -> None:
        connection = self._open.pop(address)
        connection.gone.set()
        for name in tuple(connection.timers):
            connection.after(name, None)

    def sent(self, transport: asyncio.Transport, size: int) -> None:
        """Count bytes received on a WebSocket."""
        connection = self._open.get(_address(transport))
        if connection is not None:
            connection.sent(size)

    def _turn(self, host: str) -> float:
        """Return the seconds until the next request from an address is answered."""
        now = asyncio.get_running_loop().time()
        allowance = self._allowances.pop(host, None)
        if allowance is None:
            allowance = Allowance(REQUESTS, REQUESTS_AT_ONCE, REQUESTS_AT_ONCE, now)
        while len(self._allowances) >= _ADDRESSES:
            del self._allowances[next(iter(self._allowances))]
        self._allowances[host] = allowance
        return allowance.take(1, now)

    def stalled(self, transport: asyncio.Transport, is_full: bool) -> None:
        """Record that a client has stopped or resumed reading."""
        connection = self._open.get(_address(transport))
        if connection is not None:
            connection.after("stalled", STALLED if is_full else None)

    async def end(self) -> None:
        """Wait briefly for requests that are being answered, then drop the others."""
        self._is_ending = True
        if self._answering:
            _, late = await asyncio.wait(self._answering, timeout=GOODBYE)
            for task in late:
                task.cancel()

    def watch(self, app: ASGIApp) -> ASGIApp:
        """Wrap an app so that the gate sees when a request has arrived and when it is answered."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._open.get(tuple(scope.get("client") or ("", 0)))
            if connection is None:
                await app(scope, receive, send)
                return
            task = asyncio.current_task()
            if task is None or scope["type"] != "http":
                await answered(connection, scope, receive, send)
                return
            self._answering.add(task)
            try:
                await answered(connection, scope, receive, send)
            except asyncio.CancelledError:
                if not self._is_ending:
                    raise
                # Otherwise uvicorn would log a traceback, unless the client has disconnected.
                connection.transport.abort()
                await connection.gone.wait()
            finally:
                self._answering.discard(task)

        async def answered(
            connection: _Connection, scope: Scope, receive: Receive, send: Send
        ) -> None:
            connection.after("header", None)
            wait = self._turn(network(connection.address[0]))
            if wait > 0:  # this connection counts as waiting, and may have to make room
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await connection.gone.wait()
                if connection.gone.is_set():
                    return
            connection.since = None
            limited = patient(receive)
            if scope["type"] == "websocket":
                limited, send = connection.at_its_pace(receive), connection.while_open(send)
            try:
                await app(scope, limited, send)
            except (RuntimeError, WebSocketDisconnect):
                # The error of a message to a WebSocket that was lost meanwhile.
                if not connection.transport.is_closing():
                    raise
            finally:
                if connection.address in self._open:
                    connection.since = asyncio.get_running_loop().time()
                    connection.after("header", HEADER)

        return watched


def patient(receive: Receive) -> Receive:
    """Receive a request's body as long as it makes progress. A stalled client counts as
    disconnected. Only time spent waiting for the client is counted."""
    loop = asyncio.get_running_loop()
    left = BODY
    whole = False

    async def wrapped() -> Message:
        nonlocal left, whole
        if whole:
            return await receive()
        began = loop.time()
        try:
            async with asyncio.timeout(left):
                message = await receive()
        except TimeoutError:
            whole = True
            return {"type": "http.disconnect"}
        earned = len(message.get("body", b"")) / SLOWEST
        left = min(BODY, left - (loop.time() - began) + earned)
        whole = not message.get("more_body", False)
        return message

    return wrapped


class OncePerMinute(logging.Filter):
    """A log filter that limits uvicorn's messages about malformed requests to one line per
    minute."""

    _SAID: Final = (
        "Invalid HTTP request received.",
        "Invalid UTF-8 sequence received from client.",
    )

    def __init__(self) -> None:
        super().__init__()
        self._next = dict.fromkeys(self._SAID, 0.0)

    def filter(self, record: logging.LogRecord) -> bool:
        due = self._next.get(str(record.msg))
        if due is None:
            return True
        record.exc_info = None
        if record.created < due:
            return False
        self._next[str(record.msg)] = record.created + _REPORT
        return True


MALFORMED: Final = OncePerMinute()


def http(gate: Gate) -> type[asyncio.Protocol]:
    """Return uvicorn's protocol for HTTP requests, behind a gate."""

    class Http(_guarded(H11Protocol, gate)):  # type: ignore[misc]  # the base class is chosen at run time
        def connection_made(self, transport: asyncio.Transport) -> None:
            gate.enter(transport)
            super().connection_made(transport)

    return Http


def socket(gate: Gate) -> type[asyncio.Protocol]:
    """Return uvicorn's protocol for WebSockets behind a gate. It takes over a connection from
    `http`."""

    class Socket(_guarded(AutoWebSocketsProtocol, gate), asyncio.BufferedProtocol):  # type: ignore[misc]  # as above
        """A WebSocket protocol that sets its own read size."""

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self._piece = memoryview(bytearray(PIECE))
            super().connection_made(transport)

        def get_buffer(self, sizehint: int) -> memoryview:
            return self._piece

        def buffer_updated(self, nbytes: int) -> None:
            gate.sent(self._limited, nbytes)
            self.data_received(bytes(self._piece[:nbytes]))

    return Socket


def _guarded(base: Any, gate: Gate) -> type[Any]:
    class Guarded(base):  # type: ignore[misc]  # the caller chooses the base class
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
            # uvicorn would send a close frame to a client that has already sent one, which raises.
            if not self._limited.is_closing():
                super().shutdown()

        def connection_lost(self, exc: Exception | None) -> None:
            gate.leave(self._limited)
            super().connection_lost(exc)

    return Guarded


def _address(transport: asyncio.Transport) -> _Address:
    """Return the peer's address, in the form of the `client` in uvicorn's requests."""
    found = transport.get_extra_info("peername")
    if isinstance(found, tuple) and len(found) >= 2:
        return str(found[0]), int(found[1])
    return "", id(transport)
