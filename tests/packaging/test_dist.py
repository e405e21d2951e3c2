"""`make dist`: all files of a release, built twice with identical bytes."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def build(clone: Path) -> dict[str, str]:
    """Run `make dist`, and return its files with their checksums, after comparing them with its
    own."""
    subprocess.run(["make", "--silent", "dist"], cwd=clone, check=True, capture_output=True)
    found = {}
    for file in sorted((clone / "dist").iterdir()):
        found[file.name] = hashlib.sha256(file.read_bytes()).hexdigest()
    sums = (clone / "dist" / "SHA256SUMS").read_text("ascii").splitlines()
    assert {tuple(line.split("  ")) for line in sums} == {
        (answer, name) for name, answer in found.items() if name != "SHA256SUMS"
    }
    return found


@pytest.mark.long
def test_dist_is_whole_and_reproducible(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    (clone / ".venv").symlink_to(ROOT / ".venv")
    first = build(clone)
    endings = {"".join(Path(name).suffixes[-2:]) for name in first if name != "SHA256SUMS"}
    assert any(name.endswith(".whl") for name in first)
    assert any(name.endswith(".tar.gz") for name in first)
    assert {"boardctl.hex", "boardctl.uf2"} <= set(first), "no compiler for a maker's Saturday"
    assert sum(name.endswith(".deb") for name in first) >= 1, endings
    assert build(clone) == first
