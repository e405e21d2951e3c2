"""Reports of misread photos that a phone saved on the board, for the board's owner.

A report shows cards and perhaps more, so no page lists or returns one: only somebody who can read
the board's data directory can.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

MOST: Final = 20
"""The maximum number of saved reports, each of at most a few megabytes."""
_FOLDER: Final = "reports"
_NAME: Final = "report-{}.zip"


def folder(data: Path) -> Path:
    """Return the folder of the reports in a data directory; it may not exist yet."""
    return data / _FOLDER


def free(data: Path) -> Path | None:
    """Return the file of the next report in a data directory, or None if it holds `MOST` already.
    The folder is created if necessary."""
    place = folder(data)
    place.mkdir(mode=0o700, exist_ok=True)
    files = (place / _NAME.format(number) for number in range(1, MOST + 1))
    return next((file for file in files if not file.exists()), None)


def move(data: Path, to: Path) -> list[Path]:
    """Move the reports of a data directory to another folder, which is created if necessary.

    Returns:
        The moved files. A report keeps its name unless the folder already has a file of that name;
        then its number is the next free one.

    Raises:
        OSError: if a file cannot be moved; the reports before it have been.
    """
    to.mkdir(parents=True, exist_ok=True)
    moved = []
    for report in sorted(folder(data).glob(_NAME.format("*"))):
        number = 1
        while (file := to / _NAME.format(number)).exists():
            number += 1
        shutil.move(report, file)
        moved.append(file)
    return moved
