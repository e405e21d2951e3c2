"""A Pi 5's kernel on the card: its device tree, and the drivers that the tree asks for.

Two long tests read the trees and modules of Debian's packages, and start the kernel from a small
card, which needs root. The others apply the overlay to our own tree with the labels of a Pi 5. No
emulator has a Pi 5, so the card starts on another machine.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from boardctl.drivers import header
from boardctl.drivers.virtual.spi import RP1
from tests.image.building import BUILT, IMAGE, ROOT, load_build, load_part
from tests.image.guest import Card, Guest, emulator
from tests.image.test_packages import packages, run  # noqa: F401  # packages: a fixture
from tests.image.test_trees import Tree, compiled_text, patched
from tests.parts import need
from tests.report import LongRun

OVERLAY: Final = IMAGE / "boot/raspberry-5.dts"
BUS: Final = "/axi/pcie@1000120000/pci@0,0/dev@0,0/pci-ep-bus@1"
SPI: Final = f"{BUS}/spi@40050000"
SPI_AT: Final = (0, 0x4005_0000, 0, 0x130)
"""RP1 Peripherals, section 2.3: SPI0, in the addresses of the processor in RP1."""
INTERRUPT: Final = (19, 4)
"""RP1_INT_SPI0 at high level (Raspberry Pi's kernel, include/dt-bindings/mfd/rp1.h)."""
PATIENCE: Final = 500.0
"""Seconds after which a guest is abandoned; on two idle cores it takes 10."""
SYSTEM_CLOCK: Final = 12
"""RP1_CLK_SYS (Linux, include/dt-bindings/clock/raspberrypi,rp1-clocks.h)."""


def complaints(tree: Tree) -> list[str]:
    """Return the reasons why the kernel cannot drive the header's pins with this tree."""
    out = []
    states = {"spi0": ("spi0", "spi0"), "i2c1": ("i2c1", "i2c1_0")}
    for alias, (function, group) in states.items():
        node = tree.strings("/aliases", alias)
        if not node:
            out.append(f"{alias}: no alias")
            continue
        if tree.strings(node[0], "status") not in ([], ["okay"]):
            out.append(f"{alias}: not switched on")
        if tree.strings(node[0], "pinctrl-names") != ["default"]:
            out.append(f"{alias}: its pins are not chosen at the start")
        pins = tree.labelled(f"rp1_{alias}_pins")
        if tree.numbers(node[0], "pinctrl-0") != [tree.handle(f"rp1_{alias}_pins")]:
            out.append(f"{alias}: no pins")
        if (tree.strings(pins, "function"), tree.strings(pins, "groups")) != ([function], [group]):
            out.append(f"{alias}: other pins")
    if tree.strings(SPI, "compatible") != ["snps,dw-apb-ssi"]:
        out.append("spi0: no driver")
    if tree.numbers(SPI, "reg") != list(SPI_AT):
        out.append("spi0: another address")
    if tree.numbers(SPI, "interrupts") != list(INTERRUPT):
        out.append("spi0: another interrupt")
    if tree.numbers(SPI, "clocks") != [tree.handle("rp1_clocks"), SYSTEM_CLOCK]:
        out.append("spi0: not at RP1's system clock")
    if tree.strings(f"{SPI}/spidev@0", "compatible") != ["rohm,dh2228fv"]:
        out.append("spi0: no /dev/spidev0.0")
    button = "/header-power-button/power"
    if tree.numbers(button, "gpios") != [tree.handle("rp1_gpio"), 26, 1]:
        out.append("power button: not at GPIO26")
    if tree.strings(tree.labelled("power_button_pin"), "pins") != ["gpio26"]:
        out.append("power button: another pin is pulled up")
    return out


STAND_IN: Final = """\
/dts-v1/;
/ {
    #address-cells = <2>; #size-cells = <2>;
    aliases { };
    axi { #address-cells = <2>; #size-cells = <2>;
    pcie@1000120000 { #address-cells = <3>; #size-cells = <2>;
    pci@0,0 { #address-cells = <3>; #size-cells = <2>;
    dev@0,0 { #address-cells = <3>; #size-cells = <2>; interrupt-controller; #interrupt-cells = <2>;
        pci_ep_bus: pci-ep-bus@1 {
            compatible = "simple-bus"; #address-cells = <2>; #size-cells = <2>;
            rp1_clocks: clocks@40018000 {
                compatible = "raspberrypi,rp1-clocks"; #clock-cells = <1>;
                assigned-clocks = <&rp1_clocks 12>; assigned-clock-rates = <200000000>;
            };
            rp1_i2c1: i2c@40074000 { compatible = "snps,designware-i2c"; status = "disabled"; };
            rp1_gpio: pinctrl@400d0000 {
                compatible = "raspberrypi,rp1-gpio"; gpio-controller; #gpio-cells = <2>;
            };
        };
    }; }; }; };
};
"""
"""The nodes of Linux's tree of a Pi 5 that the overlay extends."""


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    return compiled_text(STAND_IN, tmp_path)


def test_the_overlay_gives_a_pi_5_all_that_its_drivers_look_for(
    stand_in: Path, tmp_path: Path
) -> None:
    assert complaints(patched(stand_in, tmp_path, OVERLAY)) == []


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ('"snps,dw-apb-ssi"', '"snps,dwc-ssi"', "spi0: no driver"),
        ("0x40050000 0x0 0x130", "0x40054000 0x0 0x130", "spi0: another address"),
        ("<19 4>", "<24 4>", "spi0: another interrupt"),
        ("<&rp1_clocks 12>", "<&rp1_clocks 15>", "spi0: not at RP1's system clock"),
        ('"rohm,dh2228fv"', '"spidev"', "spi0: no /dev/spidev0.0"),
        ('groups = "spi0"', 'groups = "spi4"', "spi0: other pins"),
        ('groups = "i2c1_0"', 'groups = "i2c1_1"', "i2c1: other pins"),
        ("pinctrl-0 = <&rp1_spi0_pins>", "", "spi0: no pins"),
        ('status = "okay"', 'status = "disabled"', "i2c1: not switched on"),
        ('spi0 = "/axi', 'spi1 = "/axi', "spi0: no alias"),
        ("<&rp1_gpio 26 1>", "<&rp1_gpio 21 1>", "power button: not at GPIO26"),
        ('pins = "gpio26"', 'pins = "gpio21"', "power button: another pin is pulled up"),
    ],
)
def test_what_is_missing_is_named(
    stand_in: Path, tmp_path: Path, right: str, wrong: str, complaint: str
) -> None:
    text = OVERLAY.read_text("utf-8")
    assert text.count(right) == 1
    spoilt = tmp_path / "spoilt.dts"
    spoilt.write_text(text.replace(f"{right};" if not wrong else right, wrong), "utf-8")
    assert complaints(patched(stand_in, tmp_path, spoilt)) == [complaint]


def test_a_pi_5_starts_its_own_kernel() -> None:
    lines = (IMAGE / "boot/config.txt").read_text("utf-8").splitlines()
    section, kernels = "all", {}
    for line in lines:
        if named := re.fullmatch(r"\[(\w+)\]", line):
            section = named[1]
        elif line.startswith("kernel="):
            kernels[section] = line.removeprefix("kernel=")
    assert kernels == {"all": "vmlinuz", "pi5": "kernel_2712.img"}
    written = (IMAGE / "build").read_text("utf-8")
    assert all(f'"{name}"' in written for name in kernels.values())


def test_the_newest_kernel_is_found_in_the_list_of_packages() -> None:
    pi_5 = load_part("pi_5")
    shown = """\
Package: linux-image-arm64
Version: 7.3.4-1~bpo13+1
Depends: linux-image-7.3.4+deb13-arm64 (= 7.3.4-1~bpo13+1)
"""
    kernel = pi_5.release(shown)
    assert kernel == "7.3.4+deb13-arm64"
    assert pi_5.named(pi_5.PARTS["binary"], kernel) == "linux-binary-7.3.4+deb13-arm64"
    assert pi_5.named(pi_5.PARTS["source"], kernel) == "linux-source-7.3"
    assert pi_5.named(pi_5.HEADERS["headers-common"], kernel) == (
        "linux-headers-7.3.4+deb13-common"
    )
    with pytest.raises(ValueError, match="trixie-backports has no kernel for arm64"):
        pi_5.release("Package: linux-image-arm64\n")


DRIVERS: Final = {
    "/soc@107c000000/mmc@fff000": "sdhci-brcmstb",
    "/soc@107c000000/mmc@1100000": "sdhci-brcmstb",
    "/soc@107c000000/pinctrl@7d504100": "pinctrl-brcmstb-bcm2712",
    "/soc@107c000000/gpio@7d508500": "gpio-brcmstb",
    "/axi/msi-controller@1000130000": "irq-bcm2712-mip",
    f"{BUS}/clocks@40018000": "clk-rp1",
    f"{BUS}/pinctrl@400d0000": "pinctrl-rp1",
    f"{BUS}/i2c@40074000": "i2c-designware-platform",
    f"{BUS}/usb@40200000": "dwc3",
    f"{BUS}/ethernet@40100000": "macb",
}
"""By node: the module that drives it."""
RP1_ID: Final = "pci:v00001DE4d00000001"
"""RP1 on its bus, as the kernel names it for the module that drives it."""


@pytest.mark.long
def test_the_kernel_drives_what_its_trees_describe(
    packages: dict[str, Path],  # noqa: F811
    tmp_path: Path,
) -> None:
    need("dtc")
    (kernel,) = packages["modules"].glob("usr/lib/modules/*/kernel")
    base = packages["base"] / "usr/lib/modules" / kernel.parent.name

    def aliases(name: str) -> set[str]:
        (module,) = kernel.rglob(f"{name}.ko.xz")
        return set(run("modinfo", "-F", "alias", module).split())

    trees = load_part("pi_5").TREES
    there = {tree.name for tree in (base / "dtb/broadcom").glob("bcm2712*.dtb")}
    assert there == set(trees), "docs/image.md: a CM5 and a 500 have none"
    for name in trees:
        tree = patched(base / "dtb/broadcom" / name, tmp_path, OVERLAY)
        assert complaints(tree) == []
        for node, module in DRIVERS.items():
            wanted = {f"of:N*T*C{one}" for one in tree.strings(node, "compatible")}
            assert wanted & aliases(module), (node, module)
            assert tree.strings(node, "status") in ([], ["okay"]), node
        clocks = tree.numbers(f"{BUS}/clocks@40018000", "assigned-clocks")[1::2]
        rates = tree.numbers(f"{BUS}/clocks@40018000", "assigned-clock-rates")
        assert dict(zip(clocks, rates, strict=True))[SYSTEM_CLOCK] == RP1.hertz
        for label, known in (("rp1_i2c1", header._I2C), ("rp1_gpio", header._PINS)):
            assert tree.labelled(label).rpartition("/")[2] in known
    assert any(one.startswith(RP1_ID) for one in aliases("rp1_pci"))
    binary = next(packages["binary"].glob("usr/lib/modules/*/vmlinuz")).read_bytes()
    assert b"rohm,dh2228fv\0" in binary, "spidev is a part of the kernel"
    settings = (base / "config").read_text("utf-8").splitlines()
    assert "# CONFIG_SPI_DESIGNWARE is not set" in settings, "Debian builds it: do not compile it"
    assert "# CONFIG_DW_AXI_DMAC is not set" in settings, "Debian has RP1's DMA: give SPI dmas"
    shown = f"trixie-backports ({kernel.parent.name.partition('+')[0]})"
    assert shown in (ROOT / "docs/image.md").read_text("utf-8")


INIT: Final = """\
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
exec >/dev/console 2>&1
echo "PROBE kernel $(uname -r)"
modprobe spi-dw-mmio
echo "PROBE driver $(ls /sys/bus/platform/drivers/dw_spi_mmio | tr '\\n' ' ')"
echo "PROBE bufsiz $(cat /sys/module/spidev/parameters/bufsiz)"
echo "PROBE data $(mount | grep ' /data ')"
echo "PROBE end"
poweroff -f
"""
"""The init of a root with busybox alone."""
FOLDERS: Final = ("bin", "sbin", "proc", "sys", "dev", "etc", "run", "data", "tmp", "var/lib")


@pytest.mark.long
def test_a_card_starts_that_kernel_with_the_spi_driver(tmp_path: Path, long_run: LongRun) -> None:
    """The card is built as in `make image`, but its root has modules and busybox alone."""
    if os.geteuid() != 0:
        pytest.skip("compiling in another Debian needs root")
    need("mmdebstrap", "dtc", "cpio")
    build = load_build()
    if missing := [tool for tool in build.TOOLS if shutil.which(tool) is None]:
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    made = build.Build(tmp_path / "out", None, build.locked_at())
    parts = made.unpacked()
    work, tree = tmp_path / "work", tmp_path / "work/root"
    for name in FOLDERS:
        (tree / name).mkdir(parents=True)
    made.modules(work, tree, parts)
    (kernel,) = (parts["modules"] / "usr/lib/modules").iterdir()
    for name, depends in (("spi-dw", ""), ("spi-dw-mmio", "spi-dw")):
        module = tree / "usr/lib/modules" / kernel.name / f"kernel/drivers/spi/{name}.ko"
        assert run("modinfo", "-F", "vermagic", module).split()[0] == kernel.name
        assert run("modinfo", "-F", "depends", module).strip() == depends
        assert module.stat().st_size < 100_000, "without debugging information"
    assert "of:N*T*Csnps,dw-apb-ssi" in run("modinfo", "-F", "alias", module).split()
    (tree / "lib").symlink_to("usr/lib")
    shutil.copy(parts["busybox-static"] / "usr/bin/busybox", tree / "bin/busybox")
    (tree / "sbin/init").write_text(INIT, "ascii")
    (tree / "sbin/init").chmod(0o755)
    slot = made.slot(work, tree, parts)
    image = made.card(work, slot, made.first(work, parts))
    card = Card.flash(image, tmp_path / "card.img")
    (BUILT / "cache").mkdir(parents=True, exist_ok=True)
    with Guest(emulator(BUILT / "cache"), card, kernel="kernel_2712.img") as guest:
        guest.wait("end", PATIENCE)
        said = guest.said()
    assert said["kernel"] == [kernel.name]
    assert "bind" in said["driver"][0].split()
    assert said["bufsiz"] == ["65536"], "the kernel reads the card's cmdline.txt"
    assert said["data"][0].startswith("/dev/vda4 on /data type ext4")
    long_run(kernel=kernel.name)
