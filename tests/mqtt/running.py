"""Boards and hub as users run them: `boardctl run` with `[mqtt]` on, and `boardctl hub`."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from boardctl.mqtt import Options
from tests.mqtt.broker import Mosquitto
from tests.web.conftest import ROOT, Daemon, start


def run(broker: Mosquitto, board: str, data: Path, port: int | None = None, **more: bool) -> Daemon:
    """Start a simulated board with this broker, and wait until it serves its page; the caller
    checks whether it has reached the broker."""
    data.mkdir(parents=True, exist_ok=True)
    config = data / "config.toml"
    config.write_text(table(broker.options(board, **more)), "utf-8")
    return start(data, "--config", str(config), port=port)


class HubProcess:
    """Start `boardctl hub` with this broker, and wait until it serves its page. Its output goes to
    a file: an unread pipe would block it when full."""

    def __init__(self, broker: Mosquitto, store: Path | str, port: int) -> None:
        where = broker.directory
        before = len(list(where.glob(f"hub-{port}-*.log")))
        self._said = where / f"hub-{port}-{before + 1}.log"
        with self._said.open("wb") as said:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-W", "error", "-m", "boardctl", "hub"),
                    *("--broker", f"localhost:{broker.port}", "--ca", str(where / "server.crt")),
                    *("--password-file", str(where / "hub.password")),
                    *("--store", str(store), "--port", str(port)),
                ],
                stderr=said,
                cwd=ROOT,
            )
        while f"http://127.0.0.1:{port}" not in self.said:
            assert self.process.poll() is None, self.said
            time.sleep(0.02)

    @property
    def said(self) -> str:
        """Return its output so far."""
        return self._said.read_text("utf-8", errors="replace")

    def end(self, how: signal.Signals = signal.SIGTERM) -> str:
        """End it unless it has ended, and return its output."""
        if self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(timeout=60)
        return self.said


def table(options: Options) -> str:
    """Return `[mqtt]` in a user's form."""
    return "\n".join(
        (
            "[mqtt]",
            f"enabled = {_flag(options.enabled)}",
            f'host = "{options.host}"',
            f"port = {options.port}",
            f'board = "{options.board}"',
            f'ca = "{options.ca}"',
            f'password_file = "{options.password_file}"',
            f"commands = {_flag(options.commands)}",
            f"home_assistant = {_flag(options.home_assistant)}",
            "",
        )
    )


def _flag(value: bool) -> str:
    return "true" if value else "false"
