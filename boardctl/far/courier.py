"""What a board keeps of the other houses, and the connection over which it talks to them.

What happens is written to `far.json` before anything of it leaves the house, so that a power cut
loses nothing that the other house knows of. Without a broker everything goes on as soon as there
is one again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

from aiomqtt import Client, MqttError, Will
from nacl.bindings import crypto_sign_seed_keypair

from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import PortError
from boardctl.far import KEPT, TREE, group
from boardctl.far.meeting import Meeting
from boardctl.far.session import Session
from boardctl.games import IllegalMove
from boardctl.mqtt.connection import Broker, client, delays
from boardctl.options import read_file
from boardctl.storage import files
from boardctl.table import Table

_log: Final = logging.getLogger(__name__)
FAR: Final = "far"
"""By whom lines are submitted that both houses have agreed."""
HELD: Final = 14 * 24 * 3600
"""Seconds for which the broker holds messages for a house that is away."""
AGAIN: Final = 10.0
"""Seconds after which a write that failed is tried again."""
LONGEST: Final = 1 << 24
"""The most bytes of the file."""


class FarBoard(Protocol):
    """What this needs of its board."""

    @property
    def data(self) -> Path:
        """The data directory."""

    @property
    def table(self) -> Table:
        """The single writer."""

    @property
    def controller(self) -> TableController:
        """Its language, commands and faults."""


class House:
    """A house that is known: the session with it, and when it was there last."""

    def __init__(self, session: Session, greeting: bytes = b"", meeting: str = "") -> None:
        self.session = session
        self.greeting, self.meeting = greeting, meeting
        """Our greeting, and the name of the meeting, until the other house has it."""
        self.is_here = False
        self.last = 0.0
        self.sent: set[int] = set()
        self.also: list[bytes] = [session.channel.have(again=True)]

    @property
    def base(self) -> str:
        return f"{TREE}/{self.session.channel.topic}"

    @property
    def presence(self) -> str:
        return _presence(self.session.channel.other)


class Courier(ABC):
    """What is kept of the other houses, and the connection to them."""

    def __init__(
        self,
        board: FarBoard,
        broker: Broker,
        waits: Callable[[], Iterator[float]] = lambda: delays(Random()),
    ) -> None:
        """Open what was kept. Raises OSError or ValueError if it cannot be read."""
        self._board, self._broker, self._waits = board, broker, waits
        self.houses: list[House] = []
        self.active: House | None = None
        """The house whose game is on the table."""
        self.meeting: Meeting | None = None
        self.words: tuple[str, ...] = ()
        """The words of an open invitation."""
        self.changed: list[Callable[[], None]] = []
        """Called when something changed that a page shows."""
        self._erase: list[str] = []
        """Topics whose retained greetings nobody needs any more."""
        self._offer: dict[str, Any] = {}
        self._own = ""
        self._seed = secrets.token_bytes(32)
        self._path = board.data / KEPT
        self._mqtt: Client | None = None
        self._news = asyncio.Event()
        self._is_applying = False
        self._load()
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._keep(), name="far-keep"),
            loop.create_task(self._connect(), name="far"),
        ]

    @abstractmethod
    def _begun(self, house: House) -> None:
        """Called when a game has begun."""

    @abstractmethod
    def _follow(self, house: House) -> None:
        """Called when a house has said something."""

    # The disk

    def _happened(self) -> None:
        self._news.set()
        for call in tuple(self.changed):
            call()

    def _load(self) -> None:
        try:
            told = json.loads(read_file(self._path, LONGEST))
        except FileNotFoundError:
            return
        self._seed = bytes.fromhex(told["seed"])
        for one in told["houses"]:
            session = Session.restored(one["session"], self._seed, secrets.token_bytes)
            house = House(session, bytes.fromhex(one["greeting"]), one["meeting"])
            house.last = float(one["last"])
            self.houses.append(house)
        if told["active"] is not None:
            self.active = self.houses[told["active"]]
        if told["meeting"] is not None:
            self.meeting = Meeting.restored(told["meeting"], self._seed, secrets.token_bytes)
        self.words, self._offer, self._own = tuple(told["words"]), told["offer"], told["own"]

    def _kept(self) -> bytes:
        told = {
            "seed": self._seed.hex(),
            "houses": [
                {
                    "session": house.session.kept(),
                    "greeting": house.greeting.hex(),
                    "meeting": house.meeting,
                    "last": house.last,
                }
                for house in self.houses
            ],
            "active": None if self.active is None else self.houses.index(self.active),
            "meeting": None if self.meeting is None else self.meeting.kept(),
            "words": self.words,
            "offer": self._offer,
            "own": self._own,
        }
        return json.dumps(told).encode()

    async def _keep(self) -> None:
        """Write what happened, and only then send what follows from it."""
        while True:
            await self._news.wait()
            self._news.clear()
            packets = self._packets()
            try:
                await asyncio.to_thread(files.replace, self._path, self._kept())
            except OSError as error:
                _log.error("%s cannot be written: %s", self._path, error)
                self._board.controller.report(FAR, f"{self._path}: {error.strerror}")
                asyncio.get_running_loop().call_later(AGAIN, self._news.set)
                continue
            self._board.controller.report(FAR, None)
            if self._mqtt is not None:
                with suppress(MqttError):
                    for topic, packet, retain in packets():
                        await self._mqtt.publish(topic, packet, qos=1, retain=retain)

    def _packets(self) -> Callable[[], list[tuple[str, bytes, bool]]]:
        """What is to be sent once the present state is on disk."""
        due: list[tuple[House, int]] = [
            (house, number)
            for house in self.houses
            for number in house.session.channel.outbox
            if number not in house.sent
        ]
        also = [(house, packet) for house in self.houses for packet in house.also]
        greetings = [(house.meeting, house.greeting) for house in self.houses if house.greeting]
        meeting = self.meeting

        def packets() -> list[tuple[str, bytes, bool]]:
            found: list[tuple[str, bytes, bool]] = []
            if meeting is not None and meeting.house == 2:
                found.append((f"{TREE}/{meeting.topic}/2", meeting.greet(), True))
            found += [(f"{TREE}/{topic}/1", hello, True) for topic, hello in greetings]
            while self._erase:
                found.append((self._erase.pop(), b"", True))
            for house, number in due:
                packet = house.session.channel.outbox.get(number)
                if packet is not None:
                    house.sent.add(number)
                    found.append((f"{house.base}/{house.session.house}", packet, False))
            for house, packet in also:
                if packet in house.also:
                    house.also.remove(packet)
                    found.append((f"{house.base}/{house.session.house}", packet, False))
            return found

        return packets

    # The broker

    def _meeting(self, secret: int, house: int) -> Meeting:
        return Meeting(secret, house, self._seed, self._own, secrets.token_bytes)

    async def _connect(self) -> None:
        """Keep connected as long as there is anybody to talk to."""
        waits = self._waits()
        public, _ = crypto_sign_seed_keypair(self._seed)
        name = _presence(public)
        while True:
            try:
                will = Will(name, "offline", qos=1, retain=True)
                async with client(self._broker, name.replace("/", "-"), will, HELD) as mqtt:
                    waits = self._waits()
                    self._mqtt = mqtt
                    await mqtt.publish(name, "online", qos=1, retain=True)
                    await self._subscribe()
                    for house in self.houses:
                        house.sent.clear()
                        house.also.append(house.session.channel.have(again=True))
                    self._happened()
                    async for message in mqtt.messages:
                        payload = message.payload
                        self._take(
                            str(message.topic), payload if isinstance(payload, bytes) else b""
                        )
            except PortError as error:
                self._board.controller.report(FAR, str(error))
            except (MqttError, OSError) as error:
                _log.info("no broker for the other houses: %s", error)
            finally:
                self._mqtt = None
                for house in self.houses:
                    house.is_here = False
            self._happened()
            await asyncio.sleep(next(waits))

    async def _subscribe(self) -> None:
        if self._mqtt is None:
            return
        topics = [f"{house.base}/{3 - house.session.house}" for house in self.houses]
        topics += [house.presence for house in self.houses]
        if self.meeting is not None:
            topics.append(f"{TREE}/{self.meeting.topic}/{3 - self.meeting.house}")
        with suppress(MqttError):
            for topic in topics:
                await self._mqtt.subscribe(topic, qos=1)

    def _take(self, topic: str, packet: bytes) -> None:
        """Take a message of the broker; what is not from a house we know is dropped."""
        meeting = self.meeting
        if meeting is not None and topic == f"{TREE}/{meeting.topic}/{3 - meeting.house}":
            self._meet(meeting, packet)
            return
        for house in self.houses:
            if topic == house.presence:
                house.is_here = packet == b"online"
                house.last = time.time() if house.is_here or not house.last else house.last
                self._happened()
            elif topic == f"{house.base}/{3 - house.session.house}":
                self._hear(house, packet)

    def _hear(self, house: House, packet: bytes) -> None:
        session = house.session
        before, count = session.channel.taken, session.number
        taken = session.take(packet)
        if not taken.is_genuine:
            _log.debug("a packet that is not of the other house is dropped")
            return
        house.last = time.time()
        if house.greeting:
            house.greeting = b""
            self._erase += [f"{TREE}/{house.meeting}/1", f"{TREE}/{house.meeting}/2"]
        house.also.extend(taken.again)
        if session.channel.taken > before:
            house.also.append(session.channel.have())
        if session.number > count:
            self._begun(house)
        self._follow(house)

    def _meet(self, meeting: Meeting, packet: bytes) -> None:
        met = meeting.take(packet)
        if met is None:
            return
        session = Session(met.channel, self._own, met.name, secrets.token_bytes)
        session.welcome = meeting.house == 2
        hello = meeting.greet() if meeting.house == 1 else b""
        house = House(session, hello, meeting.topic)
        self.houses.append(house)
        self.meeting, self.words = None, ()
        if meeting.house == 1:
            try:
                session.offer(self._offer["game"], self._offer["options"])
            except IllegalMove as error:
                _log.error("the game cannot be offered: %s", error.code)
        asyncio.get_running_loop().create_task(self._greeted())
        self._happened()

    async def _greeted(self) -> None:
        await self._subscribe()
        self._happened()

    async def close(self) -> None:
        """Stop, and leave what is kept as it is."""
        for task in self._tasks:
            while not task.done():
                task.cancel()
                await asyncio.wait((task,), timeout=0.5)


def _presence(public: bytes) -> str:
    return f"{TREE}/{group.digest('presence', public)[:16].hex()}/online"
