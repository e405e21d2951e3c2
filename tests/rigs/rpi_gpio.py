"""fake-rpi's RPi.GPIO, extended by missing functions, and with a key matrix wired to it.

fake-rpi has the names of RPi.GPIO and does nothing: every pin is an output, inputs are random and
no edge ever occurs. `test_real_linux` has the edges, functions and inputs of a real kernel. Here
pins have directions, pulls and levels, and edges call back at once on the caller's thread, unlike
RPi.GPIO, which uses its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import fake_rpi
import pytest

fake_rpi.toggle_print(False)

REVISION = "Revision\t: c03112\n"
"""A Pi 4B, as reported by /proc/cpuinfo."""


class Line:
    """A pin, with the interface that `drivers.virtual.pins.KeyMatrix` wires keys to."""

    def __init__(self, gpio: Any, number: int) -> None:
        self._gpio = gpio
        self._number = number
        self.function = "input"
        self.pull = gpio.PUD_OFF
        self.state = 0
        self.edges: int | None = None
        self.callbacks: list[Callable[[int], None]] = []
        self.notify: Callable[[], None] = lambda: None

    def drive_high(self) -> None:
        self._become(1)

    def drive_low(self) -> None:
        self._become(0)

    def _become(self, state: int) -> None:
        if state == self.state:
            return
        self.state = state
        wanted = (self._gpio.BOTH, self._gpio.RISING if state else self._gpio.FALLING)
        if self.edges in wanted:
            for call in tuple(self.callbacks):
                call(self._number)


class GrownGPIO(fake_rpi.RPi._GPIO):  # type: ignore[misc]  # fake-rpi ships no types
    """RPi.GPIO 0.7.1 in BCM numbering, with the functions that the drivers need."""

    VERSION = "0.7.1"

    def __init__(self) -> None:
        super().__init__()
        self.lines = [Line(self, number) for number in range(40)]

    def pin(self, number: int) -> Line:
        """Return the line that a key matrix is wired to."""
        return self.lines[number]

    def setup(
        self, channel: int, state: int, pull_up_down: int = 20, initial: int | None = None
    ) -> None:
        line = self.lines[channel]
        if state == self.OUT:
            if initial is not None:
                line.state = int(bool(initial))
            line.function = "output"
        else:
            line.function = "input"
            line.pull = pull_up_down
            if pull_up_down == self.PUD_UP:
                line.drive_high()
        line.notify()

    def input(self, channel: int) -> int:
        return self.lines[channel].state

    def add_event_detect(
        self,
        channel: int,
        edge: int,
        callback: Callable[[int], None] | None = None,
        bouncetime: int = -666,
    ) -> None:
        assert bouncetime == -666, "there is one debouncer, and it is not RPi.GPIO's"
        line = self.lines[channel]
        if line.edges is not None:
            raise RuntimeError("Conflicting edge detection already enabled for this GPIO channel")
        line.edges = edge
        line.callbacks = [callback] if callback is not None else []

    def remove_event_detect(self, channel: int) -> None:
        self.lines[channel].edges = None
        self.lines[channel].callbacks = []

    def cleanup(self, channel: int | None = None) -> None:
        for line in self.lines if channel is None else [self.lines[channel]]:
            line.function, line.edges, line.callbacks = "input", None, []


def install(patch: pytest.MonkeyPatch) -> GrownGPIO:
    """Install it as the module `RPi.GPIO`, on a machine that claims to be a Pi."""
    from gpiozero.pins import local

    gpio = GrownGPIO()
    patch.setitem(sys.modules, "RPi", fake_rpi.RPi)
    patch.setitem(sys.modules, "RPi.GPIO", gpio)
    patch.setattr(fake_rpi.RPi, "GPIO", gpio)
    patch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    patch.setattr(local.LocalPiFactory, "_get_revision", lambda self: 0xC03112)
    return gpio
