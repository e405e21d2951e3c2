"""A league's evening under load: simulated boards on a real broker, real hubs, a real PostgreSQL.

    python -m tools.bench.league 300 1000 3000 10000:600

Each board is a separate link in this process, with its own user, on MQTT 5 without TLS over
loopback: an event and a retained state every `EVENT` seconds, a result every `RESULT` seconds, as
at a table where points are entered. The hubs are three `boardctl hub` on one store. The program
prints a line of figures for each number of boards, and draws the figures in
docs/figures/league.svg. The number after a colon is the duration of the measurement in seconds,
once all boards are connected.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardctl.club.store import Store
from boardctl.mqtt.results import Malformed
from tests.club.postgres import Postgres
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import HubProcess
from tests.ports import free_port
from tools.bench.processes import cpu

EVENT: Final = 10.0
RESULT: Final = 900.0
QUIET: Final = 60.0
"""Seconds measured by default."""
HUBS: Final = 3
STATE: Final = {"number": 41, "session": 3, "game": "cribbage", "seats": ["Ann", "Bob"], "deal": 4,
                "phase": "pegging", "turn": "Ann", "dealer": "Bob", "won": [1, 0],
                "last_count": 8, "over": False, "brightness": 80}  # fmt: skip


class Load(NamedTuple):
    """The figures for a number of boards. CPU is in CPU seconds per second, and memory in MiB.
    Times are in milliseconds, from sending a result to its acknowledgement."""

    boards: int
    events: float
    broker_cpu: float
    hubs_cpu: float
    database_cpu: float
    broker_memory: float
    hub_memory: float
    median: float
    p99: float
    results: int


class Board(asyncio.Protocol):
    """A board's link: a minimal subset of MQTT 5 (packets of sections 3.1, 3.3, 3.4, 3.8 and
    3.12)."""

    def __init__(self, name: str, password: str, waits: list[float]) -> None:
        self.name = name
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._password = password
        self._waits = waits
        self._sent = 0.0
        self._left = b""
        self._number = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        body = _string("MQTT") + bytes((5, 0b11000010, 0, 120, 0)) + _string(self.name)
        self._send(0x10, body + _string(self.name) + _string(self._password))

    def connection_lost(self, error: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(error or ConnectionError("refused"))

    def data_received(self, data: bytes) -> None:
        self._left += data
        while (packet := _packet(self._left)) is not None:
            kind, body, self._left = packet
            if kind >> 4 == 2:  # CONNACK
                if body[1]:
                    raise Malformed(f"{self.name}: refused, {body[1]:#x}")
                topic = _string(f"boardctl/{self.name}/ack") + b"\x01"
                self._send(0x82, b"\x00\x01\x00" + topic)
            elif kind >> 4 == 9:  # SUBACK
                self.ready.set_result(None)
            elif kind >> 4 == 3:  # PUBLISH: an acknowledgement
                self._waits.append(time.perf_counter() - self._sent)
                start = 2 + int.from_bytes(body[:2], "big")
                self._send(0x40, body[start : start + 2])

    def say(self, score: int) -> None:
        """Send a line at the table: an event and the table's state."""
        scores = [score % 121, score % 90]
        event = {"number": score, "move": "1 peg 8", "awards": [], "scores": scores}
        self.publish("event", event, qos=0)
        self.publish("state", STATE | {"scores": scores}, qos=1, retain=True)

    def win(self, evening: int, place: int) -> None:
        """Send a finished game."""
        self._sent = time.perf_counter()
        result = {"state": "won", "seats": [f"a{place}", f"b{place}"], "scores": [121, 100],
                  "winner": 1, "margin": "game"}  # fmt: skip
        self._number += 1
        game = f"{self.name}-{evening}-{self._number}"
        self.publish("result", {"game": game, "version": 1, "result": result}, qos=1)

    def publish(self, topic: str, payload: dict[str, Any], qos: int, retain: bool = False) -> None:
        number = b"\x00\x02" if qos else b""
        body = _string(f"boardctl/{self.name}/{topic}") + number + b"\x00"
        self._send(0x30 | qos << 1 | retain, body + json.dumps(payload).encode())

    def _send(self, kind: int, body: bytes) -> None:
        self._transport.write(bytes((kind,)) + _length(len(body)) + body)


def _string(value: str) -> bytes:
    encoded = value.encode()
    return len(encoded).to_bytes(2, "big") + encoded


def _length(value: int) -> bytes:
    """Encode a variable byte integer (1.5.5)."""
    found = bytearray()
    while True:
        value, low = divmod(value, 128)
        found.append(low | (128 if value else 0))
        if not value:
            return bytes(found)


def _packet(data: bytes) -> tuple[int, bytes, bytes] | None:
    """Return the first complete packet of a stream: kind, body, and the rest."""
    size, shift = 0, 0
    for place in range(1, min(5, len(data))):
        size |= (data[place] & 127) << shift
        shift += 7
        if data[place] < 128:
            end = place + 1 + size
            return None if len(data) < end else (data[0], data[place + 1 : end], data[end:])
    return None


async def _evening(boards: list[Board], until: float, chance: random.Random) -> int:
    """Send all boards' lines and results, spread evenly, until the given time. Return the number of
    lines."""
    lines = 0
    place = 0
    while (now := time.perf_counter()) < until:
        board = boards[place % len(boards)]
        board.say(place // len(boards))
        lines += 1
        if chance.random() < EVENT / RESULT:
            board.win(0, place % len(boards))
        place += 1
        due = now + EVENT / len(boards)
        if place % 10 == 0:
            await asyncio.sleep(max(0.0, due - time.perf_counter()) * 10)
    return lines


def measure(count: int, folder: Path, database: Postgres, seconds: float) -> Load:
    """Return the figures for one evening of this many seconds with this many boards."""
    names = [f"t{n}" for n in range(count)]
    broker = Mosquitto(folder / f"broker-{count}", names)
    config = broker.directory / "mosquitto.conf"
    plain = free_port()
    text = re.sub(r"max_connections \d+\n", "max_connections -1\n", config.read_text())
    config.write_text(f"{text}listener {plain} 127.0.0.1\n")
    broker.start()
    url = database.new()
    store = Store(url)
    number = store.new("load", [f"{side}{n}" for n in range(count) for side in "ab"], 1)
    store.draw(number)
    store.close()
    hubs = [HubProcess(broker, url, free_port()) for _ in range(HUBS)]
    try:
        pids = [one.process.pid for one in hubs]
        return asyncio.run(_run(names, broker, plain, pids, database, seconds))
    finally:
        for one in hubs:
            one.end()
        broker.kill()


async def _run(
    names: list[str],
    broker: Mosquitto,
    port: int,
    hubs: list[int],
    database: Postgres,
    seconds: float,
) -> Load:
    waits: list[float] = []
    boards = []
    for name in names:
        board = Board(name, broker.joined[name].password, waits)
        await _connect(board, port)
        boards.append(board)
        if len(boards) % 50 == 0:
            await asyncio.gather(*(one.ready for one in boards[-50:]))
    await asyncio.gather(*(one.ready for one in boards))
    chance = random.Random(len(names))
    await _evening(boards, time.perf_counter() + EVENT, chance)  # every board has sent once
    waits.clear()
    processes = {"broker": [broker.pid], "hubs": hubs}
    before = {name: sum(map(_cpu, pids)) for name, pids in processes.items()}
    server = _family(database.pid)
    began, lines_before = time.perf_counter(), sum(map(_cpu, server))
    lines = await _evening(boards, began + seconds, chance)
    took = time.perf_counter() - began
    spent = {n: (sum(map(_cpu, pids)) - before[n]) / took for n, pids in processes.items()}
    server_cpu = (sum(map(_cpu, _family(database.pid))) - lines_before) / took
    waits.sort()
    return Load(
        len(names), lines / took, spent["broker"], spent["hubs"], server_cpu,
        _memory(broker.pid), max(map(_memory, hubs)),
        1000 * waits[len(waits) // 2], 1000 * waits[len(waits) * 99 // 100], len(waits),
    )  # fmt: skip


async def _connect(board: Board, port: int) -> None:
    await asyncio.get_running_loop().create_connection(lambda: board, "127.0.0.1", port)


def _family(pid: int) -> list[int]:
    """Return a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [pid, *map(int, children)]


def _cpu(pid: int) -> float:
    """Return the CPU seconds that a process has used, or 0 if it has ended."""
    try:
        return cpu(pid)
    except FileNotFoundError:
        return 0.0


def _memory(pid: int) -> float:
    """Return the memory of a process in MiB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("ascii"))
    assert found is not None
    return int(found[1]) / 1024


def loads(wanted: list[str]) -> Iterator[Load]:
    database = Postgres()
    database.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for one in wanted:
                count, _, seconds = one.partition(":")
                yield measure(int(count), Path(folder), database, float(seconds or QUIET))
    finally:
        database.remove()


if __name__ == "__main__":
    from tools.bench import plots

    found = []
    for load in loads(sys.argv[1:]):
        print(json.dumps(load._asdict()), flush=True)
        found.append(load)
    plots.league(found)
