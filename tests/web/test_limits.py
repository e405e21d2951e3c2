"""Clients that hold connections, send partial requests or never read the answer."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from boardctl.web import Options, limits
from boardctl.web.serve import serve_app

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello " + (await request.body()).decode())


async def _talk(socket: WebSocket) -> None:
    await socket.accept()
    with suppress(WebSocketDisconnect):
        while True:
            await socket.receive_text()


@asynccontextmanager
async def serving() -> AsyncIterator[int]:
    app = Starlette(
        routes=[Route("/", _hello, methods=["GET", "POST"]), WebSocketRoute("/ws", _talk)]
    )
    async with serve_app(app, Options(port=0)) as url:
        yield int(url.rpartition(":")[2])


async def ask(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    try:
        return await reader.read()
    finally:
        writer.close()


class Taken:
    """Counts the bytes that servers read from WebSockets; `rested` is set when one stops
    reading."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bytes = 0
        self.rested = asyncio.Event()
        sent = limits._Connection.sent

        def counted(connection: limits._Connection, size: int) -> None:
            self.bytes += size
            sent(connection, size)
            if connection.rests:
                self.rested.set()

        monkeypatch.setattr(limits._Connection, "sent", counted)


def run(test: Any) -> None:
    async def whole() -> None:
        async with serving() as port:
            await test(port)

    asyncio.run(whole())


@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Le"])
def test_connections_that_only_hold_places_keep_nobody_out(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(port: int) -> None:
        held: list[Connection] = []
        for _ in range(2 * limits.CONNECTIONS):
            held.append(await asyncio.open_connection("127.0.0.1", port))
            held[-1][1].write(sent)
        assert b"200 OK" in await ask(port)
        gone = 0
        for reader, writer in held:
            with suppress(TimeoutError, ConnectionError):
                async with asyncio.timeout(0.01):
                    gone += await reader.read(1) == b""
            writer.close()
        assert gone >= limits.CONNECTIONS - 2, "the oldest make room"

    run(test)
    assert len(caplog.records) == 1, "said once, however many there are"


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("HEADER", b"GET / HTTP/1.1\r\nHost: x\r\n"),
        ("HEADER", b""),
        ("BODY", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"),
    ],
)
def test_half_a_request_does_not_stay(
    name: str, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, name, 0.2)

    async def test(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        async with asyncio.timeout(60):
            with suppress(ConnectionError):
                await reader.read()
        writer.close()

    run(test)


UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PING = b"\x89\xfd\0\0\0\0" + bytes(125)
FRAGMENT = b"\x00\x80\0\0\0\0"
"""An empty fragment of a message that never ends."""


@pytest.mark.parametrize(("lasting", "sent"), [("UNREAD", PING), ("SPEECHLESS", FRAGMENT)])
def test_a_flood_that_says_nothing_ends(
    lasting: str, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These are pings whose answers are not read, and a message of endless fragments."""
    monkeypatch.setattr(limits, "PACE", 1e12)
    for bound in {"UNREAD", "SPEECHLESS"} - {lasting}:
        monkeypatch.setattr(limits, bound, 1 << 40)

    async def test(port: int) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
        writer.write(UPGRADE + b"\x01\x80\0\0\0\0" * (sent is FRAGMENT))
        received = 0
        async with asyncio.timeout(60):
            with pytest.raises(ConnectionError):
                while True:
                    writer.write(sent * 500)
                    await writer.drain()
                    received += 500 * len(sent)
        assert received < 64 << 20
        assert b"200 OK" in await ask(port)

    run(test)


def test_a_flood_of_pings_is_read_at_a_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much a client sends, only valid messages are handled; the rest stays unread."""
    monkeypatch.setattr(limits, "PACE", 1e-6)
    taken = Taken(monkeypatch)

    async def test(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(PING * 2000)
        await taken.rested.wait()
        for _ in range(20):
            assert b"200 OK" in await ask(port)
        assert limits.AT_ONCE < taken.bytes <= limits.AT_ONCE + limits.PIECE
        answered = len(await reader.read(1 << 16))
        assert 0 < answered <= taken.bytes
        writer.transport.abort()

    run(test)


@pytest.mark.slow
def test_messages_wait_for_their_turn_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """uvicorn continues to read after every accepted message; a resting socket gets none."""
    monkeypatch.setattr(limits, "PACE", 1e-6)
    taken = Taken(monkeypatch)
    heard: list[str] = []

    async def listen(socket: WebSocket) -> None:
        await socket.accept()
        with suppress(WebSocketDisconnect):
            while True:
                heard.append(await socket.receive_text())

    async def whole() -> None:
        app = Starlette(routes=[WebSocketRoute("/ws", listen)])
        async with serve_app(app, Options(port=0)) as url:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(UPGRADE)
            await reader.readuntil(b"\r\n\r\n")
            writer.write((b"\x81\xb2\0\0\0\0" + b"k" * 50) * 2000)
            await taken.rested.wait()
            for _ in range(20):
                await ask(int(url.rpartition(":")[2]))
            writer.transport.abort()

    asyncio.run(whole())
    assert 1 <= len(heard) <= (limits.AT_ONCE + limits.PIECE) / 56


def test_requests_of_one_address_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests from one address are rate-limited, and others are answered at once."""
    monkeypatch.setattr(limits, "REQUESTS_AT_ONCE", 5.0)
    monkeypatch.setattr(limits, "REQUESTS", 1e-6)
    waits: list[float] = []
    turn = limits.Gate._turn

    def turned(gate: limits.Gate, host: str) -> float:
        waits.append(turn(gate, host))
        return waits[-1]

    monkeypatch.setattr(limits.Gate, "_turn", turned)

    async def test(port: int) -> None:
        answers = [await ask(port) for _ in range(5)]
        assert all(b"200 OK" in answer for answer in answers)
        waiting = asyncio.create_task(ask(port))
        async with asyncio.timeout(60):
            while not any(wait > 60 for wait in waits):
                await asyncio.sleep(0)
        monkeypatch.setattr(limits, "network", lambda host: "another")
        assert b"200 OK" in await ask(port)
        assert not waiting.done()
        waiting.cancel()

    run(test)


def test_who_does_not_read_an_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STALLED", 0.01)
    monkeypatch.setattr(limits, "HEADER", 1e6)
    let_go = asyncio.Event()
    forget = limits.Gate._forget

    def forgotten(gate: limits.Gate, address: tuple[str, int]) -> None:
        forget(gate, address)
        let_go.set()

    monkeypatch.setattr(limits.Gate, "_forget", forgotten)

    async def big(request: Request) -> PlainTextResponse:
        return PlainTextResponse("x" * (32 << 20))

    async def whole() -> None:
        app = Starlette(routes=[Route("/", big)])
        async with serve_app(app, Options(port=0)) as url:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            async with asyncio.timeout(60):
                await let_go.wait()
                with suppress(ConnectionError):
                    while await reader.read(1 << 16):
                        pass
            writer.close()

    asyncio.run(whole())


def test_malformed_requests_and_messages_are_logged_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits.MALFORMED, "_next", dict.fromkeys(limits.OncePerMinute._SAID, 0.0))

    async def test(port: int) -> None:
        for sent in [b"\0\1\r\n\r\n", UPGRADE + b""] * 20:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            if sent.startswith(b"GET"):
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"\x81\x82\0\0\0\0\xff\xfe")
            with suppress(ConnectionError):
                await reader.read()
            writer.close()

    run(test)
    said = [record for record in caplog.records if record.name == "uvicorn.error"]
    assert sorted(record.getMessage() for record in said) == sorted(limits.OncePerMinute._SAID)
    assert not any(record.exc_info for record in said), "no traceback for what a stranger does"


@pytest.mark.parametrize("accepted", [True, False])
def test_a_client_that_is_torn_away_leaves_nothing_in_the_log(
    accepted: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """The client disconnects while the server sends one message after another, or before it
    accepts."""
    told = asyncio.Event()

    async def whole() -> None:
        async def tell(websocket: WebSocket) -> None:
            try:
                if accepted:
                    await websocket.accept()
                client.close()
                if not accepted:
                    for _ in range(9):  # until the server notices
                        await asyncio.sleep(0)
                    await websocket.accept()
                for _ in range(9):
                    await websocket.send_text("said")
            finally:
                told.set()

        app = Starlette(routes=[WebSocketRoute("/ws", tell)])
        async with serve_app(app, Options(port=0)) as url:
            client = socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])))
            reset = struct.pack("ii", 1, 0)  # closing sends this message
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            client.sendall(UPGRADE)
            async with asyncio.timeout(60):
                await told.wait()

    asyncio.run(whole())
    assert caplog.messages == []


def test_from_one_address_come_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "is_loopback", lambda host: False)

    async def test(port: int) -> None:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2 * limits.EACH)]
        assert b"200 OK" in await ask(port)
        for _, writer in held:
            writer.close()

    run(test)


def test_the_server_stops_while_a_client_says_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client's close frame and the end of the server arrive in the same turn of the loop."""
    protocol: Any = AutoWebSocketsProtocol
    sockets: list[Any] = []
    connection_made = protocol.connection_made

    def connected(self: Any, transport: asyncio.Transport) -> None:
        sockets.append(self)
        connection_made(self, transport)

    monkeypatch.setattr(protocol, "connection_made", connected)

    async def whole() -> None:
        app = Starlette(routes=[WebSocketRoute("/ws", _talk)])
        async with serve_app(app, Options(port=0)) as url:
            port = int(url.rpartition(":")[2])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            )
            assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
            (client,) = sockets
            client.data_received(b"\x88\x82" + bytes(4) + (1000).to_bytes(2, "big"))
            client.shutdown()
            assert await reader.read() == b"\x88\x02" + (1000).to_bytes(2, "big")
            writer.close()

    asyncio.run(whole())


def test_a_request_that_takes_long_is_given_up_at_the_end(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a user ends a board while a page waits for a judgement, there is no traceback."""
    monkeypatch.setattr(limits, "GOODBYE", 0.01)
    begun = asyncio.Event()

    async def long(request: Request) -> PlainTextResponse:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def whole() -> None:
        app = Starlette(routes=[Route("/", long)])
        async with serve_app(app, Options(port=0)) as url:
            asking = asyncio.create_task(ask(int(url.rpartition(":")[2])))
            await begun.wait()
        with suppress(ConnectionError):
            assert await asking == b""

    asyncio.run(whole())
    assert caplog.records == []


def test_a_request_that_is_nearly_done_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def short(request: Request) -> PlainTextResponse:
        begun.set()
        await may_end.wait()
        return PlainTextResponse("done")

    async def whole() -> None:
        app = Starlette(routes=[Route("/", short)])
        async with serve_app(app, Options(port=0)) as url:
            asking = asyncio.create_task(ask(int(url.rpartition(":")[2])))
            await begun.wait()
            asyncio.get_running_loop().call_soon(may_end.set)
        assert (await asking).endswith(b"done")

    asyncio.run(whole())
    assert caplog.records == []
