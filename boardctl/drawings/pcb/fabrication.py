"""Run KiCad on a board: fill its planes, check its rules, plot its Gerbers.

This module runs `with_kicad.py` with a Python that can import KiCad's `pcbnew` module (Debian: the
package `kicad`, and /usr/bin/python3). Dates are removed from the files, so that they are
reproducible with the same layout and the same version of KiCad.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from boardctl.text import SpokenError

_DATED: Final = re.compile(
    r"^(%TF\.(CreationDate|ProjectId).*|G04 Created by KiCad.*|; DRILL file.*"
    r"|; #@! TF\.(CreationDate|GenerationSoftware).*)\n",
    re.MULTILINE,
)
_PYTHONS: Final = ("/usr/bin/python3", "python3")


class KicadError(SpokenError):
    """The error raised if KiCad is missing or has failed."""


@dataclass(frozen=True, slots=True)
class Fabrication:
    """KiCad's output for a board: the Gerber and drill files by name, and rule violations."""

    files: Mapping[str, bytes]
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    unrouted: int

    def zipped(self) -> bytes:
        """Return the files as a reproducible zip archive for a fabricator."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, data in sorted(self.files.items()):
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        return out.getvalue()


def python() -> str:
    """Return a Python that can import KiCad's module. Raises KicadError if there is none."""
    for name in _PYTHONS:
        found = shutil.which(name)
        if (
            found
            and not subprocess.run(
                [found, "-c", "import pcbnew"], check=False, capture_output=True
            ).returncode
        ):
            return found
    raise KicadError("no-kicad")


def fabricate(board: bytes, project: bytes) -> Fabrication:
    """Fill, check and plot a board. Raises KicadError."""
    interpreter = python()
    with TemporaryDirectory() as folder:
        where = Path(folder)
        (where / "board.kicad_pcb").write_bytes(board)
        (where / "board.kicad_pro").write_bytes(project)
        done = subprocess.run(
            [interpreter, Path(__file__).with_name("with_kicad.py"), where / "board.kicad_pcb",
             where / "out"],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, "HOME": folder, "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
        if done.returncode:
            last = done.stderr.strip().rpartition("\n")[2]
            raise KicadError("kicad-failed", reason=last)
        files = {
            _name(path): _DATED.sub("", path.read_text("utf-8")).encode("utf-8")
            for path in (where / "out" / "gerbers").iterdir()
        }
        return Fabrication(files, *_findings((where / "out" / "drc.txt").read_text("utf-8")))


def _name(path: Path) -> str:
    return path.name.replace("board-", "")


def _findings(report: str) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Return the errors, the warnings and the number of missing connections in a DRC report."""
    found: dict[str, list[str]] = {"error": [], "warning": []}
    entries = re.split(r"^(?=\[)", report, flags=re.MULTILINE)[1:]
    for entry in entries:
        severity = re.search(r"Severity: (\w+)", entry)
        found["warning" if severity and severity[1] == "warning" else "error"].append(entry.strip())
    unrouted = sum(entry.startswith("[unconnected_items]") for entry in entries)
    return tuple(found["error"]), tuple(found["warning"]), unrouted
