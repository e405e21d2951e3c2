"""The page: the live board in a browser, with its keypad, the table and the history.

`serve.serve(board, options)` is the entry point, which is not loaded if `[page]` has `enabled =
false`. The page reads the board through a `board_view.BoardView`.
"""

from __future__ import annotations

import errno
import re
import socket
from dataclasses import dataclass, replace
from ipaddress import IPv6Address, ip_address
from typing import Annotated, Final

from boardctl.options import Between, SchemaError

_NAME: Final = r"(https?://)?([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?(?:/\S*)?"
PHONES: Final = "phones.json"
"""The file of the paired phones, in the data directory."""

# The exit statuses of `history_worker`, which the daemon's process does not import
NO_SUCH_GAME: Final = 4
"""The journal has no game with that number."""
BEHIND: Final = 5
"""More of the journal has to be read than an answer can wait for."""
UNREADABLE: Final = 6
"""The journal cannot be read. Unless a whole file was requested, the output states the fault and
the remedy."""
NO_PNG: Final = 7
"""The program that makes a PNG of a picture is missing or failed."""


@dataclass(frozen=True)
class Options:
    """`[page]` of the config.

    By default, only this machine is served. `host` makes the page available on the network. `names`
    are additional host names of the page (`board.local`, or the whole origin of a proxy:
    `https://board.example`). With either of these, a phone can only watch until it is paired with
    the PIN shown on the board. With `announce`, the page is announced on the local network (mDNS),
    if Avahi is installed.
    """

    enabled: bool = True
    host: str = "127.0.0.1"
    port: Annotated[int, Between(0, 65535)] = 8121
    names: tuple[str, ...] = ()
    announce: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(map(_as_browsers_say, self.names)))

    @property
    def private(self) -> bool:
        """Whether only this machine can reach the page, so that no pairing is needed."""
        return not self.names and is_loopback(self.host)


def _as_browsers_say(name: str) -> str:
    """Return a host name without a port, or an origin without its scheme's default port. Raises
    SchemaError if the text contains anything more."""
    found = re.fullmatch(_NAME, name.lower(), re.ASCII)
    if found is None:
        raise SchemaError("page-name", value=name)
    scheme, host, port = found.groups("")
    usual = {"": port, "http://": ":80", "https://": ":443"}[scheme]
    return f"{scheme}{host}{port.removesuffix(usual)}"


def listen(options: Options) -> socket.socket:
    """Return a listening socket on the page's port. Raises OSError if it is in use or the host is
    not an address of this machine."""
    # For a name as bytes, Python does not import the tables of international names.
    host = options.host.encode() if options.host.isascii() else options.host
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener


def on_free_port(options: Options) -> Options:
    """Return the options with the first free port, counting up from the configured port.

    If no port is free, or the host is not an address of this machine, the options are unchanged.
    """
    for port in range(options.port, 65536):
        wanted = replace(options, port=port)
        try:
            listen(wanted).close()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                return options
        else:
            return wanted
    return options


def is_address(host: str) -> bool:
    """Return whether a host is an address rather than a name. An address with a zone
    (`fe80::1%eth0`, RFC 4007) does not count, because the zone is free text and is meaningful only
    on one machine."""
    try:
        return "%" not in str(ip_address(host))
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Return whether a host (a loopback address or `localhost`) is this machine itself."""
    if host == "localhost":
        return True
    try:
        found = ip_address(host)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).is_loopback
