"""The packages that `make run` installs on a machine with only Python, from the package index that
pip uses here."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tools import install

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements-run.lock"


class Fresh(NamedTuple):
    """The packages, the size of .venv in megabytes, and the CPU seconds of the installation."""

    packages: int
    megabytes: float
    seconds: float


def measure() -> Fresh:
    """Install the runtime packages into an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, ROOT / "tools" / "install.py", LOCK, "the board"],
            cwd=folder,
            check=True,
            capture_output=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        return Fresh(
            len(install.pins(LOCK.read_text("utf-8"))),
            sum(path.lstat().st_size for path in files) / 1e6,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        )
