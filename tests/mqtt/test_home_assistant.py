"""Home Assistant's own discovery code on a real board; `home_assistant/inside.py` has the checks.

It runs in a separate environment, because it pins its packages and needs Python 3.13.2 or later.
This is the machine's `python3.13` if new enough (`uv python install 3.13` provides it), otherwise
that of a bare Trixie, which needs root and mmdebstrap.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socketserver
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from boardctl.mqtt import Options, discovery
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import run
from tests.parts import need
from tests.report import LongRun
from tests.web.conftest import Daemon

HERE = Path(__file__).parent / "home_assistant"
LEAST = (3, 13, 2)
"""The minimum Python version for Home Assistant 2026.2; later releases require 3.14."""
PACKAGES = "python3,python3-venv,python3-dev,gcc,libc6-dev,ca-certificates"
MACHINE = ("etc/resolv.conf", "etc/hosts", "etc/ssl/certs/ca-certificates.crt")
"""The environment variables through which this machine reaches a package index; a base Debian gets
the same."""


class Installed(NamedTuple):
    """A Home Assistant installation: how to enter it, and its root directory."""

    enter: tuple[str, ...]
    root: Path

    def call(self, *command: str, **env: str) -> None:
        done = subprocess.run(
            [*self.enter, *command],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C.UTF-8", **env},
        )
        assert done.returncode == 0, f"{command}: {done.stdout[-6000:]}{done.stderr[-2000:]}"


def own() -> str | None:
    """Return this machine's Python, if it is new enough for Home Assistant."""
    found = shutil.which("python3.13")
    if found is None:
        return None
    asked = "import sys; sys.exit(sys.version_info[:3] < " + repr(LEAST) + ")"
    return None if subprocess.run([found, "-c", asked], check=False).returncode else found


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Installed]:
    """Home Assistant and its test plug-in, as pinned in the lock file; removed afterwards."""
    need("mosquitto")
    python = own()
    root = tmp_path / "installed"
    if python is not None:
        root.mkdir()
        found = Installed((), root)
    else:
        if shutil.which("mmdebstrap") is None or os.geteuid() != 0:
            pytest.skip(
                "needs Python 3.13.2 or later (uv python install 3.13), or mmdebstrap and root"
            )
        subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES}", "trixie", root],
            check=True,
        )
        for name in MACHINE:
            shutil.copyfile(f"/{name}", root / name)
        python = "python3"
        found = Installed(("chroot", str(root)), root)
    inside = root / "opt" / "ha"
    inside.mkdir(parents=True)
    for name in ("requirements.lock", "inside.py"):
        shutil.copy(HERE / name, inside)
    try:
        found.call(python, "-m", "venv", seen(found, inside / "env"))
        found.call(
            *(seen(found, inside / "env/bin/python"), "-m", "pip", "install", "--quiet"),
            *("--require-hashes", "-r", seen(found, inside / "requirements.lock")),
        )
        yield found
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", root], check=True)


def seen(installed: Installed, path: Path) -> str:
    """Return a path as seen from inside."""
    return f"/{path.relative_to(installed.root)}" if installed.enter else str(path)


@contextmanager
def stage(obey: Callable[[str], None]) -> Iterator[int]:
    """A port that accepts orders, one at a time."""

    class Order(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            obey(self.rfile.readline().decode().strip())
            self.wfile.write(b"done\n")

    with socketserver.TCPServer(("127.0.0.1", 0), Order) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.long
def test_entities_appear_and_go_with_the_board_and_vanish_when_told(
    installed: Installed, tmp_path: Path, long_run: LongRun
) -> None:
    broker = Mosquitto(tmp_path / "broker", ("one",))
    broker.start()
    boards: list[Daemon] = []

    def obey(order: str) -> None:
        if order == "kill":
            boards.pop().end(signal.SIGKILL)
        else:
            more = {"commands": True} if order == "start commands" else {"home_assistant": False}
            boards.append(run(broker, "one", tmp_path / "board", **more))

    ca = installed.root / "opt" / "ha" / "server.crt"
    shutil.copy(broker.directory / "server.crt", ca)
    try:
        with stage(obey) as port:
            installed.call(
                *(seen(installed, installed.root / "opt/ha/env/bin/python"), "-m", "pytest"),
                *("-p", "no:cacheprovider", "-o", "asyncio_mode=auto"),
                seen(installed, installed.root / "opt/ha/inside.py"),
                STAGE=str(port),
                PORT=str(broker.port),
                PASSWORD=broker.joined["home"].password,
                CA=seen(installed, ca),
            )
    finally:
        for board in boards:
            board.end(signal.SIGKILL)
        broker.kill()
    pinned = (HERE / "requirements.lock").read_text("utf-8")
    version = re.search(r"^homeassistant==(\S+)", pinned, re.MULTILINE)
    assert version is not None
    long_run(
        home_assistant=version[1], entities=len(discovery.device(Options(commands=True))["cmps"])
    )
