"""Render a drawing as pixels with librsvg's `rsvg-convert` in a separate process."""

from __future__ import annotations

import subprocess
from typing import Final

PROGRAM: Final = "rsvg-convert"
PACKAGE: Final = "librsvg2-bin"
"""Debian's package of the program."""


def convert(drawn: str) -> bytes:
    """Return an SVG as a PNG file, one pixel per SVG unit.

    Args:
        drawn: an SVG without references to other files. The machine's fonts are used.

    Raises:
        FileNotFoundError: the program is not installed.
        subprocess.CalledProcessError: the program failed, and `stderr` contains the reason.
    """
    done = subprocess.run([PROGRAM], input=drawn.encode(), capture_output=True, check=True)
    return done.stdout
