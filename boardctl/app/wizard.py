"""The wizard: a few questions, a look at what is attached, and a config file the daemon can read.

The questions are asked by whoever calls (`boardctl setup`); here are what can be found, and how the
answers are written down.
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
"""The service reads the config and does not own it."""
LEDS: Final[Mapping[str, str]] = {
    "ws2812_spi": "WS2812B on the Pi's SPI",
    "apa102_spi": "APA102 or SK9822 on the Pi's SPI",
    "serial_board": "our microcontroller on USB (keys as well)",
    "adalight": "a controller that knows Adalight, on USB",
    "wled": "a WLED box on the network",
}
KEYS: Final[Mapping[str, str]] = {
    "gpio_matrix": "a 4x4 keypad on the Pi's pins",
    "gpio_buttons": "single buttons on the Pi's pins",
    "usb_numpad": "a USB or Bluetooth number pad",
    "serial_board": "the keypad at our microcontroller",
}
DISPLAYS: Final[Mapping[str, str]] = {
    "": "none",
    "oled": "an SSD1306 or SH1106 OLED",
    "lcd": "an HD44780 LCD with an I2C backpack",
}


@dataclass(frozen=True, slots=True)
class Attached:
    """What was found on a machine: device files, and the names of input devices."""

    spi: tuple[str, ...] = ()
    i2c: tuple[str, ...] = ()
    serial: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()

    def tell(self) -> str:
        """One line a kind."""
        kinds = {"SPI": self.spi, "I2C": self.i2c, "serial": self.serial, "keyboards": self.inputs}
        return "\n".join(f"{kind:<10} {', '.join(found) or '-'}" for kind, found in kinds.items())


def look(machine: Machine) -> Attached:
    """What is attached, as far as this user may see."""

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
    """The LEDs' and keys' drivers that what was found points to."""
    leds = "ws2812_spi" if attached.spi else "serial_board" if attached.serial else "wled"
    pad = any("pad" in name.lower() for name in attached.inputs)
    if leds == "serial_board" and not pad:
        return leds, "serial_board"
    return leds, "usb_numpad" if pad else "gpio_matrix"


def compose(answers: Mapping[str, Any]) -> str:
    """The config file of these answers, a table for each dictionary among them.

    Raises:
        ConfigError: a configuration the daemon would refuse.
    """
    import tomli_w

    text = "# Written by `boardctl setup`.\n" + tomli_w.dumps(answers)
    check(text)
    return text


def check(text: str) -> Config:
    """What the daemon would make of it. Raises ConfigError."""
    import tomllib

    return parse(tomllib.loads(text))


def write(path: Path, text: str) -> Path | None:
    """Write the file; one that is already there is kept beside it. The kept file, if any.

    Raises:
        OSError: it cannot be written.
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
