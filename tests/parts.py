"""External programs and libraries that tests require: a compiler, an emulator, a browser and so on.

A test begins by naming its requirements, `need("avr-gcc", "simavr")`, and is skipped with the
reason if one is missing. With `CI=true` in the environment it fails instead, so no test is skipped
unnoticed. `make system` installs them; `tests/system-packages.txt` lists the Debian packages. The
last lines of a run list the missing parts, and how many tests wait for each.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import pytest


class Part(NamedTuple):
    """The Debian package that provides a part, and whether it is installed."""

    package: str
    found: Callable[[], bool]
    builds: str = ""
    """The Python or npm package that is built with it, if the part is one."""

    @property
    def name(self) -> str:
        """The name that a reader searches for."""
        return f"{self.builds} ({self.package})" if self.builds else self.package


def command(name: str, package: str | None = None) -> Part:
    """Return a program on the path, by default in the package with the same name."""
    return Part(package or name, lambda: shutil.which(name) is not None)


def file(pattern: str, package: str) -> Part:
    """Return a file under `/usr`: a header, a library; `pattern` as for `Path.glob`."""
    return Part(package, lambda: any(Path("/usr").glob(pattern)))


def python(name: str, package: str) -> Part:
    """Return a Python package that is compiled on installation (`requirements-pi.lock`)."""
    return Part(package, lambda: find_spec(name) is not None, builds=name)


BUILD: Final = Path(__file__).with_name("firmware") / "build" / "pico"
"""The folder into which `python -m tests.firmware.pico` installs the emulator of a Pico."""


def has_pico_emulator() -> bool:
    """Return whether the emulator is installed, as pinned in its lock file."""
    lock = Path(__file__).with_name("firmware") / "emulator" / "package-lock.json"
    done = BUILD / "installed"
    return done.is_file() and done.read_bytes() == lock.read_bytes()


def installed_browser() -> Path | None:
    """Return Debian's Chromium: without its windows, which starts in half the time, or with
    them."""
    names = ("chromium-headless-shell", "chromium")
    return next((Path(path) for name in names if (path := shutil.which(name))), None)


def has_pyodide() -> bool:
    """Return whether the Python of the board in a browser's tab is installed (`tools.tab
    --install`)."""
    root = Path(__file__).parents[1]
    done, lock = root / "build/tab/installed", root / "packaging/tab/package-lock.json"
    return done.is_file() and done.read_bytes() == lock.read_bytes()


MINIBROWSER: Final = next(Path("/usr/lib").glob("*/webkit*/MiniBrowser"), None)
"""WebKitGTK's own small browser, from the library's package; None if it is not installed."""

PARTS: Final[dict[str, Part]] = {
    "apt-get": command("apt-get", "apt"),
    "arm-none-eabi-gcc": command("arm-none-eabi-gcc", "gcc-arm-none-eabi"),
    "avahi": Part("avahi-daemon", lambda: Path("/usr/sbin/avahi-daemon").exists()),
    "avahi-browse": command("avahi-browse", "avahi-utils"),
    "avr-gcc": command("avr-gcc", "gcc-avr"),
    "avr-libc": file("lib/avr/include/avr/io.h", "avr-libc"),
    "bsdgames": file("games/cribbage", "bsdgames"),
    "busybox": command("busybox", "busybox-static"),
    "cc": command("cc", "gcc"),
    "chromium": Part("chromium-headless-shell", lambda: installed_browser() is not None),
    "cpio": command("cpio"),
    "dbus-daemon": command("dbus-daemon", "dbus-daemon"),
    "dpkg-deb": command("dpkg-deb", "dpkg"),
    "dtc": command("fdtoverlay", "device-tree-compiler"),
    "firefox": command("firefox-esr"),
    "evdev": python("evdev", "python3-dev"),
    "espeak-ng": command("espeak-ng"),
    "festival": command("text2wave", "festival"),
    "festvox-kal": file("share/festival/voices/*/kal_diphone/festvox", "festvox-kallpc16k"),
    "festvox-slt": file("share/festival/voices/*/cmu_us_slt_arctic_hts", "festvox-us-slt-hts"),
    "flite": command("flite"),
    "kakasi": command("kakasi"),
    "gcc-arm64": command("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
    "gcc-armhf": command("arm-linux-gnueabihf-gcc", "gcc-arm-linux-gnueabihf"),
    "gnome-cards-data": file("share/aisleriot/cards/anglo_poker.svgz", "gnome-cards-data"),
    "ip": command("ip", "iproute2"),
    "kernel": Part(
        "linux-image-amd64", lambda: any(Path("/lib/modules").glob("*/kernel/fs/9p/9p.ko*"))
    ),
    "kernel-headers": Part(
        "linux-headers-amd64", lambda: any(Path("/lib/modules").glob("*/build/Makefile"))
    ),
    "kicad": file("lib/python3/dist-packages/pcbnew.py", "kicad"),
    "lgpio": python("lgpio", "python3-dev"),
    "libelf": file("include/gelf.h", "libelf-dev"),
    "make": command("make"),
    "misaki": file("share/fonts/truetype/misaki/misaki_gothic.ttf", "fonts-misaki"),
    "lintian": command("lintian"),
    "mosquitto": Part("mosquitto", lambda: Path("/usr/sbin/mosquitto").exists()),
    "mmdebstrap": command("mmdebstrap"),
    "modprobe": Part("kmod", lambda: Path("/usr/sbin/modprobe").exists()),
    "postgresql": Part(
        "postgresql", lambda: any(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    ),
    "pyodide": Part("npm", has_pyodide, builds="pyodide"),
    "qemu": command("qemu-system-x86_64", "qemu-system-x86"),
    "qemu-user": Part("qemu-user-static", lambda: Path("/usr/bin/qemu-arm-static").exists()),
    "newlib": file("lib/arm-none-eabi/include/string.h", "libnewlib-arm-none-eabi"),
    "node": command("node", "npm"),
    "openscad": command("openscad"),
    "sfdisk": Part("fdisk", lambda: Path("/usr/sbin/sfdisk").exists()),
    "rp2040js": Part("npm", has_pico_emulator, builds="rp2040js"),
    "rsvg-convert": command("rsvg-convert", "librsvg2-bin"),
    "simavr": file("include/simavr/sim_avr.h", "libsimavr-dev"),
    "sox": command("sox"),
    "spidev": python("spidev", "python3-dev"),
    "swig": command("swig"),
    "webkit": Part(
        "webkit2gtk-driver",
        lambda: shutil.which("WebKitWebDriver") is not None and MINIBROWSER is not None,
    ),
    "xvfb": command("Xvfb", "xvfb"),
    "systemd-analyze": command("systemd-analyze", "systemd"),
}
"""All parts that a test may need, by name."""


_REASON: Final = re.compile(r"needs (.+); `make system` installs what is missing")


def need(*names: str) -> None:
    """Skip the calling test, or fail it with `CI=true`, if one of these parts is missing.

    Raises:
        KeyError: if a name is not in `PARTS`.
    """
    missing = [PARTS[name].name for name in names if not PARTS[name].found()]
    if not missing:
        return
    reason = f"needs {', '.join(missing)}; `make system` installs what is missing"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def summary(reasons: Iterable[str]) -> Iterator[str]:
    """Return lines that list the missing parts, and how many tests wait for each.

    Args:
        reasons: the reasons why tests were skipped, one for each; other reasons than missing parts
            are ignored.
    """
    found = [one[1] for reason in reasons if (one := _REASON.search(reason))]
    waiting = Counter(name for names in found for name in names.split(", "))
    if not waiting:
        return
    yield f"{len(found)} tests were skipped because parts are missing:"
    for name, tests in sorted(waiting.items(), key=lambda one: (-one[1], one[0])):
        yield f"{tests:6}  {name}"
    yield "`make system` installs them (with apt and npm, as root or by sudo)."
