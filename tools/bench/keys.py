"""The latency of a key press: from the debounced event to the last byte on the bus, and before
it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from boardctl.drivers import gpio_matrix
from boardctl.drivers.debounce import SETTLE
from boardctl.drivers.gpio_matrix import POLL
from boardctl.drivers.ports import KeyEvent
from tools.bench.rounds import least

SCRIPT = Path(__file__).with_name("press.py")
STALL = Path(__file__).with_name("stall.c")
ROOT = Path(__file__).parents[2]
STALLED = 100
"""The additional milliseconds of every sync on the stalled disk."""
SCANS = 1 + round(SETTLE / POLL)
"""The number of scans needed to accept a contact."""


class Way(NamedTuple):
    """One measured path of a key. It has the median and 99th percentile of the time to the light,
    relative to Adafruit's driver encoding a frame, and in milliseconds. It also has the
    milliseconds of the work that follows and of the time until the line is on disk, and says
    whether real-time priority was granted."""

    half: float
    rare: float
    p50: float
    p99: float
    after: float
    saved: float
    real_time: bool


def way(stalled: bool = False, rounds: int = 4, pegged: int = 150) -> Way | None:
    """Return the best of several rounds, to reduce the effect of other load. Return None if a
    stalled disk is requested and there is no C compiler to build one."""
    with tempfile.TemporaryDirectory(dir=ROOT, suffix=".tmp") as folder:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        if stalled:
            compiler = shutil.which("cc")
            if compiler is None:
                return None
            library = Path(folder, "stall.so")
            subprocess.run(
                [compiler, "-shared", "-fPIC", "-o", str(library), str(STALL)], check=True
            )
            environment |= {"LD_PRELOAD": str(library), "STALL_MS": str(STALLED)}
        runs = [_played(Path(folder, str(turn)), pegged, environment) for turn in range(rounds)]
    p50, p99 = _best(runs, "to_light")
    peer50, peer99 = _best(runs, "peer")
    return Way(
        p50 / peer50,
        p99 / peer99,
        p50,
        p99,
        min(median(played["after"]) for played in runs) / 1e6,
        min(median(played["saved"]) for played in runs) / 1e6,
        all(played["real_time"] for played in runs),
    )


def _best(runs: list[dict[str, Any]], what: str) -> tuple[float, float]:
    """Return the smallest median and the smallest 99th percentile of all rounds, in
    milliseconds."""
    rounds = [sorted(played[what]) for played in runs]
    return min(map(median, rounds)) / 1e6, min(one[len(one) * 99 // 100] for one in rounds) / 1e6


def _played(folder: Path, pegged: int, environment: dict[str, str]) -> dict[str, Any]:
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), str(pegged)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    runs: dict[str, Any] = json.loads(done.stdout)
    return runs


class _Pin:
    """A pin that responds immediately: a column is low while the row of the pressed key is
    driven."""

    edges = ""
    when_changed: Any = None

    def __init__(self) -> None:
        self.driven = False
        self.row: _Pin | None = None

    @property
    def state(self) -> int:
        return 0 if self.row is not None and self.row.driven else 1

    def output_with_state(self, state: int) -> None:
        self.driven = True

    def input_with_pull(self, pull: str) -> None:
        self.driven = False

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class _Wires:
    """Such pins, and a clock that advances only on demand."""

    pin_errors: tuple[type[Exception], ...] = (OSError,)

    def __init__(self) -> None:
        self.now = 0.0
        self.due: Callable[[], object] = lambda: None
        self.opened: dict[int, _Pin] = {}
        self.clock = self

    def pins(self, factory: str) -> _Wires:
        return self

    def pin(self, number: int) -> _Pin:
        return self.opened.setdefault(number, _Pin())

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], object]) -> _Wires:
        self.due = callback
        return self

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> None:
        self.due = callback

    def cancel(self) -> None:
        """Do nothing: a scheduled call runs only when the benchmark makes it run."""


def scan() -> float:
    """Return the CPU milliseconds before the event: the matrix scans needed to accept a contact,
    including debouncing, on pins that take no time."""
    options = gpio_matrix.Options()
    wires: Any = _Wires()
    (pad,) = gpio_matrix.open_ports(options, wires)
    events: list[KeyEvent] = []
    pad.start(events.append)
    row, column = wires.opened[options.rows[0]], wires.opened[options.columns[0]]

    def contact(closed: bool) -> None:
        column.row = row if closed else None
        if closed:
            column.when_changed(0.0, 0)
        for _ in range(SCANS):
            wires.due()
            wires.now += POLL

    def taps() -> None:
        for _ in range(50):
            contact(True)
            contact(False)

    (spent,) = least(taps)
    assert len(events) == 12 * 100, "each tap was two events"
    pad.close()
    return 1000 * spent / 100
