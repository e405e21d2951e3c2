"""The time from a key to its light while the page is attacked, compared with a quiet board.

A simulated board with its page runs in this process; the attackers are separate processes. Each key
is due at a given time of the loop, and its own time is the CPU time of the loop's thread from then
until the frame is lit. This includes work that the loop does first for attackers, but not the time
of other programs. Quiet and attacked rounds alternate. `apart` attacks the page of another process
instead, which shows the remaining effect if the page is a separate process.

`python -m tools.bench.attack` prints everything, including the loop's share of a CPU; an argument
such as `pings` selects one attack.
"""

from __future__ import annotations

import asyncio
import io
import os
import selectors
import shutil
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AsyncExitStack, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.drivers.ports import KeyEvent
from boardctl.storage.journal import NAME
from boardctl.web import Options, history_worker
from boardctl.web.serve import serve
from tests.ports import free_port
from tests.tables import submit
from tools.bench import growth

KEYS = 50
"""The number of keys in a round."""
EVERY = 0.02
ROUNDS = 3
GAMES = 10_000
"""The number of games in the journal that is exported repeatedly."""

SILENT = """
import socket, sys, time
held = []
while True:
    while len(held) < 1100:
        try: held.append(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1))
        except OSError: time.sleep(0.05)
    print("at work", flush=True)
    time.sleep(1)
"""
PINGS = r"""
import socket, sys
ping = (b"\x89\xfd\0\0\0\0" + bytes(125)) * 400
port = sys.argv[1]
print("at work", flush=True)
while True:
    s = socket.create_connection(("127.0.0.1", int(port)))
    s.sendall(f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
    try:
        while True: s.sendall(ping)
    except OSError: s.close()
"""
EXPORT = """
import sys, urllib.request
while True:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/export/games.json") as answer:
            while answer.read(65536): print("at work", flush=True)
    except OSError: pass
"""
ATTACKS = {
    "1,100 silent connections": SILENT,
    "a flood of pings": PINGS,
    "exports of 10,000 games": EXPORT,
}


@dataclass(frozen=True)
class Attacked:
    """A key's own time in milliseconds (median and 99th percentile), under attack and without, and
    the loop's share of a CPU under attack when no key is pressed."""

    p50: float
    p99: float
    quiet_p50: float
    quiet_p99: float
    share: float

    @property
    def ratio(self) -> float:
        return self.p50 / self.quiet_p50

    @property
    def rare(self) -> float:
        return self.p99 / self.quiet_p99


class Turns(selectors.DefaultSelector):
    """The loop's selector, which records when it waits. Between two waits, the loop is working."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: deque[tuple[float, float]] = deque(maxlen=4096)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self._note()
        found = super().select(timeout)
        self._note()
        return found

    def _note(self) -> None:
        self.waits.append((time.monotonic(), time.thread_time()))

    def own(self, due: float) -> float:
        """Return this thread's CPU seconds since that time. Usage is assumed to be even within each
        turn."""
        now = time.thread_time()
        for (came, before), (went, after) in pairwise((*self.waits, (time.monotonic(), now))):
            if came <= due <= went:
                part = (due - came) / (went - came) if went > came else 0.0
                return now - before - part * (after - before)
        raise AssertionError("the loop has taken too many turns since")


async def _keys(board: BoardApp, turns: Turns) -> list[float]:
    """Return the own time of keys that peg, in milliseconds, from the due time to the frame that
    they light."""
    loop = asyncio.get_running_loop()
    taken: list[float] = []
    for _ in range(KEYS):
        if board.table.position.scores[0] > 60:
            submit(board.table, "1 adjust -60", "page")
        for key in "A2":
            board.controller.on_key(KeyEvent(key, True, loop.time()))
            board.controller.on_key(KeyEvent(key, False, loop.time()))
        lit: asyncio.Future[float] = loop.create_future()
        due = loop.time() + EVERY

        def shown(frame: bytes, due: float = due, lit: asyncio.Future[float] = lit) -> None:
            if loop.time() >= due and not lit.done():
                lit.set_result(1000 * turns.own(due))

        stop = board.frames.connect(shown)
        loop.call_at(due, _press, board)
        with suppress(TimeoutError):  # a peg that waits for its disk may be dark at that moment
            async with asyncio.timeout(1):
                taken.append(await lit)
        stop()
        await asyncio.sleep(EVERY / 2)
    return taken


def _press(board: BoardApp) -> None:
    now = asyncio.get_running_loop().time()
    board.controller.on_key(KeyEvent("#", True, now))
    board.controller.on_key(KeyEvent("#", False, now))


async def _measure(apart: bool, program: str, data: Path, filled: Path, turns: Turns) -> Attacked:
    quiet: list[float] = []
    attacked: list[float] = []
    shares: list[float] = []
    async with AsyncExitStack() as closing:
        board = BoardApp(simulated(Config()), data, asyncio.get_running_loop(), None)
        closing.callback(board.close)
        if apart:
            port = str(free_port())
            other = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "boardctl", "run", "--sim", "--no-browser"),
                *("--port", port, "--data", str(filled)),
                stderr=asyncio.subprocess.PIPE,
            )
            closing.push_async_callback(other.wait)
            closing.callback(other.terminate)
            assert other.stderr is not None
            while b"http://" not in await other.stderr.readline():
                pass
        else:
            where = (await closing.enter_async_context(serve(board, Options(port=0)))).address
            port = where.rpartition(":")[2]
        await _keys(board, turns)  # the first ones load modules
        for _ in range(ROUNDS):
            quiet += await _keys(board, turns)
            attacker = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", program, port), stdout=asyncio.subprocess.PIPE
            )
            assert attacker.stdout is not None
            await attacker.stdout.readline()
            hearing = asyncio.create_task(_deaf(attacker.stdout))
            await asyncio.sleep(0.5)
            attacked += await _keys(board, turns)
            began, used = time.monotonic(), time.thread_time()
            await asyncio.sleep(1)
            shares.append((time.thread_time() - used) / (time.monotonic() - began))
            attacker.kill()
            await attacker.wait()
            await hearing
            await asyncio.sleep(0.5)
    return Attacked(median(attacked), _p99(attacked), median(quiet), _p99(quiet), median(shares))


async def _deaf(stream: asyncio.StreamReader) -> None:
    while await stream.read(65536):
        pass


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[98]


def filled(folder: Path) -> None:
    """Fill a data directory with many games and request them once."""
    evening = growth.Evening(folder / NAME)
    game = evening.finished
    evening.db.execute("BEGIN")
    for _ in range(GAMES // growth.EVENING):
        evening.add(["session evening", *(game[1:] * growth.EVENING)])
    evening.db.execute("COMMIT")
    evening.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    evening.db.close()
    with redirect_stdout(io.StringIO()):
        history_worker.main([str(folder), "csv", "0", "en"])


def measure(apart: bool = False, word: str = "") -> Iterator[tuple[str, Attacked]]:
    """Run each attack whose name contains one of the words, on the page of this or of another
    process."""
    with tempfile.TemporaryDirectory() as games:
        for name, program in ATTACKS.items():
            if word not in name:
                continue
            if program is EXPORT:
                filled(Path(games))
            with tempfile.TemporaryDirectory() as small, tempfile.TemporaryDirectory() as large:
                if program is EXPORT:
                    shutil.copytree(games, large, dirs_exist_ok=True)
                data, other = (small, large) if apart or program is not EXPORT else (large, small)
                turns = Turns()
                with asyncio.Runner(loop_factory=partial(_loop, turns)) as runner:
                    measured = _measure(apart, program, Path(data), Path(other), turns)
                    yield name, runner.run(measured)


def _loop(turns: Turns) -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop(turns)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(Path(__file__).parents[2]))
    for elsewhere in (False, True):
        for name, one in measure(elsewhere, *sys.argv[1:]):
            print(
                f"{name}, page {'apart' if elsewhere else 'here'}: half {one.p50:.2f} ms "
                f"(quiet {one.quiet_p50:.2f}), 99 of 100 {one.p99:.2f} ms "
                f"(quiet {one.quiet_p99:.2f}); x{one.ratio:.2f}, x{one.rare:.2f}; "
                f"the loop's share {100 * one.share:.1f} %",
                flush=True,
            )
