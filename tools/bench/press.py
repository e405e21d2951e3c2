"""Measure the time from keys to their light on a running daemon, in a separate process: `press.py
FOLDER N`.

The daemon is the real one: event loop, journal on its own thread and on disk, referee, layout,
`ws2812_spi`, and `gpio_matrix` with its debouncing on virtual pins; only the SPI bus is a stand-in
that accepts the bytes. A player presses keys until N of them have moved a peg. Prints as JSON, in
nanoseconds: the time from each such `KeyEvent` to the last byte passed to the bus; the following
work for the display and the next key; the time until the lines were on disk; and the time of
Adafruit's driver, right after each such key, to encode a frame with as many LEDs. Also prints
whether the kernel granted real-time priority, without which the time of other programs is included.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any, Final

from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.drivers.ports import KeyEvent
from boardctl.drivers.virtual import VirtualWires
from boardctl.games import Telling
from boardctl.table import Receipt
from tests.players import RandomHands
from tools.bench.core import Sink
from tools.bench.leds import peer

LAYOUT: Final = "classic-3"
"""The layout with the number of LEDs nearest to 400: 443."""
CONFIG: Final = f"""
layout = "{LAYOUT}"
[leds]
driver = "ws2812_spi"
[keys]
driver = "gpio_matrix"
[page]
enabled = false
"""
TELLINGS: Final[tuple[Telling, ...]] = ("hands", "cards", "points")
"""The ways of entry, used in turn for the games."""

sent: list[int] = []
"""The times at which frames since the last key event were passed to the bus."""


class Bus(Sink):
    """A bus that accepts the bytes and records the time."""

    def write(self, data: bytes) -> None:
        sent.append(time.perf_counter_ns())


class Wires(VirtualWires):
    """Wires with virtual pins and a `Bus`."""

    def spi(self, bus: int, device: int, hertz: int, clocked: bool = True) -> Any:
        return Bus()


class Timed:
    """A wrapper that times the controller's `on_key`."""

    def __init__(self, board: BoardApp) -> None:
        self.to_light: list[int] = []
        self.after: list[int] = []
        self.saved: list[int] = []
        self.peer: list[int] = []
        self.events = 0
        self._encode = peer(board.layout.leds)
        self._moved = False
        self._scores = board.table.position.scores
        self._on_key = board.controller.on_key
        board.table.accepted.connect(self._accepted)

    def _accepted(self, receipt: Receipt) -> None:
        scores = receipt.report.position.scores
        self._moved, self._scores = scores != self._scores, scores
        began = time.perf_counter_ns()
        receipt.saved.add_done_callback(lambda _: self.saved.append(time.perf_counter_ns() - began))

    def on_key(self, event: KeyEvent, here: bool = True) -> None:
        sent.clear()
        self._moved = False
        began = time.perf_counter_ns()
        self._on_key(event, here)
        ended = time.perf_counter_ns()
        self.events += 1
        if self._moved:
            self.to_light.append(sent[-1] - began)
            self.after.append(ended - sent[-1])
            began = time.perf_counter_ns()
            self._encode()
            self.peer.append(time.perf_counter_ns() - began)


async def play(folder: Path, pegged: int) -> dict[str, Any]:
    """Play until this many keys have moved a peg."""
    path = folder / "config.toml"
    path.write_text(CONFIG)
    loop = asyncio.get_running_loop()
    wires = Wires(loop)
    board = BoardApp(configuration.load(path), folder, loop, wires)
    try:  # an open journal would keep the process alive after an error
        timer = Timed(board)
        await _press(board, wires, timer, pegged)
    finally:
        board.close()
    return {
        "to_light": timer.to_light,
        "after": timer.after,
        "saved": timer.saved,
        "peer": timer.peer,
    }


async def _press(board: BoardApp, wires: Wires, timer: Timed, pegged: int) -> None:
    board.ready()
    controller = board.controller
    controller.on_key = timer.on_key  # type: ignore[method-assign]
    chance, hands = random.Random(31), RandomHands(31)
    games = 0
    typed = ""
    while len(timer.to_light) < pegged:
        if board.table.position.over:
            games += 1
            typed = "#"
        if not typed:
            controller.telling = TELLINGS[games % len(TELLINGS)]
            if controller.telling == "points":
                typed = f"{chance.choice('AB')}{chance.randint(1, 24)}#"
            else:
                typed = hands.keys(controller.keypad_state, controller.view)
        key, typed = typed[0], typed[1:]
        for finger in (wires.keypad.press, wires.keypad.release):
            before = timer.events
            finger(key)
            while timer.events == before:
                await asyncio.sleep(0.001)


def real_time() -> bool:
    """Request real-time priority, if that is allowed."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except OSError:
        return False
    return True


def main() -> None:
    granted = real_time()
    figures = asyncio.run(play(Path(sys.argv[1]), int(sys.argv[2])))
    sys.stdout.write(json.dumps(figures | {"real_time": granted}) + "\n")


if __name__ == "__main__":
    main()
