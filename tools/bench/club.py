"""A club hub with 200 boards, each sending one event a second: memory, CPU, and latency to its
page.

The broker and the hub are real processes, using TLS with passwords and ACLs. The boards are real
links with real tables, all in this process. One of them is the probe: its lines are timed until
they appear on the page, which is polled.
"""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, NamedTuple

import httpx

from boardctl.mqtt.client import linked
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import HubProcess
from tests.mqtt.tables import Seated, soon
from tests.parts import PARTS
from tests.ports import free_port
from tests.tables import submit
from tools.bench.processes import cpu

BOARDS: Final = 200
QUIET: Final = 15
"""Seconds in which nobody requests the page, so that only the boards' events use CPU time."""
PROBES: Final = 100


class Crowd(NamedTuple):
    """The milliseconds from line to page, the memory of the hub and the broker, and the CPU time
    per event."""

    median: float
    p99: float
    hub_mebibytes: float
    broker_mebibytes: float
    hub_milliseconds: float
    broker_milliseconds: float


def crowd() -> Crowd | None:
    """Return the figures, or None without Mosquitto."""
    if not PARTS["mosquitto"].found():
        return None
    with tempfile.TemporaryDirectory() as folder:
        return _crowd(Path(folder))


def _crowd(folder: Path) -> Crowd:
    names = [f"t{n}" for n in range(BOARDS)]
    broker = Mosquitto(folder / "broker", names)
    broker.start()
    port = free_port()
    listening = HubProcess(broker, folder / "club.sqlite3", port)
    try:
        return asyncio.run(_play(folder, names, broker, listening.process.pid, port))
    finally:
        listening.end()
        broker.kill()


async def _play(folder: Path, names: list[str], broker: Mosquitto, pid: int, port: int) -> Crowd:
    async with AsyncExitStack() as up:
        tables = []
        for name in names:
            tables.append(Seated(folder / name))
            up.callback(tables[-1].close)
            await up.enter_async_context(linked(tables[-1], broker.options(name), soon))
        page = await up.enter_async_context(
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False)
        )
        while (await page.get("/")).text.count("<tr>") < BOARDS:
            await asyncio.sleep(0.1)
        received = [0]
        others = [
            asyncio.create_task(_evening(table, received, number))
            for number, table in enumerate(tables[1:])
        ]
        used, began = (cpu(pid), cpu(broker.pid)), received[0]
        await asyncio.sleep(QUIET)
        events = received[0] - began
        spent = (cpu(pid) - used[0], cpu(broker.pid) - used[1])
        waits = []
        for probe in range(1, PROBES + 1):
            waits.append(await _probe(tables[0], page, probe))
            await asyncio.sleep(0.2)
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        waits.sort()
        return Crowd(
            1000 * waits[PROBES // 2],
            1000 * waits[PROBES * 99 // 100],
            _memory(pid),
            _memory(broker.pid),
            1000 * spent[0] / events,
            1000 * spent[1] / events,
        )


async def _evening(table: Seated, received: list[int], number: int) -> None:
    """Send a line a second; boards start at different moments."""
    await asyncio.sleep(random.Random(number).random())
    while True:
        submit(table.table, "2 adjust +1", "bench")
        received[0] += 1
        await asyncio.sleep(1)


async def _probe(table: Seated, page: httpx.AsyncClient, score: int) -> float:
    """Return the seconds until the page shows a line."""
    wanted = re.compile(rf"<td>t0</td>.*?>{score} : 0</td>")
    began = time.perf_counter()
    submit(table.table, "1 adjust +1", "bench")
    while True:
        row = (await page.get("/")).text
        if wanted.search(row[: row.find("<td>t1</td>")]):
            return time.perf_counter() - began


def _memory(pid: int) -> float:
    """Return the peak memory of a process, in MiB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("ascii"))
    assert found is not None
    return int(found[1]) / 1024
