"""`boardctl flash` builds with the real compiler; the flashing command is checked, not run."""

from __future__ import annotations

import os
import shutil
import subprocess
import termios
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from boardctl.commands import flash, main
from tests.parts import need


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    """A copy of the firmware to build in."""
    copy = tmp_path / "firmware"
    shutil.copytree(flash.source(), copy, ignore=shutil.ignore_patterns("build"))
    return copy


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["flash", *words])


def only(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("PATH", str(folder))


def test_build_only(firmware: Path, capfd: pytest.CaptureFixture[str]) -> None:
    need("avr-gcc", "avr-libc", "make")
    result = run("--build-only", "--firmware", str(firmware))
    assert result.exit_code == 0, result.output
    assert (firmware / "build" / "boardctl.elf").is_file()
    assert "Program:" in capfd.readouterr().out, "the size is reported"


def test_the_chip_is_written_with_the_budget(
    firmware: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("avr-gcc", "avr-libc", "make")
    programs = tmp_path / "programs"
    programs.mkdir()
    called = tmp_path / "called"
    avrdude = programs / "avrdude"
    avrdude.write_text(f'#!/bin/sh\necho "$@" >{called}\n')
    avrdude.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    port = tmp_path / "ttyUSB7"
    port.touch()
    result = run("--milliamps", "2500", "--firmware", str(firmware), str(port))
    assert result.exit_code == 0, result.output
    words = called.read_text().split()
    assert words[words.index("-P") + 1] == str(port)
    assert words[words.index("-p") + 1] == "atmega328p"
    assert words[words.index("-U") + 1] == "flash:w:build/boardctl.elf:e"
    assert "500000 baud" in result.output
    elf = (firmware / "build" / "boardctl.elf").read_bytes()
    run("--build-only", "--firmware", str(firmware), "--milliamps", "900")
    assert (firmware / "build" / "boardctl.elf").read_bytes() != elf, "another budget is built in"


def test_the_debian_packages_firmware_needs_no_compiler_and_no_choice(
    drive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed program has no sources; its package contains the built firmware."""
    monkeypatch.setattr(flash, "source", lambda: tmp_path / "nowhere")
    monkeypatch.setattr(flash, "READY", tmp_path)
    (tmp_path / "boardctl.uf2").write_bytes(b"a program")
    only(monkeypatch, tmp_path)
    assert run("--pico", str(drive)).exit_code == 0
    assert (drive / "boardctl.uf2").read_bytes() == b"a program"
    refused = run("--pico", "--milliamps", "2500", str(drive))
    assert refused.exit_code == 1, "another budget must be built in"
    assert "download the source" in refused.output
    assert "contains no firmware" in run("/dev/null").output, "the package has none for it"


def memory(intel_hex: str) -> bytes:
    """Return the memory that a file in Intel's hexadecimal format writes, from address 0 on."""
    written = bytearray()
    for line in intel_hex.split():
        record = bytes.fromhex(line.removeprefix(":"))
        assert sum(record) % 256 == 0, "the record's checksum"
        length, address, kind = record[0], int.from_bytes(record[1:3], "big"), record[3]
        assert kind in (0, 1) and length == len(record) - 5
        assert kind == 1 or address == len(written), "no gap"
        written += record[4:-1]
    return bytes(written)


def test_a_ready_made_file_needs_no_compiler(
    firmware: Path, drive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("avr-gcc", "avr-libc", "make")
    assert run("--build-only", "--firmware", str(firmware)).exit_code == 0
    ready = firmware / "build" / "boardctl.hex"
    whole = tmp_path / "whole.bin"
    elf = firmware / "build" / "boardctl.elf"
    sections = ["-j", ".text", "-j", ".data"]
    subprocess.run(["avr-objcopy", *sections, "-O", "binary", elf, whole], check=True)
    assert memory(ready.read_text("ascii")) == whole.read_bytes(), "the program that is built here"
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "avrdude").write_text(f'#!/bin/sh\necho "$@" >{tmp_path}/called\n')
    (programs / "avrdude").chmod(0o755)
    only(monkeypatch, programs)
    port = tmp_path / "ttyUSB7"
    port.touch()
    assert run("--file", str(ready), str(port)).exit_code == 0
    words = (tmp_path / "called").read_text().split()
    makefile = (flash.source() / "Makefile").read_text("utf-8")
    recipe = next(line for line in makefile.splitlines() if line.startswith("\tavrdude"))
    found = recipe.replace("$(MCU)", "atmega328p").replace("$(PORT)", str(port))
    found = found.replace("$<:e", f"{ready}:i")
    assert ["avrdude", *words] == found.split()
    pico = tmp_path / "boardctl.uf2"
    pico.write_bytes(b"UF2")
    assert run("--file", str(pico)).exit_code == 0
    assert (drive / "boardctl.uf2").read_bytes() == b"UF2"
    refused = run("--file", str(pico), "--milliamps", "900")
    assert "to lower it, set `milliamps` in [leds]" in refused.output
    other = tmp_path / "boardctl.elf"
    other.touch()
    assert "expected a .hex or a .uf2" in run("--file", str(other)).output


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, tmp_path)
    result = run()
    assert result.exit_code == 1
    assert result.output == (
        "Error: some programs are not installed: sudo apt install make gcc-avr avr-libc avrdude\n"
    )
    result = run("--build-only")
    assert result.output == (
        "Error: some programs are not installed: sudo apt install make gcc-avr avr-libc\n"
    )


def test_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name)
    result = run("/dev/ttyUSB99")
    assert result.exit_code == 1
    assert result.output == "Error: there is no /dev/ttyUSB99: is the board plugged in?\n"


def test_no_firmware(tmp_path: Path) -> None:
    result = run("--firmware", str(tmp_path))
    assert result.exit_code == 1
    assert "contains no firmware" in result.output


INFO = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder like that of a Pico's ROM, and a list of mounts that contains it."""
    folder = tmp_path / "a user" / "RPI-RP2"
    folder.mkdir(parents=True)
    (folder / "INFO_UF2.TXT").write_text(INFO)
    mounts = tmp_path / "mounts"
    escaped = str(folder).replace(" ", r"\040")
    mounts.write_text(f"proc /proc proc rw 0 0\n/dev/sdx1 {escaped} vfat rw 0 0\n")
    monkeypatch.setattr(flash, "MOUNTS", mounts)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("named", [False, True])
def test_a_pico_is_written_by_its_drive(drive: Path, firmware: Path, named: bool) -> None:
    need("arm-none-eabi-gcc", "newlib", "make")
    words = ["--pico", "--firmware", str(firmware), *([str(drive)] if named else [])]
    result = run(*words)
    assert result.exit_code == 0, result.output
    first = (drive / "boardctl.uf2").read_bytes()
    assert first == (firmware / "build" / "boardctl.uf2").read_bytes()
    assert "500000 baud" in result.output
    assert run(*words, "--milliamps", "900").exit_code == 0
    assert (drive / "boardctl.uf2").read_bytes() != first, "another budget is built in"


def test_a_pico_that_is_not_there(
    drive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(click.ClickException, match="there is no /dev/ttyACM99"):
        flash.drive_at("/dev/ttyACM99")
    with pytest.raises(click.ClickException, match=r"has no INFO_UF2\.TXT"):
        flash.drive_at(str(tmp_path))
    plain = tmp_path / "file"
    plain.touch()
    with pytest.raises(click.ClickException, match="file cannot be opened"):
        flash.drive_at(str(plain))
    assert flash.drive_at(None) == drive
    (drive / "INFO_UF2.TXT").unlink()
    with pytest.raises(click.ClickException, match="there is no drive RPI-RP2: hold BOOTSEL"):
        flash.drive_at(None)


def test_a_drive_that_cannot_be_written(drive: Path, tmp_path: Path) -> None:
    (tmp_path / "boardctl.uf2").touch()
    (drive / "boardctl.uf2").mkdir()
    with pytest.raises(click.ClickException, match="RPI-RP2 cannot be written: Is a directory"):
        flash.put(tmp_path / "boardctl.uf2", drive)


def test_the_port_of_a_pico_is_touched_and_its_drive_awaited(
    drive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drive appears at the third check."""
    looks: list[float] = []
    master, slave = os.openpty()
    monkeypatch.setattr(flash, "find_drive", lambda: drive if len(looks) > 1 else None)
    monkeypatch.setattr("boardctl.commands.flash.time.sleep", looks.append)
    try:
        assert flash.touch(os.ttyname(slave)) == drive
        assert termios.tcgetattr(slave)[4] == termios.B1200
        monkeypatch.setattr(flash, "find_drive", lambda: None)
        assert flash.touch(os.ttyname(slave)) is None
    finally:
        os.close(master)
        os.close(slave)
    assert len(looks) == 2 + 2 * flash.PATIENCE
