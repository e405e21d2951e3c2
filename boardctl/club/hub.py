"""The hub: listens to all boards of a broker, keeps their results, and says so to each.

A result is acknowledged when it is on the hub's disk and not before; a repeat is acknowledged
again and counted once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import msgspec
from aiomqtt import Client, Message, MqttError, Will
from sqlalchemy.exc import DBAPIError

from boardctl.club.messages import State, read_result, read_state
from boardctl.club.store import Game, Store
from boardctl.mqtt import NAME, TREE
from boardctl.mqtt.client import HUB
from boardctl.mqtt.connection import Broker, client, delays, leaving
from boardctl.mqtt.results import Malformed

_log: Final = logging.getLogger("boardctl.hub")
SESSION: Final = 7 * 24 * 3600
"""Seconds that the broker keeps what comes while the hub is away."""
BOARDS: Final = 10_000
"""More boards than these are not shown live; their results are kept all the same."""


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
        self._broker = broker
        self._now = now
        self._waits = waits or (lambda: delays(Random()))
        self._logged: set[str] = set()

    async def run(self) -> None:
        """Listen for ever. Raises PortError for a certificate or password that can not be read."""
        waits = self._waits()
        while True:
            will = Will(HUB, "offline", qos=1, retain=True)
            try:
                async with client(self._broker, "boardctl-hub", will, SESSION) as broker:
                    for name in ("result", "state", "online"):
                        await broker.subscribe(f"{TREE}/+/{name}", qos=1)
                    await broker.publish(HUB, "online", qos=1, retain=True)
                    waits = self._waits()
                    async for message in broker.messages:
                        await self._hear(broker, message)
                        if leaving():
                            return
            except (MqttError, OSError) as error:
                self._log_once("broker", f"no broker: {error}")
            if leaving():
                return
            await asyncio.sleep(next(waits))

    async def _hear(self, broker: Client, message: Message) -> None:
        _, board, what = str(message.topic).split("/")
        if not NAME.fullmatch(board) or board == "hub":
            return
        payload = message.payload if isinstance(message.payload, bytes) else b""
        try:
            await self._handle(broker, board, what, payload)
        except Malformed as error:
            self._log_once(f"{board} {what}", f"{message.topic}: {error}")
        except MqttError:
            raise  # the connection, not the message
        except Exception as error:  # noqa: BLE001  # no message may end what all boards share
            self._log_once(
                f"{board} {what}",
                f"{message.topic}: not handled; the hub goes on ({type(error).__name__}: {error})",
            )

    async def _handle(self, broker: Client, board: str, what: str, payload: bytes) -> None:
        if what == "result":
            await self._keep(broker, board, payload)
        elif what == "online":
            if payload != b"online":
                self.online.discard(board)
            elif len(self.online) < BOARDS:
                self.online.add(board)
        elif not payload:
            self.live.pop(board, None)  # a retained state that was taken away
        elif board in self.live or len(self.live) < BOARDS:
            self.live[board] = read_state(payload)

    async def _keep(self, broker: Client, board: str, payload: bytes) -> None:
        read = read_result(payload)
        result = msgspec.to_builtins(read.result)
        game = Game(board, read.game, read.version, result, self._now())
        try:
            await asyncio.to_thread(self.store.keep, game)
        except DBAPIError as error:
            self._log_once(
                "store", f"not kept, so not acknowledged; the boards try again: {error.orig}"
            )
            return
        ack = json.dumps({"game": read.game, "version": read.version})
        await broker.publish(f"{TREE}/{board}/ack", ack, qos=1)

    def _log_once(self, about: str, what: str) -> None:
        """Log what is wrong with a sender and a kind of message, the first time only."""
        if about not in self._logged and len(self._logged) < BOARDS:
            self._logged.add(about)
            _log.warning("%s", what)
