"""The number of the last saved line, beside the journal: a log cut short says nothing of its end.

SQLite takes a log that ends early for one that was never longer. This number, in a file of its own,
tells a board that lines are missing. It is written in place after the line is on disk and is not
synced, so that it costs no second sync for a line: after a power cut it is the number, or an
earlier one, within one sector.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from boardctl.storage import files

NAME: Final = "journal.last"
"""The file in the data directory: the journal's name and the number, as text of fixed length."""
_WIDTH: Final = 64


def write(directory: Path, journal: str, number: int) -> None:
    """Store the number of the last saved line. Raises OSError.

    Args:
        directory: the data directory.
        journal: the journal's unique name; another journal has other numbers.
        number: of the line.
    """
    path = directory / NAME
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(path, flags, files.PRIVATE)
    try:
        if not os.fstat(file).st_size:  # it is new
            files.give(file, files.owner(directory))
        os.pwrite(file, f"{journal} {number}".ljust(_WIDTH - 1).encode() + b"\n", 0)
    finally:
        os.close(file)


def read(directory: Path, journal: str) -> int:
    """The number of the last saved line; 0 if it is not known for this journal."""
    try:
        with (directory / NAME).open("rb") as file:
            words = file.read(_WIDTH).decode("ascii", "replace").split()
    except OSError:
        return 0
    if len(words) != 2 or words[0] != journal or not words[1].isdecimal():
        return 0
    return int(words[1])
