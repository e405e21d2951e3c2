"""The image's entry for the Raspberry Pi Imager: its description, its checksums, and the supported
Pis.

The format is that of raspberrypi/rpi-imager, doc/json-schema/os-list-schema.json. With
`init_format` "rpi-preseed" the Imager offers its settings and writes them to the first partition as
rpi-preseed.toml, which `files/usr/lib/boardctl-card/owner` applies.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

DEVICES = ("pi5-64bit", "pi4-64bit", "pi3-64bit")
"""The Imager's names. The first includes the 500 and CM5, for which the image has no device tree;
the last includes the Zero 2 W."""


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def entry(image: Path, packed: Path, icon: Path, when: int, url: str) -> dict[str, Any]:
    """Return the Imager's list with this image as its only system.

    Args:
        image: the uncompressed image.
        packed: the compressed image for download.
        icon: a picture of at least 40 by 40 pixels (SVG), which becomes part of the entry.
        when: the time of the commit in seconds since 1970.
        url: the address of `packed`.
    """
    picture = base64.b64encode(icon.read_bytes()).decode("ascii")
    return {
        "os_list": [
            {
                "name": "boardctl",
                "description": "A cribbage board without pegs: flash, join its Wi-Fi, play",
                "icon": f"data:image/svg+xml;base64,{picture}",
                "url": url,
                "extract_size": image.stat().st_size,
                "extract_sha256": digest(image),
                "image_download_size": packed.stat().st_size,
                "image_download_sha256": digest(packed),
                "release_date": datetime.fromtimestamp(when, UTC).date().isoformat(),
                "init_format": "rpi-preseed",
                "devices": list(DEVICES),
                "architecture": "armv8",
            }
        ]
    }
