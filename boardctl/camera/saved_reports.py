"""Reports of misread photos, which a phone has saved on the board for the board's owner.

A report shows cards and possibly more, so no page lists or returns reports. Only somebody who can
read the board's data directory can see them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

MOST: Final = 20
"""The maximum number of saved reports, each of at most a few megabytes."""
_FOLDER: Final = "reports"
_NAME: Final = "report-{}.zip"


def folder(data: Path) -> Path:
    """Return the folder for reports in a data directory. It may not exist yet."""
    return data / _FOLDER


@contextmanager
def incoming(data: Path) -> Iterator[Path]:
    """Yield a new file on the same file system for a report that is being written. It is deleted
    unless it has been moved to the next `free` file. The folder is created if necessary."""
    place = folder(data)
    place.mkdir(mode=0o700, exist_ok=True)
    with TemporaryDirectory(dir=place, prefix=".incoming-") as made:
        yield Path(made) / _NAME.format(0)


def free(data: Path) -> Path | None:
    """Return the file of the next report in a data directory, or None if it already contains `MOST`
    reports."""
    files = (folder(data) / _NAME.format(number) for number in range(1, MOST + 1))
    return next((file for file in files if not file.exists()), None)


def move(data: Path, to: Path) -> list[Path]:
    """Move the reports in a data directory to another folder, which is created if necessary.

    Returns:
        The moved files. Each gets the first number that is free in that folder.

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
