"""How a phone is invited: the address of this machine in its network, a PIN, and a QR code.

A running page leaves `page.json` in the data directory, readable by its owner only: its address and
a key. Whoever may read it may ask for a PIN, as `boardctl pin` does.
"""

from __future__ import annotations

import json
import socket
from io import StringIO
from pathlib import Path
from typing import Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

from boardctl.storage import files

KEY: Final = "page.json"
"""Its file in the data directory."""
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


def qr_rows(link: str) -> list[str]:
    """A QR code (ISO/IEC 18004) as rows of `0` and `1` with its quiet zone."""
    import segno

    matrix = segno.make(link, error="m", micro=False).matrix_iter(border=4)
    return ["".join("1" if module else "0" for module in row) for row in matrix]


def qr_text(link: str) -> str:
    """A QR code for a terminal, two rows a line."""
    import segno

    out = StringIO()
    segno.make(link, error="m", micro=False).terminal(out=out, compact=True)
    return out.getvalue()


class Invitation(NamedTuple):
    """The link that pairs a phone, and the PIN in it."""

    url: str
    pin: str

    @property
    def lines(self) -> str:
        """Address, PIN and QR code for a terminal."""
        address = self.url.partition("#")[0]
        return (
            f"phones: {address}   PIN {self.pin}   (one phone, three minutes)\n{qr_text(self.url)}"
        )


class NotInvitedError(Exception):
    """Why no PIN can be shown, as one sentence."""


def write_key(data: Path, url: str, key: str) -> None:
    """Leave a page's address and key in the data directory. Raises OSError."""
    files.replace(data / KEY, json.dumps({"url": url, "key": key}).encode())


def ask_for_pin(data: Path) -> Invitation:
    """Have the board that runs on this data directory show a PIN.

    Raises:
        NotInvitedError: no board runs there, its file may not be read, or it refuses.
    """
    try:
        told = json.loads((data / KEY).read_text("utf-8"))
    except FileNotFoundError:
        raise NotInvitedError(
            f"no board with a page runs on {data}; --data names another directory"
        ) from None
    except (OSError, ValueError) as error:
        raise NotInvitedError(f"{data / KEY} cannot be read: {error}") from error
    request = Request(
        f"{told['url']}/pin",
        b"{}",
        {
            "content-type": "application/json",
            "origin": told["url"],
            "authorization": f"Bearer {told['key']}",
        },
    )
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=10) as answer:
            body = json.load(answer)
    except (HTTPError, URLError, TimeoutError, ValueError) as error:
        raise NotInvitedError(f"the board at {told['url']} does not answer: {error}") from error
    if "refused" in body:
        raise NotInvitedError(body["refused"]["message"])
    return Invitation(body["url"], body["pin"])
