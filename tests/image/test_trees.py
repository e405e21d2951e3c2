"""The card's device trees: the header's buses in the form that the kernel's drivers expect.

One test reads the trees of Debian's kernel package for every model of docs/image.md (long). The
others apply the overlay to our own tree with the labels of such a model.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from boardctl.drivers import header
from tests.image.building import IMAGE
from tests.image.test_packages import TREES, packages  # noqa: F401  # a fixture
from tests.parts import need
from tests.report import LongRun

OVERLAY: Final = IMAGE / "boot/raspberry.dts"
PINS: Final = {"i2c1": ("i2c1_gpio2", [2, 3]), "spi0": ("spi0_gpio7", [7, 8, 9, 10, 11])}
"""By alias: the label of its pin group, and the group's pins in BCM numbers."""
VPU_CLOCK: Final = 20
"""BCM2835_CLOCK_VPU, the core's clock (Linux, include/dt-bindings/clock/bcm2835.h)."""
CHIP_SELECT: Final = (8, 1)
"""GPIO8, active low (pin 24 of the header)."""
DATA_REQUESTS: Final = (6, 7)
"""The DMA requests of SPI0, sending and receiving (BCM2835 ARM Peripherals, section 4.2.1.3)."""


def run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Tree:
    """A compiled device tree."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def strings(self, node: str, name: str) -> list[str]:
        """Return a property's strings; none if there is no such property."""
        return run("fdtget", "-d", "", "-t", "s", self.path, node, name).split()

    def numbers(self, node: str, name: str) -> list[int]:
        return [int(n) for n in run("fdtget", "-d", "", "-t", "u", self.path, node, name).split()]

    def labelled(self, label: str) -> str:
        """Return the path of the node with this label."""
        (path,) = self.strings("/__symbols__", label)
        return path

    def handle(self, label: str) -> int:
        (handle,) = self.numbers(self.labelled(label), "phandle")
        return handle


def compiled(source: Path, target: Path) -> Path:
    run("dtc", "-q", "-@", "-O", "dtb", "-o", target, source)
    return target


def patched(tree: Path, folder: Path, overlay: Path = OVERLAY) -> Tree:
    """Return the tree with the overlay, as in the build."""
    out = folder / f"patched-{tree.name}"
    run("fdtoverlay", "-i", tree, "-o", out, compiled(overlay, folder / "overlay.dtbo"))
    return Tree(out)


def complaints(tree: Tree) -> list[str]:
    """Return the reasons why a kernel cannot drive the header's buses with this tree."""
    out = []
    for alias, (group, pins) in PINS.items():
        node = tree.strings("/aliases", alias)
        if not node:
            out.append(f"{alias}: no alias")
            continue
        if tree.strings(node[0], "status") != ["okay"]:
            out.append(f"{alias}: not switched on")
        if tree.numbers(node[0], "pinctrl-0") != [tree.handle(group)]:
            out.append(f"{alias}: not at the pins of {group}")
        if sorted(tree.numbers(tree.labelled(group), "brcm,pins")) != pins:
            out.append(f"{alias}: {group} has other pins")
    spi = tree.labelled("spi")
    if "default" in tree.strings(tree.labelled("gpio"), "pinctrl-names"):
        out.append("gpio: keeps pins for itself, which SPI then cannot have")
    if tree.numbers(spi, "cs-gpios") != [tree.handle("gpio"), *CHIP_SELECT]:
        out.append("spi0: no chip select, which the kernel would look for by a label")
    sending, receiving = DATA_REQUESTS
    dma = tree.handle("dma")
    if tree.numbers(spi, "dmas") != [dma, sending, dma, receiving]:
        out.append("spi0: no DMA, so the clock idles after each byte")
    if tree.strings(spi, "dma-names") != ["tx", "rx"]:
        out.append("spi0: its DMA channels have no names")
    if tree.strings(tree.labelled("dma"), "status") not in ([], ["okay"]):
        out.append("dma: switched off")
    (mask,) = tree.numbers(tree.labelled("dma"), "brcm,dma-channel-mask")
    if mask.bit_count() < len(DATA_REQUESTS):
        out.append("dma: fewer channels than SPI needs")
    if tree.numbers(spi, "clocks") != [tree.handle("clocks"), VPU_CLOCK]:
        out.append("spi0: not at the core's clock, which config.txt fixes")
    if tree.strings(f"{spi}/spidev@0", "compatible") != ["rohm,dh2228fv"]:
        out.append("spi0: no /dev/spidev0.0")
    return out


STAND_IN: Final = """\
/dts-v1/;
/ {
    #address-cells = <1>; #size-cells = <1>;
    aliases { };
    soc {
        #address-cells = <1>; #size-cells = <1>;
        clocks: cprman@7e101000 { compatible = "brcm,bcm2711-cprman"; #clock-cells = <1>; };
        dma: dma-controller@7e007000 { #dma-cells = <1>; brcm,dma-channel-mask = <0x7f5>; };
        gpio: gpio@7e200000 {
            compatible = "brcm,bcm2711-gpio"; gpio-controller; #gpio-cells = <2>;
            pinctrl-names = "default"; pinctrl-0 = <&alt0>;
            alt0: alt0 { brcm,pins = <4 5 7 8 9 10 11>; brcm,function = <4>; };
            i2c1_gpio2: i2c1-gpio2 { brcm,pins = <2 3>; };
            spi0_gpio7: spi0-gpio7 { brcm,pins = <7 8 9 10 11>; };
        };
        spi: spi@7e204000 {
            compatible = "brcm,bcm2835-spi"; clocks = <&clocks 20>; status = "disabled";
        };
        i2c1: i2c@7e804000 { compatible = "brcm,bcm2711-i2c"; status = "disabled"; };
    };
};
"""
"""The properties of these nodes in Debian's trees of a Pi 4: no chip select, and no DMA for SPI. As
in the tree of a Zero 2 W, the GPIO chip keeps the pins of SPI for itself."""


def compiled_text(text: str, folder: Path) -> Path:
    """Compile our own tree with the labels of a model."""
    need("dtc")
    source = folder / "model.dts"
    source.write_text(text, "ascii")
    return compiled(source, folder / "model.dtb")


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    return compiled_text(STAND_IN, tmp_path)


def test_the_overlay_gives_a_pi_4_all_that_its_drivers_look_for(
    stand_in: Path, tmp_path: Path
) -> None:
    assert complaints(patched(stand_in, tmp_path)) == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("cs-gpios = ", "spi0: no chip select, which the kernel would look for by a label"),
        ('pinctrl-names = "unused"', "gpio: keeps pins for itself, which SPI then cannot have"),
        ("dmas = ", "spi0: no DMA, so the clock idles after each byte"),
        ("dma-names = ", "spi0: its DMA channels have no names"),
        ("pinctrl-0 = <&spi0_gpio7>", "spi0: not at the pins of spi0_gpio7"),
        ('spi0 = "/soc', "spi0: no alias"),
        ('compatible = "rohm,dh2228fv"', "spi0: no /dev/spidev0.0"),
    ],
)
def test_what_is_missing_is_named(
    stand_in: Path, tmp_path: Path, line: str, complaint: str
) -> None:
    kept = [one for one in OVERLAY.read_text("utf-8").splitlines() if line not in one]
    assert len(kept) == len(OVERLAY.read_text("utf-8").splitlines()) - 1
    short = tmp_path / "short.dts"
    short.write_text("\n".join(kept) + "\n", "utf-8")
    assert complaints(patched(stand_in, tmp_path, short)) == [complaint]


@pytest.mark.long
def test_every_models_tree_has_what_the_kernels_drivers_look_for(
    packages: Mapping[str, Path],  # noqa: F811
    tmp_path: Path,
    long_run: LongRun,
) -> None:
    """The names in the trees match the drivers of the same package."""
    need("dtc")
    files = packages["linux-image-arm64"]
    kernel = next((files / "boot").glob("vmlinuz-*")).read_bytes()
    (spi,) = files.glob("usr/lib/modules/*/kernel/drivers/spi/spi-bcm2835.ko.xz")
    (i2c,) = files.glob("usr/lib/modules/*/kernel/drivers/i2c/*/i2c-bcm2835.ko.xz")
    driver = subprocess.run(["xz", "-dc", spi], check=True, capture_output=True).stdout
    (looked_for,) = set(re.findall(rb"pinctrl-bcm\d+(?=\0)", driver))
    chips = set()
    models = {model: name for model, name in TREES.items() if model != "5"}  # test_pi_5
    for model, name in models.items():
        tree = patched(next(files.glob(f"usr/lib/*/broadcom/{name}.dtb")), tmp_path)
        assert complaints(tree) == [], model
        for label, module in (("spi", spi), ("i2c1", i2c)):
            known = re.findall(r"C(brcm,[\w-]+)$", run("modinfo", "-F", "alias", module), re.M)
            assert set(tree.strings(tree.labelled(label), "compatible")) & set(known), model
        for label in ("gpio", "dma", "clocks"):
            names = tree.strings(tree.labelled(label), "compatible")
            assert any(f"{one}\0".encode() in kernel for one in names), (model, label)
        assert b"rohm,dh2228fv\0" in kernel, "spidev is a part of the kernel"
        (chip,) = tree.strings(tree.labelled("gpio"), "compatible")
        label = chip.replace("brcm,", "pinctrl-").removesuffix("-gpio")
        assert f"{label}\0".encode() in kernel
        chips.add(label)
        assert tree.labelled("i2c1").rpartition("/")[2] in header._I2C, "found without the alias"
        assert tree.labelled("gpio").rpartition("/")[2] in header._PINS, model
    assert {looked_for.decode()} < chips, "the driver's own label is not that of every model"
    long_run(models=len(models), chips=len(chips))
