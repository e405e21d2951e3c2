"""Boards and hub as their users have them: `boardctl run` with `[mqtt]` on, and `boardctl hub`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from boardctl.mqtt import Options
from tests.mqtt.broker import Mosquitto
from tests.web.conftest import ROOT, Daemon, start


def run(broker: Mosquitto, board: str, data: Path, port: int | None = None, **more: bool) -> Daemon:
    """Start a simulated board on this broker, and wait until it serves its page; whether it has
    reached the broker is for the caller to see."""
    data.mkdir(parents=True, exist_ok=True)
    config = data / "config.toml"
    config.write_text(table(broker.options(board, **more)), "utf-8")
    return start(data, "--config", str(config), port=port)


def hub(broker: Mosquitto, store: Path | str, port: int) -> subprocess.Popen[str]:
    """Start a hub on this broker, and wait until it serves its page."""
    where = broker.directory
    process = subprocess.Popen(
        [
            *(sys.executable, "-W", "error", "-m", "boardctl", "hub"),
            *("--broker", f"localhost:{broker.port}", "--ca", str(where / "server.crt")),
            *("--password-file", str(where / "hub.password")),
            *("--store", str(store), "--port", str(port)),
        ],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stderr is not None
    said = process.stderr.readline()
    assert f"http://127.0.0.1:{port}" in said, said + process.communicate(timeout=20)[1]
    return process


def table(options: Options) -> str:
    """`[mqtt]` as a user writes it."""
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
