"""The training data of the networks is named exactly, and two sets of weights are compared."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.camera import figures, inputs
from tools.packages import Package, fetched


def test_every_package_has_a_version_and_a_checksum() -> None:
    for package in inputs.packages():
        assert re.fullmatch(r"[a-z0-9@/_-]+[=@][0-9][^ ]*", package.fetch[-1])
        assert re.fullmatch("[0-9a-f]{64}", package.sha256)


def test_a_package_is_fetched_once_and_refused_with_another_checksum(tmp_path: Path) -> None:
    write = "from pathlib import Path; Path('file').write_text('content')"
    command = (sys.executable, "-c", write)
    good = Package(command, hashlib.sha256(b"content").hexdigest())
    assert fetched(good, tmp_path) == b"content"
    assert fetched(good._replace(fetch=("false",)), tmp_path) == b"content"
    with pytest.raises(SystemExit, match="file has another checksum"):
        fetched(Package(command, "0" * 64), tmp_path)


def test_a_package_whose_fetching_was_broken_off_is_fetched_again(tmp_path: Path) -> None:
    write = "from pathlib import Path; Path('file').write_text('content')"
    good = Package((sys.executable, "-c", write), hashlib.sha256(b"content").hexdigest())
    broken = good._replace(fetch=(sys.executable, "-c", f"{write}; raise SystemExit(1)"))
    with pytest.raises(subprocess.CalledProcessError):
        fetched(broken, tmp_path)
    assert not list(tmp_path.iterdir()), "nothing that looks like it is left"
    (tmp_path / good.sha256).mkdir()  # as left by an earlier version
    assert fetched(good, tmp_path) == b"content"


def test_other_photographs_or_labels_are_refused(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(json.dumps([]))
    (tmp_path / "one.jpg").write_bytes(b"one")
    before = inputs.digest(tmp_path)
    (tmp_path / "README.md").write_text("beside them")
    assert inputs.digest(tmp_path) == before
    (tmp_path / "one.jpg").rename(tmp_path / "two.jpg")
    assert inputs.digest(tmp_path) != before
    with pytest.raises(SystemExit, match="other photographs"):
        inputs.checked_photos(tmp_path)


def test_weights_that_are_not_of_one_training_are_told_apart() -> None:
    shipped = {"index suit": 0.929, "face suit": 0.971}
    close = {"index suit": 0.929 + 0.9 * figures.BOUND, "face suit": 0.971}
    assert figures.apart(shipped, close) == []
    worse = {"index suit": 0.929 - 1.1 * figures.BOUND, "face suit": 0.971}
    assert [line.partition(":")[0] for line in figures.apart(shipped, worse)] == ["index suit"]
    assert figures.apart(shipped, {"index suit": 0.929}) == ["face suit: 0.971 and None"]


def test_the_shipped_weights_are_all_there() -> None:
    """Otherwise a comparison would silently omit one."""
    folder = Path(__file__).parents[2] / "boardctl" / "camera"
    assert {path.name for path in folder.glob("*.onnx.xz")} == {
        f"{name}.onnx.xz" for name in ("detector", "index", "face")
    }
