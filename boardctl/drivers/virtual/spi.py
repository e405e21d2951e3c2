"""A virtual SPI bus that reads back what LEDs on it would show: the WS2812 waveform bit by bit, or
the frames of APA102."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Final

T0H: Final = (250e-9, 550e-9)
T1H: Final = (550e-9, 1000e-9)
"""How long the line is high for a 0 and a 1 (WS2812B datasheet: 400 and 800 ns, ±150 ns)."""
LATCH: Final = 280e-6


class WaveformError(OSError):
    """The waveform is none that a WS2812B would understand."""


def decode(data: bytes, hertz: int) -> bytes:
    """The colours (red, green, blue an LED) that a strip would latch from one transfer.

    Raises:
        WaveformError: a pulse no LED could read, a colour cut short, or a missing pause.
    """
    wave = bin(int.from_bytes(b"\x01" + data, "big"))[3:]
    body = wave.rstrip("0")
    if len(wave) - len(body) < LATCH * hertz:
        raise WaveformError("the strip can not latch: the pause after the frame is too short")
    pulses = body.replace("01", "0 1").split()
    read = {pulse: _bit(pulse.count("1") / hertz) for pulse in set(pulses)}
    bits = "".join(map(read.__getitem__, pulses))
    if len(bits) % 24:
        raise WaveformError(f"{len(bits)} bits are not whole LEDs")
    wire = int("1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")[1:]
    colours = bytearray(len(wire))
    colours[0::3], colours[1::3], colours[2::3] = wire[1::3], wire[0::3], wire[2::3]
    return bytes(colours)


def _bit(high: float) -> str:
    """What an LED takes a pulse of so many seconds for."""
    if T0H[0] <= high < T0H[1]:
        return "0"
    if T1H[0] <= high <= T1H[1]:
        return "1"
    raise WaveformError(f"a pulse of {high * 1e9:.0f} ns is neither a 0 nor a 1")


def decode_apa102(data: bytes, hertz: int) -> bytes:
    """The light (red, green, blue an LED) that APA102 would show of one transfer.

    A zero word starts a frame; each LED takes one word `111bbbbb` blue green red, its colour
    dimmed by b of 31; every LED delays the clock by half a period, so that as many half clocks
    must follow as there are LEDs (APA102C datasheet; T. Böscke, "Understanding the APA102
    Superled", 2014).

    Raises:
        WaveformError: no start, or too few clocks after the last LED to reach it.
    """
    if data[:4] != bytes(4):
        raise WaveformError("no start frame")
    leds = bytearray()
    at = 4
    while at + 4 <= len(data) and data[at] >= 0xE0:
        dim, blue, green, red = data[at : at + 4]
        leds += bytes(value * (dim & 31) // 31 for value in (red, green, blue))
        at += 4
    clocks = 8 * (len(data) - at)
    if clocks < 32 + len(leds) // 3 / 2:
        raise WaveformError(f"{clocks} clocks after {len(leds) // 3} LEDs do not reach the last")
    return bytes(leds)


class LedBus:
    """The bus a strip hangs on. `leds` is what is lit, `transfers` counts the frames.

    It refuses what spidev refuses: more than `limit` bytes. A test may set `broken` to a reason,
    and every write fails with it until it is None again.
    """

    def __init__(
        self,
        hertz: int,
        watch: Callable[[bytes], None],
        read: Callable[[bytes, int], bytes] = decode,
        limit: int = 4096,
    ) -> None:
        self._hertz = hertz
        self._watch = watch
        self._read = read
        self.limit = limit
        self.broken: str | None = None
        self.leds = b""
        self.transfers = 0

    def write(self, data: bytes | bytearray) -> None:
        if self.broken is not None:
            raise OSError(errno.EIO, self.broken)
        if len(data) > self.limit:
            raise OSError(errno.EMSGSIZE, "Message too long")
        self.leds = self._read(bytes(data), self._hertz)
        self.transfers += 1
        self._watch(self.leds)

    def close(self) -> None:
        """Nothing to let go of."""
