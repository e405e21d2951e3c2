"""The card in an emulated machine: `Guest` takes the role of the Raspberry Pi's firmware.

Like the firmware, it reads autoboot.txt on the first partition and takes kernel, initramfs and
device tree from the partition named there. QEMU 9 or later (for the Pi's SPI) is taken from the
machine or fetched from Debian 13 into a separate folder.
"""

from __future__ import annotations

import base64
import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

MIB: Final = 1024 * 1024
Machine = Literal["virt", "raspi3b", "raspi4b"]
TREES: Final[dict[str, str]] = {
    "raspi3b": "bcm2837-rpi-3-b.dtb", "raspi4b": "bcm2711-rpi-4-b.dtb",
}  # fmt: skip
"""The card's device tree for each emulated Raspberry Pi."""
CONSOLES: Final[dict[str, str]] = {
    "virt": "ttyAMA0", "raspi3b": "ttyS1,115200", "raspi4b": "ttyAMA0,115200",
}  # fmt: skip
"""The serial port of each machine; the kernel stops the clock of a Pi 4's second one in QEMU."""
_UNEMULATED: Final = (
    "clock@7ef00000", "interrupt-controller@7ef00100", "hdmi@7ef00700", "hdmi@7ef05700",
    "hvs@7e400000", "pixelvalve@7e206000", "pixelvalve@7e207000", "pixelvalve@7e20a000",
    "pixelvalve@7e216000", "pixelvalve@7ec12000", "i2c@7ef04500", "i2c@7ef09500",
)  # fmt: skip
"""Nodes below /soc of a Pi 4 that QEMU 10 lacks: access to them stops the kernel."""

_UNIT: Final = """\
[Unit]
After=boardctl.service
[Service]
Type=oneshot
TimeoutStartSec=infinity
ExecStart=/usr/bin/python3 /data/probe.py {steps}
StandardOutput=tty
StandardError=tty
TTYPath=/dev/console
"""


def emulator(cache: Path) -> list[str]:
    """Return the command that starts QEMU 9 or later for arm64; fetch it if the machine has none.

    Raises:
        RuntimeError: if there is none and it cannot be fetched.
    """
    here = shutil.which("qemu-system-aarch64")
    if here is not None:
        output = subprocess.run([here, "--version"], capture_output=True, text=True, check=True)
        version = re.search(r"version (\d+)", output.stdout)
        if version is not None and int(version[1]) >= 9:
            return [here]
    tree = cache / "emulator"
    if not tree.exists():
        part = cache / "emulator.part"
        shutil.rmtree(part, ignore_errors=True)
        done = subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", "--include=qemu-system-arm,qemu-utils",
             "trixie", str(part), "http://deb.debian.org/debian"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise RuntimeError(f"QEMU cannot be fetched: {done.stderr[-300:]}")
        part.rename(tree)
    modules = tree / "usr/lib/x86_64-linux-gnu/qemu"  # not those of this machine's QEMU
    return ["env", f"QEMU_MODULE_DIR={modules}", *_inside(tree, "qemu-system-aarch64"),
            "-L", str(tree / "usr/share/qemu")]  # fmt: skip


def _inside(tree: Path, program: str) -> list[str]:
    libraries = str(tree / "usr/lib/x86_64-linux-gnu")
    loader = str(tree / "usr/lib64/ld-linux-x86-64.so.2")
    return [loader, "--library-path", libraries, str(tree / "usr/bin" / program)]


def emulated(tree: Path, machine: Machine) -> Path:
    """Remove nodes from a card's device tree that QEMU's Raspberry Pi lacks, and return the tree.

    QEMU has no DMA for SPI; without the property the kernel's driver does not use it. QEMU's Pi 4
    connects the card to the controller that a real one uses for its Wi-Fi, and lacks that
    controller's reset.
    """
    for name in ("dmas", "dma-names"):
        subprocess.run(["fdtput", "-d", tree, "/soc/spi@7e204000", name], check=True)
    if machine == "raspi4b":
        for node in _UNEMULATED:
            subprocess.run(
                ["fdtput", "-t", "s", tree, f"/soc/{node}", "status", "disabled"], check=True
            )
        subprocess.run(["fdtput", "-d", tree, "/soc/mmc@7e300000", "mmc-pwrseq"], check=True)
        subprocess.run(["fdtput", "-r", tree, "/soc/serial@7e201000/bluetooth"], check=True)
    return tree


class Card:
    """A card's image file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def flash(cls, image: Path, path: Path, gibibytes: int = 2) -> Card:
        """Write the image to a new card of this size."""
        subprocess.run(["cp", "--sparse=always", image, path], check=True)
        os.truncate(path, gibibytes * 1024 * MIB)
        return cls(path)

    def offset(self, partition: int) -> int:
        """Return the offset of a partition in bytes, from the partition table."""
        with self.path.open("rb") as file:
            file.seek(446 + 16 * (partition - 1) + 8)
            return 512 * int.from_bytes(file.read(4), "little")

    def read(self, partition: int, name: str) -> bytes:
        """Return a file of a FAT partition."""
        where = f"{self.path}@@{self.offset(partition)}"
        return subprocess.run(
            ["mtype", "-i", where, f"::{name}"], check=True, stdout=subprocess.PIPE
        ).stdout

    def write(self, partition: int, name: str, content: bytes) -> None:
        """Write or replace a file of a FAT partition."""
        where = f"{self.path}@@{self.offset(partition)}"
        subprocess.run(["mcopy", "-o", "-i", where, "-", f"::{name}"], check=True, input=content)

    def size(self, partition: int) -> int:
        """Return the size of a partition in bytes, from the partition table."""
        with self.path.open("rb") as file:
            file.seek(446 + 16 * (partition - 1) + 12)
            return 512 * int.from_bytes(file.read(4), "little")

    def grow(self) -> None:
        """Grow the data partition to the end of the card, as the card does at its first start."""
        subprocess.run(
            ["sfdisk", "--quiet", "--no-reread", "--no-tell-kernel", "-N", "4", self.path],
            check=True, input=b", +\n",
        )  # fmt: skip
        with self._device() as device:
            subprocess.run(["e2fsck", "-f", "-p", device], check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["resize2fs", device], check=True, capture_output=True)

    def repair(self) -> int:
        """Repair the data partition as the card's init does. Return the exit status of e2fsck,
        which is below 4 if all is well (e2fsck(8))."""
        with self._device() as device:
            return subprocess.run(["e2fsck", "-p", device], check=False).returncode

    @contextlib.contextmanager
    def _device(self) -> Iterator[str]:
        """Provide the data partition as a block device of the host."""
        device = subprocess.run(
            ["losetup", "--find", "--show", f"--offset={self.offset(4)}",
             f"--sizelimit={self.size(4)}", self.path],
            check=True, text=True, stdout=subprocess.PIPE,
        ).stdout.strip()  # fmt: skip
        try:
            yield device
        finally:
            subprocess.run(["losetup", "--detach", device], check=True)

    def twin(self) -> None:
        """Fill the second system's partition with a copy of the first system."""
        start, end, data = self.offset(2), self.offset(3), self.offset(4)
        with self.path.open("r+b") as file:
            for block in range(0, min(end - start, data - end), 4 * MIB):
                file.seek(start + block)
                content = file.read(4 * MIB)
                file.seek(end + block)
                file.write(content)

    def booted(self) -> int:
        """Return the partition that the firmware would start."""
        found = re.search(rb"boot_partition=([23])", self.read(1, "autoboot.txt"))
        assert found is not None
        return int(found[1])

    @contextlib.contextmanager
    def data(self) -> Iterator[Path]:
        """Mount the data partition's files on the host."""
        folder = self.path.with_suffix(".data")
        folder.mkdir(exist_ok=True)
        subprocess.run(
            ["mount", "-o", f"loop,offset={self.offset(4)}", self.path, folder], check=True
        )
        try:
            yield folder
        finally:
            subprocess.run(["umount", folder], check=True)

    def put(self, files: Mapping[str, str | Path]) -> None:
        """Write files to the data partition: text, or a file to copy."""
        with self.data() as folder:
            for name, content in files.items():
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                if isinstance(content, Path):
                    shutil.copy(content, target)
                else:
                    target.write_text(content, "utf-8")


class Guest:
    """One run of a machine with a card, as a context manager; the power is cut at its end."""

    def __init__(
        self, qemu: list[str], card: Card, machine: Machine = "virt", *, memory: int = 512,
        steps: str = "", log: Path | None = None, skip: bool = False, kernel: str = "vmlinuz",
    ) -> None:  # fmt: skip
        """Args:
        steps: the steps that the probe runs.
        log: the file to which every write to the card is also logged (`write_log`).
        skip: whether to skip the time in which the guest only waits; its days then pass in
        minutes.
        kernel: the file of the card that is started; a Pi 5 starts another than the rest."""
        self.card = card
        self._kernel = kernel
        self.log = card.path.with_suffix(".log")
        self._monitor = card.path.with_suffix(".monitor")
        self._process: subprocess.Popen[bytes] | None = None
        self._sleep = "off" if skip else "on"
        self._began = 0.0
        self._shown = 0
        self._command = [*qemu, *self._machine(machine, memory, steps, log)]

    def _machine(self, machine: Machine, memory: int, steps: str, log: Path | None) -> list[str]:
        folder = self.card.path.parent
        slot = self.card.booted()
        for name in (self._kernel, "initrd.img"):
            (folder / name).write_bytes(self.card.read(slot, name))
        unit = base64.b64encode(_UNIT.format(steps=steps).encode()).decode()
        line = self.card.read(slot, "cmdline.txt").decode().split()
        line = [word for word in line if not word.startswith("console=")]
        line += [f"console={CONSOLES[machine]}", "systemd.show_status=0"]
        if machine != "virt":  # QEMU's power manager takes the watchdog's start for a reset
            line += ["systemd.watchdog_sec=0"]
        if steps:
            line += [
                f"systemd.set_credential_binary=systemd.extra-unit.probe.service:{unit}",
                "systemd.wants=probe.service",
            ]
        # The guest's clock counts its instructions, 500 million a second, so other load on the host
        # makes it neither late nor slow. While it sleeps, its seconds are real or skipped. If they
        # are skipped, a late answer of the disk seems to take minutes, and watchdogs may bite. Like
        # a Pi, the machine does not know the date.
        out = ["-M", machine, "-display", "none", "-no-reboot",
               "-icount", f"shift=1,sleep={self._sleep}", "-rtc", "base=1970-01-01,clock=vm",
               "-kernel", str(folder / self._kernel), "-initrd", str(folder / "initrd.img"),
               "-serial", f"file:{self.log}",
               "-monitor", f"unix:{self._monitor},server=on,wait=off"]  # fmt: skip
        drive = f"file={self.card.path},format=raw,cache=writeback"
        if machine == "virt":
            out += ["-cpu", "cortex-a53", "-m", str(memory), "-nic", "none"]
            if log is None:
                out += ["-drive", f"{drive},if=virtio"]
            else:
                log.write_bytes(b"")
                out += ["-blockdev", f"driver=file,filename={self.card.path},node-name=card",
                        "-blockdev", f"driver=file,filename={log},node-name=log",
                        "-blockdev", "driver=blklogwrites,file=card,log=log,node-name=logged",
                        "-device", "virtio-blk-pci,drive=logged"]  # fmt: skip
        else:
            tree = folder / TREES[machine]
            tree.write_bytes(self.card.read(slot, tree.name))
            out += ["-dtb", str(emulated(tree, machine)), "-serial", f"file:{self.log}.1",
                    "-drive", f"{drive},if=sd"]  # fmt: skip
        return [*out, "-append", " ".join(line)]

    def __enter__(self) -> Guest:
        self.log.unlink(missing_ok=True)
        self._began = time.monotonic()
        self._process = subprocess.Popen(self._command, start_new_session=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def cut(self) -> None:
        """Cut the power."""
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait(30)

    def text(self) -> str:
        """Return the output of the serial console."""
        logs = [path for path in (self.log, Path(f"{self.log}.1")) if path.exists()]
        return "".join(path.read_text("utf-8", "replace") for path in logs)

    def said(self) -> dict[str, list[str]]:
        """Return the probe's output so far: name -> values."""
        found: dict[str, list[str]] = {}
        lines = re.findall(r"PROBE (\w+) ?(.*?)\r?\n", self.text())
        for name, value in lines:
            found.setdefault(name, []).append(value)
        for name, value in lines[self._shown :]:
            print(f"  {time.monotonic() - self._began:4.0f} s  {name} {value}", flush=True)
        self._shown = len(lines)
        return found

    def wait(self, name: str, seconds: float) -> str:
        """Wait until the probe reports this, and return its value. Raises TimeoutError."""
        return self.wait_for(lambda said: name in said, seconds)[name][-1]

    def wait_for(
        self, come: Callable[[dict[str, list[str]]], bool], seconds: float
    ) -> dict[str, list[str]]:
        """Wait for something in the output. Raises TimeoutError with the console's end."""
        end = time.monotonic() + seconds
        while True:
            if come(said := self.said()):
                return said
            ended = self._process is None or self._process.poll() is not None
            if ended or time.monotonic() > end:
                raise TimeoutError(f"it was not said: {self.text()[-1500:]}")
            time.sleep(0.2)

    def finish(self, seconds: float) -> None:
        """Wait until the guest has switched itself off."""
        assert self._process is not None
        self._process.wait(seconds)

    def monitor(self, command: str) -> str:
        """Run a command of QEMU's monitor, and return its output."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(120)
            line.connect(str(self._monitor))
            self._until_prompt(line)
            line.sendall(command.encode() + b"\n")
            return self._until_prompt(line)

    @staticmethod
    def _until_prompt(line: socket.socket) -> str:
        heard = b""
        while not heard.endswith(b"(qemu) "):
            heard += line.recv(65536)
        return heard.decode("utf-8", "replace")
