"""The processor time of other processes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

TICK: Final = os.sysconf("SC_CLK_TCK")
"""The kernel's clock ticks per second."""


def cpu(pid: int) -> float:
    """Return the CPU seconds that a running process has used (proc_pid_stat(5)). Raises
    FileNotFoundError if it has ended."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK
