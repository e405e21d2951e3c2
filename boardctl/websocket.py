"""A broker's address for browsers: `wss://USER:PASSWORD@HOST:PORT/PATH`. Pure."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit


class Address(NamedTuple):
    """A broker's address for browsers."""

    url: str
    """`wss://HOST:PORT/PATH`."""
    host: str
    user: str | None
    password: str | None

    @property
    def page(self) -> str:
        """The same address as a web page, on which a browser shows why it does not trust the
        broker."""
        return f"http{self.url[2:]}"  # https for wss, http for ws


def address(text: str) -> Address | None:
    """Parse `wss://USER:PASSWORD@HOST:PORT/PATH`, with or without a user. Return None for any other
    text. Only a broker on this machine may be reached without TLS (`ws://localhost`)."""
    try:
        found = urlsplit(text.strip())
        host, _ = found.hostname, found.port
    except ValueError:
        return None
    here = found.scheme == "ws" and host in ("localhost", "127.0.0.1")
    if not host or not (here or found.scheme == "wss") or found.fragment:
        return None
    user, password = (part and unquote(part) for part in (found.username, found.password))
    where = found.netloc.rpartition("@")[2]
    return Address(f"{found.scheme}://{where}{found.path or '/mqtt'}", host, user, password)
