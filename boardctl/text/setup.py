"""Texts for the set-up, the self-test and the SD card's network: `boardctl setup`, `boardctl
selftest` and the page."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "setup.layout": "Which board?",
    "setup.layout.classic-2": "Classic, two players",
    "setup.layout.classic-3": "Classic, three players",
    "setup.layout.travel-2": "Travel, two players",
    "setup.layout.twice-round-2": "Twice round, two players",
    "setup.players": "Who plays (names separated by commas)",
    "setup.language": "Which language?",
    "setup.language.en": "English",
    "setup.language.ja": "Japanese",
    "setup.leds.driver": "What drives the LEDs?",
    "setup.leds.driver.ws2812_spi": "WS2812B on the Pi’s SPI",
    "setup.leds.driver.apa102_spi": "APA102 or SK9822 on the Pi’s SPI",
    "setup.leds.driver.serial_board": "the boardctl microcontroller on USB (with keys)",
    "setup.leds.driver.adalight": "an Adalight controller on USB",
    "setup.leds.driver.wled": "a WLED controller on the network",
    "setup.leds.port": "Which serial port",
    "setup.leds.host": "The WLED controller’s name or address",
    "setup.keys.driver": "Which keys does the board have?",
    "setup.keys.driver.gpio_matrix": "a 4x4 keypad on the Pi’s pins",
    "setup.keys.driver.gpio_buttons": "single buttons on the Pi’s pins",
    "setup.keys.driver.usb_numpad": "a USB or Bluetooth number pad",
    "setup.keys.driver.serial_board": "the keypad on the boardctl microcontroller",
    "setup.keys.port": "Which serial port is the keypad on?",
    "setup.keys.device": "A part of the number pad’s name",
    "setup.display.driver": "A small display?",
    "setup.display.driver.": "none",
    "setup.display.driver.oled": "an SSD1306 or SH1106 OLED",
    "setup.display.driver.lcd": "an HD44780 LCD with an I2C backpack",
    "setup.power.supply": "How many milliamps can the strip’s supply or its fuse deliver, "
    "whichever is less (the LEDs draw at most three quarters of this current)",
    "setup.night.begins": "When should the night light start, for example at 22:30 (none for "
    "never)",
    "setup.phones": "May phones on the network open the page?",
    "setup.phones.yes": "yes",
    "setup.phones.no": "no",
    "setup.far.broker": "Which broker carries games with another house?",
    "setup.far.broker.": "none, or the club’s broker in [mqtt]",
    "setup.far.broker.other": "a public or club broker",
    "setup.far.broker.own": "this board, for both houses",
    "setup.far.host": "The broker’s address, such as broker.example:8883, or the code that you "
    "received",
    "setup.far.user": "Your user name for the broker",
    "setup.far.password": "Your password for the broker (leave empty to keep the current one)",
    "setup.far.own": "The name or address at which the other house reaches this board. Set your "
    "router to forward TCP port 8883 to this board. For another port, add its number after the "
    "name",
    "refusal.setup-broker": "“{answer}” is neither a broker’s address nor a code. An address "
    "looks like broker.example:8883.",
    "refusal.setup-own-broker": "“{answer}” is not a name or address of this board. Enter, for "
    "example, ann.example:8883.",
    "refusal.setup-no-mosquitto": "This board cannot be the broker: the program Mosquitto is "
    "missing. Choose a public or club broker, or, on Raspberry Pi OS, install the package "
    "mosquitto.",
    "setup.attached": "This is attached:",
    "setup.serial": "serial",
    "setup.keyboards": "keyboards",
    "setup.which": "which",
    "setup.unusable": "{path} cannot be used, so none of its answers are suggested: {reason}",
    "setup.kept": "The old configuration is kept as {path}.",
    "setup.written": "{path} has been written. Next: boardctl doctor, then boardctl selftest.",
    "setup.start-now": "Start the board with this configuration now?",
    "setup.started": "The board is running. See `systemctl status boardctl`.",
    "setup.spi-now": "SPI, which the LEDs need, is off. Switch it on now?",
    "setup.spi-on": "SPI will be on after the next restart of the Raspberry Pi.",
    "setup.spi-off": "SPI, which the LEDs need, is off. Switch it on with `{command}`, then "
    "restart the Raspberry Pi.",
    "setup.unwritten": "{path} cannot be written ({reason})",
    "refusal.setup-choice": "“{answer}” is not one of the choices: {choices}.",
    "refusal.setup-milliamps": "“{answer}” is not a supply current; enter {least} to {most} "
    "milliamps, such as 3000.",
    "refusal.setup-time": "“{answer}” is not a time of day; write it as 22:30, or none for never.",
    "refusal.setup-names": (
        "“{answer}” cannot be used; enter two or more different names, separated by commas "
        "and without #."
    ),
    "refusal.setup-backup-damaged": "That file is not a backup of a board, or it is damaged.",
    "refusal.setup-backup-newer": "A newer boardctl made that backup; update this board first.",
    "refusal.setup-no-earlier": "No earlier games are kept on this board.",
    "refusal.setup-not-restored": "That file cannot be restored: {reason}",
    "refusal.setup-no-room-copy": "there is no room for a copy on the card",
    "refusal.setup-not-copied": "it cannot be copied ({reason})",
    "refusal.setup-too-large": "that file is too large to be one of the board’s",
    "refusal.setup-no-room": "there is no room for it on the card",
    "refusal.setup-not-kept": "it cannot be stored ({reason})",
    "refusal.setup-no-file": "the file is not complete yet",
    "refusal.setup-no-restart": "{what} cannot be restarted",
    "refusal.setup-together": "These settings cannot be combined: {reason}",
    "hotspot.title": "Cribbage board",
    "hotspot.choose": "Choose your Wi-Fi. The board then switches off its own Wi-Fi, and its page "
    "is at {page}.",
    "hotspot.network": "Wi-Fi",
    "hotspot.secret": "Wi-Fi password",
    "hotspot.join": "Join",
    "hotspot.play": "Play without joining a Wi-Fi network",
    "hotspot.name": "The name of a Wi-Fi network has 1 to 32 characters.",
    "hotspot.password": "The password of a Wi-Fi network has 8 to 63 letters, digits and symbols.",
    "hotspot.joining": (
        "The board is joining {name}. Join the same network with this phone, and open "
        "{page}. If the password was wrong, the board’s own Wi-Fi returns in a minute."
    ),
    "card.looking-1": "No network yet",
    "card.looking-2": "You can play now",
    "card.hotspot-1": "Join the Wi-Fi",
    "card.hotspot-2": "{name}",
    "card.locked-1": "{name}",
    "card.locked-2": "{password}",
    "card.unused-1": "Not used:",
    "card.unused-2": "{names}",
    "card.connected-1": "The page is at",
    "card.connected-2": "{page}",
    "selftest.colour-dark": "all dark? the strip should draw about {milliamps} mA",
    "selftest.colour-red": "all red? the strip should draw about {milliamps} mA",
    "selftest.colour-green": "all green? the strip should draw about {milliamps} mA",
    "selftest.colour-blue": "all blue? the strip should draw about {milliamps} mA",
    "selftest.colour-white": "all white? the strip should draw about {milliamps} mA",
    "selftest.lamp": "LED {index}: {name}",
    "selftest.off": "all dark?",
    "selftest.display": "the display shows “Can you read it?”",
    "selftest.press": "press {key}",
    "selftest.other": "that was {key}",
    "selftest.fault": "{reason}",
    "selftest.done": "{lit} LEDs were lit, and {pressed} keys responded.",
    "selftest.missing": "No response: {keys}.",
}
