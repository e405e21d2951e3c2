"""Encoding a frame of 400 LEDs, compared with Adafruit's driver for the same LEDs."""

from __future__ import annotations

import random
from typing import Any

from boardctl.drivers import ws2812_spi
from tools.bench.rounds import least

LEDS = 400


class _Bus:
    """The subset of CircuitPython's busio.SPI that the driver uses; counts the bytes sent."""

    frequency = 6_400_000
    sent = 0

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        """Nothing to lock."""

    def configure(self, **_: Any) -> None:
        """Nothing to configure."""

    def write(self, data: bytes) -> None:
        self.sent += len(data)


def encode() -> float:
    """The speed ratio, from known colours to the bytes of the waveform."""
    import neopixel_spi

    chance = random.Random(400)
    frame = chance.randbytes(3 * LEDS)
    tables = ws2812_spi.tables(3)
    bus = _Bus()
    pixels = neopixel_spi.NeoPixel_SPI(bus, LEDS, auto_write=False)
    for place in range(LEDS):
        pixels[place] = tuple(frame[3 * place : 3 * place + 3])
    mine, other = least(
        lambda: [ws2812_spi.encode(frame, tables) for _ in range(100)], pixels.show, rounds=15
    )
    assert bus.sent
    return other / (mine / 100)


def wire() -> float:
    """The milliseconds that a frame takes on the wire, including the latch."""
    sent = ws2812_spi.encode(bytes(3 * LEDS), ws2812_spi.tables(3))
    return 8000 * len(sent) / ws2812_spi.HERTZ[3]
