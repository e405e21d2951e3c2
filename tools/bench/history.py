"""The first response about the history of a long journal, compared with the start of a Python
process. It is measured after the games have been read into the archive, and before any have been
read, which the response reports.

As on a board, a separate process responds (`boardctl.web.history_worker`). Times are CPU seconds of
the process, the minimum of several rounds in which it alternates with the other.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from boardctl import __version__
from boardctl.storage import archive, database
from tools.bench.growth import EVENING, Evening

GAMES: Final = 50_000
SEATS: Final = ("session evening", "game cribbage", "seat 1 Ann", "seat 2 Bob")
GAME: Final = ("game cribbage", "dealer 1", "deal", "1 peg 8", "2 resign")
"""A short game, which makes the journal quick to write and read: only the number of games matters
here."""
ROUNDS: Final = 7
NAME: Final = f"the first answer of a history of {GAMES:,} games, times a start of Python"
MOST: Final = 20
"""The bound of both answers."""


def run(*arguments: str) -> tuple[float, str]:
    """Return the CPU seconds of a Python process, and its output."""
    before = _children()
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": ""},  # as on a board
    )
    return _children() - before, done.stdout


def start_of_python(rounds: int = ROUNDS) -> float:
    """Return the CPU seconds of a Python process that does nothing, the minimum of several."""
    return min(run("-c", "pass")[0] for _ in range(rounds))


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Answers(NamedTuple):
    """The time of the first response as a multiple of a Python start: after the games have been
    read, and before any have been read."""

    read: float
    unread: float


def first_answers(games: int = GAMES, rounds: int = ROUNDS) -> Answers:
    """Measure both times on a journal with this many games."""
    with TemporaryDirectory() as folder:
        data = Path(folder)
        journal = Evening(data / database.NAME)
        journal.db.execute("BEGIN")
        for _ in range(games // EVENING):
            journal.add([*SEATS, *(GAME * EVENING)[1:]])
        journal.db.execute("COMMIT")
        journal.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        journal.db.close()
        kept = data / archive.NAME
        unread, starts, read = [], [], []
        for _ in range(rounds):
            kept.unlink(missing_ok=True)
            unread.append(_asked(folder, is_read=False))
            starts.append(start_of_python(1))
        kept.unlink()
        archive.Archive(data, __version__).close()
        for _ in range(rounds):
            read.append(_asked(folder, is_read=True))
            starts.append(start_of_python(1))
        return Answers(min(read) / min(starts), min(unread) / min(starts))


def _asked(folder: str, is_read: bool) -> float:
    """Return the CPU seconds that a response takes."""
    took, answer = run("-m", "boardctl.web.history_worker", folder, "overview", "0", "en")
    found: dict[str, Any] = json.loads(answer)
    assert (bool(found["games"]), found["reading"] is None) == (is_read, is_read)
    return took
