"""The Debian package as its users meet it: built twice alike; installed, run on virtual wires,
upgraded over a game in progress, removed and purged in a bare Bookworm and a bare Trixie."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.parts import need
from tests.report import LongRun

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "packaging" / "deb" / "build"
PLAY = """\
import sys
from pathlib import Path
sys.path.insert(0, "/usr/lib/boardctl")
from boardctl.app.config import Config
from boardctl.app.simulation import Simulation, strokes
with Simulation(Config(), Path("/var/lib/boardctl")) as board:
    for stroke in strokes([sys.argv[1]]):
        board.press(stroke)
    board.settle()
    print(board.seen("")["scores"])
"""


def run(*command: str | Path, **extra: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **extra}
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-3000:]}"
    return done.stdout


def build(out: Path, **extra: str) -> Path:
    return Path(run(sys.executable, BUILD, out, **extra).strip().splitlines()[-1])


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("dpkg-deb")
    return build(tmp_path_factory.mktemp("deb"))


@pytest.mark.long
def test_the_same_commit_gives_the_same_bytes(
    package: Path, tmp_path: Path, long_run: LongRun
) -> None:
    again = build(tmp_path, TZ="Asia/Tokyo", LC_ALL="C")
    assert again.name == package.name
    first, second = (hashlib.sha256(p.read_bytes()).hexdigest() for p in (package, again))
    assert first == second
    long_run(bytes=package.stat().st_size, sha256=first[:16])


@pytest.mark.long
def test_nothing_in_it_is_for_one_machine_or_tells_of_one(
    package: Path, tmp_path: Path, long_run: LongRun
) -> None:
    run("dpkg-deb", "-x", package, tmp_path)
    assert run("dpkg-deb", "-f", package, "Architecture").strip() == "all"
    assert not list(tmp_path.rglob("*.so")) + list(tmp_path.rglob("*.pyc"))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert str(ROOT).encode() not in path.read_bytes(), path
    long_run(files=sum(path.is_file() for path in tmp_path.rglob("*")))


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A bare Debian."""
    need("mmdebstrap")
    if os.geteuid() != 0:
        pytest.skip("a chroot needs root")
    tree = tmp_path_factory.mktemp("house") / request.param
    run(
        "mmdebstrap", "--quiet", "--variant=minbase", "--include=python3,systemd",
        request.param, tree,
    )  # fmt: skip
    yield tree
    subprocess.run(["rm", "-rf", "--one-file-system", tree], check=True)


def inside(house: Path, *command: str) -> str:
    return run(
        "chroot", str(house), *command, LC_ALL="C.UTF-8", PATH="/usr/sbin:/usr/bin:/sbin:/bin"
    )


def bring(house: Path, package: Path, version: str | None = None) -> str:
    """A package's path inside; with another version if one is given."""
    target = house / "opt" / package.name
    if version is None:
        target.write_bytes(package.read_bytes())
        return f"/opt/{package.name}"
    tree = house / "opt" / "tree"
    run("dpkg-deb", "-R", package, tree)
    control = tree / "DEBIAN" / "control"
    now = run("dpkg-deb", "-f", package, "Version").strip()
    control.write_text(
        control.read_text("utf-8").replace(f"Version: {now}\n", f"Version: {version}\n"), "utf-8"
    )
    run("dpkg-deb", "--root-owner-group", "-b", tree, house / "opt" / "newer.deb")
    return "/opt/newer.deb"


@pytest.mark.long
def test_install_play_upgrade_remove_purge(house: Path, package: Path, long_run: LongRun) -> None:
    long_run(version=run("dpkg-deb", "-f", package, "Version").strip())
    inside(house, "dpkg", "-i", bring(house, package))
    assert "boardctl" in inside(house, "getent", "passwd", "boardctl")
    groups = inside(house, "id", "-nG", "boardctl").split()
    assert {"gpio", "spi", "i2c", "dialout"} <= set(groups)
    assert "cribbage" in inside(house, "boardctl", "games")
    (house / "etc" / "boardctl").mkdir()
    (house / "etc" / "boardctl" / "config.toml").write_text("", "utf-8")
    (house / "var" / "lib" / "boardctl").mkdir()
    assert inside(house, "python3", "-c", PLAY, "A 8 # B 5 #").strip() == "[8, 5]"

    daemon = subprocess.Popen(
        ["chroot", house, "boardctl", "run", "--sim", "--no-browser", "--port", "8129",
         "--data", "/var/lib/boardctl"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert daemon.stderr is not None
        assert "the board is at" in daemon.stderr.readline()
        inside(house, "dpkg", "-i", bring(house, package, "99.0"))
        assert daemon.poll() is None, "nobody pulls the board from under a game"
        daemon.terminate()
        assert daemon.wait(60) == 0
    finally:
        daemon.kill()
        daemon.communicate()
    assert inside(house, "python3", "-c", PLAY, "A 1 #").strip() == "[9, 5]", "it goes on"
    assert "1 peg 8" in inside(house, "boardctl", "export", "--data", "/var/lib/boardctl")

    inside(house, "dpkg", "-r", "boardctl")
    assert not (house / "usr" / "bin" / "boardctl").exists()
    assert not (house / "usr" / "lib" / "boardctl").exists(), "nor what was compiled"
    assert (house / "var" / "lib" / "boardctl" / "journal.sqlite3").exists(), "the games stay"
    inside(house, "dpkg", "-P", "boardctl")
    assert not (house / "var" / "lib" / "boardctl").exists()
    assert not (house / "etc" / "boardctl").exists()
