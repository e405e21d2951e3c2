"""Ctrl-C while the program is still being imported shows no traceback."""

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
    """During the import of the first library, Ctrl-C used to print four screens of traceback. If
    the shell ignores Ctrl-C, as for background programs, it remains ignored."""
    (tmp_path / "click.py").write_text(STRUCK)

    def begin() -> None:  # like a shell, however this test itself was started
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
