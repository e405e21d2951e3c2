"""How a phone is invited: the address of this machine in its network, and a QR code of a link."""

from __future__ import annotations

import socket
from io import StringIO

_SOMEWHERE = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737): a datagram socket connected to it sends nothing, and knows
which of this machine's addresses would be used."""


def network_address() -> str | None:
    """The address by which others in the network reach this machine, None where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def address_for(host: str) -> str:
    """The address to give a phone, for the `Host` (name and port) that a page was asked for by:
    this machine's own name is nothing to a phone, so its network address stands instead."""
    name, _, port = host.rpartition(":")
    if not name:
        name, port = host, "80"
    if name in ("127.0.0.1", "localhost", "[::1]"):
        name = network_address() or name
    return f"http://{name}:{port}"


def qr_rows(link: str) -> list[str] | None:
    """A QR code (ISO/IEC 18004) as rows of `0` and `1` with its quiet zone; None where the package
    that makes them is not installed."""
    try:
        import segno
    except ImportError:
        return None
    matrix = segno.make(link, error="m", micro=False).matrix_iter(border=4)
    return ["".join("1" if module else "0" for module in row) for row in matrix]


def qr_text(link: str) -> str:
    """A QR code for a terminal, two rows a line; empty where the package is not installed."""
    try:
        import segno
    except ImportError:
        return ""
    out = StringIO()
    segno.make(link, error="m", micro=False).terminal(out=out, compact=True)
    return out.getvalue()
