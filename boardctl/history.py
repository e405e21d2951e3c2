"""Views over the journal: the games that were played, each as a record of its own.

Nothing here is kept: every view is worked out from the lines, and could be again. Called by the
command line and the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boardctl.games import Outcome
from boardctl.journal import read_sessions
from boardctl.record import restore


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game: its number in the journal (from 1, oldest first), when it began (seconds since
    1970), its evening's number and name, who played, how it ended, and its whole record as lines
    that `boardctl replay` reads."""

    number: int
    began: float
    evening: int
    session: str | None
    seats: tuple[str, ...]
    outcome: Outcome | None
    lines: tuple[str, ...]

    @property
    def sides(self) -> tuple[str, ...]:
        """The names by side; partners together."""
        count = len(self.outcome.scores) if self.outcome is not None else len(self.seats)
        return tuple(
            " + ".join(self.seats[seat] for seat in range(side, len(self.seats), count))
            for side in range(count)
        )


def played(directory: Path) -> Iterator[PlayedGame]:
    """Every game of a journal. Raises JournalError."""
    number = 0
    for evening, (prelude, entries) in enumerate(read_sessions(directory), 1):
        record = restore(prelude)
        times: list[float] = []
        for entry in (*entries, None):
            if entry is None or entry.text.startswith("session "):
                for place, after, lines in record.games():
                    number += 1
                    yield PlayedGame(
                        number,
                        times[place],
                        evening,
                        after.session,
                        tuple(after.seats.values()),
                        after.outcome,
                        lines,
                    )
            if entry is not None:
                record.read(entry.text)
                times = [*times[: len(record.moves) - 1], entry.at][: len(record.moves)]
