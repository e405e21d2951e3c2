"""The README's two commands on machines that have nothing yet (`make fresh-test`).

The machines are a bare Debian 12 and 13 with only git, make and Python. The repository is cloned,
`make run` is followed until the page answers, and `make test` must pass, as root and as an ordinary
user. Neither changes a file of the system, and tests that need a missing part are skipped.

Both use this machine's mirrors and package indexes.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests import report
from tests.parts import need
from tests.report import LongRun

ROOT: Final = Path(__file__).parents[2]
BARE: Final = "git,make,python3,python3-venv"
USER: Final = "maker"
MACHINE: Final = (
    "etc/resolv.conf",
    "etc/hosts",
    "etc/ssl/certs/ca-certificates.crt",
    "etc/pip.conf",
)
"""The files through which this machine reaches a package index."""
SETTINGS: Final = re.compile(r"(?i).*_proxy|PIP_.*|SSL_.*|NODE_EXTRA_CA_CERTS|npm_.*|.*_CA_BUNDLE")
"""Environment variables with the same information."""
MIRROR: Final = re.compile(r"^(?:URIs:|deb(?: \[.*\])?) (\S+/debian/?)(?: |$)", re.MULTILINE)
ENTER: Final = """\
mount --bind "$1" "$1" && cd "$1" && mount -t proc proc proc || exit
mount --rbind /sys sys && mount --rbind /dev dev || exit
pivot_root . mnt && umount --lazy /mnt || exit
user=$2
shift 2
exec chroot --userspec="$user:$user" --groups="$user" / "$@"
"""
"""The command prefix for separate namespaces, whose end ends everything inside. The root is that of
their mounts, as on any machine: in a chroot, programs that unshare or enter namespaces would fail
or escape."""


class Machine(NamedTuple):
    """A bare Debian with a clone of this repository, and its user."""

    tree: Path
    user: str

    @property
    def home(self) -> str:
        return "/root" if self.user == "root" else f"/home/{self.user}"

    def begin(self, *command: str) -> subprocess.Popen[str]:
        """Start a command in the user's clone; its output is one stream."""
        kept = {name: value for name, value in os.environ.items() if SETTINGS.fullmatch(name)}
        return subprocess.Popen(
            [
                *("unshare", "--mount", "--pid", "--fork", "--kill-child"),
                *("sh", "-c", ENTER, "enter", str(self.tree), self.user),
                *("env", f"--chdir={self.home}/boardctl", *command),
            ],
            env={
                **kept,
                "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "HOME": self.home,
                "LANG": "C.UTF-8",
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )


def mirror() -> str:
    """Return this machine's own mirror of Debian."""
    places = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    for place in places:
        if place.is_file() and (found := MIRROR.search(place.read_text("utf-8"))):
            return found[1]
    return "http://deb.debian.org/debian"


@pytest.fixture(params=["bookworm", "trixie"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A bare Debian; removed afterwards."""
    need("mmdebstrap")
    if os.geteuid() != 0:
        pytest.skip("a root file system of its own needs root")
    tree = tmp_path / request.param
    print(f"mmdebstrap: a bare {request.param} with {BARE}, about 300 MB", flush=True)
    subprocess.run(
        [
            *("mmdebstrap", "--quiet", "--variant=minbase", f"--include={BARE}"),
            *(request.param, tree, mirror()),
        ],
        check=True,
    )
    for name in MACHINE:
        if Path("/", name).exists():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(f"/{name}", tree / name)
    for file in sorted(Path("/etc/apt/apt.conf.d").glob("*")):
        if "Acquire::" in file.read_text("utf-8"):
            shutil.copyfile(file, tree / "etc/apt/apt.conf.d" / file.name)
    yield tree
    subprocess.run(["rm", "-rf", "--one-file-system", tree], check=True)


@pytest.fixture(params=["root", USER])
def machine(request: pytest.FixtureRequest, tree: Path) -> Machine:
    """A bare Debian with a clone of the last commit in the user's home."""
    found = Machine(tree, request.param)
    if found.user != "root":
        subprocess.run(["chroot", tree, "useradd", "--create-home", USER], check=True)
    bundle = tree / "srv" / "boardctl.bundle"
    subprocess.run(["git", "bundle", "create", "--quiet", bundle, "HEAD"], cwd=ROOT, check=True)
    subprocess.run(
        [
            *("chroot", f"--userspec={found.user}", tree, "env", f"HOME={found.home}"),
            *("git", "-c", "init.defaultBranch=main", "clone", "--quiet"),
            *("/srv/boardctl.bundle", f"{found.home}/boardctl"),
        ],
        check=True,
    )
    return found


class Installed(NamedTuple):
    """The contents of the clone's .venv."""

    packages: int
    megabytes: int


def installed(machine: Machine) -> Installed:
    """Count the packages and the size of .venv."""
    venv = machine.tree / machine.home[1:] / "boardctl" / ".venv"
    files = [path for path in venv.rglob("*") if path.is_file() and not path.is_symlink()]
    size = sum(path.stat().st_size for path in files)
    packages = list(venv.glob("lib/python3*/site-packages/*.dist-info"))
    return Installed(len(packages), round(size / 1e6))


def system(machine: Machine) -> dict[str, tuple[int, int]]:
    """Return the files of the system, each with its size and modification time."""
    found = {}
    for folder in ("usr", "etc", "var"):
        for path in (machine.tree / folder).rglob("*"):
            kept = path.lstat()
            if not path.is_dir():
                found[str(path.relative_to(machine.tree))] = (kept.st_size, kept.st_mtime_ns)
    return found


def answered(machine: Machine) -> tuple[int, float]:
    """Type `make run` and visit the printed address.

    Returns:
        The page's size in bytes, and the longest silence before the address in seconds.
    """
    running = machine.begin("make", "run")
    said = []
    silence, last = 0.0, time.monotonic()
    try:
        assert running.stdout is not None
        for line in running.stdout:
            print(line, end="", flush=True)
            said.append(line)
            silence, last = max(silence, time.monotonic() - last), time.monotonic()
            if address := re.search(r"the board is at (http://\S+)", line):
                with urllib.request.urlopen(address[1]) as page:
                    size = len(page.read())
                os.killpg(running.pid, signal.SIGINT)
                rest, _ = running.communicate(timeout=60)
                assert "Traceback" not in rest, rest
                return size, silence
        raise AssertionError("".join(said[-30:]))
    finally:
        running.kill()
        running.wait()


@pytest.mark.long
def test_make_run(machine: Machine, long_run: LongRun) -> None:
    """The second run, after the first board, installs nothing."""
    before, began, used = system(machine), time.monotonic(), report.cpu()
    size, silence = answered(machine)
    seconds, used = round(time.monotonic() - began), report.cpu() - used
    assert size > 1000
    first = installed(machine)
    again = report.cpu()
    assert answered(machine)[0] > 1000
    long_run(
        packages=first.packages,
        megabytes=first.megabytes,
        seconds=seconds,
        cpu_tenths=round(10 * used),
        longest_silence_tenths=round(10 * silence),
        cpu_tenths_the_second_time=round(10 * (report.cpu() - again)),
    )
    assert installed(machine) == first
    assert first.packages <= 15 + len(OF_PYTHON)
    assert first.megabytes <= 60
    assert system(machine) == before


OF_PYTHON: Final = ("pip", "setuptools")
"""The maximum contents of a virtual environment of Debian's Python."""


@pytest.mark.long
def test_make_test(machine: Machine, long_run: LongRun) -> None:
    before, began = system(machine), time.monotonic()
    said = []
    with machine.begin("make", "test") as testing:
        try:
            assert testing.stdout is not None
            for line in testing.stdout:
                print(line, end="", flush=True)
                said.append(line.rstrip("\n"))
            code = testing.wait()
        finally:
            testing.kill()
    seconds = round(time.monotonic() - began)
    last = next((line for line in reversed(said) if " passed" in line), "")
    counted = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", last)}
    figures = {name: counted.get(name, 0) for name in ("passed", "skipped", "failed")}
    found = installed(machine)
    long_run(**figures, packages=found.packages, megabytes=found.megabytes, seconds=seconds)
    assert code == 0, "\n".join(said[-60:])
    assert counted["passed"] >= 5000
    assert any("make system` installs them" in line for line in said[-3:]), said[-10:]
    assert system(machine) == before
