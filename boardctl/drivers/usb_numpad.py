"""USB or Bluetooth number pads, gamepads and switches, read as the kernel's input events (evdev).

`/ * - +` are `A` to `D`, Enter is `#`, the decimal point or backspace `*`. A gamepad's directional
pad scans through the possible actions, and the first two buttons choose (`#`) and go back (`*`).
Devices are grabbed, so no other program receives their keys, which are already debounced. If a
device goes to sleep or out of range, the driver waits for it. Each event names its device, so every
player can use a pad of their own (`console.pads`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from boardctl.drivers.ports import KeyEvent, Keys, Line, Wires

CODES: Final[Mapping[int, str]] = {
    82: "0", 79: "1", 80: "2", 81: "3", 75: "4", 76: "5", 77: "6", 71: "7", 72: "8", 73: "9",
    98: "A", 55: "B", 74: "C", 78: "D", 96: "#", 83: "*",
    11: "0", 2: "1", 3: "2", 4: "3", 5: "4", 6: "5", 7: "6", 8: "7", 9: "8", 10: "9",
    28: "#", 14: "*",
}  # fmt: skip
"""The kernel's key codes (linux/input-event-codes.h). First come the keypad's codes, then those
that pads without Num Lock send: the digit row, Enter and backspace."""
GAMEPAD: Final[Mapping[int, str]] = {
    304: "take", 305: "*", 544: "previous", 545: "next", 546: "previous", 547: "next",
}  # fmt: skip
"""A gamepad's controls: the south and east buttons, and the cross."""


PARTS: Final = ("keys",)
"""The configuration tables that may name this driver."""
INTERFACE: Final = "evdev"


@dataclass(frozen=True)
class Options:
    """`[keys]` with `driver = "usb_numpad"`: the input device, as a file under /dev/input or a part
    of its name (`boardctl setup` lists the devices). Separate several devices by commas. `switch`
    is the code of a key that scans through the possible actions. `talk` is the code of a key that
    is held to speak a move (linux/input-event-codes.h; `evtest` shows the codes).
    """

    device: str = "keypad"
    switch: int | None = None
    talk: int | None = None


class Numpad(Keys):
    """All pads with a matching name. When a pad is disconnected, its pressed keys are released."""

    def __init__(self, options: Options, wires: Wires) -> None:
        self._options = options
        self._wires = wires
        self._deliver: Callable[[KeyEvent], None] = lambda event: None
        self._down: set[tuple[str, int]] = set()
        self._line: Line | None = None
        self._keys: Mapping[int, str] = {**GAMEPAD, **CODES}
        for code, key in ((options.switch, "switch"), (options.talk, "talk")):
            if code is not None:
                self._keys = {**self._keys, code: key}

    def start(self, deliver: Callable[[KeyEvent], None]) -> None:
        self._deliver = deliver
        self._line = self._wires.keyboard(self._options.device, self._received, self._changed)

    def _received(self, source: str, code: int, value: int) -> None:
        if code < 0:
            self._release(source)
            return
        held = (source, code) in self._down
        if code not in self._keys or value not in (0, 1) or held == bool(value):
            return
        self._down ^= {(source, code)}
        now = self._wires.clock.time()
        self._deliver(KeyEvent(self._keys[code], bool(value), now, source))

    def _release(self, source: str | None) -> None:
        """Release the keys of a disconnected device or, with None, of all devices."""
        for where, code in tuple(self._down):
            if source in (None, where):
                self._received(where, code, 0)

    def _changed(self, reason: str | None) -> None:
        self._release(None)
        self.report(reason)

    def alive(self) -> bool:
        return self._line is None or self._line.alive()

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None


def open_ports(options: Options, wires: Wires) -> tuple[Keys, ...]:
    """Open the pad. If it is not connected, wait for it. Raises PortError if evdev is missing."""
    return (Numpad(options, wires),)
