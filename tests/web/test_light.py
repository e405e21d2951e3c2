"""Resources: a board whose page is open on four phones uses little memory and is idle at rest."""

from __future__ import annotations

import compileall
import os
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.report import LongRun
from tests.spread import spread
from tests.web.conftest import PROGRAM, ROOT, Daemon, start

MOST_MIB = 50


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A board started by a new Python, because a forked one shares memory with others.

    Its modules are compiled before, as an installed board's are. Compiling them at the start costs
    2 MB, which the process keeps.
    """
    assert compileall.compile_dir(ROOT / "boardctl", quiet=1)
    started = start(tmp_path / "data", program=PROGRAM)
    yield started
    assert started.end() == ""


def status(daemon: Daemon, name: str) -> int:
    """Return a figure of the process from /proc."""
    lines = Path(f"/proc/{daemon.process.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])


def drain(socket: ClientConnection, quiet: float = 2.0) -> int:
    """Read messages until none has arrived for a while, and return their number."""
    count = 0
    while True:
        try:
            socket.recv(timeout=quiet)
        except TimeoutError:
            return count
        count += 1


@pytest.mark.slow
def test_four_phones(daemon: Daemon) -> None:
    with ExitStack() as opened:
        phones = [
            opened.enter_context(
                connect(
                    daemon.url.replace("http", "ws") + "/ws",
                    origin=Origin(daemon.url),
                    proxy=None,
                    max_queue=None,
                )
            )
            for _ in range(4)
        ]
        daemon.say("1 peg 8", "2 peg 12", "1 peg 20")
        frames = [drain(phone) for phone in phones]
        assert min(frames) > 5
        before = status(daemon, "voluntary_ctxt_switches")
        assert [drain(phone) for phone in phones] == [0, 0, 0, 0], "nothing moves, nothing is sent"
        woken = status(daemon, "voluntary_ctxt_switches") - before
        # Eight seconds: a picture polled ten times a second would wake the board eighty times. The
        # pings of five connections in twenty seconds, and the work of ending threads, cause far
        # fewer wakeups.
        assert woken <= 20
        assert status(daemon, "VmRSS") / 1024 <= MOST_MIB


@pytest.mark.long
def test_an_autumn_of_games_by_the_page(daemon: Daemon, long_run: LongRun) -> None:
    """Play 2,000 games of cribbage by points, or the number in the environment's PAGE_GAMES."""
    games = int(os.environ.get("PAGE_GAMES", "2000"))
    first, lines = status(daemon, "VmRSS"), 0
    with daemon.client as client:
        number = client.get("/state").json()["number"]
        for game in range(games):
            for peg in count(game):
                line = f"{peg % 2 + 1} peg {7 + peg * 5 % 17}"
                answer = client.post("/lines", json={"line": line, "expect": number}).json()
                number, lines = answer["number"], lines + 1
                if answer["state"]["over"]:
                    break
            answer = client.post("/lines", json={"line": "game cribbage", "expect": number}).json()
            number = answer["number"]
    last = status(daemon, "VmRSS")
    long_run(games=games, lines=lines, first_kib=first, last_kib=last)
    assert last / 1024 <= MOST_MIB


@pytest.mark.parametrize("module", spread(2, ["numpy", "pandas", "jinja2", "httptools", "uvloop"]))
def test_what_the_page_never_loads(module: str) -> None:
    import subprocess
    import sys

    code = f"import boardctl.web.serve, sys; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
