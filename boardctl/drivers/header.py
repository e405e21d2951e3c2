"""Find the kernel's numbers for the header's buses and pins from their device tree nodes.

The numbers depend on the order in which drivers are loaded: on a Pi 4, the two buses of the HDMI
sockets may take i2c-0 and i2c-1. The addresses in the device tree do not change. They are listed in
BCM2835 ARM Peripherals, chapters 3 and 6 (Pi 1 to 4), and in RP1 Peripherals, section 2.3 (Pi 5). A
Pi 5's nodes have two names: Raspberry Pi's kernel uses the offset (`rp1.dtsi`), and mainline Linux
the whole address (`rp1-common.dtsi`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

HEADER_BUS: Final = 1
"""The configuration's number for the I2C bus of pins 3 and 5, whatever number the kernel uses."""
_I2C: Final = frozenset({"i2c@7e804000", "i2c@74000", "i2c@40074000"})
_PINS: Final = frozenset({"gpio@7e200000", "gpio@d0000", "pinctrl@400d0000"})
_DESIGNWARE: Final = b"snps,dw-apb-ssi"


def i2c(bus: int, root: Path = Path("/")) -> int:
    """Return the kernel's number for a configured bus.

    Args:
        bus: the configured number. Only HEADER_BUS is looked up.
        root: the machine's file system.
    """
    if bus != HEADER_BUS:
        return bus
    return _find(root / "sys/bus/i2c/devices", "i2c-", _I2C, bus)


def chip(root: Path = Path("/")) -> int | None:
    """Return the number of the GPIO chip of the header's pins, or None on a machine without a
    header."""
    found = _find(root / "sys/bus/gpio/devices", "gpiochip", _PINS, -1)
    return None if found < 0 else found


def is_designware(bus: int, root: Path = Path("/")) -> bool:
    """Return whether an SPI bus belongs to a DesignWare controller, as on a Pi 5."""
    compatible = root / f"sys/class/spi_master/spi{bus}/of_node/compatible"
    return compatible.is_file() and _DESIGNWARE in compatible.read_bytes().split(b"\0")


def _find(folder: Path, kind: str, names: frozenset[str], otherwise: int) -> int:
    """Return the number of the device in a sysfs folder whose device tree node has one of these
    names."""
    for device in sorted(folder.glob(f"{kind}*")):
        number = device.name.removeprefix(kind)
        if number.isdecimal() and (device / "of_node").resolve().name in names:
            return int(number)
    return otherwise
