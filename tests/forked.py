"""Boards forked from a process that has already imported the program.

Three quarters of a board's start are Python's own start and its imports. A forked board runs the
same `main` with its own arguments, environment, data, standard error and signals. The tests of
`boardctl run` itself start Python: `tests/app/test_daemon.py`.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Final, TextIO

from tests.ports import free_port

ROOT: Final = Path(__file__).parents[1]
_ADOPT: Final = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2): the boards become children of the tests' process."""
_LONGEST: Final = 1 << 16
"""The maximum size of a request in bytes: arguments and environment."""


class Forked:
    """A forked board, with the interface of `subprocess.Popen`."""

    def __init__(self, pid: int, stderr: TextIO) -> None:
        self.pid = pid
        self.stderr = stderr
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, or None while it runs."""
        if self.returncode is None:
            self._wait(os.WNOHANG)
        return self.returncode

    def _wait(self, options: int = 0) -> None:
        pid, status = os.waitpid(self.pid, options)
        if pid:
            self.returncode = os.waitstatus_to_exitcode(status)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the board's end. Raises TimeoutExpired after this many seconds."""
        end = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if end is None:
                self._wait()
            elif time.monotonic() > end:
                raise subprocess.TimeoutExpired("boardctl", timeout or 0)
            else:
                time.sleep(0.01)
        assert self.returncode is not None
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Return the board's remaining output, and wait for its end."""
        with self.stderr:
            said = self.stderr.read()
        self.wait(timeout)
        return "", said

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The process that forks boards; it starts with the first of them."""

    def __init__(self) -> None:
        if ctypes.CDLL(None, use_errno=True).prctl(_ADOPT, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [*(sys.executable, "-W", "error", "-m", "tests.forked"), str(theirs.fileno())],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                pass_fds=(theirs.fileno(),),
            )

    def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> Forked:
        """Fork a board that runs `boardctl` with these arguments."""
        request = json.dumps([list(arguments), dict(environment)]).encode()
        assert len(request) < _LONGEST
        reading, writing = os.pipe()
        try:
            self._ours.sendmsg([request], [_carried(writing)])
        finally:
            os.close(writing)
        pid = int(self._ours.recv(100))
        return Forked(pid, open(reading, encoding="utf-8"))  # noqa: PTH123 - a descriptor

    def close(self) -> None:
        self._ours.close()
        self._process.wait()


def _carried(descriptor: int) -> tuple[int, int, array.array[int]]:
    return socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor])


def _serve(link: socket.socket) -> None:
    """Fork a board for each request until the other end is closed."""
    while True:
        request, carried, _, _ = link.recvmsg(_LONGEST, socket.CMSG_LEN(4))
        if not request:
            return
        ((_, _, packed),) = carried
        stderr = array.array("i", packed)[0]
        arguments, environment = json.loads(request)
        between = os.fork()
        if not between:  # it ends at once, so that the tests' process adopts the board
            pid = os.fork()
            if pid:
                link.send(str(pid).encode())
                os._exit(0)
            link.close()
            _become(arguments, environment, stderr)
        os.waitpid(between, 0)
        os.close(stderr)


def _become(arguments: list[str], environment: dict[str, str], stderr: int) -> None:
    """Become a board; never return."""
    os.dup2(stderr, 2)
    os.close(stderr)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv[1:] = arguments
    code = 1
    try:
        from boardctl.__main__ import main

        main()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - as at the end of any program
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(code)


def _used(folder: Path) -> Iterator[str]:
    """Return the names of the modules that a board has imported once it serves its page."""
    reading, writing = os.pipe()
    said, saying = os.pipe()
    pid = os.fork()
    if not pid:

        def tell(number: int, frame: FrameType | None) -> None:
            os.write(writing, json.dumps(list(sys.modules)).encode())
            os._exit(0)

        signal.signal(signal.SIGUSR1, tell)
        port = str(free_port())
        words = ["run", "--sim", "--no-browser", "--port", port, "--data", str(folder)]
        _become(words, dict(os.environ), saying)
    os.close(writing)
    os.close(saying)
    with open(said, encoding="utf-8") as heard, open(reading, encoding="utf-8") as modules:  # noqa: PTH123
        line = heard.readline()
        assert "http://" in line, line + heard.read()
        os.kill(pid, signal.SIGUSR1)
        yield from json.loads(modules.read())
    os.waitpid(pid, 0)


def main() -> None:
    """Import a board's modules, then fork boards for the process at the other end."""
    link = socket.socket(fileno=int(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        for name in _used(Path(folder) / "data"):
            # other modules create some of them without a file
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    gc.collect()
    gc.freeze()  # so that a board's collector leaves the shared pages alone
    _serve(link)


if __name__ == "__main__":
    main()
