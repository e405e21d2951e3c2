"""The game that an evening left unfinished, and the search for it in a journal."""

from __future__ import annotations

from itertools import takewhile
from typing import Final, NamedTuple

from boardctl.games import BEFORE_DEALS, Kind
from boardctl.record.position import MOST_EFFORT, Effort, Position
from boardctl.record.record import Record, restore
from boardctl.storage.journal import Journal

_SILENT: Final = 10
"""The number of evenings searched for one with lines."""


class Unfinished(NamedTuple):
    """A game that an evening left unfinished: its last position, and its whole record as lines."""

    position: Position
    lines: tuple[str, ...]


def is_begun(record: Record) -> bool:
    """Return whether an evening has had a deal."""
    return any(
        move.kind is not Kind.SETUP and move.kind not in BEFORE_DEALS for move in record.moves
    )


def find_unfinished(record: Record) -> Unfinished | None:
    """Return the unfinished game at the end of an evening, or None if there is none or if nothing
    was entered in its deals."""
    newest = takewhile(lambda move: move.verb != "game", reversed(record.moves))
    entered = any(move.kind not in (Kind.SETUP, *BEFORE_DEALS, Kind.DEAL) for move in newest)
    unfinished = None
    for _, after, lines in record.games():
        going = not after.over and (entered or any(after.scores))
        unfinished = Unfinished(after, lines) if going else None
    return unfinished


def unfinished_before(journal: Journal, first: int, played: int) -> Unfinished | None:
    """Return the unfinished game of the evening that precedes a line. Evenings without lines are
    skipped. When a board starts, it plays at most `MOST_EFFORT` moves, as many as one evening may
    have. An evening that would exceed this limit is not continued."""
    for _ in range(_SILENT):
        found = journal.last_session(first)
        if found is None:
            break
        first, carried, entries = found
        effort = Effort(carried)
        for entry in entries:
            effort.add(entry.text)
        played += effort.total
        if played > MOST_EFFORT:
            break
        record, unfinished, ended = restore(carried), None, False
        # the search ends at a game that is not over
        for text in (*(entry.text for entry in entries), "session"):
            if text.partition(" ")[0] == "session" and record.moves:
                unfinished, ended = find_unfinished(record), True
            record.resume(text)
        if ended:
            return unfinished
    return None
