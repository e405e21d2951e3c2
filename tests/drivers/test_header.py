"""The header's bus and pins are found by their device tree nodes, on every Pi."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardctl.drivers import header

PI_4 = {
    "i2c-0": "soc/i2c@7ef04500",  # HDMI 0
    "i2c-1": "soc/i2c@7ef09500",  # HDMI 1
    "i2c-3": "soc/i2c@7e804000",
    "gpiochip0": "soc/firmware/gpio",
    "gpiochip1": "soc/gpio@7e200000",
}
PI_3 = {"i2c-1": "soc/i2c@7e804000", "i2c-2": "soc/i2c@7e805000", "gpiochip0": "soc/gpio@7e200000"}
PI_5 = {
    "i2c-1": "axi/pcie@1000120000/rp1/i2c@74000",
    "i2c-13": "axi/i2c@7d508200",
    "gpiochip0": "axi/pcie@1000120000/rp1/gpio@d0000",
    "gpiochip10": "soc@107c000000/gpio@7d508500",
}
DEBIANS_PI_5 = {  # Debian 13, backports, kernel 7.3: bcm2712-rpi-5-b.dtb
    "i2c-1": "axi/pcie@1000120000/pci@0,0/dev@0,0/pci-ep-bus@1/i2c@40070000",
    "i2c-2": "axi/pcie@1000120000/pci@0,0/dev@0,0/pci-ep-bus@1/i2c@40074000",
    "gpiochip0": "soc@107c000000/gpio@7d508500",
    "gpiochip2": "axi/pcie@1000120000/pci@0,0/dev@0,0/pci-ep-bus@1/pinctrl@400d0000",
}
OLD_PI_5 = PI_5 | {"gpiochip4": PI_5["gpiochip0"], "gpiochip0": "soc@107c000000/gpio@7d508500"}


@pytest.mark.parametrize(
    ("devices", "bus", "chip"),
    [
        (PI_3, 1, 0),
        (PI_4, 3, 1),
        (PI_5, 1, 0),
        (OLD_PI_5, 1, 4),
        (DEBIANS_PI_5, 2, 2),
        ({}, 1, None),
    ],
)
def test_they_are_found_by_their_place_in_the_device_tree(
    tmp_path: Path, devices: dict[str, str], bus: int, chip: int | None
) -> None:
    for name, node in devices.items():
        kind = "i2c" if name.startswith("i2c") else "gpio"
        target = tmp_path / "sys/firmware/devicetree/base" / node
        device = tmp_path / f"sys/bus/{kind}/devices" / name
        target.mkdir(parents=True, exist_ok=True)
        device.mkdir(parents=True)
        (device / "of_node").symlink_to(target)
    assert header.i2c(header.HEADER_BUS, tmp_path) == bus
    assert header.i2c(13, tmp_path) == 13, "another bus is meant by its number"
    assert header.chip(tmp_path) == chip


@pytest.mark.parametrize(
    ("compatible", "pauses"),
    [
        (b"snps,dw-apb-ssi\0", True),
        (b"raspberrypi,rp1-spi\0snps,dw-apb-ssi\0", True),
        (b"brcm,bcm2835-spi\0", False),
        (None, False),
    ],
)
def test_a_designware_controller_is_found_by_its_compatible(
    tmp_path: Path, compatible: bytes | None, pauses: bool
) -> None:
    if compatible is not None:
        node = tmp_path / "sys/class/spi_master/spi0/of_node"
        node.mkdir(parents=True)
        (node / "compatible").write_bytes(compatible)
    assert header.is_designware(0, tmp_path) == pauses
    assert not header.is_designware(1, tmp_path)
