"""A cache of the history next to the journal: each game is computed only once.

`Archive` reads only the sessions of the journal that it does not have yet, and recomputes the last
one, which may have grown. It rebuilds itself from the journal in any case of doubt: another
journal, other lines, another version of boardctl, a damaged file.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardctl.games import Outcome
from boardctl.record import history
from boardctl.record.history import Figures, PlayedGame
from boardctl.storage import clock, database, files
from boardctl.storage.journal import read_sessions

NAME: Final = "history.sqlite3"
"""The cache file in the data directory."""
_FORMAT: Final = "1"
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS known (
    format TEXT NOT NULL,
    identity TEXT NOT NULL,        -- of the journal
    last INTEGER NOT NULL,         -- the last line that was read, and its text
    text TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS game (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,      -- the first line of its session
    game TEXT NOT NULL,            -- a PlayedGame as JSON
    figures TEXT NOT NULL          -- its players' Figures as JSON
) STRICT;
CREATE TABLE IF NOT EXISTS evening (session INTEGER PRIMARY KEY, games INTEGER NOT NULL) STRICT;
"""


class _Known(NamedTuple):
    identity: str
    last: int
    text: str


class Archive:
    """The games of a data directory's journal, updated when it is opened."""

    def __init__(self, directory: Path, version: str) -> None:
        """Open the archive and read new lines of the journal.

        Args:
            directory: the data directory.
            version: boardctl's version; another one may judge a line differently.

        Raises:
            JournalError: if there is no journal, or it cannot be read.
        """
        self._directory = directory
        self._format = f"{_FORMAT} {version}"
        database.read_only(directory / database.NAME).close()  # nothing is made where there is none
        try:
            self._db = self._open(str(directory / NAME))
        except (sqlite3.Error, OSError):
            self._db = self._rebuilt()

    def _rebuilt(self) -> sqlite3.Connection:
        """A new archive, in memory if the file cannot be written."""
        path = self._directory / NAME
        try:
            path.unlink(missing_ok=True)
            return self._open(str(path))
        except (sqlite3.Error, OSError):
            return self._open(":memory:")

    def _open(self, name: str) -> sqlite3.Connection:
        if name != ":memory:":
            # Not through a link that the service's user may have planted for root.
            number = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, files.PRIVATE)
            try:
                os.fchmod(number, files.PRIVATE)
                files.give(number, files.owner(self._directory))
            finally:
                os.close(number)
        db = sqlite3.connect(name, isolation_level=None, timeout=60)
        try:
            db.execute("PRAGMA synchronous=OFF")  # after a power cut the cache is rebuilt
            db.execute("BEGIN IMMEDIATE")
            for statement in filter(str.strip, _SCHEMA.split(";")):
                db.execute(statement)
            self._update(db)
            db.execute("COMMIT")
        except BaseException:
            db.close()
            raise
        return db

    def close(self) -> None:
        self._db.close()

    def _update(self, db: sqlite3.Connection) -> None:
        with closing(database.read_only(self._directory / database.NAME)) as journal:
            now = _known(journal)
            known = db.execute("SELECT format, identity, last, text FROM known").fetchone()
            since = 0
            if known is not None and known[:2] == (self._format, now.identity):
                text = journal.execute("SELECT text FROM line WHERE number = ?", known[2:3])
                if text.fetchone() == known[3:]:
                    if known[2] == now.last:
                        return
                    row = db.execute("SELECT max(session) FROM evening").fetchone()
                    since = row[0] or 0
        self._forget(db, since)
        self._read(db, since)
        db.execute("DELETE FROM known")
        db.execute("INSERT INTO known VALUES (?, ?, ?, ?)", (self._format, *now))

    @staticmethod
    def _forget(db: sqlite3.Connection, since: int) -> None:
        db.execute("DELETE FROM game WHERE session >= ?", (since,))
        db.execute("DELETE FROM evening WHERE session >= ?", (since,))

    def _read(self, db: sqlite3.Connection, since: int) -> None:
        (number,) = db.execute("SELECT count(*) FROM game").fetchone()
        (evening,) = db.execute("SELECT count(*) FROM evening").fetchone()
        for prelude, entries in read_sessions(self._directory, since):
            first = entries[0].number if entries else since
            games = tuple(history.played([(prelude, entries)], number, evening))
            db.executemany(
                "INSERT INTO game VALUES (?, ?, ?, ?)",
                ((game.number, first, _to_text(game), _figures(game)) for game in games),
            )
            db.execute("INSERT INTO evening VALUES (?, ?)", (first, len(games)))
            number, evening = number + len(games), evening + 1

    def game(self, number: int) -> PlayedGame | None:
        """A game by its number."""
        row = self._db.execute("SELECT game FROM game WHERE number = ?", (number,)).fetchone()
        return None if row is None else _from_text(row[0])

    def games(self) -> Iterator[PlayedGame]:
        """All games, oldest first, one at a time."""
        for (text,) in self._db.execute("SELECT game FROM game ORDER BY number"):
            yield _from_text(text)

    def last_evening(self) -> tuple[PlayedGame, ...]:
        """The games of the last evening that had any."""
        rows = self._db.execute(
            "SELECT game FROM game WHERE session = (SELECT max(session) FROM game) ORDER BY number"
        )
        return tuple(_from_text(text) for (text,) in rows)

    def __len__(self) -> int:
        (count,) = self._db.execute("SELECT count(*) FROM game").fetchone()
        return int(count)

    def players(self) -> list[dict[str, Any]]:
        """Every player's figures with averages, in the order of their first games; an average is
        None if nothing was counted."""
        players: dict[str, dict[str, Any]] = {}
        for (text,) in self._db.execute("SELECT figures FROM game ORDER BY number"):
            for one in json.loads(text):
                _add(players.setdefault(one["name"], {}), one)
        return [_averaged(player) for player in players.values()]


def _known(journal: sqlite3.Connection) -> _Known:
    try:
        identity = journal.execute("SELECT name FROM identity").fetchone()
    except sqlite3.Error:  # version 1 has none
        identity = None
    last = journal.execute("SELECT number, text FROM line ORDER BY number DESC LIMIT 1").fetchone()
    # Mended times change the games of evenings that are known already.
    corrected = f" {len(found)}" if (found := clock.corrections(journal)) else ""
    return _Known((identity[0] if identity else "") + corrected, *(last or (0, "")))


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
    """The figures of one game, with sums instead of lists."""
    return json.dumps([_summed(player) for player in history.figures([game])], ensure_ascii=False)


def _summed(player: Figures) -> dict[str, Any]:
    return {
        "name": player.name,
        "games": player.games,
        "won": player.won,
        "skunks": player.skunks,
        "points": player.points,
        "hands": [len(player.hands), sum(player.hands)],
        "cribs": [len(player.cribs), sum(player.cribs)],
        "luck": [len(player.luck), sum(player.luck)],
    }


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
    told = {name: player[name] for name in ("name", "games", "won", "skunks", "points")}
    for mean, name in kinds.items():
        count, total = player[name]
        told[counts[mean]] = count
        told[mean] = round(total / count, 2) if count else None
    return told
