"""The pads that players hold, each assigned to its player's seat.

Pads are paired from the menu, which asks one player after another to press a key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from boardctl import text
from boardctl.console.keypad import Command
from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import KeyEvent


class Pads:
    """The pads of a table.

    Args:
        known: the stored seats, by device.
        save: stores them for the next start.
    """

    def __init__(
        self,
        controller: TableController,
        known: Mapping[str, int],
        save: Callable[[Mapping[str, int]], None],
    ) -> None:
        self._controller = controller
        self._seats = dict(known)
        self._save = save
        self.asking: int | None = None
        """The seat whose pad is being asked for."""
        self._swallowed: set[tuple[str, str]] = set()
        controller.commanded.connect(self.command)

    def seat_of(self, source: str) -> int | None:
        """Return the seat of the player who holds this device, or None for a shared keypad."""
        return self._seats.get(source)

    def command(self, command: Command) -> None:
        """Begin pairing, as requested in the menu."""
        if command == Command("pair", "pads"):
            self._seats.clear()
            self.asking = 1
            self._ask()

    def take(self, event: KeyEvent) -> bool:
        """Handle a key that pairs a pad. Return False for any other key. `*` ends pairing."""
        edge = event.source, event.key
        swallowed = edge in self._swallowed
        self._swallowed.discard(edge)  # also at a press: its release may have gone elsewhere
        if not event.pressed:
            return swallowed
        if self.asking is None:
            return False
        self._swallowed.add(edge)
        if event.key == "*" or not event.source:
            self._end()
        elif event.source in self._seats:
            self._ask(self._seats[event.source])
        else:
            self._seats[event.source] = self.asking
            self.asking += 1
            if self.asking > len(self._names):
                self._end()
            else:
                self._ask()
        return True

    @property
    def _names(self) -> tuple[str, ...]:
        return self._controller.view.seats

    def _ask(self, has: int | None = None) -> None:
        """Ask the next player to press a key. If a pad that already has an owner was pressed, name
        its owner first."""
        assert self.asking is not None
        names = self._names
        lines = () if has is None else self._lines("has", names[has - 1])
        self._controller.announce((*lines, *self._lines("ask", names[self.asking - 1])))

    def _end(self) -> None:
        self.asking = None
        self._save(self._seats)
        self._controller.announce(self._lines("done", str(len(self._seats))))

    def _lines(self, code: str, name: str) -> tuple[str, str]:
        fields = {"name": name}
        return text.two_lines("pads", code, fields, self._controller.display_language)
