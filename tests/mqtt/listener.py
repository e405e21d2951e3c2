"""A client that listens on a broker."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiomqtt import Client

from boardctl.mqtt.connection import client
from tests.mqtt.broker import Mosquitto


class Listener:
    """The messages received from a broker, by topic."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.heard: dict[str, list[bytes]] = {}

    def last(self, topic: str) -> Any:
        answer = self.heard.get(topic, [b"null"])[-1]
        return answer.decode() if topic.endswith("online") else json.loads(answer or b"null")


@asynccontextmanager
async def listening(broker: Mosquitto, user: str, *topics: str) -> AsyncIterator[Listener]:
    async with client(broker.as_user(user), f"test-{user}") as connection:
        ear = Listener(connection)

        async def listen() -> None:
            async for message in connection.messages:
                assert isinstance(message.payload, bytes)
                ear.heard.setdefault(str(message.topic), []).append(message.payload)

        for topic in topics:
            await connection.subscribe(topic, qos=1)
        task = asyncio.create_task(listen())
        yield ear
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
