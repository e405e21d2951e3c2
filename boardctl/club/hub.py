"""The hub: listens to all boards of a broker, keeps their results, and says so to each.

A result is acknowledged when it is on the hub's disk and not before; a repeat is acknowledged
again and counted once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

from aiomqtt import Client, Message, MqttError, Will

from boardctl.club.store import Game, Store
from boardctl.mqtt import NAME, TREE
from boardctl.mqtt.client import HUB
from boardctl.mqtt.connection import Broker, client, delays, leaving
from boardctl.mqtt.results import LONGEST, Malformed, read_json, read_result

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
        self.live: dict[str, Mapping[str, Any]] = {}
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
                self._log_once(f"no broker: {error}")
            if leaving():
                return
            await asyncio.sleep(next(waits))

    async def _hear(self, broker: Client, message: Message) -> None:
        _, board, what = str(message.topic).split("/")
        if not NAME.fullmatch(board) or board == "hub":
            return
        payload = message.payload if isinstance(message.payload, bytes) else b""
        try:
            if what == "result":
                await self._keep(broker, board, payload)
            elif what == "online":
                (self.online.add if payload == b"online" else self.online.discard)(board)
            elif board in self.live or len(self.live) < BOARDS:
                self.live[board] = _state(payload)
        except Malformed as error:
            self._log_once(f"{message.topic}: {error}")

    async def _keep(self, broker: Client, board: str, payload: bytes) -> None:
        name, version, result = read_result(payload)
        game = Game(board, name, version, result, self._now())
        try:
            await asyncio.to_thread(self.store.keep, game)
        except sqlite3.Error as error:
            self._log_once(f"not kept, so not acknowledged; the boards try again: {error}")
            return
        ack = json.dumps({"game": name, "version": version})
        await broker.publish(f"{TREE}/{board}/ack", ack, qos=1)

    def _log_once(self, what: str) -> None:
        """What is wrong is told once, however often it comes."""
        if what not in self._logged and len(self._logged) < BOARDS:
            self._logged.add(what)
            _log.warning("%s", what)


def _state(payload: bytes) -> Mapping[str, Any]:
    """What the page shows of a table. Raises Malformed."""
    told = read_json(payload, LONGEST)
    if not isinstance(told, dict):
        raise Malformed("is no state")
    seats, scores = told.get("seats"), told.get("scores")
    if not isinstance(seats, list) or not isinstance(scores, list):
        raise Malformed("a state has seats and scores")
    return {
        "game": str(told.get("game"))[:40],
        "seats": [str(seat)[:40] for seat in seats[:4]],
        "scores": [score for score in scores[:4] if isinstance(score, int)],
        "over": told.get("over") is True,
    }
