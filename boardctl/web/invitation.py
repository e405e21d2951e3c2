"""Invite a phone: this machine's network address, a PIN, and a QR code.

A running page writes its address and a key to `page.json` in the data directory. Only the owner can
read this file. A program that can read it can request a PIN, as `boardctl pin` does.
"""

from __future__ import annotations

import json
import re
import socket
from io import StringIO
from pathlib import Path
from typing import Final, NamedTuple

from boardctl.message import Message
from boardctl.options import read_file
from boardctl.storage import files
from boardctl.text import Reader, SpokenError, say

KEY: Final = "page.json"
"""The file's name in the data directory."""
_URL: Final = re.compile(r"http://[0-9A-Za-z.:\[\]-]{1,255}")
_LINK: Final = re.compile(r"https?://[!-~]{1,1000}")
_WORD: Final = re.compile(r"[0-9A-Za-z_-]{1,200}")
_LARGEST: Final = 4096
"""The maximum size of that file in bytes."""
_ANSWER: Final = 1 << 20
"""The maximum number of bytes read from an answer."""
_SOMEWHERE = ("192.0.2.1", 9)
"""An address reserved for documentation (RFC 5737). Connecting a datagram socket to it sends no
data, but selects the local address that would be used."""


def network_address() -> str | None:
    """Return this machine's address on the network, or None if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def address_for(host: str) -> str:
    """Return the page's address for a phone, given a request's `Host` (name and port). The network
    address replaces `localhost`, which would mean the phone itself."""
    name, _, port = host.rpartition(":")
    if not name:
        name, port = host, "80"
    if name in ("127.0.0.1", "localhost", "[::1]"):
        name = network_address() or name
    return f"http://{name}:{port}"


def qr_rows(link: str) -> list[str]:
    """Return a QR code (ISO/IEC 18004) with its quiet zone as rows of `0` and `1`."""
    import segno

    matrix = segno.make(link, error="m", micro=False).matrix_iter(border=4)
    return ["".join("1" if module else "0" for module in row) for row in matrix]


def qr_text(link: str) -> str:
    """Return a QR code for a terminal, two rows per line."""
    import segno

    out = StringIO()
    segno.make(link, error="m", micro=False).terminal(out=out, compact=True)
    return out.getvalue()


class Invitation(NamedTuple):
    """The link for pairing a phone, and its PIN."""

    url: str
    pin: str

    def lines(self, language: str) -> str:
        """Return the address, PIN and QR code for a terminal, in one of `LANGUAGES`."""
        fields = {"address": self.url.partition("#")[0], "pin": self.pin}
        return (
            f"{say(Message('command', 'invited', fields), Reader(language))}\n{qr_text(self.url)}"
        )


class NotInvitedError(SpokenError):
    """The error raised if no PIN can be shown."""


def write_key(data: Path, url: str, key: str) -> None:
    """Write a page's address and key to the data directory. Raises OSError."""
    files.replace(data / KEY, json.dumps({"url": url, "key": key}).encode())


def ask_for_pin(data: Path) -> Invitation:
    """Make the board that runs with this data directory show a PIN.

    Raises:
        NotInvitedError: if no board is running there, its file cannot be read, or the board
            refuses.
    """
    # Only `boardctl pin` needs a client, not the daemon.
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, Request, build_opener

    try:
        stored = json.loads(read_file(data / KEY, _LARGEST))
    except FileNotFoundError:
        raise NotInvitedError("no-board-runs", data) from None
    except (OSError, ValueError, RecursionError) as error:
        raise NotInvitedError("unreadable", data / KEY, reason=error) from error
    match stored:
        case {"url": str(url), "key": str(key)} if _URL.fullmatch(url) and _WORD.fullmatch(key):
            pass
        case _:
            raise NotInvitedError("key-damaged", data / KEY)
    headers = {"content-type": "application/json", "origin": url, "authorization": f"Bearer {key}"}
    try:
        request = Request(f"{url}/pin", b"{}", headers)
        with build_opener(ProxyHandler({})).open(request, timeout=10) as answer:
            body = json.loads(answer.read(_ANSWER))
    except HTTPError as error:
        with error:  # the exception is the reply, and still open
            raise NotInvitedError("no-answer", url, reason=error) from error
    except (HTTPException, OSError, ValueError, RecursionError) as error:
        raise NotInvitedError("no-answer", url, reason=error) from error
    match body:
        case {"refused": {"message": str(message)}}:
            raise NotInvitedError("file", url, reason=message)
        case {"url": str(link), "pin": str(pin)} if _LINK.fullmatch(link) and pin.isalnum():
            return Invitation(link, pin)
    raise NotInvitedError("no-board", url)
