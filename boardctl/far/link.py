"""The connection of a board to the other houses.

If the broker cannot be reached, all exchanges resume when the connection is restored.
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
from boardctl.far.contacts import HELD, Contacts, Packet
from boardctl.far.feed import Feed
from boardctl.far.meeting import Meeting, Met
from boardctl.far.peers import Greeting, House, Onlooker, Peer
from boardctl.far.presence import Heard
from boardctl.far.session import Session
from boardctl.far.tasks import Tasks
from boardctl.games import IllegalMove
from boardctl.mqtt.connection import GOODBYE, Broker, client, expiring, reason, remedy
from boardctl.text import Sentence

_log: Final = logging.getLogger(__name__)
ANSWER: Final = 5.0
"""Seconds before the board reports that nobody has answered the words."""
ACKNOWLEDGED: Final = 1.0
"""Seconds for which a received acknowledgement may stay unwritten, because the other end repeats
it."""


class Listener(Protocol):
    """A listener to the link's events."""

    def game_begun(self, house: House) -> None:
        """Called when a game has begun."""

    def message_handled(self, house: House) -> None:
        """Called when a message from a house has been handled."""

    def lines_received(self, peer: Onlooker) -> None:
        """Called when a message from the watched house has been handled."""

    def happened(self) -> None:
        """Called after a change that must be written and shown."""

    def write(self) -> None:
        """Called when a message must be sent."""


class FarLink:
    """The connection to the other houses."""

    def __init__(
        self,
        known: Contacts,
        broker: Broker,
        waits: Callable[[], Iterator[float]],
        clock: Callable[[], float],
        tasks: Tasks,
        listener: Listener,
    ) -> None:
        self.contacts = known
        self._broker, self._waits, self._clock, self._tasks = broker, waits, clock, tasks
        self._listener = listener
        self._answer: asyncio.TimerHandle | None = None
        """The timer that runs until the last accepted words count as unanswered."""
        self.is_connected = False
        self.trouble: Sentence | None = None
        """The problem that people must fix before a connection is possible."""
        self._saved = asyncio.Event()
        self._packets: Callable[[], Iterator[Packet]] = lambda: iter(())
        """The messages that may be sent, because their state is on disk."""

    def release(self, packets: Callable[[], Iterator[Packet]]) -> None:
        """Send the messages whose state has been written to disk."""
        self._packets = packets
        self._saved.set()

    def close(self) -> None:
        """Stop waiting for an answer."""
        if self._answer is not None:
            self._answer.cancel()

    def packets(self, peers: list[Peer]) -> Callable[[], Iterator[Packet]]:
        """Yield the messages for these peers, to be sent once the current state is on disk. A
        message counts as sent when the next one is requested."""
        unsent = [(peer, n) for peer in peers for n in peer.channel.outbox if n not in peer.sent]
        also = [(peer, kind, packet) for peer in peers for kind, packet in peer.also.items()]
        greetings = [peer.greeting for peer in peers if peer.greeting.hello]
        ending = tuple(self.contacts.ending)
        meeting = self.contacts.meeting

        def packets() -> Iterator[Packet]:
            for over in ending:
                if over in self.contacts.ending:
                    yield over
                    self.contacts.ending.remove(over)
            if meeting is not None and meeting.party == 2:
                yield Packet(f"{TREE}/{meeting.topic}/2", meeting.greet(), True)
                self._await_answer(meeting)
            elif meeting is not None and meeting is self.contacts.meeting:
                yield Packet(f"{TREE}/{meeting.topic}/open", meeting.open(), True, HELD)
            for topic, hello, _ in greetings:
                yield Packet(f"{TREE}/{topic}/1", hello, True)
            for peer, number in unsent:
                packet = peer.channel.outbox.get(number)
                if packet is not None and number not in peer.sent:
                    yield Packet(f"{peer.base}/{peer.channel.party}", packet)
                    peer.sent.add(number)
            for peer, kind, packet in also:
                if peer.also.get(kind) is packet:
                    yield Packet(f"{peer.base}/{peer.channel.party}", packet)
                    if peer.also.get(kind) is packet:
                        del peer.also[kind]

        return packets

    def _await_answer(self, meeting: Meeting) -> None:
        """Wait for an answer after our greeting has reached the broker. A board whose invitation
        has these words answers immediately."""

        def over() -> None:
            self._answer = None
            if self.contacts.meeting is meeting and self.is_connected and not meeting.is_open:
                self.contacts.is_unanswered = True
                self._listener.happened()

        if self._answer is None and not (self.contacts.is_unanswered or meeting.is_open):
            self._answer = asyncio.get_running_loop().call_later(ANSWER, over)

    def no_meeting(self) -> None:
        """Report that nobody has answered the invitation."""
        if self._answer is not None:
            self._answer.cancel()
        self.contacts.meeting, self.contacts.words, self._answer, self.contacts.is_unanswered = (
            None,
            (),
            None,
            False,
        )

    async def connect(self) -> None:
        """Stay connected as long as there are houses or onlookers to exchange messages with."""
        waits = self._waits()
        public, _ = crypto_sign_seed_keypair(self.contacts.seed)
        name = presence.topic(public)
        while True:
            try:
                self.contacts.connections = max(self.contacts.connections + 1, int(time.time()))
                here, over = (
                    Heard(self.contacts.connections, is_over) for is_over in (False, True)
                )
                gone = presence.say(self.contacts.seed, over)
                will = Will(name, gone, qos=1, retain=True)
                async with client(
                    self._broker, presence.client(self.contacts.seed), will, HELD
                ) as mqtt:
                    waits = self._waits()
                    self.is_connected, self.trouble = True, None
                    try:
                        await mqtt.publish(
                            name, presence.say(self.contacts.seed, here), qos=1, retain=True
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
                for one in self.contacts.peers:
                    one.is_here = False
            self._listener.happened()
            await asyncio.sleep(next(waits))

    async def _talk(self, mqtt: Client) -> None:
        """Listen and send until the connection is lost. Raises MqttError or OSError."""
        for one in self.contacts.peers:
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
        """Subscribe to the required topics, and send stored messages whenever there are new ones.
        There is no time limit for the broker's answer, because a lost connection ends the wait."""
        subscribed = set[str]()
        while True:
            wanted = self._wanted()
            # when the topic is wanted again, the broker sends the retained messages
            subscribed.intersection_update(wanted)
            for topic in [one for one in wanted if one not in subscribed]:
                await mqtt.subscribe(topic, qos=1, timeout=math.inf)
                subscribed.add(topic)
            for topic, packet, retain, lasts in self._packets():
                properties = None if lasts is None else expiring(lasts)
                await mqtt.publish(topic, packet, 1, retain, properties, timeout=math.inf)
            await self._saved.wait()
            self._saved.clear()

    def _wanted(self) -> list[str]:
        """Return the topics on which other boards may send messages to this board."""
        topics = [f"{one.base}/{3 - one.channel.party}" for one in self.contacts.peers]
        topics += [one.presence for one in self.contacts.peers]
        if self.contacts.meeting is not None:
            topics.append(f"{TREE}/{self.contacts.meeting.topic}/{3 - self.contacts.meeting.party}")
            if self.contacts.meeting.party == 2:
                topics.append(f"{TREE}/{self.contacts.meeting.topic}/open")
        return topics

    async def _listen(self, mqtt: Client) -> None:
        """Receive messages. Log a message that fails, and continue with the next one."""
        async for message in mqtt.messages:
            payload = message.payload
            try:
                self.take(str(message.topic), payload if isinstance(payload, bytes) else b"")
            except Exception:  # noqa: BLE001 - one message must not end the connection
                _log.exception("a message of another house has failed")

    def take(self, topic: str, packet: bytes) -> None:
        """Handle a message from the broker, unless the message is from an unknown house."""
        meeting = self.contacts.meeting
        if meeting is not None and topic == f"{TREE}/{meeting.topic}/{3 - meeting.party}":
            self._meet(meeting, packet)
            return
        if meeting is not None and topic == f"{TREE}/{meeting.topic}/open":
            meeting.hear_open(packet)
            self.contacts.is_unanswered = self.contacts.is_unanswered and not meeting.is_open
            self._listener.happened()
            return
        for peer in self.contacts.peers:
            if topic == peer.presence:
                if peer.hear(packet):
                    peer.last = time.time() if peer.is_here or not peer.last else peer.last
                    self._listener.happened()
            elif topic == f"{peer.base}/{3 - peer.channel.party}":
                self._receive(peer, packet)

    def _receive(self, peer: Peer, packet: bytes) -> None:
        before = peer.channel.taken
        count = peer.session.number if isinstance(peer, House) else 0
        taken = peer.take(packet)
        if not taken.is_genuine:
            _log.debug("a packet that is not of the other end is dropped")
            return
        peer.last = time.time()
        peer.answer(taken, before)
        if not taken.is_taken:
            peer.is_paused = True
            self.resume()
            return
        if taken == Taken() and not peer.greeting.hello and isinstance(peer, House):
            self._tasks.later(
                "acknowledged", ACKNOWLEDGED, self._listener.happened
            )  # a mere number
            return
        if peer.greeting.hello:
            self.contacts.end_meeting(peer.greeting.meeting, peer.greeting.over)
            peer.greeting = Greeting(peer.greeting.meeting)
        if isinstance(peer, Onlooker):
            self._listener.lines_received(peer)
        elif isinstance(peer, House):
            if peer.session.has_left:
                peer.waits = False
                self.contacts.set_aside = (
                    None if self.contacts.set_aside is peer else self.contacts.set_aside
                )
            if peer.session.number > count:
                self._listener.game_begun(peer)
            self._listener.message_handled(peer)
        elif taken.is_behind or not peer.channel.outbox:
            self.contacts.leaving.remove(peer)
            self._listener.happened()

    def resume(self) -> None:
        """Ask for rejected messages again once there is room for them."""
        for peer in [one for one in self.contacts.peers if one.is_paused and not one.is_full]:
            if seconds := peer.messages.wait(limits.MESSAGES / 4):
                self._tasks.later(f"resume {peer.file}", seconds, self.resume)
            else:
                peer.is_paused = False
                peer.also["have"] = peer.channel.have(again=True)
                self._listener.write()

    def _meet(self, meeting: Meeting, packet: bytes) -> None:
        met = meeting.take(packet)
        if met is None:
            if meeting.is_over(packet):
                self.no_meeting()
                self.contacts.is_late = True
                self._listener.happened()
            return
        greeting = Greeting(meeting.topic)
        if meeting.party == 1:
            greeting = Greeting(meeting.topic, meeting.greet(), meeting.over())
        self.no_meeting()
        if met.is_for_onlooker:
            onlooker = Onlooker(Feed(met.channel, met.name), greeting, self._clock)
            self.contacts.onlookers.append(onlooker)
            if meeting.party == 2:
                self.contacts.watched = onlooker
        else:
            self._know(met, greeting, meeting.party)
        self._listener.happened()

    def _know(self, met: Met, greeting: Greeting, party: int) -> None:
        """Add a newly met house to the list under this number, and offer it our invitation's
        game."""
        own, partner = self.contacts.own, self.contacts.partner
        session = Session(met.channel, own, met.name, secrets.token_bytes, partner)
        session.welcome = party == 2
        for old in [one for one in self.contacts.houses if one.channel.other == met.channel.other]:
            waits = old.session.is_playing or old.channel.outbox
            if old.session.is_behind or not waits:
                self.contacts.forget(old)
        self.contacts.houses.append(House(session, greeting, self._clock))
        if party == 1:
            try:
                session.offer(self.contacts.offer["game"], self.contacts.offer["options"])
            except IllegalMove as error:
                _log.error("the game cannot be offered: %s", error.code)
