"""Virtual GPIO: gpiozero's mock pins connected to a key matrix.

The matrix is simulated electrically. Closed keys connect rows and columns to form nets, and a net
is low if an output drives it low. Three keys therefore produce a ghost key, as in reality.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from boardctl.drivers.ports import LEGEND


class WiredPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin that notifies the matrix whenever its output changes."""

    notify: Callable[[], None] | None = None

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._changed()

    def _set_state(self, value: int) -> None:
        super()._set_state(value)
        self._changed()

    def _change_state(self, value: bool) -> bool:
        """Change the state without recording history, which gpiozero's own mock pin keeps."""
        changed: bool = self._state != value
        self._state: bool = value
        return changed

    def _changed(self) -> None:
        if self.notify is not None:
            self.notify()


def wired_factory() -> Any:
    """Return a pin factory whose pins can be connected to a matrix."""
    return MockFactory(pin_class=WiredPin)


class KeyMatrix:
    """Sixteen keys between four rows and four columns. `shorts` counts nets with two outputs at
    different levels, which would be short circuits in real hardware."""

    def __init__(self, factory: Any, rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
        self._rows = [factory.pin(n) for n in rows]
        self._columns = [factory.pin(n) for n in columns]
        self._closed: set[tuple[int, int]] = set()
        self._places = {
            key: (row, column)
            for row, names in enumerate(LEGEND)
            for column, key in enumerate(names)
        }
        self._grounded: set[int] = set()
        self.shorts = 0
        self._settling = False
        for pin in self._rows:
            pin.notify = self._settle

    def press(self, key: str) -> None:
        """Close a key's contact."""
        self._closed.add(self._places[key])
        self._settle()

    def release(self, key: str) -> None:
        """Open a key's contact."""
        self._closed.discard(self._places[key])
        self._settle()

    def ground(self, column: int, touching: bool) -> None:
        """Connect a column to ground, or disconnect it."""
        (self._grounded.add if touching else self._grounded.discard)(column)
        self._settle()

    def _nets(self) -> list[tuple[set[int], set[int]]]:
        """Return the nets of rows and columns that closed keys connect."""
        nets: list[tuple[set[int], set[int]]] = []
        for row, column in self._closed:
            joined = [net for net in nets if row in net[0] or column in net[1]]
            nets = [net for net in nets if net not in joined]
            nets.append(
                (
                    {row}.union(*(net[0] for net in joined)),
                    {column}.union(*(net[1] for net in joined)),
                )
            )
        return nets

    def _settle(self) -> None:
        if self._settling:
            return
        self._settling = True
        low = set(self._grounded)
        for rows, columns in self._nets():
            driven = {self._rows[row].state for row in rows if self._rows[row].function == "output"}
            if len(driven) > 1:
                self.shorts += 1
            if 0 in driven:
                low |= columns
        self._settling = False
        for number, pin in enumerate(self._columns):
            if pin.function == "input":
                (pin.drive_low if number in low else pin.drive_high)()


class ButtonBank:
    """Single buttons, each between a pin and ground."""

    def __init__(self, factory: Any, buttons: Mapping[str, int]) -> None:
        self._pins = {key: factory.pin(number) for key, number in buttons.items()}

    def press(self, key: str) -> None:
        """Close a button's contact. Do nothing for a key without a button."""
        if key in self._pins:
            self._pins[key].drive_low()

    def release(self, key: str) -> None:
        """Open a button's contact."""
        if key in self._pins:
            self._pins[key].drive_high()
