"""The encoding of a frame of 400 LEDs, compared with Adafruit's driver for the same LEDs."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from boardctl.drivers import ws2812_spi
from tools.bench.rounds import least

LEDS = 400


class _Bus:
    """The subset of CircuitPython's busio.SPI that the driver uses. It accepts the bytes."""

    frequency = 6_400_000

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        """Do nothing: there is nothing to lock."""

    def configure(self, **_: Any) -> None:
        """Do nothing: there is nothing to configure."""

    def write(self, data: bytes) -> None:
        """Accept the bytes that a wire would transmit."""


def encode() -> float:
    """Return the speed ratio, from known colours to the bytes of the waveform."""
    frame = _frame(LEDS)
    tables = ws2812_spi.tables(4)
    mine, other = least(
        lambda: [ws2812_spi.encode(frame, tables) for _ in range(100)], peer(LEDS), rounds=15
    )
    return other / (mine / 100)


def peer(leds: int) -> Callable[[], object]:
    """Set up Adafruit's driver with this many LEDs in different colours, and return a function that
    encodes a frame."""
    import neopixel_spi

    frame = _frame(leds)
    pixels = neopixel_spi.NeoPixel_SPI(_Bus(), leds, auto_write=False)
    for place in range(leds):
        pixels[place] = tuple(frame[3 * place : 3 * place + 3])
    show: Callable[[], object] = pixels.show
    return show


def _frame(leds: int) -> bytes:
    return random.Random(400).randbytes(3 * leds)


def wire() -> float:
    """Return the milliseconds that a frame takes on the wire, including the latch."""
    sent = ws2812_spi.encode(bytes(3 * LEDS), ws2812_spi.tables(4))
    return 8000 * len(sent) / ws2812_spi.HERTZ[4]
