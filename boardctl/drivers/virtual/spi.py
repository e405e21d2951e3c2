"""A virtual SPI bus that reads the WS2812 waveform back, bit by bit, as the LEDs would."""

from __future__ import annotations

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
    bits = []
    for pulse in body.replace("01", "0 1").split():
        high = pulse.count("1") / hertz
        if T0H[0] <= high < T0H[1]:
            bits.append("0")
        elif T1H[0] <= high <= T1H[1]:
            bits.append("1")
        else:
            raise WaveformError(f"a pulse of {high * 1e9:.0f} ns is neither a 0 nor a 1")
    if len(bits) % 24:
        raise WaveformError(f"{len(bits)} bits are not whole LEDs")
    wire = int("1" + "".join(bits), 2).to_bytes(len(bits) // 8 + 1, "big")[1:]
    colours = bytearray(len(wire))
    colours[0::3], colours[1::3], colours[2::3] = wire[1::3], wire[0::3], wire[2::3]
    return bytes(colours)


class LedBus:
    """The bus a WS2812 strip hangs on. `leds` is what is lit, `transfers` counts the frames."""

    def __init__(self, hertz: int, watch: Callable[[bytes], None]) -> None:
        self._hertz = hertz
        self._watch = watch
        self.leds = b""
        self.transfers = 0

    def write(self, data: bytes) -> None:
        self.leds = decode(data, self._hertz)
        self.transfers += 1
        self._watch(self.leds)

    def close(self) -> None:
        """Nothing to let go of."""
