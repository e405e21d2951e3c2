"""A real PostgreSQL for tests: a separate cluster in its own directory, on a socket there.

PostgreSQL does not run as root, so root starts it as the user that Debian's package created.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg


def _programs() -> Path:
    """Return the directory of the newest PostgreSQL's programs."""
    found = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    return max(found, key=lambda path: float(path.parts[4])).parent


def _user() -> dict[str, Any]:
    """Return the user of a process, which must not be root."""
    if os.geteuid() != 0:
        return {}
    return {"user": "postgres", "group": "postgres", "extra_groups": []}


class Postgres:
    """A server that can be killed and restarted; its data is on disk."""

    def __init__(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="boardctl-pg-", dir="/tmp"))
        if _user():
            shutil.chown(self.directory, "postgres", "postgres")
        self._process: subprocess.Popen[bytes] | None = None
        subprocess.run(
            [
                *(_programs() / "initdb", "--pgdata", self.directory / "data", "--auth", "trust"),
                *("--username", "league", "--encoding", "UTF8", "--locale", "C", "--no-sync"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.directory,
            **_user(),
        )
        self._made = 0

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(_programs() / "postgres", "-D", self.directory / "data"),
                    *("-k", self.directory, "-c", "listen_addresses="),
                    *("-c", "shared_buffers=32MB", "-c", "max_connections=60"),
                ],
                stdout=log,
                stderr=log,
                cwd=self.directory,
                **_user(),
            )
        for _ in range(600):
            try:
                psycopg.connect(self._dsn("postgres")).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.directory / "log").read_text())

    def _dsn(self, database: str) -> str:
        return f"host={self.directory} user=league dbname={database}"

    def url(self, database: str) -> str:
        return f"postgresql://league@/{database}?host={self.directory}"

    def new(self, template: str = "template1") -> str:
        """Create a database like another one, by default an empty one. Return its URL."""
        self._made += 1
        name = f"league{self._made}"
        with psycopg.connect(self._dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
        return self.url(name)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill the postmaster and all its children, as a power cut would."""
        if self._process is None:
            return
        os.kill(self.pid, signal.SIGSTOP)  # otherwise it could fork a child that survives
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        for pid in (*map(int, children), self.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.directory)
