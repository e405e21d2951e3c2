"""A key's way to its light while strangers attack the page, beside the same key on a quiet board.

A simulated board with its page runs in this process; the attackers are processes of their own.
Each key is due at a time of the loop: what is measured is from then to the frame, so a loop that is
held up counts. Quiet and attacked rounds take turns. `elsewhere` attacks another process's page
instead: what would be left if the page were a process of its own.

`python -m tests.bench.attack` prints it all; CPU that the attackers take is part of it where the
machine has no core to spare.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from boardctl.app.config import Config
from boardctl.app.daemon import BoardApp, simulated
from boardctl.drivers.ports import KeyEvent
from boardctl.storage.journal import NAME
from boardctl.web import Options
from boardctl.web.serve import serve
from tests.bench import growth

KEYS = 60
"""Keys in a round."""
EVERY = 0.03
ROUNDS = 2
GAMES = 400
"""Games in the journal that is exported over and over."""

SILENT = """
import socket, sys, time
held = []
while True:
    while len(held) < 1100:
        try: held.append(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1))
        except OSError: time.sleep(0.05)
    time.sleep(1)
"""
PINGS = r"""
import socket, sys
ping = (b"\x89\xfd\0\0\0\0" + bytes(125)) * 400
port = sys.argv[1]
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
    try: urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/export/games.json").read()
    except OSError: pass
"""
ATTACKS = {"1,100 silent connections": SILENT, "a flood of pings": PINGS, "exports": EXPORT}


@dataclass(frozen=True)
class Ratio:
    """Half of the keys and 99 of 100, in milliseconds, and beside those of the quiet board."""

    name: str
    p50: float
    p99: float
    quiet_p50: float
    quiet_p99: float


async def _keys(board: BoardApp) -> list[float]:
    """Milliseconds from the time a key is due to the frame that it lights."""
    loop = asyncio.get_running_loop()
    lit: list[float] = []
    stop = board.watch_frames(lambda frame: lit.append(loop.time()))
    taken = []
    for _ in range(KEYS):
        done = asyncio.Event()
        due = loop.time() + EVERY

        def press(due: float = due, done: asyncio.Event = done) -> None:
            for key in "A2#":
                board.controller.on_key(KeyEvent(key, True, loop.time()))
                board.controller.on_key(KeyEvent(key, False, loop.time()))
            taken.append((lit[-1] if lit and lit[-1] >= due else loop.time()) - due)
            done.set()

        loop.call_at(due, press)
        await done.wait()
    stop()
    return [1000 * one for one in taken]


async def _measure(port_of: str, program: str, data: Path, games: Path) -> Ratio:
    loop = asyncio.get_running_loop()
    quiet: list[float] = []
    attacked: list[float] = []
    async with AsyncExitStack() as closing:
        board = BoardApp(simulated(Config()), data, loop, None)
        closing.callback(board.close)
        where = (await closing.enter_async_context(serve(board, Options(port=0)))).url
        if port_of == "elsewhere":
            other = subprocess.Popen(
                [
                    *(sys.executable, "-m", "boardctl", "run", "--sim", "--no-browser"),
                    *("--port", "18121", "--data", str(games)),
                ],
                stderr=subprocess.PIPE,
                text=True,
            )
            closing.callback(other.wait)
            closing.callback(other.terminate)
            assert other.stderr is not None
            where = other.stderr.readline().split("http://")[1].split()[0]
        port = where.rpartition(":")[2]
        for _ in range(ROUNDS):
            quiet += await _keys(board)
            attacker = subprocess.Popen([sys.executable, "-c", program, port])
            await asyncio.sleep(1.5)
            attacked += await _keys(board)
            attacker.kill()
            attacker.wait()
            await asyncio.sleep(0.5)
    return Ratio(port_of, median(attacked), _p99(attacked), median(quiet), _p99(quiet))


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[98]


def filled(folder: Path) -> Path:
    """A data directory with many games."""
    evening = growth._Evening(folder / NAME)
    for _ in range(GAMES // 4):
        evening.add([line for _ in range(4) for line in evening.finished])
    evening.db.close()
    return folder


def measure() -> dict[str, list[Ratio]]:
    """Each attack, on this process's page and on that of another."""
    found: dict[str, list[Ratio]] = {}
    for name, program in ATTACKS.items():
        for where in ("here", "elsewhere"):
            with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
                data = filled(Path(one)) if name == "exports" else Path(one)
                games = filled(Path(two)) if name == "exports" else Path(two)
                found.setdefault(name, []).append(
                    asyncio.run(_measure(where, program, data, games))
                )
    return found


if __name__ == "__main__":
    for name, ratios in measure().items():
        for one in ratios:
            print(
                f"{name}, page {one.name}: half {one.p50:.2f} ms (quiet {one.quiet_p50:.2f}), "
                f"99 of 100 {one.p99:.2f} ms (quiet {one.quiet_p99:.2f}); "
                f"x{one.p50 / one.quiet_p50:.2f}, x{one.p99 / one.quiet_p99:.2f}"
            )
