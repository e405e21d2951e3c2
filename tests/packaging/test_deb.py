"""The Debian packages as users install them.

Two builds are identical; the dependencies are available in Debian 12 and 13, arm64 and armhf; the
packages are installed, run on virtual wires, upgraded during a game, removed and purged in a base
Bookworm and a base Trixie.
"""

from __future__ import annotations

import getpass
import hashlib
import importlib.machinery
import importlib.util
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest

from boardctl.commands import main
from tests.parts import need
from tests.report import LongRun

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "packaging" / "deb" / "build"
PLAY = """\
import sys
from pathlib import Path
sys.path[:0] = ["/usr/lib/boardctl", "/usr/lib/boardctl/libraries"]
from boardctl.app.config import Config
from boardctl.app.simulation import Simulation, strokes
with Simulation(Config(), Path("/var/lib/boardctl")) as board:
    for stroke in strokes([sys.argv[1]]):
        board.press(stroke)
    board.settle()
    print(board.observe("")["scores"])
"""

BROKER = """\
import sys
sys.path[:0] = ["/usr/lib/boardctl", "/usr/lib/boardctl/libraries"]
import boardctl.mqtt.client
"""


def run(*command: str | Path, **extra: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **extra}
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-3000:]}"
    return done.stdout


def build(out: Path, **extra: str) -> list[Path]:
    told = {"DEBFULLNAME": "Ann", "DEBEMAIL": "ann@example.org"} | extra
    return [Path(line) for line in run(sys.executable, BUILD, out, **told).split()]


@pytest.fixture
def builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return packaging/deb/build as a module that builds a new checkout. The checkout has one
    commit from 2020, and neither git nor the environment names an author."""
    need("dpkg-deb")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = importlib.machinery.SourceFileLoader("deb_build", str(BUILD))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    for name in ("SOURCE_DATE_EPOCH", "DEBFULLNAME", "DEBEMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    (tmp_path / "boardctl").mkdir()
    (tmp_path / "boardctl/__init__.py").write_text('__version__ = "1.0.0"\n', "ascii")
    run("git", "init", "--quiet", tmp_path)
    commit(tmp_path, "2020-01-01T10:00:00Z")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


def commit(checkout: Path, at: str) -> None:
    git = ("git", "-C", checkout)
    run(*git, "add", "--all")
    run(*git, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "x",
        GIT_COMMITTER_DATE=at)  # fmt: skip


def test_every_build_of_changed_sources_has_a_newer_version(
    builder: ModuleType, tmp_path: Path
) -> None:
    first = builder.version(builder.when())
    assert first == "1.0.0+20200101100000"
    file = tmp_path / "boardctl/__init__.py"
    file.write_text('__version__ = "1.0.0"  # changed\n', "ascii")
    os.utime(file, (1_600_000_000, 1_600_000_000))
    edited = builder.version(builder.when())
    assert edited == builder.version(builder.when()), "the same sources"
    commit(tmp_path, "2021-01-01T10:00:00Z")
    committed = builder.version(builder.when())
    for older, newer in (("1.0.0", first), (first, edited), (edited, committed),
                         (committed, "1.0.1")):  # fmt: skip
        run("dpkg", "--compare-versions", older, "lt", newer)


def test_the_maintainer_is_told_or_the_builder(
    builder: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDO_USER", "carol")
    monkeypatch.setattr(socket, "getfqdn", lambda: "laptop")
    assert builder.maintainer() == "carol <carol@laptop.invalid>", "lintian wants a domain"
    monkeypatch.setattr(socket, "getfqdn", lambda: "laptop.example.org")
    monkeypatch.delenv("SUDO_USER")
    user = getpass.getuser()
    assert builder.maintainer() == f"{user} <{user}@laptop.example.org>"
    for name, value in (("user.name", "Ann"), ("user.email", "ann@example.org")):
        run("git", "-C", tmp_path, "config", name, value)
    assert builder.maintainer() == "Ann <ann@example.org>"
    monkeypatch.setenv("DEBFULLNAME", "Bob")
    monkeypatch.setenv("DEBEMAIL", "bob@example.org")
    assert builder.maintainer() == "Bob <bob@example.org>"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The libraries for Debian 12, and the program."""
    need("dpkg-deb", "make", "avr-gcc", "avr-libc", "arm-none-eabi-gcc", "newlib")
    return build(tmp_path_factory.mktemp("deb"))


@pytest.fixture(scope="module")
def package(packages: list[Path]) -> Path:
    """The program's package."""
    return packages[-1]


@pytest.mark.long
def test_the_same_commit_gives_the_same_bytes(
    packages: list[Path], tmp_path: Path, long_run: LongRun
) -> None:
    again = build(tmp_path, TZ="Asia/Tokyo", LC_ALL="C")
    assert [one.name for one in again] == [one.name for one in packages]
    for first, second in zip(packages, again, strict=True):
        assert (
            hashlib.sha256(first.read_bytes()).digest()
            == hashlib.sha256(second.read_bytes()).digest()
        ), first.name
    long_run(bytes=packages[-1].stat().st_size)


@pytest.mark.long
def test_debians_own_checks_find_no_error(packages: list[Path]) -> None:
    """Each command has a manual page, generated from its own help."""
    need("lintian")
    run("lintian", "--fail-on", "error", *packages, LC_ALL="C.UTF-8")
    listed = run("dpkg-deb", "-c", packages[-1])
    top = click.Context(main)
    for name in main.list_commands(top):
        assert f"/man1/boardctl-{name}.1.gz" in listed
    for place in ("bash-completion/completions/boardctl", "zsh/vendor-completions/_boardctl",
                  "fish/vendor_completions.d/boardctl.fish"):  # fmt: skip
        assert f"/usr/share/{place}\n" in listed


def wanted(package: Path, release: str) -> list[Path]:
    """Return the packages to pass to apt: Debian 12 also needs the libraries."""
    both = [package.with_name(package.name.replace("boardctl_", "boardctl-libraries_")), package]
    return both if release == "bookworm" else both[1:]


@pytest.mark.long
@pytest.mark.parametrize("architecture", ["arm64", "armhf"])
@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_what_it_depends_on_is_to_be_had(
    package: Path, release: str, architecture: str, tmp_path: Path, long_run: LongRun
) -> None:
    """apt's own solver runs on Debian's package lists, starting from an empty machine."""
    need("apt-get")
    state = tmp_path / "state"
    (state / "lists" / "partial").mkdir(parents=True)
    (tmp_path / "cache" / "archives" / "partial").mkdir(parents=True)
    (state / "status").touch()
    sources = tmp_path / "sources.list"
    sources.write_text(f"deb http://deb.debian.org/debian {release} main\n", "utf-8")
    apt = [
        "apt-get", "--quiet", "-o", f"APT::Architecture={architecture}",
        "-o", f"APT::Architectures={architecture}", "-o", f"Dir::State={state}",
        "-o", f"Dir::State::status={state}/status", "-o", f"Dir::Cache={tmp_path}/cache",
        "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=-",
        "-o", "APT::Sandbox::User=root",
    ]  # fmt: skip
    run(*apt, "update")
    for field in ("Recommends", "Suggests"):
        for name in map(str.strip, run("dpkg-deb", "--field", package, field).split(",")):
            if name != "python3-lgpio":  # only in Raspberry Pi OS
                run(*apt, "--simulate", "--no-install-recommends", "install", name)
    given = [str(path) for path in wanted(package, release)]
    plan = run(*apt, "--simulate", "--no-install-recommends", "install", *given)
    taken = {line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")}
    assert "boardctl" in taken
    assert ("python3-starlette" in taken) == (release == "trixie")
    long_run(packages=len(taken))


@pytest.mark.long
def test_nothing_in_it_is_for_one_machine_or_tells_of_one(
    package: Path, tmp_path: Path, long_run: LongRun
) -> None:
    run("dpkg-deb", "-x", package, tmp_path)
    ready = tmp_path / "usr/share/boardctl/firmware"
    assert {path.name for path in ready.iterdir()} == {"boardctl.hex", "boardctl.uf2"}
    assert run("dpkg-deb", "-f", package, "Architecture").strip() == "all"
    assert not list(tmp_path.rglob("*.so")) + list(tmp_path.rglob("*.pyc"))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert str(ROOT).encode() not in path.read_bytes(), path
    long_run(files=sum(path.is_file() for path in tmp_path.rglob("*")))


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def chroot(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A base Debian."""
    need("mmdebstrap")
    if os.geteuid() != 0:
        pytest.skip("a chroot needs root")
    tree = tmp_path_factory.mktemp("chroot") / request.param
    run(
        "mmdebstrap", "--quiet", "--variant=minbase", "--include=python3,systemd",
        "--skip=cleanup/apt", request.param, tree,
    )  # fmt: skip
    (tree / "etc" / "resolv.conf").write_bytes(Path("/etc/resolv.conf").read_bytes())
    yield tree
    subprocess.run(["rm", "-rf", "--one-file-system", tree], check=True)


def inside(chroot: Path, *command: str) -> str:
    return run(
        "chroot", str(chroot), *command, LC_ALL="C.UTF-8", PATH="/usr/sbin:/usr/bin:/sbin:/bin"
    )


def bring(chroot: Path, package: Path, version: str | None = None) -> str:
    """Return a package's path inside, with another version if one is given."""
    target = chroot / "opt" / package.name
    if version is None:
        target.write_bytes(package.read_bytes())
        return f"/opt/{package.name}"
    tree = chroot / "opt" / "tree"
    run("dpkg-deb", "-R", package, tree)
    control = tree / "DEBIAN" / "control"
    now = run("dpkg-deb", "-f", package, "Version").strip()
    control.write_text(
        control.read_text("utf-8").replace(f"Version: {now}\n", f"Version: {version}\n"), "utf-8"
    )
    run("dpkg-deb", "--root-owner-group", "-b", tree, chroot / "opt" / "newer.deb")
    return "/opt/newer.deb"


@pytest.mark.long
def test_install_play_upgrade_remove_purge(chroot: Path, package: Path, long_run: LongRun) -> None:
    long_run(version=run("dpkg-deb", "-f", package, "Version").strip())
    given = [bring(chroot, one) for one in wanted(package, chroot.name)]
    inside(chroot, "apt-get", "install", "--yes", "--no-install-recommends", *given)
    assert "boardctl" in inside(chroot, "getent", "passwd", "boardctl")
    groups = inside(chroot, "id", "-nG", "boardctl").split()
    assert {"gpio", "spi", "i2c", "dialout"} <= set(groups)
    assert "cribbage" in inside(chroot, "boardctl", "games")
    inside(chroot, "python3", "-c", BROKER)
    enabled = chroot / "etc/systemd/system/multi-user.target.wants/boardctl.service"
    assert enabled.is_symlink()
    enabled.unlink()  # like `systemctl disable`
    (chroot / "etc" / "boardctl").mkdir()
    (chroot / "etc" / "boardctl" / "config.toml").write_text("", "utf-8")
    (chroot / "var" / "lib" / "boardctl").mkdir()
    assert inside(chroot, "python3", "-c", PLAY, "A 8 # B 5 #").strip() == "[8, 5]"

    daemon = subprocess.Popen(
        ["chroot", chroot, "boardctl", "run", "--sim", "--no-browser", "--port", "8129",
         "--data", "/var/lib/boardctl"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert daemon.stderr is not None
        assert "the board is at" in daemon.stderr.readline()
        inside(chroot, "dpkg", "-i", bring(chroot, package, "99.0"))
        assert daemon.poll() is None, "nobody pulls the board from under a game"
        assert not enabled.exists(), "a service that was disabled stays so"
        daemon.terminate()
        assert daemon.wait(60) == 0
    finally:
        daemon.kill()
        daemon.communicate()
    assert inside(chroot, "python3", "-c", PLAY, "A 1 #").strip() == "[9, 5]", "it goes on"
    assert "1 peg 8" in inside(chroot, "boardctl", "export", "--data", "/var/lib/boardctl")

    inside(chroot, "dpkg", "-r", "boardctl")
    assert not (chroot / "usr" / "bin" / "boardctl").exists()
    assert not (chroot / "usr/lib/boardctl/boardctl").exists(), "nor what was compiled"
    assert (chroot / "var" / "lib" / "boardctl" / "journal.sqlite3").exists(), "the games stay"
    names = [one.name.partition("_")[0] for one in wanted(package, chroot.name)]
    inside(chroot, "dpkg", "-P", *names)
    left = inside(
        chroot, "find", "/", "-xdev", "-name", "*boardctl*", "-not", "-path", "/opt/*"
    ).split()
    assert left == [], "a purge leaves nothing but the service's user"
