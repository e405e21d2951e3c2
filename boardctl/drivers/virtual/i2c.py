"""A virtual I2C bus with two small displays, which decode the bytes they receive.

The OLED is an SSD1306 or SH1106 (Solomon Systech, "SSD1306", rev. 1.1; Sino Wealth, "SH1106",
v2.3): commands to register 0, pixels to register 0x40. The LCD is an HD44780 in its 4-bit mode
behind a PCF8574 expander (Hitachi, "HD44780U"; bits D7 D6 D5 D4 backlight E RW RS).
"""

from __future__ import annotations

import errno
from typing import Final, Protocol


class Device(Protocol):
    """A device on the bus."""

    def byte(self, value: int) -> None:
        """Receive a byte without a register."""

    def block(self, register: int, data: list[int]) -> None:
        """Receive bytes for a register."""


class VirtualI2c:
    """A bus with `devices` by address. Devices in `away` do not answer."""

    def __init__(self, devices: dict[int, Device]) -> None:
        self.devices = devices
        self.away: set[int] = set()
        self.writes = 0

    def _device(self, address: int) -> Device:
        if address in self.away or address not in self.devices:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.writes += 1
        return self.devices[address]

    def write_byte(self, address: int, value: int) -> None:
        self._device(address).byte(value)

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        self._device(address).block(register, data)

    def close(self) -> None:
        """Do nothing, because no resource must be closed."""


_ARGUMENTS: Final = {
    **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
    **dict.fromkeys((0x21, 0x22), 2),
}
"""The number of bytes that follow each command."""


WIDE: Final = 132


class Oled:
    """An OLED with eight pages of 132 columns. Bit 0 of a byte is the topmost pixel. An SSD1306
    uses only 128 columns. The visible part of an SH1106 begins at column 2."""

    def __init__(self) -> None:
        self.memory = bytearray(8 * WIDE)
        self.is_on = False
        self._columns = (0, 127)
        self._pages = (0, 7)
        self._column = 0
        self._page = 0
        self._horizontal = False

    def byte(self, value: int) -> None:
        self.block(0, [value])

    def block(self, register: int, data: list[int]) -> None:
        if register == 0x40:
            for value in data:
                self._write(value)
            return
        values = list(data)
        while values:
            command = values.pop(0)
            count = _ARGUMENTS.get(command, 0)
            self._command(command, values[:count])
            del values[:count]

    def _command(self, command: int, arguments: list[int]) -> None:
        if command in (0xAE, 0xAF):
            self.is_on = command == 0xAF
        elif command == 0x20:
            self._horizontal = arguments[0] == 0
        elif command == 0x21:
            self._columns = (arguments[0], arguments[1])
            self._column = arguments[0]
        elif command == 0x22:
            self._pages = (arguments[0], arguments[1])
            self._page = arguments[0]
        elif command < 0x10:
            self._column = self._column & 0xF0 | command
        elif command < 0x20:
            self._column = self._column & 0x0F | (command & 15) << 4
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 7

    def _write(self, value: int) -> None:
        if self._column < WIDE:
            self.memory[WIDE * self._page + self._column] = value
        self._column += 1
        if self._horizontal and self._column > self._columns[1]:
            self._column = self._columns[0]
            self._page = self._pages[0] if self._page >= self._pages[1] else self._page + 1

    def pixel(self, x: int, y: int) -> bool:
        """Return whether a pixel is lit."""
        return bool(self.memory[WIDE * (y // 8) + x] >> y % 8 & 1)

    def lit(self) -> frozenset[tuple[int, int]]:
        """Return the lit pixels as (x, y)."""
        return frozenset((x, y) for y in range(64) for x in range(WIDE) if self.pixel(x, y))


class Lcd:
    """A text LCD behind an expander. It reads a nibble at each falling edge of E."""

    def __init__(self, columns: int = 16, rows: int = 2) -> None:
        self._columns = columns
        self._rows = rows
        self._memory = bytearray(b" " * 128)
        self._address = 0
        self._last = 0
        self._four = False
        self._high: int | None = None
        self.is_on = False

    def block(self, register: int, data: list[int]) -> None:
        """Raise OSError, because an expander has no registers."""
        for value in (register, *data):
            self.byte(value)

    def byte(self, value: int) -> None:
        if self._last & 4 and not value & 4:
            self._nibble(self._last >> 4, bool(self._last & 1))
        self._last = value

    def _nibble(self, nibble: int, data: bool) -> None:
        if not self._four:
            if nibble == 2:
                self._four = True
            return
        if self._high is None:
            self._high = nibble
            return
        value, self._high = self._high << 4 | nibble, None
        if data:
            self._memory[self._address] = value
            self._address = (self._address + 1) % 128
        elif value & 0x80:
            self._address = value & 0x7F
        elif value == 1:
            self._memory[:] = b" " * 128
            self._address = 0
        elif value in (2, 3):
            self._address = 0
        elif 8 <= value < 16:
            self.is_on = bool(value & 4)

    def lines(self) -> tuple[str, ...]:
        """Return the text shown."""
        starts = (0, 64, self._columns, 64 + self._columns)[: self._rows]
        return tuple(
            self._memory[start : start + self._columns].decode("latin-1") for start in starts
        )
