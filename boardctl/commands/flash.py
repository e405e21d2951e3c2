"""`boardctl flash`: build the microcontroller's firmware and write it to the board."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import click

from boardctl.drivers import serial_protocol

NEEDED = {"make": "make", "avr-gcc": "gcc-avr avr-libc", "avrdude": "avrdude"}
"""The programs that flashing needs, and the Debian packages that provide them."""


def source() -> Path:
    """The firmware folder of a checkout; an installed package does not contain it."""
    return Path(__file__).parents[2] / "firmware"


@click.command()
@click.argument("port", default="/dev/ttyUSB0")
@click.option("--build-only", is_flag=True, help="Build and report the size without flashing.")
@click.option("--milliamps", type=click.IntRange(100, 65535), help="Current of the LED supply.")
@click.option(
    "--firmware",
    type=click.Path(path_type=Path),
    help="The firmware folder, if boardctl does not run from a checkout.",
)
def command(port: str, build_only: bool, milliamps: int | None, firmware: Path | None) -> None:
    """Build the firmware and write it to the Arduino at PORT.

    \b
    Examples:
        boardctl flash /dev/ttyUSB0
        boardctl flash --milliamps 2500 /dev/ttyACM0
        boardctl flash --build-only
    """
    folder = firmware or source()
    if not (folder / "protocol.h").is_file():
        raise click.ClickException(
            f"{folder} contains no firmware: download the source of boardctl and pass "
            "its firmware/ with --firmware"
        )
    needed = [name for name in NEEDED if name != "avrdude" or not build_only]
    missing = [NEEDED[name] for name in needed if shutil.which(name) is None]
    if missing:
        raise click.ClickException(f"sudo apt install {' '.join(missing)}")
    if not build_only and not Path(port).exists():
        raise click.ClickException(f"there is no {port}: is the board plugged in?")
    words = ["make", "--silent", "-C", str(folder), "all" if build_only else "flash"]
    if milliamps is not None:
        words += ["--always-make", f"BUDGET_MA={milliamps}"]
    if subprocess.run([*words, f"PORT={port}"], check=False).returncode:
        raise click.ClickException("the firmware was not written; see the error above")
    click.echo(f"link version {serial_protocol.PROTOCOL_VERSION}, {serial_protocol.BAUD} baud")
