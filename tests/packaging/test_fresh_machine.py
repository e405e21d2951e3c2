"""The README's two commands on machines that have nothing yet (`make fresh-test`).

A bare Debian 12 and 13 with git, make and Python, and no more: the repository is cloned, `make run`
is followed until the page answers, and `make test` must pass. As root it installs the system
packages that it uses; for an ordinary user without sudo, the tests that need them skip and say why.

Both find their mirrors and package indexes where this machine finds them.
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
"""How this machine reaches a package index."""
SETTINGS: Final = re.compile(r"(?i).*_proxy|PIP_.*|SSL_.*|NODE_EXTRA_CA_CERTS|npm_.*|.*_CA_BUNDLE")
"""Variables that say the same."""
MIRROR: Final = re.compile(r"^(?:URIs:|deb(?: \[.*\])?) (\S+/debian/?)(?: |$)", re.MULTILINE)
ENTER: Final = """\
mount --bind "$1" "$1" && cd "$1" && mount -t proc proc proc || exit
mount --rbind /sys sys && mount --rbind /dev dev || exit
pivot_root . mnt && umount --lazy /mnt || exit
user=$2
shift 2
exec chroot --userspec="$user:$user" --groups="$user" / "$@"
"""
"""Runs in namespaces of its own, whose end ends everything inside. Its root is that of its mounts,
as on any machine; in a chroot, what unshares or enters namespaces would fail or get out."""


class Machine(NamedTuple):
    """A bare Debian with a clone of this repository, and whose."""

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
    """This machine's own mirror of Debian."""
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
    """That Debian, with a clone of the last commit at the user's home."""
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


def answered(machine: Machine) -> int:
    """Type `make run` and visit the address that it prints; returns the page's size."""
    running = machine.begin("make", "run")
    said = []
    try:
        assert running.stdout is not None
        for line in running.stdout:
            print(line, end="", flush=True)
            said.append(line)
            if address := re.search(r"the board is at (http://\S+)", line):
                with urllib.request.urlopen(address[1]) as page:
                    size = len(page.read())
                os.killpg(running.pid, signal.SIGINT)
                rest, _ = running.communicate(timeout=60)
                assert "Traceback" not in rest, rest
                return size
        raise AssertionError("".join(said[-30:]))
    finally:
        running.kill()
        running.wait()


@pytest.mark.long
def test_the_two_commands(machine: Machine, long_run: LongRun) -> None:
    assert answered(machine) > 1000
    said = []
    began = time.monotonic()
    with machine.begin("make", "test") as testing:
        try:
            assert testing.stdout is not None
            for line in testing.stdout:
                print(line, end="", flush=True)
                said.append(line.rstrip("\n"))
            code = testing.wait()
        finally:
            testing.kill()
    minutes = round((time.monotonic() - began) / 60)
    last = next((line for line in reversed(said) if " passed" in line), "")
    counted = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", last)}
    skipped = [line for line in said if line.startswith("SKIPPED ")]
    names = ("passed", "skipped", "failed")
    long_run(
        **{name: counted.get(name, 0) for name in names}, minutes_with_what_it_installs=minutes
    )
    assert code == 0, "\n".join(said[-60:])
    assert all(re.fullmatch(r"SKIPPED \[\d+\] \S+: .{10,}", line) for line in skipped), skipped
    if machine.user != "root":
        assert any("apt:" in line for line in said), "it says what it does not install"
        assert skipped
