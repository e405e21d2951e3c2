"""WS2812B LEDs on the MOSI wire of an SPI bus.

Each LED bit is encoded as SPI bits: four (`1000`, `1110`) at 3.23 MHz, or three (`100`, `110`) at
2.8 MHz. After rounding by the clock dividers of a Pi (BCM2835 at 250, 400 and 500 MHz, RP1 at 200
MHz: `drivers.virtual.spi`) every high and low time is within the limits of WorldSemi's data sheets
for both the first WS2812B and the V5. With four bits, the times are 310 to 312 and 930 to 936 ns,
10 ns from any limit. With three bits, they are 360 and 720 ns, 20 ns from any limit.

Without DMA, a Pi's SPI controller idles for one clock after each byte (Linux, spi-bcm2835.c,
`bcm2835_spi_transfer_one`). Four-bit encoding tolerates this gap: every byte ends low, so the gap
only lengthens a low time. Three-bit encoding does not: two of every three bytes end within a pulse,
which the gap would split.

A Pi 5's controller pauses after each byte in SPI mode 0, but not in mode 1
(`drivers.wires.steady_mode`). A WS2812B does not read the clock, so mode 1 is used on a Pi 5.

Each frame is exactly one transfer: if the kernel split it, the strip would latch half a frame
during the pause. The transfer begins with a reset of zeros. If MOSI idles high, or is high before
the clock starts, the strip reads an additional bit or a first bit that is too long (the "first LED
green" of jgarff/rpi_ws281x issue 469). The reset discards this bit. If `spidev.bufsiz` is too small
for a full reset, the transfer begins with as many zero bytes as possible. One zero byte is enough
to keep the first bit short.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from boardctl.board.palette import Frame
from boardctl.drivers.ports import PortError, SpiBus, Strip, Wires, trouble

_PATTERNS: Final = {3: ("100", "110"), 4: ("1000", "1110")}
HERTZ: Final = {3: 2_800_000, 4: 3_230_000}
LATCH_SECONDS: Final = 300e-6
"""Seconds for which the line is low before and after a frame. A V5 needs 280 µs, and the first
WS2812B 50 µs."""
LEAST_LEAD: Final = 1
"""The minimum number of zero bytes at the start of a frame."""


def tables(bits: Literal[3, 4]) -> tuple[bytes, ...]:
    """Return the lookup tables from a colour byte to its SPI bytes, one table per SPI byte."""
    zero, one = _PATTERNS[bits]
    words = [
        int("".join(one if value >> bit & 1 else zero for bit in range(7, -1, -1)), 2).to_bytes(
            bits, "big"
        )
        for value in range(256)
    ]
    return tuple(bytes(word[n] for word in words) for n in range(bits))


def latch(bits: int) -> int:
    """Return the number of zero bytes in a reset, after which the strip latches the data and starts
    over."""
    return int(LATCH_SECONDS * HERTZ[bits] / 8) + 1


def least(leds: int, bits: int) -> int:
    """Return the number of bytes in the shortest transfer that contains a frame of `leds` LEDs."""
    return LEAST_LEAD + 3 * leds * bits + latch(bits)


def lead(leds: int, bits: int, limit: int) -> int:
    """Return the number of zero bytes at the start of a frame: a full reset, or as many as fit in a
    transfer of at most `limit` bytes. Below LEAST_LEAD, the frame does not fit."""
    return min(latch(bits), limit - 3 * leds * bits - latch(bits))


def encode(frame: Frame, translate: tuple[bytes, ...], zeros: int | None = None) -> bytearray:
    """Encode a frame (red, green, blue per LED) as SPI bytes, green first.

    Args:
        translate: the result of `tables`.
        zeros: the number of zero bytes at the start, by default those of a reset.
    """
    bits = len(translate)
    before = latch(bits) if zeros is None else zeros
    out = bytearray(before + len(frame) * bits + latch(bits))
    patch(out, 0, frame, translate, before)
    return out


def patch(
    wire: bytearray, first: int, leds: bytes, translate: tuple[bytes, ...], zeros: int
) -> None:
    """Replace LEDs in an encoded frame, starting with LED `first`. The colours are in the order
    red, green, blue. The frame begins with `zeros` zero bytes."""
    colours = bytearray(len(leds))
    colours[0::3], colours[1::3], colours[2::3] = leds[1::3], leds[0::3], leds[2::3]
    bits = len(translate)
    start = zeros + 3 * first * bits
    end = start + len(leds) * bits
    for n, table in enumerate(translate):
        wire[start + n : end : bits] = colours.translate(table)


def changed(old: Frame, new: Frame) -> range:
    """Return the range of LEDs that differ between two frames of equal length."""
    difference = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
    if not difference:
        return range(0)
    lowest = (difference & -difference).bit_length() - 1
    return range(lowest // 24, (difference.bit_length() - 1) // 24 + 1)


PARTS: Final = ("leds",)
"""The configuration tables that may name this driver."""
INTERFACE: Final = "spi"


@dataclass(frozen=True)
class Options:
    """`[leds]` with `driver = "ws2812_spi"`: the SPI bus, and the number of SPI bits per LED
    bit."""

    bus: int = 0
    device: int = 0
    bits: Literal[3, 4] = 4


class Ws2812(Strip):
    """A WS2812B strip on an SPI bus. `encoded` counts the LEDs encoded so far."""

    def __init__(self, bus: SpiBus, bits: Literal[3, 4]) -> None:
        self._bus = bus
        self._tables = tables(bits)
        self._frame: Frame = b""
        self._wire = bytearray()
        self._lead = 0
        self.encoded = 0

    def show(self, frame: Frame) -> None:
        if len(frame) == len(self._frame):
            span = changed(self._frame, frame)
            patch(
                self._wire,
                span.start,
                frame[3 * span.start : 3 * span.stop],
                self._tables,
                self._lead,
            )
        else:
            span = range(len(frame) // 3)
            self._lead = self._room_before(frame)
            self._wire = encode(frame, self._tables, self._lead)
        self._frame = frame
        self.encoded += len(span)
        try:
            self._bus.write(self._wire)
        except OSError as error:
            raise PortError("leds", trouble("spi-failed", reason=error)) from error

    def _room_before(self, frame: Frame) -> int:
        """Return the number of zero bytes at the start of a frame. Raises PortError if the frame
        does not fit."""
        leds, bits = len(frame) // 3, len(self._tables)
        zeros = lead(leds, bits, self._bus.limit)
        if zeros < LEAST_LEAD:
            needed = least(leds, bits)
            most = (self._bus.limit - least(0, bits)) // bits // 3
            figures = {"leds": leds, "needed": needed, "limit": self._bus.limit, "most": most}
            raise PortError("leds", trouble("spi-room", wanted=_roomy(needed), **figures))
        return zeros

    def close(self) -> None:
        self._bus.close()


def _roomy(needed: int) -> int:
    """Return the next power of two, which is a usual buffer size."""
    return 1 << (needed - 1).bit_length()


def open_ports(options: Options, wires: Wires) -> tuple[Strip, ...]:
    """Open the strip. Raises PortError."""
    bus = wires.spi(options.bus, options.device, HERTZ[options.bits], clocked=False)
    return (Ws2812(bus, options.bits),)
