"""The memory of the whole daemon, with keys, page and a connected phone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from websockets.sync.client import connect
from websockets.typing import Origin

from tests.ports import free_port

ROOT = Path(__file__).parents[2]


def mebibytes() -> float:
    """Return the resident memory (VmRSS, including shared pages) of `boardctl run --sim` once it is
    open. The first start only compiles the files, because compiling takes memory and a board has
    compiled files."""
    _started()
    return _started()


def _started() -> float:
    with tempfile.TemporaryDirectory() as folder:
        daemon = subprocess.Popen(
            [
                *(sys.executable, "-m", "boardctl", "run", "--sim", "--no-browser"),
                *("--port", str(free_port()), "--data", folder),
            ],
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""},
        )
        try:
            assert daemon.stderr is not None
            said = next(line for line in daemon.stderr if "http://" in line)
            found = re.search(r"http://\S+", said)
            assert found is not None
            url = found[0]
            with connect(f"{url.replace('http', 'ws')}/ws", origin=Origin(url), proxy=None) as page:
                page.recv()
                status = Path(f"/proc/{daemon.pid}/status").read_text()
            (kib,) = re.findall(r"VmRSS:\s+(\d+) kB", status)
            return int(kib) / 1024
        finally:
            daemon.terminate()
            daemon.wait()
