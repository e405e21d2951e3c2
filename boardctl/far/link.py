"""The connection of a board to the other houses.

Without a broker, everything continues as soon as the broker is back.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, Protocol

from aiomqtt import Client, MqttError, Will
from nacl.bindings import crypto_sign_seed_keypair

from boardctl.drivers.ports import PortError
from boardctl.far import TREE, limits, presence
from boardctl.far.channel import Taken
from boardctl.far.ends import End, Greeting, House, Onlooker
from boardctl.far.known import HELD, Known, Packet
from boardctl.far.look import Look
from boardctl.far.meeting import Meeting, Met
from boardctl.far.presence import Heard
from boardctl.far.session import Session
from boardctl.far.tasks import Tasks
from boardctl.games import IllegalMove
from boardctl.mqtt.connection import GOODBYE, Broker, client, expiring, reason, remedy
from boardctl.text import Sentence

_log: Final = logging.getLogger(__name__)
ANSWER: Final = 5.0
"""Seconds before unanswered words are reported, if nobody says that they are open."""
ACKNOWLEDGED: Final = 1.0
"""Seconds for which the receipt of a message by the other end may stay unwritten; it reports the
receipt again."""


class Listener(Protocol):
    """The listener to incoming messages."""

    def began(self, house: House) -> None:
        """Called when a game has begun."""

    def said(self, house: House) -> None:
        """Called when a message of a house has been handled."""

    def looked(self, end: Onlooker) -> None:
        """Called when a message of the watched house has been handled."""

    def happened(self) -> None:
        """Called when something changes that must be written and shown."""

    def write(self) -> None:
        """Called when something must be sent."""


class FarLink:
    """The connection to the other houses."""

    def __init__(
        self,
        known: Known,
        broker: Broker,
        waits: Callable[[], Iterator[float]],
        clock: Callable[[], float],
        tasks: Tasks,
        listener: Listener,
    ) -> None:
        self.known = known
        self._broker, self._waits, self._clock, self._tasks = broker, waits, clock, tasks
        self._listener = listener
        self._answer: asyncio.TimerHandle | None = None
        """Runs until the last accepted words count as unanswered."""
        self.is_connected = False
        self.trouble: Sentence | None = None
        """The problem that people must fix before there is a connection."""
        self._saved = asyncio.Event()
        self._due: Callable[[], Iterator[Packet]] = lambda: iter(())
        """The messages that may be sent, because their state is on disk."""

    def release(self, due: Callable[[], Iterator[Packet]]) -> None:
        """Send the messages whose state is on disk now."""
        self._due = due
        self._saved.set()

    def close(self) -> None:
        """Stop waiting for an answer."""
        if self._answer is not None:
            self._answer.cancel()

    def packets(self, ends: list[End]) -> Callable[[], Iterator[Packet]]:
        """Yield the messages to send to these ends once the present state is on disk. A message
        counts as sent when the next one is requested."""
        due = [(end, n) for end in ends for n in end.channel.outbox if n not in end.sent]
        also = [(end, kind, packet) for end in ends for kind, packet in end.also.items()]
        greetings = [end.greeting for end in ends if end.greeting.hello]
        ending = tuple(self.known.ending)
        meeting = self.known.meeting

        def packets() -> Iterator[Packet]:
            for over in ending:
                if over in self.known.ending:
                    yield over
                    self.known.ending.remove(over)
            if meeting is not None and meeting.house == 2:
                yield Packet(f"{TREE}/{meeting.topic}/2", meeting.greet(), True)
                self._await_answer(meeting)
            elif meeting is not None and meeting is self.known.meeting:
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

    def _await_answer(self, meeting: Meeting) -> None:
        """Wait for an answer after our greeting has reached the broker: a board that invites with
        these words answers at once."""

        def over() -> None:
            self._answer = None
            if self.known.meeting is meeting and self.is_connected and not meeting.is_open:
                self.known.is_unanswered = True
                self._listener.happened()

        if self._answer is None and not (self.known.is_unanswered or meeting.is_open):
            self._answer = asyncio.get_running_loop().call_later(ANSWER, over)

    def no_meeting(self) -> None:
        """Report that the wait for an answer is over."""
        if self._answer is not None:
            self._answer.cancel()
        self.known.meeting, self.known.words, self._answer, self.known.is_unanswered = (
            None,
            (),
            None,
            False,
        )

    async def connect(self) -> None:
        """Stay connected while there is anybody to talk to."""
        waits = self._waits()
        public, _ = crypto_sign_seed_keypair(self.known.seed)
        name = presence.topic(public)
        while True:
            try:
                self.known.connections = max(self.known.connections + 1, int(time.time()))
                here, over = (Heard(self.known.connections, is_over) for is_over in (False, True))
                gone = presence.say(self.known.seed, over)
                will = Will(name, gone, qos=1, retain=True)
                async with client(
                    self._broker, presence.client(self.known.seed), will, HELD
                ) as mqtt:
                    waits = self._waits()
                    self.is_connected, self.trouble = True, None
                    try:
                        await mqtt.publish(
                            name, presence.say(self.known.seed, here), qos=1, retain=True
                        )
                        await self._talk(mqtt)
                    except asyncio.CancelledError:
                        with suppress(MqttError):  # the last will then reports our absence
                            await mqtt.publish(name, gone, 1, True, timeout=GOODBYE)
                        raise
            except (MqttError, OSError, PortError) as error:
                _log.info("no broker for the other houses: %s", reason(error))
                self.trouble = remedy(error, self._broker.host)
            finally:
                self.is_connected = False
                for one in self.known.ends:
                    one.is_here = False
            self._listener.happened()
            await asyncio.sleep(next(waits))

    async def _talk(self, mqtt: Client) -> None:
        """Listen and send until the connection is lost. Raises MqttError or OSError."""
        for one in self.known.ends:
            one.sent.clear()
            one.also["have"] = one.channel.have(again=True)
        self._listener.happened()
        try:
            async with asyncio.TaskGroup() as parts:
                parts.create_task(self._listen(mqtt), name="far-listen")
                parts.create_task(self._send(mqtt), name="far-send")
        except ExceptionGroup as failed:  # before Python 3.11.4 `except*` wraps its own exceptions
            if failed.split((MqttError, OSError))[1] is not None:
                raise
            raise MqttError("the connection is lost") from failed

    async def _send(self, mqtt: Client) -> None:
        """Subscribe to the wanted topics and send the stored messages whenever there are new ones.
        Waiting for the broker's answer has no time limit: a lost connection ends it."""
        subscribed = set[str]()
        while True:
            wanted = self._wanted()
            # when it is wanted again, the broker sends the retained messages
            subscribed.intersection_update(wanted)
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
        topics = [f"{one.base}/{3 - one.channel.house}" for one in self.known.ends]
        topics += [one.presence for one in self.known.ends]
        if self.known.meeting is not None:
            topics.append(f"{TREE}/{self.known.meeting.topic}/{3 - self.known.meeting.house}")
            if self.known.meeting.house == 2:
                topics.append(f"{TREE}/{self.known.meeting.topic}/open")
        return topics

    async def _listen(self, mqtt: Client) -> None:
        """Receive messages; log a message that fails, and continue with the next."""
        async for message in mqtt.messages:
            payload = message.payload
            try:
                self.take(str(message.topic), payload if isinstance(payload, bytes) else b"")
            except Exception:  # noqa: BLE001 - one message must not end the connection
                _log.exception("a message of another house has failed")

    def take(self, topic: str, packet: bytes) -> None:
        """Handle a message of the broker, unless it is from an unknown house."""
        meeting = self.known.meeting
        if meeting is not None and topic == f"{TREE}/{meeting.topic}/{3 - meeting.house}":
            self._meet(meeting, packet)
            return
        if meeting is not None and topic == f"{TREE}/{meeting.topic}/open":
            meeting.hear_open(packet)
            self.known.is_unanswered = self.known.is_unanswered and not meeting.is_open
            self._listener.happened()
            return
        for end in self.known.ends:
            if topic == end.presence:
                if end.hear(packet):
                    end.last = time.time() if end.is_here or not end.last else end.last
                    self._listener.happened()
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
            self.resume()
            return
        if taken == Taken() and not end.greeting.hello and isinstance(end, House):
            self._tasks.later(
                "acknowledged", ACKNOWLEDGED, self._listener.happened
            )  # a mere number
            return
        if end.greeting.hello:
            self.known.end_meeting(end.greeting.meeting, end.greeting.over)
            end.greeting = Greeting(end.greeting.meeting)
        if isinstance(end, Onlooker):
            self._listener.looked(end)
        elif isinstance(end, House):
            if end.session.has_left:
                end.waits = False
                self.known.left = None if self.known.left is end else self.known.left
            if end.session.number > count:
                self._listener.began(end)
            self._listener.said(end)
        elif taken.is_behind or not end.channel.outbox:
            self.known.leaving.remove(end)
            self._listener.happened()

    def resume(self) -> None:
        """Ask for the refused messages once there is room for them."""
        for end in [one for one in self.known.ends if one.is_paused and not one.is_full]:
            if seconds := end.messages.wait(limits.MESSAGES / 4):
                self._tasks.later(f"resume {end.file}", seconds, self.resume)
            else:
                end.is_paused = False
                end.also["have"] = end.channel.have(again=True)
                self._listener.write()

    def _meet(self, meeting: Meeting, packet: bytes) -> None:
        met = meeting.take(packet)
        if met is None:
            if meeting.is_over(packet):
                self.no_meeting()
                self.known.is_late = True
                self._listener.happened()
            return
        greeting = Greeting(meeting.topic)
        if meeting.house == 1:
            greeting = Greeting(meeting.topic, meeting.greet(), meeting.over())
        self.no_meeting()
        if met.looks_on:
            onlooker = Onlooker(Look(met.channel, met.name), greeting, self._clock)
            self.known.onlookers.append(onlooker)
            if meeting.house == 2:
                self.known.looking = onlooker
        else:
            self._know(met, greeting, meeting.house)
        self._listener.happened()

    def _know(self, met: Met, greeting: Greeting, house: int) -> None:
        """Add a newly met house to the list under this number, and offer it the game of our
        invitation."""
        own, partner = self.known.own, self.known.partner
        session = Session(met.channel, own, met.name, secrets.token_bytes, partner)
        session.welcome = house == 2
        for old in [one for one in self.known.houses if one.channel.other == met.channel.other]:
            waits = old.session.is_playing or old.channel.outbox
            if old.session.is_behind or not waits:
                self.known.forget(old)
        self.known.houses.append(House(session, greeting, self._clock))
        if house == 1:
            try:
                session.offer(self.known.offer["game"], self.known.offer["options"])
            except IllegalMove as error:
                _log.error("the game cannot be offered: %s", error.code)
