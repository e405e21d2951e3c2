"""Views over the journal: the games that were played, each as a record of its own.

Nothing here is kept: every view is worked out from the lines, and could be again. Called by the
command line and the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boardctl.journal import read_sessions
from boardctl.record import restore


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game: its number in the journal (from 1, oldest first), when it began (seconds since
    1970), the evening's name, and its whole record as lines that `boardctl replay` reads."""

    number: int
    began: float
    session: str | None
    lines: tuple[str, ...]


def played(directory: Path) -> Iterator[PlayedGame]:
    """Every game of a journal. Raises JournalError."""
    number = 0
    for prelude, entries in read_sessions(directory):
        record = restore(prelude)
        times: list[float] = []
        for entry in (*entries, None):
            if entry is None or entry.text.startswith("session "):
                for place, lines in record.games():
                    number += 1
                    yield PlayedGame(number, times[place], record.position.session, lines)
            if entry is not None:
                record.read(entry.text)
                times = [*times[: len(record.moves) - 1], entry.at][: len(record.moves)]
