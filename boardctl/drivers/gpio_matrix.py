"""A 4×4 key matrix on GPIO pins, read with gpiozero.

At rest, every row is driven low (equal levels cannot cause a short circuit), and the driver sleeps
until an edge on a column. Then, as long as a key is held, all rows float and are driven low one at
a time. Three keys at the corners of a rectangle look like four (the fourth is a ghost key), so new
keys are ignored as long as a ghost key is possible. While a key is stuck, scans are less frequent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from boardctl.drivers.debounce import Debouncer
from boardctl.drivers.ports import (
    LEGEND,
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

POLL: Final = 0.004
"""Seconds between scans while a key is held."""
SELDOM: Final = 0.03
"""Seconds between scans while only stuck keys are down. Other keys in a stuck key's column produce
no edge, so scans must find their presses, none of which is shorter than this."""


PARTS: Final = ("keys",)
"""The configuration tables that may name this driver."""
INTERFACE: Final = "gpio"


@dataclass(frozen=True)
class Options:
    """`[keys]` with `driver = "gpio_matrix"`: the BCM numbers of rows and columns, and the
    gpiozero pin factory."""

    rows: tuple[int, ...] = (5, 6, 13, 19)
    columns: tuple[int, ...] = (12, 16, 20, 21)
    pins: PinFactory = "lgpio"

    def __post_init__(self) -> None:
        used = (*self.rows, *self.columns)
        if len(self.rows) != 4 or len(self.columns) != 4:
            raise SchemaError("four-pins")
        if len(set(used)) != len(used):
            raise SchemaError("eight-pins")
        on_header(used)


class Matrix(Keys):
    """A matrix on the pins of any gpiozero pin factory. `wakeups` counts the scans, and does not
    increase at rest."""

    def __init__(self, options: Options, wires: Wires) -> None:
        factory = wires.pins(options.pins)
        self._clock = wires.clock
        self._errors = wires.pin_errors
        try:
            self._rows: list[Any] = [factory.pin(n) for n in options.rows]
            self._columns: list[Any] = [factory.pin(n) for n in options.columns]
        except self._errors as error:
            raise PortError("keys", trouble("gpio-closed", reason=error)) from error
        self._numbers = options.columns
        self._debouncer = Debouncer()
        self._deliver: Callable[[KeyEvent], None] = lambda event: None
        self._soon: Timer | None = None
        self._later: Timer | None = None
        self._scanning = False
        self._deaf: frozenset[int] | None = None
        self._fault: str | None = None
        self.wakeups = 0

    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        self._deliver = deliver
        try:
            for pin in self._rows:
                pin.output_with_state(0)
            for pin in self._columns:
                pin.input_with_pull("up")
                pin.edges = "both"
            self._listen(frozenset())
        except self._errors as error:
            raise PortError("keys", trouble("gpio-unusable", reason=error)) from error
        self._poll()

    def _edge(self, ticks: float, state: int) -> None:
        """Handle an edge, on the pin factory's thread. Scans also cause edges. A press during a
        scan is noticed when the columns are compared after the scan."""
        if self._soon is None and not self._scanning:
            self._clock.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if self._soon is None:
            self._poll()

    def _poll(self) -> None:
        self._forget_timers()
        self.wakeups += 1
        now = self._clock.time()
        try:
            grounded, closed = self._scan()
            explained = grounded.union(*closed) == self._low()
            events = self._believe(closed, now) if not grounded else []
            stuck = self._debouncer.stuck(now)
            self._listen(grounded | {_column(key) for key in stuck})
        except self._errors as error:
            self._report_change(f"the GPIO pins do not answer ({error})")
            self._later = self._clock.call_at(now + SELDOM, self._poll)
            return
        for event in events:
            self._deliver(event)
        self._report_change(self._trouble(grounded, stuck))
        unsettled = self._debouncer.moving(now) or self._debouncer.next_settled() is not None
        if not explained or (unsettled and not grounded):
            self._soon = self._clock.call_at(now + POLL, self._poll)
        elif grounded or stuck:
            self._later = self._clock.call_at(now + SELDOM, self._poll)

    def _scan(self) -> tuple[frozenset[int], list[frozenset[int]]]:
        """Scan the matrix. Return the columns that are low while no row is driven, and the columns
        that each row pulls low."""
        self._scanning = True
        for pin in self._rows:
            pin.input_with_pull("floating")
        grounded = self._low()
        closed = []
        for pin in self._rows:
            pin.output_with_state(0)
            closed.append(self._low())
            pin.input_with_pull("floating")
        for pin in self._rows:
            pin.output_with_state(0)
        self._scanning = False
        return grounded, closed

    def _low(self) -> frozenset[int]:
        return frozenset(n for n, column in enumerate(self._columns) if not column.state)

    def _believe(self, closed: list[frozenset[int]], now: float) -> list[KeyEvent]:
        """Return the events that a scan shows, or no events as long as three keys could produce a
        ghost key."""
        if any(len(one & other) > 1 for one, other in combinations(closed, 2)):
            return []
        for row, names in enumerate(LEGEND):
            for n, key in enumerate(names):
                self._debouncer.feed(key, n in closed[row], now)
        return self._debouncer.settled(now)

    def _listen(self, deaf: frozenset[int]) -> None:
        """Wake on edges on all columns except these, because a permanently low column produces
        edges during every scan."""
        if deaf == self._deaf:
            return
        for n, pin in enumerate(self._columns):
            if self._deaf is None or (n in deaf) != (n in self._deaf):
                pin.when_changed = None if n in deaf else self._edge
        self._deaf = deaf

    def _trouble(self, grounded: frozenset[int], stuck: tuple[str, ...]) -> str | None:
        if grounded:
            pins = ", ".join(f"GPIO{self._numbers[n]}" for n in sorted(grounded))
            return f"the column on {pins} is low with no key down: a wire touches ground"
        if stuck:
            return f"key {', '.join(stuck)} is stuck"
        return None

    def _report_change(self, fault: str | None) -> None:
        """Report a new or changed fault, or None once the fault has ended."""
        if fault != self._fault:
            self._fault = fault
            self.report(fault)

    def _forget_timers(self) -> None:
        for timer in (self._soon, self._later):
            if timer is not None:
                timer.cancel()
        self._soon = self._later = None

    def close(self) -> None:
        self._forget_timers()
        for pin in (*self._rows, *self._columns):
            pin.close()


def _column(key: str) -> int:
    return next(names.index(key) for names in LEGEND if key in names)


def open_ports(options: Options, wires: Wires) -> tuple[Keys, ...]:
    """Open the keypad. Raises PortError."""
    return (Matrix(options, wires),)
