"""The page: the live board in a browser, with its keypad, the table and the history.

`serve.serve(board, options)` is all that the daemon calls; it is never loaded where `[page]` says
`enabled = false`. What the page shows it takes from a `board_view.BoardView`.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address

import attrs

from boardctl.schema import Between


@attrs.frozen
class Options:
    """`[page]` of the config.

    By default only this machine is served. `host` opens the page to others, `names` are further
    names by which it may be asked for (`board.local`, or the whole origin of a proxy before it:
    `https://board.example`); both make a phone read-only until it is paired with the PIN that the
    board shows.
    """

    enabled: bool = True
    host: str = "127.0.0.1"
    port: int = attrs.field(default=8121, validator=Between(0, 65535))
    names: tuple[str, ...] = ()

    @property
    def private(self) -> bool:
        """Whether only the person at this machine can reach the page, so that nobody pairs."""
        return not self.names and _is_loopback(self.host)


def listen(options: Options) -> socket.socket:
    """A socket on the page's port. Raises OSError where it is taken or the host is not ours."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
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


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
