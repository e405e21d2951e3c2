"""Copy the rows of a possibly foreign journal into a new journal with our own schema.

Only the rows of such a file are used, never its schema. A connection that is restricted to reading
reads the rows in order of number, without using the file's indexes, and every row is checked.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, pairwise
from math import isfinite
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardctl.games import KINDS, Kind
from boardctl.record.position import MOST_CARRIED, MOST_EFFORT, Effort
from boardctl.record.record import Entry, Record, prelude, restore
from boardctl.record.visibility import Doubts
from boardctl.storage import checks, clock, database, schema
from boardctl.storage.database import DamagedError, JournalError
from boardctl.text import Sentence

LINES: Final = "SELECT number, session, text, at, by FROM line NOT INDEXED"
SESSIONS: Final = "SELECT first, prelude FROM session NOT INDEXED"
_LINE: Final = (int, int, str, (int, float), str)
_SESSION: Final = (int, str)
_POST: Final = (str, int, str)
_CORRECTION: Final = (int, int, (int, float))
_FEW: Final = 10_000
"""The maximum number of rows in each small table: pending results, clock corrections."""
_ALL: Final = 1 << 23
"""The maximum number of letters in a small table. Each letter may take four bytes."""
_SHORT: Final = 1 << 16
"""The maximum length in letters of a text in a small table, and of a line's source."""
_TABLES: Final = frozenset({"line", "session", "outbox", "identity", "clock"})
_ALLOWED: Final = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_TRANSACTION})


class Copied(NamedTuple):
    """The result of a copy: the numbers of copied sessions and lines, and the number of lines
    omitted because their evening is too long to read again. `doubtful` contains a sentence for each
    line that this version's referee rejects."""

    sessions: int
    lines: int
    left_out: int = 0
    doubtful: tuple[str, ...] = ()


def is_line(row: tuple[Any, ...]) -> bool:
    """Return whether a row (number, session, text, at, by) is a valid journal line."""
    return _fits(row, _LINE) and 0 < row[1] <= row[0] < schema.LAST and len(row[4]) <= _SHORT


def is_session(row: tuple[Any, ...]) -> bool:
    """Return whether a row (first, prelude) is a valid session of a journal."""
    return _fits(row, _SESSION) and 0 < row[0] < schema.LAST


def _fits(row: tuple[Any, ...], kinds: tuple[Any, ...]) -> bool:
    return len(row) == len(kinds) and all(map(isinstance, row, kinds))


def copy(
    path: Path,
    new: sqlite3.Connection,
    *,
    repairing: bool = False,
    judging: bool = True,
    report: Callable[[int], object] = lambda percent: None,
) -> Copied:
    """Copy every row of a journal into a new, empty one, in one transaction.

    An evening that would take too long to replay is split at the start of a game.

    Args:
        path: the file, with its log.
        new: an empty journal of our own schema.
        repairing: whether the same journal continues. It then keeps its name, and evenings that are
            too long to read again are dropped; otherwise such evenings make the file invalid. A
            restored backup gets a new name instead, because games played since the backup may
            already have used the identifiers of its future games.
        judging: whether the referee finds the lines that are kept but change no score, which takes
            most of the time.
        report: called with the percentage copied so far.

    Raises:
        DamagedError: if a row of the journal is missing, unreadable or invalid.
        JournalError: if it is not a journal, or is too long for a board. sqlite3.Error: if `new`
            cannot be written.
    """
    sessions = lines = left_out = 0
    doubtful: list[str] = []
    fault = ""
    with closing(database.read_only(path)) as db:
        _only_rows(db, path)
        last = _last(db, path)
        new.execute("BEGIN")
        for first, carried, rows in _sessions(db, path):
            if not repairing and Effort(carried).total > MOST_CARRIED:
                raise JournalError(path, "carries-too-much", first=first)
            entries = _Counted(Entry(n, text, float(at), by) for n, _, text, at, by in rows)
            fault, kept = Sentence("fault", "missing-after", line=first), 0
            for part in parts(first, carried, entries):
                write_session(new, *part)
                if _follow(part[2], first + kept):
                    fault = ""
                sessions, kept = sessions + 1, kept + len(part[2])
                if judging:
                    doubtful += rejected(*part)
                report(100 * part[2][-1].number // last)
            for _ in entries:
                pass
            if entries.count > kept and not repairing:
                raise JournalError(path, "too-long", first=first)
            lines, left_out = lines + kept, left_out + entries.count - kept
            if fault and repairing:
                break
        if fault:  # of the last evening, or in a repair, of any evening
            raise DamagedError(path, "damaged", fault=fault)
        name, posts = outbox(db)
        write_rest(new, name if repairing else None, posts, corrections(db))
        new.execute("COMMIT")
    return Copied(sessions, lines, left_out, tuple(doubtful))


class _Counted:
    """An iterator over lines that counts the lines read so far."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries
        self.count = 0

    def __iter__(self) -> Iterator[Entry]:
        for entry in self._entries:
            self.count += 1
            yield entry


def _follow(entries: Sequence[Entry], first: int) -> bool:
    """Return whether the line numbers are consecutive."""
    return all(entry.number == number for number, entry in enumerate(entries, first))


def _only_rows(db: sqlite3.Connection, path: Path) -> None:
    """Restrict a connection to reading rows from a journal's tables. Raises JournalError unless
    these are ordinary tables."""
    try:
        found = {
            name: kind
            for schema_name, name, kind, *_ in db.execute("PRAGMA table_list")
            if schema_name == "main"
        }
        if not all(found.get(name) == "table" for name in ("line", "session")):
            raise JournalError(path, "not-ours")
        if not any(schema.strange(db)):
            for fault in checks.page_damage(db):
                raise DamagedError(path, "damaged", fault=fault)
        guard(db)
    except sqlite3.Error as error:
        raise DamagedError(path, "damaged", fault=error) from error


def guard(db: sqlite3.Connection) -> None:
    """Allow a connection only to read the columns of a journal's tables. A foreign schema may refer
    to functions or other tables, which are forbidden (sqlite.org/c3ref/set_authorizer.html)."""

    def allowed(action: int, what: str | None, *_: str | None) -> int:
        reads = action == sqlite3.SQLITE_READ and what in _TABLES
        return sqlite3.SQLITE_OK if reads or action in _ALLOWED else sqlite3.SQLITE_DENY

    db.set_authorizer(allowed)


def _sessions(
    db: sqlite3.Connection, path: Path
) -> Iterator[tuple[int, str, Iterator[tuple[Any, ...]]]]:
    """Yield every session in order, as its first line's number, its prelude and its lines. The
    caller must read the lines before requesting the next session."""
    lines = _ordered(db, f"{LINES} ORDER BY number", path, "row", is_line)
    row = next(lines, None)

    def mine(end: int) -> Iterator[tuple[Any, ...]]:
        nonlocal row
        while row is not None and row[0] < end:
            yield row
            row = next(lines, None)

    sessions = _ordered(db, f"{SESSIONS} ORDER BY first", path, "evening", is_session)
    last = (schema.LAST, "")
    for session, following in pairwise(chain(sessions, [last])):
        if row is not None and row[0] < session[0]:
            raise DamagedError(path, "damaged", fault=Sentence("fault", "no-evening", line=row[0]))
        yield (*session, mine(following[0]))
    if row is not None:
        raise DamagedError(path, "damaged", fault=Sentence("fault", "no-evening", line=row[0]))


def _last(db: sqlite3.Connection, path: Path) -> int:
    """Return the best estimate (at least 1) of the last line's number, before all lines have been
    read."""
    try:
        found = db.execute(f"{LINES} ORDER BY number DESC LIMIT 1").fetchone()
    except sqlite3.Error as error:
        raise DamagedError(path, "damaged", fault=error) from error
    return max(found[0], 1) if found is not None and is_line(found) else schema.LAST


def _ordered(
    db: sqlite3.Connection,
    query: str,
    path: Path,
    what: str,
    fits: Callable[[tuple[Any, ...]], bool],
) -> Iterator[tuple[Any, ...]]:
    """Yield valid rows with increasing numbers. Without this check, reading a cycle of pages would
    never end."""
    last = 0
    try:
        for row in db.execute(query):
            if not fits(row):
                raise DamagedError(
                    path, "damaged", fault=Sentence("fault", f"bad-{what}", number=row[0])
                )
            if row[0] <= last:
                raise DamagedError(
                    path, "damaged", fault=Sentence("fault", f"order-{what}", number=row[0])
                )
            last = row[0]
            yield row
    except sqlite3.Error as error:
        raise DamagedError(path, "damaged", fault=error) from error


def parts(
    first: int, carried: str, entries: Iterable[Entry]
) -> Iterator[tuple[int, str, list[Entry]]]:
    """Split an evening into evenings that are short enough to read again. Usually the result is the
    evening itself.

    A longer evening is split at the last game that begins before the limit. If a single game is too
    long, the iteration ends at the limit, and the remaining entries are not read. State that no
    board would carry over is omitted.

    Returns:
        Each part's first line number, its prelude and its lines.
    """
    part: list[Entry] = []
    effort = Effort(carried)
    if effort.total > MOST_CARRIED:
        carried, effort = "", Effort()
    game = 0
    for entry in entries:
        if effort.total + effort.of(entry.text) > MOST_EFFORT:
            after, later = _carry(carried, part[:game]), part[game:]
            effort = Effort(after)
            for again in later:
                effort.add(again.text)
            if not game or effort.total + effort.of(entry.text) > MOST_EFFORT:
                break
            yield first, carried, part[:game]
            first, carried, part, game = later[0].number, after, later, 0
        if part and entry.text.startswith("game "):
            game = len(part)
        part.append(entry)
        effort.add(entry.text)
    if part:
        yield first, carried, part


def _carry(carried: str, entries: Iterable[Entry]) -> str:
    """Return the prelude for an evening that continues with another evening's players and
    options."""
    record = Record()
    for line in (*carried.splitlines(), *_in_effect(entry.text for entry in entries)):
        if KINDS.get(line.split(None, 1)[0]) is Kind.SETUP:
            record.resume(line)
    return prelude(record.position)


def _in_effect(texts: Iterable[str]) -> list[str]:
    """Return the lines that remain in effect after `undo`, `redo`, `amend` and `insert`, without
    playing them."""
    lines: list[str] = []
    undone: list[list[str]] = []
    for text in texts:
        words = text.split(None, 2)
        back = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 1
        if not words or words[0] == "session" or words[1:2] == ["hint"]:
            continue
        if words[0] == "redo":
            lines += undone.pop() if undone else []
        elif words[0] not in ("undo", "amend", "insert"):
            lines.append(text)
        elif 1 <= back <= len(lines):
            place = len(lines) - back
            if words[0] == "undo":
                undone.append(lines[place:])
                del lines[place:]
            else:
                lines[place : place + (words[0] == "amend")] = words[2:]
        if words[0] not in ("undo", "redo"):
            undone.clear()
    return lines


def write_session(
    new: sqlite3.Connection, first: int, carried: str, entries: Iterable[Entry]
) -> None:
    """Insert an evening and its lines.

    Args:
        first: the number of its first line.
        carried: the prelude, whose lines restore the evening's carried-over state.
        entries: its lines.

    Raises:
        sqlite3.Error: the evening cannot be written.
    """
    new.execute("INSERT INTO session VALUES (?, ?)", (first, carried))
    new.executemany(
        "INSERT INTO line VALUES (?, ?, ?, ?, ?)",
        ((e.number, first, e.text, e.at, e.by) for e in entries),
    )


def write_rest(
    new: sqlite3.Connection,
    name: str | None,
    posts: Iterable[tuple[Any, ...]],
    corrections: Iterable[clock.ClockCorrection],
) -> None:
    """Insert the rest of a journal: its name (None for a new name), its pending results and its
    clock corrections. Raises sqlite3.Error."""
    if name is not None:
        new.execute("UPDATE identity SET name = ?", (name,))
    new.executemany("INSERT OR IGNORE INTO outbox VALUES (?, ?, ?)", posts)
    for correction in corrections:
        clock.add_correction(new, correction)


def outbox(db: sqlite3.Connection) -> tuple[str | None, list[tuple[Any, ...]]]:
    """Return a journal's name and its readable pending results. Version 1 did not store pending
    results. Results that are lost can be entered at the hub by hand."""
    names = _small(db, "SELECT name FROM identity", (str,))
    posts = _small(db, "SELECT game, version, result FROM outbox", _POST)
    return (names[0][0] if names else None), posts


def corrections(db: sqlite3.Connection) -> list[clock.ClockCorrection]:
    """Return a journal's readable clock corrections."""
    found = _small(db, "SELECT since, upto, seconds FROM clock", _CORRECTION)
    return [clock.ClockCorrection(*one) for one in found if isfinite(one[2])]


def _small(db: sqlite3.Connection, query: str, kinds: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the readable and valid rows of a small table."""
    found, left = [], _ALL
    try:
        for row in db.execute(f"{query} LIMIT {_FEW}"):
            letters = [len(value) for value in row if isinstance(value, str)]
            if not _fits(row, kinds) or max(letters, default=0) > _SHORT:
                continue
            left -= sum(letters)
            if left < 0:
                break
            found.append(row)
    except sqlite3.Error:
        return []
    return found


def rejected(first: int, carried: str, entries: Iterable[Entry]) -> Iterator[str]:
    """Return the lines of an evening that the referee rejects, with the reasons, but without cards
    that may be secret."""
    record = Record()
    for line in carried.splitlines():
        why = record.resume(line)
        if why is not None:
            yield Sentence("fault", "carried-rejected", line=first, written=_cut(line), reason=why)
    record, doubts = restore(carried), Doubts()
    for entry in entries:
        doubts.resume(record, entry.number, entry.text)
    for number, written, why in doubts.of(record):
        fields: dict[str, Any] = {"line": number, "written": _cut(written)}
        if why is None:
            yield Sentence("fault", "rejected-secret", **fields)
        else:
            yield Sentence("fault", "rejected", **fields, reason=why)


def _cut(line: str) -> str:
    """Return the part of a line to display, with unprintable characters escaped."""
    return repr(line[:80])[1:-1]
