"""Playing with one switch: the board points at the possible actions one by one, and the player
chooses one with the switch.

A gamepad moves the pointer with its directional pad. With a single switch, the first press starts
the pointer, which then moves at intervals. It stops after two rounds, and the next press starts it
again.
"""

from __future__ import annotations

from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import KeyEvent, Timer

KEYS = frozenset({"switch", "next", "previous", "take"})
"""The keys that point and choose."""
ROUNDS = 2


class Scanner:
    """A pointer that moves through the possible keypad actions."""

    def __init__(self, controller: TableController) -> None:
        self._controller = controller
        self.items: tuple[tuple[str, str], ...] = ()
        """The choices to point at in turn, as keys and their effects. Empty at rest."""
        self._at = 0
        self._steps = 0
        self._timer: Timer | None = None

    def take(self, event: KeyEvent) -> bool:
        """Handle a key of a switch or a gamepad's directional pad. Return False for any other key.
        While the board is pointing, `*` (back) only stops the pointing."""
        if event.key not in KEYS:
            stops = event.pressed and event.key == "*" and bool(self.items)
            if event.pressed:
                self.rest()
            return stops
        if not event.pressed:
            return True
        match event.key:
            case "switch" if self.items:
                self._choose(event.source, goes_on=True)
            case "switch":
                self._begin()
            case "take" if self.items:
                self._choose(event.source)
            case "take":
                self._press("#", event.source)
            case key:
                self._step(1 if key == "next" else -1)
        return True

    def rest(self) -> None:
        """Stop pointing."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.items:
            self.items = ()
            self._controller.point("")

    def _check_hand(self) -> None:
        from boardctl.console.keypad import effects

        view = self._controller.view
        self.items = tuple(effects.scan(self._controller.keypad_state, view))
        self._at = 0

    def _begin(self) -> None:
        self._check_hand()
        self._steps = 0
        if self.items:
            self._point()
            self._wait()

    def _wait(self) -> None:
        clock = self._controller.clock
        self._timer = clock.call_at(clock.time() + self._controller.timing.pace, self._advance)

    def _advance(self) -> None:
        self._steps += 1
        if self._steps >= ROUNDS * len(self.items):
            self.rest()
            return
        self._at = (self._at + 1) % len(self.items)
        self._point()
        self._wait()

    def _step(self, by: int) -> None:
        if self.items:
            self._at = (self._at + by) % len(self.items)
        else:
            self._check_hand()
        if self.items:
            self._point()

    def _point(self) -> None:
        self._controller.point(self.items[self._at][1])

    def _choose(self, source: str, goes_on: bool = False) -> None:
        key = self.items[self._at][0]
        self.rest()
        self._press(key, source)
        if goes_on and self._controller.keypad_state.is_open:
            self._begin()

    def _press(self, key: str, source: str) -> None:
        now = self._controller.clock.time()
        for pressed in (True, False):
            self._controller.on_key(KeyEvent(key, pressed, now, source))
