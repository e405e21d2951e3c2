"""Avahi's own daemon and browser find the page, on a separate network."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import pytest

from boardctl import __version__
from boardctl.web import serve
from boardctl.web.serve import KINDS, announced
from tests.parts import need

NETWORK: Final = """\
mount -t tmpfs none /run
ip link set lo up multicast on
ip route add 224.0.0.0/4 dev lo
dbus-daemon --config-file="$1/bus.conf" --fork
exec avahi-daemon --no-drop-root --no-chroot --no-rlimits --file="$1/avahi.conf"
"""
BUS: Final = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={folder}/bus</listen>
  <policy context="default">
    <allow user="*"/> <allow own="*"/> <allow send_destination="*"/> <allow receive_sender="*"/>
  </policy>
</busconfig>
"""
AVAHI: Final = """\
[server]
use-ipv6=no
allow-interfaces=lo
[publish]
publish-hinfo=no
publish-workstation=no
"""
PORT: Final = 8121
"""The addresses of a network without other machines."""


class Network:
    """A network with an mDNS daemon, in which programs can be started."""

    def __init__(self, folder: Path) -> None:
        self._bus = folder / "bus"
        (folder / "bus.conf").write_text(BUS.format(folder=folder))
        (folder / "avahi.conf").write_text(AVAHI)
        self._daemon = subprocess.Popen(
            [
                *("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"),
                *("sh", "-e", "-c", NETWORK, "network", str(folder)),
            ],
            env=self._environment(),
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._daemon.stderr is not None
        said = []
        for line in self._daemon.stderr:
            said.append(line)
            if line.startswith("Server startup complete"):
                return
        self.end()
        raise AssertionError("".join(said))

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self._bus}"}

    @staticmethod
    def until(stream: IO[str] | None, beginning: str) -> str:
        """Return the first line with this beginning, or "" if the stream ends before."""
        assert stream is not None
        return next((line for line in stream if line.startswith(beginning)), "")

    def begin(self, *command: str) -> subprocess.Popen[str]:
        children = Path(f"/proc/{self._daemon.pid}/task/{self._daemon.pid}/children")
        inside = children.read_text().split()[0]
        return subprocess.Popen(
            [*("nsenter", f"--target={inside}", "--net", "--mount"), *command],
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def end(self) -> None:
        self._daemon.kill()
        self._daemon.communicate()


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    need("avahi", "avahi-browse", "dbus-daemon", "ip")
    if os.geteuid() != 0:
        pytest.skip("a network of its own needs root")
    made = Network(tmp_path)
    yield made
    made.end()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["ended", "killed"])
def test_a_page_for_phones_is_found_until_its_board_ends(
    network: Network, tmp_path: Path, how: signal.Signals
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[page]\nhost = "0.0.0.0"\nport = {PORT}\n')
    finders = [network.begin("avahi-browse", "--resolve", "--parsable", kind) for kind in KINDS]
    board = network.begin(
        *(sys.executable, "-m", "boardctl", "run", "--sim", "--no-browser"),
        *("--config", str(config), "--data", str(tmp_path / "data")),
    )
    try:
        for finder, kind in zip(finders, KINDS, strict=True):
            found = network.until(finder.stdout, "=").rstrip("\n").split(";")
            assert found[3].startswith("Cribbage\\032board\\032on\\032")
            assert found[8] == str(PORT), kind
            assert {'"path=/"', f'"version={__version__}"'} == set(found[9].split())
        board.send_signal(how)
        for finder in finders:
            assert network.until(finder.stdout, "-"), "it is gone with its board"
    finally:
        board.kill()
        for one in (board, *finders):
            one.kill()
            one.communicate()


def test_a_page_for_this_machine_alone_is_not_announced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from boardctl.web import Options

    def never(port: int, version: str) -> None:
        raise AssertionError("announced")

    monkeypatch.setattr(serve, "announced", never)

    async def decide(options: Options) -> None:
        async with serve._announced(options, "http://127.0.0.1:8121"):
            pass

    asyncio.run(decide(Options()))
    asyncio.run(decide(Options(host="0.0.0.0", announce=False)))
    with pytest.raises(AssertionError, match="announced"):
        asyncio.run(decide(Options(host="0.0.0.0")))


def test_an_announcement_that_fails_is_logged_once_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    program = tmp_path / serve.PROGRAM
    program.write_text(f'#!/bin/sh\necho "$3" >>{tmp_path}/tried\necho "no bus" >&2\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(serve, "AGAIN", 0.0)

    async def wait() -> None:
        async with announced(PORT, "1"):
            while not (tmp_path / "tried").exists():
                await asyncio.sleep(0)
            while len((tmp_path / "tried").read_text().split()) < 3 * len(KINDS):
                await asyncio.sleep(0)

    with caplog.at_level(logging.INFO, serve.__name__):
        asyncio.run(wait())
    assert sorted(set(caplog.messages)) == sorted(
        f"the page is not announced as {kind}: no bus" for kind in KINDS
    )
    assert len(caplog.messages) == len(KINDS), "once each"
