"""An idle board sleeps: count how often the kernel wakes any thread of the daemon."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WINDOW = 3.0
"""The number of seconds to observe."""
PATIENCE = 60.0
"""Seconds in which the board must become idle after its start."""


def wakeups(pid: int) -> int:
    """Return how often the daemon's threads have gone to sleep, which equals the number of
    wake-ups."""
    total = 0
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        lines = status.read_text().splitlines()
        total += int(next(line for line in lines if line.startswith("voluntary")).split()[1])
    return total


@contextmanager
def board(
    data: Path, page: bool, watchdog: float | None = None
) -> Iterator[tuple[int, socket.socket]]:
    """A simulated board that is started as a service: its process, and the socket that it
    notifies."""
    config = data / "config.toml"
    config.write_text(f"[page]\nenabled = {str(page).lower()}\n")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(data / "notify"))
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NOTIFY_SOCKET": str(data / "notify")}
        environment.pop("WATCHDOG_USEC", None)
        if watchdog is not None:
            environment["WATCHDOG_USEC"] = str(round(watchdog * 1e6))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "boardctl", "run", "--sim", "--no-browser"),
                *("--port", str(port), "--config", str(config), "--data", str(data)),
            ],
            env=environment,
            stderr=subprocess.DEVNULL,
        )
        try:
            systemd.settimeout(PATIENCE)
            assert systemd.recv(64) == b"READY=1"
            yield process.pid, systemd
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def come_to_rest(pid: int, most: int) -> None:
    """Wait until a second has passed with at most this many wake-ups."""
    end = time.monotonic() + PATIENCE
    before = -1
    while (now := wakeups(pid)) > before + most or before < 0:
        assert time.monotonic() < end, "it does not come to rest"
        before = now
        time.sleep(1)


@pytest.mark.slow
@pytest.mark.parametrize("page", [False, True])
def test_nothing_wakes_it(tmp_path: Path, page: bool) -> None:
    with board(tmp_path, page) as (pid, _):
        come_to_rest(pid, 0)
        before = wakeups(pid)
        time.sleep(WINDOW)
        assert wakeups(pid) == before


@pytest.mark.slow
def test_only_the_watchdog_does(tmp_path: Path) -> None:
    """Feeding the watchdog wakes the loop for its timer, the journal's thread, and the loop for the
    answer; each of the two threads may also have waited for the other to release the
    interpreter."""
    with board(tmp_path, page=False, watchdog=1.5) as (pid, systemd):
        come_to_rest(pid, 10)
        while select.select([systemd], [], [], 0)[0]:
            systemd.recv(64)
        before, fed = wakeups(pid), 0
        end = time.monotonic() + WINDOW
        while (left := end - time.monotonic()) > 0:
            if select.select([systemd], [], [], left)[0]:
                fed += systemd.recv(64) == b"WATCHDOG=1"
        assert fed
        assert wakeups(pid) - before <= 5 * (fed + 1)
