"""A microcontroller on a serial port (`firmware/`): WS2812B LEDs (a Strip) and keys (Keys).

The board keeps a palette of up to 127 colours and receives changes, with the framing and
retransmission of `boardctl.drivers.serial_protocol`. `show` never waits: the newest picture is sent
as soon as the previous one is lit. If a board is unplugged or hangs, its pressed keys count as
released. When the board is back, the driver greets it again and sends the whole frame. While the
serial line accepts no data, the driver sends greetings at increasing intervals.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from boardctl.board.palette import Frame
from boardctl.drivers import serial_protocol
from boardctl.drivers.ports import (
    KEYS,
    LEGEND,
    KeyEvent,
    Keys,
    PortError,
    Strip,
    Timer,
    Wires,
    trouble,
)
from boardctl.drivers.serial_protocol import (
    Answered,
    Event,
    Gone,
    Greeting,
    KeyChange,
    Link,
    Refused,
)
from boardctl.options import SchemaError, as_toml

_log: Final = logging.getLogger(__name__)
_PART: Final = "serial_board"
_DARK: Final = bytes(3)
_RUNS: Final = (serial_protocol.MAX_PAYLOAD - 1) // 4
_COLOURS: Final = (serial_protocol.MAX_PAYLOAD - 1) // 3
_LONGEST_RUN: Final = 255
AGAIN: Final = 1.0
"""Seconds before a board is greeted again after its line accepted no data."""
SLOWEST: Final = 30.0
"""The maximum seconds between greetings. Each wait is twice the previous one."""

Command = tuple[int, bytes]
"""A command's kind and payload."""


class Palette:
    """The board's palette of colour numbers, in which 0 is dark. The least recently used colour is
    replaced first."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}

    def forget(self) -> None:
        """Forget all colours, because the board may have lost them."""
        self._numbers.clear()

    def number(self, frame: Frame) -> tuple[bytes, dict[int, bytes]]:
        """Return a frame as one number per LED, and the colours to send to the board first.

        A frame with more colours than numbers is simplified: the lowest bits of each colour are
        dropped until the colours fit.
        """
        colours = [frame[n : n + 3] for n in range(0, len(frame), 3)]
        wanted = set(colours) - {_DARK}
        bits = 0
        while len(wanted) >= serial_protocol.PALETTE_COLOURS:
            bits += 1
            coarse = bytes.maketrans(
                bytes(range(256)), bytes(v >> bits << bits for v in range(256))
            )
            colours = [colour.translate(coarse) for colour in colours]
            wanted = set(colours) - {_DARK}
        for colour in wanted & self._numbers.keys():
            self._numbers[colour] = self._numbers.pop(colour)
        learn = {}
        for colour in sorted(wanted - self._numbers.keys()):
            number = self._free(wanted)
            self._numbers[colour] = number
            learn[number] = colour
        numbers = self._numbers | {_DARK: 0}
        return bytes(numbers[colour] for colour in colours), learn

    def _free(self, wanted: set[bytes]) -> int:
        if len(self._numbers) < serial_protocol.PALETTE_COLOURS - 1:
            return len(self._numbers) + 1
        return self._numbers.pop(next(colour for colour in self._numbers if colour not in wanted))


def changes(shown: bytes | None, wanted: bytes, learn: dict[int, bytes]) -> Iterator[Command]:
    """Return the commands that change the picture from `shown` (None if unknown) to `wanted` and
    then light it. Both pictures contain one number per LED."""
    numbers = sorted(learn)
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        block = [number for _, number in run]
        for first in range(0, len(block), _COLOURS):
            some = block[first : first + _COLOURS]
            yield (
                serial_protocol.PALETTE,
                bytes((some[0],)) + b"".join(learn[number] for number in some),
            )
    clear = serial_protocol.LIGHTS_CLEAR if shown is None else 0
    runs = list(_runs(bytes(len(wanted)) if shown is None else shown, wanted))
    for first in range(0, max(1, len(runs)), _RUNS):
        last = first + _RUNS >= len(runs)
        flags = (clear if first == 0 else 0) | (serial_protocol.LIGHTS_SHOW if last else 0)
        yield serial_protocol.LIGHTS, bytes((flags,)) + b"".join(runs[first : first + _RUNS])


def _runs(shown: bytes, wanted: bytes) -> Iterator[bytes]:
    """Return the runs of neighbouring LEDs that change to the same colour, each as start (two
    bytes), length and colour."""
    start = 0
    while start < len(wanted):
        end = start + 1
        if shown[start] != wanted[start]:
            most = min(len(wanted), start + _LONGEST_RUN)
            while end < most and wanted[end] == wanted[start] and shown[end] != wanted[end]:
                end += 1
            yield start.to_bytes(2, "little") + bytes((end - start, wanted[start]))
        start = end


PARTS: Final = ("leds", "keys")
"""The configuration tables that may name this driver."""
INTERFACE: Final = "serial"


@dataclass(frozen=True)
class Options:
    """`[leds]` with `driver = "serial_board"`, and `[keys]` with only that driver: the port, the
    strip's current budget in mA (0: the firmware's budget, which is also the maximum), and the keys
    of the single buttons, in the order of the firmware's pins."""

    port: str = "/dev/ttyUSB0"
    milliamps: int = 0
    buttons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.milliamps <= 0xFFFF:
            raise SchemaError("board-milliamps", most=0xFFFF, value=self.milliamps)
        if len(self.buttons) > serial_protocol.BUTTON_KEYS:
            most = serial_protocol.BUTTON_KEYS
            raise SchemaError("too-many-buttons", most=most, count=len(self.buttons))
        for name in self.buttons:
            if name not in KEYS:
                raise SchemaError("no-key", keys=as_toml(name), allowed=" ".join(KEYS))


class SerialBoard(Strip, Keys):
    """The board at the other end of a serial line. All methods run on the clock's thread."""

    def __init__(self, options: Options, wires: Wires) -> None:
        self._clock = wires.clock
        self._milliamps = options.milliamps
        self._keys = (*"".join(LEGEND), *options.buttons)
        self._deliver: Callable[[KeyEvent], None] = lambda event: None
        self._down: set[int] = set()
        """The keys that were delivered as pressed but not yet as released."""
        self._link = Link()
        self._palette = Palette()
        self._leds = 0
        self._wanted: Frame | None = None
        self._sent: tuple[Frame, bytes] | None = None
        self._lit: tuple[Frame, bytes] | None = None
        self._trouble: str | None = None
        self._timer: Timer | None = None
        self._greet_at: float | None = None
        """The time at which to greet a board whose line accepted no data, or None if the line
        accepted data."""
        self._wait = AGAIN
        self.greeting: Greeting | None = None
        """The board's last greeting, or None before the first one."""
        self._line = wires.serial(options.port, serial_protocol.BAUD, self._received, self._changed)

    # The ports

    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        self._deliver = deliver

    def show(self, frame: Frame) -> None:
        leds = len(frame) // 3
        if leds > serial_protocol.MAX_LEDS:
            raise PortError(
                _PART, trouble("too-many-leds", most=serial_protocol.MAX_LEDS, leds=leds)
            )
        self._wanted = frame
        if leds != self._leds:
            self._leds = leds
            if self._link.open:
                self._greet()
        self._refresh()
        self._pump()
        if self._trouble is not None:
            raise PortError(_PART, self._trouble)

    def close(self) -> None:
        """Send pending commands and a goodbye, then close the line. The last frame stays lit."""
        if self._timer is not None:
            self._timer.cancel()
        self._refresh()
        self._write(self._link.farewell())
        self._link.hang_up()
        self._line.close()

    # The line

    def _changed(self, reason: str | None) -> None:
        """Handle a disconnected or connected line."""
        self._greet_at = None
        if reason is None:
            self._greet()
        else:
            self._tell(reason)
            self._hang_up()
        self._pump()

    def _tell(self, reason: str | None) -> None:
        """Report a new fault on the board, or None once the board has sent its greeting."""
        if reason != self._trouble:
            self._trouble = reason
            self.report(reason)

    def _received(self, data: bytes) -> None:
        events = self._link.receive(data, self._clock.time())
        self._pump()  # acknowledge a key before it takes effect
        for event in events:
            self._handle(event)
        self._pump()

    def _pump(self) -> None:
        """Write the pending bytes, and schedule the next call."""
        now = self._clock.time()
        if self._greet_at is not None and now >= self._greet_at:
            self._greet_at = None
            self._greet()
        gone = self._link.missed(now)
        if gone is not None:
            self._handle(gone)
        self._write(self._link.outgoing(now))
        if self._timer is not None:
            self._timer.cancel()
        due = self._link.next_call() if self._greet_at is None else self._greet_at
        self._timer = None if due is None else self._clock.call_at(max(due, now), self._pump)

    def _write(self, data: bytes) -> None:
        if data:
            try:
                self._line.write(data)
            except OSError as error:
                self._tell(str(error))
                self._hang_up()
                self._greet_at = self._clock.time() + self._wait
                self._wait = min(2 * self._wait, SLOWEST)

    # Messages from the board

    def _greet(self) -> None:
        self._lit = self._sent = None
        self._link.greet(self._leds, self._milliamps, self._clock.time())

    def _handle(self, event: Event) -> None:
        match event:
            case Greeting():
                self._on_greeting(event)
            case KeyChange(serial_protocol.KEY_OVERFLOW, lost):
                _log.warning(
                    "%s: %d key edges are lost, because nobody was reading them", _PART, lost
                )
            case KeyChange(key, value, age):
                self._key(key, value == 1, age)
            case Answered():
                self._lit = self._sent
                self._refresh()
            case Refused(kind):
                self._tell(trouble("no-command", number=kind))
                self._hang_up()
            case Gone():
                self._tell(trouble("silent", seconds=f"{serial_protocol.GONE:g}"))
                self._release(self._down)

    def _on_greeting(self, greeting: Greeting) -> None:
        self.greeting = greeting
        self._wait = AGAIN
        if greeting.version != serial_protocol.PROTOCOL_VERSION:
            known_version = serial_protocol.PROTOCOL_VERSION
            self._tell(trouble("old-firmware", version=greeting.version, known=known_version))
            self._release(self._down)
            return
        known = {key for key in range(len(self._keys)) if greeting.keys_down >> key & 1}
        self._release(self._down - known)
        if self._leds not in (0, greeting.leds):
            self._tell(None)  # the driver of its keys does
            self._trouble = trouble("other-leds", built=greeting.leds, leds=self._leds)
            return
        self._tell(None)
        if greeting.reset & serial_protocol.RESET_SINCE_HELLO:
            _log.info("%s: the board has started (%s)", _PART, ", ".join(reasons(greeting.reset)))
        self._palette.forget()
        self._lit = self._sent = None
        self._refresh()

    def _key(self, key: int, pressed: bool, age: float) -> None:
        if key >= len(self._keys) or pressed == (key in self._down):
            return
        (self._down.add if pressed else self._down.discard)(key)
        self._deliver(KeyEvent(self._keys[key], pressed, self._clock.time() - age))

    def _release(self, keys: set[int]) -> None:
        for key in sorted(keys):
            self._key(key, False, 0.0)

    def _hang_up(self) -> None:
        self._link.hang_up()
        self._release(self._down)

    # The picture

    def _refresh(self) -> None:
        """Send the newest picture once the previous one is lit."""
        wanted = self._wanted
        if wanted is None or not self._link.idle or len(wanted) != 3 * self._leds:
            return
        lit_frame, lit = self._lit or (None, None)
        if wanted == lit_frame:
            return
        numbers, learn = self._palette.number(wanted)
        for kind, payload in changes(lit, numbers, learn):
            self._link.send(kind, payload)
        self._sent = (wanted, numbers)


def reasons(reset: int) -> tuple[str, ...]:
    """Return the names of the RESET flags that are set. If the boot loader has cleared them, there
    are none."""
    flags = {
        serial_protocol.RESET_POWER: "power",
        serial_protocol.RESET_BUTTON: "reset button",
        serial_protocol.RESET_BROWNOUT: "brown-out",
        serial_protocol.RESET_WATCHDOG: "watchdog",
    }
    return tuple(name for flag, name in flags.items() if reset & flag)


def open_ports(options: Options, wires: Wires) -> tuple[SerialBoard, ...]:
    """Open the board as a strip and a keypad. Raises PortError."""
    return (SerialBoard(options, wires),)
