"""The page in the board's process compared with a prototype that has a separate process.

Measures what a key costs in the event loop that handles keys and LEDs while pages are connected,
and the memory of the processes. The prototype favours the second design: the board sends each
accepted line and each frame once, over a local socket, to a process that keeps its own record and
serves the same page from it. It lacks the opposite direction, which a real implementation would
need: keys, lines and commands.

`python -m tools.bench.apart` prints the figures; docs/security.md states the decision based on
them.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.drivers.ports import KeyEvent
from boardctl.web import Options
from boardctl.web.serve import serve
from tests.tables import submit

PAGES = 8
"""The number of connected pages: as many phones as on an evening."""
KEYS = 40

LOOKING = """
import asyncio, sys
from websockets.asyncio.client import connect
port = sys.argv[1]
async def look():
    at = f"127.0.0.1:{port}"
    async with connect(f"ws://{at}/ws", origin=f"http://{at}", proxy=None) as s:
        async for message in s: pass
async def main(): await asyncio.gather(*(look() for _ in range(int(sys.argv[2]))))
asyncio.run(main())
"""


def resident(process: int | str = "self") -> float:
    """Return the MiB of a process, including shared pages."""
    status = Path(f"/proc/{process}/status").read_text()
    (kib,) = re.findall(r"VmRSS:\s+(\d+) kB", status)
    return int(kib) / 1024


async def page(path: str) -> None:
    """The page's process in the prototype."""
    from tests.web.test_live import Board

    with tempfile.TemporaryDirectory() as folder:
        board = Board(Path(folder))
        async with serve(board, Options(port=0)) as served:
            reader, _ = await asyncio.open_unix_connection(path)
            print(served.address.rpartition(":")[2], flush=True)
            async for line in reader:
                message = json.loads(line)
                if "line" in message:
                    submit(board.table, message["line"], "page")
                else:
                    board.draw(bytes.fromhex(message["frame"]))
        board.close()


async def _cost(board: BoardApp) -> float:
    """Return the CPU milliseconds of the loop's thread for a key that pegs, including everything it
    triggers."""
    loop = asyncio.get_running_loop()
    taken = []
    for number in range(KEYS + 5):
        if board.table.position.scores[0] > 60:
            submit(board.table, "1 adjust -60", "page")
            await asyncio.sleep(0.2)
        began = time.thread_time()
        for key in "A2#":
            board.controller.on_key(KeyEvent(key, True, loop.time()))
            board.controller.on_key(KeyEvent(key, False, loop.time()))
        await asyncio.sleep(0.15)
        if number >= 5:  # the first ones load modules
            taken.append(1000 * (time.thread_time() - began))
    return median(taken)


async def measure(apart: bool, pages: int) -> tuple[float, float, float]:
    """Return the CPU milliseconds of a key in the loop, and the MiB of the board's process and of
    the page's."""
    async with AsyncExitStack() as closing:
        folder = Path(closing.enter_context(tempfile.TemporaryDirectory()))
        board = BoardApp(simulated(Config()), folder, asyncio.get_running_loop(), None)
        closing.callback(board.close)
        other = None
        if apart:
            writers: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
            server = await asyncio.start_unix_server(
                lambda _, writer: writers.put_nowait(writer), str(folder / "page")
            )
            closing.callback(server.close)
            other = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tools.bench.apart", str(folder / "page")),
                stdout=asyncio.subprocess.PIPE,
            )
            closing.push_async_callback(other.wait)
            closing.callback(other.kill)
            assert other.stdout is not None
            port = (await other.stdout.readline()).decode().strip()
            writer = await writers.get()

            def say(what: str, news: str) -> None:
                writer.write(json.dumps({what: news}).encode() + b"\n")

            for line in [move.text for move in board.table.record.deal]:
                say("line", line)
            board.table.accepted.connect(lambda receipt: say("line", receipt.report.line))
            board.frames.connect(lambda frame: say("frame", frame.hex()))
        else:
            url = (await closing.enter_async_context(serve(board, Options(port=0)))).address
            port = url.rpartition(":")[2]
        looking = await asyncio.create_subprocess_exec(
            sys.executable, "-c", LOOKING, port, str(pages)
        )
        await asyncio.sleep(3)
        cost = await _cost(board)
        memory = resident(), resident(other.pid) if other is not None else 0.0
        looking.kill()
        await looking.wait()
        return cost, *memory


def main() -> None:
    for pages in (1, PAGES):
        for apart in (False, True):
            cost, board, other = asyncio.run(measure(apart, pages))
            print(
                f"{pages} pages, {'apart' if apart else 'here '}: a key takes {cost:.2f} ms of the "
                f"loop; board {board:.0f} MiB, page {other:.0f} MiB",
                flush=True,
            )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(page(sys.argv[1]))
    else:
        main()
