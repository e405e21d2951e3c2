"""Ports for programs that tests start."""

from __future__ import annotations

import fcntl
import socket
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from tempfile import gettempdir
from typing import Final

_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
_SHARED: Final = Path("/dev/shm")
_LOCKS: Final = _SHARED if _SHARED.is_dir() else Path(gettempdir())
"""A file that all test processes of the machine see, even in chroots."""
_BLOCK: Final = 100
_NOT_FOR_BROWSERS: Final = (10080,)
"""The ports above 10,000 that Chromium blocks (Fetch standard, "bad port")."""
_held: Final[list[TextIOWrapper]] = []


def _blocks() -> Iterator[int]:
    """Yield the first port of each block that no other test process has; it is locked until this
    one ends."""
    first = int(_RANGE.read_text("ascii").split()[0])
    for block in range(10_000, first - _BLOCK, _BLOCK):
        try:
            lock = (_LOCKS / f"boardctl-tests-ports-{block}").open("w")
        except PermissionError:
            continue  # another user's block
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        _held.append(lock)
        yield block


def _free() -> Iterator[int]:
    for block in _blocks():
        for port in range(block, block + _BLOCK):
            if port in _NOT_FOR_BROWSERS:
                continue
            with socket.socket() as probe:
                try:
                    probe.bind(("127.0.0.1", port))
                except OSError:
                    continue
            yield port


_ports: Final = _free()


def free_port() -> int:
    """Return a port that nothing listens on and no other test process gets; each is returned once.

    It is below the kernel's ephemeral range: a client that keeps trying to connect to a port in
    that range can eventually connect to itself (RFC 9293, 3.5).
    """
    return next(_ports)
