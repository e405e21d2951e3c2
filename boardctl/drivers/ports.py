"""Ports: the interfaces that drivers implement, and their data types.

A driver module in `boardctl.drivers` opens one or more ports. The daemon has no other access to
hardware. Subclasses override the abstract methods. `close` may be called twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Literal, NamedTuple, Protocol

from boardctl.board.palette import Frame
from boardctl.message import Message
from boardctl.options import MissingPackageError, SchemaError, needs
from boardctl.signals import Signal
from boardctl.text import Sentence, SpokenError

KEYS: Final = tuple("0123456789ABCD*#")
"""The keys of the keypad, by their labels."""
LEGEND: Final = ("123A", "456B", "789C", "*0#D")
"""The keys of a 4×4 keypad, row by row."""


class PortError(SpokenError):
    """The error raised by a failed part. `part` is its name, and `reason` is one sentence."""

    def __init__(self, part: str, reason: str) -> None:
        super().__init__("port", part, reason=reason)
        self.part = part
        self.reason = reason


def reason_of(error: Exception) -> str:
    """Return the reason why a part has failed: the driver's own reason, or the kind and text of any
    other error."""
    if isinstance(error, PortError):
        return error.reason
    return f"{type(error).__name__}: {error}"


def trouble(code: str, /, **fields: object) -> Sentence:
    """Return the reason for a `PortError`: a sentence of kind `trouble` with this code and these
    fields."""
    return Sentence("trouble", code, **fields)


class KeyEvent(NamedTuple):
    """A debounced edge of a key. `at` is the monotonic time in seconds. `source` identifies the
    device if several can be connected."""

    key: str
    pressed: bool
    at: float
    source: str = ""


class Port(ABC):
    """The base class of ports.

    The driver calls `report` on the clock's thread when the part fails and when it works again.
    """

    @cached_property
    def reported(self) -> Signal[str | None]:
        """A signal sent with a sentence when the part fails, and with None when it works again."""
        return Signal()

    def report(self, reason: str | None) -> None:
        """Report why this port has failed, or None if it works again."""
        self.reported.send(reason)

    def alive(self) -> bool:
        """Return whether the driver's thread, if any, is running. Unplugging the part does not stop
        the thread."""
        return True

    @abstractmethod
    def close(self) -> None:
        """Release the device."""


class Strip(Port):
    """A row of LEDs."""

    @abstractmethod
    def show(self, frame: Frame) -> None:
        """Show a frame, blocking until the bytes are handed over. Raises PortError."""

    @abstractmethod
    def close(self) -> None:
        """Close the device; the last frame stays lit."""


class Keys(Port):
    """A keypad. `deliver` is called with each KeyEvent, on the clock's thread."""

    @abstractmethod
    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        """Start listening. Raises PortError."""

    @abstractmethod
    def close(self) -> None:
        """Stop listening and close the device."""


class Display(Port):
    """A small text display with `rows` lines of `columns` characters, which can show texts in
    `languages`."""

    columns: int = 16
    rows: int = 2
    languages: tuple[str, ...] = ("en",)

    def show_link(self, link: str, lines: tuple[str, ...]) -> None:
        """Replace the text with a QR code of a link, and with the new text beside it. A small
        display shows only the text. Raises PortError."""
        self.show(lines)

    @abstractmethod
    def show(self, lines: tuple[str, ...]) -> None:
        """Replace the text. Raises PortError."""


SPEEDS: Final = range(80, 451)
"""The range of a voice's words per minute."""
SPEED: Final = 150
"""The initial words per minute."""


class Speaker(Port):
    """A voice. `level` is its initial level of speech (`console.keypad.Level`). `sounds` says
    whether it plays sounds. `microphone` is the microphone for spoken moves, or None. `speed` is
    the number of words per minute, which may be set."""

    level: str = "questions"
    sounds: bool = True
    speed: int = SPEED
    microphone: str | None = None

    @abstractmethod
    def say(self, text: str, language: str = "en", *, passing: bool = False) -> None:
        """Queue a sentence without waiting. The next sentence interrupts a `passing` sentence,
        which is then repeated unless the next sentence is passing too."""

    def play(self, name: str, wav: bytes) -> None:
        """Queue a short sound, given as a WAV file. A voice without sounds ignores it."""

    def hush(self) -> None:
        """Stop speaking, and clear the queue."""

    @abstractmethod
    def close(self) -> None:
        """Do nothing, because the voice is silent."""


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call."""


class Clock(Protocol):
    """The clock used by the drivers and the table controller: an asyncio event loop, or a virtual
    clock. It counts monotonic seconds."""

    def time(self) -> float:
        """Return the current time."""

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Schedule a callback to run at time `when`."""

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> object:
        """Schedule a callback to run as soon as possible. Other threads may use only this
        method."""


class Worker(Protocol):
    """A worker that does slow work in order: on a thread (`journal.Writer`) or, with a virtual
    clock, within `put` (`journal.AtOnce`)."""

    def put(self, work: Callable[[], object]) -> None:
        """Queue a piece of work."""

    def close(self) -> None:
        """Finish all queued work, then end."""


class SpiBus(Protocol):
    """A device on an SPI bus, with the part of the spidev interface that the drivers use. `limit`
    is the maximum number of bytes per transfer."""

    limit: int

    def write(self, data: bytes | bytearray) -> None:
        """Send the data in exactly one transfer. Raises OSError."""

    def close(self) -> None:
        """Release the device."""


class SerialLine(Protocol):
    """A serial line that reopens automatically when its device is plugged in again."""

    def write(self, data: bytes) -> None:
        """Send data. Raises OSError while the device is unplugged."""

    def close(self) -> None:
        """Release the device."""


class I2cBus(Protocol):
    """An I2C bus, with the part of the smbus2 interface that the displays use. All methods raise
    OSError."""

    def write_byte(self, address: int, value: int) -> None:
        """Write one byte to a device without registers."""

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        """Write up to 32 bytes to a register."""

    def close(self) -> None:
        """Release the bus."""


class Datagrams(Protocol):
    """A UDP socket that sends to one address."""

    def send(self, data: bytes) -> None:
        """Send a datagram. Raises OSError if sending fails, or if the previous datagram was
        rejected."""

    def close(self) -> None:
        """Release the socket."""


class Line(Protocol):
    """A listener that runs until `close` is called."""

    def alive(self) -> bool:
        """Return whether the listener is still running."""

    def close(self) -> None:
        """Stop listening."""


class Process(Protocol):
    """A running program, with the part of the `subprocess.Popen` interface that the drivers use."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the program to end, and return its exit status."""

    def terminate(self) -> None:
        """End the program."""


PinFactory = Literal["lgpio", "rpigpio", "native"]
"""The gpiozero pin factories that can be configured."""

_HEADER: Final = range(28)
"""The BCM numbers of the pins on the Pi's header (Raspberry Pi documentation, "GPIO")."""


def on_header(pins: Iterable[int]) -> None:
    """Raise SchemaError for a BCM number that is not on the Pi's header, such as a physical pin
    number."""
    for pin in pins:
        if pin not in _HEADER:
            raise SchemaError("off-header", pin=pin)


class Wires(Protocol):
    """The hardware interfaces below the drivers: real interfaces on a Pi, or `drivers.virtual` in
    the simulation.

    `changed` is called on the clock's thread: with a sentence when a device disconnects, and with
    None each time it connects, including the first time. `pin_errors` are the exceptions that the
    opened pin factory can raise.
    """

    clock: Clock
    pin_errors: tuple[type[Exception], ...]

    def spi(self, bus: int, device: int, hertz: int, clocked: bool = True) -> SpiBus:
        """Open an SPI device.

        Args:
            clocked: whether the device reads the clock wire. A device that reads only MOSI gets the
            SPI mode without pauses.

        Raises:
            PortError: if the device cannot be opened.
        """

    def pins(self, factory: PinFactory = "lgpio") -> Any:
        """Open this gpiozero pin factory, never another in its place. Raises PortError."""

    def serial(
        self,
        port: str,
        baud: int,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
    ) -> SerialLine:
        """Open a serial line: a device file, or `usb:VID:PID[:SERIAL]` (hexadecimal) for an adapter
        with any device name. `received` is called with incoming data, on the clock's thread. A
        missing device is reported through `changed` and does not raise an error."""

    def i2c(self, bus: int) -> I2cBus:
        """Open an I2C bus. Raises PortError."""

    def udp(self, host: str, port: int) -> Datagrams:
        """Open a UDP socket to one address. Raises PortError."""

    def keyboard(
        self,
        device: str,
        received: Callable[[str, int, int], None],
        changed: Callable[[str | None], None],
    ) -> Line:
        """Listen to every matching input device (evdev). `device` is a device file, a part of a
        name, or several of these, separated by commas. The devices are grabbed, so no other program
        receives their keys. `received` is called on the clock's thread with the device's identity
        (the same after sleep and restart), key code and value (1 pressed, 0 released, 2 repeated).
        The code for a disconnected device is -1, as long as other devices remain.
        """

    def start(self, program: tuple[str, ...]) -> Process:
        """Start a program with its arguments. Raises OSError."""

    def filtered(self, program: tuple[str, ...], text: str) -> str:
        """Return a program's output when it is given a text as input. Raises OSError."""

    def close(self) -> None:
        """Release shared resources after all ports have been closed."""


SYSTEM_PACKAGES: Final = {
    "evdev": "python3-evdev",
    "lgpio": "python3-lgpio",
    "luma.oled": "python3-luma.oled",
    "RPi.GPIO": "python3-rpi.gpio",
    "smbus2": "python3-smbus2",
    "spidev": "python3-spidev",
}
"""For each module that pip might have to compile: the Raspberry Pi OS package that contains the
module or its requirements. RPLCD has no such package."""


def need(module: str, part: str, extra: str) -> ModuleType:
    """Import a module that a part needs. Raises PortError if its package is not installed."""
    try:
        with needs(part, extra):
            return import_module(module)
    except MissingPackageError as error:
        if module in SYSTEM_PACKAGES:
            named = {"part": Message("part", part), "module": module, "extra": extra}
            lacking = trouble("no-module", package=SYSTEM_PACKAGES[module], **named)
        else:
            lacking = Sentence("failure", error.code, **error.fields)
        raise PortError(part, lacking) from error
