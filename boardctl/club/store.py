"""A club's store of evenings, draws, results and people. It uses SQLite by default, and PostgreSQL
for a league.

Each method is one transaction. Several processes may use the same store, for example hubs and
`boardctl club`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import sqlalchemy as sa

from boardctl.club import draws, people, playoff, results, totals
from boardctl.club.database import Database, StoreError
from boardctl.club.evening import (
    ROUNDS,
    ClubRefusal,
    Draw,
    Evening,
    Result,
    Standing,
    by_forfeit,
    by_hand,
    draw,
)
from boardctl.club.results import FORFEIT, HAND, Conflict, Game, Meeting
from boardctl.club.schema import (
    board,
    club,
    evening,
    player,
    season,
)
from boardctl.club.tables import Row
from boardctl.record.names import name_key, spelled

__all__ = ["About", "Conflict", "Game", "Meeting", "Store", "StoreError"]


_LISTED: Final = 9
"""The number of evenings listed in the message about a missing evening."""


class About(NamedTuple):
    """An evening's data. `kind` is evening, qualifying, playoff or consolation. `source` is the
    number of the qualifying evening that precedes a playoff or consolation."""

    number: int
    name: str
    rounds: int
    kind: str
    source: int | None
    club: int
    season: int
    code: str


class Store:
    """A store, as seen from one of its clubs."""

    def __init__(
        self,
        where: Path | str,
        club_name: str | None = None,
        season_name: str | None = None,
        now: Callable[[], float] = time.time,
        *,
        begins: bool = True,
    ) -> None:
        """Open or create a store.

        Args:
            where: a path, or the URL of a database (see `Database`).
            club_name: the club, by default the first one.
            season_name: the season of new evenings, by default the last one.
            begins: whether a missing club or season is created.

        Raises:
            StoreError: if the store cannot be used.
            ClubRefusal: `no-such-club`, `no-such-season`, `name-unfit`.
        """
        self.database = Database(str(where))
        self.now = now
        with ExitStack() as refused:
            refused.callback(self.close)
            if self.database.upgraded:
                self._count_all()
            if not begins:
                self._check(club, club_name)
                self._check(season, season_name)
            self.club = self.named(club, club_name, club.c.id.asc())
            self.season = self.named(season, season_name, season.c.id.desc())
            """`club` and `season` are numbers."""
            self._chosen: int | None = None
            """The evening treated as the newest, or None for the newest itself."""
            refused.pop_all()

    def _check(self, table: sa.Table, name: str | None) -> None:
        """Raise ClubRefusal if the store has no club or season with this name."""
        with self.database.read() as connection:
            known = connection.scalars(sa.select(table.c.name).order_by(table.c.id)).all()
        if name is not None and name not in known:
            raise ClubRefusal(f"no-such-{table.name}", name=name, there=", ".join(known))

    def named(self, table: sa.Table, name: str | None, order: sa.UnaryExpression[int]) -> int:
        """Return the number of the club or season with this name, after creating it if necessary.
        If no name is given, return the first one in this order."""
        query = sa.select(table.c.id).order_by(order).limit(1)
        if name is not None:
            people.check_name(name)
            query = query.where(table.c.name == name)
        with self.database.write() as connection:
            if name is not None:
                insert = self.database.insert(table).values(name=name)
                connection.execute(insert.on_conflict_do_nothing(index_elements=("name",)))
            return int(connection.execute(query).scalar_one())

    def _count_all(self) -> None:
        """Compute the sums for a store that has none."""
        with self.database.write() as connection:
            for number in connection.scalars(sa.select(evening.c.number)).all():
                totals.begin(connection, number, draws.people(connection, number).values())
                for met in results.meetings(connection, number):
                    totals.change(self.database, connection, number, None, met.result)

    def close(self) -> None:
        self.database.close()

    def alive(self) -> bool:
        """Check that the database responds. Raises sqlalchemy.exc.DBAPIError if it does not."""
        with self.database.read() as connection:
            return bool(connection.scalar(sa.select(1)))

    # Evenings and draws

    def new(
        self,
        name: str,
        players: Sequence[str],
        rounds: int = ROUNDS,
        kind: str = "evening",
        source: int | None = None,
        open_: bool = False,
    ) -> int:
        """Start an evening and return its number. The order of the players is the random draw. An
        `open_` evening may start without players, who then join later.

        Raises:
            ClubRefusal: `too-few-players`, `name-taken`, `name-unfit`.
        """
        if len(players) < 2 and not open_:
            raise ClubRefusal("too-few-players", players=len(players))
        with self.database.write() as connection:
            number = self._begin(connection, name, rounds, kind, source)
            draws.enrol(connection, self.club, number, self.now(), players)
        return number

    def _begin(
        self, connection: sa.Connection, name: str, rounds: int, kind: str, source: int | None
    ) -> int:
        people.check_name(name)
        (number,) = connection.execute(
            sa.insert(evening)
            .values(
                club=self.club,
                season=self.season,
                name=name,
                rounds=rounds,
                kind=kind,
                source=source,
                at=self.now(),
                code=secrets.token_urlsafe(9) if kind in ("evening", "qualifying") else "",
            )
            .returning(evening.c.number)
        ).one()
        return int(number)

    def choose(self, name: str) -> None:
        """Make the newest evening with this name the club's chosen evening. Raises ClubRefusal:
        `no-such-evening`."""
        key = name_key(name)
        found = (number for number, one in self._newest() if name_key(one) == key)
        self._chosen = next(found, None)
        if self._chosen is None:
            raise self._no_evening(name)

    def _newest(self) -> list[tuple[int, str]]:
        """Return the numbers and names of the club's evenings, newest first."""
        query = sa.select(evening.c.number, evening.c.name).where(evening.c.club == self.club)
        with self.database.read() as connection:
            rows = connection.execute(query.order_by(evening.c.number.desc()))
            return [(row.number, row.name) for row in rows]

    def _no_evening(self, name: object) -> ClubRefusal:
        """Return the error for an evening that does not exist, given by name or number."""
        there = [*dict.fromkeys(one for _, one in self._newest())][:_LISTED]
        if not there:
            return ClubRefusal("no-evening")
        return ClubRefusal("no-such-evening", name=name, there=", ".join(there))

    def about(self, number: int | None = None) -> About:
        """Return an evening's data, by default those of the chosen evening or the club's newest.
        Raises ClubRefusal: `no-evening`, `no-such-evening`."""
        number = self._chosen if number is None else number
        query = sa.select(*(evening.c[name] for name in About._fields))
        if number is None:
            query = query.where(evening.c.club == self.club)
        else:
            query = query.where(evening.c.number == number)
        with self.database.read() as connection:
            row = connection.execute(query.order_by(evening.c.number.desc()).limit(1)).first()
        if row is None:
            raise self._no_evening(number)
        return About(*row)

    def players(self, number: int) -> tuple[str, ...]:
        with self.database.read() as connection:
            return draws.players(connection, number)

    def player(self, number: int, name: str) -> str:
        """Return a player's name as it is spelled on this evening. Raises ClubRefusal: `no-such-
        player`."""
        for known in self.players(number):
            if name_key(known) == name_key(name):
                return known
        raise ClubRefusal("no-such-player", name=name)

    def draws(self, number: int) -> tuple[Draw, ...]:
        with self.database.read() as connection:
            return draws.drawn(connection, number)

    def draw(self, number: int, absent: Sequence[str] = ()) -> tuple[int, Draw]:
        """Draw the next round without the absent players. Return the round's number and pairings.

        Raises:
            ClubRefusal: `evening-over`, `no-such-player`, `playoff-draws`, and those of
            `evening.draw`.
        """
        about = self.about(number)
        if about.kind == "playoff":
            raise ClubRefusal("playoff-draws")
        with self.database.write() as connection:
            totals.lock(connection, number)
            before = draws.drawn(connection, number)
            if len(before) == about.rounds:
                raise ClubRefusal("evening-over", rounds=about.rounds)
            players = draws.players(connection, number)
            away = {name_key(name) for name in absent}
            for name in absent:
                if name_key(name) not in map(name_key, players):
                    raise ClubRefusal("no-such-player", name=name)
            drawn = draw([name for name in players if name_key(name) not in away], before)
            places: list[tuple[int, str, str | None]] = [
                (table, one, two) for table, (one, two) in enumerate(drawn.pairs, 1)
            ]
            if drawn.bye is not None:
                places.append((0, drawn.bye, None))
            draws.keep(connection, number, len(before) + 1, places)
        return len(before) + 1, drawn

    def cast(self, number: int, chance: Random) -> None:
        """Draw a new random order for an evening. Raises ClubRefusal: `evening-begun`."""
        with self.database.write() as connection:
            totals.lock(connection, number)
            if draws.drawn(connection, number):
                raise ClubRefusal("evening-begun")
            order = list(draws.people(connection, number).values())
            chance.shuffle(order)
            for place, who in enumerate(order):
                mine = (player.c.evening == number) & (player.c.person == who)
                connection.execute(sa.update(player).where(mine).values(place=place))

    def set_round(self, number: int, round_: int, matches: Sequence[playoff.Match]) -> None:
        """Store a round of a playoff at the tables, from top to bottom of its bracket."""
        with self.database.write() as connection:
            totals.lock(connection, number)
            places = [(place, *match) for place, match in enumerate(matches, 1)]
            draws.keep(connection, number, round_, places)

    def bracket(self, number: int) -> tuple[tuple[playoff.Match, str | None], ...]:
        """Return the last round of a playoff from top to bottom, with the winners so far."""
        with self.database.read() as connection:
            return results.bracket(connection, number)

    def read_in(self, name: str, rows: Sequence[Row]) -> int:
        """Create an evening from imported rounds, and return the evening's number.

        Raises:
            ClubRefusal: `too-few-players`, `name-taken`, `name-unfit`.
        """
        names = list(dict.fromkeys(n for row in rows for n in (row.one, row.two) if n))
        if len(names) < 2:
            raise ClubRefusal("too-few-players", players=len(names))
        with self.database.write() as connection:  # all of it or nothing
            last = max(row.round for row in rows)
            number = self._begin(connection, name, last, "evening", None)
            draws.enrol(connection, self.club, number, self.now(), names)
            for round_ in sorted({row.round for row in rows}):
                places = [
                    (row.table, row.one, row.two or None) for row in rows if row.round == round_
                ]
                draws.keep(connection, number, round_, places)
            for row in rows:
                if row.winner:
                    loser = row.two if row.winner == row.one else row.one
                    result = by_hand(row.winner, loser, row.spread)
                    place = (number, row.round, row.table)
                    at = self.now()
                    results.enter(self.database, connection, place, result, "import", at)
        return number

    # Boards at tables

    def bind(self, name: str, table: int | None) -> None:
        """Register a board with the club and assign it to a table, replacing the table's previous
        board."""
        with self.database.write() as connection:
            connection.execute(
                sa.update(board)
                .where(board.c.club == self.club, board.c.place == table)
                .values(place=None)
            )
            insert = self.database.insert(board).values(name=name, club=self.club, place=table)
            connection.execute(
                insert.on_conflict_do_update(
                    index_elements=("name",), set_={"club": self.club, "place": table}
                )
            )

    def boards(self) -> dict[str, int | None]:
        """Return the club's boards and their assigned tables."""
        query = sa.select(board.c.name, board.c.place).where(board.c.club == self.club)
        with self.database.read() as connection:
            rows = connection.execute(query.order_by(board.c.place, board.c.name))
            return {row.name: row.place for row in rows}

    # People

    def enter(self, number: int, name: str, pin: str | None = None) -> str:
        """Add a player to an evening, and return the stored name.

        If `pin` is given, players add themselves, before the first round. A player who has a PIN
        must give it, and a player without a PIN chooses one. If `pin` is not given, the director
        adds the player, as long as rounds remain to be drawn.

        Raises:
            ClubRefusal: `evening-begun`, `evening-over`, `playoff-closed`, `name-taken`,
            `name-unfit`, `pin-unfit`, and those of `check_pin`.
        """
        name = spelled(name)[:40]
        people.check_name(name)
        about = self.about(number)
        if about.kind == "playoff":
            raise ClubRefusal("playoff-closed")
        with self.database.read() as connection:
            who = people.member(connection, self.club, name)
            chooses = bool(people.without_pin(connection, self.club, (name,))) or who is None
        if pin is not None and not chooses:
            people.check_pin(self.database, who, name, pin)
        with self.database.write() as connection:
            totals.lock(connection, number)
            drawn = len(draws.drawn(connection, number))
            if drawn and pin is not None:
                raise ClubRefusal("evening-begun")
            if drawn == about.rounds:
                raise ClubRefusal("evening-over", rounds=about.rounds)
            draws.enrol(
                connection,
                self.club,
                number,
                self.now(),
                [name],
                len(draws.players(connection, number)),
            )
            if pin is not None and chooses:
                found = people.member(connection, self.club, name)
                assert found is not None
                people.new_pin(connection, found, pin)
        return name

    def give_pins(self, names: Sequence[str]) -> dict[str, str]:
        """Give new PINs to those of these members who have none. Return the PINs, which are
        displayed only once."""
        at = self.now()
        names = [spelled(name) for name in names]
        with self.database.write() as connection:
            for name in names:
                if people.member(connection, self.club, name) is None:
                    people.enrol(connection, self.club, name, at)
            found = people.without_pin(connection, self.club, names)
            return {name: people.new_pin(connection, who) for name, who in found.items()}

    def new_pin(self, name: str) -> str:
        """Give a member a new PIN and return it. It is displayed only once, and the old PIN becomes
        invalid."""
        with self.database.write() as connection:
            who = people.enrol(connection, self.club, name, self.now())
            return people.new_pin(connection, who)

    def person(self, name: str) -> int:
        """Return a member's number. Raises ClubRefusal: `no-such-member`."""
        with self.database.read() as connection:
            found = people.member(connection, self.club, name)
        if found is None:
            raise ClubRefusal("no-such-member", name=name)
        return found

    # Results

    def meetings(self, number: int) -> tuple[Meeting, ...]:
        """Return every table of every round drawn so far, with its result."""
        with self.database.read() as connection:
            return results.meetings(connection, number)

    def conflicts(self, number: int) -> tuple[Conflict, ...]:
        """Return the games of an evening's meetings that neither count nor were dismissed."""
        with self.database.read() as connection:
            return results.conflicts(connection, number)

    def decide(self, number: int, board_name: str, game: str, accept: bool) -> Conflict:
        """Count the game in a conflict, or dismiss it (`results.decide`)."""
        return results.decide(self.database, number, board_name, game, accept, self.now())

    def standings(self, number: int) -> tuple[Standing, ...]:
        """Return the standings, best first. A playoff has none, because its matches are not games
        of the season."""
        with self.database.read() as connection:
            return totals.standings(connection, number)

    def evenings(self) -> tuple[Evening, ...]:
        """Return every evening of the club's season with its standings, oldest first."""
        with self.database.read() as connection:
            return totals.by_evening(connection, self.club, self.season)

    def entry(
        self, number: int, round_: int, winner: str, loser: str, spread: int
    ) -> tuple[Result, tuple[int, int, int]]:
        """Return the result of a manual entry, with its evening, round and table.

        Args:
            number: of the evening.
            round_: from 1.
            winner, loser: the names, in any spelling.
            spread: the margin in points, or in games for a playoff match.

        Raises:
            ClubRefusal: `no-such-player`, `impossible-spread`, `not-drawn`; `match-played` if the
                loser has already played in the next round of a playoff.
        """
        winner, loser = self.player(number, winner), self.player(number, loser)
        result = by_hand(winner, loser, spread)
        meetings = self.meetings(number)
        if self.about(number).kind == "playoff":
            for met in meetings:
                if met.round == round_ + 1 and loser in (met.one, met.two) and met.result:
                    raise ClubRefusal("match-played", round=met.round, name=loser)
        for met in meetings:
            if {met.one, met.two} == {winner, loser} and met.round == round_:
                return result, (number, met.round, met.table)
        raise ClubRefusal("not-drawn", one=winner, two=loser, round=round_)

    def correct(
        self,
        number: int,
        round_: int,
        winner: str,
        loser: str,
        spread: int,
        pins: tuple[str, str],
        at: float,
    ) -> Result:
        """Enter or correct a result by hand, confirmed by both players.

        Args:
            number, round_, winner, loser, spread: as for `entry`.
            pins: the winner's and the loser's.
            at: seconds since 1970.

        Raises:
            ClubRefusal: `no-such-player`, `not-drawn`, `word-missing`, `word-wrong`, `word-worn`,
                `impossible-spread`, `match-played`; no result has changed.
        """
        result, place = self.entry(number, round_, winner, loser, spread)
        winner, loser = result.winner, result.loser
        with self.database.read() as connection:
            known = draws.people(connection, number)
        for name, pin in zip((winner, loser), pins, strict=True):
            people.check_pin(self.database, known[name], name, pin)
        is_playoff = self.about(number).kind == "playoff"
        with self.database.write() as connection:
            totals.lock(connection, number)
            results.enter(self.database, connection, place, result, HAND, at)
            if is_playoff:
                draws.promote(connection, place, winner)
        return result

    def forfeit(self, number: int, name: str) -> tuple[Meeting, ...]:
        """Award a departed player's unplayed games to the opponents, and return the meetings of
        these games. A game that a board sends later is a conflict. The players' own entry takes
        precedence over these results, as over any other.

        Raises:
            ClubRefusal: `no-such-player`, `nothing-open`.
        """
        name, at = self.player(number, name), self.now()
        with self.database.write() as connection:
            totals.lock(connection, number)
            left = [
                met
                for met in results.meetings(connection, number)
                if met.result is None and name in (met.one, met.two)
            ]
            if not left:
                raise ClubRefusal("nothing-open", name=name)
            given = []
            for met in left:
                result = by_forfeit(met.two if met.one == name else met.one, name)
                place = (number, met.round, met.table)
                results.enter(self.database, connection, place, result, FORFEIT, at)
                given.append(met._replace(result=result))
        return tuple(given)

    def keep(self, game: Game) -> bool:
        """Store a game that a board sent (`results.keep`)."""
        return results.keep(self.database, game)

    def games(self) -> Sequence[Game]:
        """Return all games sent by boards, oldest first."""
        with self.database.read() as connection:
            return results.games(connection)
