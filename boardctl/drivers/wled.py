"""LEDs on a WLED controller on the network, using DDP.

A frame is sent as UDP datagrams to port 4048. Each datagram consists of a ten-byte header and at
most 1,440 bytes of colours. The header contains flags (version 1, and push on the last datagram), a
sequence number from 1 to 15, the data type (RGB, 8 bits), the destination 1, and offset and length
in bytes (3waylabs, "Distributed Display Protocol", 2016). If WLED receives no data for a few
seconds (2.5 by default), it returns to its own effect, so the frame is repeated every second. If
the controller is unreachable, retries become less frequent until there is a new frame.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from boardctl.board.palette import Frame
from boardctl.drivers.ports import PortError, Strip, Timer, Wires, trouble
from boardctl.options import Between

AGAIN: Final = 1.0
"""Seconds after which an unchanged frame is repeated."""
SLOWEST: Final = 30.0
"""The maximum seconds between two attempts to reach a controller. Each wait is twice the previous
one."""
MOST: Final = 1440
"""The bytes of colours in one datagram: 480 LEDs, which fit in an Ethernet frame."""
_VERSION: Final = 0x40
_PUSH: Final = 0x01
_RGB8: Final = 0x0B
_DISPLAY: Final = 1


PARTS: Final = ("leds",)
"""The configuration tables that may name this driver."""


@dataclass(frozen=True)
class Options:
    """`[leds]` with `driver = "wled"`: the controller's host name or address."""

    host: str = "wled.local"
    port: Annotated[int, Between(1, 65535)] = 4048


def encode(frame: Frame, sequence: int) -> Iterator[bytes]:
    """Encode a frame (red, green, blue per LED) as datagrams numbered `sequence`."""
    for offset in range(0, len(frame), MOST):
        colours = frame[offset : offset + MOST]
        flags = _VERSION | (_PUSH if offset + MOST >= len(frame) else 0)
        yield (
            struct.pack(">BBBBIH", flags, sequence, _RGB8, _DISPLAY, offset, len(colours)) + colours
        )


class Wled(Strip):
    """A strip on a WLED controller."""

    def __init__(self, options: Options, wires: Wires) -> None:
        self._clock = wires.clock
        self._host = options.host
        self._network = wires.udp(options.host, options.port)
        self._frame: Frame = b""
        self._sequence = 0
        self._wait = AGAIN
        self._timer: Timer | None = None

    def show(self, frame: Frame) -> None:
        if frame != self._frame:
            self._wait = AGAIN
        self._frame = frame
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._clock.call_at(self._clock.time() + self._wait, self._resend)
        self._sequence = self._sequence % 15 + 1
        try:
            for datagram in encode(frame, self._sequence):
                self._network.send(datagram)
        except OSError as error:
            raise PortError("leds", trouble("no-answer", host=self._host, reason=error)) from error

    def _resend(self) -> None:
        try:
            self.show(self._frame)
        except PortError as error:
            self._wait = min(2 * self._wait, SLOWEST)
            self.report(error.reason)
        else:
            self._wait = AGAIN
            self.report(None)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._network.close()


def open_ports(options: Options, wires: Wires) -> tuple[Strip, ...]:
    """Open the strip. If the controller is offline, wait for it."""
    return (Wled(options, wires),)
