"""The table: the single writer. Everyone enters here: keypad, page, command line, tests.

`submit` lets the record accept or refuse a line, hands it to the journal and tells the watchers
at once; the receipt's `saved` is done when the line is on disk. Only a saved peg stands steady.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final, NamedTuple

from boardctl import notation
from boardctl.games import IllegalMove, Move
from boardctl.record.position import Position
from boardctl.record.record import Record, Report, restore
from boardctl.storage.journal import Journal, Post


class Receipt(NamedTuple):
    """An accepted line: its number in the journal, what it did, and when it is on disk."""

    number: int
    report: Report
    saved: Future[None]


class Table:
    """One table and its journal. Watchers are called after every accepted line."""

    def __init__(
        self, journal: Journal, now: Callable[[], float], tracks: int | None = None
    ) -> None:
        """Open the table where the journal left it.

        `now` gives seconds since 1970; `tracks` is how many sides the board has room for.

        Raises:
            JournalError: the journal can not be read.
        """
        self.journal = journal
        self._now = now
        self._tracks = tracks
        self.watchers: list[Callable[[Receipt], None]] = []
        self.posts: Callable[[int, Position, Position], Sequence[Post]] | None = None
        """What a line (session, before, after) puts into the outbox, where results are sent."""
        self.record = Record()
        self.session = 0
        self.number = 0
        last = journal.last_session()
        if last is not None:
            self.session, prelude, entries = last
            self.record = restore(prelude)
            for entry in entries:
                self.record.resume(entry.text)
                self.number = entry.number

    @property
    def position(self) -> Position:
        return self.record.position

    def submit(self, line: str, by: str, expect: int | None = None) -> Receipt:
        """Play one line.

        Args:
            line: a line of the notation.
            by: who says it: `keypad`, `page` …
            expect: the number of the last line that the caller had seen.

        Raises:
            IllegalMove: refused, nothing has changed; `stale` where `expect` is not the present.
        """
        if expect is not None and expect != self.number:
            raise IllegalMove("stale", expected=expect, number=self.number)
        before = self.position
        move = notation.parse(line, before.game)
        if move is None:
            raise IllegalMove("syntax", text=line, why="empty", at="")
        report = self._apply(move)
        self.number += 1
        at = self._now()
        if self.session == 0 or _begins_session(report.move):
            self.session = self.number
            saved = self.journal.begin_session(self.number, _prelude(before), report.move, at, by)
        else:
            posts = self.posts(self.session, before, self.position) if self.posts else ()
            saved = self.journal.append(self.session, self.number, report.move, at, by, posts)
        receipt = Receipt(self.number, report, saved)
        for watcher in self.watchers:
            watcher(receipt)
        return receipt

    def _apply(self, move: Move) -> Report:
        """The record's own word, but that three sides do not fit on two tracks, which is told
        when they sit down and not later."""
        if self._tracks is None or move.verb not in _SEATING:
            return self.record.apply(move)
        trial = self.record.copy()
        report = trial.apply(move)
        setup = trial.position.setup
        if setup is not None and setup.sides > self._tracks:
            raise IllegalMove("too-few-tracks", sides=setup.sides, tracks=self._tracks)
        self.record = trial
        return report


_SEATING: Final = frozenset({"seat", "game", "amend", "insert", "undo", "redo"})
"""The lines after which other players may sit at the table."""


def _begins_session(move: str) -> bool:
    return move.startswith("session ") and move != "session end"


def _prelude(position: Position) -> str:
    """The lines that restore seats and options at the beginning of a session."""
    lines = []
    for game, chosen in position.options.items():
        lines.append(f"game {game}")
        lines += (f"set {name} {value}" for name, value in chosen.items())
    if position.seats:
        lines.append("game cribbage" if position.game is None else f"game {position.game.name}")
        lines += (f"seat {seat} {name}" for seat, name in position.seats.items())
    return "\n".join(lines)
