"""LEDs on an Adalight controller on a serial port: WLED on USB, or one of many Arduino sketches.

A frame is `Ada`, the number of LEDs minus one (high byte, low byte), high ^ low ^ 0x55, and red,
green, blue per LED (P. Burgess, Adafruit, "Adalight", 2011). If WLED receives no data for a few
seconds (2.5 by default), it returns to its own effect, so the frame is repeated every second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardctl.board.palette import Frame
from boardctl.drivers.ports import PortError, Strip, Timer, Wires

AGAIN: Final = 1.0
"""Seconds after which an unchanged frame is repeated."""


PARTS: Final = ("leds",)
"""The configuration tables that may name this driver."""
INTERFACE: Final = "serial"


@dataclass(frozen=True)
class Options:
    """`[leds]` with `driver = "adalight"`: the serial port, as a device file or
    `usb:VID:PID[:SERIAL]`, and the baud rate."""

    port: str = "/dev/ttyUSB0"
    baud: int = 921_600


def encode(frame: Frame) -> bytes:
    """Encode a frame with at least one LED (red, green, blue per LED)."""
    high, low = divmod(len(frame) // 3 - 1, 256)
    return b"Ada" + bytes((high, low, high ^ low ^ 0x55)) + frame


class Adalight(Strip):
    """A strip on an Adalight controller."""

    def __init__(self, options: Options, wires: Wires) -> None:
        self._clock = wires.clock
        self._frame: Frame = b""
        self._timer: Timer | None = None
        self._reason: str | None = None
        self._line = wires.serial(options.port, options.baud, lambda data: None, self._changed)

    def show(self, frame: Frame) -> None:
        self._frame = frame
        self._send()

    def _send(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            self._line.write(encode(self._frame))
        except OSError as error:
            raise PortError("leds", self._reason or str(error)) from error
        self._timer = self._clock.call_at(self._clock.time() + AGAIN, self._resend)

    def _resend(self) -> None:
        try:
            self._send()
        except PortError as error:
            self.report(error.reason)

    def _changed(self, reason: str | None) -> None:
        self._reason = reason
        self.report(reason)
        if reason is None and self._frame:
            self._resend()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._line.close()


def open_ports(options: Options, wires: Wires) -> tuple[Strip, ...]:
    """Open the strip. If the port is not attached, wait for it."""
    return (Adalight(options, wires),)
