"""The daemon's core up to its first frame, in a separate process: `core.py FOLDER`.

Prints as JSON the CPU time of the start, the process's peak memory, and the loaded modules. Without
a folder, it prints the cost of importing asyncio, sqlite3 and tomllib. The configuration, journal,
referee, layout and one LED driver are those of a board on a Pi; only the SPI bus is replaced by a
list. Nothing is imported before the clock is read.
"""

import gc
import sys
import time

BEFORE = time.process_time()

CONFIG = """
layout = "classic-2"
[leds]
driver = "ws2812_spi"
[page]
enabled = false
"""


class Sink(list[bytes]):
    """An SPI bus that records the sent data."""

    limit = 1 << 16

    def write(self, data: bytes) -> None:
        self.append(data)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class Copper:
    """Wires with only an SPI bus."""

    def __init__(self) -> None:
        self.bus = Sink()

    def spi(self, bus: int, device: int, hertz: int, clocked: bool = True) -> Sink:
        return self.bus

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def imports() -> int:
    import asyncio  # noqa: F401
    import sqlite3  # noqa: F401
    import tomllib  # noqa: F401

    return 0


def core(folder: str) -> int:
    """Start a board from a config file, as `boardctl run` does, and return how many frames it has
    sent."""
    gc.disable()
    import asyncio
    from pathlib import Path
    from typing import Any

    from boardctl.app import config as configuration
    from boardctl.app.board_app import BoardApp

    path = Path(folder, "config.toml")
    path.write_text(CONFIG)
    wires: Any = Copper()

    async def start() -> int:
        board = BoardApp(configuration.load(path), Path(folder), asyncio.get_running_loop(), wires)
        frames = len(wires.bus)
        stopped.append(time.process_time())
        board.close()
        return frames

    return asyncio.run(start())


stopped: list[float] = []


def main() -> None:
    frames = core(sys.argv[1]) if len(sys.argv) > 1 else imports()
    after = stopped[0] if stopped else time.process_time()
    modules = sorted(sys.modules)

    import json
    from pathlib import Path

    # Not getrusage's figure, which is never less than the process had before it became this one.
    status = Path("/proc/self/status").read_text()
    figures = {
        "seconds": after - BEFORE,
        "kib": int(status.partition("VmHWM:")[2].split()[0]),
        "frames": frames,
        "modules": modules,
    }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
