"""Fixtures that build the firmware and the emulators once per session, in the ignored folder
`build/` here.

Every test that uses an emulator runs with both chips, unless it names one: with the ATmega328P in
the ordinary run, with the RP2040 in the slow one. `test_pico.py` uses only the RP2040.
"""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.firmware.pico import Pico, place
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


@contextmanager
def _alone() -> Iterator[None]:
    """Let only one process build at a time."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def built() -> tuple[Path, Path, str]:
    """The ATmega328P's emulator, its firmware and the compiler's size report."""
    need("avr-gcc", "avr-libc", "simavr", "libelf", "cc", "make")
    with _alone():
        sizes = _call("make", "-s", "-C", str(FIRMWARE), f"BUILD={BUILD / 'firmware'}")
        _call(
            *("cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"),
            *sorted(str(part) for part in (HERE / "emulator").glob("*.c")),
            *("-o", "build/emulator.new", "-lsimavr", "-lelf", "-lutil"),
        )
        # Another worker may be starting it: it never sees half a program.
        (BUILD / "emulator.new").replace(BUILD / "emulator")
    return BUILD / "emulator", BUILD / "firmware" / "boardctl.elf", sizes


@pytest.fixture(scope="session")
def built_pico() -> tuple[Path, Path]:
    """The RP2040's emulator and its firmware."""
    need("arm-none-eabi-gcc", "newlib", "make", "node", "rp2040js")
    with _alone():
        _call("make", "-s", "-C", str(FIRMWARE), f"BUILD={BUILD / 'firmware'}", "pico")
        program = place(BUILD / "pico", HERE / "emulator")
    return program, BUILD / "firmware" / "boardctl.uf2"


@pytest.fixture(params=["atmega328p", pytest.param("rp2040", marks=pytest.mark.slow)])
def chip(request: pytest.FixtureRequest) -> str:
    """The chip under test."""
    name: str = request.param
    return name


@pytest.fixture
def emulator(chip: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Emulator]:
    """A board that has just been powered on."""
    machine: Emulator
    if chip == "rp2040":
        program, uf2 = request.getfixturevalue("built_pico")
        machine = Pico(program, uf2, tmp_path / "tty")
    else:
        program, elf, _ = request.getfixturevalue("built")
        machine = Emulator([str(program), str(elf), str(tmp_path / "tty")], tmp_path / "tty")
    yield machine
    machine.close()


@pytest.fixture
def bench(emulator: Emulator) -> Iterator[Bench]:
    """A host connected to that board."""
    host = Bench(emulator)
    yield host
    host.kill()


@pytest.fixture
def talk(bench: Bench) -> Talk:
    """A host that exchanges frames."""
    return Talk(bench)
