"""The other chip: a Pico's real UF2 in an emulated RP2040, behind the same commands.

The pty and the line faults are implemented here, since JavaScript has no pty; the rest is in
`emulator/pico.mjs`. A reset does not disconnect the port from the host, as it would in reality: the
tests that unplug the cable cover that.
"""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import tty
from pathlib import Path
from random import Random
from typing import Any

from tests.firmware.rig import Emulator
from tests.parts import BUILD, has_pico_emulator

NUMBER = "E66138935F4B2C29"
"""The flash chip's number, in hexadecimal."""


class Pico(Emulator):
    """The process of `emulator/pico.mjs`, and the pty that serves as its cable.

    Args:
        program: `pico.mjs`, next to the files of `install`.
        uf2: the firmware.
        port: the path of the cable's device file.
        number: the flash chip's number, 16 hexadecimal digits; empty if the chip does not know the
            instruction to read it.
    """

    def __init__(self, program: Path, uf2: Path, port: Path, number: str = NUMBER) -> None:
        self._master = self._slave = -1
        self._written = 0
        self._said = 0
        self._lost = 0
        self._waiting = b""
        self._one_in = 0
        self._faults = 0
        self._chance = Random(0)
        self.port = port
        self._plug()
        super().__init__(["node", str(program), str(uf2), number], port)

    def _plug(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(os.ttyname(self._slave))

    def _unplug(self) -> None:
        os.close(self._master)
        os.close(self._slave)
        self.port.unlink(missing_ok=True)
        self._master = -1

    def _spoil(self, data: bytes) -> bytes:
        """Flip, drop or double one byte in every this many."""
        if not self._one_in:
            return data
        out = bytearray()
        for byte in data:
            if self._chance.randrange(self._one_in):
                out.append(byte)
                continue
            self._faults += 1
            match self._chance.randrange(3):
                case 0:
                    out.append(byte ^ 1 << self._chance.randrange(8))
                case 1:
                    pass
                case _:
                    out += bytes((byte, byte))
        return bytes(out)

    def _read(self, seconds: float | None) -> None:
        """Forward what the host has written to the board, waiting for it for the given time."""
        if select.select([self._master], [], [], seconds)[0]:
            data = os.read(self._master, 4096)
            self._written += len(data)
            self._waiting += self._spoil(data)

    def command(self, words: str) -> dict[str, Any]:
        name, *rest = words.split()
        match name:
            case "run":
                while self._written < int(rest[1]):
                    self._read(None)
                words = self._run(float(rest[0]))
            case "live":
                self._read(0)
                words = self._run(float(rest[0]))
            case "faults":
                self._one_in = int(rest[0])
                self._chance = Random(int(rest[1]))
                words = "run 0 -"
            case "noise":
                self._waiting += Random(int(rest[1])).randbytes(int(rest[0]))
                words = self._run(0)
            case "reset":
                self._waiting = b""
            case "unplug":
                self._written = int(rest[0])
                self._unplug()
                words = "unplug"
            case "plug":
                self._plug()
        return super().command(words)

    def _run(self, time: float) -> str:
        waiting, self._waiting = self._waiting, b""
        return f"run {time} {waiting.hex() or '-'}"

    def take(self, kept: dict[str, Any]) -> None:
        data = self._spoil(bytes.fromhex(kept["told"]))
        if self._master >= 0 and data:
            os.write(self._master, data)
            self._said += len(data)
        kept |= {"said": self._said, "written": self._written, "faults": self._faults}
        super().take(kept)

    def close(self) -> None:
        super().close()
        if self._master >= 0:
            self._unplug()


def place(folder: Path, source: Path) -> Path:
    """Place the program next to rp2040js, which it uses, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", "pico.mjs"):
        (folder / name).write_bytes((source / name).read_bytes())
    return folder / "pico.mjs"


def install(folder: Path, source: Path) -> str:
    """Install rp2040js as pinned in its lock file, and return why that is impossible, or
    nothing."""
    place(folder, source)
    if has_pico_emulator():
        return ""
    if shutil.which("npm") is None:
        return "npm is not installed: tests with an emulated Pico will skip\n"
    print(f"npm: installing rp2040js, which emulates a Pico, into {folder}", flush=True)
    words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    tried = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"npm cannot install rp2040js: {tried.stderr.strip()[-300:]}\n"
    (folder / "installed").write_bytes((source / "package-lock.json").read_bytes())
    return ""


if __name__ == "__main__":
    print(install(BUILD, Path(__file__).with_name("emulator")), end="", flush=True)
