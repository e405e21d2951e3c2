"""The setup wizard: detect what is attached and write a config file.

`boardctl setup` asks the questions; this module finds devices and writes the answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardctl.app.config import Config, parse
from boardctl.app.doctor import Machine
from boardctl.storage import files

_READABLE: Final = 0o644
"""The file mode: the service reads the config as another user."""
LEDS: Final[Mapping[str, str]] = {
    "ws2812_spi": "WS2812B on the Pi's SPI",
    "apa102_spi": "APA102 or SK9822 on the Pi's SPI",
    "serial_board": "the boardctl microcontroller on USB (with keys)",
    "adalight": "an Adalight controller on USB",
    "wled": "a WLED box on the network",
}
KEYS: Final[Mapping[str, str]] = {
    "gpio_matrix": "a 4x4 keypad on the Pi's pins",
    "gpio_buttons": "single buttons on the Pi's pins",
    "usb_numpad": "a USB or Bluetooth number pad",
    "serial_board": "the keypad on the boardctl microcontroller",
}
DISPLAYS: Final[Mapping[str, str]] = {
    "": "none",
    "oled": "an SSD1306 or SH1106 OLED",
    "lcd": "an HD44780 LCD with an I2C backpack",
}


@dataclass(frozen=True, slots=True)
class Attached:
    """Devices found on a machine: device files, and the names of input devices."""

    spi: tuple[str, ...] = ()
    i2c: tuple[str, ...] = ()
    serial: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()

    def tell(self) -> str:
        """The devices as text, one line per kind."""
        kinds = {"SPI": self.spi, "I2C": self.i2c, "serial": self.serial, "keyboards": self.inputs}
        return "\n".join(f"{kind:<10} {', '.join(found) or '-'}" for kind, found in kinds.items())


def look(machine: Machine) -> Attached:
    """Find attached devices, as far as this user may see them."""

    def devices(*patterns: str) -> tuple[str, ...]:
        folder = machine.path("dev")
        found = {path for pattern in patterns for path in folder.glob(pattern)}
        return tuple(f"/dev/{path.relative_to(folder)}" for path in sorted(found))

    told = machine.read("proc/bus/input/devices") or ""
    names = [line[9:].strip('"') for line in told.splitlines() if line.startswith('N: Name="')]
    return Attached(
        spi=devices("spidev*"),
        i2c=devices("i2c-*"),
        serial=devices("serial/by-id/*", "ttyACM*", "ttyUSB*"),
        inputs=tuple(names),
    )


def suggest(attached: Attached) -> tuple[str, str]:
    """The drivers for LEDs and keys that fit the attached devices."""
    leds = "ws2812_spi" if attached.spi else "serial_board" if attached.serial else "wled"
    pad = any("pad" in name.lower() for name in attached.inputs)
    if leds == "serial_board" and not pad:
        return leds, "serial_board"
    return leds, "usb_numpad" if pad else "gpio_matrix"


def compose(answers: Mapping[str, Any]) -> str:
    """The text of a config file with these answers; a dictionary becomes a TOML table.

    Raises:
        ConfigError: if the daemon would reject the configuration.
    """
    import tomli_w

    text = "# Written by `boardctl setup`.\n" + tomli_w.dumps(answers)
    check(text)
    return text


def check(text: str) -> Config:
    """Parse a config as the daemon would. Raises ConfigError if it is not valid."""
    import tomllib

    return parse(tomllib.loads(text))


def write(path: Path, text: str) -> Path | None:
    """Write the file and keep an existing one next to it; returns the kept file, if any.

    Raises:
        OSError: if it cannot be written.
    """
    files.make_directory(path.parent, 0o755)
    found = path.parent.stat()
    user = found.st_uid, found.st_gid
    kept = None
    if path.exists():
        kept = path.with_name(path.name + ".old")
        files.replace(kept, path.read_bytes(), _READABLE, user)
    files.replace(path, text.encode(), _READABLE, user)
    return kept
