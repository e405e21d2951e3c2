"""Reaching a broker, and patience where it is not there."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from aiomqtt import Client, MqttError, ProtocolVersion, Will
from paho.mqtt.client import MQTT_ERR_SUCCESS
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from boardctl.drivers.ports import PortError
from boardctl.mqtt import LARGEST

FIRST: Final = 1.0
"""Seconds before a first attempt is repeated."""
LONGEST: Final = 300.0
"""Seconds between attempts in the long run."""
KEEPALIVE: Final = 30
"""Seconds after which a broker misses a board, and tells so, are one and a half times these
(MQTT 5, 3.1.2.10)."""
LOOK: Final = 10.0
"""Seconds between looks whether a sign of life is due; with `KEEPALIVE` they make less than what
a broker waits."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker is and who asks. Without `tls` names and passwords pass in the clear."""

    host: str
    port: int = 8883
    tls: bool = True
    ca: Path | None = None
    user: str | None = None
    password_file: Path | None = None


def client(broker: Broker, identifier: str, will: Will | None = None, session: int = 0) -> Client:
    """A connection, to be entered. The broker keeps what it has for it `session` seconds long.

    Raises:
        PortError: the certificate or the password cannot be read.
    """
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = session
    properties.MaximumPacketSize = LARGEST
    try:
        context = ssl.create_default_context(cafile=broker.ca) if broker.tls else None
        password = None
        if broker.password_file is not None:
            password = broker.password_file.read_text("utf-8").strip()
    except OSError as error:
        raise PortError("mqtt", f"{error.filename or broker.ca}: {error.strerror}") from error
    return _Quiet(
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
        # An event and a state go out one after the other: the second is not to wait for the first.
        socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
    )


class _Quiet(Client):
    """aiomqtt 2 with what its face has no options for: it looks after the connection every second,
    which would wake a board that sleeps, and a connection that drops leaves tracebacks in the log
    of a program that does all that is due."""

    def __init__(self, *where: Any, **more: Any) -> None:
        super().__init__(*where, **more)
        # Who waits for anything is told of the drop; that nobody asks this future is no error.
        self._disconnected.add_done_callback(lambda told: told.cancelled() or told.exception())

    async def _misc_loop(self) -> None:
        while self._client.loop_misc() == MQTT_ERR_SUCCESS:
            await asyncio.sleep(LOOK)

    def _on_subscribe(self, client: Any, userdata: Any, mid: int, *more: Any) -> None:
        if mid in self._pending_subscribes:  # else who asked has been told to end meanwhile
            super()._on_subscribe(client, userdata, mid, *more)

    def _on_socket_register_write(self, client: Any, userdata: Any, sock: Any) -> None:
        """The loop watches the socket from its next turn on, unless it is closed till then."""

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


def leaving() -> bool:
    """Whether the running task has been told to end: an error on the way out may have taken the
    place of the cancellation."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def delays(chance: Random, first: float = FIRST, longest: float = LONGEST) -> Iterator[float]:
    """Seconds to wait before each further attempt: twice as long each time, and never twice the
    same, so that forty boards do not all knock at once when a broker returns."""
    wait = first
    while True:
        yield wait * chance.uniform(0.5, 1)
        wait = min(longest, wait * 2)
