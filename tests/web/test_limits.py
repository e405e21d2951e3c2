"""Clients that hold connections, send partial requests or never read the answer."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from boardctl.camera.photo_api import MOST_BYTES
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


class Transport:
    """A connection from an address."""

    def __init__(self, host: str) -> None:
        self._host = host
        self.aborted = False

    def get_extra_info(self, name: str) -> tuple[str, int]:
        assert name == "peername"
        return self._host, id(self) % 65536

    def abort(self) -> None:
        self.aborted = True


def test_the_addresses_of_one_household_of_ipv6_count_as_one() -> None:
    async def whole() -> None:
        gate = limits.Gate()
        house = [Transport(f"2001:db8:0:1:{n:x}::{n:x}") for n in range(limits.EACH + 1)]
        other = Transport("2001:db8:0:2::1")
        for transport in (*house, other):
            gate.enter(cast(asyncio.Transport, transport))
        assert [transport.aborted for transport in house] == [True] + [False] * limits.EACH
        assert not other.aborted
        for transport in (*house, other):
            gate.leave(cast(asyncio.Transport, transport))

    asyncio.run(whole())


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


# The pace of a body, on a clock that jumps to the next event


class Jumping(asyncio.SelectorEventLoop):
    """An event loop in which only waiting takes time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        select = self._selector.select  # type: ignore[attr-defined]  # asyncio's own

        def jump(timeout: float | None) -> Any:
            self.now += timeout or 0.0
            return select(0)

        self._selector.select = jump  # type: ignore[attr-defined]  # as above

    def time(self) -> float:
        return self.now


def receives(size: int, piece: int, seconds: float) -> tuple[int, float, str]:
    """Return the received part of a body whose pieces arrive this many seconds apart, the time of
    its end, and the last message's type."""
    loop, sent = Jumping(), 0

    async def client() -> dict[str, Any]:
        nonlocal sent
        await asyncio.sleep(seconds)
        sent += piece
        return {"type": "http.request", "body": bytes(piece), "more_body": sent < size}

    async def read() -> tuple[int, float, str]:
        receive = limits.patient(client)
        got = 0
        while True:
            message = await receive()
            got += len(message.get("body", b""))
            if message["type"] == "http.disconnect" or not message["more_body"]:
                return got, loop.time(), message["type"]

    try:
        return loop.run_until_complete(read())
    finally:
        loop.close()


def test_a_photo_over_slow_wifi_arrives_whole() -> None:
    """The largest photo arrives at 25 KB a second and with pauses."""
    got, ended, last = receives(MOST_BYTES, 200_000, 8.0)
    assert (got, last) == (MOST_BYTES, "http.request")
    assert ended == pytest.approx(1600)


@pytest.mark.parametrize(("piece", "seconds"), [(1, 0.001), (1, 9.0), (4096, 0.5), (16_384, 1.1)])
def test_a_body_that_trickles_is_cut(piece: int, seconds: float) -> None:
    """Every slow body is cut off: after ten seconds without progress, or when its bytes no longer
    buy time."""
    got, ended, last = receives(MOST_BYTES, piece, seconds)
    assert last == "http.disconnect"
    assert got < MOST_BYTES
    assert ended <= limits.BODY + got / limits.SLOWEST + seconds


def test_a_body_that_stops_is_cut_however_fast_it_was() -> None:
    loop = Jumping()

    async def read() -> float:
        pieces = iter(range(100))

        async def client() -> dict[str, Any]:
            if next(pieces, None) is None:
                await asyncio.sleep(1e9)
            return {"type": "http.request", "body": bytes(1 << 20), "more_body": True}

        receive = limits.patient(client)
        while (await receive())["type"] == "http.request":
            pass
        return loop.time()

    assert loop.run_until_complete(read()) == limits.BODY
    loop.close()


def test_a_board_that_is_slow_itself_cuts_nobody() -> None:
    """Time spent writing to a slow card is not charged to the client."""
    loop = Jumping()

    async def read() -> str:
        async def client() -> dict[str, Any]:
            return {"type": "http.request", "body": b"x", "more_body": False}

        receive = limits.patient(client)
        await asyncio.sleep(60)
        return str((await receive())["type"])

    assert loop.run_until_complete(read()) == "http.request"
    loop.close()


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
