"""A backup restore that never ends: `python -m tests.web.endless FILE DIRECTORY`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

if __name__ == "__main__":
    Path(sys.argv[2], "endless").write_text(str(os.getpid()), "utf-8")
    sys.stdout.write('{"percent": 3}\n')
    sys.stdout.flush()
    signal.pause()
