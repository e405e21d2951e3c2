"""A board's connection to a broker.

* `boardctl/BOARD/online` (retained): online, or offline by the last will.
* `boardctl/BOARD/state` (retained): the state of the table.
* `boardctl/BOARD/event`: every accepted line.
* `boardctl/BOARD/shout`: a win, or a hand of 24 or more.
* `boardctl/BOARD/result`: results, until the hub acknowledges them on `boardctl/BOARD/ack`.
* `boardctl/BOARD/command`: a line and its intended number; `boardctl/BOARD/answer`: the answer.
* `boardctl/BOARD/light`: the brightness, 5 to 100.

The game never waits for the broker. The table's observer notes each line and returns immediately,
and tasks in this module send the line when the event loop has time. Errors in this module do not
affect the game.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

from aiomqtt import Client, MqttError, Will
from aiomqtt import Message as Packet

from boardctl import text
from boardctl.drivers.ports import PortError
from boardctl.games import IllegalMove
from boardctl.message import Message
from boardctl.mqtt import TREE, Options, discovery, payloads
from boardctl.mqtt.connection import GOODBYE, Broker, client, delays, end_task, reason, retrieve
from boardctl.mqtt.results import Ack, LineCommand, Malformed, read, read_brightness
from boardctl.record.visibility import news
from boardctl.signals import Signal
from boardctl.storage.journal import Post
from boardctl.table import Receipt, Table

_log: Final = logging.getLogger("boardctl.mqtt")
HUB: Final = f"{TREE}/hub/online"
"""The hub's retained message, which asks waiting boards to deliver now."""
WINDOW: Final = 8
"""The number of results that may await acknowledgement at the same time. This limit keeps fifty
boards, each with a day's results, from flooding a returning hub."""
KEPT: Final = 64
"""The maximum number of events queued for a slow broker. Older events are dropped; states and
results are not."""
REFUSALS: Final = 1000
"""The maximum number of distinct rejections in the log, so that a client cannot flood the log."""
PATIENCE: Final = 20.0
"""The maximum time in seconds that an answer waits for the disk."""


class Controller(Protocol):
    """The part of a table controller that a connection uses."""

    table: Table
    language: str
    adjusted: Signal[[]]

    @property
    def light(self) -> float: ...

    def set_brightness(self, share: float) -> None: ...


@asynccontextmanager
async def linked(
    controller: Controller,
    options: Options,
    waits: Callable[[], Iterator[float]] | None = None,
    report: Callable[[str | None], None] = lambda reason: None,
) -> AsyncIterator[None]:
    """Keep a board connected to its broker for the duration of the context.

    Args:
        waits: the seconds between attempts.
        report: called with the reason if a person must act before a connection is possible (for
        example, on an unreadable certificate), and with None once a connection is possible.
    """
    link = _Link(controller, options, waits or (lambda: delays(Random())), report)
    task = asyncio.create_task(link.run(), name="mqtt")
    task.add_done_callback(_ended)
    try:
        yield
    finally:
        link.leave()
        await end_task(task)


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("the connection to the broker has ended; the game goes on", exc_info=error)


class _Link:
    def __init__(
        self,
        controller: Controller,
        options: Options,
        waits: Callable[[], Iterator[float]],
        report: Callable[[str | None], None] = lambda reason: None,
    ) -> None:
        self._report = report
        self._controller = controller
        self._table = controller.table
        self._options = options
        self._delays = waits
        self._root = f"{TREE}/{options.board}"
        self._happened: deque[tuple[str, dict[str, Any]]] = deque(maxlen=KEPT)
        self._changed = asyncio.Event()
        self._mail = asyncio.Event()
        self._is_left = False
        self._hub_appeared = False
        self._last_count: int | None = None
        self._was_over = self._table.position.over
        self._logged: str | None = None
        self._refused: set[str] = set()
        self._unwatch = self._table.accepted.connect(self._watch)
        self._unfollow = controller.adjusted.connect(self._changed.set)

    def leave(self) -> None:
        self._is_left = True
        self._unwatch()
        self._unfollow()

    def client(self) -> Client:
        options = self._options
        broker = Broker(
            options.host,
            options.port,
            options.tls,
            Path(options.ca) if options.ca else None,
            options.user or options.board,
            Path(options.password_file) if options.password_file else None,
        )
        will = Will(f"{self._root}/online", "offline", qos=1, retain=True)
        return client(broker, f"boardctl-{options.board}", will)

    def _watch(self, receipt: Receipt) -> None:
        """Note an accepted line, as an onlooker may see it, and return immediately."""
        report = news(self._table.visible_to(None), receipt.report)
        receipt = receipt._replace(report=report)
        self._happened.append(("event", payloads.event(receipt)))
        for shout in payloads.shouts(receipt, self._was_over):
            self._happened.append(("shout", shout))
        over = receipt.report.position.over
        if over != self._was_over or over:
            self._mail.set()
        self._was_over = over
        points = payloads.count(receipt)
        if points is not None:
            self._last_count = points
        self._changed.set()

    async def run(self) -> None:
        """Connect to the broker, and reconnect whenever the connection is lost."""
        waits = self._delays()
        while True:
            try:
                connection = self.client()
                self._report(None)
                async with connection as broker:
                    await self._greet(broker)
                    waits = self._delays()
                    self._note("connected", logging.INFO)
                    await self._talk(broker)
            except PortError as error:
                self._note(str(error))
                self._report(str(error))
            except (MqttError, OSError) as error:
                self._note(f"no broker: {reason(error)}")
            except sqlite3.Error as error:
                self._note(f"the outbox cannot be read now: {error}")
            except Exception:  # noqa: BLE001 - an unreported failure must not end the connection
                _log.exception("the connection to the broker failed; it is made again")
            if self._is_left:  # an error during cleanup replaced the cancellation
                return
            await asyncio.sleep(next(waits))

    def _refuse(self, what: str) -> None:
        """Log a rejection once, however often it is repeated."""
        if what not in self._refused and len(self._refused) < REFUSALS:
            self._refused.add(what)
            _log.warning("%s", what)

    def _note(self, what: str, level: int = logging.WARNING) -> None:
        """Log the connection's state when it changes."""
        if what != self._logged:
            self._logged = what
            _log.log(level, "%s", what)

    async def _greet(self, broker: Client) -> None:
        """Publish the retained messages. If Home Assistant is switched off, an empty message
        removes the board from it."""
        wanted = self._options.home_assistant
        config = json.dumps(discovery.device(self._options)) if wanted else b""
        await broker.publish(discovery.topic(self._options), config, qos=1, retain=True)
        for name in ("ack", *(("command", "light") if self._options.commands else ())):
            await broker.subscribe(f"{self._root}/{name}", qos=1)
        await broker.subscribe(HUB, qos=1)
        await broker.publish(f"{self._root}/online", "online", qos=1, retain=True)
        self._changed.set()
        self._mail.set()

    async def _talk(self, broker: Client) -> None:
        parts = (self._publish(broker), self._deliver(broker), self._listen(broker))
        tasks = [asyncio.create_task(part) for part in parts]
        for task in tasks:
            task.add_done_callback(retrieve)
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except asyncio.CancelledError:
            with suppress(MqttError):  # then the last will reports it
                gone = f"{self._root}/online"
                await broker.publish(gone, "offline", qos=1, retain=True, timeout=GOODBYE)
            raise
        finally:
            # cancel all at once, because another cancellation may end the wait below
            for task in tasks:
                task.cancel()
            for task in tasks:
                await end_task(task)

    async def _publish(self, broker: Client) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self._happened:
                topic, happened = self._happened.popleft()
                await broker.publish(f"{self._root}/{topic}", json.dumps(happened))
            state = payloads.state(
                self._table.number,
                self._table.visible_to(None).record,
                self._last_count,
                self._controller.light,
            )
            await broker.publish(f"{self._root}/state", json.dumps(state), qos=1, retain=True)

    async def _deliver(self, broker: Client) -> None:
        """Send unacknowledged results, oldest first and `WINDOW` at a time. Repeat this after a
        while, or immediately when a hub appears."""
        loop = asyncio.get_running_loop()
        waits = self._delays()
        sent: set[tuple[str, int]] = set()
        again = math.inf
        while True:
            self._mail.clear()
            posts = await asyncio.wrap_future(self._table.journal.outbox())
            window = {(post.game, post.version): post for post in posts[:WINDOW]}
            if loop.time() >= again or self._hub_appeared:
                sent.clear()
                again = math.inf
            # a hub answers, so there is no need to wait
            if self._hub_appeared or sent - window.keys():
                waits, self._hub_appeared = self._delays(), False
                again = math.inf
            for key, post in window.items():
                if key not in sent:
                    await self._send(broker, post)
            sent = set(window)
            if not window:
                again = math.inf
            elif again == math.inf:
                again = loop.time() + next(waits)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(again if window else None):
                    await self._mail.wait()

    async def _send(self, broker: Client, post: Post) -> None:
        result = json.loads(post.result)
        message = {"game": post.game, "version": post.version, "result": result}
        await broker.publish(f"{self._root}/result", json.dumps(message), qos=1)

    async def _listen(self, broker: Client) -> None:
        """Receive messages. An error in one message does not affect the next."""
        async for message in broker.messages:
            topic = str(message.topic)
            try:
                await self._receive(broker, topic, message)
            except Malformed as error:
                self._refuse(f"{topic}: {error}")
            except (MqttError, OSError, sqlite3.Error):
                raise  # a fault of the connection or the disk, not of the message
            except Exception as error:  # noqa: BLE001 - one message must not end the connection
                _log.debug("%s: %r", topic, _bytes(message)[:200], exc_info=error)
                self._refuse(f"{topic}: a message failed: {type(error).__name__}: {error}")

    async def _receive(self, broker: Client, topic: str, message: Packet) -> None:
        if topic == HUB:
            self._hub_appeared = True
            self._mail.set()
        elif topic == f"{self._root}/ack":
            ack = read(_bytes(message), Ack)
            await asyncio.wrap_future(self._table.journal.delivered(ack.game, ack.version))
            self._mail.set()
        elif topic == f"{self._root}/light":
            self._controller.set_brightness(read_brightness(_bytes(message)) / 100)
        elif topic == f"{self._root}/command":
            await self._command(broker, message)

    async def _command(self, broker: Client, message: Packet) -> None:
        """Play a line if it was meant for the table's current state. Retained commands are ignored,
        because they are always outdated."""
        if message.retain:
            raise Malformed("a retained command is not played")
        command = read(_bytes(message), LineCommand)
        try:
            move = self._table.parse(command.line)
            receipt = self._table.submit(move, "mqtt", expect=command.expect)
        except IllegalMove as error:
            self._refuse(f"refused {command.line!r}: {error.code}")
            answer: dict[str, Any] = {"refused": error.code, "message": self._sentence(error)}
        else:
            answer = {"number": receipt.number, "move": receipt.report.line}
            try:
                async with asyncio.timeout(PATIENCE):
                    # Shielded: a cancelled wait must not cancel the write.
                    await asyncio.shield(asyncio.wrap_future(receipt.saved))
            except TimeoutError:
                sentence = text.say(
                    Message("error", "not-saved"), text.Reader(self._controller.language)
                )
                answer = {"error": "not-saved", "message": sentence}
        await broker.publish(f"{self._root}/answer", json.dumps({"line": command.line} | answer))

    def _sentence(self, error: IllegalMove) -> str:
        names = tuple(self._table.position.seats.values())
        return text.refusal(error, text.Reader(self._controller.language, names))


def _bytes(message: Packet) -> bytes:
    payload = message.payload
    return payload if isinstance(payload, bytes) else str(payload).encode()
