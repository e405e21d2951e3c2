"""The hub: listens to all boards of a broker, stores their results, and tells each so.

A result is acknowledged when it is on the store's disk and not before; a repeat is acknowledged
again and counted once. Several hubs may share one broker and one store: the broker deals the
results out among them (MQTT 5, 4.8.2, shared subscriptions), and every hub hears all states.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import msgspec
from aiomqtt import Client, Message, MqttError, Will
from sqlalchemy.exc import SQLAlchemyError

from boardctl.club.messages import State, read_result, read_state
from boardctl.club.metrics import Metrics
from boardctl.club.store import Game, Store
from boardctl.mqtt import NAME, TREE
from boardctl.mqtt.client import HUB
from boardctl.mqtt.connection import Broker, client, delays, leaving
from boardctl.mqtt.results import Malformed

_log: Final = logging.getLogger("boardctl.hub")
SHARED: Final = f"$share/hub/{TREE}/+/result"
"""Each result goes to one of the hubs."""
BOARDS: Final = 10_000
"""More boards than these are not shown live; their results are stored all the same."""


class Hub:
    """One hub and its store; `live` is how each board's table stands, for the page."""

    def __init__(
        self,
        store: Store,
        broker: Broker,
        now: Callable[[], float] = time.time,
        waits: Callable[[], Iterator[float]] | None = None,
    ) -> None:
        self.store = store
        self.live: dict[str, State] = {}
        self.online: set[str] = set()
        self.metrics = Metrics()
        self.connected = False
        self._broker = broker
        self._now = now
        self._waits = waits or (lambda: delays(Random()))
        self._logged: set[str] = set()
        self._identifier = f"boardctl-hub-{secrets.token_hex(4)}"

    async def run(self) -> None:
        """Listen for ever. Raises PortError for a certificate or password that cannot be read.

        The broker keeps nothing for a hub that is away: the boards do, and send again when a hub
        says that it is online or gone.
        """
        waits = self._waits()
        while True:
            will = Will(HUB, "offline", qos=1, retain=True)
            try:
                async with client(self._broker, self._identifier, will) as broker:
                    for topic in (SHARED, f"{TREE}/+/state", f"{TREE}/+/online"):
                        await broker.subscribe(topic, qos=1)
                    await broker.publish(HUB, "online", qos=1, retain=True)
                    waits = self._waits()
                    self._connection(True)
                    async for message in broker.messages:
                        await self._hear(broker, message)
                        if leaving():
                            return
            except (MqttError, OSError) as error:
                self._log_once("broker", f"no broker: {error}")
            finally:
                self._connection(False)
            if leaving():
                return
            await asyncio.sleep(next(waits))

    def _connection(self, there: bool) -> None:
        self.connected = there
        self.metrics.connected.set(int(there))

    async def _hear(self, broker: Client, message: Message) -> None:
        _, board, what = str(message.topic).split("/")
        payload = message.payload if isinstance(message.payload, bytes) else b""
        if board == "hub":
            if what == "online" and payload == b"offline":  # another one's; this one is here
                await broker.publish(HUB, "online", qos=1, retain=True)
            return
        if not NAME.fullmatch(board):
            return
        self.metrics.messages.labels(what).inc()
        try:
            await self._handle(broker, board, what, payload)
        except Malformed as error:
            self._reject(board, what, str(error))
        except MqttError:
            raise  # the connection, not the message
        except Exception as error:  # noqa: BLE001  # no message may end what all boards share
            self._reject(board, what, f"not handled; {type(error).__name__}: {error}")

    def _reject(self, board: str, what: str, why: str) -> None:
        self.metrics.rejected.labels(what).inc()
        self._log_once(f"{board} {what}", f"{TREE}/{board}/{what}: {why}")

    async def _handle(self, broker: Client, board: str, what: str, payload: bytes) -> None:
        if what == "result":
            await self._keep(broker, board, payload)
        elif what == "online":
            if payload != b"online":
                self.online.discard(board)
            elif len(self.online) < BOARDS:
                self.online.add(board)
            self.metrics.boards.set(len(self.online))
        elif not payload:
            self.live.pop(board, None)  # a retained state that was taken away
        elif board in self.live or len(self.live) < BOARDS:
            self.live[board] = read_state(payload)

    async def _keep(self, broker: Client, board: str, payload: bytes) -> None:
        read = read_result(payload)
        result = msgspec.to_builtins(read.result)
        game = Game(board, read.game, read.version, result, self._now())
        try:
            with self.metrics.storing.time():
                new = await asyncio.to_thread(self.store.keep, game)
        except SQLAlchemyError as error:
            self.metrics.results.labels("failed").inc()
            why = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
            self._log_once("store", f"not stored, so not acknowledged; the boards try again: {why}")
            return
        self.metrics.results.labels("new" if new else "repeat").inc()
        ack = json.dumps({"game": read.game, "version": read.version})
        await broker.publish(f"{TREE}/{board}/ack", ack, qos=1)

    def _log_once(self, about: str, what: str) -> None:
        """Log what is wrong with a sender and a kind of message, the first time only."""
        if about not in self._logged and len(self._logged) < BOARDS:
            self._logged.add(about)
            _log.warning("%s", what)
