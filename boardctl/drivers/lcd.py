"""An HD44780 character LCD behind a PCF8574 expander on I2C, driven with RPLCD.

A character takes eight bytes on a slow bus, so only changes are written. If a display has stopped
answering, it is initialized again before the next text. It is also initialized again after a pause,
because it may have been unplugged during the pause.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from boardctl.drivers.ports import Display, I2cBus, PortError, Wires, need, trouble
from boardctl.options import OneOf

PARTS: Final = ("display",)
"""The configuration tables that may name this driver."""
INTERFACE: Final = "i2c"
REST: Final = 60.0
"""Seconds without a text after which the display is initialized again."""


@dataclass(frozen=True)
class Options:
    """`[display]` with `driver = "lcd"`: the expander's bus and address, the display's size, and
    the chip's character ROM (A00 Japanese, A02 European)."""

    bus: int = 1
    address: int = 0x27
    columns: Annotated[int, OneOf((16, 20))] = 16
    rows: Annotated[int, OneOf((2, 4))] = 2
    charmap: Literal["A00", "A02"] = "A00"


class Lcd(Display):
    """Lines on a character LCD."""

    def __init__(self, options: Options, bus: I2cBus, now: Callable[[], float]) -> None:
        """Args:
        now: returns monotonic seconds.
        """
        self.columns = options.columns
        self.rows = options.rows
        self._options = options
        self._bus = bus
        self._now = now
        self._written = now()
        self._device: Any = None
        self._rows: tuple[str, ...] = ()

    def _open(self) -> Any:
        from RPLCD.i2c import CharLCD

        bus = self._bus

        class OnBus(CharLCD):  # type: ignore[misc]  # RPLCD ships no types
            """A CharLCD on a given bus, because the base class would open a bus by number."""

            def _init_connection(self) -> None:
                self.bus = bus

        o = self._options
        device = OnBus(
            "PCF8574", o.address, cols=o.columns, rows=o.rows, charmap=o.charmap,
            auto_linebreaks=False,
        )  # fmt: skip
        self._rows = (" " * o.columns,) * o.rows
        return device

    def show(self, lines: tuple[str, ...]) -> None:
        wanted = tuple(
            line[: self.columns].ljust(self.columns)
            for line in (*lines, *[""] * self.rows)[: self.rows]
        )
        if self._now() - self._written > REST:
            self._device = None
        self._written = self._now()
        try:
            if self._device is None:
                self._device = self._open()
            for row, (old, new) in enumerate(zip(self._rows, wanted, strict=True)):
                self._write(row, old, new)
        except OSError as error:
            self._device = None
            raise PortError("display", trouble("no-lcd", reason=error)) from error
        self._rows = wanted

    def _write(self, row: int, old: str, new: str) -> None:
        different = [n for n in range(self.columns) if old[n] != new[n]]
        if different:
            first, last = different[0], different[-1]
            self._device.cursor_pos = (row, first)
            self._device.write_string(new[first : last + 1])

    def close(self) -> None:
        self._device = None
        self._bus.close()


def open_ports(options: Options, wires: Wires) -> tuple[Display, ...]:
    """Open the display. Raises PortError if there is no such bus or RPLCD is missing."""
    need("RPLCD", "display", "lcd")  # report this now, not at the first text
    return (Lcd(options, wires.i2c(options.bus), wires.clock.time),)
