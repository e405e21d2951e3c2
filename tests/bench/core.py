"""The daemon's core up to its first frame, in a process of its own: `python -m tests.bench.core`.

Prints as JSON what the start took of the CPU, the most memory the process had, and the modules
that were loaded. With `--baseline`, what importing asyncio, sqlite3 and tomllib takes instead.
Config, journal, referee, layout and one LED driver are those of a board on a Pi; only the SPI bus
is a list.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CONFIG = """
layout = "classic-2"
[leds]
driver = "ws2812_spi"
[page]
enabled = false
"""


class Sink(list[bytes]):
    """An SPI bus that keeps what was sent."""

    limit = 1 << 16

    def write(self, data: bytes) -> None:
        self.append(data)

    def close(self) -> None:
        """Nothing to let go of."""


class Copper:
    """Wires with an SPI bus and nothing else."""

    def __init__(self) -> None:
        self.bus = Sink()

    def spi(self, bus: int, device: int, hertz: int) -> Sink:
        return self.bus


def baseline() -> None:
    import asyncio  # noqa: F401
    import sqlite3  # noqa: F401
    import tomllib  # noqa: F401


def core(folder: Path) -> int:
    """Start a board from a config file; returns how many frames were sent."""
    import asyncio

    from boardctl import config as configuration
    from boardctl.daemon import Board

    path = folder / "config.toml"
    path.write_text(CONFIG)
    wires: Any = Copper()

    async def start() -> int:
        board = Board(configuration.load(path), folder, asyncio.get_running_loop(), wires)
        try:
            board.sitting.table.submit("game cribbage", "bench")
            while not wires.bus:
                await asyncio.sleep(0)
            return len(wires.bus)
        finally:
            board.close()

    return asyncio.run(start())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        before = time.process_time()
        if "--baseline" in sys.argv:
            baseline()
            frames = 0
        else:
            frames = core(Path(folder))
        seconds = time.process_time() - before
    told = {
        "seconds": seconds,
        "kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        "frames": frames,
        "modules": sorted(sys.modules),
    }
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
