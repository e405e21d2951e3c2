"""The connection of a tab: a WebSocket as paho's socket, and a whole client over one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiomqtt import MqttError
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from boardctl.drivers.ports import PortError
from boardctl.mqtt.in_browser import PROTOCOL, BrowserConnection, BrowserSocket
from boardctl.websocket import Address, address
from tests.mqtt.broker import Mosquitto
from tests.parts import need

TASKS: list[asyncio.Future[None]] = []
"""The tasks of the WebSockets that were opened."""


class Wire:
    """A WebSocket that a test opens, fills and closes."""

    def __init__(
        self,
        url: str,
        opened: Callable[[], None],
        heard: Callable[[bytes], None],
        closed: Callable[[], None],
    ) -> None:
        self.url, self.opened, self.heard, self.closed = url, opened, heard, closed
        self.sent: list[bytes] = []
        self.is_closed = False

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.is_closed = True


class Real(Wire):
    """One of Python's, as a browser's is: opened and heard by the event loop."""

    def __init__(self, url: str, *told: Callable[..., None]) -> None:
        super().__init__(url, *told)
        self._to_send: asyncio.Queue[bytes] = asyncio.Queue()
        self._task = asyncio.ensure_future(self._run())
        TASKS.append(self._task)

    async def _run(self) -> None:
        try:
            async with connect(self.url, subprotocols=[PROTOCOL], proxy=None) as socket:  # type: ignore[list-item]  # a str in a NewType
                self.opened()
                sending = asyncio.ensure_future(self._send(socket))
                TASKS.append(sending)
                async for data in socket:
                    assert isinstance(data, bytes)
                    self.heard(data)
        except (OSError, ConnectionClosed):
            pass
        if not self.is_closed:
            self.closed()

    async def _send(self, socket: object) -> None:
        while True:
            await socket.send(await self._to_send.get())  # type: ignore[attr-defined]

    def send(self, data: bytes) -> None:
        self._to_send.put_nowait(data)

    def close(self) -> None:
        self.is_closed = True
        self._task.cancel()


@given(st.lists(st.binary(min_size=1, max_size=9), max_size=9), st.integers(1, 9))
def test_what_comes_in_pieces_is_received_in_any_others(pieces: list[bytes], size: int) -> None:
    told: list[int] = []
    socket = BrowserSocket("ws://localhost", lambda: told.append(1), Wire)
    wire = socket._wire
    assert isinstance(wire, Wire)
    for piece in pieces:
        wire.heard(piece)
    wire.closed()
    assert len(told) == len(pieces) + 1
    found = []
    while data := socket.recv(size):
        found.append(data)
    assert b"".join(found) == b"".join(pieces)


def test_what_is_sent_before_it_is_open_is_sent_then_and_nothing_after_its_end() -> None:
    socket = BrowserSocket("ws://localhost", lambda: None, Wire)
    wire = socket._wire
    assert isinstance(wire, Wire)
    assert socket.send(b"one") == 3
    socket.send(bytearray(b"two"))
    assert wire.sent == []
    with pytest.raises(BlockingIOError):
        socket.recv(1)
    wire.opened()
    socket.send(b"three")
    assert wire.sent == [b"onetwo", b"three"]
    socket.close()
    assert wire.is_closed
    with pytest.raises(ConnectionError):
        socket.send(b"four")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("wss://a.example", Address("wss://a.example/mqtt", "a.example", None, None)),
        (
            " wss://ann:p%40ss@a.example:8884/ws ",
            Address("wss://a.example:8884/ws", "a.example", "ann", "p@ss"),
        ),
        ("ws://127.0.0.1:9001", Address("ws://127.0.0.1:9001/mqtt", "127.0.0.1", None, None)),
        ("ws://a.example", None),
        ("https://a.example", None),
        ("wss://", None),
        ("wss://a.example:99999", None),
        ("wss://[a", None),
        ("wss://a.example/#x", None),
        ("", None),
    ],
)
def test_addresses_for_browsers(text: str, found: Address | None) -> None:
    assert address(text) == found


@given(st.text())
def test_anything_is_an_address_or_not(text: str) -> None:
    found = address(text)
    assert found is None or found.url.startswith(("wss://", "ws://"))


async def here(executor: object, act: Callable[..., object], *given: object) -> object:
    """Call a function as a tab's loop does, which has no threads."""
    return act(*given)


def forbidden(url: str, *told: Callable[..., None]) -> Wire:
    """A browser that connects to no such port."""
    raise OSError(f"SecurityError: {url}")


async def opened(where: Address) -> BrowserConnection:
    return BrowserConnection(
        where, where.host, username=where.user, password=where.password, make=Real, timeout=20
    )


def test_a_client_over_a_websocket(tmp_path: Path) -> None:
    need("mosquitto")
    asyncio.run(talk(tmp_path))


async def talk(directory: Path) -> None:
    asyncio.get_running_loop().run_in_executor = here  # type: ignore[assignment,method-assign]
    broker = Mosquitto(directory, ["one"], websocket=True)
    broker.start()
    where = address(broker.websocket("one"))
    assert where is not None
    topic = "boardctl-far/test/1"
    try:
        async with await opened(where) as client:
            await client.subscribe(topic, qos=1)
            for number in range(20):
                await client.publish(topic, bytes([number]) * 3000, qos=1)
            found = [(await anext(client.messages)).payload for _ in range(20)]
            assert found == [bytes([number]) * 3000 for number in range(20)]
            broker.kill()
            with pytest.raises(MqttError):
                await anext(client.messages)
        page = rf"cannot reach the broker 127\.0\.0\.1.* open http://127.*:{urlsplit(where.url).port}/mqtt"
        with pytest.raises(PortError, match=page):
            async with await opened(where):
                pass
        with pytest.raises(PortError, match="cannot reach the broker"):
            async with BrowserConnection(where, where.host, make=forbidden):
                pass
    finally:
        broker.kill()
        for task in TASKS:
            task.cancel()
        await asyncio.gather(*TASKS, return_exceptions=True)
        TASKS.clear()
