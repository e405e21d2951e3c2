"""Ports for programs that tests start."""

from __future__ import annotations

import random
import socket
from pathlib import Path
from typing import Final

_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port() -> int:
    """A port that was free a moment ago, below the kernel's ephemeral range: a client that keeps
    trying to connect to a port in that range can eventually connect to itself (RFC 9293, 3.5)."""
    first = int(_RANGE.read_text("ascii").split()[0])
    while True:
        port = random.SystemRandom().randrange(10_000, first)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                continue
        return port
