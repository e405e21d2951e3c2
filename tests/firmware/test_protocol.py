"""One declaration of the link's numbers, in Python.

The firmware's header is generated from it, and the documentation is compared with it here.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from boardctl.drivers import serial_protocol
from boardctl.drivers.budget import Options as Budget
from boardctl.drivers.ports import LEGEND

FIRMWARE = Path(__file__).parents[2] / "firmware"
DECLARED = {
    name: int(value, 0)
    for name, value in re.findall(
        r"^#define (\w+) (\w+)$", (FIRMWARE / "protocol.h").read_text("utf-8"), re.MULTILINE
    )
}
PAGE = (FIRMWARE / "protocol.md").read_text("utf-8")


def test_the_header_is_made_from_the_numbers_of_the_host() -> None:
    done = subprocess.run(
        [sys.executable, FIRMWARE / "make_protocol_h.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (FIRMWARE / "protocol.h").read_text("utf-8"), "`make protocol`"


def test_it_has_all_of_them_and_the_currents() -> None:
    host = {
        name: value
        for name, value in vars(serial_protocol).items()
        if name.isupper() and type(value) is int
    }
    host = {name: value for name, value in host.items() if not name.startswith("_")}
    budget = Budget()
    declared = host | {
        "RED_MA": budget.red,
        "GREEN_MA": budget.green,
        "BLUE_MA": budget.blue,
        "DARK_MA": budget.idle,
        "DEFAULT_BUDGET_MA": budget.milliamps,
    }
    assert declared == DECLARED


def test_the_page_has_every_message_with_its_number() -> None:
    for name in ("HELLO", "PALETTE", "LIGHTS", "PING", "KEY_SEEN", "GOODBYE"):
        assert f"| {name} | 0x{DECLARED[name]:02x} |" in PAGE
    for name in ("GREETING", "DONE", "KEY"):
        assert f"| {name} | 0x{DECLARED[name]:02x} |" in PAGE
    for name in ("LIGHTS_CLEAR", "LIGHTS_SHOW"):
        assert f"{name.removeprefix('LIGHTS_')} (0x{DECLARED[name]:02x})" in PAGE
    for cause, name in (
        ("power", "RESET_POWER"),
        ("reset button or opened port", "RESET_BUTTON"),
        ("brown-out", "RESET_BROWNOUT"),
        ("watchdog", "RESET_WATCHDOG"),
        ("and", "RESET_SINCE_HELLO"),
    ):
        assert f"{cause} 0x{DECLARED[name]:02x}" in PAGE


def test_the_page_has_the_limits() -> None:
    assert f"The protocol version is {DECLARED['PROTOCOL_VERSION']}." in PAGE
    assert f"{DECLARED['BAUD']} baud" in PAGE
    assert f"0 to {DECLARED['MAX_PAYLOAD']} bytes" in PAGE
    assert f"| LEDs | {DECLARED['MAX_LEDS']} |" in PAGE
    assert f"| simultaneous colours | {DECLARED['PALETTE_COLOURS'] - 1} and dark |" in PAGE
    assert f"at most {DECLARED['KEY_QUEUE']} events are queued" in PAGE
    assert f"every {DECLARED['KEY_REPEAT_MS']} ms until KEY_SEEN" in PAGE
    assert f"After {DECLARED['HOST_GONE_MS'] // 1000} s without a valid frame, the board" in PAGE
    assert "key 0x{:02X} with".format(DECLARED["KEY_OVERFLOW"]) in PAGE
    currents = "{RED_MA}, {GREEN_MA}, {BLUE_MA} mA".format(**DECLARED)
    assert currents in PAGE
    repeat, hello = serial_protocol.REPEAT * 1000, serial_protocol.HELLO_REPEAT * 1000
    assert f"after {repeat:g} ms; HELLO after {hello:g} ms" in PAGE


def test_the_keys_are_those_of_the_keypad() -> None:
    assert len("".join(LEGEND)) == DECLARED["MATRIX_KEYS"]
    assert f"`{' '.join(LEGEND)}`" in PAGE
    last = DECLARED["MATRIX_KEYS"] + DECLARED["BUTTON_KEYS"] - 1
    assert f"{DECLARED['MATRIX_KEYS']} to {last} are the single buttons" in PAGE
