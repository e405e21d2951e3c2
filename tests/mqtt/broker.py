"""A real Mosquitto for tests, in its own directory, configured like `boardctl club broker`."""

from __future__ import annotations

import getpass
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from boardctl.club.broker import write
from boardctl.mqtt import Options
from boardctl.mqtt.connection import Broker
from boardctl.mqtt.mosquitto import Joined, certificate
from tests.ports import free_port

_PROGRAM: Final = "/usr/sbin/mosquitto"


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Mosquitto:
    """A broker that can be killed and restarted; its data is on disk."""

    def __init__(
        self, directory: Path, boards: Sequence[str], websocket: bool = False, name: str = ""
    ) -> None:
        """Args:
        websocket: whether browsers reach it too; without a `name`, those of this machine.
        name: a further name of the broker, at which browsers reach it with TLS.
        """
        self.port = free_port()
        self._ports = [self.port]
        self.directory = directory
        self.joined: dict[str, Joined] = {
            one.user: one for one in write(directory, "localhost", self.port, boards)
        }
        self._name = name
        if name:
            certificate(directory, "localhost", name)
        for user, one in self.joined.items():
            (directory / f"{user}.password").write_text(one.password)
        with (directory / "mosquitto.conf").open("a") as config:
            config.write(f"user {getpass.getuser()}\n")  # nobody else uses a test's directory
            if websocket:
                self._ports.append(free_port())
                config.write(f"listener {self._ports[1]} 127.0.0.1\nprotocol websockets\n")
            if name:
                config.write(f"certfile {directory}/server.crt\nkeyfile {directory}/server.key\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [_PROGRAM, "-c", str(self.directory / "mosquitto.conf")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(200):
            if all(map(_listens, self._ports)):
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError("mosquitto did not start")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def reload(self) -> None:
        """Make it reload passwords and ACLs (mosquitto(8), SIGHUP)."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def options(self, board: str, **more: object) -> Options:
        return Options(
            enabled=True,
            host="localhost",
            port=self.port,
            ca=str(self.directory / "server.crt"),
            board=board,
            password_file=str(self.directory / f"{board}.password"),
            **more,  # type: ignore[arg-type]  # a test's own choice of options
        )

    def websocket(self, user: str) -> str:
        """Its address for browsers, with the name and password of a user."""
        start = f"{user}:{self.joined[user].password}@"
        if self._name:
            return f"wss://{start}{self._name}:{self._ports[1]}"
        return f"ws://{start}127.0.0.1:{self._ports[1]}"

    def as_user(self, user: str) -> Broker:
        return Broker(
            "localhost",
            self.port,
            True,
            self.directory / "server.crt",
            user,
            self.directory / f"{user}.password",
        )
