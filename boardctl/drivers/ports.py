"""The ports: what a driver must and may do, and what passes through them.

A driver module in `boardctl.drivers` opens one or more of these; the daemon knows nothing else of
hardware. A descendant must override the methods that raise here by being abstract; `close` may be
called twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Literal, NamedTuple, Protocol

from boardctl.extras import MissingPackageError, needs

KEYS: Final = tuple("0123456789ABCD*#")
"""The keys of the keypad, by the names that are printed on them."""
LEGEND: Final = ("123A", "456B", "789C", "*0#D")
"""The same as they lie on a 4×4 keypad, row by row."""


class PortError(Exception):
    """A part that does not answer: `part` names it, `reason` is one sentence."""

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(f"{part}: {reason}")
        self.part = part
        self.reason = reason


class KeyEvent(NamedTuple):
    """A debounced edge of a key; `at` is monotonic time in seconds."""

    key: str
    pressed: bool
    at: float


class Colour(NamedTuple):
    """One LED's light, each of red, green and blue from 0 to 255."""

    red: int
    green: int
    blue: int


Frame = bytes
"""The whole strip: three bytes (red, green, blue) an LED, in the strip's order."""


class Port(ABC):
    """What every port has.

    `report` is told by the driver, on the clock's thread, what is wrong with the part, in a
    sentence, and None once it is well again. Whoever opens the port replaces it before use.
    """

    report: Callable[[str | None], None] = staticmethod(lambda reason: None)

    def alive(self) -> bool:
        """Whether the driver's own thread, if it has one, still runs. A part that is away does
        not make a driver dead."""
        return True

    @abstractmethod
    def close(self) -> None:
        """Let go of the device."""


class Strip(Port):
    """A row of LEDs."""

    @abstractmethod
    def show(self, frame: Frame) -> None:
        """Light the strip. Blocks until the bytes are handed over. Raises PortError."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the device; the last frame stays lit."""


class Keys(Port):
    """A keypad. `deliver` is called with each KeyEvent, on the clock's thread."""

    @abstractmethod
    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        """Begin to listen. Raises PortError."""

    @abstractmethod
    def close(self) -> None:
        """Stop listening and let go of the device."""


class Display(Port):
    """A small text display of `rows` lines of `columns` characters, which has the letters of
    these `languages`."""

    columns: int = 16
    rows: int = 2
    languages: tuple[str, ...] = ("en",)

    @abstractmethod
    def show(self, lines: tuple[str, ...]) -> None:
        """Replace the text. Raises PortError."""


class Speaker(Port):
    """A voice."""

    @abstractmethod
    def say(self, text: str) -> None:
        """Speak without waiting for the end; a new sentence follows the one being said."""

    @abstractmethod
    def close(self) -> None:
        """Be silent."""


class Timer(Protocol):
    """A call that is to come."""

    def cancel(self) -> None:
        """The call will not come."""


class Clock(Protocol):
    """Time as drivers and table controller know it: an asyncio event loop is one, and so is the
    virtual clock of `boardctl simulate` and the tests. Seconds, monotonic."""

    def time(self) -> float:
        """Now."""

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Call once it is `when`."""

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> object:
        """Call as soon as may be; the only method that another thread may use."""


class Worker(Protocol):
    """Does what may take long, one thing after the other: a thread (`journal.Writer`), or
    whoever hands it over, where the clock stands still (`journal.AtOnce`)."""

    def put(self, work: Callable[[], object]) -> None:
        """Do this when all before it is done."""

    def close(self) -> None:
        """Return when all of it is done; nothing more will come."""


class SpiBus(Protocol):
    """One device on an SPI bus: as much of spidev as the drivers use. `limit` is the most bytes
    that one transfer can have."""

    limit: int

    def write(self, data: bytes | bytearray) -> None:
        """Send in exactly one transfer. Raises OSError."""

    def close(self) -> None:
        """Let go of the device."""


class SerialLine(Protocol):
    """A serial line that opens itself again when its far end has been away."""

    def write(self, data: bytes) -> None:
        """Send. Raises OSError while the far end is away."""

    def close(self) -> None:
        """Let go of the device."""


class I2cBus(Protocol):
    """An I2C bus: as much of smbus2 as the displays use. All raise OSError."""

    def write_byte(self, address: int, value: int) -> None:
        """One byte to a device without registers."""

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        """Up to 32 bytes to a register."""

    def close(self) -> None:
        """Let go of the bus."""


class Datagrams(Protocol):
    """UDP to one address."""

    def send(self, data: bytes) -> None:
        """One datagram. Raises OSError where none can leave, or the last was turned away."""

    def close(self) -> None:
        """Let go of the socket."""


class Line(Protocol):
    """Something that listens until it is closed."""

    def alive(self) -> bool:
        """Whether it still does."""

    def close(self) -> None:
        """Listen no more."""


class Process(Protocol):
    """A program that runs: as much of `subprocess.Popen` as the drivers use."""

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, once it has ended."""

    def terminate(self) -> None:
        """End it."""


PinFactory = Literal["lgpio", "rpigpio", "native"]
"""The pin factories of gpiozero that a board may be told to use."""


class Wires(Protocol):
    """What lies below the drivers: copper on a Pi, `drivers.virtual` on a laptop.

    `changed` is called on the clock's thread with a sentence when a far end goes away, and with
    None each time it is there (again), the first time included. `pin_errors` is what the pins of
    the factory that was opened raise.
    """

    clock: Clock
    pin_errors: tuple[type[Exception], ...]

    def spi(self, bus: int, device: int, hertz: int) -> SpiBus:
        """Open an SPI device. Raises PortError."""

    def pins(self, factory: PinFactory = "lgpio") -> Any:
        """The gpiozero pin factory of that name, and never another. Raises PortError."""

    def serial(
        self,
        port: str,
        baud: int,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
    ) -> SerialLine:
        """Open a serial line: a device file, or `usb:VID:PID[:SERIAL]` (hexadecimal) for whatever
        name that adapter has today. `received` gets what arrives, on the clock's thread. A far
        end that is away is not an error here: `changed` tells."""

    def i2c(self, bus: int) -> I2cBus:
        """Open an I2C bus. Raises PortError."""

    def udp(self, host: str, port: int) -> Datagrams:
        """Open a UDP socket to one address. Raises PortError."""

    def keyboard(
        self,
        device: str,
        received: Callable[[int, int], None],
        changed: Callable[[str | None], None],
    ) -> Line:
        """Listen to an input device (evdev): its file, or a part of its name. It is grabbed, so
        nobody else sees its keys. `received` gets key code and value (1 pressed, 0 released, 2
        repeated), on the clock's thread."""

    def start(self, program: tuple[str, ...]) -> Process:
        """Start a program with its arguments. Raises OSError."""

    def close(self) -> None:
        """Give back what no port has closed, once all ports are closed."""


def need(module: str, part: str, extra: str) -> ModuleType:
    """Import what a part stands on. Raises PortError where its package is not installed."""
    try:
        with needs(f"the part {part}", extra):
            return import_module(module)
    except MissingPackageError as error:
        raise PortError(part, str(error)) from error
