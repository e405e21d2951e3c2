"""The analysis of a finished game: the CPU time to its first results, and to its end.

`python -m tools.bench.analysing` prints both. The first results are the curve of the chances and
the first decision that is judged.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tools.bench.processes import cpu

RECORDS: Final = Path(__file__).parents[2] / "tests" / "vectors" / "records-cribbage-2.jsonl"


class Analysing(NamedTuple):
    """CPU seconds of the process that analyses a game."""

    first: float
    whole: float


def measure() -> Analysing:
    """Analyse the first vector game as the page does."""
    lines = json.loads(RECORDS.read_text("utf-8").splitlines()[0])["record"]
    program = [sys.executable, "-m", "boardctl.bot.judged", "stages"]
    pipe = subprocess.PIPE
    with subprocess.Popen(program, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{lines}\n")
        process.stdin.close()
        first = 0.0
        for stage in map(json.loads, process.stdout):
            if stage.get("done") == 1:
                first = cpu(process.pid)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, program)
    return Analysing(first, used.ru_utime + used.ru_stime)


if __name__ == "__main__":
    sys.stdout.write("first results {:.2f} s, whole {:.2f} s\n".format(*measure()))
