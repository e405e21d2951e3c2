"""The README's two commands in this checkout, beside busy cores (`make loads`)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Final

import pytest

from tests import report
from tests.ports import free_port
from tests.report import LongRun

ROOT: Final = Path(__file__).parents[2]


@pytest.fixture(params=[0, 1, 2])
def busy(request: pytest.FixtureRequest) -> Iterator[int]:
    """Keep this many cores busy, and return their number."""
    spinning = [
        subprocess.Popen([sys.executable, "-c", "while 1: 0"]) for _ in range(request.param)
    ]
    yield request.param
    for one in spinning:
        one.kill()
        one.wait()


def begin(*words: str) -> subprocess.Popen[str]:
    """Start `make` with these words in the checkout; its output is one stream."""
    return subprocess.Popen(
        ["make", *words],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


@pytest.mark.long
def test_make_run(busy: int, tmp_path: Path, long_run: LongRun) -> None:
    began = monotonic()
    arguments = f"--no-browser --port {free_port()} --data {tmp_path}"
    with begin("run", f"ARGS={arguments}") as running:
        assert running.stdout is not None
        lines = iter(running.stdout)
        found = (re.search(r"at (http://\S+)", line) for line in lines)
        address = next(filter(None, found), None)
        assert address is not None, "the board did not start"
        with urllib.request.urlopen(address[1]) as page:
            assert len(page.read()) > 1000
        long_run(busy_cores=busy, tenths_to_the_page=round(10 * (monotonic() - began)))
        os.killpg(running.pid, signal.SIGINT)
        assert "Traceback" not in "".join(lines)


@pytest.mark.long
def test_make_test(busy: int, long_run: LongRun) -> None:
    began, used = monotonic(), report.cpu()
    with begin("test") as testing:
        said, _ = testing.communicate()
    counted = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed)", said)}
    seconds, used = round(monotonic() - began), round(report.cpu() - used)
    passed, failed = counted.get("passed", 0), counted.get("failed", 0)
    cores = len(os.sched_getaffinity(0))
    long_run(busy_cores=busy, cores=cores, passed=passed, failed=failed, seconds=seconds, cpu=used)
    assert testing.returncode == 0, said[-6000:]
