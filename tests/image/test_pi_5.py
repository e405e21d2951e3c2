"""docs/image.md, "A Pi 5": the parts of its chip RP1 that Debian's newest kernel for release 13
drives.

The test fails when Debian adds the missing driver: then the card can support a Pi 5.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from boardctl.drivers import header
from tests.image.building import ROOT
from tests.image.test_packages import archive, run
from tests.image.test_trees import Tree
from tests.parts import need

SUITE: Final = "trixie-backports"
PARTS: Final = ("linux-base-", "linux-binary-")
"""The packages of a kernel with its settings and its device trees."""
ADDRESSES: Final = {"spi": 0x40050000, "i2c": 0x40074000, "pinctrl": 0x400D0000}
"""RP1 Peripherals, section 2.3: SPI0, I2C1 and the first bank of pins, in the addresses of the
processor in RP1."""


def on_header(nodes: str) -> dict[str, str]:
    """Return the header's nodes in a list of node names, by kind."""
    found = {}
    for kind, address in ADDRESSES.items():
        name = re.search(rf"^\w+@{address:x}$", nodes, re.M)
        if name is not None:
            found[kind] = name[0]
    return found


@pytest.mark.long
def test_debians_kernel_has_a_pi_5s_pins_but_not_its_spi(tmp_path: Path) -> None:
    need("dtc")
    work = tmp_path / "lists-of-packages"
    work.mkdir()
    options = archive(work, f"{SUITE} main")
    shown = run("apt-cache", *options[1:], "show", f"linux-image-arm64/{SUITE}")
    version = re.search(r"^Version: ([\d.]+)", shown, re.M)
    kernel = re.search(r"linux-image-([\d.]+\+\w+-arm64)", shown)
    assert version is not None
    assert kernel is not None
    for part in PARTS:
        run("apt-get", *options, "download", f"{part}{kernel[1]}", cwd=work)
    for deb in work.glob("*.deb"):
        run("dpkg-deb", "-x", deb, work / "files")
    folder = work / "files/usr/lib/modules" / kernel[1]
    settings = (folder / "config").read_text("utf-8").splitlines()
    for driver in ("MISC_RP1", "COMMON_CLK_RP1", "PINCTRL_RP1", "I2C_DESIGNWARE_PLATFORM"):
        assert {f"CONFIG_{driver}=m", f"CONFIG_{driver}=y"} & set(settings), driver
    assert "# CONFIG_SPI_DESIGNWARE is not set" in settings
    tree = Tree(folder / "dtb/broadcom/bcm2712-rpi-5-b.dtb")
    rp1 = "/axi/pcie@1000120000/pci@0,0/dev@0,0/pci-ep-bus@1"
    nodes = on_header(run("fdtget", "-l", tree.path, rp1))
    assert set(nodes) == {"i2c", "pinctrl"}, "no SPI"
    assert nodes["i2c"] in header._I2C
    assert nodes["pinctrl"] in header._PINS
    assert f"trixie-backports ({version[1]})" in (ROOT / "docs/image.md").read_text("utf-8")
    shutil.rmtree(work)
