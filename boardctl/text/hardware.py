"""Reasons why a part of the board does not work. Each is preceded by the part's name."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "trouble.no-module": "{part} needs the Python package {module}, which is not installed: on "
    "Raspberry Pi OS `apt install {package}` (docs/image.md), elsewhere install boardctl with "
    "its extra [{extra}]",
    "trouble.gpio-closed": "the GPIO pins cannot be opened ({reason})",
    "trouble.gpio-unusable": "the GPIO pins cannot be used ({reason})",
    "trouble.spi-failed": "the SPI bus failed ({reason})",
    "trouble.spi-room": "{leds} LEDs need {needed} bytes in one SPI transfer, but spidev.bufsiz "
    "allows {limit} ({most} LEDs): add spidev.bufsiz={wanted} to the line in "
    "/boot/firmware/cmdline.txt and restart",
    "trouble.spi-room-apa": "{leds} LEDs need {needed} bytes in one SPI transfer, but "
    "spidev.bufsiz allows {limit}: add spidev.bufsiz=65536 to the line in "
    "/boot/firmware/cmdline.txt and restart",
    "trouble.spi-closed": "{path} cannot be opened ({reason}): {remedy}",
    "trouble.spi-off": "is SPI on?",
    "trouble.spi-group": "is this user in the group spi?",
    "trouble.spi-taken": "is another program using it?",
    "trouble.i2c-closed": "{path} cannot be opened ({reason}): is I2C on?",
    "trouble.no-oled": "the OLED does not answer ({reason})",
    "trouble.no-lcd": "the LCD does not answer ({reason})",
    "trouble.too-many-leds": "expected at most {most} LEDs, got {leds}",
    "trouble.too-dark": "{leds} dark LEDs draw {idle} mA, but power.milliamps in the config "
    "allows only {most}",
    "trouble.pins-closed": "pin factory {factory} cannot be opened: {reason}",
    "trouble.no-answer": "{host} does not answer ({reason})",
    "trouble.not-a-host": "{host} is not a host name",
    "trouble.broker-date": "No connection: the certificate of the broker {host} is not valid on "
    "{day}, the date of this board’s clock. Set the clock if the date is wrong; otherwise the "
    "broker needs a new certificate.",
    "trouble.broker-unknown": (
        "No connection: the broker {host} has a certificate that this board does not "
        "trust. See ca in [far] or [mqtt] of the configuration."
    ),
    "trouble.broker-not-found": "No connection: the broker {host} was not found. See host in "
    "[far] or [mqtt] of the configuration.",
    "trouble.broker-refuses": "No connection: the broker {host} refuses this board’s name or "
    "password. See user and password_file in [far] or [mqtt] of the configuration.",
    "trouble.browser-refused": "No connection: the broker {host} refuses the user or password of "
    "its address. Ask for a new invitation, or correct the address in the set-up.",
    "trouble.browser-unreached": "No connection: this browser cannot reach the broker {host}, or "
    "does not trust its certificate. The board keeps trying. If the network works, open {page} in "
    "a new tab to see the reason.",
    "trouble.looking": "{host} is being looked up",
    "trouble.not-found": "{host} was not found ({reason})",
    "trouble.not-opened": "not opened yet",
    "trouble.unplugged": "it was disconnected ({reason})",
    "trouble.not-served": "cannot be served at {where} ({reason}); another port can be chosen with "
    "--port or [page] port",
    "trouble.file": "{path}: {reason}",
    "trouble.not-utf-8": "{path} is not UTF-8 text",
    "trouble.no-command": "the firmware does not understand command {number}",
    "trouble.silent": "the board has not answered for {seconds} s",
    "trouble.old-firmware": "the firmware uses version {version} of the protocol, but this "
    "program uses version {known}: run `boardctl flash`",
    "trouble.other-leds": "the firmware was built for {built} LEDs, not {leds}",
}
