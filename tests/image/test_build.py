"""The image is built a second time: the same commit gives the same bytes.

Needs `make image` of this commit and root.
"""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.image.building import BUILT, IMAGE, ROOT
from tests.image.guest import Card
from tests.report import LongRun

MADE_AT = struct.Struct("<8xI")
"""The beginning of a squashfs: magic number, count of inodes, and its creation time, which is the
commit's (Linux, fs/squashfs/squashfs_fs.h)."""


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@pytest.mark.long
def test_the_same_commit_gives_the_same_bytes(tmp_path: Path, long_run: LongRun) -> None:
    """Only the base Debian comes from the first build's cache. The update is not compared: its
    signature contains random numbers, and its content is a partition of the image."""
    image = BUILT / "boardctl-card.img"
    if os.geteuid() != 0 or not image.exists():
        pytest.skip("needs root and an image: run `sudo make image`")
    commit = subprocess.run(
        ["git", "-C", ROOT, "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True
    ).stdout
    if MADE_AT.unpack_from(Card(image).read(2, "root.squashfs")) != (int(commit),):
        pytest.skip("the image is that of another commit: run `make image`")
    (tmp_path / "cache").mkdir()
    for base in (BUILT / "cache").glob("base-*.tar"):
        (tmp_path / "cache" / base.name).symlink_to(base)
    subprocess.run([sys.executable, IMAGE / "build", tmp_path], check=True)
    for name in ("boardctl-card.img.xz", "manifest.json"):
        assert digest(tmp_path / name) == digest(BUILT / name), name
    long_run(image_bytes=(BUILT / "boardctl-card.img.xz").stat().st_size)
