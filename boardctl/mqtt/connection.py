"""Connect to a broker, and wait between attempts."""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, Self, TypeVar

from aiomqtt import Client, MqttCodeError, MqttError, ProtocolVersion, Will
from paho.mqtt.client import MQTT_ERR_SUCCESS
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from boardctl.drivers.ports import PortError, trouble
from boardctl.mqtt import LARGEST
from boardctl.options import read_file
from boardctl.text import Sentence

T = TypeVar("T")

FIRST: Final = 1.0
"""Seconds before the first retry."""
LONGEST: Final = 300.0
"""Maximum seconds between attempts."""
KEEPALIVE: Final = 30
"""The keep-alive interval in seconds. A broker drops a board after one and a half intervals (MQTT
5, 3.1.2.10)."""
GOODBYE: Final = 1.0
"""Seconds that a board's last message may take while the board is stopping."""
REPEAT: Final = 60.0
"""Seconds during which a repeated log message is suppressed."""
LOOK: Final = 10.0
"""Seconds between checks whether a keep-alive must be sent. Together with `KEEPALIVE`, this is
shorter than the broker's limit."""


PASSWORD: Final = 4096
"""The maximum size in bytes of a file with a password."""
CERTIFICATES: Final = 1 << 20
"""The maximum size in bytes of a file with certificates."""
_OUTDATED: Final = (9, 10)
"""OpenSSL's X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED."""
_REFUSED: Final = (0x86, 0x87)
"""The codes for a bad user name or password, and for not authorized (MQTT 5, 3.2.2.2)."""


class RepeatFilter(logging.Filter):
    """A log filter that passes the same message only once a minute, because aiomqtt logs every
    message that it drops during a flood."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._logged: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        now = self._now()
        if now - self._logged.get(record.msg, -math.inf) < REPEAT:
            return False
        self._logged[record.msg] = now
        return True


_log: Final = logging.getLogger("boardctl.mqtt.client")
_log.addFilter(RepeatFilter())


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker's address and the credentials for it. Without `tls`, names and passwords are sent
    unencrypted."""

    host: str
    port: int = 8883
    tls: bool = True
    ca: Path | None = None
    user: str | None = None
    password_file: Path | None = None
    password: str | None = None
    """The password itself, in place of a file."""
    connection: Callable[..., Client] | None = None
    """The function that creates the client, with aiomqtt's arguments. By default `Connection`."""


class _Handshake(ssl.SSLSocket):
    """A socket that is closed when its handshake fails. If a broker is killed during the handshake,
    paho 2 leaves the socket to the garbage collector, which causes a warning in the log."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:  # paho's sockets wait here, so this is never "not yet"
            self.close()
            raise


def _context(ca: Path | None) -> ssl.SSLContext:
    """Return a TLS context that trusts this certificate authority, or by default the system's
    authorities. Raises OSError."""
    certificates = None
    if ca is not None:  # an empty file trusts no authority; lines that are not ASCII are comments
        certificates = read_file(ca, CERTIFICATES).decode("ascii", "ignore") or "\n"
    context = ssl.create_default_context(cadata=certificates)
    context.sslsocket_class = _Handshake
    return context


def client(broker: Broker, identifier: str, will: Will | None = None, session: int = 0) -> Client:
    """Return a client to use as a context manager.

    Args:
        broker: the broker's address, certificate and password.
        identifier: the client's identifier. A broker ends an older connection with the same
            identifier.
        will: the message that the broker publishes when the connection is lost, or None for no
            message.
        session: the seconds for which the broker keeps subscriptions and messages while
            disconnected.

    Raises:
        PortError: if the certificate or the password cannot be read, or the host name is invalid.
    """
    try:
        broker.host.encode("idna")  # as the socket does
    except UnicodeError as error:
        raise PortError("mqtt", trouble("not-a-host", host=broker.host)) from error
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho has no type for it
    properties.SessionExpiryInterval = session
    properties.MaximumPacketSize = LARGEST
    try:
        context = _context(broker.ca) if broker.tls else None
        password = broker.password
        if broker.password_file is not None:
            password = read_file(broker.password_file, PASSWORD).decode().strip()
    except OSError as error:
        raise PortError(
            "mqtt", trouble("file", path=error.filename or broker.ca, reason=error)
        ) from error
    except UnicodeDecodeError as error:
        raise PortError("mqtt", trouble("not-utf-8", path=broker.password_file)) from error
    return (broker.connection or Connection)(
        broker.host,
        broker.port,
        username=broker.user,
        password=password,
        identifier=identifier,
        protocol=ProtocolVersion.V5,
        will=will,
        clean_start=session == 0,
        keepalive=KEEPALIVE,
        timeout=10,
        tls_context=context,
        properties=properties,
        max_queued_incoming_messages=1000,
        logger=_log,
        # An event and a state are sent in sequence. The second message must not wait for the
        # acknowledgement of the first.
        socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
    )


def expiring(seconds: int) -> Properties:
    """Return the message properties that make the broker drop a message after a number of
    seconds."""
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho has no type for it
    properties.MessageExpiryInterval = seconds
    return properties


class Connection(Client):
    """An aiomqtt 2 client with changes for which aiomqtt has no options. aiomqtt checks the
    connection every second, which would wake an idle board. It also logs tracebacks when a
    connection is dropped, and leaves the socket open when a connection attempt is abandoned."""

    def __init__(self, *where: Any, **more: Any) -> None:
        super().__init__(*where, **more)
        self._is_connecting = False
        self._is_left = False
        # Waiting calls learn of the lost connection, so nobody needs to await this future.
        self._disconnected.add_done_callback(lambda gone: gone.cancelled() or gone.exception())

    async def __aenter__(self) -> Self:
        try:
            return await super().__aenter__()
        except BaseException:
            self._leave()
            raise

    async def __aexit__(self, *why: Any) -> None:
        try:
            await super().__aexit__(*why)
        finally:
            self._leave()

    def _client_connect(self) -> None:
        """Connect in a thread, which continues even if the caller stops waiting."""

        def connected_or_not() -> None:
            self._is_connecting = False
            if self._is_left:
                self._leave()

        self._is_connecting = True
        try:
            super()._client_connect()
        finally:
            self._loop.call_soon_threadsafe(connected_or_not)

    def _leave(self) -> None:
        """Close the socket. If it is still connecting, close it once it has connected."""
        self._is_left = True
        if not self._is_connecting:
            self._client._sock_close()

    async def _wait_for(self, fut: Awaitable[T], timeout: float | None) -> T:
        """Wait for an answer until the connection is lost."""
        if fut is self._disconnected:
            return await super()._wait_for(fut, timeout)
        answer = asyncio.ensure_future(super()._wait_for(fut, timeout))
        try:
            await asyncio.wait((answer, self._disconnected), return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not answer.done():
                answer.cancel()
        if not answer.cancelled() and answer.done():
            return answer.result()
        raise MqttError("the broker is gone")

    async def _misc_loop(self) -> None:
        while self._client.loop_misc() == MQTT_ERR_SUCCESS:
            await asyncio.sleep(LOOK)

    def _on_subscribe(self, client: Any, userdata: Any, mid: int, *more: Any) -> None:
        # otherwise the waiting task has been cancelled meanwhile
        if mid in self._pending_subscribes:
            super()._on_subscribe(client, userdata, mid, *more)

    def _on_socket_register_write(self, client: Any, userdata: Any, sock: Any) -> None:
        """Watch the socket from the loop's next iteration on, unless it has been closed by then."""

        def write() -> None:
            try:
                client.loop_write()
            except OSError as error:
                if not self._disconnected.done():
                    self._disconnected.set_exception(MqttError(str(error)))

        def watch() -> None:
            if sock.fileno() >= 0:
                self._loop.add_writer(sock.fileno(), write)

        self._loop.call_soon_threadsafe(watch)


async def end_task(task: asyncio.Task[None]) -> None:
    """Cancel a task, repeatedly if a library loses the cancellation. In Python 3.11,
    `asyncio.wait_for` may lose it if a result arrives at the same moment."""
    while not task.done():
        task.cancel()
        await asyncio.wait((task,), timeout=2 * GOODBYE)
    retrieve(task)


def retrieve(task: asyncio.Task[None]) -> None:
    """Retrieve the exception of a finished task, so that asyncio does not log it. The code that
    waits for the connection reports it."""
    if not task.cancelled():
        task.exception()


def leaving() -> bool:
    """Return whether the running task has been cancelled. An error during cleanup may have replaced
    the cancellation."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def reason(error: Exception, now: Callable[[], float] = time.time) -> str:
    """Return the reason for a lost connection, for the log. If a certificate is not valid at the
    current time, the board's clock is usually wrong, because many boards get the time from the
    network."""
    said = str(error)
    if "not yet valid" not in said and "has expired" not in said:
        return said
    day = time.strftime("%Y-%m-%d", time.gmtime(now()))
    return f"{said}; is the clock of this machine right? It says {day}"


def is_refusal(error: MqttCodeError) -> bool:
    """Return whether the broker has refused the user or the password."""
    return getattr(error.rc, "value", error.rc) in _REFUSED


def remedy(error: Exception, host: str, now: Callable[[], float] = time.time) -> Sentence | None:
    """Return the problem that prevents a connection to the broker at `host`, or None if people at
    the board cannot fix it."""
    if isinstance(error, PortError):
        return error.reason if isinstance(error.reason, Sentence) else None
    if isinstance(error, MqttCodeError):
        return trouble("broker-refuses", host=host) if is_refusal(error) else None
    # aiomqtt includes its message
    cause = error.__context__ if isinstance(error, MqttError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        if cause.verify_code in _OUTDATED:
            day = time.strftime("%Y-%m-%d", time.localtime(now()))
            return trouble("broker-date", host=host, day=day)
        return trouble("broker-unknown", host=host)
    if isinstance(cause, socket.gaierror) and cause.errno != socket.EAI_AGAIN:
        return trouble("broker-not-found", host=host)
    return None


def delays(chance: Random) -> Iterator[float]:
    """Yield the seconds to wait before each retry. The exponential backoff with random jitter keeps
    many boards from reconnecting at once when a broker returns. `chance` draws the jitter."""
    wait = FIRST
    while True:
        yield wait * chance.uniform(0.5, 1)
        wait = min(LONGEST, wait * 2)
