"""Ctrl-C while the program is still being read: who thinks better of it sees no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

STRUCK = """\
import os, signal
os.kill(os.getpid(), signal.SIGINT)
raise ImportError("Ctrl-C was ignored")
"""


@pytest.mark.parametrize("ignored", [False, True])
def test_ctrl_c_at_once_ends_without_a_word(ignored: bool, tmp_path: Path) -> None:
    """It came while the first library was read, and four screens of imports were shown. Where a
    shell has it ignored, as for what runs in the background, it stays ignored."""
    (tmp_path / "click.py").write_text(STRUCK)

    def begin() -> None:  # as a shell does, however this test itself was begun
        signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.SIG_DFL)

    done = subprocess.run(
        [sys.executable, "-m", "boardctl", "games"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=begin,
    )
    if ignored:
        assert "Ctrl-C was ignored" in done.stderr
    else:
        assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
