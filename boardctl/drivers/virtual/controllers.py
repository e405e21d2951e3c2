"""Virtual LED controllers (Adalight and WLED), which implement the published formats.

Adalight: `Ada`, LED count minus one (high, low), high ^ low ^ 0x55, then red, green, blue per LED
(P. Burgess, Adafruit, "Adalight", 2011). DDP: a 10-byte header (flags, sequence, data type,
destination, offset and length in bytes) and colours, shown at the push flag (3waylabs, "Distributed
Display Protocol", 2016; WLED listens on UDP 4048).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final

DDP_VERSION: Final = 0x40
DDP_PUSH: Final = 0x01
DDP_TIMECODE: Final = 0x10


class Adalight:
    """An Adalight controller on a serial line. `frames` counts the frames shown, and `bad` the
    headers with a wrong checksum."""

    def __init__(self, watch: Callable[[bytes], None]) -> None:
        self._watch = watch
        self._buffer = bytearray()
        self.leds = b""
        self.frames = 0
        self.bad = 0

    def take(self, data: bytes) -> bytes:
        self._buffer += data
        while self._frame():
            pass
        return b""

    def _frame(self) -> bool:
        start = self._buffer.find(b"Ada")
        if start < 0:
            del self._buffer[:-2]
            return False
        del self._buffer[:start]
        if len(self._buffer) < 6:
            return False
        high, low, check = self._buffer[3:6]
        if check != high ^ low ^ 0x55:
            self.bad += 1
            del self._buffer[:3]
            return True
        end = 6 + 3 * ((high << 8 | low) + 1)
        if len(self._buffer) < end:
            return False
        self.leds = bytes(self._buffer[6:end])
        del self._buffer[:end]
        self.frames += 1
        self._watch(self.leds)
        return True


class Wled:
    """A WLED controller that receives DDP. `sequences` contains the received sequence numbers."""

    def __init__(self, leds: int, watch: Callable[[bytes], None]) -> None:
        self._watch = watch
        self._leds = bytearray(3 * leds)
        self.leds = b""
        self.frames = 0
        self.sequences: list[int] = []

    def take(self, data: bytes) -> None:
        flags, sequence, _, destination, offset, length = struct.unpack(">BBBBIH", data[:10])
        start = 14 if flags & DDP_TIMECODE else 10
        colours = data[start : start + length]
        if flags & 0xC0 != DDP_VERSION or destination != 1 or len(colours) != length:
            return
        self.sequences.append(sequence & 15)
        if offset + length > len(self._leds):
            self._leds.extend(bytes(offset + length - len(self._leds)))
        self._leds[offset : offset + length] = colours
        if flags & DDP_PUSH:
            self.leds = bytes(self._leds)
            self.frames += 1
            self._watch(self.leds)
