"""The hardware interfaces of a real machine.

SPI uses spidev, serial lines use pyserial, input devices use evdev, and I2C uses smbus2. Pins use
the configured gpiozero pin factory, and never silently another. Every device that can be unplugged
during a game reconnects automatically.
"""

from __future__ import annotations

import os
import re
import select
import socket
import subprocess
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from boardctl.drivers import header, inputs
from boardctl.drivers.ports import (
    Clock,
    Datagrams,
    I2cBus,
    Line,
    PinFactory,
    PortError,
    Process,
    SpiBus,
    need,
    trouble,
)

USB_PORT: Final = re.compile(r"usb:([0-9a-fA-F]{1,4}):([0-9a-fA-F]{1,4})(?::(.+))?")
"""A serial port given by its USB vendor, product and, to distinguish identical devices, serial
number."""
RETRY: Final = 0.5
"""Seconds between checks for a disconnected device."""
SLOWEST: Final = 3.0
"""The maximum seconds between two such checks. Each wait is twice the previous one."""
BUFSIZ: Final = Path("/sys/module/spidev/parameters/bufsiz")
_WRITE_MOST: Final = 65535
"""The maximum length of a write in bytes. py-spidev splits longer writes, even if the kernel allows
them."""
_FACTORIES: Final[dict[PinFactory, tuple[str, str, str, str]]] = {
    "lgpio": ("lgpio", "pi", "gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("RPi.GPIO", "rpigpio", "gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "native": ("gpiozero", "pi", "gpiozero.pins.native", "NativeFactory"),
}
"""For each pin factory: the module that it needs, the extra that contains that module, and the
factory's own module and class."""


def bufsiz() -> int:
    """Return the maximum number of bytes in an SPI transfer on this machine."""
    return int(BUFSIZ.read_text("ascii")) if BUFSIZ.is_file() else 4096


class CopperWires:
    """The wires of this machine."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.pin_errors: tuple[type[Exception], ...] = (OSError, ValueError, RuntimeError)
        self._factories: dict[PinFactory, Any] = {}

    def spi(self, bus: int, device: int, hertz: int, clocked: bool = True) -> SpiBus:
        return Spi(bus, device, hertz, 0 if clocked else steady_mode(bus))

    def pins(self, factory: PinFactory = "lgpio") -> Any:
        if factory not in self._factories:
            os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", _scratch()))
            module, extra, home, name = _FACTORIES[factory]
            below = need(module, "keys", extra)
            gpiozero = need("gpiozero", "keys", "pi")
            self.pin_errors = (
                *self.pin_errors,
                gpiozero.GPIOZeroError,
                *((below.error,) if factory == "lgpio" else ()),
            )
            try:
                kind = getattr(import_module(home), name)
                chip = header.chip() if factory == "lgpio" else None
                self._factories[factory] = kind() if chip is None else kind(chip=chip)
            except (ImportError, *self.pin_errors) as error:  # type: ignore[misc]  # it is a tuple
                raise PortError(
                    "keys", trouble("pins-closed", factory=factory, reason=error)
                ) from error
        return self._factories[factory]

    def serial(
        self,
        port: str,
        baud: int,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
    ) -> SerialLine:
        return SerialLine(self.clock, port, baud, received, changed)

    def i2c(self, bus: int) -> I2cBus:
        smbus2 = need("smbus2", "display", "lcd")  # luma.oled brings it
        number = header.i2c(bus)
        try:
            opened: I2cBus = smbus2.SMBus(number)
        except OSError as error:
            closed = trouble("i2c-closed", path=f"/dev/i2c-{number}", reason=error)
            raise PortError("display", closed) from error
        return opened

    def udp(self, host: str, port: int) -> Datagrams:
        return Udp(host, port)

    def keyboard(
        self,
        device: str,
        received: Callable[[str, int, int], None],
        changed: Callable[[str | None], None],
    ) -> Line:
        need("evdev", "keys", "pi")
        return Keyboard(self.clock, device, received, changed)

    def start(self, program: tuple[str, ...]) -> Process:
        nowhere = subprocess.DEVNULL
        return subprocess.Popen(program, stdin=nowhere, stdout=nowhere, stderr=nowhere)

    def filtered(self, program: tuple[str, ...], text: str) -> str:
        made = subprocess.run(program, input=text.encode(), capture_output=True, check=False)
        return made.stdout.decode("utf-8", "replace").strip()

    def close(self) -> None:
        """Release the pins."""
        for factory in self._factories.values():
            factory.close()
        self._factories.clear()


def _scratch() -> str:
    """Set the folder in which lgpio creates its pipes. Without a usable folder, lgpio fails to
    load."""
    return tempfile.gettempdir()


def steady_mode(bus: int, root: Path = Path("/")) -> int:
    """Return the SPI mode in which the controller of the bus does not pause after each byte.

    In mode 0, a Pi 5's DesignWare controller raises its chip select after each byte and stops the
    clock meanwhile (DW_apb_ssi databook, parameter SSI_SCPH0_SSTOGGLE; seen on a Pi 5 in
    raspberrypi/linux issue 6354). In mode 1, it sends without pauses.
    """
    return 1 if header.is_designware(bus, root) else 0


class Spi:
    """A spidev device in an SPI mode. After a failure, the device is reopened."""

    def __init__(self, bus: int, device: int, hertz: int, mode: int = 0) -> None:
        self._where = (bus, device)
        self._hertz = hertz
        self._mode = mode
        self._spidev = need("spidev", "leds", "pi")
        self.limit = min(bufsiz(), _WRITE_MOST)
        try:
            self._device: Any = self._open()
        except OSError as error:
            path = f"/dev/spidev{bus}.{device}"
            remedy = {
                FileNotFoundError: "spi-off",
                PermissionError: "spi-group",
            }.get(type(error), "spi-taken")
            closed = trouble("spi-closed", path=path, reason=error, remedy=trouble(remedy))
            raise PortError("leds", closed) from error

    def _open(self) -> Any:
        device = self._spidev.SpiDev()
        device.open(*self._where)
        device.max_speed_hz = self._hertz
        device.mode = self._mode
        return device

    def write(self, data: bytes | bytearray) -> None:
        if self._device is None:
            self._device = self._open()
        try:
            self._device.writebytes2(data)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None


class _Listener(ABC):
    """A thread that opens a device, passes on its input, and reopens it after a disconnect. The
    thread sleeps in `select` while there is no input."""

    def __init__(self, clock: Clock, changed: Callable[[str | None], None], name: str) -> None:
        self._clock = clock
        self._changed = changed
        self._device: Any = None
        self._closed = threading.Event()
        self._wake, self._waker = os.pipe()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        return self._thread.is_alive()

    @abstractmethod
    def _open(self) -> Any:
        """Open the device, and return an object with `fileno` and `close`. Raises OSError."""

    @abstractmethod
    def _take(self, device: Any) -> Callable[[], None] | None:
        """Read the input, and return a function that handles it on the clock's thread."""

    def _on_clock(self, call: Callable[[], None]) -> None:
        if not self._closed.is_set():
            self._clock.call_soon_threadsafe(call)

    def _run(self) -> None:
        reported: str | None = trouble("not-opened")
        wait = RETRY
        while not self._closed.is_set():
            try:
                device = self._open()
            except OSError as error:
                reason = error.strerror or str(error)
                if reason != reported:
                    reported = reason
                    self._on_clock(partial(self._changed, reported))
                self._closed.wait(wait)
                wait = min(2 * wait, SLOWEST)
                continue
            reported, wait = None, RETRY
            self._device = device
            self._on_clock(partial(self._changed, None))
            try:
                self._listen(device)
            except OSError as error:
                reported = trouble("unplugged", reason=error)
                self._on_clock(partial(self._changed, reported))
            finally:
                self._device = None
                device.close()

    def _listen(self, device: Any) -> None:
        while not self._closed.is_set():
            ready, _, _ = select.select([device.fileno(), self._wake], [], [])
            if self._wake in ready:
                return
            call = self._take(device)
            if call is not None:
                self._on_clock(call)

    def close(self) -> None:
        if not self._closed.is_set():
            self._closed.set()
            os.write(self._waker, b".")
            self._thread.join()
            os.close(self._wake)
            os.close(self._waker)


def locate(port: str, attached: Iterable[Any], known: Any = None) -> tuple[str, Any]:
    """Return a serial port's current device file and its USB identity.

    Args:
        port: a device file, or `usb:VID:PID[:SERIAL]` in hexadecimal.
        attached: pyserial's list of ports: `device`, `vid`, `pid`, `serial_number`, `location`.
        known: the identity found last time, if any, to find an adapter that returns under another
        name.

    Raises:
        OSError: if no such port is attached.
    """
    attached = list(attached)
    if port.startswith("usb:"):
        match = USB_PORT.fullmatch(port)
        if match is None:
            raise OSError(f"{port}: expected usb:VENDOR:PRODUCT in hexadecimal, as usb:1a86:7523")
        vendor, product, serial = match.groups()
        for one in attached:
            if (one.vid, one.pid) == (int(vendor, 16), int(product, 16)) and (
                serial is None or one.serial_number == serial
            ):
                return one.device, one
        raise OSError(f"no serial port {port} is attached")
    if known is not None:
        for one in attached:
            if (one.vid, one.pid, one.serial_number) == (known.vid, known.pid, known.serial_number):
                return one.device, one
    named = next((one for one in attached if one.device == port and one.vid is not None), None)
    if not Path(port).exists():
        raise OSError(f"there is no {port}")
    return port, named


class SerialLine(_Listener):
    """A serial port that reconnects, even under another device name."""

    def __init__(
        self,
        clock: Clock,
        port: str,
        baud: int,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
        attached: Callable[[], Iterable[Any]] | None = None,
    ) -> None:
        self._port = port
        self._baud = baud
        self._received = received
        self._attached = attached or _serial_ports
        self._last_port: Any = None
        super().__init__(clock, changed, f"serial {port}")

    def _open(self) -> Any:
        import serial

        path, self._last_port = locate(self._port, self._attached(), self._last_port)
        return serial.Serial(path, self._baud, timeout=0, write_timeout=1, exclusive=True)

    def _take(self, device: Any) -> Callable[[], None] | None:
        data = device.read(4096)
        if not data:
            raise OSError("end of file")
        return lambda: self._received(data)

    def write(self, data: bytes) -> None:
        device = self._device
        if device is None:
            raise OSError(f"{self._port} is not connected")
        device.write(data)


def _serial_ports() -> Iterable[Any]:
    from serial.tools.list_ports import comports

    return comports()


class Keyboard(_Listener):
    """The matching input devices of the kernel, which are grabbed."""

    def __init__(
        self,
        clock: Clock,
        name: str,
        received: Callable[[str, int, int], None],
        changed: Callable[[str | None], None],
    ) -> None:
        self._names = tuple(one.strip() for one in name.split(",") if one.strip())
        self._received = received
        super().__init__(clock, changed, f"keyboard {name}")

    def _open(self) -> Any:
        import evdev

        return inputs.Group(evdev, self._names)

    def _take(self, device: Any) -> Callable[[], None] | None:
        keys = device.read()
        if not keys:
            return None

        def deliver() -> None:
            for who, code, value in keys:
                self._received(who, code, value)

        return deliver


class Udp:
    """A UDP socket that sends to a host, given by name or address. Name lookups never block the
    game, and are repeated after each failure."""

    def __init__(self, host: str, port: int) -> None:
        self._where = (host, port)
        self._socket: socket.socket | None = None
        self._reason = trouble("looking", host=host)
        self._lookup = self._look_up()
        if host.replace(".", "").isdigit():
            self._lookup.join()  # an address needs no lookup

    def _look_up(self) -> threading.Thread:
        looking = threading.Thread(target=self._connect, name="udp", daemon=True)
        looking.start()
        return looking

    def _look_again(self) -> None:
        if not self._lookup.is_alive():
            self._lookup = self._look_up()

    def _connect(self) -> None:
        host, port = self._where
        try:
            family, kind, proto, _, address = socket.getaddrinfo(
                host, port, type=socket.SOCK_DGRAM
            )[0]
            opened = socket.socket(family, kind, proto)
            opened.setblocking(False)
            opened.connect(address)
        except OSError as error:
            self._reason = trouble("not-found", host=host, reason=error)
        else:
            self._socket = opened

    def send(self, data: bytes) -> None:
        if self._socket is None:
            self._look_again()
            raise OSError(self._reason)
        try:
            self._socket.send(data)
        except OSError:
            self.close()
            self._look_again()
            raise

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
