"""WS2812B LEDs on the MOSI wire of an SPI bus.

The LED tells a 1 from a 0 by how long the line is high (WorldSemi WS2812B datasheet, "Data
transfer time": T0H 400 ns, T1H 800 ns, each ±150 ns, and a pause of 50 µs or, for newer dies,
280 µs to latch). Each LED bit is spelled with SPI bits: three at 2.4 MHz (417/833 ns), or four at
3.2 MHz (312/938 ns would be late, so 1 is `1100`: 625 ns). One frame is exactly one transfer: a
transfer that the kernel splits would pause, and the strip would latch half a frame.
"""

from __future__ import annotations

from typing import Final, Literal

import attrs

from boardctl.drivers.ports import Frame, PortError, SpiBus, Strip, Wires

_PATTERNS: Final = {3: ("100", "110"), 4: ("1000", "1100")}
HERTZ: Final = {3: 2_400_000, 4: 3_200_000}
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


def latch(bits: int) -> int:
    """How many bytes of silence make the strip take over what it has read."""
    return int(LATCH_SECONDS * HERTZ[bits] / 8) + 1


def encode(frame: Frame, translate: tuple[bytes, ...]) -> bytearray:
    """A frame (red, green, blue an LED) as the bytes on the wire, green first, then the latch."""
    bits = len(translate)
    out = bytearray(len(frame) * bits + latch(bits))
    patch(out, 0, frame, translate)
    return out


def patch(wire: bytearray, first: int, leds: bytes, translate: tuple[bytes, ...]) -> None:
    """Write the LEDs from number `first` on, given as red, green, blue, into an encoded frame."""
    colours = bytearray(len(leds))
    colours[0::3], colours[1::3], colours[2::3] = leds[1::3], leds[0::3], leds[2::3]
    bits = len(translate)
    start = 3 * first * bits
    end = start + len(leds) * bits
    for n, table in enumerate(translate):
        wire[start + n : end : bits] = colours.translate(table)


def changed(old: Frame, new: Frame) -> range:
    """The LEDs from the first that differs to the last, of two frames of one length."""
    difference = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
    if not difference:
        return range(0)
    lowest = (difference & -difference).bit_length() - 1
    return range(lowest // 24, (difference.bit_length() - 1) // 24 + 1)


@attrs.frozen
class Options:
    """`[leds]` with `driver = "ws2812_spi"`: where the strip hangs and how its bits are spelled."""

    bus: int = 0
    device: int = 0
    bits: Literal[3, 4] = 3


class Ws2812(Strip):
    """A WS2812B strip on an SPI bus. `encoded` counts the LEDs that were encoded so far."""

    def __init__(self, bus: SpiBus, bits: Literal[3, 4]) -> None:
        self._bus = bus
        self._tables = tables(bits)
        self._frame: Frame = b""
        self._wire = bytearray()
        self.encoded = 0

    def show(self, frame: Frame) -> None:
        if len(frame) == len(self._frame):
            span = changed(self._frame, frame)
            patch(self._wire, span.start, frame[3 * span.start : 3 * span.stop], self._tables)
        else:
            span = range(len(frame) // 3)
            self._refuse_to_split(frame)
            self._wire = encode(frame, self._tables)
        self._frame = frame
        self.encoded += len(span)
        try:
            self._bus.write(self._wire)
        except OSError as error:
            raise PortError("leds", f"the SPI bus failed ({error})") from error

    def _refuse_to_split(self, frame: Frame) -> None:
        bits = len(self._tables)
        needed = len(frame) * bits + latch(bits)
        if needed > self._bus.limit:
            most = (self._bus.limit - latch(bits)) // bits // 3
            raise PortError(
                "leds",
                f"{len(frame) // 3} LEDs need {needed} bytes in one SPI transfer and "
                f"spidev.bufsiz allows {self._bus.limit} ({most} LEDs): add "
                f"spidev.bufsiz={_roomy(needed)} to the line in /boot/firmware/cmdline.txt and "
                f"restart",
            )

    def close(self) -> None:
        self._bus.close()


def _roomy(needed: int) -> int:
    """The next power of two, which is how people write buffer sizes."""
    return 1 << (needed - 1).bit_length()


def open_ports(options: Options, wires: Wires) -> tuple[Strip, ...]:
    """Open the strip. Raises PortError."""
    return (Ws2812(wires.spi(options.bus, options.device, HERTZ[options.bits]), options.bits),)
