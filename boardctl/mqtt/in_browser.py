"""A connection to a broker through a browser's WebSocket, for a board in a browser tab, which
cannot use sockets.

The bytes are the same as on a TCP connection (MQTT 5, section 6). paho and aiomqtt do the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Final, Protocol, Self

from aiomqtt import MqttCodeError, MqttError

from boardctl.drivers.ports import PortError, trouble
from boardctl.mqtt.connection import Broker, Connection, is_refusal
from boardctl.websocket import Address

PROTOCOL: Final = "mqtt"
"""The WebSocket subprotocol (MQTT 5, section 6)."""


class Wire(Protocol):
    """A WebSocket that is opening, open or closed."""

    def send(self, data: bytes) -> None:
        """Send bytes. This is called only after the WebSocket has opened."""

    def close(self) -> None:
        """Close the WebSocket. No more messages are delivered after this."""


OpenWire = Callable[[str, Callable[[], None], Callable[[bytes], None], Callable[[], None]], Wire]
"""A function that opens a WebSocket, given its URL and the callbacks for opening, each message, and
closing."""


class BrowserWire:
    """A WebSocket that the browser provides."""

    def __init__(
        self,
        url: str,
        opened: Callable[[], None],
        heard: Callable[[bytes], None],
        closed: Callable[[], None],
    ) -> None:
        """Open the WebSocket. Raises OSError if the browser forbids the address, as it does for
        some ports."""
        js, self._ffi = import_module("js"), import_module("pyodide.ffi")
        try:
            self._socket = js.WebSocket.new(url, self._ffi.to_js([PROTOCOL]))
        except self._ffi.JsException as error:
            raise OSError(str(error)) from error
        self._socket.binaryType = "arraybuffer"
        acts: dict[str, Callable[[Any], None]] = {
            "onopen": lambda event: opened(),
            "onmessage": lambda event: heard(event.data.to_bytes()),
            "onclose": lambda event: closed(),
        }
        self._proxies = {name: self._ffi.create_proxy(act) for name, act in acts.items()}
        for name, proxy in self._proxies.items():
            setattr(self._socket, name, proxy)

    def send(self, data: bytes) -> None:
        """Send bytes. If the WebSocket is closing, the browser drops them."""
        self._socket.send(self._ffi.to_js(data))

    def close(self) -> None:
        """Close the WebSocket. No more messages are delivered after this."""
        for name, proxy in self._proxies.items():
            setattr(self._socket, name, None)
            proxy.destroy()
        self._proxies.clear()
        self._socket.close()


class BrowserSocket:
    """A WebSocket that paho uses like a non-blocking socket."""

    def __init__(
        self, url: str, readable: Callable[[], object], make: OpenWire = BrowserWire
    ) -> None:
        """Args:
        readable: called when bytes or the end have arrived.
        """
        self._readable = readable
        self._received = bytearray()
        self._unsent = b""
        self.has_opened = self._is_over = False
        self._wire = make(url, self._opened, self._heard, self._closed)

    def _opened(self) -> None:
        self.has_opened = True
        if self._unsent:
            self._wire.send(self._unsent)

    def _heard(self, data: bytes) -> None:
        self._received += data
        self._readable()

    def _closed(self) -> None:
        self._is_over = True
        self._readable()

    def pending(self) -> int:
        """Return the number of bytes that have arrived."""
        return len(self._received)

    def recv(self, size: int) -> bytes:
        """Return at most `size` bytes that have arrived, or no bytes at the end. Raises
        BlockingIOError.
        """
        if not self._received and not self._is_over:
            raise BlockingIOError
        found = bytes(self._received[:size])
        del self._received[:size]
        return found

    def send(self, data: bytes | bytearray) -> int:
        """Send all the data as soon as the connection is open. Raises OSError."""
        if self._is_over:
            raise ConnectionError("the connection is closed")
        if self.has_opened:
            self._wire.send(bytes(data))
        else:
            self._unsent += data
        return len(data)

    def setblocking(self, flag: bool) -> None:
        """Do nothing, because this socket never blocks."""

    def fileno(self) -> int:
        """Return -1, because there is no file descriptor."""
        return -1

    def close(self) -> None:
        """Close the WebSocket."""
        self._is_over = True
        self._wire.close()


def broker(where: Address) -> Broker:
    """Return the broker for a WebSocket address. The browser handles TLS."""
    return Broker(
        where.host,
        tls=False,
        user=where.user,
        password=where.password,
        connection=partial(BrowserConnection, where),
    )


class BrowserConnection(Connection):
    """An aiomqtt client over a browser's WebSocket. All its code runs in the event loop's
    thread."""

    def __init__(
        self, where: Address, *given: Any, make: OpenWire = BrowserWire, **more: Any
    ) -> None:
        super().__init__(*given, **more)
        self._where, self._make = where, make
        self._opening: BrowserSocket | None = None
        self._client._create_socket = self._open  # type: ignore[method-assign]  # paho has no option for it

    def _open(self) -> BrowserSocket:
        self._opening = None
        self._opening = BrowserSocket(
            self._where.url, lambda: self._loop.call_soon(self._read), self._make
        )
        return self._opening

    async def __aenter__(self) -> Self:
        """Connect. Raises PortError with a sentence for the user of the page if the WebSocket does
        not open (browsers hide the reason). Raises MqttError if the broker has closed an open
        WebSocket."""
        try:
            return await super().__aenter__()
        except MqttError as error:
            host = self._where.host
            if isinstance(error, MqttCodeError) and is_refusal(error):
                raise PortError("mqtt", trouble("browser-refused", host=host)) from error
            if self._opening is None or not self._opening.has_opened:
                said = trouble("browser-unreached", host=host, page=self._where.page)
                raise PortError("mqtt", said) from error
            raise

    def _read(self) -> None:
        """Read every packet that has arrived, and notice the end of the connection."""
        client: Any = self._client
        sock = client._sock
        if sock is None:
            return
        client.loop_read()
        while client._sock is sock and sock.pending():
            client.loop_read()
        if client._sock is not sock and not self._connected.done():
            self._connected.set_exception(MqttError("the broker does not answer"))

    def _on_socket_open(self, client: Any, userdata: Any, sock: Any) -> None:
        self._misc_task = self._loop.create_task(self._misc_loop())

    def _on_socket_register_write(self, client: Any, userdata: Any, sock: Any) -> None:
        self._loop.call_soon(client.loop_write)

    def _on_socket_unregister_write(self, client: Any, userdata: Any, sock: Any) -> None:
        """Do nothing, because all data has been written."""
