"""Single buttons, each between a GPIO pin and ground, read with gpiozero.

The pins are pulled up, so the pin of a pressed button is low, and every edge wakes the sleeping
driver.

This module uses gpiozero's pins, not its `Button`. On gpiozero's mock pins, `Button` calls
`when_pressed` four times for one press that bounces three times, and never for a press after an
edge that the kernel dropped, with or without `bounce_time`. The debouncer used here delivers one
press in both cases, because it also reads the pins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from boardctl.drivers.debounce import SETTLE, STUCK, Debouncer
from boardctl.drivers.ports import (
    KEYS,
    KeyEvent,
    Keys,
    PinFactory,
    PortError,
    Timer,
    Wires,
    on_header,
    trouble,
)
from boardctl.options import SchemaError

USUAL: Final[Mapping[str, int]] = {"A": 17, "B": 27, "#": 22, "*": 23}
"""The minimum set of keys for keeping score together with the page: both seats, yes and no."""


PARTS: Final = ("keys",)
"""The configuration tables that may name this driver."""
INTERFACE: Final = "gpio"


@dataclass(frozen=True)
class Options:
    """`[keys]` with `driver = "gpio_buttons"`: the BCM number of each key, and the pin factory."""

    buttons: Mapping[str, int] = field(default_factory=lambda: dict(USUAL), hash=False)
    pins: PinFactory = "lgpio"

    def __post_init__(self) -> None:
        unknown = sorted(set(self.buttons) - set(KEYS))
        if unknown:
            raise SchemaError("no-key", keys=", ".join(unknown), allowed=" ".join(KEYS))
        if len(set(self.buttons.values())) != len(self.buttons):
            raise SchemaError("same-pin")
        on_header(self.buttons.values())


class Buttons(Keys):
    """Buttons on the pins of any gpiozero pin factory. `wakeups` counts the checks for settled
    keys."""

    def __init__(self, options: Options, wires: Wires) -> None:
        factory = wires.pins(options.pins)
        self._clock = wires.clock
        self._errors = wires.pin_errors
        try:
            self._pins: dict[str, Any] = {k: factory.pin(n) for k, n in options.buttons.items()}
        except self._errors as error:
            raise PortError("keys", trouble("gpio-closed", reason=error)) from error
        # gpiozero keeps only weak references to its callbacks
        self._edges = {key: partial(self._edge, key) for key in self._pins}
        self._debouncer = Debouncer()
        self._deliver: Callable[[KeyEvent], None] = lambda event: None
        self._timer: Timer | None = None
        self._quiet = 0.0
        """The time of the first check after the newest edge, when no more edges can be missing."""
        self._fault: str | None = None
        self.wakeups = 0

    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        self._deliver = deliver
        try:
            for key, pin in self._pins.items():
                pin.input_with_pull("up")
                pin.edges = "both"
                pin.when_changed = self._edges[key]
        except self._errors as error:
            raise PortError("keys", trouble("gpio-unusable", reason=error)) from error
        self._read_pins()

    def _edge(self, key: str, ticks: float, state: int) -> None:
        """Handle an edge, on the pin factory's thread."""
        self._clock.call_soon_threadsafe(partial(self._feed, key, not state))

    def _feed(self, key: str, level: bool) -> None:
        now = self._clock.time()
        self._debouncer.feed(key, level, now)
        self._quiet = now + SETTLE
        self._read_pins()

    def _read_pins(self) -> None:
        """Read every pin, because the kernel's queue of edges may have been full."""
        self._forget_timer()
        self.wakeups += 1
        now = self._clock.time()
        silent = None
        try:
            for key, pin in self._pins.items():
                self._debouncer.feed(key, not pin.state, now)
        except self._errors as error:
            silent = f"the GPIO pins do not answer ({error})"
        events = self._debouncer.settled(now)
        stuck = self._debouncer.stuck(now)
        due = self._debouncer.next_settled()
        if due is None and now < self._quiet:
            due = self._quiet
        elif due is None and self._debouncer.moving(now):
            due = now + STUCK
        if due is not None:
            self._timer = self._clock.call_at(due, self._read_pins)
        for event in events:
            self._deliver(event)
        self._report_change(silent or (f"key {', '.join(stuck)} is stuck" if stuck else None))

    def _report_change(self, fault: str | None) -> None:
        """Report a new or changed fault, or None once the fault has ended."""
        if fault != self._fault:
            self._fault = fault
            self.report(fault)

    def _forget_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        self._forget_timer()
        for pin in self._pins.values():
            pin.close()


def open_ports(options: Options, wires: Wires) -> tuple[Keys, ...]:
    """Open the buttons. Raises PortError."""
    return (Buttons(options, wires),)
