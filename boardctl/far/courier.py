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
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

from aiomqtt import Client, MqttError, Will
from nacl.bindings import crypto_sign_seed_keypair

from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import PortError
from boardctl.far import KEPT, TREE, group
from boardctl.far.channel import Channel
from boardctl.far.deal import Deal
from boardctl.far.game import FarGame
from boardctl.far.keeping import transcript
from boardctl.far.look import Look
from boardctl.far.meeting import Meeting, Met
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


class End:
    """Somebody at the other end of a channel, and when they were there last."""

    def __init__(self, channel: Channel, greeting: bytes, meeting: str) -> None:
        self.channel = channel
        self.greeting, self.meeting = greeting, meeting
        """Our greeting, and the name of the meeting, until the other end has it."""
        self.is_here = False
        self.last = 0.0
        self.sent: set[int] = set()
        self.also: list[bytes] = [channel.have(again=True)]

    @property
    def base(self) -> str:
        return f"{TREE}/{self.channel.topic}"

    @property
    def presence(self) -> str:
        return _presence(self.channel.other)

    def kept(self) -> dict[str, Any]:
        """What there is besides the session; `last` to the minute."""
        last = self.last // 60 * 60
        return {"greeting": self.greeting.hex(), "meeting": self.meeting, "last": last}


class House(End):
    """A house that is known, and the session with it."""

    def __init__(self, session: Session, greeting: bytes = b"", meeting: str = "") -> None:
        super().__init__(session.channel, greeting, meeting)
        self.session = session


class Onlooker(End):
    """An onlooker of our games, or a house at whose games this board looks on."""

    def __init__(self, look: Look, greeting: bytes = b"", meeting: str = "") -> None:
        super().__init__(look.channel, greeting, meeting)
        self.look = look
        self.shown = 0
        """How many of its lines are on the table."""
        self.shown_of = ""
        """Of which game they are."""


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
        self.onlookers: list[Onlooker] = []
        self.looking: Onlooker | None = None
        """The house at whose game this board looks on."""
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
        self._written = b""
        self._computing: set[House] = set()
        self._writing: asyncio.Future[None] | None = None
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

    @abstractmethod
    def _look(self, end: Onlooker) -> None:
        """Called when the house at whose games this board looks on has said something."""

    @property
    def _ends(self) -> list[End]:
        return [*self.houses, *self.onlookers]

    # The disk

    def _happened(self) -> None:
        self._news.set()
        game = None if self.active is None else self.active.session.game
        for onlooker in self.onlookers:
            if game is not None and onlooker.look.is_ours:
                onlooker.look.tell(game)
        for house in self.houses:
            game = house.session.game
            if game is not None and game.work is not None and house not in self._computing:
                self._computing.add(house)
                task = asyncio.get_running_loop().create_task(self._compute(house, game))
                self._tasks.append(task)
                task.add_done_callback(self._tasks.remove)
        for call in tuple(self.changed):
            call()

    async def _compute(self, house: House, game: FarGame) -> None:
        """Do the arithmetic of a deal in another thread: keys and light go on meanwhile."""
        loop = asyncio.get_running_loop()
        try:
            while (work := game.work) is not None:
                found = loop.run_in_executor(None, work.run)
                await asyncio.wait((found,))
                game.finish(found.result)
                self._follow(house)
        finally:
            self._computing.discard(house)

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
        for one in told.get("onlookers", ()):
            look = Look.restored(one["look"], self._seed, secrets.token_bytes)
            onlooker = Onlooker(look, bytes.fromhex(one["greeting"]), one["meeting"])
            onlooker.last = float(one["last"])
            self.onlookers.append(onlooker)
        if told.get("looking") is not None:
            self.looking = self.onlookers[told["looking"]]
        if told["active"] is not None:
            self.active = self.houses[told["active"]]
        if told["meeting"] is not None:
            self.meeting = Meeting.restored(told["meeting"], self._seed, secrets.token_bytes)
        self.words, self._offer, self._own = tuple(told["words"]), told["offer"], told["own"]

    def _kept(self) -> bytes:
        told = {
            "seed": self._seed.hex(),
            "houses": [{"session": house.session.kept(), **house.kept()} for house in self.houses],
            "onlookers": [{"look": one.look.kept(), **one.kept()} for one in self.onlookers],
            "looking": None if self.looking is None else self.onlookers.index(self.looking),
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
            games = [house.session.game for house in self.houses]
            opened = [(game, tuple(game.opened)) for game in games if game and game.opened]
            try:
                for game, deals in opened:
                    path = self._board.data / f"far-{game.proposal.ident.hex()[:16]}.jsonl"
                    await self._write(_write_down, path, deals)
                    del game.opened[: len(deals)]
                packets, told = self._packets(), self._kept()
                if told != self._written:
                    await self._write(files.replace, self._path, told)
                    self._written = told
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

    async def _write(self, write: Callable[..., None], path: Path, content: object) -> None:
        """Write in another thread, to the end even if the board is closed meanwhile. Raises
        OSError."""
        self._writing = asyncio.ensure_future(asyncio.to_thread(write, path, content))
        await asyncio.shield(self._writing)

    def _packets(self) -> Callable[[], list[tuple[str, bytes, bool]]]:
        """What is to be sent once the present state is on disk."""
        ends = self._ends
        due = [(end, n) for end in ends for n in end.channel.outbox if n not in end.sent]
        also = [(end, packet) for end in ends for packet in end.also]
        greetings = [(end.meeting, end.greeting) for end in ends if end.greeting]
        meeting = self.meeting

        def packets() -> list[tuple[str, bytes, bool]]:
            found: list[tuple[str, bytes, bool]] = []
            if meeting is not None and meeting.house == 2:
                found.append((f"{TREE}/{meeting.topic}/2", meeting.greet(), True))
            found += [(f"{TREE}/{topic}/1", hello, True) for topic, hello in greetings]
            while self._erase:
                found.append((self._erase.pop(), b"", True))
            for end, number in due:
                packet = end.channel.outbox.get(number)
                if packet is not None:
                    end.sent.add(number)
                    found.append((f"{end.base}/{end.channel.house}", packet, False))
            for end, packet in also:
                if packet in end.also:
                    end.also.remove(packet)
                    found.append((f"{end.base}/{end.channel.house}", packet, False))
            return found

        return packets

    # The broker

    def _meeting(self, secret: int, house: int, looks_on: bool = False) -> Meeting:
        return Meeting(secret, house, self._seed, self._own, secrets.token_bytes, looks_on)

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
                    for end in self._ends:
                        end.sent.clear()
                        end.also.append(end.channel.have(again=True))
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
                for end in self._ends:
                    end.is_here = False
            self._happened()
            await asyncio.sleep(next(waits))

    async def _subscribe(self) -> None:
        if self._mqtt is None:
            return
        topics = [f"{end.base}/{3 - end.channel.house}" for end in self._ends]
        topics += [end.presence for end in self._ends]
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
        for end in self._ends:
            if topic == end.presence:
                end.is_here = packet == b"online"
                end.last = time.time() if end.is_here or not end.last else end.last
                self._happened()
            elif topic == f"{end.base}/{3 - end.channel.house}":
                self._hear(end, packet)

    def _hear(self, end: End, packet: bytes) -> None:
        before = end.channel.taken
        count = end.session.number if isinstance(end, House) else 0
        if isinstance(end, House):
            taken = end.session.take(packet)
        else:
            assert isinstance(end, Onlooker)
            taken = end.look.take(packet)
        if not taken.is_genuine:
            _log.debug("a packet that is not of the other end is dropped")
            return
        end.last = time.time()
        if end.greeting:
            end.greeting = b""
            self._erase += [f"{TREE}/{end.meeting}/1", f"{TREE}/{end.meeting}/2"]
        end.also.extend(taken.again)
        if end.channel.taken > before:
            end.also.append(end.channel.have())
        if isinstance(end, Onlooker):
            self._look(end)
        elif isinstance(end, House):
            if end.session.number > count:
                self._begun(end)
            self._follow(end)

    def _meet(self, meeting: Meeting, packet: bytes) -> None:
        met = meeting.take(packet)
        if met is None:
            return
        hello = meeting.greet() if meeting.house == 1 else b""
        self.meeting, self.words = None, ()
        if met.looks_on:
            onlooker = Onlooker(Look(met.channel, met.name), hello, meeting.topic)
            self.onlookers.append(onlooker)
            if meeting.house == 2:
                self.looking = onlooker
        else:
            self._know(met, hello, meeting)
        asyncio.get_running_loop().create_task(self._greeted())
        self._happened()

    def _know(self, met: Met, hello: bytes, meeting: Meeting) -> None:
        """Note a house that was met, and offer it the game of the invitation if it is ours."""
        session = Session(met.channel, self._own, met.name, secrets.token_bytes)
        session.welcome = meeting.house == 2
        for old in [one for one in self.houses if one.channel.other == met.channel.other]:
            waits = old.session.is_playing or old.channel.outbox
            if old.session.is_behind or not waits:
                self._forget(old)
        self.houses.append(House(session, hello, meeting.topic))
        if meeting.house == 1:
            try:
                session.offer(self._offer["game"], self._offer["options"])
            except IllegalMove as error:
                _log.error("the game cannot be offered: %s", error.code)

    def _forget(self, house: House) -> None:
        """Leave a house out of the list: it has been met anew."""
        self.houses.remove(house)
        if self.active is house:
            self.active = None

    async def _greeted(self) -> None:
        await self._subscribe()
        self._happened()

    async def close(self) -> None:
        """Stop, and leave what is kept as it is."""
        for task in tuple(self._tasks):
            while not task.done():
                task.cancel()
                await asyncio.wait((task,), timeout=0.5)
        if self._writing is not None:
            with suppress(OSError):
                await self._writing


def _write_down(path: Path, deals: Iterable[tuple[Deal, bytes]]) -> None:
    """Keep opened deals, one line each, so that anybody can check them (`boardctl sealed
    verify-far`): each once, though a power cut may have come before it was noted. Raises OSError.
    """
    before = path.read_text("ascii").splitlines() if path.exists() else []
    told = [json.dumps(transcript(deal, secret)) for deal, secret in deals]
    fresh = [line for line in told if line not in before]
    if fresh:
        files.replace(path, "".join(f"{line}\n" for line in (*before, *fresh)).encode())


def _presence(public: bytes) -> str:
    return f"{TREE}/{group.digest('presence', public)[:16].hex()}/online"
