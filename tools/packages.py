"""Packages from which a tool takes files. Each is identified by its version and checksum, and
fetched by its own client (npm, apt)."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple


class Package(NamedTuple):
    """A package: how its client fetches it, and its file's SHA-256."""

    fetch: tuple[str, ...]
    sha256: str


def fetched(package: Package, folder: Path) -> bytes:
    """Return the package's file, as delivered by its client. The file is stored in a folder once it
    is complete.

    Raises:
        SystemExit: if it has another checksum.
    """
    place = folder / package.sha256
    if not place.exists() or not any(place.iterdir()):
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as new:
            half = Path(new) / package.sha256
            half.mkdir()
            subprocess.run(package.fetch, cwd=half, check=True, stdout=subprocess.DEVNULL)
            half.replace(place)
    (file,) = place.iterdir()
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != package.sha256:
        raise SystemExit(f"{file.name} has another checksum than {package.sha256}")
    return content
