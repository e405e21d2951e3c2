"""WS2812B LEDs on the MOSI wire of an SPI bus.

The LED tells a 1 from a 0 by how long the line is high (WorldSemi WS2812B datasheet, "Data
transfer time": T0H 400 ns, T1H 800 ns, each ±150 ns, and a pause of 50 µs or, for newer dies,
280 µs to latch). Each LED bit is spelled with SPI bits: three at 2.4 MHz (417/833 ns), or four at
3.2 MHz (312/938 ns would be late, so 1 is `1100`: 625 ns). One frame is exactly one transfer.
Opened by the daemon from the config; needs nothing but the wires it is given.
"""

from __future__ import annotations

from typing import Final, Literal

import attrs

from boardctl.ports import Frame, PortError, SpiBus, Strip, Wires

_PATTERNS: Final = {3: ("100", "110"), 4: ("1000", "1100")}
_HERTZ: Final = {3: 2_400_000, 4: 3_200_000}
LATCH_SECONDS: Final = 300e-6


def tables(bits: Literal[3, 4]) -> tuple[bytes, ...]:
    """For each SPI byte of an encoded colour byte, the table from colour to that byte."""
    zero, one = _PATTERNS[bits]
    words = [
        int("".join(one if value >> bit & 1 else zero for bit in range(7, -1, -1)), 2).to_bytes(
            bits, "big"
        )
        for value in range(256)
    ]
    return tuple(bytes(word[n] for word in words) for n in range(bits))


def encode(frame: Frame, translate: tuple[bytes, ...]) -> bytes:
    """A frame (red, green, blue an LED) as the bytes on the wire, green first, then the latch."""
    colours = bytearray(len(frame))
    colours[0::3], colours[1::3], colours[2::3] = frame[1::3], frame[0::3], frame[2::3]
    bits = len(translate)
    latch = int(LATCH_SECONDS * _HERTZ[bits] / 8) + 1
    out = bytearray(len(frame) * bits + latch)
    end = len(frame) * bits
    for n, table in enumerate(translate):
        out[n:end:bits] = colours.translate(table)
    return bytes(out)


@attrs.frozen
class Options:
    """`[leds]` with `driver = "ws2812_spi"`: where the strip hangs and how its bits are spelled."""

    bus: int = 0
    device: int = 0
    bits: Literal[3, 4] = 3


class Ws2812(Strip):
    """A WS2812B strip on an SPI bus."""

    def __init__(self, bus: SpiBus, bits: Literal[3, 4]) -> None:
        self._bus = bus
        self._tables = tables(bits)

    def show(self, frame: Frame) -> None:
        try:
            self._bus.write(encode(frame, self._tables))
        except OSError as error:
            raise PortError("leds", str(error)) from error

    def close(self) -> None:
        self._bus.close()


def open_ports(options: Options, wires: Wires) -> tuple[Strip, ...]:
    """Open the strip. Raises PortError."""
    return (Ws2812(wires.spi(options.bus, options.device, _HERTZ[options.bits]), options.bits),)
