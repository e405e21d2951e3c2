"""APA102 or SK9822 LEDs on an SPI bus. They have a clock wire, so their timing is not critical.

A frame is 32 zero bits, a word `111` and five bits of dimming, blue, green, red for each LED, then
32 zero bits (which an SK9822 needs to latch the data) and a clock edge for every two LEDs, because
each LED delays the data by half a clock (APA102C datasheet; T. Böscke, "Understanding the APA102
Superled", 2014). The end of the frame consists of zeros, so that the additional LEDs of a longer
strip stay dark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from boardctl.board.palette import Frame
from boardctl.drivers.ports import PortError, SpiBus, Strip, Wires, trouble
from boardctl.options import Between

PARTS: Final = ("leds",)
"""The configuration tables that may name this driver."""
INTERFACE: Final = "spi"


@dataclass(frozen=True)
class Options:
    """`[leds]` with `driver = "apa102_spi"`: the strip's SPI device, and the clock frequency."""

    bus: int = 0
    device: int = 0
    hertz: Annotated[int, Between(100_000, 20_000_000)] = 4_000_000


def encode(frame: Frame) -> bytearray:
    """Encode a frame (red, green, blue per LED) as SPI bytes."""
    leds = len(frame) // 3
    out = bytearray(4 + 4 * leds + 4 + (leds + 15) // 16)
    end = 4 + 4 * leds
    out[4:end:4] = b"\xff" * leds
    out[5:end:4] = frame[2::3]
    out[6:end:4] = frame[1::3]
    out[7:end:4] = frame[0::3]
    return out


class Apa102(Strip):
    """An APA102 strip on an SPI bus."""

    def __init__(self, bus: SpiBus) -> None:
        self._bus = bus

    def show(self, frame: Frame) -> None:
        wire = encode(frame)
        if len(wire) > self._bus.limit:
            figures = {"leds": len(frame) // 3, "needed": len(wire), "limit": self._bus.limit}
            raise PortError("leds", trouble("spi-room-apa", **figures))
        try:
            self._bus.write(wire)
        except OSError as error:
            raise PortError("leds", trouble("spi-failed", reason=error)) from error

    def close(self) -> None:
        self._bus.close()


def open_ports(options: Options, wires: Wires) -> tuple[Strip, ...]:
    """Open the strip. Raises PortError."""
    return (Apa102(wires.spi(options.bus, options.device, options.hertz)),)
