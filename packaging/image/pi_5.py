"""The kernel of a Pi 5, and the SPI driver that Debian does not build.

Debian 13's own kernel has no driver for RP1, the chip with the Pi 5's pins. The kernel of its
backports has drivers for RP1's GPIO, I2C, USB and Ethernet. Its source also contains the driver for
RP1's SPI, which Debian's configuration leaves out. This module compiles that driver, with the
kernel's compiler.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

SUITE: Final = "trixie-backports"
PARTS: Final = {
    "base": "linux-base-{release}",  # device trees, list of built-in modules
    "binary": "linux-binary-{release}",  # the kernel
    "modules": "linux-modules-{release}",
    "source": "linux-source-{series}",
}
"""The kernel's packages, by the names used here."""
HEADERS: Final = {
    "headers": "linux-headers-{release}",
    "headers-common": "linux-headers-{version}-common",
}
"""The packages needed to compile a module; nothing of them is on the card."""
SOURCES: Final = ("spi-dw-core.c", "spi-dw-mmio.c", "spi-dw.h", "internals.h")
"""The driver's files in drivers/spi."""
_KBUILD: Final = "obj-m := spi-dw.o spi-dw-mmio.o\nspi-dw-y := spi-dw-core.o\n"
TREES: Final = {
    "bcm2712-rpi-5-b.dtb": ("bcm2712-rpi-5-b.dtb",),
    "bcm2712-d-rpi-5-b.dtb": ("bcm2712-d-rpi-5-b.dtb", "bcm2712d0-rpi-5-b.dtb"),
}
"""The kernel's device trees, and their names on the card. The second is for boards with stepping D0
of the processor: the first name is Linux's, the other Raspberry Pi's."""


def release(shown: str) -> str:
    """Return the kernel's release, such as 7.3.4+deb13-arm64.

    Args:
        shown: the output of `apt-cache show linux-image-arm64/trixie-backports`.
    """
    found = re.search(r"^Depends: .*?linux-image-(\d[\w.+]*-arm64)\b", shown, re.M)
    if found is None:
        raise ValueError(f"{SUITE} has no kernel for arm64")
    return found[1]


def named(pattern: str, kernel: str) -> str:
    """Return a package's name for a kernel's release, from PARTS or HEADERS."""
    version = kernel.removesuffix("-arm64")
    series = ".".join(version.partition("+")[0].split(".")[:2])
    return pattern.format(release=kernel, version=version, series=series)


def compile_driver(work: Path, archives: list[str], debs: list[Path], source: Path) -> list[Path]:
    """Compile the SPI driver in a Debian with the kernel's compiler. Needs root.

    Args:
        work: a folder for that Debian.
        archives: lines for apt's sources.list: Debian 13 and its backports.
        debs: the packages of HEADERS, as files.
        source: the unpacked package with the kernel's source.

    Returns:
        The two modules, without debugging information.
    """
    control = subprocess.run(
        ["dpkg-deb", "-f", debs[0], "Package", "Depends"],
        check=True, text=True, stdout=subprocess.PIPE,
    ).stdout  # fmt: skip
    (kernel,) = re.findall(r"^Package: linux-headers-(\S+)", control, re.M)
    (compiler,) = re.findall(r"\bgcc-(\d+)-for-host\b", control)
    (kbuild,) = re.findall(r"\blinux-kbuild-[\w.+]+", control)
    kitchen = work / "kitchen"
    subprocess.run(
        ["mmdebstrap", "--quiet", "--mode=root", "--variant=minbase",
         f"--include=make,gcc-{compiler}-aarch64-linux-gnu,{kbuild}",
         "trixie", kitchen, *archives],
        check=True,
    )  # fmt: skip
    for deb in debs:
        subprocess.run(["dpkg-deb", "-x", deb, kitchen], check=True)
    (packed,) = (source / "usr/src").glob("linux-source-*.tar.xz")
    folder = kitchen / "driver"
    folder.mkdir()
    subprocess.run(
        ["tar", "-C", folder, "-xJf", packed, "--strip-components=3", "--wildcards",
         *(f"linux-source-*/drivers/spi/{name}" for name in SOURCES)],
        check=True,
    )  # fmt: skip
    (folder / "Kbuild").write_text(_KBUILD, "ascii")
    inside = ["chroot", str(kitchen), "env", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
    headers = f"/usr/src/linux-headers-{kernel}"
    subprocess.run([*inside, "make", "-s", "-C", headers, "M=/driver", "modules"], check=True)
    made = [folder / "spi-dw.ko", folder / "spi-dw-mmio.ko"]
    subprocess.run(
        [*inside, "aarch64-linux-gnu-strip", "--strip-debug",
         *(f"/driver/{one.name}" for one in made)],
        check=True,
    )  # fmt: skip
    return made


def install(parts: dict[str, Path], driver: list[Path], modules: Path) -> None:
    """Copy the kernel's modules and the driver to a root's folder usr/lib/modules.

    Args:
        parts: the unpacked packages, by their names in PARTS.
        driver: the compiled modules.
        modules: the folder; the kernel's own is made in it.
    """
    (packed,) = (parts["modules"] / "usr/lib/modules").iterdir()
    target = modules / packed.name
    shutil.copytree(packed / "kernel", target / "kernel", symlinks=True)
    for listed in sorted((parts["base"] / "usr/lib/modules" / packed.name).glob("modules.*")):
        shutil.copy(listed, target / listed.name)
    for module in driver:
        shutil.copy(module, target / "kernel/drivers/spi" / module.name)
