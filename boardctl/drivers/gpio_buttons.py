"""Single buttons, each between a GPIO pin and ground, using gpiozero.

The pins are pulled up, so a pressed button is low, and every edge wakes the driver, which otherwise
sleeps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from boardctl.drivers.debounce import STUCK, Debouncer
from boardctl.drivers.ports import KEYS, KeyEvent, Keys, PinFactory, PortError, Timer, Wires

USUAL: Final[Mapping[str, int]] = {"A": 17, "B": 27, "#": 22, "*": 23}
"""The keys needed to keep score together with the page: both seats, yes and no."""


PARTS: Final = ("keys",)
"""The tables of the config that may name this driver."""
INTERFACE: Final = "gpio"


@dataclass(frozen=True)
class Options:
    """`[keys]` with `driver = "gpio_buttons"`: key -> BCM number, and the pin factory."""

    buttons: Mapping[str, int] = field(default_factory=lambda: dict(USUAL), hash=False)
    pins: PinFactory = "lgpio"

    def __post_init__(self) -> None:
        unknown = sorted(set(self.buttons) - set(KEYS))
        if unknown:
            raise ValueError(f"{', '.join(unknown)} is not a key; the keys are {' '.join(KEYS)}")
        if len(set(self.buttons.values())) != len(self.buttons):
            raise ValueError("each button needs a different pin")


class Buttons(Keys):
    """Buttons on any gpiozero pin factory. `wakeups` counts how often it checked for settled
    keys."""

    def __init__(self, options: Options, wires: Wires) -> None:
        factory = wires.pins(options.pins)
        self._clock = wires.clock
        self._errors = wires.pin_errors
        try:
            self._pins: dict[str, Any] = {k: factory.pin(n) for k, n in options.buttons.items()}
        except self._errors as error:
            raise PortError("keys", f"the GPIO pins cannot be opened ({error})") from error
        # gpiozero keeps only weak references to its callbacks
        self._edges = {key: partial(self._edge, key) for key in self._pins}
        self._debouncer = Debouncer()
        self._deliver: Callable[[KeyEvent], None] = lambda event: None
        self._timer: Timer | None = None
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
            raise PortError("keys", f"the GPIO pins cannot be used ({error})") from error
        for key, pin in self._pins.items():
            self._feed(key, not pin.state)

    def _edge(self, key: str, ticks: float, state: int) -> None:
        """On the pin factory's thread."""
        self._clock.call_soon_threadsafe(partial(self._feed, key, not state))

    def _feed(self, key: str, level: bool) -> None:
        self._debouncer.feed(key, level, self._clock.time())
        self._look()

    def _look(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.wakeups += 1
        now = self._clock.time()
        for event in self._debouncer.settled(now):
            self._deliver(event)
        stuck = self._debouncer.stuck(now)
        self._tell(f"key {', '.join(stuck)} is stuck" if stuck else None)
        due = self._debouncer.due()
        if due is not None:
            self._timer = self._clock.call_at(due, self._look)
        elif self._debouncer.moving(now):
            self._timer = self._clock.call_at(now + STUCK, self._look)

    def _tell(self, fault: str | None) -> None:
        if fault != self._fault:
            self._fault = fault
            self.report(fault)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for pin in self._pins.values():
            pin.close()


def open_ports(options: Options, wires: Wires) -> tuple[Keys, ...]:
    """Open the buttons. Raises PortError."""
    return (Buttons(options, wires),)
