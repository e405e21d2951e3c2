"""`boardctl run` itself, as a process with a kernel pty as its USB port.

It is played, stopped by a signal, killed, restarted and ended. The daemon runs on wall-clock time
and the chip on its own clock, so nothing here depends on either: each step waits for its visible
result.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardctl.board import layout
from tests.firmware.rig import HERTZ, KEYS, Emulator, alone

ROOT = Path(__file__).parents[2]
STEP = 0.004
PATIENCE = 90.0
"""Wall-clock seconds after which a missing result fails the test: a safety limit."""
CONFIG = """\
telling = "points"

[leds]
driver = "serial_board"
port = "{port}"

[keys]
driver = "serial_board"

[page]
enabled = false
"""


class Players:
    """A chip that runs at about wall-clock speed, and a daemon at its port."""

    def __init__(self, emulator: Emulator, folder: Path) -> None:
        self.emulator = emulator
        self._config = folder / "config.toml"
        self._config.write_text(CONFIG.format(port=emulator.port))
        self._data = folder / "data"
        self.places = layout.load("classic-2").index()
        self.start()

    def start(self) -> None:
        words = ["run", "--config", str(self._config), "--data", str(self._data), "--no-browser"]
        self.daemon = subprocess.Popen(
            [sys.executable, "-m", "boardctl", *words], cwd=ROOT, env={**os.environ, "TZ": "UTC"}
        )

    def live(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / STEP))):
            self.emulator.command(f"live {round(STEP * HERTZ)}")
            time.sleep(STEP / 2)

    def until(self, seen: Callable[[], bool]) -> None:
        guard = time.monotonic() + PATIENCE
        while not seen():
            assert time.monotonic() < guard
            assert self.daemon.poll() is None, "the daemon has ended"
            self.live(STEP)

    def tap(self, names: str) -> None:
        for name in names:
            for closed in (True, False):
                self.emulator.key(KEYS.index(name), closed, 4000)
                self.live(0.06)

    def stands(self, *pegs: str) -> bool:
        """Check that these holes are lit on the strip."""
        strip = self.emulator.strip()
        return all(any(strip[3 * self.places[p] : 3 * self.places[p] + 3]) for p in pegs)

    def lit(self) -> bytes:
        return self.emulator.refreshes[-1].leds


@pytest.fixture
def players(emulator: Emulator, tmp_path: Path) -> Iterator[Players]:
    playing = Players(emulator, tmp_path)
    yield playing
    if playing.daemon.poll() is None:
        playing.daemon.kill()
        playing.daemon.wait()


@pytest.mark.slow
@pytest.mark.parametrize("chip", ["atmega328p", pytest.param("rp2040", marks=pytest.mark.long)])
def test_the_process(players: Players) -> None:
    chip = players.emulator
    players.until(lambda: not any(chip.strip()))
    players.until(lambda: players.stands("track1.start1", "track2.start1"))
    players.tap("A8#")
    players.until(lambda: players.stands("track1.8"))
    players.live(1.0)

    players.daemon.send_signal(signal.SIGSTOP)
    players.live(4.2)
    recent = {refresh.leds for refresh in chip.refreshes[-20:]}
    assert players.lit() in {alone(picture, phase) for picture in recent for phase in range(8)}
    players.tap("B5#")
    players.daemon.send_signal(signal.SIGCONT)
    players.until(lambda: players.stands("track1.8", "track2.5"))

    players.daemon.kill()
    players.daemon.wait()
    players.tap("A4#")
    players.start()
    players.until(lambda: players.stands("track1.12", "track2.5"))
    players.live(3.0)
    assert players.stands("track1.12", "track2.5"), "nothing was pegged twice"

    players.daemon.send_signal(signal.SIGTERM)
    guard = time.monotonic() + PATIENCE
    while players.daemon.poll() is None:
        assert time.monotonic() < guard
        players.live(STEP)
    assert players.daemon.returncode == 0
    picture = players.lit()
    players.live(4.0)
    assert players.lit() == picture, "it said goodbye: nobody is missed"
    assert chip.stats()["lost"] == 0
