"""The contents of a card: its partition table, its packages and their licences."""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

DISK_ID: Final = 0xB0A2DCA2
"""The disk ID of the partition table; etc/udev/rules.d/90-boardctl-card.rules refers to it."""
LOCK: Final = Path(__file__).with_name("packages.lock")
PI_LOCK: Final = Path(__file__).parents[2] / "requirements-pi.lock"
OURS: Final = ("boardctl", "boardctl-libraries", "lgpio")
"""The parts of the image that no Debian package contains."""


def partition_table(partitions: list[tuple[int, int, int]]) -> bytes:
    """Return a master boot record: (type, start, size) in MiB, at most four."""
    far = b"\xfe\xff\xff"  # "see the sector numbers": no heads and cylinders
    entries = b"".join(
        struct.pack("<B3sB3sII", 0, far, kind, far, start * 2048, size * 2048)
        for kind, start, size in partitions
    )
    return bytes(440) + struct.pack("<IH", DISK_ID, 0) + entries.ljust(64, b"\0") + b"\x55\xaa"


def versions(tree: Path, parts: dict[str, Path]) -> dict[str, str]:
    """Return every Debian package in the image, with its version."""

    def fields(text: str) -> dict[str, str]:
        return dict(re.findall(r"^(Package|Version): (.*)$", text, re.M))

    stanzas = (tree / "var/lib/dpkg/status").read_text("utf-8").split("\n\n")
    stanzas += [(files / "DEBIAN/control").read_text("utf-8") for files in parts.values()]
    found = [fields(stanza) for stanza in stanzas if stanza.strip()]
    return {one["Package"]: one["Version"] for one in sorted(found, key=lambda f: f["Package"])}


def licences(name: str, roots: list[Path]) -> str:
    """Return the licences that a package's copyright file names, if it follows DEP 5."""
    docs = [root / "usr/share/doc" for root in roots]
    named = next((doc / name for doc in docs if (doc / name).is_symlink()), Path(name))
    name = named.readlink().name if named.is_symlink() else name  # documented by this package
    files = [doc / name / "copyright" for doc in docs]
    text = "".join(path.read_text("utf-8", "replace") for path in files if path.is_file())
    names = sorted(set(re.findall(r"^License: *(\S.*)$", text, re.M)))
    return ", ".join(names) or f"in words: /usr/share/doc/{name}/copyright"


def keep_notices(parts: Iterable[Path], docs: Path) -> None:
    """Copy the copyright files of unpacked packages to a root's folder usr/share/doc."""
    for files in parts:
        for notice in sorted(files.glob("usr/share/doc/*/copyright")):
            folder = docs / notice.parent.name
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(notice, folder / notice.name)


def contents(found: dict[str, str], roots: list[Path]) -> dict[str, dict[str, str]]:
    """Return the manifest: each package's version and licences."""
    listed = {
        name: {"version": version, "licences": licences(name, roots)}
        for name, version in found.items()
    }
    (lgpio,) = re.findall(r"^lgpio==(\S+)", PI_LOCK.read_text("utf-8"), re.M)
    return listed | {"lgpio": {"version": lgpio, "licences": "Unlicense"}}


def bill_of_materials(
    listed: dict[str, dict[str, str]], version: str, when: int
) -> dict[str, object]:
    """Return the manifest in the format of vulnerability scanners: CycloneDX 1.6.

    Args:
        listed: each package's version and licences, as returned by `contents`.
        version: of the program.
        when: the time of the commit in seconds since 1970.
    """
    card = {"type": "firmware", "bom-ref": "card", "name": "boardctl-card", "version": version}
    components = [
        {
            "type": "library",
            "bom-ref": name,
            "name": name,
            "version": one["version"],
            "licenses": [{"license": {"name": one["licences"]}}],
            **({"purl": _purl(name, one["version"])} if name not in OURS else {}),
        }
        for name, one in listed.items()
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(when, UTC).isoformat(),
            "component": card,
        },
        "components": components,
        "dependencies": [{"ref": "card", "dependsOn": list(listed)}],
    }


def _purl(name: str, version: str) -> str:
    """Return a Debian package's address (package-url specification, type "deb")."""
    at = quote(version, safe="")
    return f"pkg:deb/debian/{quote(name, safe='')}@{at}?arch=arm64&distro=trixie"


def sources(moment: str) -> str:
    """Return the locations of the source code for every package in the manifest.

    Args:
        moment: the date of the packages, such as 20261122T090000Z.
    """
    return f"""\
The sources of the packages in manifest.json
=============================================

Debian keeps the source of every version for good. For the packages of this image, as of {moment}:

    echo "deb-src https://snapshot.debian.org/archive/debian/{moment} trixie main \\
      non-free-firmware" >/etc/apt/sources.list.d/card.list
    apt-get -o Acquire::Check-Valid-Until=false update
    apt-get source PACKAGE=VERSION

with a package and its version from manifest.json (raspi-firmware: sid instead of trixie; the second
kernel: trixie-backports); or https://snapshot.debian.org/package/PACKAGE/VERSION/. The modules
spi-dw and spi-dw-mmio are compiled from drivers/spi of the package linux-source. lgpio is from the
source archive that requirements-pi.lock names. The firmware of the Pi's processor and of its Wi-Fi
is published as binaries only; its licences are in the image, below /usr/share/doc. Everything else,
with the program that builds the image, is in this project's own repository.
"""


def locked_at() -> str:
    """Return the time at which the lock file's versions were Debian's, such as 20261122T090000Z."""
    return LOCK.read_text("utf-8").splitlines()[1].split()[-1]


def check_lock(found: dict[str, str], update: str | None) -> None:
    """Compare the versions in the image with the locked versions.

    Args:
        found: the versions of this build.
        update: the moment at which these versions were Debian's, to lock them; None to compare.

    Raises:
        SystemExit: naming the differences.
    """
    lines = "".join(f"{name} {version}\n" for name, version in found.items() if name != "boardctl")
    if update is not None:
        head = "Debian packages of the card image; written by packaging/image/build --update-lock"
        LOCK.write_text(f"# {head}\n# as of {update}\n{lines}", "utf-8")
        return
    known = set(LOCK.read_text("utf-8").splitlines()[2:])
    if changed := sorted(set(lines.splitlines()) ^ known):
        raise SystemExit(
            "Debian has other versions than packages.lock: "
            + "; ".join(changed[:10])
            + ": build with --update-lock and run `make image-test`, or build these versions with "
            + f"--snapshot {locked_at()}"
        )
