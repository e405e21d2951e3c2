"""The Pico's descriptors before a real USB host: Linux's own, in a guest, behind USB/IP.

The emulated chip is asked for its descriptors. The guest's kernel then reads them, finds the
driver, and opens the port.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardctl.drivers.serial_protocol import BAUD
from tests.firmware.pico import NUMBER, Pico
from tests.firmware.test_pico import ask, pico
from tests.parts import need
from tests.rigs import qemu

__all__ = ("pico",)
DESCRIPTORS = {
    "0100": "8006000100001200", "0200": "800600020000ff00", "0300": "800600030000ff00",
    "0301": "800601030904ff00", "0302": "800602030904ff00", "0303": "800603030904ff00",
    "0600": "8006000600000a00", "0f00": "8006000f00000500",
}  # fmt: skip
"""The possible requests of a host: a descriptor's type and index, and the request."""


@pytest.mark.long
def test_linux_finds_its_driver_and_opens_the_port(pico: Pico, tmp_path: Path) -> None:
    need("qemu", "kernel", "kernel-headers", "busybox", "cpio", "modprobe", "make", "cc")
    answers = {name: ask(pico, setup) for name, setup in DESCRIPTORS.items()}
    known = {name: found for name, found in answers.items() if found != "stall"}
    assert set(answers) - set(known) == {"0600", "0f00"}
    file = tmp_path / "answers.json"
    file.write_text(json.dumps(known), "utf-8")
    rows = qemu.boot(f"tests.rigs.guest.usb_host {file}", tmp_path, ("vhci_hcd", "cdc_acm"))
    found: dict[str, dict[str, Any]] = {row.pop("what"): row for row in rows}
    assert found["device"] == {
        "idVendor": "2e8a", "idProduct": "000a", "manufacturer": "boardctl",
        "product": "boardctl keys and LEDs", "speed": "12", "bNumInterfaces": "2",
        "bMaxPower": "100mA", "bDeviceClass": "ef", "version": "2.00", "serial": NUMBER,
    }  # fmt: skip
    assert found["drivers"]["drivers"] == ["cdc_acm", "cdc_acm"]
    line = found["line"]
    assert (line["heard"], line["back"]) == ("boardctl", "ltcdraob")
    coding = BAUD.to_bytes(4, "little").hex() + "000008"
    assert f"2120000000000700{coding}" in line["requests"], "the rate, 8N1"
    states = [one[4:8] for one in line["requests"] if one.startswith("2122")]
    assert states[0] == "0300", "opened: DTR and RTS"
    assert states[-1] == "0000", "closed"
    assert found["log"]["complaints"] == []
