"""A 4×4 key matrix on GPIO pins, by gpiozero.

At rest every row is driven low (equal levels can not short) and the driver sleeps until a
column's edge. Then all rows float and are driven one at a time, never two apart, as long as a key
is held. Three keys at the corners of a rectangle make a ghost of the fourth, so while that could
be, nothing new is believed. Opened by the daemon from the config.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, Final

import attrs

from boardctl.debounce import Debouncer
from boardctl.ports import KeyEvent, Keys, Timer, Wires

LEGEND: Final = ("123A", "456B", "789C", "*0#D")
POLL: Final = 0.004
"""Seconds between scans while a key is held."""


@attrs.frozen
class Options:
    """`[keys]` with `driver = "gpio_matrix"`: the BCM numbers of rows and columns."""

    rows: tuple[int, ...] = (5, 6, 13, 19)
    columns: tuple[int, ...] = (12, 16, 20, 21)


class Matrix(Keys):
    """The matrix over any gpiozero pin factory."""

    def __init__(self, options: Options, wires: Wires) -> None:
        factory = wires.pins()
        self._clock = wires.clock
        self._rows: list[Any] = [factory.pin(n) for n in options.rows]
        self._columns: list[Any] = [factory.pin(n) for n in options.columns]
        self._debouncer = Debouncer()
        self._deliver: Callable[[KeyEvent], None] = lambda event: None
        self._timer: Timer | None = None
        self._scanning = False

    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        self._deliver = deliver
        for pin in self._columns:
            pin.function = "input"
            pin.pull = "up"
            pin.edges = "both"
            pin.when_changed = self._edge
        self._rest()

    def _rest(self) -> None:
        self._scanning = False
        for pin in self._rows:
            pin.output_with_state(0)

    def _edge(self, ticks: float, state: int) -> None:
        if not self._scanning:
            self._clock.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if self._timer is None:
            self._poll()

    def _poll(self) -> None:
        self._timer = None
        now = self._clock.time()
        for key, level in self._scan():
            self._debouncer.feed(key, level, now)
        for event in self._debouncer.settled(now):
            self._deliver(event)
        self._rest()
        if self._debouncer.held or self._debouncer.due() is not None:
            self._timer = self._clock.call_at(now + POLL, self._poll)

    def _scan(self) -> list[tuple[str, bool]]:
        """The level of every key, or nothing while three keys could be making a fourth."""
        self._scanning = True
        for pin in self._rows:
            pin.input_with_pull("floating")
        closed = []
        for pin in self._rows:
            pin.output_with_state(0)
            closed.append({n for n, column in enumerate(self._columns) if not column.state})
            pin.input_with_pull("floating")
        if any(len(one & other) > 1 for one, other in combinations(closed, 2)):
            return []
        return [
            (key, n in closed[row])
            for row, names in enumerate(LEGEND)
            for n, key in enumerate(names)
        ]

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for pin in (*self._rows, *self._columns):
            pin.close()


def open_ports(options: Options, wires: Wires) -> tuple[Keys, ...]:
    """Open the keypad. Raises PortError."""
    return (Matrix(options, wires),)
