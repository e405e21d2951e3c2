"""`boardctl flash`: build the microcontroller's firmware and write it to the board."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from boardctl.commands.shared.reading import Whole
from boardctl.commands.shared.user_language import refused, say
from boardctl.drivers import budget, serial_protocol
from boardctl.options import read_file

MAKE: Final = {"make": "make"}
ARDUINO: Final = MAKE | {"avr-gcc": "gcc-avr avr-libc"}
PICO: Final = MAKE | {"arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi"}
WRITER: Final = {"avrdude": "avrdude"}
"""The programs that flashing needs, and the Debian packages that provide them."""

LABEL: Final = "RPI-RP2"
TOUCH: Final = 1200
"""The baud rate that makes a Pico with this firmware appear as a drive when the port closes."""
PATIENCE: Final = 15
"""Seconds within which the Pico's drive must appear."""
MOUNTS: Final = Path("/proc/mounts")


READY: Final = Path("/usr/share/boardctl/firmware")
"""The folder of the ready-made firmware in the Debian package."""


def source() -> Path:
    """Return the firmware folder of a checkout. An installed package does not contain this
    folder."""
    return Path(__file__).parents[2] / "firmware"


def is_drive(folder: Path) -> bool:
    """Return whether this is the drive provided by a Pico's ROM."""
    try:
        return LABEL in (folder / "INFO_UF2.TXT").read_text("utf-8", errors="replace")
    except OSError:
        return False


def find_drive() -> Path | None:
    """Return the mount point of a Pico's drive."""
    for line in MOUNTS.read_text("utf-8", errors="replace").splitlines():
        folder = Path(line.split()[1].replace(r"\040", " "))
        if folder.name == LABEL and is_drive(folder):
            return folder
    return None


def drive_at(place: str | None) -> Path:
    """Return the drive of the Pico given by a folder or a port, or of the only Pico that has a
    drive.

    Raises:
        click.ClickException: if there is none.
    """
    if place is None:
        drive = find_drive()
    elif Path(place).is_dir():
        if not is_drive(Path(place)):
            raise refused("no-pico-drive", place=place)
        return Path(place)
    elif not Path(place).exists():
        raise refused("not-plugged", port=place)
    else:
        drive = touch(place)
    if drive is None:
        raise refused("no-bootsel", label=LABEL)
    return drive


def touch(port: str) -> Path | None:
    """Ask the firmware at a port to start the drive in the ROM, and wait until the drive appears.

    Raises:
        click.ClickException: the port cannot be opened.
    """
    import serial

    try:
        serial.Serial(port, TOUCH).close()
    except (OSError, ValueError) as error:
        raise refused("not-opened", what=port, reason=error) from None
    for _ in range(2 * PATIENCE):
        drive = find_drive()
        if drive is not None:
            return drive
        time.sleep(0.5)
    return None


LARGEST: Final = 4 << 20
"""The maximum size of a firmware file in bytes: a Pico's flash of 2 MiB is twice that as a .uf2."""


def put(uf2: Path, drive: Path) -> None:
    """Copy the program to the drive. The drive then disappears, because the Pico starts the
    program.

    Raises:
        click.ClickException: the program could not be written.
    """
    try:
        shutil.copyfile(uf2, drive / uf2.name)
    except OSError as error:
        raise refused("not-written", what=drive, reason=error) from None
    os.sync()


def write_ready(file: Path, place: str | None) -> None:
    """Write ready-made firmware to the kind of chip indicated by the file's extension.

    Raises:
        click.ClickException: the chip is unknown, or the firmware could not be written.
        OSError: the file cannot be read, or is larger than any firmware.
    """
    read_file(file, LARGEST)
    if file.suffix == ".uf2":
        put(file, drive_at(place))
        return
    if file.suffix != ".hex":
        raise refused("no-firmware", file=file)
    port = place or "/dev/ttyUSB0"
    if not Path(port).exists():
        raise refused("not-plugged", port=port)
    if shutil.which("avrdude") is None:
        raise refused("apt-install", packages="avrdude")
    words = ["avrdude", "-p", "atmega328p", "-c", "arduino", "-P", port, "-b", "115200", "-D"]
    if subprocess.run([*words, "-U", f"flash:w:{file}:i"], check=False).returncode:
        raise refused("firmware-unwritten")


@click.command()
@click.argument("place", required=False)
@click.option("--pico", is_flag=True, help="The board is a Raspberry Pi Pico, not an Arduino.")
@click.option("--build-only", is_flag=True, help="Build and report the size; write nothing.")
@click.option(
    "--milliamps",
    type=Whole(500, round(1000 * budget.SUPPLIES[-1])),
    help="The current of the LEDs' supply or of its fuse, whichever is less; the firmware uses at "
    "most three quarters of it.",
)
@click.option(
    "--firmware",
    type=click.Path(path_type=Path),
    help="The firmware folder, if boardctl does not run from a checkout.",
)
@click.option(
    "--file",
    "ready",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A ready-made firmware: boardctl.hex for an Arduino, boardctl.uf2 for a Pico. It needs no "
    "compiler.",
)
def command(
    place: str | None,
    pico: bool,
    build_only: bool,
    milliamps: int | None,
    firmware: Path | None,
    ready: Path | None,
) -> None:
    """Build the firmware and write it to the Arduino or the Pico at PLACE.

    The Debian package of boardctl contains ready-made firmware, so nothing is built.

    PLACE is the port of an Arduino, by default /dev/ttyUSB0. A Pico plugged in with BOOTSEL held
    appears as a drive named RPI-RP2. It is found automatically, or PLACE is its folder. A Pico that
    already runs this firmware needs no button: PLACE is its port.

    \b
    Examples:
        boardctl flash /dev/ttyUSB0
        boardctl flash --milliamps 2500 /dev/ttyACM0
        boardctl flash --build-only
        boardctl flash --pico
        boardctl flash --pico /dev/ttyACM0
        boardctl flash --file boardctl.hex /dev/ttyUSB0
    """
    if ready is not None:
        if build_only or milliamps is not None:
            raise refused("firmware-ready-made", milliamps=budget.Options().milliamps)
        write_ready(ready, place)
        return
    folder = firmware or source()
    made = READY / ("boardctl.uf2" if pico else "boardctl.hex")
    is_usual = firmware is None and milliamps is None and not build_only
    if is_usual and not folder.is_dir() and made.is_file():
        write_ready(made, place)
        return
    _build(folder, place, milliamps, pico=pico, build_only=build_only)
    version, baud = serial_protocol.PROTOCOL_VERSION, serial_protocol.BAUD
    click.echo(say("link", version=version, baud=baud))


def _build(
    folder: Path, place: str | None, milliamps: int | None, *, pico: bool, build_only: bool
) -> None:
    """Build the firmware from its source, and write it unless only a build was requested."""
    if not (folder / "protocol.h").is_file():
        raise refused("no-firmware-source", folder=folder)
    _check_packages(PICO if pico else ARDUINO if build_only else ARDUINO | WRITER)
    port = place or "/dev/ttyUSB0"
    if not (pico or build_only) and not Path(port).exists():
        raise refused("not-plugged", port=port)
    target = "pico" if pico else "all" if build_only else "flash"
    words = ["make", "--silent", "-C", str(folder), target]
    if milliamps is not None:
        words += ["--always-make", f"BUDGET_MA={budget.from_supply(milliamps)}"]
    if subprocess.run([*words, f"PORT={port}"], check=False).returncode:
        raise refused("firmware-unwritten")
    if pico and not build_only:
        put(folder / "build" / "boardctl.uf2", drive_at(place))
    if milliamps is not None:
        most = budget.from_supply(milliamps)
        click.echo(say("leds-take", most=most, milliamps=milliamps))


def _check_packages(needed: Mapping[str, str]) -> None:
    """Check that programs are installed. If some are missing, name their Debian packages."""
    missing = [package for name, package in needed.items() if shutil.which(name) is None]
    if missing:
        raise refused("apt-install", packages=" ".join(missing))
