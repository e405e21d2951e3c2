"""Every surface of one board at once: keypad, menu, two phones and the broker, interleaved, with a
slow disk and a failing observer.

A test of one surface at a time misses the effects of another surface that changes the table in the
middle of an entry.
"""

from __future__ import annotations

import asyncio
import json
import logging
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiomqtt import Message
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.console.keypad import lines
from boardctl.drivers.ports import KEYS
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.mqtt import Options as MqttOptions
from boardctl.mqtt.client import _Link
from boardctl.record import notation
from boardctl.record.record import Record
from boardctl.storage.journal import read_sessions
from boardctl.table import Receipt
from boardctl.web import Options
from boardctl.web.app import make
from tests.mqtt.tables import soon
from tests.speech.by_ear import Ear
from tests.tables import Later

ORIGIN = "http://127.0.0.1:8121"
TEXTS = st.sampled_from(
    [
        *("deal", "dealer 1", "dealer 2", "starter 5D", "starter J", "1 peg 8", "2 peg 4"),
        *("1 discard ? ?", "2 discard ? ?", "1 play 5", "2 play T", "2 go", "undo", "undo 3"),
        *("redo", "amend 1", "amend 2 1 peg 3", "1 show 4 5 5 6", "2 show 4 5 5 6", "misdeal"),
        *("game cribbage", "game bezique", "session end", "session next", "1 adjust +30"),
        *("2 resign", "seat 1 Bob", "set skunk off", "nonsense", ""),
    ]
)
SEQUENCES = st.sampled_from(
    [
        *("hold# 2", "hold# 2 A", "hold# 2 D", "hold# 2 #", "hold# 2 # 5 #", "hold# 3 1 2 #"),
        *("hold# 4 1", "hold# 9 A 3 0 #", "hold# 7", "hold# 1 3", "hold# 0 #", "hold#", "hold*"),
        *("holdD", "#", "# #", "*", "* #", "A 8 #", "B 4 #", "B 4 5 5 6 #", "# 1", "# 5"),
    ]
)


@dataclass
class Broker:
    """Records the link's published messages, by topic."""

    payloads: dict[str, list[Any]] = field(default_factory=dict)

    async def publish(self, topic: str, payload: str, **_: object) -> None:
        self.payloads.setdefault(topic, []).append(json.loads(payload))


class Surfaces(RuleBasedStateMachine):
    """One board. Each rule is an action of somebody, and nothing waits for the disk."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.data = Path(self.folder.name)
        self.disk = Later()
        self.clock = VirtualClock()
        self.loop = asyncio.new_event_loop()
        self.app = BoardApp(simulated(Config()), self.data, self.clock, None, writer=self.disk)
        self.page = make(self.app, Options())
        self.link = _Link(self.app.controller, MqttOptions(board="one", commands=True), soon)
        self.broker = Broker()
        self.failing = False
        self.accepted: list[Receipt] = []
        self.posts: list[asyncio.Task[httpx.Response]] = []
        self.commands: list[asyncio.Task[None]] = []
        self.app.table.accepted.connect(self.fail)
        self.app.table.accepted.connect(self.accepted.append)
        self.start = self.app.table.number

    def fail(self, receipt: Receipt) -> None:
        if self.failing:
            raise RuntimeError("an observer's own trouble")

    def turn(self, rounds: int = 30) -> None:
        """Run the event loop as far as possible without the disk."""

        async def rest() -> None:
            for _ in range(rounds):
                await asyncio.sleep(0)

        self.loop.run_until_complete(rest())
        self.clock.run(0.02)

    @rule(keys=SEQUENCES)
    def type(self, keys: str) -> None:
        for word in keys.split():
            self.tap(word.removeprefix("hold"), 1.2 if word.startswith("hold") else 0.06)

    @rule(key=st.sampled_from(KEYS))
    def tap(self, key: str, seconds: float = 0.06) -> None:
        self.app.press(key, True)
        self.clock.run(seconds)
        self.app.press(key, False)
        self.clock.run(0.06)

    @rule(line=TEXTS, path=st.sampled_from(["/lines", "/lines", "/preview"]), late=st.booleans())
    def phone(self, line: str, path: str, late: bool) -> None:
        """Let a phone send a line, for the current table or for a slightly older one."""
        expect = self.app.table.number - late
        body = {"line": line, "expect": expect} if path == "/lines" else {"line": line}
        self.posts.append(self.loop.create_task(self.request("POST", path, body)))
        self.turn()

    @rule()
    def next(self) -> None:
        """Let a phone enter an expected line."""
        asks = self.app.controller.view.prompt.asks
        if asks and asks[0].kind == "confirm":
            self.phone(notation.spell(asks[0].move), "/lines", late=False)

    @rule(keys=st.sampled_from(["hold# 2 A", "hold# 2 A A #", "B 4 5 5 6", "*"]), due=st.booleans())
    def interrupt(self, keys: str, due: bool) -> None:
        """Let a phone change the table while somebody is in the middle of an entry."""
        self.type(keys)
        if due:
            self.next()
        else:
            self.phone("undo", "/lines", late=False)

    @rule(line=TEXTS)
    def command(self, line: str) -> None:
        payload = json.dumps({"line": line, "expect": self.app.table.number})
        message = Message("boardctl/one/command", payload.encode(), 1, False, 1, None)
        task = self.link._command(self.broker, message)  # type: ignore[arg-type]
        self.commands.append(self.loop.create_task(task))
        self.turn()

    @rule(count=st.integers(1, 9))
    def save(self, count: int) -> None:
        """Let the disk complete some of the pending writes."""
        for _ in range(min(count, len(self.disk.queue))):
            self.disk.queue.pop(0)()
        self.turn()

    @rule(failing=st.booleans())
    def trouble(self, failing: bool) -> None:
        self.failing = failing

    @invariant()
    def light_and_display_go_on(self) -> None:
        controller = self.app.controller
        assert all(len(line) <= 16 for line in controller.displayed_rows)
        assert lines(controller.keypad_state, controller.view)
        assert not controller.faults

    async def request(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> httpx.Response:
        transport = httpx.ASGITransport(self.page)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            return await client.request(method, path, json=body, headers={"origin": ORIGIN})

    def teardown(self) -> None:
        try:
            self.finish()
        finally:
            self.disk.healed = True
            self.link.leave()
            self.app.close()
            self.loop.close()
            self.folder.cleanup()

    def finish(self) -> None:
        table = self.app.table
        while self.disk.queue:
            self.save(9)
        self.clock.run(30)
        while self.disk.queue:  # the next evening may have begun
            self.save(9)
        waiting = [*self.posts, *self.commands]
        if waiting:
            self.loop.run_until_complete(asyncio.wait(waiting, timeout=30))
        numbers = [receipt.number for receipt in self.accepted]
        assert numbers == list(range(self.start + 1, table.number + 1)), "each was told once"
        assert all(receipt.saved.done() for receipt in self.accepted)
        answered = []
        for post in self.posts:
            response = post.result()
            assert response.status_code == 200, response.text
            if "number" in response.json() and "state" in response.json():
                answered.append(response.json()["number"])
        for command in self.commands:
            command.result()
        for answer in self.broker.payloads.get("boardctl/one/answer", []):
            assert ("number" in answer) != ("refused" in answer), answer
            if "number" in answer:
                answered.append(answer["number"])
        assert len(set(answered)) == len(answered)
        assert set(answered) <= set(numbers)
        state = self.loop.run_until_complete(self.request("GET", "/state")).json()
        assert state["number"] == table.number
        assert [side["score"] for side in state["sides"]] == list(table.position.scores)
        assert self.app.controller.view.scores == table.position.scores
        kept = list(read_sessions(self.data))
        record = Record()
        for prelude, entries in kept:
            for line in (*prelude.splitlines(), *(entry.text for entry in entries)):
                record.read(line)
        assert [entry.number for _, entries in kept for entry in entries][-1] == table.number
        assert record.position.scores == table.position.scores


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    """Suppress expected logs: an observer fails intentionally, and httpx logs every request."""
    caplog.set_level(logging.CRITICAL)


QUICK = settings(
    max_examples=20,
    stateful_step_count=40,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.mark.slow
def test_all_surfaces_at_once() -> None:
    run_state_machine_as_test(Surfaces, settings=QUICK)


@pytest.mark.long
@pytest.mark.usefixtures("seed")
def test_all_surfaces_at_once_for_long() -> None:
    run_state_machine_as_test(Surfaces, settings=settings(QUICK, max_examples=2000))


def test_the_amend_list_while_a_phone_deals() -> None:
    """The keypad follows the move that it is about to amend by its identity."""
    surfaces = Surfaces()
    try:
        surfaces.phone("dealer 1", "/lines", late=False)
        surfaces.type("hold# 2 A A")
        shown = surfaces.app.controller.displayed_rows
        surfaces.phone("deal", "/lines", late=False)
        assert surfaces.app.controller.keypad_state.refused is not None, "its deal is another now"
        assert surfaces.app.controller.keypad_state.refused.code == "overtaken"
        surfaces.type("* hold# 2")
        assert surfaces.app.controller.displayed_rows != shown
        surfaces.phone("undo", "/lines", late=False)
        assert surfaces.app.controller.keypad_state.refused is not None
        surfaces.type("#")
    finally:
        surfaces.teardown()


def test_keypad_and_phones_agree_how_the_board_speaks() -> None:
    surfaces = Surfaces()

    def shown() -> tuple[str | None, str | None]:
        state = surfaces.loop.run_until_complete(surfaces.request("GET", "/state")).json()
        return state["voice"], state["sounds"]

    def choose(what: str, value: str) -> httpx.Response:
        command = {"what": what, "value": value}
        return surfaces.loop.run_until_complete(surfaces.request("POST", "/commands", command))

    try:
        assert shown() == (None, None), "it has no voice"
        ear = Ear()
        leave = surfaces.app.features.of("speech").voice.join(ear)
        assert shown() == ("questions", "on")
        surfaces.type("hold# 6 5")
        assert shown() == ("counts", "on")
        surfaces.type("hold# 6 B")
        assert shown() == ("counts", "off")
        choose("sounds", "on")
        choose("voice", "everything")
        assert shown() == ("everything", "on")
        surfaces.type("A")
        assert "hash" in " ".join(ear.said), "the keypad's voice does as the phone said"
        choose("voice", "off")
        assert shown() == ("off", "on")
        surfaces.type("* A 8")
        assert ear.said == []
        assert choose("voice", "loud").json()["refused"]["code"] == "no-such-command"
        surfaces.type("* hold# 6 1")
        assert shown() == ("everything", "on")
        leave()
        assert shown() == (None, None)
    finally:
        surfaces.teardown()
