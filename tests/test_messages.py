"""Every message handler gets messages that its schema allows and narrowly rejects: none fails, and
no change violates the rules.

Hypothesis generates them from the schemas, with many messages per example, because examples are
expensive. The long run sends a million messages, in shards with separate seeds;
`MESSAGES_SHARDS=3:5` runs some of them.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from aiomqtt import Message
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from boardctl.bot.board_player import BoardPlayer
from boardctl.club import messages
from boardctl.club.hub import Hub
from boardctl.club.store import Store
from boardctl.drivers import serial_protocol
from boardctl.drivers.ports import KEYS
from boardctl.drivers.serial_protocol import Deframer, KeyChange
from boardctl.mqtt import Options as BrokerOptions
from boardctl.mqtt.client import HUB, _Link
from boardctl.mqtt.connection import Broker
from boardctl.mqtt.results import Malformed
from boardctl.web import Options
from boardctl.web.app import make
from boardctl.web.board_view import SetupRefused
from boardctl.web.live import read_key
from tests.drivers.test_serial_protocol import greeted
from tests.mqtt.tables import Seated, soon
from tests.power.test_power import MEMORY
from tests.report import LongRun
from tests.schemas import Schema, payloads
from tests.test_fuzz import WORDS
from tests.test_untrusted_input import ORIGIN, STATUSES, ask
from tests.web.test_live import Board, Peer, make_live, viewer, yes

EACH = 25
"""The number of messages per example."""
SHARDS = 10
LONG = 200_000
"""The number of messages per handler in the long run."""
LARGEST = 2**63 - 1

Handle = Callable[[list[Any]], None]
LINES = [
    *("1 peg 2", "2 peg 31 play", "undo", "undo 3", "redo", "deal", "starter 5H", "2 adjust -500"),
    *("1 show 5H 5S 5C JD", "amend 1 1 peg 3", "insert 1 1 peg 2", "amend 1", "seat 3 Eve"),
    *("session x", "session end", "game bezique", "game cribbage", "set target 61", "resign 1"),
    *(f"1 peg {'9' * 400}", f"seat {'9' * 400} Eve", " ".join(WORDS[:40]), "dealer 1"),
]


def objects(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields)}


TEXT: Schema = {"type": "string"}
LINE: Schema = {"type": "string", "maxLength": 500, "examples": LINES}
NUMBER: Schema = {"type": "integer", "minimum": 0, "maximum": LARGEST, "examples": [4, 5, 6]}


class Opened:
    """A handler that takes messages of some kind, and counts them."""

    def __init__(self, said: st.SearchStrategy[Any], handle: Handle) -> None:
        self.said = said
        self.handle = handle


@contextmanager
def mqtt(data: Path) -> Iterator[Opened]:
    """Send to a board's own topics; its current number is used as often as any other."""
    seated = Seated(data)
    answers: list[dict[str, Any]] = []

    class Heard:
        async def publish(self, topic: str, payload: str, **more: Any) -> None:
            answers.append(json.loads(payload))

    now = object()  # stands for the number of the last line
    command = st.tuples(st.sampled_from(LINES), st.just(now))
    said = st.one_of(
        st.tuples(st.just("command"), command | payloads(objects(line=LINE, expect=NUMBER))),
        st.tuples(
            st.just("ack"),
            payloads(objects(game={"type": "string", "maxLength": 100}, version=NUMBER)),
        ),
        st.tuples(st.just("light"), payloads({"type": "integer", "minimum": 5, "maximum": 100})),
        st.tuples(st.just("hub"), st.binary(max_size=9)),
    )

    async def hear(link: _Link, what: str, payload: Any, retained: bool) -> None:
        before, light = seated.table.number, seated.light
        if isinstance(payload, tuple):
            payload = json.dumps({"line": payload[0], "expect": before}).encode()
        topic = HUB if what == "hub" else f"boardctl/one/{what}"
        answers.clear()
        message: Any = SimpleNamespace(payload=payload, retain=retained, topic=topic)
        try:
            await link._receive(Heard(), topic, message)  # type: ignore[arg-type]  # it publishes
        except Malformed:
            assert not answers
        accepted = sum("number" in answer for answer in answers)
        assert seated.table.number == before + accepted, "a line is accepted once, and said to be"
        assert accepted == 0 or (what == "command" and not retained)
        assert seated.light == light or (what == "light" and 0.05 <= seated.light <= 1)

    async def all_of(traffic: list[tuple[str, Any]]) -> None:
        link = _Link(seated, BrokerOptions(board="one", commands=True), soon)
        for place, (what, payload) in enumerate(traffic):
            await hear(link, what, payload, place % 7 == 6)
        link.leave()

    try:
        yield Opened(said, lambda traffic: asyncio.run(all_of(traffic)))
    finally:
        seated.close()


@contextmanager
def hub(data: Path) -> Iterator[Opened]:
    """Send boards' messages to a hub; no message reveals a mistake of ours, and standings keep the
    rules."""
    store = Store(data / "club.sqlite3")
    store.draw(store.new("Friday", ["Ann", "Bob"]))
    finished = msgspec.json.schema(messages.Finished)
    finished["$defs"]["Result"]["properties"]["seats"]["items"]["examples"] = ["Ann", "Bob"]
    boards = st.sampled_from(["t1", "t2", "hub", "", "a b", "x" * 99])
    said = st.one_of(
        st.tuples(boards, st.just("result"), payloads(finished)),
        st.tuples(boards, st.just("result"), WON),
        st.tuples(boards, st.just("state"), payloads(msgspec.json.schema(messages.State))),
        st.tuples(
            boards, st.just("online"), st.sampled_from([b"online", b"offline", b"", b"\xff"])
        ),
    )
    logger = logging.getLogger("boardctl.hub")
    failed: list[str] = []
    watch = logging.Handler()
    watch.emit = lambda record: failed.append(record.getMessage())  # type: ignore[method-assign]

    class Heard:
        async def publish(self, *_: Any, **__: Any) -> None:
            """Do nothing: nobody listens."""

    async def all_of(traffic: list[tuple[str, str, bytes]]) -> None:
        here = Hub(store, Broker("localhost"))
        for board, what, payload in traffic:
            message = Message(f"boardctl/{board}/{what}", payload, 1, False, 1, None)
            await here._receive(Heard(), message)  # type: ignore[arg-type]  # it publishes, no more

    def handle(traffic: list[tuple[str, str, bytes]]) -> None:
        asyncio.run(all_of(traffic))
        assert not [one for one in failed if "not handled" in one]
        failed.clear()
        for standing in store.standings(1):
            assert 0 <= standing.plus <= 121 * standing.games

    logger.addHandler(watch)
    logger.propagate = False  # each hub names each offender once, and there is one per example
    try:
        yield Opened(said, handle)
    finally:
        logger.removeHandler(watch)
        logger.propagate = True
        store.close()


def _won(parts: tuple[int, int, int, int, str]) -> bytes:
    winner, behind, game, version, margin = parts
    scores = [121, behind] if winner == 1 else [behind, 121]
    result = {"state": "won", "seats": ["Ann", "Bob"], "scores": scores, "winner": winner,
              "margin": margin}  # fmt: skip
    return json.dumps({"game": f"g-1-{game}", "version": version, "result": result}).encode()


WON = st.tuples(
    st.integers(1, 4),
    st.integers(-5, 130),
    st.integers(1, 3),
    st.integers(0, 9),
    st.sampled_from(["game", "skunk", "double-skunk"]),
).map(_won)
"""A won game, valid or violating all rules."""


@contextmanager
def websocket(data: Path) -> Iterator[Opened]:
    """Send a page's messages: a key is pressed, and anything else ends the socket."""
    board = Board(data)
    key = objects(key={"enum": list(KEYS)}, down={"type": "boolean"})
    said = payloads(key).map(_as_text) | st.none()

    async def all_of(traffic: list[str | None]) -> None:
        for message in traffic:
            peer = Peer()
            for _ in range(20):
                peer.hungry.release()
            board.pressed.clear()
            kind = {"bytes": b"\0"} if message is None else {"text": message}
            peer.inbox.put_nowait({"type": "websocket.receive", **kind})
            peer.leave()
            await make_live(board).serve(peer.socket, viewer, yes)
            if read_key(message) is None:
                assert peer.taken[-1]["code"] == 1008
                assert not any(down for _, down in board.pressed)
            assert {name for name, _ in board.pressed} <= set(KEYS)

    try:
        yield Opened(said, lambda traffic: asyncio.run(all_of(traffic)))
    finally:
        board.close()


def _as_text(payload: bytes) -> str:
    return payload.decode("utf-8", "replace")  # the server lets no others pass


PIN: Schema = {"type": "string", "maxLength": 6, "examples": ["000000", "12345", "٣٣٣٣٣٣"]}
COMMANDS = ["telling", "language", "light", "voice", "goodnight", "pair", "x"]
LEVEL: Schema = {"type": "integer", "minimum": -1, "maximum": 5}
ANSWERS: Schema = {
    "type": "array",
    "items": {"type": "array", "items": {"type": "string", "examples": ["layout", "classic-3"]}},
}
BODIES: dict[str, Schema] = {
    "/lines": objects(line=LINE, expect=NUMBER),
    "/undo": objects(expect=NUMBER),
    "/redo": objects(expect=NUMBER),
    "/evening": objects(expect=NUMBER),
    "/preview": objects(line=LINE),
    "/pair/ask": objects(),
    "/seat": objects(seat=NUMBER, name=TEXT),
    "/seat/allow": objects(claim=NUMBER, allow={"type": "boolean"}),
    "/withdraw": objects(line=LINE),
    "/table": objects(
        game={"type": "string", "examples": ["cribbage", "bezique", "belote", "x"]},
        players={"type": "array", "items": TEXT, "maxItems": 4},
        expect=NUMBER,
    ),
    "/rules": objects(name=TEXT, game=TEXT, options=objects()),
    "/commands": objects(
        what={"type": "string", "examples": COMMANDS},
        value={"type": "string", "examples": ["cards", "points", "ja", "en", "50", "pin", ""]},
    ),
    "/phones": objects(),
    "/pin": objects(),
    "/pair": objects(pin=PIN),
    "/player/cut": objects(cut=TEXT),
    "/player/game": objects(
        name=TEXT,
        level=LEVEL,
        expect=NUMBER,
        game={"type": "string", "examples": ["cribbage", "klaberjass", "bezique", "x"]},
    ),
    "/player": objects(seat=NUMBER, level=LEVEL, deals={"type": "boolean"}),
    "/hint": objects(expect=NUMBER),
    "/learners": objects(name=TEXT, counts={"type": "boolean"}),
    "/drills": objects(name=TEXT, drill=TEXT, right={"type": "boolean"}),
    "/lesson": objects(name=TEXT, step=NUMBER),
    "/far/invite": objects(name=TEXT, partner=TEXT, game=TEXT, options=objects()),
    "/far/broker": objects(broker=TEXT),
    "/far/accept": objects(words=TEXT, name=TEXT, partner=TEXT),
    "/far/cancel": objects(),
    "/far/play": objects(house=NUMBER, game=TEXT, options=objects()),
    "/far/withdraw": objects(house=NUMBER),
    "/far/remove": objects(house=NUMBER),
    "/far/answer": objects(
        number={"type": "integer"}, line={"type": "string"}, yes={"type": "boolean"}
    ),
    "/far/stand": objects(),
    "/far/leave": objects(),
    "/far/show": objects(),
    "/far/look": objects(onlooker=NUMBER),
    "/far/forget": objects(onlooker=NUMBER),
    "/setup/questions": objects(answers=ANSWERS),
    "/setup/config": objects(answers=ANSWERS),
    "/setup/test": objects(begin={"type": "integer", "minimum": 0, "maximum": 1}),
    "/setup/restore": objects(),
    "/setup/update": objects(),
    "/setup/flash": objects(chip={"type": "string", "examples": ["pico", "arduino"]}),
    "/setup/reset": objects(games={"type": "string", "examples": ["keep", "forget"]}),
    "/setup/restart": objects(what={"type": "string", "examples": ["board", "machine", "off"]}),
    "/player/level": objects(level=LEVEL),
    "/duplicate": objects(code=TEXT, rounds=NUMBER, level=LEVEL),
    "/duplicate/play": objects(name=TEXT, round=NUMBER, expect=NUMBER),
    "/duplicate/code": objects(),
    "/duplicate/end": objects(),
}
"""The shapes that each address accepts."""
FILES = {"/photo", "/photo/report", "/packs/{name}/{suit}", "/player/photo", "/setup/upload/{what}"}
"""Addresses that take files, not JSON, and have their own tests."""


class Machine:
    """A board to set up, with actions that do nothing."""

    def questions(self, answers: Mapping[str, str], language: str) -> list[dict[str, Any]]:
        return [{"name": name, "text": said} for name, said in answers.items()]

    def configure(self, answers: Mapping[str, str], language: str) -> None:
        if not answers:
            raise SetupRefused("nothing was answered")

    def restart(self) -> None: ...

    def backup(self, file: Path) -> None: ...

    restoring: int | None = None

    async def restore(self, file: Path) -> int:
        raise AssertionError("no file was sent")

    def card(self) -> Mapping[str, Any] | None:
        return None

    def ask_card(self, do: str, **fields: Any) -> None:
        if set(fields.values()) - {"keep", "forget"}:
            raise SetupRefused("no such thing")

    def test(self, begin: bool) -> None: ...

    def tested(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        return ()

    def testing(self) -> bool:
        return False


class Still(BoardPlayer):
    """A player that takes its seat and never moves, so only requests change the table."""

    def wake(self) -> None:
        """Do nothing: nothing is checked."""


class SetUp(Board):
    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self.features.of("bot").player = Still(self)

    def setup(self) -> Any:
        return Machine()


def test_no_address_is_forgotten(tmp_path: Path) -> None:
    board = Board(tmp_path)
    posted = {
        getattr(route, "path", "")
        for route in make(board, Options()).routes
        if "POST" in (getattr(route, "methods", None) or ())
    }
    board.close()
    assert posted == {*BODIES, *FILES}


COMMANDING = ("/commands", "/player", "/player/game")
"""The addresses at which a request may give the table a command."""


@contextmanager
def http(data: Path) -> Iterator[Opened]:
    """Send bodies of requests: only an accepted line or table changes anything."""
    board = SetUp(data)
    app = make(board, Options())
    said = st.one_of(
        [st.tuples(st.just(path), payloads(schema)) for path, schema in BODIES.items()]
    )
    headers = {"host": "127.0.0.1:8121", "origin": ORIGIN, "content-type": "application/json"}

    async def all_of(traffic: list[tuple[str, bytes]]) -> None:
        for path, body in traffic:
            before, obeyed = board.table.number, len(board.controller.obeyed)
            status, answer = await ask(app, "POST", path, headers, body)
            assert status in STATUSES, (status, path, body)
            found = json.loads(answer)
            assert ("error" in found) == (status != 200), (status, found)
            said_at = ("/lines", "/table", "/undo", "/redo", "/evening")
            taken = (path in said_at and "state" in found) or (
                path == "/player/game" and status == 200
            )
            assert board.table.number == before or taken
            assert path != "/lines" or board.table.number == before + ("number" in found)
            assert len(board.controller.obeyed) == obeyed or path in COMMANDING

    # one for all, as on a board, so the effects of a request continue
    loop = asyncio.new_event_loop()
    try:
        yield Opened(said, lambda traffic: loop.run_until_complete(all_of(traffic)))
    finally:
        loop.run_until_complete(board.player.close())
        loop.run_until_complete(board.far.end())
        board.close()
        loop.close()


@contextmanager
def serial(data: Path) -> Iterator[Opened]:
    """Send frames that a board may send: keys arrive once and in order, whatever else arrives."""
    kinds = st.sampled_from([serial_protocol.GREETING, serial_protocol.DONE, serial_protocol.KEY])
    sizes = {serial_protocol.GREETING: 12, serial_protocol.DONE: 1, serial_protocol.KEY: 4}
    said = st.tuples(
        kinds | st.integers(0, 255),
        st.integers(0, 255) | st.none(),  # None: the expected number
        st.none() | st.binary(max_size=serial_protocol.MAX_PAYLOAD),  # None: of the right size
        st.none() | st.tuples(st.integers(0, 20), st.binary(max_size=2)),  # the kind of damage
        st.sampled_from([0.0, 0.001, 0.05, 0.5]),
    )

    def handle(traffic: list[Any]) -> None:
        end, now, asked, key = greeted(), 0.1, 0, 0
        for place, (kind, number, payload, hurt, pause) in enumerate(traffic):
            now += pause
            if place % 4 == 0:
                end.send(serial_protocol.LIGHTS, bytes(3))
            for frame in Deframer().feed(end.outgoing(now)):
                asked = frame.number
            if payload is None:
                payload = bytes(sizes.get(kind, 3))
            due = key if kind == serial_protocol.KEY else asked
            packed = serial_protocol.pack(kind, due if number is None else number, payload)
            if hurt is not None:
                packed = packed[: hurt[0]] + hurt[1] + packed[hurt[0] + 1 :]
            for heard in end.receive(packed, now):
                if isinstance(heard, KeyChange):
                    key = key + 1 & 255
            end.missed(now)

    yield Opened(said, handle)


DOORS = {"mqtt": mqtt, "hub": hub, "websocket": websocket, "http": http, "serial": serial}


def play(name: str, count: int, number: int) -> int:
    """Send this many messages to a handler, and return their number."""
    heard = 0
    with TemporaryDirectory(dir=MEMORY) as folder, DOORS[name](Path(folder)) as door:

        @settings(
            max_examples=-(-count // EACH),
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        @seed(number)
        @given(st.lists(door.said, min_size=EACH, max_size=EACH))
        def messages_come(traffic: list[Any]) -> None:
            nonlocal heard
            heard += len(traffic)
            door.handle(traffic)

        messages_come()
    return heard


def shards() -> range:
    """Return the shards to run: all, or those of MESSAGES_SHARDS (`3:5` means 3 and 4)."""
    first, _, end = os.environ.get("MESSAGES_SHARDS", f"0:{SHARDS}").partition(":")
    return range(int(first), int(end))


@pytest.mark.parametrize("name", DOORS)
def test_a_handler_that_fails_leaves_no_thread(name: str, tmp_path: Path) -> None:
    """A remaining thread keeps pytest from ending."""
    before = set(threading.enumerate())
    with pytest.raises(AssertionError, match="it fails"), DOORS[name](tmp_path):
        raise AssertionError("it fails")
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("name", DOORS)
def test_any_message_is_answered_or_refused(name: str) -> None:
    assert play(name, 1_000, 1) >= 1_000


@pytest.mark.long
@pytest.mark.parametrize("name", DOORS)
def test_a_million_messages(name: str, seed: int, long_run: LongRun) -> None:
    run = shards()
    long_run(shards=f"{run.start} to {run.stop - 1}", messages=0)
    heard = sum(play(name, LONG // SHARDS, seed + number) for number in run)
    long_run(messages=heard)
