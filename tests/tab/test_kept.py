"""The files of a tab: a log in the browser's storage, cut off or without room."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.parts import need

SCRIPT = Path(__file__).with_name("kept.mjs")


@pytest.mark.parametrize("seed", range(1, 4))
def test_files_survive_a_cut_and_a_full_disk(seed: int) -> None:
    need("node")
    command = ["node", "--no-warnings", str(SCRIPT), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("kept\n", "")
