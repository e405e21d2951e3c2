"""Malformed data in every input from outside: a million cases in `make long`, a few thousand here.
The result is an answer or the declared rejection, which changes nothing.

Cases are made by damaging valid input with a seeded generator, which is ten times as fast as
Hypothesis; the tests with Hypothesis, which find minimal failing cases, are `test_fuzz`,
`test_link`, `test_keypad`, `tests/board` and `tests/web`.
"""

from __future__ import annotations

import asyncio
import copy
import json
import string
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardctl.app import config
from boardctl.app.config import PARTS, Config, ConfigError
from boardctl.board import layout
from boardctl.board.layout import LayoutError
from boardctl.drivers import serial_protocol
from boardctl.drivers.ports import KEYS, KeyEvent
from boardctl.drivers.serial_protocol import KeyChange
from boardctl.games import IllegalMove
from boardctl.record.record import Record
from boardctl.table import Table
from boardctl.text import sentence
from boardctl.web import Options
from boardctl.web.app import make
from boardctl.web.guard import BODY
from boardctl.web.live import read_key
from tests.drivers.test_serial_protocol import greeted
from tests.report import LongRun
from tests.tables import keyed
from tests.test_fuzz import RECORDS, WORDS, say
from tests.web.test_live import Board, Peer, make_live, viewer, yes

LAYOUTS = Path(layout.__file__).with_name("layouts")
ORIGIN = "http://127.0.0.1:8121"
ODD = "\0\n\r\t\"'\\{}[]=#;é♥😀\u200f\ud7ff٣"


def text(chance: Random) -> str:
    """Return letters, digits and unusual characters."""
    return "".join(
        chance.choice(ODD if chance.random() < 0.3 else string.printable)
        for _ in range(chance.randrange(12))
    )


def line(chance: Random, recorded: Sequence[str]) -> str:
    """Return a line of a recorded game with at most one changed word, or any words of the
    notation."""
    if chance.random() < 0.6:
        words = chance.choice(recorded).split() or ["#"]
        if chance.random() < 0.6:
            words[chance.randrange(len(words))] = chance.choice(WORDS)
    else:
        words = chance.choices(WORDS, k=chance.randint(1, 7))
    if chance.random() < 0.1:
        words[chance.randrange(len(words))] = text(chance)
    return " ".join(words)


def value(chance: Random, depth: int = 2) -> Any:
    """Return any value that TOML or JSON can express."""
    match chance.randrange(10 if depth else 7):
        case 0:
            return chance.choice((True, False))
        case 1:
            return chance.choice((0, -1, 1, 12, 255, 70_000, 2**63, -(2**70)))
        case 2:
            return chance.choice((0.0, -0.5, 1e308, float("nan"), float("inf"), 0.1))
        case 3 | 4 | 5:
            return text(chance)
        case 6:
            return chance.choice(("", "on", "cribbage", "classic-2", "ws2812_spi", "A", "0.0.0.0"))
        case 7:
            return {text(chance): value(chance, depth - 1) for _ in range(chance.randrange(3))}
        case _:
            return [value(chance, depth - 1) for _ in range(chance.randrange(3))]


def hurt(chance: Random, whole: Any) -> None:
    """Change, add or remove something in nested tables and lists."""
    place = whole
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.2:
            break
        place = inner
    match chance.randrange(4):
        case 0:
            del place[key]
        case 1 if isinstance(place, dict):
            place[text(chance)] = value(chance)
        case 2 if isinstance(inner, int | float) and not isinstance(inner, bool):
            place[key] = inner * chance.choice((-1, 0, 1.01, 1000, 0.5))
        case _:
            place[key] = value(chance)


def lines(chance: Random, cases: int, data: Path) -> None:
    record, recorded = Record(), RECORDS[0]
    for case in range(cases):
        if case % 200 == 0:
            record = Record()
            recorded = chance.choice(RECORDS)
            for spelled in recorded[: chance.randrange(len(recorded) + 1)]:
                try:
                    record.read(spelled)
                except IllegalMove:
                    continue
        say(record, line(chance, recorded))


SIZES = {serial_protocol.GREETING: 12, serial_protocol.DONE: 1, serial_protocol.KEY: 4}
"""The payload sizes in bytes of frames from the board."""


def frames(chance: Random, cases: int, data: Path) -> None:
    """Send a board's possible frames after its greeting: frames of every kind, answers and keys in
    order, valid, corrupted and truncated."""
    end, now, said, key = greeted(), 0.1, 0, 0
    for case in range(cases):
        if case % 500 == 0:
            end, now, said, key = greeted(), 0.1, 0, 0
        now += chance.choice((0.0, 0.001, 0.05, 0.5))
        if chance.random() < 0.2:
            end.send(serial_protocol.LIGHTS, chance.randbytes(3))
        for frame in serial_protocol.Deframer().feed(end.outgoing(now)):
            said = frame.number
        kind = chance.choice(
            (
                serial_protocol.GREETING,
                serial_protocol.DONE,
                serial_protocol.KEY,
                chance.randrange(256),
            )
        )
        size = SIZES.get(kind, 3)
        if chance.random() < 0.2:
            size = chance.randrange(serial_protocol.MAX_PAYLOAD + 1)
        payload = chance.randbytes(size)
        if kind == serial_protocol.DONE and chance.random() < 0.7:
            payload = bytes((serial_protocol.CODE_DONE,))
        number = key if kind == serial_protocol.KEY else said
        if chance.random() < 0.3:
            number = chance.randrange(256)
        packet = bytearray(serial_protocol.pack(kind, number, payload))
        if chance.random() < 0.2:
            packet[chance.randrange(len(packet))] = chance.randrange(256)
        if chance.random() < 0.1:
            del packet[chance.randrange(len(packet)) :]
        for heard in end.receive(bytes(packet), now):
            if isinstance(heard, KeyChange):
                key = key + 1 & 255
        end.missed(now)


def plain(settings: Any) -> Any:
    """Return settings in the form of a TOML file."""
    if is_dataclass(settings):
        return {name: plain(value) for name, value in vars(settings).items() if value is not None}
    if isinstance(settings, Mapping):
        return {name: plain(value) for name, value in settings.items()}
    return [plain(one) for one in settings] if isinstance(settings, tuple) else settings


def configurations(chance: Random, cases: int, data: Path) -> None:
    """Check all settings, including the options of any drivers, corrupted in a few places."""
    options = {name: plain(config.driver(name).Options()) for name in config.drivers()}
    for _ in range(cases):
        tried = plain(Config())
        for part in chance.sample(PARTS, 2):
            driver = chance.choice(sorted(options))
            tried[part] = {"driver": driver, **copy.deepcopy(options[driver])}
        for _ in range(chance.randint(1, 3)):
            hurt(chance, tried)
        try:
            config.parse(tried)
        except ConfigError as error:
            assert str(error)
            assert "\n" not in str(error)


def layouts(chance: Random, cases: int, data: Path) -> None:
    whole = [
        tomllib.loads((LAYOUTS / f"{name}.toml").read_text("utf-8")) for name in layout.names()
    ]
    for _ in range(cases):
        tried = copy.deepcopy(chance.choice(whole))
        for _ in range(chance.randint(1, 3)):
            hurt(chance, tried)
        try:
            layout.parse("mine", tried)
        except LayoutError as error:
            assert sentence(error).startswith("layout mine: ")
            assert "\n" not in sentence(error)


def keys(chance: Random, cases: int, data: Path) -> None:
    """Press and release keys in any order, at any pace; a reopened board has the same state."""
    for evening in range(-(-cases // 500)):
        folder = data / str(evening)
        with keyed(folder) as table:
            for _ in range(min(500, cases - 500 * evening)):
                key = chance.choice(KEYS)
                down = chance.random() < 0.6
                table.controller.on_key(KeyEvent(key, down, table.clock.time()))
                table.clock.run(chance.choice((0.0, 0.01, 0.05, 0.3, 1.1)))
            stands = table.table.position.scores
            assert Table(table.table.journal, now=lambda: 0.0).position.scores == stands


async def ask(
    app: Any, method: str, path: str, headers: dict[str, str], body: bytes, query: bytes = b""
) -> tuple[int, bytes]:
    """Send a request directly to the application, and return the status and body of its answer."""
    inbox = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return inbox.pop() if inbox else {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path,
        "raw_path": path.encode("utf-8", "surrogatepass"), "query_string": query, "root_path": "",
        "headers": [(n.encode(), v.encode("utf-8", "replace")) for n, v in headers.items()],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8121),
    }  # fmt: skip
    await app(scope, receive, send)
    status: int = sent[0]["status"]
    assert sent[0]["type"] == "http.response.start"
    answer = b"".join(message.get("body", b"") for message in sent[1:])
    return status, answer


POSTED = ("/lines", "/preview", "/pair")
STATUSES = {200, 304, 400, 403, 404, 405, 413, 415, 421, 429}


def requests(chance: Random, cases: int, data: Path) -> None:
    async def evening(board: Board, cases: int) -> None:
        app = make(board, Options())
        recorded = chance.choice(RECORDS)
        for _ in range(cases):
            path = chance.choice(POSTED)
            request: Any = {"line": line(chance, recorded)}
            if path == "/lines":
                request["expect"] = board.table.number
            elif path == "/pair":
                request = {"pin": f"{chance.randrange(10**6):06}"}
            if chance.random() < 0.4:
                hurt(chance, request)
            body = json.dumps(request).encode("utf-8", "surrogatepass")
            if chance.random() < 0.1:
                body = chance.randbytes(chance.choice((0, 3, 40, BODY + 9)))
            method = "POST"
            if chance.random() < 0.1:
                path = chance.choice(("/state", "/history", "/", "/nothing", "/" + text(chance)))
                method = chance.choice(("GET", "POST", "PUT", "HEAD", "DELETE"))
            headers = {"host": "127.0.0.1:8121", "origin": ORIGIN}
            headers["content-type"] = "application/json"
            if chance.random() < 0.1:
                headers[chance.choice((*headers, "cookie", "accept-language"))] = text(chance)
            before = board.table.number
            status, answer = await ask(app, method, path, headers, body)
            assert status in STATUSES, (status, method, path, headers, body)
            taken = False
            if path in POSTED and method == "POST":
                found = json.loads(answer)
                assert ("error" in found) == (status != 200), (status, found)
                taken = path == "/lines" and "number" in found
            assert board.table.number == before + taken, "only a line that is taken changes it"

    for number in range(-(-cases // 1000)):
        board = Board(data / str(number))
        asyncio.run(evening(board, min(1000, cases - 1000 * number)))
        board.close()


def messages(chance: Random, cases: int, data: Path) -> None:
    """Send a page's possible messages: anything but a key ends the socket, and presses nothing."""
    board = Board(data)

    async def evening() -> None:
        for _ in range(cases):
            request: Any = {"key": chance.choice(KEYS), "down": chance.random() < 0.5}
            if chance.random() < 0.7:
                hurt(chance, request)
            message: Any = chance.choice((json.dumps(request), json.dumps(request), text(chance)))
            if chance.random() < 0.1:
                message = message[: chance.randrange(len(message) + 1)]
            peer = Peer()
            for _ in range(20):
                peer.hungry.release()
            board.pressed.clear()
            peer.inbox.put_nowait({"type": "websocket.receive", "text": message})
            peer.leave()
            await make_live(board).serve(peer.socket, viewer, yes)
            if read_key(message) is None:
                assert peer.taken[-1]["code"] == 1008
                assert not any(down for _, down in board.pressed)

    asyncio.run(evening())
    board.close()


Door = Callable[[Random, int, Path], None]
DOORS: dict[Door, int] = {
    lines: 400_000,
    frames: 300_000,
    configurations: 150_000,
    messages: 60_000,
    layouts: 30_000,
    requests: 30_000,
    keys: 30_000,
}
"""Each entry point, with its number of cases in the long run."""


def named(door: Door) -> str:
    return door.__name__


def test_they_are_a_million() -> None:
    assert sum(DOORS.values()) == 1_000_000


@pytest.mark.parametrize("door", DOORS, ids=named)
def test_what_nobody_should_say_is_refused(door: Door, tmp_path: Path) -> None:
    door(Random(1), DOORS[door] // 200, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("door", DOORS, ids=named)
def test_a_million_malformed_inputs(
    door: Door, tmp_path: Path, seed: int, long_run: LongRun
) -> None:
    long_run(cases=DOORS[door])
    door(Random(seed), DOORS[door], tmp_path)
