"""Builds the firmware and the emulator once a session, into the ignored `build/` here."""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.rig import Bench, Emulator
from tests.firmware.talk import Talk
from tests.parts import need

HERE = Path(__file__).parent
BUILD = HERE / "build"
FIRMWARE = HERE.parent.parent / "firmware"


def _call(*words: str) -> str:
    done = subprocess.run(words, cwd=HERE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def built() -> tuple[Path, Path, str]:
    """Emulator, firmware and the compiler's size report."""
    need("avr-gcc", "avr-libc", "simavr", "libelf", "cc", "make")
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sizes = _call("make", "-s", "-C", str(FIRMWARE), f"BUILD={BUILD / 'firmware'}")
        _call(
            *("cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"),
            *sorted(str(part) for part in (HERE / "emulator").glob("*.c")),
            *("-o", "build/emulator", "-lsimavr", "-lelf", "-lutil"),
        )
    return BUILD / "emulator", BUILD / "firmware" / "boardctl.elf", sizes


@pytest.fixture
def emulator(built: tuple[Path, Path, str], tmp_path: Path) -> Iterator[Emulator]:
    """A board that has just got power."""
    program, elf, _ = built
    machine = Emulator(program, elf, tmp_path / "tty")
    yield machine
    machine.close()


@pytest.fixture
def bench(emulator: Emulator) -> Iterator[Bench]:
    """A host at that board."""
    host = Bench(emulator)
    yield host
    host.kill()


@pytest.fixture
def talk(bench: Bench) -> Talk:
    """That host, speaking in frames."""
    return Talk(bench)
