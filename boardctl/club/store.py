"""The club's file: evenings, draws, and every word about a result, in SQLite. Nothing is erased.

`entry` is append-only: what a board sent, what it withdrew, what players set right. The last
word rules, and the word of players over that of a board; that it was given stays visible.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardctl.club import pin as pins
from boardctl.club.evening import (
    ROUNDS,
    ClubRefusal,
    Draw,
    Evening,
    Result,
    Standing,
    by_hand,
    draw,
    from_board,
    standings,
)
from boardctl.games import Outcome

APPLICATION_ID: Final = 0x434C5542
"""`CLUB` in the file's header."""
VERSION: Final = 2
"""Version 1 had no members' PINs; it is given room for them when it is opened."""
_MEMBER: Final = """
CREATE TABLE member (
    name TEXT PRIMARY KEY,         -- casefolded: a player keeps her PIN from evening to evening
    salt BLOB NOT NULL,
    hashed BLOB NOT NULL,
    wrong INTEGER NOT NULL         -- wrong PINs in a row
) STRICT;
"""
_SCHEMA: Final = f"""
BEGIN;
CREATE TABLE evening (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    rounds INTEGER NOT NULL
) STRICT;
CREATE TABLE player (
    evening INTEGER NOT NULL,
    place INTEGER NOT NULL,        -- the lot
    name TEXT NOT NULL,
    PRIMARY KEY (evening, name)
) STRICT;
CREATE TABLE meeting (
    evening INTEGER NOT NULL,
    round INTEGER NOT NULL,
    place INTEGER NOT NULL,        -- the table, from 1; 0 is the bye
    one TEXT NOT NULL,
    two TEXT NOT NULL,             -- empty for the bye
    PRIMARY KEY (evening, round, place)
) STRICT;
CREATE TABLE entry (
    number INTEGER PRIMARY KEY,
    evening INTEGER NOT NULL,
    round INTEGER NOT NULL,
    place INTEGER NOT NULL,
    winner TEXT NOT NULL,          -- empty: withdrawn
    spread INTEGER NOT NULL,
    skunk INTEGER NOT NULL,
    said TEXT NOT NULL,            -- hand, or the board and its game
    at REAL NOT NULL
) STRICT;
CREATE TABLE game (
    board TEXT NOT NULL,
    game TEXT NOT NULL,
    version INTEGER NOT NULL,      -- a higher one replaces: withdrawn, won again
    result TEXT NOT NULL,          -- JSON as the board sent it
    at REAL NOT NULL,
    PRIMARY KEY (board, game)
) STRICT;
{_MEMBER}
PRAGMA application_id={APPLICATION_ID};
PRAGMA user_version={VERSION};
COMMIT;
"""


class StoreError(Exception):
    """The club's file can not be used; the message is one sentence."""


class Meeting(NamedTuple):
    """A table of a round and what is known of its game."""

    round: int
    table: int
    one: str
    two: str
    result: Result | None = None


class Game(NamedTuple):
    """A game as the hub keeps it; `result` is what the board sent."""

    board: str
    game: str
    version: int
    result: Mapping[str, Any]
    at: float


def _close_to_others(path: Path) -> None:
    """A file that nobody else on the machine may read: it holds names and hashes of PINs. What
    SQLite puts beside it gets the same permissions. Raises OSError."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if (mode := os.fstat(handle).st_mode) & 0o007:
            os.fchmod(handle, mode & 0o770)
    finally:
        os.close(handle)


class Store:
    """The club's file."""

    def __init__(self, path: Path) -> None:
        """Open or make the file. Raises StoreError."""
        self.path = path
        self._counted: tuple[int | None, int] | None = None
        self._evenings: tuple[Evening, ...] = ()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _close_to_others(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            mine = self._db.execute("PRAGMA application_id").fetchone()[0]
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
                self._db.executescript(_SCHEMA)
            elif (mine, version) == (APPLICATION_ID, 1):
                self._db.executescript(f"BEGIN;{_MEMBER}PRAGMA user_version={VERSION};COMMIT;")
            elif (mine, version) != (APPLICATION_ID, VERSION):
                self._db.close()
                raise StoreError(f"{path}: is not a club's file that this boardctl reads")
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{path}: {error}") from error

    def close(self) -> None:
        self._db.close()

    # Evenings and draws

    def new(self, name: str, players: Sequence[str], rounds: int = ROUNDS) -> int:
        """Begin an evening, its number; the order of the players is the lot.

        Raises:
            ClubRefusal: `too-few-players`, `name-taken`.
        """
        if len(players) < 2:
            raise ClubRefusal("too-few-players", players=len(players))
        folded = [player.casefold() for player in players]
        for player in players:
            if folded.count(player.casefold()) > 1:
                raise ClubRefusal("name-taken", name=player)
        with self._whole():
            cursor = self._db.execute(
                "INSERT INTO evening (name, rounds) VALUES (?, ?)", (name, rounds)
            )
            number = cursor.lastrowid
            assert number is not None
            self._db.executemany(
                "INSERT INTO player VALUES (?, ?, ?)",
                ((number, place, player) for place, player in enumerate(players)),
            )
        return number

    def evening(self) -> tuple[int, str, int]:
        """The newest evening: number, name, rounds. Raises ClubRefusal: `no-evening`."""
        row = self._db.execute("SELECT * FROM evening ORDER BY number DESC LIMIT 1").fetchone()
        if row is None:
            raise ClubRefusal("no-evening")
        return row[0], row[1], row[2]

    def players(self, evening: int) -> tuple[str, ...]:
        rows = self._db.execute(
            "SELECT name FROM player WHERE evening = ? ORDER BY place", (evening,)
        )
        return tuple(name for (name,) in rows)

    def player(self, evening: int, name: str) -> str:
        """A player as she is written. Raises ClubRefusal: `no-such-player`."""
        for known in self.players(evening):
            if known.casefold() == name.casefold():
                return known
        raise ClubRefusal("no-such-player", name=name)

    def draws(self, evening: int) -> tuple[Draw, ...]:
        rows = self._db.execute(
            "SELECT round, place, one, two FROM meeting WHERE evening = ? ORDER BY round, place",
            (evening,),
        ).fetchall()
        return tuple(
            Draw(
                tuple((one, two) for r, place, one, two in rows if r == number and place),
                next((one for r, place, one, _ in rows if r == number and not place), None),
            )
            for number in sorted({row[0] for row in rows})
        )

    def draw(self, evening: int, rounds: int, absent: Sequence[str] = ()) -> tuple[int, Draw]:
        """Draw the next round, without who is absent: its number and who meets whom.

        Raises:
            ClubRefusal: `evening-over`, `no-such-player`, and what `evening.draw` refuses.
        """
        before = self.draws(evening)
        if len(before) == rounds:
            raise ClubRefusal("evening-over", rounds=rounds)
        players = self.players(evening)
        for name in absent:
            if name not in players:
                raise ClubRefusal("no-such-player", name=name)
        drawn = draw([name for name in players if name not in absent], before)
        number = len(before) + 1
        rows = [(evening, number, n, one, two) for n, (one, two) in enumerate(drawn.pairs, 1)]
        if drawn.bye is not None:
            rows.append((evening, number, 0, drawn.bye, ""))
        with self._whole():
            self._db.executemany("INSERT INTO meeting VALUES (?, ?, ?, ?, ?)", rows)
        return number, drawn

    # Players' words

    def give_pins(self, names: Sequence[str]) -> dict[str, str]:
        """A PIN for each of these players who has none yet, to be shown once."""
        rows = self._db.execute("SELECT name FROM member").fetchall()
        known = {name for (name,) in rows}
        return {name: self.new_pin(name) for name in names if name.casefold() not in known}

    def new_pin(self, name: str) -> str:
        """A new PIN for a player, to be shown once; an old one is good no more."""
        pin, mark = pins.fresh()
        self._db.execute(
            "INSERT OR REPLACE INTO member VALUES (?, ?, ?, 0)", (name.casefold(), *mark)
        )
        return pin

    def _hear(self, name: str, pin: str) -> None:
        """A player's word. Raises ClubRefusal: `word-missing`, `word-wrong`, `word-worn`."""
        row = self._db.execute(
            "SELECT salt, hashed, wrong FROM member WHERE name = ?", (name.casefold(),)
        ).fetchone()
        if row is None or not pin:
            raise ClubRefusal("word-missing", name=name)
        salt, hashed, wrong = row
        if wrong >= pins.TRIES:
            raise ClubRefusal("word-worn", name=name)
        good = pins.fits(pin, pins.PinHash(salt, hashed))
        self._db.execute(
            "UPDATE member SET wrong = ? WHERE name = ?",
            (0 if good else wrong + 1, name.casefold()),
        )
        if not good:
            raise ClubRefusal("word-wrong", name=name, left=pins.TRIES - wrong - 1)

    # Results

    def meetings(self, evening: int) -> tuple[Meeting, ...]:
        """Every table of every round drawn so far, with its result."""
        said: dict[tuple[int, int], Result | None] = {}
        names: dict[tuple[int, int], tuple[str, str]] = {}
        for number, place, one, two in self._db.execute(
            "SELECT round, place, one, two FROM meeting WHERE evening = ? AND place > 0 "
            "ORDER BY round, place",
            (evening,),
        ):
            names[number, place] = (one, two)
        for number, place, winner, spread, skunk, source in self._db.execute(
            "SELECT round, place, winner, spread, skunk, said FROM entry WHERE evening = ? "
            "ORDER BY number",
            (evening,),
        ):
            before = said.get((number, place))
            if before is not None and before.corrected and source != "hand":
                continue
            if not winner:
                said[number, place] = None
                continue
            one, two = names[number, place]
            loser = two if winner == one else one
            said[number, place] = Result(winner, loser, spread, bool(skunk), source == "hand")
        return tuple(Meeting(*at, *pair, said.get(at)) for at, pair in names.items())

    def standings(self, evening: int) -> tuple[Standing, ...]:
        results = [m.result for m in self.meetings(evening) if m.result is not None]
        return standings(self.players(evening), results)

    def evenings(self) -> tuple[Evening, ...]:
        """Every evening with its standings, the oldest first; counted anew when there is news."""
        news = self._db.execute(
            "SELECT (SELECT max(number) FROM entry), (SELECT count(*) FROM player)"
        ).fetchone()
        if news != self._counted:
            rows = self._db.execute("SELECT number, name FROM evening ORDER BY number").fetchall()
            self._evenings = tuple(Evening(name, self.standings(number)) for number, name in rows)
            self._counted = news
        return self._evenings

    def correct(
        self,
        evening: int,
        number: int,
        winner: str,
        loser: str,
        spread: int,
        pins: tuple[str, str],
        at: float,
    ) -> Result:
        """Enter a result by hand, or set one right, with the word of both players: their PINs,
        in the order in which they are named.

        Raises:
            ClubRefusal: `no-such-player`, `not-drawn`, `word-missing`, `word-wrong`, `word-worn`,
                `impossible-spread`; no result has changed.
        """
        winner, loser = self.player(evening, winner), self.player(evening, loser)
        result = by_hand(winner, loser, spread)
        place = self._place(evening, (winner, loser), number)
        if place is None:
            raise ClubRefusal("not-drawn", one=winner, two=loser, round=number)
        for name, pin in zip((winner, loser), pins, strict=True):
            self._hear(name, pin)
        self._enter(evening, place, result, "hand", at)
        return result

    def _place(
        self, evening: int, names: Sequence[str], number: int | None = None
    ) -> tuple[int, int] | None:
        """Round and table at which two meet; they meet once, so the names suffice."""
        wanted = {name.casefold() for name in names}
        for meeting in self.meetings(evening):
            if {meeting.one.casefold(), meeting.two.casefold()} == wanted and number in (
                None,
                meeting.round,
            ):
                return meeting.round, meeting.table
        return None

    def _drawn(self, seats: Sequence[str]) -> tuple[int, int, int] | None:
        """Evening, round and table at which two were drawn to meet last."""
        if len(seats) != 2:
            return None
        rows = self._db.execute("SELECT number FROM evening ORDER BY number DESC").fetchall()
        for (evening,) in rows:
            place = self._place(evening, seats)
            if place is not None:
                return evening, *place
        return None

    def _enter(
        self, evening: int, place: Sequence[int], result: Result | None, said: str, at: float
    ) -> None:
        told = ("", 0, 0) if result is None else (result.winner, result.spread, int(result.skunk))
        self._db.execute(
            "INSERT INTO entry (evening, round, place, winner, spread, skunk, said, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (evening, *place, *told, said, at),
        )

    # What boards send

    def keep(self, game: Game) -> bool:
        """Keep a game, or what has become of it; whether it was news. On disk when it returns.

        A repeat, or an older version that came late, changes nothing.
        """
        with self._whole():
            cursor = self._db.execute(
                "INSERT INTO game VALUES (?, ?, ?, ?, ?) ON CONFLICT (board, game) DO UPDATE SET "
                "version = excluded.version, result = excluded.result, at = excluded.at "
                "WHERE excluded.version > version",
                (game.board, game.game, game.version, json.dumps(dict(game.result)), game.at),
            )
            if cursor.rowcount == 0:
                return False
            self._count(game)
        return True

    def _count(self, game: Game) -> None:
        """Enter a game where these two were drawn to meet last. One that was entered once stays
        where it is while the same two played it, however many evenings have begun since."""
        seats = tuple(name.casefold() for name in game.result["seats"])
        said = f"{game.board} {game.game}"
        was = self._db.execute(
            "SELECT evening, round, place FROM entry WHERE said = ? ORDER BY number DESC LIMIT 1",
            (said,),
        ).fetchone()
        now = was if was is not None and set(self._pair(*was)) == set(seats) else self._drawn(seats)
        for at in dict.fromkeys((was, now)):
            if at is None:
                continue
            last = self._db.execute(
                "SELECT winner, said FROM entry WHERE evening = ? AND round = ? AND place = ? "
                "ORDER BY number DESC LIMIT 1",
                at,
            ).fetchone()
            if last is not None and last[0] and last[1] != said:
                continue  # the two have a result already; a second game of theirs is not counted
            result = self._played(at[0], game) if at == now else None
            if last is not None or result is not None:
                evening, *place = at
                self._enter(evening, place, result, said, game.at)

    def _pair(self, evening: int, number: int, place: int) -> tuple[str, str]:
        """Who was drawn to meet there, casefolded."""
        one, two = self._db.execute(
            "SELECT one, two FROM meeting WHERE evening = ? AND round = ? AND place = ?",
            (evening, number, place),
        ).fetchone()
        return one.casefold(), two.casefold()

    def _played(self, evening: int, game: Game) -> Result | None:
        """What a game counts for in an evening, its players written as they are there."""
        told = game.result
        players = {name.casefold(): name for name in self.players(evening)}
        outcome = Outcome(
            told["state"], tuple(told["scores"]), told["winner"], margin=told["margin"]
        )
        return from_board(tuple(players[name.casefold()] for name in told["seats"]), outcome)

    def games(self) -> tuple[Game, ...]:
        """All games that boards have sent, oldest first."""
        rows = self._db.execute("SELECT * FROM game ORDER BY at, board, game")
        return tuple(Game(b, g, version, json.loads(told), at) for b, g, version, told, at in rows)

    def _whole(self) -> _Whole:
        return _Whole(self._db)


class _Whole:
    """All of it or nothing."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._db.execute("COMMIT" if kind is None else "ROLLBACK")
