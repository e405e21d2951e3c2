"""The limits of connections and requests on a clock that jumps to the next event."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, cast

import pytest
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from boardctl.camera.photo_api import MOST_BYTES
from boardctl.web import limits
from boardctl.web.limits import _REPORT, AT_ONCE, HEADER, PACE, SPEECHLESS, STALLED, Gate


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


@pytest.fixture
def loop() -> Iterator[Jumping]:
    made = Jumping()
    yield made
    made.close()


class Transport:
    """A connection from an address, and what was done to it."""

    def __init__(self, host: str, port: int = 1) -> None:
        self.address = host, port
        self.aborted: float | None = None
        self.turned: list[tuple[str, float]] = []
        self.unread = 0

    def get_write_buffer_size(self) -> int:
        return self.unread

    def get_extra_info(self, name: str) -> tuple[str, int]:
        assert name == "peername"
        return self.address

    def abort(self) -> None:
        self.aborted = asyncio.get_running_loop().time()

    def is_closing(self) -> bool:
        return self.aborted is not None

    def pause_reading(self) -> None:
        self.turned.append(("pause", asyncio.get_running_loop().time()))

    def resume_reading(self) -> None:
        self.turned.append(("resume", asyncio.get_running_loop().time()))


def enter(gate: Gate, host: str, port: int = 1) -> Transport:
    """Return a new connection at this gate."""
    made = Transport(host, port)
    gate.enter(cast(asyncio.Transport, made))
    return made


def leave(gate: Gate, transport: Transport) -> None:
    gate.leave(cast(asyncio.Transport, transport))


App = Callable[[Any, Any, Any], Awaitable[None]]


async def nothing() -> Message:
    raise AssertionError("nobody reads")


async def unsent(message: Message) -> None:
    raise AssertionError(message)


def asks(
    gate: Gate, transport: Transport, app: App, kind: str = "http", receive: Any = nothing
) -> asyncio.Task[None]:
    """Send a request to an app behind this gate."""
    scope = {"type": kind, "client": list(transport.address)}

    async def request() -> None:
        await gate.watch(app)(scope, receive, unsent)

    return asyncio.create_task(request())


def until(done: asyncio.Event) -> App:
    """Return an app that answers once an event is set."""

    async def app(*_: Any) -> None:
        await done.wait()

    return app


def lasting(seconds: float, then: Callable[[], object] = lambda: None) -> App:
    """Return an app that answers after some seconds, and then makes a call."""

    async def app(*_: Any) -> None:
        await asyncio.sleep(seconds)
        then()

    return app


def test_the_addresses_of_one_household_of_ipv6_count_as_one(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate()
        house = [enter(gate, f"2001:db8:0:1:{n:x}::{n:x}") for n in range(limits.EACH + 1)]
        other = enter(gate, "2001:db8:0:2::1")
        assert [one.is_closing() for one in house] == [True] + [False] * limits.EACH
        assert not other.is_closing()
        assert len(gate) == limits.EACH + 1

    loop.run_until_complete(act())


def test_an_idle_connection_closes_in_its_time(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate()
        stays, gone = enter(gate, "10.0.0.1"), enter(gate, "10.0.0.2")
        leave(gate, gone)
        await asyncio.sleep(HEADER * 2)
        assert (stays.aborted, gone.aborted) == (HEADER, None)

    loop.run_until_complete(act())


def test_the_connection_that_is_idle_longest_makes_room(
    loop: Jumping, caplog: pytest.LogCaptureFixture
) -> None:
    async def act() -> None:
        gate = Gate(most=3, each=2)
        first, second, third = (enter(gate, f"10.0.0.{n}") for n in range(3))
        await asyncio.sleep(1)
        leave(gate, first)
        again = enter(gate, "10.0.0.0")
        fourth = enter(gate, "10.0.0.3")
        assert [one.is_closing() for one in (second, third, again, fourth)] == [True, *[False] * 3]
        assert len(gate) == 3
        mine = enter(gate, "10.0.0.3", 2)
        assert third.is_closing()
        last = enter(gate, "10.0.0.3", 3)
        assert fourth.is_closing(), "its own address has its share"
        assert not any(one.is_closing() for one in (again, mine, last))

    loop.run_until_complete(act())
    assert caplog.messages == ["The page is full: 1 connections were closed"]


def test_this_machine_may_open_all_connections(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate(most=4, each=1)
        here = [enter(gate, "127.0.0.1", port) for port in range(4)]
        assert not any(one.is_closing() for one in here)
        enter(gate, "127.0.0.1", 5)
        assert [one.is_closing() for one in here] == [True, False, False, False]

    loop.run_until_complete(act())


def test_a_full_page_says_so_once_a_minute(loop: Jumping, caplog: pytest.LogCaptureFixture) -> None:
    async def act() -> None:
        gate = Gate(most=1)
        for port, seconds in enumerate((0, _REPORT / 2, _REPORT / 2, 1)):
            enter(gate, "10.0.0.1", port)
            await asyncio.sleep(seconds)
            enter(gate, "10.0.0.1", port + 10)

    loop.run_until_complete(act())
    told = [record.args for record in caplog.records if record.levelno == logging.WARNING]
    assert told == [(1,), (5,)]


def test_who_is_being_answered_keeps_its_place(loop: Jumping) -> None:
    async def act() -> None:
        gate, done = Gate(most=2), asyncio.Event()

        busy, idle = enter(gate, "10.0.0.1"), enter(gate, "10.0.0.2")
        asking = asks(gate, busy, until(done))
        await asyncio.sleep(HEADER / 2)
        fresh = enter(gate, "10.0.0.3")
        assert (busy.is_closing(), idle.is_closing(), fresh.is_closing()) == (False, True, False)
        also = asks(gate, fresh, until(done))
        await asyncio.sleep(HEADER * 3)
        refused = enter(gate, "10.0.0.4")
        assert (busy.is_closing(), fresh.is_closing(), refused.is_closing()) == (False, False, True)
        leave(gate, refused)
        done.set()
        await asyncio.gather(asking, also)
        answered = loop.time()
        await asyncio.sleep(HEADER * 2)
        assert busy.aborted == fresh.aborted == answered + HEADER

    loop.run_until_complete(act())


def test_an_address_whose_requests_are_all_being_answered_gets_no_more(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate(each=1)

        busy, other = enter(gate, "10.0.0.1"), enter(gate, "10.0.0.2")
        asking = asks(gate, busy, lasting(3))
        await asyncio.sleep(1)
        more = enter(gate, "10.0.0.1", 2)
        assert [one.is_closing() for one in (busy, other, more)] == [False, False, True]
        await asking

    loop.run_until_complete(act())


def test_an_answered_connection_is_idle_from_then_on(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate(most=2)

        first, second = enter(gate, "10.0.0.1"), enter(gate, "10.0.0.2")
        await asks(gate, first, lasting(3))
        third = enter(gate, "10.0.0.3")
        assert (first.is_closing(), second.is_closing()) == (False, True)
        enter(gate, "10.0.0.4")
        assert (first.is_closing(), third.is_closing()) == (True, False)

    loop.run_until_complete(act())


def test_an_unknown_client_is_answered_without_a_place(loop: Jumping) -> None:
    async def act() -> None:
        gate, answered = Gate(), list[str]()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            assert (receive, send) == (nothing, unsent)
            answered.append(scope["type"])

        await asks(gate, Transport("10.0.0.1"), app)
        await gate.watch(app)({"type": "lifespan"}, nothing, unsent)
        assert answered == ["http", "lifespan"]

    loop.run_until_complete(act())


def test_the_next_request_of_a_connection_has_its_own_time(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate()
        client = enter(gate, "10.0.0.1")

        for _ in range(2):
            await asyncio.sleep(HEADER / 2)
            await asks(gate, client, lasting(HEADER * 2))
        assert not client.is_closing()

    loop.run_until_complete(act())


def test_requests_beyond_the_allowance_wait_and_count_as_idle(
    loop: Jumping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REQUESTS_AT_ONCE", 2.0)
    monkeypatch.setattr(limits, "REQUESTS", 0.25)

    async def act() -> None:
        gate, answered = Gate(), list[float]()

        app = lasting(0, lambda: answered.append(loop.time()))
        clients = [enter(gate, "10.0.0.1", port) for port in range(4)]
        asking = [asks(gate, one, app) for one in clients]
        asking.append(asks(gate, enter(gate, "10.0.0.2"), app))
        await asyncio.sleep(5)
        assert answered == [0.0, 0.0, 0.0, 4.0]
        leave(gate, clients[3])
        await asyncio.gather(*asking)
        assert (len(answered), loop.time()) == (4, 5.0)

    loop.run_until_complete(act())


def test_a_short_wait_is_a_wait(loop: Jumping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUESTS_AT_ONCE", 1.0)
    monkeypatch.setattr(limits, "REQUESTS", 2.0)

    async def act() -> None:
        gate, answered = Gate(), list[float]()

        app = lasting(0, lambda: answered.append(loop.time()))
        client = enter(gate, "10.0.0.1")
        for _ in range(2):
            await asks(gate, client, app)
        assert answered == [0.0, 0.5]

    loop.run_until_complete(act())


def test_the_address_that_asked_longest_ago_is_forgotten(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate()
        for _ in range(round(limits.REQUESTS_AT_ONCE)):
            assert gate._turn("10.0.0.1") == 0.0
        assert gate._turn("10.0.0.1") > 0.0
        for number in range(limits._ADDRESSES - 1):
            gate._turn(f"10.1.{number}.1")
        assert gate._turn("10.0.0.1") > 0.0
        for number in range(limits._ADDRESSES):
            gate._turn(f"10.1.{number}.1")
        assert gate._turn("10.0.0.1") == 0.0

    loop.run_until_complete(act())


def test_a_client_that_leaves_output_unread_is_let_go(loop: Jumping) -> None:
    async def act() -> None:
        gate, busy = Gate(), asyncio.Event()

        stalled, resumed = enter(gate, "10.0.0.1"), enter(gate, "10.0.0.2")
        asking = [asks(gate, one, until(busy)) for one in (stalled, resumed)]
        await asyncio.sleep(0)
        for one in (stalled, resumed, Transport("10.0.0.3")):
            gate.stalled(cast(asyncio.Transport, one), True)
        await asyncio.sleep(STALLED / 2)
        gate.stalled(cast(asyncio.Transport, resumed), False)
        await asyncio.sleep(STALLED)
        assert (stalled.aborted, resumed.aborted) == (STALLED, None)
        busy.set()
        await asyncio.gather(*asking)

    loop.run_until_complete(act())


def test_another_connection_of_an_address_does_not_leave_for_it(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate()
        enter(gate, "10.0.0.1")
        leave(gate, Transport("10.0.0.1"))
        leave(gate, Transport("10.0.0.2"))
        assert len(gate) == 1

    loop.run_until_complete(act())


class Protocol:
    """uvicorn's protocol: what reached it."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def connection_made(self, transport: object) -> None:
        self.heard.append("made")

    def data_received(self, data: bytes) -> None:
        self.heard.append(data)

    def pause_writing(self) -> None:
        self.heard.append("pause")

    def resume_writing(self) -> None:
        self.heard.append("resume")

    def shutdown(self) -> None:
        self.heard.append("shutdown")

    def connection_lost(self, error: Exception | None) -> None:
        self.heard.append(error)


def guarded(gate: Gate, host: str) -> tuple[Any, Transport]:
    """Return a protocol behind this gate, and its connection, which is being answered."""
    protocol, client = limits._guarded(Protocol, gate)(), enter(gate, host)
    gate._open[client.address].after("header", None)
    protocol.connection_made(client)
    return protocol, client


def test_a_protocol_tells_the_gate_when_its_client_stops_and_resumes_reading(
    loop: Jumping,
) -> None:
    async def act() -> None:
        gate, error = Gate(), ConnectionResetError()
        (one, stalled), (two, resumed) = guarded(gate, "10.0.0.1"), guarded(gate, "10.0.0.2")
        for protocol in (one, two):
            protocol.pause_writing()
        await asyncio.sleep(STALLED / 2)
        two.resume_writing()
        await asyncio.sleep(STALLED)
        assert (stalled.aborted, resumed.aborted) == (STALLED, None)
        for protocol in (one, two):
            protocol.shutdown()
            protocol.connection_lost(error)
        assert one.heard == ["made", "pause", error]
        assert two.heard == ["made", "pause", "resume", "shutdown", error]
        assert len(gate) == 0

    loop.run_until_complete(act())


def test_a_client_that_sends_and_does_not_read_is_let_go(loop: Jumping) -> None:
    async def act() -> None:
        protocol, client = guarded(Gate(), "10.0.0.1")
        for client.unread in (0, limits.UNREAD, limits.UNREAD + 1):
            protocol.data_received(b"ping")
        assert protocol.heard == ["made", b"ping", b"ping"]
        assert client.is_closing()

    loop.run_until_complete(act())


# WebSockets


def test_a_websocket_is_read_at_its_pace(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate()
        client = enter(gate, "10.0.0.1")
        socket = cast(asyncio.Transport, client)
        gate.sent(cast(asyncio.Transport, Transport("10.0.0.2")), 1 << 30)
        gate.sent(socket, round(AT_ONCE))
        assert client.turned == []
        gate.sent(socket, round(PACE))
        assert client.turned == [("pause", 0.0)]
        gate.sent(socket, round(PACE))
        heard: list[float] = []

        async def receive() -> Message:
            heard.append(loop.time())
            return {"type": "websocket.receive"}

        async def app(_: Any, receive: Any, __: Any) -> None:
            await receive()
            await receive()

        await asks(gate, client, app, "websocket", receive)
        assert heard == [2.0, 2.0]
        await asyncio.sleep(1)
        assert client.turned == [("pause", 0.0), ("pause", 0.0), ("resume", 2.0)]

    loop.run_until_complete(act())


def test_a_short_rest_is_a_rest(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate()
        client = enter(gate, "10.0.0.1")
        gate.sent(cast(asyncio.Transport, client), round(AT_ONCE + PACE / 2))

        async def receive() -> Message:
            assert loop.time() == 0.5
            return {"type": "websocket.receive"}

        async def app(_: Any, receive: Any, __: Any) -> None:
            await receive()

        await asks(gate, client, app, "websocket", receive)

    loop.run_until_complete(act())


def test_a_websocket_may_send_so_much_without_a_message(
    loop: Jumping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "AT_ONCE", 1e9)

    async def act() -> None:
        gate = Gate()
        client = enter(gate, "10.0.0.1")
        socket = cast(asyncio.Transport, client)

        async def receive() -> Message:
            return {"type": "websocket.receive"}

        async def app(_: Any, receive: Any, __: Any) -> None:
            gate.sent(socket, SPEECHLESS - 1)
            gate.sent(socket, 1)
            await receive()
            gate.sent(socket, SPEECHLESS)
            assert not client.is_closing()
            gate.sent(socket, 1)
            assert client.is_closing()

        await asks(gate, client, app, "websocket", receive)

    loop.run_until_complete(act())


def test_nothing_is_sent_to_a_websocket_that_is_lost(loop: Jumping) -> None:
    async def act() -> None:
        gate, sent = Gate(), list[Message]()
        client = enter(gate, "10.0.0.1")

        async def send(message: Message) -> None:
            sent.append(message)

        async def app(_: Any, __: Any, send: Any) -> None:
            await send({"type": "one"})
            client.abort()
            with pytest.raises(ClientDisconnected):
                await send({"type": "two"})

        scope = {"type": "websocket", "client": list(client.address)}
        await gate.watch(app)(scope, nothing, send)
        assert sent == [{"type": "one"}]

    loop.run_until_complete(act())


@pytest.mark.parametrize("error", [RuntimeError("sent after the end"), WebSocketDisconnect(1006)])
@pytest.mark.parametrize("lost", [True, False])
def test_an_error_is_told_unless_the_client_is_lost(
    lost: bool, error: Exception, loop: Jumping
) -> None:
    async def act() -> None:
        gate = Gate()
        client = enter(gate, "10.0.0.1")

        async def app(*_: Any) -> None:
            if lost:
                client.abort()
            raise error

        asking = asks(gate, client, app, "websocket")
        if lost:
            await asking
        else:
            with pytest.raises(type(error)):
                await asking

    loop.run_until_complete(act())


# The end of a server


def test_a_server_that_ends_waits_for_no_websocket(loop: Jumping) -> None:
    """uvicorn closes them itself."""

    async def act() -> None:
        gate, closed = Gate(), asyncio.Event()

        client = enter(gate, "10.0.0.1")
        asking = asks(gate, client, until(closed), "websocket")
        await asyncio.sleep(0)
        await gate.end()
        assert (loop.time(), client.is_closing()) == (0.0, False)
        closed.set()
        await asking

    loop.run_until_complete(act())


def test_a_server_that_ends_waits_a_moment_for_its_answers(loop: Jumping) -> None:
    async def act() -> None:
        gate, ended = Gate(), list[str]()

        await gate.end()
        assert loop.time() == 0.0, "nobody is being answered"
        gate = Gate()
        quick, slow = enter(gate, "10.0.0.1"), enter(gate, "10.0.0.2")
        asking = [
            asks(gate, quick, lasting(limits.GOODBYE / 2, lambda: ended.append("quick"))),
            asks(gate, slow, lasting(60, lambda: ended.append("slow"))),
        ]
        await asyncio.sleep(0)
        await gate.end()
        assert loop.time() == limits.GOODBYE
        await asyncio.sleep(0)
        assert (quick.aborted, slow.aborted) == (None, limits.GOODBYE)
        leave(gate, slow)
        await asyncio.gather(*asking)
        assert ended == ["quick"]
        assert loop.time() == limits.GOODBYE

    loop.run_until_complete(act())


def test_a_request_that_is_given_up_ends_as_cancelled(loop: Jumping) -> None:
    async def act() -> None:
        gate = Gate()
        client = enter(gate, "10.0.0.1")

        asking = asks(gate, client, lasting(60))
        await asyncio.sleep(1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert not client.is_closing()
        await gate.end()
        assert loop.time() == 1.0, "it is not waited for"
        assert not gate._answering, "and nothing of it stays"

    loop.run_until_complete(act())


def test_malformed_requests_are_logged_once_a_minute() -> None:
    once = limits.OncePerMinute()

    def passes(text: str, at: float) -> bool:
        record = logging.LogRecord("uvicorn.error", 30, "", 1, text, (), None)
        error = ValueError()
        record.exc_info = (ValueError, error, error.__traceback__)
        record.created = at
        passed = once.filter(record)
        assert (record.exc_info is None) == (text != "another")
        return passed

    request, message = limits.OncePerMinute._SAID
    told = [(request, 1000.0), (request, 1000.0 + _REPORT - 1), (request, 1000.0 + _REPORT)]
    assert [passes(*one) for one in told] == [True, False, True]
    assert passes(message, 1000.0 + _REPORT)
    assert [passes("another", 1000.0) for _ in range(2)] == [True, True]


@pytest.mark.parametrize("peer", ["", None])
def test_a_connection_without_an_address_is_known_by_itself(peer: str | None) -> None:
    class Local(Transport):
        def get_extra_info(self, name: str) -> Any:
            return peer

    here = cast(asyncio.Transport, Local(""))
    assert limits._address(here) == ("", id(here))
    assert limits._address(cast(asyncio.Transport, Transport("::1", 9))) == ("::1", 9)


# The pace of a body


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


@pytest.mark.parametrize("last", [{"more_body": False}, {}])
def test_the_answer_to_a_whole_body_may_take_long(last: dict[str, bool]) -> None:
    loop = Jumping()

    async def read() -> list[str]:
        messages: Iterator[Message] = iter(
            [{"type": "http.request", **last}, {"type": "http.disconnect"}]
        )

        async def client() -> Message:
            message = next(messages)
            if message["type"] == "http.disconnect":
                await asyncio.sleep(1000)
            return message

        receive = limits.patient(client)
        return [(await receive())["type"] for _ in range(2)]

    assert loop.run_until_complete(read()) == ["http.request", "http.disconnect"]
    assert loop.time() == 1000.0
    loop.close()


def test_a_body_that_was_cut_is_cut_once() -> None:
    loop = Jumping()

    async def read() -> list[str]:
        async def client() -> Message:
            await asyncio.sleep(limits.BODY * 5)
            return {"type": "another"}

        receive = limits.patient(client)
        return [(await receive())["type"] for _ in range(2)]

    assert loop.run_until_complete(read()) == ["http.disconnect", "another"]
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
