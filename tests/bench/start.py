"""The daemon's core up to its first frame, beside three imports from the standard library."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, NamedTuple


class Core(NamedTuple):
    """CPU time beside the imports', and the most memory that the process had."""

    ratio: float
    mebibytes: float


def run(*arguments: str) -> dict[str, Any]:
    """What `tests.bench.core` tells of a fresh process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.core", *arguments],
        check=True,
        capture_output=True,
        text=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def core(rounds: int = 9) -> Core:
    """The least of several starts on each side; the first only fills the caches."""
    run()
    starts = []
    imports = []
    for _ in range(rounds):
        starts.append(run())
        imports.append(run("--baseline"))
    assert all(told["frames"] for told in starts)
    return Core(
        min(told["seconds"] for told in starts) / min(told["seconds"] for told in imports),
        max(told["kib"] for told in starts) / 1024,
    )
