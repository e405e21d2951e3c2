"""A guest with real Linux GPIO and SPI: Debian's stock kernel in QEMU, with two modules of ours.

The guest uses the host's file system, read-only over 9p, so it runs this checkout with this Python.
`boot` builds modules and initramfs (a few seconds, once a session), runs one Python module inside,
and returns its output: one JSON object per line. Software emulation needs no privileges but is
slow, so nothing here is timed, only counted.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[2]
GUEST: Final = Path(__file__).with_name("guest")
MODULES: Final = ("virtio_pci", "9pnet_virtio", "9p", "spidev", "evdev", "uinput")
"""The stock kernel modules for the guest, and their dependencies."""
PATIENCE: Final = 300
"""Seconds without output after which a guest is abandoned."""


def kernel() -> tuple[str, Path]:
    """Return the newest installed kernel with its headers: version, image."""
    found = [
        image
        for image in Path("/boot").glob("vmlinuz-*")
        if (Path("/lib/modules") / image.name.removeprefix("vmlinuz-") / "build").exists()
    ]
    if not found:
        pytest.fail("no kernel in /boot has its headers installed")
    newest = max(found, key=lambda p: [int(n) for n in re.findall(r"\d+", p.name)])
    return newest.name.removeprefix("vmlinuz-"), newest


def _run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command[0]}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def _modules(version: str, work: Path, more: tuple[str, ...]) -> list[Path]:
    """Return our modules, built, after the stock ones that they and the guest need, in loading
    order."""
    source = work / "source"
    shutil.copytree(GUEST, source)
    _run("make", "-C", f"/lib/modules/{version}/build", f"M={source}", "modules")
    stock: list[Path] = []
    for name in (*MODULES, *more):
        shown = _run("/usr/sbin/modprobe", "-S", version, "--show-depends", name)
        for line in shown.splitlines():
            word, _, path = line.partition(" ")
            if word == "insmod" and Path(path.strip()) not in stock:
                stock.append(Path(path.strip()))
    return [*stock, source / "header.ko", source / "recorder.ko"]


def _initramfs(version: str, work: Path, module: str, more: tuple[str, ...], first: str) -> Path:
    tree = work / "tree"
    for folder in ("bin", "proc", "sys", "dev", "mnt", "modules"):
        (tree / folder).mkdir(parents=True)
    shutil.copy("/bin/busybox", tree / "bin" / "busybox")
    order = []
    for path in _modules(version, work, more):
        name = path.name
        target = tree / "modules" / name
        if name.endswith(".xz"):
            import lzma

            name = name.removesuffix(".xz")
            target = target.with_name(name)
            target.write_bytes(lzma.decompress(path.read_bytes()))
        else:
            shutil.copy(path, target)
        order.append(name)
    (tree / "modules" / "order").write_text("\n".join(order) + "\n", "ascii")
    init = (GUEST / first).read_text("utf-8")
    for mark, value in (
        ("__ROOT__", str(ROOT)),
        ("__PYTHON__", sys.executable),
        ("__MODULE__", module),
    ):
        init = init.replace(mark, value)
    (tree / "init").write_text(init, "utf-8")
    (tree / "init").chmod(0o755)
    names = "\n".join(str(p.relative_to(tree)) for p in sorted(tree.rglob("*")))
    image = work / "initramfs"
    with image.open("wb") as out:
        subprocess.run(
            ["cpio", "--quiet", "-o", "-H", "newc"],
            cwd=tree,
            input=names.encode(),
            stdout=out,
            check=True,
        )
    return image


def boot(
    module: str,
    work: Path,
    more: tuple[str, ...] = (),
    first: str = "init",
    patience: int = PATIENCE,
) -> list[dict[str, Any]]:
    """Boot a guest with `more` kernel modules, run a Python module in it as root, with arguments
    after its name, and power off. Return the objects that it printed. `first` is the guest's first
    program, `patience` the seconds after which the guest is abandoned."""
    version, image = kernel()
    answer = work / "answer"
    console = work / "console"
    command = [
        "qemu-system-x86_64", "-accel", "tcg", "-M", "q35", "-cpu", "max", "-m", "1024",
        "-display", "none", "-no-reboot", "-nic", "none",
        "-serial", f"file:{console}", "-serial", f"file:{answer}",
        "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap",
        "-kernel", str(image), "-initrd", str(_initramfs(version, work, module, more, first)),
        "-append", "console=ttyS0 quiet panic=-1 loglevel=3 mitigations=off spidev.bufsiz=65536 "
        "no_timer_check",  # on a busy host the kernel's own test of its timer fails
    ]  # fmt: skip
    try:
        subprocess.run(command, check=True, timeout=patience, capture_output=True)
    except subprocess.TimeoutExpired:
        pytest.fail(f"the guest hangs: {_tail(console)} {_tail(answer)}")
    said = _tail(console)
    assert "guest done, status 0" in said, said + _tail(answer)
    return [json.loads(line) for line in answer.read_text("utf-8").splitlines()]


def _tail(path: Path) -> str:
    return path.read_text("utf-8", "replace")[-3000:] if path.exists() else ""
