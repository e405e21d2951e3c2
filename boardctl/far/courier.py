"""The board's stored state of the other houses, and its connection to them.

Every change is written to disk before it is sent, so that a power cut loses nothing that the other
house knows. The board's signing key and its list of houses are in `far.json`; each house has a file
of its own below `far/`, so a damaged file, or a house that sends too much, does not affect the
others (`limits`). Without a broker, everything waits until the connection is back.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from aiomqtt import Client, MqttError, Will
from nacl.bindings import crypto_sign_seed_keypair

from boardctl.drivers.ports import PortError
from boardctl.far import DIRECTORY, KEPT, TREE, limits, presence
from boardctl.far.channel import Channel, Taken
from boardctl.far.ends import End, Greeting, House, Onlooker
from boardctl.far.game import FarGame
from boardctl.far.look import Look
from boardctl.far.meeting import Meeting, Met
from boardctl.far.presence import Heard
from boardctl.far.session import Session
from boardctl.features import Board
from boardctl.games import IllegalMove
from boardctl.mqtt.connection import GOODBYE, Broker, client, end_task, expiring, reason, remedy
from boardctl.options import read_file
from boardctl.signals import Signal
from boardctl.storage import files
from boardctl.text import Sentence

_log: Final = logging.getLogger(__name__)
FAR: Final = "far"
"""By whom lines are submitted that both houses have agreed."""
HELD: Final = 14 * 24 * 3600
"""Seconds for which the broker holds messages for a house that is away."""
AGAIN: Final = 10.0
"""Seconds after which what failed is tried again."""
ANSWER: Final = 5.0
"""Seconds after which words that no board answers, and none says are open, are told to be so."""
LEAVING: Final = 8
"""The most houses that are still to hear that they were taken out of the list."""
LONGEST: Final = 1 << 24
"""The most bytes of the list of houses; before version 1.2 the games were in it too."""
ENDING: Final = 64
"""The most retained greetings whose place is still to be taken."""
ACKNOWLEDGED: Final = 1.0
"""Seconds for which it may be unwritten that the other end has a message: it says so again."""


class Packet(NamedTuple):
    """A message for the broker."""

    topic: str
    payload: bytes
    retain: bool = False
    lasts: int | None = None
    """Seconds for which the broker retains it; None until another takes its place."""


class Courier(ABC):
    """The stored state of the other houses, and the connection to them."""

    def __init__(
        self,
        board: Board,
        broker: Broker,
        waits: Callable[[], Iterator[float]],
        clock: Callable[[], float],
    ) -> None:
        """Open the stored state. Raises OSError or ValueError if it cannot be read."""
        self._board, self._broker, self._waits, self._clock = board, broker, waits, clock
        self.houses: list[House] = []
        self.active: House | None = None
        """The house whose game is on the table."""
        self.left: House | None = None
        """The house whose game was set aside, while nothing else has begun on the table."""
        self._leaving: list[End] = []
        """Houses that were taken out of the list, until they have heard of that."""
        self.onlookers: list[Onlooker] = []
        self.looking: Onlooker | None = None
        """The house at whose game this board looks on."""
        self.meeting: Meeting | None = None
        self._opening = asyncio.Lock()
        """Held while a meeting is prepared, so that what was tapped twice is done once."""
        self.words: tuple[str, ...] = ()
        """The words of an open invitation."""
        self.is_late = False
        """Whether the words that were accepted last had been used or taken back before."""
        self.is_unanswered = False
        """Whether no board is known to invite with the words that were accepted last."""
        self._answer: asyncio.TimerHandle | None = None
        """Runs until the words that were accepted last count as unanswered."""
        self.changed: Signal[[]] = Signal()
        """Called when something changed that a page shows."""
        self._ending: list[Packet] = []
        """What takes the place of retained greetings that nobody needs any more."""
        self._offer: dict[str, Any] = {}
        self._own = self._partner = ""
        self._seed = secrets.token_bytes(32)
        self._path, self._directory = board.data / KEPT, board.data / DIRECTORY
        self._connections = 0
        """The number of the last connection."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._is_connected = False
        self.trouble: Sentence | None = None
        """What has to be put right before there is a connection."""
        self._news = asyncio.Event()
        self._saved = asyncio.Event()
        self._due: Callable[[], Iterator[Packet]] = lambda: iter(())
        """What may be sent: it is on disk."""
        self._is_applying = self._is_closed = False
        self._written = b""
        self._computing: set[House] = set()
        self._writing: asyncio.Future[None] | None = None
        self._load()
        self._tasks: set[asyncio.Task[None]] = set()
        self._start(self._always(self._keep), "far-keep")
        self._start(self._always(self._connect), "far")

    @abstractmethod
    def _begun(self, house: House) -> None:
        """Called when a game has begun."""

    @abstractmethod
    def _follow(self, house: House) -> None:
        """Handle a message from a house."""

    @abstractmethod
    def _look(self, end: Onlooker) -> None:
        """Handle a message from the house whose game this board watches."""

    @property
    def _ends(self) -> list[End]:
        return [*self.houses, *self._leaving, *self.onlookers]

    # Tasks

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not self._is_closed:
            _log.error("%s: the next event tries again", task.get_name(), exc_info=error)

    async def _always(self, part: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Keep a task running: log its failure and start it again."""
        while True:
            try:
                await part()
            except Exception:  # noqa: BLE001 - keys and light go on
                _log.exception("the games with other houses: a part has failed and begins again")
            await asyncio.sleep(AGAIN)
            self._news.set()

    async def close(self) -> None:
        """Stop, and leave the stored state unchanged."""
        self._is_closed = True
        for timer in (*self._timers.values(), *([self._answer] if self._answer else [])):
            timer.cancel()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        for task in tasks:
            await end_task(task)
        if self._writing is not None:
            with suppress(OSError):
                await self._writing

    # The disk

    def _happened(self) -> None:
        self._news.set()
        self._resume()
        game = None if self.active is None else self.active.session.game
        for onlooker in self.onlookers:
            if game is not None and onlooker.look.is_ours:
                onlooker.look.show(game)
        for house in self.houses:
            house.session.set_aside(house is not self.active)
            game = house.session.game
            is_idle = house not in self._computing and not self._is_closed
            if game is not None and game.due_work is not None and is_idle:
                self._computing.add(house)
                self._start(self._compute(house, game), "far-deal")
        self.changed.send()

    async def _compute(self, house: House, game: FarGame) -> None:
        """Do the arithmetic of a deal in another thread, so that keys and lights keep working."""
        loop = asyncio.get_running_loop()
        try:
            while (work := game.due_work) is not None:
                found = loop.run_in_executor(None, work.run)
                try:
                    await asyncio.wait((found,))
                finally:
                    found.cancel()  # else nobody would take what it raises after our end
                game.finish(work, found.result)
                self._follow(house)
        finally:
            self._computing.discard(house)

    def _load(self) -> None:
        try:
            stored = json.loads(read_file(self._path, LONGEST))
        except FileNotFoundError:
            return
        self._seed = bytes.fromhex(stored["seed"])
        self._connections = int(stored.get("connections", 0))
        if "ends" in stored:
            ends = {name: self._load_end(str(name)) for name in stored["ends"]}
        else:
            ends = self._load_all(stored)
        for end in ends.values():
            if isinstance(end, House):
                self.houses.append(end)
            elif isinstance(end, Onlooker):
                self.onlookers.append(end)
            elif end is not None:
                self._leaving.append(end)
        active, left = ends.get(stored["active"]), ends.get(stored.get("left"))
        looking = ends.get(stored.get("looking"))
        self.active = active if isinstance(active, House) else None
        self.left = left if isinstance(left, House) else None
        self.looking = looking if isinstance(looking, Onlooker) else None
        if stored["meeting"] is not None:
            self.meeting = Meeting.restored(stored["meeting"], self._seed, secrets.token_bytes)
        self.words, self._offer = tuple(stored["words"]), stored["offer"]
        self._own, self._partner = stored["own"], stored["partner"]
        self.is_late = bool(stored.get("late"))
        self._ending = [
            Packet(topic, bytes.fromhex(payload), True, HELD)
            for topic, payload in stored.get("ending", ())
        ]

    def _load_end(self, name: str) -> End | None:
        """Return one end's stored state, None if it cannot be read; the other ends are not
        affected."""
        path = self._directory / name
        try:
            content = read_file(path, limits.LARGEST)
            end = self._restored(json.loads(content))
        except (OSError, KeyError, TypeError, ValueError, IllegalMove) as error:
            _log.error("%s: a house cannot be read, and is left out: %s", path, error)
            with suppress(OSError):
                path.rename(path.with_suffix(".damaged"))
            return None
        end.on_disk = content
        return end

    def _load_all(self, stored: dict[str, Any]) -> dict[Any, End | None]:
        """Return the ends of an older version's file, by name. That file holds all ends; its
        indices of ends on the table become names too."""
        kinds = ("houses", "house"), ("leaving", "leaving"), ("onlookers", "onlooker")
        lists = {
            key: [self._restored({"kind": kind, **one}) for one in stored.get(key, ())]
            for key, kind in kinds
        }
        places = ("active", "houses"), ("left", "houses"), ("looking", "onlookers")
        for field, key in places:
            if stored.get(field) is not None:
                stored[field] = lists[key][stored[field]].file
        return {end.file: end for ends in lists.values() for end in ends}

    def _restored(self, stored: dict[str, Any]) -> End:
        """Return one end from its stored state. Raises KeyError, TypeError or ValueError if it is
        damaged, IllegalMove if its game cannot be played here."""
        draw, greeting = secrets.token_bytes, Greeting.restored(stored)
        end: End
        if stored["kind"] == "house":
            session = Session.restored(stored["session"], self._seed, draw)
            end = House(session, greeting, self._clock)
            end.waits = bool(stored.get("waits"))
        elif stored["kind"] == "onlooker":
            look = Look.restored(stored["look"], self._seed, draw)
            end = Onlooker(look, greeting, self._clock)
        else:
            channel = Channel.restored(stored["channel"], self._seed, draw)
            end = End(channel, greeting, self._clock)
        end.restore(stored)
        return end

    def _kept(self) -> bytes:
        """Return the list of houses and the state that belongs to none of them."""
        stored = {
            "seed": self._seed.hex(),
            "connections": self._connections,
            "ends": [end.file for end in self._ends],
            "looking": None if self.looking is None else self.looking.file,
            "active": None if self.active is None else self.active.file,
            "left": None if self.left is None else self.left.file,
            "meeting": None if self.meeting is None else self.meeting.kept(),
            "words": self.words,
            "offer": self._offer,
            "own": self._own,
            "partner": self._partner,
            "late": self.is_late,
            "ending": [(packet.topic, packet.payload.hex()) for packet in self._ending],
        }
        return json.dumps(stored).encode()

    def _fresh(self) -> tuple[dict[End, bytes], list[End]]:
        """Return the changed state of each end, and the ends that must wait because they have
        written or sent too much."""
        fresh, waiting = dict[End, bytes](), list[End]()
        for end in self._ends:
            content = json.dumps(end.content()).encode()
            if content == end.on_disk:
                continue
            if len(content) > limits.LARGEST:
                _log.error("%s: too large to be read again, and not written", end.file)
                waiting.append(end)
            elif end.written.take(len(content)):
                fresh[end] = content
            else:
                waiting.append(end)
                self._later("write", end.written.wait(len(content)), self._news.set)
        return fresh, waiting

    def _later(self, name: str, seconds: float, act: Callable[[], None]) -> None:
        """Do something later; the same is done once."""

        def due() -> None:
            del self._timers[name]
            act()

        if name not in self._timers:
            loop = asyncio.get_running_loop()
            self._timers[name] = loop.call_later(max(seconds, 0.05), due)

    async def _keep(self) -> None:
        """Write the changes, and only then send the resulting messages."""
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
                stored, (fresh, waiting) = self._kept(), self._fresh()
                packets = self._packets([end for end in self._ends if end not in waiting])
                # The list names no file that is not there. A message that changes it is taken again
                # after a power cut, since the file of its house comes last.
                await self._write_ends({e: fresh[e] for e in fresh if not e.on_disk})
                if stored != self._written:
                    await self._write(files.replace, self._path, stored)
                    self._written = stored
                    await self._write(_sweep, self._directory, {end.file for end in self._ends})
                await self._write_ends({e: fresh[e] for e in fresh if e.on_disk != fresh[e]})
            except OSError as error:
                self._board.controller.report(FAR, f"{self._path}: {error.strerror}")
                asyncio.get_running_loop().call_later(AGAIN, self._news.set)
                continue
            self._board.controller.report(FAR, None)
            self._due = packets
            self._saved.set()

    async def _write_ends(self, contents: dict[End, bytes]) -> None:
        """Write the files of ends. Raises OSError."""
        for end, content in contents.items():
            self._directory.mkdir(mode=0o700, exist_ok=True)
            await self._write(files.replace, self._directory / end.file, content)
            end.on_disk = content

    async def _write(self, write: Callable[..., None], path: Path, content: object) -> None:
        """Write in another thread, and finish even if the board is closed meanwhile. Raises
        OSError."""
        self._writing = asyncio.ensure_future(asyncio.to_thread(write, path, content))
        await asyncio.shield(self._writing)

    def _packets(self, ends: list[End]) -> Callable[[], Iterator[Packet]]:
        """Yield the messages to send to these ends once the present state is on disk. A message
        counts as sent when the next one is requested."""
        due = [(end, n) for end in ends for n in end.channel.outbox if n not in end.sent]
        also = [(end, kind, packet) for end in ends for kind, packet in end.also.items()]
        greetings = [end.greeting for end in ends if end.greeting.hello]
        ending = tuple(self._ending)
        meeting = self.meeting

        def packets() -> Iterator[Packet]:
            for over in ending:
                if over in self._ending:
                    yield over
                    self._ending.remove(over)
            if meeting is not None and meeting.house == 2:
                yield Packet(f"{TREE}/{meeting.topic}/2", meeting.greet(), True)
                self._await_answer(meeting)
            elif meeting is not None and meeting is self.meeting:
                yield Packet(f"{TREE}/{meeting.topic}/open", meeting.open(), True, HELD)
            for topic, hello, _ in greetings:
                yield Packet(f"{TREE}/{topic}/1", hello, True)
            for end, number in due:
                packet = end.channel.outbox.get(number)
                if packet is not None and number not in end.sent:
                    yield Packet(f"{end.base}/{end.channel.house}", packet)
                    end.sent.add(number)
            for end, kind, packet in also:
                if end.also.get(kind) is packet:
                    yield Packet(f"{end.base}/{end.channel.house}", packet)
                    if end.also.get(kind) is packet:
                        del end.also[kind]

        return packets

    # The broker

    def _meeting(self, secret: int, house: int, own: str, looks_on: bool = False) -> Meeting:
        return Meeting(secret, house, self._seed, own, secrets.token_bytes, looks_on)

    def _await_answer(self, meeting: Meeting) -> None:
        """Wait for an answer after our greeting has reached the broker: a board that invites with
        these words answers at once."""

        def over() -> None:
            self._answer = None
            if self.meeting is meeting and self._is_connected and not meeting.is_open:
                self.is_unanswered = True
                self._happened()

        if self._answer is None and not (self.is_unanswered or meeting.is_open):
            self._answer = asyncio.get_running_loop().call_later(ANSWER, over)

    def _no_meeting(self) -> None:
        """Nobody is waited for any more."""
        if self._answer is not None:
            self._answer.cancel()
        self.meeting, self.words, self._answer, self.is_unanswered = None, (), None, False

    async def _connect(self) -> None:
        """Stay connected as long as there is anybody to talk to."""
        waits = self._waits()
        public, _ = crypto_sign_seed_keypair(self._seed)
        name = presence.topic(public)
        while True:
            try:
                self._connections = max(self._connections + 1, int(time.time()))
                here, over = (Heard(self._connections, is_over) for is_over in (False, True))
                gone = presence.say(self._seed, over)
                will = Will(name, gone, qos=1, retain=True)
                async with client(self._broker, presence.client(self._seed), will, HELD) as mqtt:
                    waits = self._waits()
                    self._is_connected, self.trouble = True, None
                    try:
                        await mqtt.publish(name, presence.say(self._seed, here), qos=1, retain=True)
                        await self._talk(mqtt)
                    except asyncio.CancelledError:
                        with suppress(MqttError):  # then the last will says it
                            await mqtt.publish(name, gone, 1, True, timeout=GOODBYE)
                        raise
            except (MqttError, OSError, PortError) as error:
                _log.info("no broker for the other houses: %s", reason(error))
                self.trouble = remedy(error, self._broker.host)
            finally:
                self._is_connected = False
                for one in self._ends:
                    one.is_here = False
            self._happened()
            await asyncio.sleep(next(waits))

    async def _talk(self, mqtt: Client) -> None:
        """Listen and send until the connection is lost. Raises MqttError or OSError."""
        for one in self._ends:
            one.sent.clear()
            one.also["have"] = one.channel.have(again=True)
        self._happened()
        try:
            async with asyncio.TaskGroup() as parts:
                parts.create_task(self._listen(mqtt), name="far-listen")
                parts.create_task(self._send(mqtt), name="far-send")
        except ExceptionGroup as failed:  # `except*` wraps what it raises before Python 3.11.4
            if failed.split((MqttError, OSError))[1] is not None:
                raise
            raise MqttError("the connection is lost") from failed

    async def _send(self, mqtt: Client) -> None:
        """Subscribe to the wanted topics and send the stored messages whenever there are new ones.
        Waiting for the broker's answer has no time limit: a lost connection ends it."""
        subscribed = set[str]()
        while True:
            wanted = self._wanted()
            subscribed.intersection_update(wanted)  # wanted again later, it is told what is there
            for topic in [one for one in wanted if one not in subscribed]:
                await mqtt.subscribe(topic, qos=1, timeout=math.inf)
                subscribed.add(topic)
            for topic, packet, retain, lasts in self._due():
                properties = None if lasts is None else expiring(lasts)
                await mqtt.publish(topic, packet, 1, retain, properties, timeout=math.inf)
            await self._saved.wait()
            self._saved.clear()

    def _wanted(self) -> list[str]:
        """Return the topics on which others may talk to this board."""
        topics = [f"{one.base}/{3 - one.channel.house}" for one in self._ends]
        topics += [one.presence for one in self._ends]
        if self.meeting is not None:
            topics.append(f"{TREE}/{self.meeting.topic}/{3 - self.meeting.house}")
            if self.meeting.house == 2:
                topics.append(f"{TREE}/{self.meeting.topic}/open")
        return topics

    async def _listen(self, mqtt: Client) -> None:
        """Receive messages; log a message that fails, and continue with the next."""
        async for message in mqtt.messages:
            payload = message.payload
            try:
                self._take(str(message.topic), payload if isinstance(payload, bytes) else b"")
            except Exception:  # noqa: BLE001 - one message must not end the connection
                _log.exception("a message of another house has failed")

    def _take(self, topic: str, packet: bytes) -> None:
        """Handle a message of the broker, unless it is from an unknown house."""
        meeting = self.meeting
        if meeting is not None and topic == f"{TREE}/{meeting.topic}/{3 - meeting.house}":
            self._meet(meeting, packet)
            return
        if meeting is not None and topic == f"{TREE}/{meeting.topic}/open":
            meeting.hear_open(packet)
            self.is_unanswered = self.is_unanswered and not meeting.is_open
            self._happened()
            return
        for end in self._ends:
            if topic == end.presence:
                if end.hear(packet):
                    end.last = time.time() if end.is_here or not end.last else end.last
                    self._happened()
            elif topic == f"{end.base}/{3 - end.channel.house}":
                self._receive(end, packet)

    def _receive(self, end: End, packet: bytes) -> None:
        before = end.channel.taken
        count = end.session.number if isinstance(end, House) else 0
        taken = end.take(packet)
        if not taken.is_genuine:
            _log.debug("a packet that is not of the other end is dropped")
            return
        end.last = time.time()
        end.answer(taken, before)
        if not taken.is_taken:
            end.is_paused = True
            self._resume()
            return
        if taken == Taken() and not end.greeting.hello and isinstance(end, House):
            self._later("acknowledged", ACKNOWLEDGED, self._happened)  # no more than a number
            return
        if end.greeting.hello:
            self._end_meeting(end.greeting.meeting, end.greeting.over)
            end.greeting = Greeting(end.greeting.meeting)
        if isinstance(end, Onlooker):
            self._look(end)
        elif isinstance(end, House):
            if end.session.has_left:
                end.waits = False
                self.left = None if self.left is end else self.left
            if end.session.number > count:
                self._begun(end)
            self._follow(end)
        elif taken.is_behind or not end.channel.outbox:
            self._leaving.remove(end)
            self._happened()

    def _resume(self) -> None:
        """Ask for the refused messages once there is room for them."""
        for end in [one for one in self._ends if one.is_paused and not one.is_full]:
            if seconds := end.messages.wait(limits.MESSAGES / 4):
                self._later(f"resume {end.file}", seconds, self._resume)
            else:
                end.is_paused = False
                end.also["have"] = end.channel.have(again=True)
                self._news.set()

    def _meet(self, meeting: Meeting, packet: bytes) -> None:
        met = meeting.take(packet)
        if met is None:
            if meeting.is_over(packet):
                self._no_meeting()
                self.is_late = True
                self._happened()
            return
        greeting = Greeting(meeting.topic)
        if meeting.house == 1:
            greeting = Greeting(meeting.topic, meeting.greet(), meeting.over())
        self._no_meeting()
        if met.looks_on:
            onlooker = Onlooker(Look(met.channel, met.name), greeting, self._clock)
            self.onlookers.append(onlooker)
            if meeting.house == 2:
                self.looking = onlooker
        else:
            self._know(met, greeting, meeting.house)
        self._happened()

    def _end_meeting(self, topic: str, over: bytes) -> None:
        """Leave a note at the broker that the words of a meeting have been used."""
        self._ending.append(Packet(f"{TREE}/{topic}/1", over, True, HELD))
        self._ending.append(Packet(f"{TREE}/{topic}/2", b"", True, HELD))
        self._ending.append(Packet(f"{TREE}/{topic}/open", b"", True, HELD))
        del self._ending[:-ENDING]

    def _know(self, met: Met, greeting: Greeting, house: int) -> None:
        """Add a newly met house to the list under this number, and offer it the game of our
        invitation."""
        own, partner = self._own, self._partner
        session = Session(met.channel, own, met.name, secrets.token_bytes, partner)
        session.welcome = house == 2
        for old in [one for one in self.houses if one.channel.other == met.channel.other]:
            waits = old.session.is_playing or old.channel.outbox
            if old.session.is_behind or not waits:
                self._forget(old)
        self.houses.append(House(session, greeting, self._clock))
        if house == 1:
            try:
                session.offer(self._offer["game"], self._offer["options"])
            except IllegalMove as error:
                _log.error("the game cannot be offered: %s", error.code)

    def _forget(self, house: House) -> None:
        """Remove a house from the list because it has been met again."""
        self.houses.remove(house)
        if self.active is house:
            self.active = None
        if self.left is house:
            self.left = None


def _sweep(directory: Path, names: set[str]) -> None:
    """Remove the files of ends that no longer exist. Raises OSError."""
    for path in directory.glob("*.json"):
        if path.name not in names:
            path.unlink(missing_ok=True)


def _write_down(path: Path, deals: Iterable[Mapping[str, Any]]) -> None:
    """Store opened deals, one per line, so that anybody can check them (`boardctl sealed verify
    --far`). Each is stored once, even after a power cut. Raises OSError."""
    before = path.read_text("ascii").splitlines() if path.exists() else []
    proofs = [json.dumps(deal) for deal in deals]
    fresh = [line for line in proofs if line not in before]
    if fresh:
        files.replace(path, "".join(f"{line}\n" for line in (*before, *fresh)).encode())
