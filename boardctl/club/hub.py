"""The hub, which receives, stores and acknowledges results from all boards connected to a broker.

A result is acknowledged only after it is committed. A repeated result is acknowledged again but
counted only once. Several hubs may share one broker and one store. The broker then distributes the
results among the hubs (MQTT 5, 4.8.2, shared subscriptions), but every hub receives all states.
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
from boardctl.mqtt.connection import Broker, client, delays, leaving, reason
from boardctl.mqtt.results import Malformed

_log: Final = logging.getLogger("boardctl.hub")
SHARED: Final = f"$share/hub/{TREE}/+/result"
"""A shared subscription, which delivers each result to one of the hubs."""
BOARDS: Final = 10_000
"""The maximum number of boards shown live. Results of further boards are stored too."""


class Hub:
    """A hub and its store. `live` is the state of each board's table, for the page."""

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
        self._delays = waits or (lambda: delays(Random()))
        self._logged: set[str] = set()
        self._identifier = f"boardctl-hub-{secrets.token_hex(4)}"

    async def run(self) -> None:
        """Listen until cancelled. Raises PortError if the certificate or password cannot be read.

        The broker does not queue messages for an offline hub. The boards keep their results and
        send them again when a hub's online message changes.
        """
        waits = self._delays()
        while True:
            will = Will(HUB, "offline", qos=1, retain=True)
            try:
                async with client(self._broker, self._identifier, will) as broker:
                    self._begin_anew()
                    for topic in (SHARED, f"{TREE}/+/state", f"{TREE}/+/online"):
                        await broker.subscribe(topic, qos=1)
                    await broker.publish(HUB, "online", qos=1, retain=True)
                    waits = self._delays()
                    self._connection(True)
                    self.solved("broker")
                    async for message in broker.messages:
                        await self._receive(broker, message)
                        if leaving():
                            return
            except (MqttError, OSError) as error:
                self.log_once("broker", f"no broker: {reason(error)}")
            finally:
                self._connection(False)
            if leaving():
                return
            await asyncio.sleep(next(waits))

    def _begin_anew(self) -> None:
        """Forget the boards' messages. The broker sends its retained messages to a new subscriber.
        Boards that disappeared while the hub was disconnected are not among them."""
        self.live.clear()
        self.online.clear()
        self.metrics.boards.set(0)

    def _connection(self, there: bool) -> None:
        self.connected = there
        self.metrics.connected.set(int(there))

    async def _receive(self, broker: Client, message: Message) -> None:
        _, board, what = str(message.topic).split("/")
        payload = message.payload if isinstance(message.payload, bytes) else b""
        if board == "hub":
            # another hub's will: that hub is offline, this one is online
            if what == "online" and payload == b"offline":
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
            raise  # a fault of the connection, not of the message
        except Exception as error:  # noqa: BLE001  # one board's message must not end the hub
            self._reject(board, what, f"not handled; {type(error).__name__}: {error}")

    def _reject(self, board: str, what: str, why: str) -> None:
        self.metrics.rejected.labels(what).inc()
        self.log_once(f"{board} {what}", f"{TREE}/{board}/{what}: {why}")

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
            self.live.pop(board, None)  # a deleted retained state
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
            self.log_once("store", f"not stored, so not acknowledged; the boards will retry: {why}")
            return
        self.solved("store")
        self.metrics.results.labels("new" if new else "repeat").inc()
        ack = json.dumps({"game": read.game, "version": read.version})
        await broker.publish(f"{TREE}/{board}/ack", ack, qos=1)

    def log_once(self, about: str, what: str) -> None:
        """Log a problem with one kind of message from one sender only the first time. A problem
        with the broker, the store or the page is logged each time it begins."""
        if about not in self._logged and len(self._logged) < BOARDS:
            self._logged.add(about)
            _log.warning("%s", what)

    def solved(self, about: str) -> None:
        """Mark a logged problem as solved, so that the next one is logged again."""
        self._logged.discard(about)
