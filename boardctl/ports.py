"""The ports: what a driver must and may do, and what passes through them.

A driver module in `boardctl.drivers` opens one or more of these; the daemon knows nothing else of
hardware. A descendant must override the methods that raise here by being abstract; `close` may be
called twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

KEYS: Final = tuple("0123456789ABCD*#")
"""The keys of the keypad, by the names that are printed on them."""


class PortError(Exception):
    """A part that does not answer: `part` names it, `reason` is one sentence."""

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(f"{part}: {reason}")
        self.part = part
        self.reason = reason


@dataclass(frozen=True, slots=True)
class KeyEvent:
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


class Strip(ABC):
    """A row of LEDs."""

    @abstractmethod
    def show(self, frame: Frame) -> None:
        """Light the strip. Blocks until the bytes are handed over. Raises PortError."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the device; the last frame stays lit."""


class Keys(ABC):
    """A keypad. `deliver` is called with each KeyEvent, from any thread."""

    @abstractmethod
    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        """Begin to listen. Raises PortError."""

    @abstractmethod
    def close(self) -> None:
        """Stop listening and let go of the device."""


class Display(ABC):
    """A small text display of `rows` lines of `columns` characters."""

    columns: int = 16
    rows: int = 2

    @abstractmethod
    def show(self, lines: tuple[str, ...]) -> None:
        """Replace the text. Raises PortError."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the device."""


class Speaker(ABC):
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
    """Time as the drivers and the sitting know it: an asyncio event loop is one, and so is the
    virtual clock of `boardctl simulate` and the tests. Seconds, monotonic."""

    def time(self) -> float:
        """Now."""

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Call once it is `when`."""

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> object:
        """Call as soon as may be; the only method that another thread may use."""


class SpiBus(Protocol):
    """One device on an SPI bus: as much of spidev as the drivers use."""

    def write(self, data: bytes) -> None:
        """Send in exactly one transfer. Raises OSError."""

    def close(self) -> None:
        """Let go of the device."""


class Wires(Protocol):
    """What lies below the drivers: copper on a Pi, `drivers.virtual` on a laptop."""

    clock: Clock

    def spi(self, bus: int, device: int, hertz: int) -> SpiBus:
        """Open an SPI device. Raises PortError."""

    def pins(self) -> Any:
        """The gpiozero pin factory. Raises PortError."""
