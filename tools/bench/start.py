"""The daemon's core up to its first frame, compared with three imports from the standard
library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

SCRIPT = Path(__file__).with_name("core.py")
ROOT = Path(__file__).parents[2]


class Core(NamedTuple):
    """The CPU time relative to that of the imports, and the peak memory of the process."""

    ratio: float
    mebibytes: float


def run(*arguments: str) -> dict[str, Any]:
    """Return the output of `core.py` in a fresh process."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        check=True,
        capture_output=True,
        text=True,
        # Compiled files are kept, as on a board, whatever the environment's setting.
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""},
    )
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def started() -> dict[str, Any]:
    """Start a board on its own journal."""
    with tempfile.TemporaryDirectory() as folder:
        return run(folder)


def core(rounds: int = 15) -> Core:
    """Return the minimum of several starts on each side. The first start only fills the caches."""
    started()
    starts = []
    imports = []
    for _ in range(rounds):
        starts.append(started())
        imports.append(run())
    assert all(figures["frames"] for figures in starts)
    return Core(
        min(figures["seconds"] for figures in starts)
        / min(figures["seconds"] for figures in imports),
        max(figures["kib"] for figures in starts) / 1024,
    )
