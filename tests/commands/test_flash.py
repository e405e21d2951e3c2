"""`boardctl flash`: it builds with the real compiler; what writes to a chip is looked at in the
call that would have done it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardctl.cli import main
from boardctl.commands import flash
from tests.parts import need


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    """A copy to build in."""
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


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, tmp_path)
    result = run()
    assert result.exit_code == 1
    assert result.output == "Error: sudo apt install make gcc-avr avr-libc avrdude\n"
    result = run("--build-only")
    assert result.output == "Error: sudo apt install make gcc-avr avr-libc\n"


def test_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flash, "NEEDED", {})
    result = run("/dev/ttyUSB99")
    assert result.exit_code == 1
    assert result.output == "Error: there is no /dev/ttyUSB99: is the board plugged in?\n"


def test_no_firmware(tmp_path: Path) -> None:
    result = run("--firmware", str(tmp_path))
    assert result.exit_code == 1
    assert "contains no firmware" in result.output
