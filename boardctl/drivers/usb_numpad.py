"""A USB or Bluetooth number pad, using the kernel's input events (evdev).

`/ * - +` are `A` to `D`, Enter is `#`, the decimal point or backspace `*`. The pad is grabbed, so
no other program gets its keys; it is already debounced. If the pad goes to sleep or out of reach,
the driver waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from boardctl.drivers.ports import KeyEvent, Keys, Line, Wires

CODES: Final[Mapping[int, str]] = {
    82: "0", 79: "1", 80: "2", 81: "3", 75: "4", 76: "5", 77: "6", 71: "7", 72: "8", 73: "9",
    98: "A", 55: "B", 74: "C", 78: "D", 96: "#", 83: "*",
    11: "0", 2: "1", 3: "2", 4: "3", 5: "4", 6: "5", 7: "6", 8: "7", 9: "8", 10: "9",
    28: "#", 14: "*",
}  # fmt: skip
"""Key codes of the kernel (linux/input-event-codes.h): first those of a keypad, then those sent by
pads without Num Lock: the digit row, Enter and backspace."""


PARTS: Final = ("keys",)
"""The tables of the config that may name this driver."""


@attrs.frozen
class Options:
    """`[keys]` with `driver = "usb_numpad"`: the input device, as a file under /dev/input or a part
    of its name (`boardctl setup` lists them)."""

    device: str = "keypad"


class Numpad(Keys):
    """A number pad. Keys that are down when it disconnects are released."""

    def __init__(self, options: Options, wires: Wires) -> None:
        self._options = options
        self._wires = wires
        self._deliver: Callable[[KeyEvent], None] = lambda event: None
        self._down: set[int] = set()
        self._line: Line | None = None

    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        self._deliver = deliver
        self._line = self._wires.keyboard(self._options.device, self._received, self._changed)

    def _received(self, code: int, value: int) -> None:
        if code not in CODES or value not in (0, 1) or (code in self._down) == bool(value):
            return
        self._down ^= {code}
        self._deliver(KeyEvent(CODES[code], bool(value), self._wires.clock.time()))

    def _changed(self, reason: str | None) -> None:
        for code in tuple(self._down):
            self._received(code, 0)
        self.report(reason)

    def alive(self) -> bool:
        return self._line is None or self._line.alive()

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None


def open_ports(options: Options, wires: Wires) -> tuple[Keys, ...]:
    """Open the pad; if it is not connected, wait for it. Raises PortError if evdev is missing."""
    return (Numpad(options, wires),)
