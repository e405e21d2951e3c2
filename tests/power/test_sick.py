"""A disk whose writes, syncs, reads and opens fail for a while. When it works again, so does the
board, with every line and without a restart."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.power.test_power import HERE, preloaded
from tests.report import LongRun

ROUNDS = 75
"""The number of rounds in one process, because the interposer handles a limited number of files."""


def failures(folder: Path, seed: int) -> list[str]:
    """Return the rounds that did not recover, or lost a line."""
    (folder / "data").mkdir(parents=True)
    sick = folder / "sick"
    done = subprocess.run(
        [sys.executable, HERE / "sick_board.py", folder / "data", sick, str(seed), str(ROUNDS)],
        env=preloaded(folder, sick),
        check=True,
        capture_output=True,
        text=True,
    )
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_a_board_heals_when_its_disk_does(tmp_path: Path) -> None:
    assert failures(tmp_path, 1) == []


@pytest.mark.long
def test_a_board_heals_in_many_rounds(tmp_path: Path, seed: int, long_run: LongRun) -> None:
    seeds = range(seed, seed + 8)
    long_run(rounds=len(seeds) * ROUNDS)
    assert [failures(tmp_path / str(one), one) for one in seeds] == [[]] * len(seeds)
