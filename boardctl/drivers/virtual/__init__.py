"""Virtual wires: what the drivers stand on where there is no copper.

An SPI bus that decodes the LED waveform back into colours, GPIO pins with a key matrix wired to
them, and a clock that a simulation turns by hand. Simulation is below the drivers, never beside
them. Used by `boardctl run --sim`, `boardctl simulate` and the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boardctl.drivers.virtual.pins import KeyMatrix, wired_factory
from boardctl.drivers.virtual.spi import LedBus
from boardctl.ports import Clock, SpiBus


class VirtualWires:
    """The wires of a simulated board: `leds` sees every frame as decoded, `matrix` is the keypad.

    `watch` is called with the decoded LEDs (three bytes each: red, green, blue) of every frame.
    """

    def __init__(
        self,
        clock: Clock,
        rows: tuple[int, ...],
        columns: tuple[int, ...],
        watch: Callable[[bytes], None] = lambda leds: None,
    ) -> None:
        self.clock = clock
        self._factory = wired_factory()
        self.matrix = KeyMatrix(self._factory, rows, columns)
        self._watch = watch
        self.bus: LedBus | None = None

    def spi(self, bus: int, device: int, hertz: int) -> SpiBus:
        self.bus = LedBus(hertz, self._watch)
        return self.bus

    def pins(self) -> Any:
        return self._factory
