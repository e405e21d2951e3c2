"""Debian's kernel with the card's device trees on emulated Raspberry Pis: SPI works, and a frame of
the driver leaves in one transfer.

Needs no image: the kernel is downloaded as in the build, and a small initramfs loads the card's
modules. It shows how a kernel uses the trees; `test_boot` starts the whole card. A model without an
emulated machine uses its tree on the machine with the same processor.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from boardctl.drivers import ws2812_spi
from tests.image.building import BUILT
from tests.image.guest import CONSOLES, Machine, emulated, emulator
from tests.image.test_packages import TREES, packages  # noqa: F401  # packages: a fixture
from tests.image.test_trees import Tree, patched
from tests.parts import need
from tests.report import LongRun

PATIENCE: Final = 500.0
"""Seconds after which a guest is abandoned; on two idle cores it takes 30."""
MODULES: Final = ("fixed", "bcm2835", "sdhci", "sdhci-pltfm", "sdhci-iproc", "spi-bcm2835")
"""The drivers of the card with its supply, of a Pi 3 and a Pi 4, and of SPI."""
INIT: Final = """\
#!/bin/busybox sh
busybox=/bin/busybox
$busybox --install -s /bin
PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t debugfs debug /sys/kernel/debug
mount -t tracefs trace /sys/kernel/tracing
for module in MODULES; do insmod "/$module.ko" || echo "REFUSED $module"; done
for _ in $(seq 50); do [ -e /dev/mmcblk0 ] && [ -e /dev/spidev0.0 ] && break; sleep 0.1; done
echo # a Pi 3's serial port begins with other bytes
echo "MODEL $(cat /proc/device-tree/model)"
for file in /dev/mmcblk0 /dev/spidev0.0; do [ -e $file ] && echo "THERE $file"; done
echo "LABEL $(sed -n 's/^gpiochip0:.*, //p' /sys/kernel/debug/gpio)"
echo 1 >/sys/kernel/tracing/events/spi/spi_transfer_start/enable
dd if=/frame of=/dev/spidev0.0 bs=65536 2>/dev/null
sed -n 's/.*spi_transfer_start: /TRANSFER /p' /sys/kernel/tracing/trace
echo END
poweroff -f
"""
FRAME: Final = b"\xff\x80\x01" + bytes(3 * 328)
"""As many LEDs as classic-2."""


@pytest.fixture(scope="module")
def qemu() -> list[str]:
    need("dtc", "cpio", "mmdebstrap")
    BUILT.joinpath("cache").mkdir(parents=True, exist_ok=True)
    try:
        return emulator(BUILT / "cache")
    except RuntimeError as error:
        pytest.skip(str(error))


def initramfs(found: Mapping[str, Path], folder: Path, frame: bytes) -> Path:
    """Return a file system in memory: busybox, the modules of card and SPI, a frame to send."""
    tree = folder / "tree"
    for name in ("bin", "proc", "sys", "dev"):
        (tree / name).mkdir(parents=True)
    shutil.copy(found["busybox-static"] / "usr/bin/busybox", tree / "bin/busybox")
    for name in MODULES:
        (packed,) = found["linux-image-arm64"].glob(f"usr/lib/modules/*/kernel/**/{name}.ko.xz")
        plain = subprocess.run(["xz", "-dc", packed], check=True, capture_output=True).stdout
        (tree / f"{name}.ko").write_bytes(plain)
    (tree / "frame").write_bytes(frame)
    (tree / "init").write_text(INIT.replace("MODULES", " ".join(MODULES)), "ascii")
    (tree / "init").chmod(0o755)
    names = "\n".join(str(one.relative_to(tree)) for one in sorted(tree.rglob("*")))
    image = folder / "initramfs"
    with image.open("wb") as out:
        subprocess.run(["cpio", "--quiet", "-o", "-H", "newc"], cwd=tree, input=names.encode(),
                       stdout=out, check=True)  # fmt: skip
    return image


MACHINES: Final[Mapping[str, Machine]] = {"bcm2837": "raspi3b", "bcm2711": "raspi4b"}
LABELS: Final[Mapping[Machine, str]] = {
    "raspi3b": "pinctrl-bcm2835",
    "raspi4b": "pinctrl-bcm2711",
}
PORTS: Final[Mapping[str, str]] = {"CM3": "ttyAMA0,115200"}
"""By model: its serial port, where its tree switches the machine's usual one off."""
MODELS: Final = sorted(set(TREES) - {"5"})
"""The models of docs/image.md but the Pi 5, whose processor QEMU lacks."""


def described(found: Mapping[str, Path], model: str) -> Path:
    """Return the kernel's device tree of a model."""
    files = found["linux-image-arm64"]
    return next(files.glob(f"usr/lib/linux-image-*/broadcom/{TREES[model]}.dtb"))


def started(
    qemu: list[str], found: Mapping[str, Path], folder: Path, model: str, frame: bytes
) -> dict[str, list[str]]:
    """Start the model's machine, and return its output until it is switched off: word -> values."""
    files = found["linux-image-arm64"]
    machine = MACHINES[TREES[model].partition("-")[0]]
    tree = emulated(patched(described(found, model), folder).path, machine)
    card = folder / "card"
    with card.open("wb") as file:
        file.truncate(64 << 20)
    port = PORTS.get(model, CONSOLES[machine])
    logs = [folder / "serial0", folder / "serial1"]
    command = [
        *qemu, "-M", machine, "-display", "none", "-no-reboot", "-icount", "shift=1,sleep=on",
        "-kernel", str(next((files / "boot").glob("vmlinuz-*"))),
        "-initrd", str(initramfs(found, folder, frame)), "-dtb", str(tree),
        *(word for log in logs for word in ("-serial", f"file:{log}")),
        "-drive", f"file={card},format=raw,if=sd",
        "-append", f"console={port} loglevel=3 panic=1 spidev.bufsiz=65536",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    text = ""
    try:
        while "\nEND" not in text and process.poll() is None and time.monotonic() < end:
            time.sleep(0.5)
            text = "".join(log.read_text("utf-8", "replace") for log in logs if log.exists())
    finally:
        process.kill()  # halted, its processor stays on
        process.wait(30)
    assert "\nEND" in text, text[-2000:]
    said: dict[str, list[str]] = {}
    for word, value in re.findall(r"^([A-Z]+) (.*?)\r?$", text, re.M):
        said.setdefault(word, []).append(value.strip("\0"))
    return said


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
def test_a_frame_leaves_in_one_transfer(
    qemu: list[str],
    packages: Mapping[str, Path],  # noqa: F811
    tmp_path: Path,
    model: str,
    long_run: LongRun,
) -> None:
    label = LABELS[MACHINES[TREES[model].partition("-")[0]]]
    bits = ws2812_spi.Options().bits
    wire = bytes(ws2812_spi.encode(FRAME, ws2812_spi.tables(bits), zeros=1))
    said = started(qemu, packages, tmp_path, model, wire)
    names = Tree(described(packages, model)).strings("/", "model")
    assert said["MODEL"] == [" ".join(names)]
    assert said["LABEL"] == [f"{label}:"], "the kernel looks for the chip select by this name"
    assert said["THERE"] == ["/dev/mmcblk0", "/dev/spidev0.0"]
    (transfer,) = said["TRANSFER"]
    assert f"len={len(wire)} " in transfer
    sent = re.search(r"tx=\[([0-9a-f-]+)\]", transfer)
    assert sent is not None
    begin = bytes.fromhex(sent[1].replace("-", ""))
    assert begin == wire[: len(begin)]
    assert len(begin) > 3 * bits, "the first LED is in it"
    long_run(model=said["MODEL"][0], bytes=len(wire))
