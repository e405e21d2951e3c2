"""The daemon as people start it: real processes, real signals, a real disk."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from boardctl.app import daemon
from boardctl.commands import main


def environment(home: Path) -> dict[str, str]:
    """Return this environment with a separate home directory, so that no configuration is found."""
    return {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / "state")}


@contextmanager
def running(
    tmp_path: Path, *options: str, port: int | None = None
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a daemon on the given port or on a free one, and yield it with its output."""
    if port is None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "boardctl", "run", "--no-browser", "--port", str(port), *options],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(tmp_path),
    )
    assert process.stderr is not None
    reply = ""
    try:
        while "http://" not in reply:
            line = process.stderr.readline()
            assert line, f"the daemon ended: {reply}"
            reply += line
        yield process, reply
    finally:
        process.kill()
        process.communicate()


def refused(tmp_path: Path, *options: str) -> str:
    """Return the error message of `boardctl run` when it refuses to start."""
    done = subprocess.run(
        [sys.executable, "-m", "boardctl", "run", "--no-browser", *options],
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        timeout=60,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr.strip()


def test_it_announces_a_simulated_board_where_nothing_is_configured(tmp_path: Path) -> None:
    with running(tmp_path, "--data", str(tmp_path / "data")) as (process, reply):
        assert "SIMULATED BOARD" in reply
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_only_a_terminal_is_shown_the_link_that_pairs_a_browser(tmp_path: Path) -> None:
    """The service's output goes to the system log, so everyone who may read the log could pair a
    phone."""
    config = tmp_path / "config.toml"
    config.write_text('[page]\nhost = "0.0.0.0"\nannounce = false\n', "utf-8")
    options = ("--sim", "--data", str(tmp_path / "data"), "--config", str(config))
    with running(tmp_path, *options) as (_, reply):
        assert re.search(r"the board is at http://127\.0\.0\.1:\d+ ", reply)
    ours, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "boardctl", "run", "--no-browser", *options],
        stderr=terminal,
        env=environment(tmp_path),
    )
    try:
        os.close(terminal)
        with os.fdopen(ours, encoding="utf-8") as shown:
            line = next(line for line in shown if "the board is at" in line)
        assert re.search(r"http://127\.0\.0\.1:\d+/#pin=[\w-]{20,} ", line)
    finally:
        process.kill()
        process.wait()


def test_a_pi_without_a_configuration_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model"
    model.write_text("Raspberry Pi Zero 2 W Rev 1.0\0")
    monkeypatch.setattr(daemon, "_MODEL", model)
    monkeypatch.setenv("HOME", str(tmp_path))
    result = CliRunner().invoke(main, ["run", "--no-browser"])
    assert result.exit_code == 1
    assert "boardctl setup" in result.output


def test_a_second_daemon_on_the_same_data_is_refused(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with running(tmp_path, "--sim", "--data", data):
        assert "another boardctl is using this data" in refused(
            tmp_path, "--sim", "--data", data, "--port", "65001"
        )


@contextmanager
def neighbours() -> Iterator[int]:
    """Listen on two consecutive ports, as another program would, and yield the first."""
    for port in range(20_000, 60_000, 2):
        with ExitStack() as held:
            try:
                for one in (port, port + 1):
                    taken = held.enter_context(socket.socket())
                    taken.bind(("127.0.0.1", one))
                    taken.listen()
            except OSError:
                continue
            yield port
            return


def test_a_simulated_board_moves_on_from_ports_in_use(tmp_path: Path) -> None:
    """Two other programs use the port and the next one, so the page uses the third."""
    sim = ("--sim", "--data", str(tmp_path / "data"))
    with neighbours() as port, running(tmp_path, *sim, port=port) as (_, reply):
        found = re.search(rf"port {port} is in use by another program; .* uses port (\d+)", reply)
        assert found
        free = int(found[1])
        assert free > port + 1
        assert f"the board is at http://127.0.0.1:{free}" in reply
        assert state(f"http://127.0.0.1:{free}")["number"] >= 0


def test_data_that_can_not_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = refused(tmp_path, "--sim", "--data", str(tmp_path / "file" / "data"))
    assert str(tmp_path / "file" / "data") in said


def test_an_unknown_layout_is_named(tmp_path: Path) -> None:
    said = refused(tmp_path, "--sim", "--data", str(tmp_path), "--layout", "round")
    assert "round" in said
    assert "classic-2" in said


def test_the_core_loads_no_page(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[page]\nenabled = false\n")
    reply = subprocess.run(
        [sys.executable, "-c", CORE, str(config), str(tmp_path / "data")],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(json.loads(reply.stdout))
    assert not loaded & {"starlette", "uvicorn", "numpy", "aiomqtt", "ezdxf", "reportlab"}


CORE = """
import asyncio, json, sys
from pathlib import Path
from typing import Any
from boardctl.app import board_app, config, daemon
async def main():
    chosen = daemon.simulated(config.load(Path(sys.argv[1])))
    board = board_app.BoardApp(chosen, Path(sys.argv[2]), asyncio.get_running_loop(), None)
    assert any(board.frame())
    board.close()
asyncio.run(main())
print(json.dumps(list(sys.modules)))
"""


def state(address: str) -> dict[str, Any]:
    """Return the table as the page sees it."""
    found: dict[str, Any] = httpx.get(f"{address}/state").raise_for_status().json()
    return found


def tell(address: str, number: int, line: str) -> dict[str, Any]:
    """Play a line through the page, and return once it is on disk."""
    answer = httpx.post(
        f"{address}/lines", json={"line": line, "expect": number}, headers={"Origin": address}
    )
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["state"]
    return found
