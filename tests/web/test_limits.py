"""Strangers who hold connections, send halves of requests or never read what they asked for."""

from __future__ import annotations

import asyncio
import gc
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
    answer = await reader.read()
    writer.close()
    return answer


def run(test: Any) -> None:
    async def whole() -> None:
        async with serving() as port:
            await test(port)

    asyncio.run(whole())


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
        async with asyncio.timeout(20):
            with suppress(ConnectionError):
                await reader.read()
        writer.close()

    run(test)


def test_a_flood_of_pings_that_is_never_read_ends() -> None:
    async def test(port: int) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        ping = b"\x89\xfd\0\0\0\0" + bytes(125)
        sent = 0
        async with asyncio.timeout(60):
            with pytest.raises(ConnectionError):
                while True:
                    writer.write(ping * 500)
                    await writer.drain()
                    sent += 500 * len(ping)
        assert sent < 64 << 20
        assert b"200 OK" in await ask(port)

    run(test)


def test_who_does_not_read_an_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STALLED", 0.2)

    async def big(request: Request) -> PlainTextResponse:
        return PlainTextResponse("x" * (32 << 20))

    async def whole() -> None:
        app = Starlette(routes=[Route("/", big)])
        async with serve_app(app, Options(port=0)) as url:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await asyncio.sleep(1)
            async with asyncio.timeout(20):
                with suppress(ConnectionError):
                    while await reader.read(1 << 16):
                        pass
            writer.close()

    asyncio.run(whole())


def test_from_one_address_come_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_here", lambda host: False)

    async def test(port: int) -> None:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2 * limits.EACH)]
        assert b"200 OK" in await ask(port)
        for _, writer in held:
            writer.close()

    run(test)


def test_the_server_stops_while_a_client_says_goodbye() -> None:
    """The client's close frame and the end of the server arrive in the same turn of the loop."""

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
            assert isinstance(AutoWebSocketsProtocol, type)
            sockets: list[Any] = [
                one for one in gc.get_objects() if isinstance(one, AutoWebSocketsProtocol)
            ]
            mine = writer.get_extra_info("sockname")
            (client,) = (one for one in sockets if one.client == mine)
            client.data_received(b"\x88\x82" + bytes(4) + (1000).to_bytes(2, "big"))
            client.shutdown()
            assert await reader.read() == b"\x88\x02" + (1000).to_bytes(2, "big")
            writer.close()

    asyncio.run(whole())
