"""Installing on Raspberry Pi OS: the commands in the documents work.

Raspberry Pi OS is Debian with additional packages, so the commands run in root file systems of
Debian 12 and 13, arm64 and armhf, with emulated programs. Of the packages that they name, only
`python3-lgpio` is not Debian's: it is built here from Raspberry Pi's source.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.image.building import IMAGE, load_part
from tests.parts import need
from tests.report import LongRun

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "README.ja.md", "docs/image.md")
TARGETS = {"arm64": "aarch64-linux-gnu", "armhf": "arm-linux-gnueabihf"}
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
OPEN = """\
import asyncio
from boardctl.drivers import lcd, oled
from boardctl.drivers.ports import PortError
from boardctl.drivers.wires import CopperWires

def why(part):
    try:
        part()
    except PortError as error:
        return str(error)
    return "open"

async def main():
    wires = CopperWires(asyncio.get_running_loop())
    print(why(lambda: wires.spi(0, 0, 2_800_000)))
    print(why(lambda: wires.pins("lgpio")))
    print(why(lambda: oled.open_ports(oled.Options(), wires)))
    line = wires.keyboard("keypad", lambda code, value: None, lambda reason: None)
    print("alive" if line.alive() else "dead")
    line.close()

asyncio.run(main())
"""


def lines(page: str) -> list[str]:
    """Return the commands that a page gives for Raspberry Pi OS."""
    text = (ROOT / page).read_text("utf-8")
    block = re.search(r"^```\n(sudo apt install python3-venv .*?)^```$", text, re.M | re.S)
    assert block is not None, page
    return block[1].splitlines()


def test_all_pages_give_the_same_lines() -> None:
    assert len({tuple(lines(page)) for page in PAGES}) == 1
    text = "\n".join(lines(PAGES[0]))
    assert "[pi]" not in text, "its packages have no wheels for a Pi"
    for page in (*PAGES, "wiring.md", "docs/library.md"):
        assert "pip install '.[pi]'" not in (ROOT / page).read_text("utf-8"), page


def run(*command: str | Path, typed: str = "", **extra: str) -> str:
    done = subprocess.run(
        command, input=typed, capture_output=True, text=True, check=False,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"} | extra,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-3000:]}"
    return done.stdout


def foreign(*command: str | Path, **extra: str) -> str:
    """Run a command that may start the Pi's programs."""
    return run(sys.executable, IMAGE / "foreign.py", *command, **extra)


@pytest.fixture(params=[(r, a) for r in PYTHONS for a in TARGETS], ids="-".join)
def pi_os(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A root file system with the checkout at /opt/checkout and python3-lgpio for apt."""
    release, architecture = request.param
    need("mmdebstrap", "qemu-user", "swig", f"gcc-{architecture}")
    if os.geteuid() != 0:
        pytest.skip("a chroot needs root")
    tree = tmp_path / "tree"
    # The 32-bit system's archive has no suite of security updates.
    sources = [f"deb http://deb.debian.org/debian {release} main"] * (architecture == "armhf")
    foreign(
        "mmdebstrap", "--quiet", "--mode=root", f"--arch={architecture}", "--variant=minbase",
        "--include=python3,sudo,systemd,ca-certificates",
        "--skip=cleanup/apt", release, tree, *sources,
    )  # fmt: skip
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
        (tree / name).write_bytes(Path("/", name).read_bytes())
    (tree / "etc/sudoers.d/kept").write_text(
        'Defaults env_keep += "DEBIAN_FRONTEND PIP_CERT"\n', "ascii"
    )
    systemctl = tree / "usr/local/sbin/systemctl"  # systemd does not run in here
    systemctl.write_text("#!/bin/sh\n", "ascii")
    systemctl.chmod(0o755)
    lgpio_package(tree, release, architecture, tmp_path)
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", tree / "opt/checkout"],
        check=True,
    )
    yield tree
    subprocess.run(["rm", "-rf", "--one-file-system", tree], check=True)


def lgpio_package(tree: Path, release: str, architecture: str, work: Path) -> None:
    """Build python3-lgpio like Raspberry Pi OS's, and put it where apt finds it."""
    package = work / "package"
    modules = package / "usr/lib/python3/dist-packages"
    modules.mkdir(parents=True)
    source = work / "source"
    source.mkdir()
    target = TARGETS[architecture]
    headers = f"libpython{PYTHONS[release]}-dev"
    foreign("chroot", tree, "sh", "-euc", f"cd /opt; apt-get -qq download {headers}")
    run("dpkg-deb", "-x", next((tree / "opt").glob(f"{headers}_*.deb")), work / "headers")
    load_part("lgpio").compile_library(source, work / "headers", target, PYTHONS[release], modules)
    (package / "DEBIAN").mkdir()
    (package / "DEBIAN/control").write_text(
        f"Package: python3-lgpio\nVersion: 0.2.2\nArchitecture: {architecture}\n"
        "Maintainer: nobody <nobody@example.invalid>\nDepends: python3\nDescription: pins\n",
        "utf-8",
    )
    folder = tree / "opt/archive"
    folder.mkdir()
    run("dpkg-deb", "--root-owner-group", "--build", package, folder / "python3-lgpio.deb")
    control = run("dpkg-deb", "--field", folder / "python3-lgpio.deb")
    made = (folder / "python3-lgpio.deb").read_bytes()
    (folder / "Packages").write_text(
        f"{control}Filename: ./python3-lgpio.deb\nSize: {len(made)}\n"
        f"SHA256: {hashlib.sha256(made).hexdigest()}\n",
        "utf-8",
    )
    (tree / "etc/apt/sources.list.d/pi.list").write_text(
        "deb [trusted=yes] file:/opt/archive ./\n", "utf-8"
    )


@pytest.mark.long
def test_the_lines_install_a_board_without_a_compiler(pi_os: Path, long_run: LongRun) -> None:
    foreign("chroot", pi_os, "apt-get", "-qq", "update")
    assert not list(pi_os.glob("usr/bin/*gcc*"))
    for line in lines("README.md"):
        line = line.replace("apt install", "apt install --yes --no-install-recommends")
        foreign(
            "chroot", pi_os, "sh", "-euc", f"cd /opt/checkout; {line}", typed="\n" * 40,
            DEBIAN_FRONTEND="noninteractive", PIP_CERT="/etc/ssl/certs/"
            "ca-certificates.crt",
        )  # fmt: skip
    assert not list(pi_os.glob("usr/bin/*gcc*")), "nothing was compiled"
    program = re.search(
        r"^ExecStart=(\S+)", (pi_os / "etc/systemd/system/boardctl.service").read_text(), re.M
    )
    assert program is not None
    assert not program[1].startswith("/home"), "the service may not read it"
    assert "cribbage" in foreign("chroot", pi_os, program[1], "games")
    assert (pi_os / "etc/boardctl/config.toml").is_file()
    cpu = pi_os / "proc/cpuinfo"  # nothing is mounted there, and gpiozero looks for the model in it
    cpu.write_text("Hardware\t: BCM2835\nRevision\t: a02082\n", "ascii")
    found = foreign("chroot", pi_os, "/opt/boardctl/bin/python", "-c", OPEN).splitlines()
    assert re.match(r"leds: /dev/spidev0\.0 cannot be opened", found[0]), found
    assert re.match("keys: pin factory lgpio cannot be opened: .*(chip|open)", found[1]), found
    assert re.match(r"display: /dev/i2c-1 cannot be opened", found[2]), found
    assert found[3] == "alive"
    long_run(packages=len(list(pi_os.glob("var/lib/dpkg/info/*.list"))))


def test_the_workflow_and_the_classifiers_name_the_same_pythons() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = [c.rpartition(" ")[2] for c in project["classifiers"] if "Python :: 3." in c]
    workflow = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    matrix = re.search(r"python: \[(.*)\]", workflow)
    assert matrix is not None
    assert [one.strip(' "') for one in matrix[1].split(",")] == found
    assert project["requires-python"] == f">={found[0]}"
    assert sysconfig.get_python_version() in found
