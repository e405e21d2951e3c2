"""Debian's packages for each Pi of docs/image.md: the Wi-Fi firmware by the names in the kernel's
own tables, modules, and boot firmware.

Needs no image: the packages are those of the build, or downloaded in the same way.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.image.building import BUILT, IMAGE, ROOT, load_part
from tests.parts import need
from tests.report import LongRun

SUITES = {
    "linux-image-arm64": "trixie", "firmware-brcm80211": "trixie", "raspi-firmware": "sid",
    "busybox-static": "trixie",
}  # fmt: skip
PI_5 = ("base", "binary", "modules")
"""The packages of a Pi 5's kernel, by their names in packaging/image/pi_5.py."""
FIRMWARE = ("firmware-brcm80211", "raspi-firmware")
"""The packages whose /usr/lib/firmware the image contains."""
CHIPS = {
    "3 A+": ["43455"], "3 B": ["43430"], "3 B+": ["43455"], "4 B": ["43455"], "CM4": ["43455"],
    "Zero 2 W": ["43430", "43430b0"], "400": ["43456"], "CM3": [], "5": ["43455"],
}  # fmt: skip
"""The name in `brcmfmac` of each model's Wi-Fi chip (Linux, brcmfmac/sdio.c, `brcmf_sdio_fwnames`):
BCM43430/1 is 43430, BCM43430/2 43430b0, BCM4345/6 43455, BCM4345/9 43456."""
TREES = {
    "3 A+": "bcm2837-rpi-3-a-plus", "3 B": "bcm2837-rpi-3-b", "3 B+": "bcm2837-rpi-3-b-plus",
    "4 B": "bcm2711-rpi-4-b", "CM4": "bcm2711-rpi-cm4-io", "400": "bcm2711-rpi-400",
    "Zero 2 W": "bcm2837-rpi-zero-2-w", "CM3": "bcm2837-rpi-cm3-io3", "5": "bcm2712-rpi-5-b",
}  # fmt: skip


def run(*command: str | Path, cwd: Path | None = None) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=cwd).stdout


def listed() -> dict[str, tuple[str, str]]:
    """Return each model's entries under "this image" and "Wi-Fi and hotspot" in docs/image.md."""
    page = (ROOT / "docs/image.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]*) \| [^|]*\|$", page, re.M)
    return {
        name.strip(): (image.strip(), wifi.strip())
        for names, image, wifi in rows
        for name in names.split(", ")
        if image.startswith("complete")
    }


def test_every_listed_pi_is_checked_here() -> None:
    assert set(listed()) == set(CHIPS) == set(TREES)
    page = (ROOT / "docs/image.md").read_text("utf-8")
    assert "Nobody has started this image on a Raspberry Pi yet" in page
    assert not re.search(r"\| yes\b", page), "nothing is called yes that nobody has seen"


def archive(work: Path, *sources: str) -> list[str]:
    """Read Debian's lists of arm64 packages, separate from this machine's.

    Args:
        work: an empty folder.
        sources: suites and their components.

    Returns:
        The options that make `apt-get` use the lists, and without the first also `apt-cache`.
    """
    need("apt-get", "dpkg-deb")
    (work / "lists/partial").mkdir(parents=True)
    (work / "status").touch()
    lines = [f"deb http://deb.debian.org/debian {source}\n" for source in sources]
    (work / "sources.list").write_text("".join(lines), "utf-8")
    options = [
        "-qq", "-o", "APT::Architecture=arm64", "-o", "APT::Architectures=arm64",
        "-o", f"Dir::State={work}", "-o", f"Dir::State::status={work}/status",
        "-o", f"Dir::Cache={work}", "-o", f"Dir::Etc::sourcelist={work}/sources.list",
        "-o", "Dir::Etc::sourceparts=-", "-o", "APT::Sandbox::User=root",
    ]  # fmt: skip
    run("apt-get", *options, "update")
    return options


class Packages(dict[str, Path]):
    """The unpacked packages, by the names of SUITES and PI_5. A package is fetched when a test
    first needs it, unless the build of the image has left it in its cache."""

    def __init__(self, work: Path) -> None:
        super().__init__()
        self._work = work
        self._options: list[str] = []

    def __missing__(self, name: str) -> Path:
        kept = BUILT / "cache/unpacked" / name / "files"
        self[name] = kept if kept.exists() else self._fetched(name)
        return self[name]

    def _fetched(self, name: str) -> Path:
        pi_5 = load_part("pi_5")
        if not self._options:
            self._options = archive(
                self._work, "trixie main non-free-firmware", "sid non-free-firmware",
                f"{pi_5.SUITE} main",
            )  # fmt: skip
        ask = self._options[1:]
        package = name
        if name in PI_5:
            newest = pi_5.release(run("apt-cache", *ask, "show", f"linux-image-arm64/{pi_5.SUITE}"))
            package = pi_5.named(pi_5.PARTS[name], newest)
        elif name == "linux-image-arm64":
            words = run("apt-cache", *ask, "depends", name).split()
            package = next(word for word in words if word.startswith("linux-image-6"))
        folder = self._work / name
        folder.mkdir()
        suite = pi_5.SUITE if name in PI_5 else SUITES[name]
        run("apt-get", *self._options, "download", f"{package}/{suite}", cwd=folder)
        (deb,) = folder.glob("*.deb")
        run("dpkg-deb", "-R", deb, folder / "files")
        deb.unlink()
        return folder / "files"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    work = tmp_path_factory.mktemp("packages")
    yield Packages(work)
    shutil.rmtree(work)


NEEDED = (
    "cdc-acm", "ch341", "ftdi_sio", "cp210x",  # microcontrollers
    "usb-storage", "sd_mod", "vfat", "nls_ascii", "nls_cp437",  # a Pico's drive
    "snd-usb-audio", "usbhid", "evdev", "spidev", "brcmfmac",
)  # fmt: skip
HEADERS = {
    "linux-image-arm64": ("spi-bcm2835", "i2c-bcm2835", "snd-bcm2835"),
    "modules": (
        "sdhci-brcmstb", "pinctrl-brcmstb-bcm2712", "gpio-brcmstb",  # the card
        "pcie-brcmstb", "irq-bcm2712-mip", "rp1_pci", "clk-rp1", "pinctrl-rp1",
        "i2c-designware-platform", "dwc3", "xhci-plat-hcd", "macb",
    ),
}  # fmt: skip
"""By a kernel's package: the modules of the header's pins, and of the other parts of a Pi."""


@pytest.mark.long
@pytest.mark.parametrize("package", HEADERS)
def test_the_card_keeps_every_module_that_its_parts_need(
    packages: dict[str, Path], package: str
) -> None:
    """These are the modules of docs/image.md, and all their dependencies."""
    source = (IMAGE / "build").read_text("utf-8")
    answer = {
        name: set(re.findall(r'"([^"]+)"', found[1]))
        for name in ("UNUSED_MODULES", "KEPT_MODULES")
        if (found := re.search(rf"^{name} = \((.*?)\)", source, re.M | re.S))
    }
    kernel = next(packages[package].glob("usr/lib/modules/*/kernel"))
    files = {one.name.partition(".")[0].replace("-", "_"): one for one in kernel.rglob("*.ko*")}
    (parts,) = {
        listed
        for name in (package, "base")
        for listed in packages[name].glob(f"usr/lib/modules/{kernel.parent.name}/modules.builtin")
    }
    builtin = {Path(line).stem.replace("-", "_") for line in parts.read_text("utf-8").split()}
    waiting = [name.replace("-", "_") for name in (*NEEDED, *HEADERS[package])]
    seen = set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name in builtin:
            continue
        seen.add(name)
        assert name in files, f"the kernel has no {name}"
        file = files[name]
        folder = file.relative_to(kernel).as_posix()
        dropped = any(folder.startswith(f"{one}/") for one in answer["UNUSED_MODULES"])
        assert not dropped or file.name.partition(".")[0] in answer["KEPT_MODULES"], folder
        depends = run("modinfo", "-F", "depends", file).strip()
        waiting += [one.replace("-", "_") for one in depends.split(",") if one]


@pytest.mark.long
def test_the_wifi_of_each_model_has_what_the_kernel_asks_for(
    packages: dict[str, Path], long_run: LongRun
) -> None:
    folders = [packages[name] / "usr/lib/firmware/brcm" for name in FIRMWARE]
    complete = {}
    for model, chips in CHIPS.items():
        own = model == "5"
        kernel = packages["modules" if own else "linux-image-arm64"]
        module = next(kernel.glob("usr/lib/modules/*/kernel/**/brcmfmac.ko.xz"))
        asked = set(run("modinfo", "-F", "firmware", module).split())
        trees = packages["base"] if own else kernel
        tree = next(trees.glob(f"usr/lib/**/broadcom/{TREES[model]}.dtb"))
        board = run("fdtget", "-t", "s", tree, "/", "compatible").split()[0]
        for chip in chips:
            name = f"brcmfmac{chip}-sdio"
            assert f"brcm/{name}.bin" in asked, "the driver knows the chip"
            wanted = [
                (f"{name}.{board}.bin", f"{name}.bin"),
                (f"{name}.{board}.txt", f"{name}.txt"),
            ]
            if f"brcm/{name}.clm_blob" in asked:
                wanted.append((f"{name}.{board}.clm_blob", f"{name}.clm_blob"))
            complete[model, chip] = all(
                any((folder / one).is_file() for folder in folders for one in names)
                for names in wanted
            )
    for model, (_, wifi) in listed().items():
        has = [complete[model, chip] for chip in CHIPS[model]]
        if wifi == "complete":
            assert has, model
            assert all(has), model
        else:
            assert not all(has) or not has, f"{model} has everything: say so in docs/image.md"
    assert complete["Zero 2 W", "43430"]
    long_run(models=len(CHIPS), complete=sum(complete.values()))


@pytest.mark.long
def test_the_boot_firmware_has_what_the_card_needs(packages: dict[str, Path]) -> None:
    build = (IMAGE / "build").read_text("utf-8")
    named = re.search(r"^FIRMWARE = \((.*?)\)", build, re.M | re.S)
    assert named is not None
    folder = packages["raspi-firmware"] / "usr/lib/raspi-firmware"
    for name in (*re.findall(r'"([^"]+)"', named[1]), "bootcode.bin"):
        assert (folder / name).stat().st_size > 1000, name
    locked = (IMAGE / "packages.lock").read_text("utf-8")
    version = re.search(r"^raspi-firmware 1\.(\d{4})", locked, re.M)
    assert version is not None
    assert int(version[1]) >= 2026


def test_the_firmware_fixes_the_clock_that_the_doctor_asks_for() -> None:
    from boardctl.app import doctor

    found: dict[str, list[str]] = {}
    section = "all"
    for line in (IMAGE / "boot/config.txt").read_text("utf-8").splitlines():
        if named := re.fullmatch(r"\[(\w+)\]", line):
            section = named[1]
        elif not line.startswith("#"):
            found.setdefault(section, []).append(line)
    filters = {"Pi 3": "pi3", "Compute Module 3": "pi3", "Zero": "pi02",
               "Pi 4": "pi4", "Compute Module 4": "pi4"}  # fmt: skip
    assert set(filters) == set(doctor._CORE)
    for model, setting in doctor._CORE.items():
        assert setting in found[filters[model]], model
    assert section == "all", "what comes after the last filter is for every model"
