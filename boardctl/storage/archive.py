"""A cache of the game history next to the journal, so that each game is computed only once.

`Archive` reads only the journal's new sessions, and recomputes the last one, which may have grown.
The cache is rebuilt if the journal, its lines or the version of boardctl has changed, or if the
cache file is damaged.

The time needed for a page of games and the players' statistics does not depend on the number of
games, because the statistics of earlier evenings are stored as sums. Reading a long journal takes
minutes on a small machine. The journal is therefore read evening by evening, in separate
transactions. Callers that cannot wait set `most`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardctl.games import Outcome
from boardctl.record import history
from boardctl.record.history import Figures, PlayedGame
from boardctl.record.record import Entry
from boardctl.storage import clock, database, files
from boardctl.storage.journal import JournalError, read_sessions
from boardctl.storage.schema import LAST

NAME: Final = "history.sqlite3"
"""The cache file in the data directory."""
PAGE: Final = 50
"""The number of games read at a time."""
SOON: Final = 2_000
"""The number of journal lines, about twenty games, that are read before an answer. Further lines
are read in the background."""
_BATCH: Final = 2_000
"""The number of lines between two transactions."""
_WAIT: Final = 60.0
"""Seconds to wait while another program uses the file."""
_SHORT: Final = 5.0
"""The same limit for a caller that cannot wait."""
_FORMAT: Final = "4"
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS known (
    format TEXT NOT NULL,
    identity TEXT NOT NULL,        -- of the journal
    corrections INTEGER NOT NULL,  -- of the clock: mended times change evenings that are known
    last INTEGER NOT NULL,         -- the last line that was read, and its text
    text TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS game (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,      -- the first line of its session
    game TEXT NOT NULL,            -- a PlayedGame as JSON
    figures TEXT NOT NULL          -- its players' Figures as JSON
) STRICT;
CREATE INDEX IF NOT EXISTS game_by_session ON game (session);
CREATE TABLE IF NOT EXISTS evening (session INTEGER PRIMARY KEY, number INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS total ( -- one row: the figures of all sessions before one, as JSON
    before INTEGER NOT NULL,
    players TEXT NOT NULL
) STRICT;
"""


class Reading(NamedTuple):
    """The progress of reading the journal: the last line read, and the last line of the journal."""

    done: int
    of: int


class _Journal(NamedTuple):
    """The parts of a journal that the archive compares."""

    identity: str
    corrections: int
    last: int
    text: str


class _Progress(NamedTuple):
    """The part of a journal that has been read."""

    format: str
    """The format of this archive that read it."""
    journal: _Journal


def _is_busy(error: Exception) -> bool:
    """Return whether an error means that another program is using the file."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _first_unread(
    db: sqlite3.Connection, journal: sqlite3.Connection, known: _Progress | None, now: _Journal
) -> int:
    """Return the first evening to read from the journal: the latest one already read, or an earlier
    one whose times have been corrected since."""
    since = int(db.execute("SELECT max(session) FROM evening").fetchone()[0] or 0)
    if known is None or known.journal.corrections >= now.corrections:
        return since
    corrected = clock.corrections(journal)[known.journal.corrections :]
    return min(since, _session_at(db, min(correction.since for correction in corrected)))


def _session_at(db: sqlite3.Connection, number: int) -> int:
    """Return the evening to which a line belongs, or 0 if no evening had begun."""
    before = "SELECT max(session) FROM evening WHERE session <= ?"
    return int(db.execute(before, (number,)).fetchone()[0] or 0)


class Archive:
    """The games of a data directory's journal, updated when it is opened."""

    def __init__(self, directory: Path, version: str, most: int | None = None) -> None:
        """Open the archive, and read new lines from the journal.

        Args:
            directory: the data directory.
            version: boardctl's version. Another version may judge a line differently.
            most: the maximum number of journal lines to read now, or None for no limit. If there
                are more lines, none are read, and `reading` is set.

        Raises:
            JournalError: if there is no readable journal.
        """
        self._directory = directory
        self._format = f"{_FORMAT} {version}"
        self._most = most
        self.reading: Reading | None = None
        """The progress of reading the journal, or None if the archive contains every game."""
        # nothing is created without a journal
        database.read_only(directory / database.NAME).close()
        try:
            self._db = self._open(str(directory / NAME))
        except (sqlite3.Error, OSError) as error:
            if _is_busy(error):
                raise JournalError(directory / NAME, "busy") from error
            self._db = self._rebuilt()

    def _rebuilt(self) -> sqlite3.Connection:
        """Return a new archive, which is kept in memory if the file cannot be written. Raises
        JournalError."""
        path = self._directory / NAME
        try:
            path.unlink(missing_ok=True)
            return self._open(str(path))
        except (sqlite3.Error, OSError):
            return self._in_memory()

    def _in_memory(self) -> sqlite3.Connection:
        """Return a new archive in memory. Raises JournalError if this fails too, because then the
        journal itself cannot be read."""
        try:
            return self._open(":memory:")
        except sqlite3.Error as error:
            path = self._directory / database.NAME
            raise JournalError(path, "failed", reason=error) from error

    def _open(self, name: str) -> sqlite3.Connection:
        if name != ":memory:":
            # Follow no link, because the service's user may have planted it for root.
            number = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, files.PRIVATE)
            try:
                os.fchmod(number, files.PRIVATE)
                files.give(number, files.owner(self._directory))
            finally:
                os.close(number)
        db = sqlite3.connect(
            name, isolation_level=None, timeout=_WAIT if self._most is None else _SHORT
        )
        try:
            db.execute("PRAGMA synchronous=OFF")  # after a power cut the cache is rebuilt
            self._check(db)
            self._update(db)
        except BaseException:
            db.close()
            raise
        return db

    def close(self) -> None:
        self._db.close()

    def _check(self, db: sqlite3.Connection) -> None:
        """Raise sqlite3.Error unless the archive belongs to this journal and this version. If the
        archive is empty, create its tables first."""
        if not db.execute("SELECT name FROM sqlite_schema").fetchall():
            db.execute("BEGIN IMMEDIATE")
            for statement in filter(str.strip, _SCHEMA.split(";")):
                db.execute(statement)
            db.execute("COMMIT")
        known = self._progress(db)
        if known is None:
            return
        form, journal = known
        with closing(database.read_only(self._directory / database.NAME)) as now:
            text = now.execute("SELECT text FROM line WHERE number = ?", (journal.last,)).fetchone()
            same = _journal(now)
        if (
            (form, journal.identity) != (self._format, same.identity)
            or journal.corrections > same.corrections
            or (text != (journal.text,) and journal.last > 0)
        ):
            raise sqlite3.DatabaseError("is of another journal")

    def _progress(self, db: sqlite3.Connection) -> _Progress | None:
        row = db.execute("SELECT * FROM known").fetchone()
        return None if row is None else _Progress(row[0], _Journal(*row[1:]))

    def _update(self, db: sqlite3.Connection) -> None:
        """Read the new part of the journal, unless it is too long."""
        with closing(database.read_only(self._directory / database.NAME)) as journal:
            now = _journal(journal)
            known = self._progress(db)
            if known is not None and known.journal == now:
                return
            since = _first_unread(db, journal, known, now)
        behind = Reading(0 if known is None else known.journal.last, now.last)
        if self._most is not None and now.last - max(since - 1, 0) > self._most:
            self.reading = behind
            return
        try:
            unread = self._read(db, since, known, now)
        except sqlite3.Error as error:
            if db.in_transaction:
                db.execute("ROLLBACK")
            if self._most is None or not _is_busy(error):
                raise
            self.reading = behind
        else:
            if unread:
                self._update(db)

    def _read(
        self, db: sqlite3.Connection, since: int, known: _Progress | None, now: _Journal
    ) -> bool:
        """Read the sessions from line `since` on, in transactions of a few thousand lines. Stop if
        another program is also reading them. Return whether this was the case."""
        db.execute("BEGIN IMMEDIATE")
        if self._progress(db) != known:
            db.execute("ROLLBACK")
            return True
        _forget(db, since)
        read = 0
        for prelude, entries in read_sessions(self._directory, since):
            if not entries:
                continue
            if read > _BATCH:
                read = 0
                known = self._remember(db, now, entries[0].number - 1)
                db.execute("COMMIT")
                db.execute("BEGIN IMMEDIATE")
                if self._progress(db) != known:
                    db.execute("ROLLBACK")
                    return True
            read += len(entries)
            _add_evening(db, prelude, entries)
        self._remember(db, now, now.last)
        db.execute("COMMIT")
        return False

    def _remember(self, db: sqlite3.Connection, now: _Journal, last: int) -> _Progress:
        """Store the last line read from the journal."""
        with closing(database.read_only(self._directory / database.NAME)) as journal:
            found = journal.execute("SELECT text FROM line WHERE number = ?", (last,)).fetchone()
        known = _Progress(self._format, now._replace(last=last, text=found[0] if found else ""))
        db.execute("DELETE FROM known")
        db.execute("INSERT INTO known VALUES (?, ?, ?, ?, ?)", (known.format, *known.journal))
        return known

    def game(self, number: int) -> PlayedGame | None:
        """Return a game by its number."""
        if not 0 < number < LAST:  # beyond SQLite's integers
            return None
        row = self._db.execute("SELECT game FROM game WHERE number = ?", (number,)).fetchone()
        return None if row is None else _from_text(row[0])

    def page(self, before: int | None = None) -> list[PlayedGame]:
        """Return the last `PAGE` games before a game number, or by default the last games of all,
        oldest first."""
        before = len(self) + 1 if before is None else before
        return self._games(before - PAGE, before)

    def games(self) -> Iterator[PlayedGame]:
        """Yield all games, oldest first. They are read a page at a time, so that a slow consumer
        does not delay other programs."""
        for first in range(1, len(self) + 1, PAGE):
            yield from self._games(first, first + PAGE)

    def _games(self, first: int, end: int) -> list[PlayedGame]:
        query = "SELECT game FROM game WHERE number >= ? AND number < ? ORDER BY number"
        return [_from_text(text) for (text,) in self._db.execute(query, (first, end)).fetchall()]

    def last_evening(self) -> tuple[PlayedGame, ...]:
        """Return the games of the last evening on which a game was played."""
        rows = self._db.execute(
            "SELECT game FROM game WHERE session = (SELECT max(session) FROM game) ORDER BY number"
        )
        return tuple(_from_text(text) for (text,) in rows)

    def __len__(self) -> int:
        """Return the number of the last game."""
        return int(self._db.execute("SELECT max(number) FROM game").fetchone()[0] or 0)

    def players(self) -> list[dict[str, Any]]:
        """Return the statistics of every player, with averages and records, in the order of the
        players' first games. An average is None if there was nothing to count."""
        return [_averaged(player) for player in _summed_before(self._db, LAST).values()]


def _journal(journal: sqlite3.Connection) -> _Journal:
    try:
        identity = journal.execute("SELECT name FROM identity").fetchone()
    except sqlite3.Error:  # version 1 has none
        identity = None
    last = journal.execute("SELECT number, text FROM line ORDER BY number DESC LIMIT 1").fetchone()
    name = identity[0] if identity else ""
    return _Journal(name, len(clock.corrections(journal)), *(last or (0, "")))


def _forget(db: sqlite3.Connection, since: int) -> None:
    """Remove a session and all later sessions from the archive."""
    if _total(db)[0] > since:  # rare: only if an older evening is read again
        players = _figures_between(db, 0, since, {})
        _set_total(db, since, players)
    db.execute("DELETE FROM game WHERE session >= ?", (since,))
    db.execute("DELETE FROM evening WHERE session >= ?", (since,))


def _add_evening(db: sqlite3.Connection, prelude: str, entries: tuple[Entry, ...]) -> None:
    first = entries[0].number
    _set_total(db, first, _summed_before(db, first))
    (number,) = db.execute("SELECT max(number) FROM game").fetchone()
    (evening,) = db.execute("SELECT max(number) FROM evening").fetchone()
    newest = "SELECT game FROM game ORDER BY number DESC LIMIT ?"
    recent = [_from_text(text) for (text,) in db.execute(newest, (history.RECENT,))][::-1]
    games = history.played([(prelude, entries)], number or 0, evening or 0, recent)
    db.executemany(
        "INSERT INTO game VALUES (?, ?, ?, ?)",
        ((game.number, first, _to_text(game), _figures(game)) for game in games),
    )
    db.execute("INSERT INTO evening VALUES (?, ?)", (first, (evening or 0) + 1))


_Players = dict[str, dict[str, Any]]


def _total(db: sqlite3.Connection) -> tuple[int, _Players]:
    """Return a session's number, and the stored sums over all sessions before it."""
    row = db.execute("SELECT before, players FROM total").fetchone()
    return (0, {}) if row is None else (row[0], json.loads(row[1]))


def _set_total(db: sqlite3.Connection, before: int, players: _Players) -> None:
    db.execute("DELETE FROM total")
    text = json.dumps(players, ensure_ascii=False)
    db.execute("INSERT INTO total VALUES (?, ?)", (before, text))


def _summed_before(db: sqlite3.Connection, session: int) -> _Players:
    """Return the statistics of all sessions before a given one: the stored sums plus the statistics
    that the sums do not include yet."""
    before, players = _total(db)
    return _figures_between(db, before, session, players)


def _figures_between(db: sqlite3.Connection, first: int, end: int, players: _Players) -> _Players:
    """Add the statistics of a range of sessions to the sums."""
    query = "SELECT figures FROM game WHERE session >= ? AND session < ? ORDER BY number"
    for (text,) in db.execute(query, (first, end)):
        for one in json.loads(text):
            _add_game(players.setdefault(one["name"], {}), one)
    return players


def _to_text(game: PlayedGame) -> str:
    outcome = None if game.outcome is None else game.outcome._asdict()
    fields = {name: getattr(game, name) for name in PlayedGame.__slots__}
    return json.dumps({**fields, "outcome": outcome}, ensure_ascii=False)


def _from_text(text: str) -> PlayedGame:
    fields = json.loads(text)
    outcome = fields.pop("outcome")
    if outcome is not None:
        outcome = Outcome(**{name: _frozen(value) for name, value in outcome.items()})
    return PlayedGame(**{name: _frozen(value) for name, value in fields.items()}, outcome=outcome)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _figures(game: PlayedGame) -> str:
    """Return the statistics of one game, with each list replaced by its sum."""
    return json.dumps([_summed(player) for player in history.figures([game])], ensure_ascii=False)


def _summed(player: Figures) -> dict[str, Any]:
    return {
        "name": player.name,
        "games": player.games,
        "won": player.won,
        "skunks": player.skunks,
        "points": player.points,
        "best": max((*player.hands, *player.cribs), default=0),
        "hands": [len(player.hands), sum(player.hands)],
        "cribs": [len(player.cribs), sum(player.cribs)],
        "luck": [len(player.luck), sum(player.luck)],
    }


def _add_game(total: dict[str, Any], one: dict[str, Any]) -> None:
    """Add one game to a player's sums and records: the highest hand or crib, and the longest
    winning streak. `run` is the current streak."""
    total["best_hand"] = max(total.get("best_hand", 0), one.pop("best"))
    run = total.get("run", 0)
    if one["games"]:  # the game was played to its end
        run = run + 1 if one["won"] else 0
    total["run"], total["streak"] = run, max(total.get("streak", 0), run)
    _add(total, one)


def _add(total: dict[str, Any], one: dict[str, Any]) -> None:
    for name, value in one.items():
        if isinstance(value, dict):
            _add(total.setdefault(name, {}), value)
        elif isinstance(value, list):
            total[name] = [a + b for a, b in zip(total.get(name, [0, 0]), value, strict=True)]
        elif isinstance(value, str):
            total[name] = value
        else:
            total[name] = total.get(name, 0) + value


def _averaged(player: dict[str, Any]) -> dict[str, Any]:
    kinds = {"hand": "hands", "crib": "cribs", "luck": "luck"}
    counts = {"hand": "hands", "crib": "cribs", "luck": "lucky"}
    kept = ("name", "games", "won", "skunks", "points", "best_hand", "streak")
    shown = {name: player[name] for name in kept}
    for mean, name in kinds.items():
        count, total = player[name]
        shown[counts[mean]] = count
        shown[mean] = round(total / count, 2) if count else None
    return shown


def reply(arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Update the archive: `python -m boardctl.storage.archive DIRECTORY VERSION`."""
    directory, version = arguments
    with suppress(JournalError):  # the board itself reports faults of the journal
        Archive(Path(directory), version).close()
    return 0, given


if __name__ == "__main__":
    sys.exit(reply(sys.argv[1:], b"")[0])
