"""Results: games sent by boards, corrections by players, and the rules that decide which of them
count.

A game is identified by its board and its own name, and is stored only once even if it is sent
repeatedly. It counts for the latest meeting of its two players. At a table with an assigned board,
only that board's games count automatically. If a meeting already has a result, a further game does
not count. It is listed as a conflict, which the director decides.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from boardctl.club import totals
from boardctl.club.database import Database
from boardctl.club.evening import COUNTED, ClubRefusal, Result, from_board
from boardctl.club.people import pair_of
from boardctl.club.playoff import Match
from boardctl.club.schema import board, entry, evening, game, meeting, player
from boardctl.games import Outcome
from boardctl.record.names import name_key

HAND: Final = "hand"
"""The source of an entry that players made by hand."""
FORFEIT: Final = "forfeit"
"""The source of an entry for a game that was not played because a player had left."""

Place = tuple[int, int, int]
"""An evening's number, a round and a table."""


class Meeting(NamedTuple):
    """A pairing at a table in a round, and its result. `board` is the board assigned to the
    table."""

    round: int
    table: int
    one: str
    two: str
    result: Result | None = None
    board: str | None = None


class Game(NamedTuple):
    """A game in the hub's store. `result` is the message sent by the board."""

    board: str
    game: str
    version: int
    result: Mapping[str, Any]
    at: float


class Conflict(NamedTuple):
    """A game that does not count. `result` is the result that the game would have. `reason` is
    `other-board`, `second-result`, or `not-paired` if its players do not meet on that evening. An
    unpaired game belongs to the latest round at its board's table (0: no table)."""

    board: str
    game: str
    round: int
    table: int
    result: Result
    reason: str


def keep(database: Database, sent: Game) -> bool:
    """Store a game or its update in one committed transaction. Return whether the game or update
    was new.

    A repeated game, or an older version that arrives late, changes nothing.
    """
    with database.write() as connection:
        key = (game.c.board == sent.board) & (game.c.game == sent.game)
        insert = database.insert(game).values(
            board=sent.board,
            game=sent.game,
            version=sent.version,
            result=json.dumps(dict(sent.result)),
            at=sent.at,
            open=True,
        )
        changed = {name: insert.excluded[name] for name in ("version", "result", "at", "open")}
        done = connection.execute(
            insert.on_conflict_do_update(
                index_elements=("board", "game"),
                set_=changed,
                where=insert.excluded.version > game.c.version,
            ).returning(game.c.evening, game.c.round, game.c.place)
        ).first()
        if done is None:
            return False
        was: Place | None = None if done.evening is None else (done.evening, done.round, done.place)
        now = _place(connection, sent, was)
        for number in sorted({place[0] for place in (was, now) if place is not None}):
            totals.lock(connection, number)
        for place in dict.fromkeys((was, now)):
            if place is not None:
                result = _worth(connection, place[0], sent) if place == now else None
                _count(database, connection, place, sent, result)
        if now != was:
            where = dict(zip(("evening", "round", "place"), now or (None,) * 3, strict=True))
            connection.execute(sa.update(game).where(key).values(**where))
    return True


def _place(connection: sa.Connection, sent: Game, was: Place | None) -> Place | None:
    """Return the latest meeting of these two players in the board's club. A game that has been
    assigned to a meeting of the same two players stays there, even after later evenings have
    started."""
    seats = sent.result["seats"]
    if len(seats) != 2:
        return None
    query = (
        sa.select(meeting.c.evening, meeting.c.round, meeting.c.place)
        .join(evening, evening.c.number == meeting.c.evening)
        .where(meeting.c.pair == pair_of(*seats), evening.c.kind.in_(COUNTED))
        .order_by(meeting.c.evening.desc(), meeting.c.round.desc())
        .limit(1)
    )
    if was is not None:
        row = connection.execute(query.where(meeting.c.evening == was[0])).first()
        if row is not None and tuple(row) == was:
            return was
    home = sa.func.coalesce(
        sa.select(board.c.club).where(board.c.name == sent.board).scalar_subquery(), 1
    )
    row = connection.execute(query.where(evening.c.club == home)).first()
    return None if row is None else (row.evening, row.round, row.place)


def _worth(connection: sa.Connection, number: int, sent: Game) -> Result | None:
    """Return the result of a game, with the players' names as spelled in that evening."""
    result = sent.result
    if result["winner"] is None:
        return None
    names = {
        name_key(name): name
        for name in connection.scalars(sa.select(player.c.name).where(player.c.evening == number))
    }
    return from_board(tuple(names[name_key(name)] for name in result["seats"]), _outcome(result))


def _outcome(result: Mapping[str, Any]) -> Outcome:
    """Return how a game ended, according to its board's message."""
    scores = tuple(result["scores"])
    return Outcome(result["state"], scores, result["winner"], margin=result["margin"])


def _count(
    database: Database,
    connection: sa.Connection,
    place: Place,
    sent: Game,
    result: Result | None,
) -> None:
    """Count a game at its meeting. If it was withdrawn and is the game that counts there, withdraw
    it from the meeting."""
    source = f"{sent.board} {sent.game}"
    entered = connection.execute(
        sa.select(entry.c.winner, entry.c.source)
        .where(_at(entry, place))
        .order_by(entry.c.number.desc())
        .limit(1)
    ).first()
    counts = entered is not None and entered.source == source
    if not counts:
        if result is None or (entered is not None and entered.winner is not None):
            return
        bound = _bound(connection, place)
        if bound is not None and bound != sent.board:
            return
    enter(database, connection, place, result, source, sent.at)


def _at(table: sa.Table, place: Place) -> sa.ColumnElement[bool]:
    return (table.c.evening == place[0]) & (table.c.round == place[1]) & (table.c.place == place[2])


def _bound(connection: sa.Connection, place: Place) -> str | None:
    """Return the board assigned to a table."""
    found: str | None = connection.scalar(
        sa.select(board.c.name)
        .join(evening, evening.c.club == board.c.club)
        .where(evening.c.number == place[0], board.c.place == place[2])
    )
    return found


def enter(
    database: Database,
    connection: sa.Connection,
    place: Place,
    result: Result | None,
    source: str,
    at: float,
) -> None:
    """Append an entry for a meeting, and update the sums.

    Args:
        place: the meeting's evening, round and table.
        result: the result, or None to withdraw the one that counts.
        source: `HAND`, `FORFEIT`, `import`, or the board and its game.
        at: seconds since 1970.
    """
    before = _result(connection, place)
    winner = None
    if result is not None:
        winner = connection.scalar(
            sa.select(player.c.person).where(
                player.c.evening == place[0], player.c.name == result.winner
            )
        )
    connection.execute(
        sa.insert(entry).values(
            evening=place[0],
            round=place[1],
            place=place[2],
            winner=winner,
            spread=0 if result is None else result.spread,
            skunk=result is not None and result.skunk,
            source=source,
            at=at,
        )
    )
    if before is not None and before.corrected and source != HAND:
        return  # the players' entry takes precedence
    after = None if result is None else result._replace(corrected=source == HAND)
    totals.change(database, connection, place[0], before, after)


_ONE: Final = player.alias("one")
_TWO: Final = player.alias("two")
_DRAWN: Final = (
    sa.select(
        meeting.c.round,
        meeting.c.place,
        meeting.c.one,
        _ONE.c.name.label("first"),
        _TWO.c.name.label("second"),
        board.c.name.label("board"),
    )
    .select_from(meeting)
    .join(_ONE, (_ONE.c.evening == meeting.c.evening) & (_ONE.c.person == meeting.c.one))
    .join(_TWO, (_TWO.c.evening == meeting.c.evening) & (_TWO.c.person == meeting.c.two))
    .join(evening, evening.c.number == meeting.c.evening)
    .outerjoin(board, (board.c.club == evening.c.club) & (board.c.place == meeting.c.place))
    .where(meeting.c.evening == sa.bindparam("evening"))
    .order_by(meeting.c.round, meeting.c.place)
)
_DRAWN_AT: Final = _DRAWN.where(
    meeting.c.round == sa.bindparam("round"), meeting.c.place == sa.bindparam("place")
)
_ENTRIES: Final = (
    sa.select(entry).where(entry.c.evening == sa.bindparam("evening")).order_by(entry.c.number)
)
_ENTRIES_AT: Final = _ENTRIES.where(
    entry.c.round == sa.bindparam("round"), entry.c.place == sa.bindparam("place")
)


def _result(connection: sa.Connection, place: Place) -> Result | None:
    """Return the result that counts at a meeting."""
    found = _meetings(connection, place[0], place[1:])
    return found[0].result if found else None


def meetings(connection: sa.Connection, number: int) -> tuple[Meeting, ...]:
    """Return every table of every round drawn so far, with its result. The last entry counts, but
    players' entries take precedence over those of a board."""
    return _meetings(connection, number)


def _meetings(
    connection: sa.Connection, number: int, at: tuple[int, int] | None = None
) -> tuple[Meeting, ...]:
    """Return all meetings of an evening, or only the meeting at a round and table."""

    where: dict[str, int] = {"evening": number}
    drawn, entries = _DRAWN, _ENTRIES
    if at is not None:
        where |= {"round": at[0], "place": at[1]}
        drawn, entries = _DRAWN_AT, _ENTRIES_AT
    decided: dict[tuple[int, int], sa.Row[Any]] = {}
    for row in connection.execute(entries, where):
        before = decided.get((row.round, row.place))
        if before is None or before.source != HAND or row.source == HAND:
            decided[row.round, row.place] = row
    found = []
    for row in connection.execute(drawn, where):
        last = decided.get((row.round, row.place))
        result = None
        if last is not None and last.winner is not None:
            names = (row.first, row.second) if last.winner == row.one else (row.second, row.first)
            result = Result(
                *names, last.spread, last.skunk, last.source == HAND, last.source == FORFEIT
            )
        found.append(Meeting(row.round, row.place, row.first, row.second, result, row.board))
    return tuple(found)


def bracket(connection: sa.Connection, number: int) -> tuple[tuple[Match, str | None], ...]:
    """Return the last round of a playoff from top to bottom, with the winners so far."""
    last = sa.select(sa.func.max(meeting.c.round)).where(meeting.c.evening == number)
    round_ = connection.scalar(last)
    won = {
        met.table: met.result.winner
        for met in meetings(connection, number)
        if met.result and met.round == round_
    }
    one, two = _ONE, _TWO
    rows = connection.execute(
        sa.select(meeting.c.place, one.c.name.label("first"), two.c.name.label("second"))
        .join(one, (one.c.evening == meeting.c.evening) & (one.c.person == meeting.c.one))
        .outerjoin(two, (two.c.evening == meeting.c.evening) & (two.c.person == meeting.c.two))
        .where(meeting.c.evening == number, meeting.c.round == round_)
        .order_by(meeting.c.place)
    )
    return tuple(
        (Match(row.first, row.second), row.first if row.second is None else won.get(row.place))
        for row in rows
    )


def conflicts(connection: sa.Connection, number: int) -> tuple[Conflict, ...]:
    """Return the games on an evening that neither count nor have been dismissed. Games from its
    meetings come first, followed by games whose two players do not meet."""
    sources: dict[tuple[int, int], str] = {
        (row.round, row.place): row.source
        for row in connection.execute(
            sa.select(entry).where(entry.c.evening == number).order_by(entry.c.number)
        )
    }
    by_place = {(met.round, met.table): met for met in meetings(connection, number)}
    found = []
    rows = connection.execute(
        sa.select(game).where(game.c.evening == number, game.c.open).order_by(game.c.at)
    )
    for row in rows:
        if sources.get((row.round, row.place)) == f"{row.board} {row.game}":
            continue
        sent = Game(row.board, row.game, row.version, json.loads(row.result), row.at)
        met = by_place[row.round, row.place]
        result = _worth(connection, number, sent)
        if result is None or (
            met.result is not None and met.result.corrected and _agrees(met.result, result)
        ):
            continue
        reason = "second-result" if met.board in (None, row.board) else "other-board"
        found.append(Conflict(row.board, row.game, row.round, row.place, result, reason))
    return (*found, *_unpaired(connection, number, max((at for at, _ in by_place), default=0)))


def _unpaired(connection: sa.Connection, number: int, round_: int) -> Iterator[Conflict]:
    """Return the games that the club's boards sent during an evening although the two players do
    not meet. The reason may be that a board knows a player by another name."""
    of = connection.execute(sa.select(evening).where(evening.c.number == number)).one()
    if of.kind not in COUNTED:
        return
    later = sa.select(sa.func.min(evening.c.at)).where(
        evening.c.club == of.club, evening.c.number > number
    )
    until = connection.scalar(later)
    query = (
        sa.select(game, board.c.place.label("table"))
        .outerjoin(board, board.c.name == game.c.board)
        .where(game.c.evening.is_(None), game.c.open, game.c.at >= of.at)
        .where(sa.func.coalesce(board.c.club, 1) == of.club)
        .order_by(game.c.at)
    )
    if until is not None:
        query = query.where(game.c.at < until)
    for row in connection.execute(query):
        result = json.loads(row.result)
        worth = from_board(result["seats"], _outcome(result))
        if worth is not None:
            yield Conflict(row.board, row.game, round_, row.table or 0, worth, "not-paired")


def _agrees(one: Result, other: Result) -> bool:
    return (one.winner, one.spread) == (other.winner, other.spread)


def decide(
    database: Database, number: int, board_name: str, game_name: str, accept: bool, at: float
) -> Conflict:
    """Count the game in a conflict instead of the current result, or dismiss it.

    Args:
        number: of the evening.
        board_name, game_name: the game, as in `Conflict`.
        accept: whether it counts.
        at: seconds since 1970.

    Raises:
        ClubRefusal: `no-such-conflict`; `players-agreed` if the players have entered their result
            themselves; `not-drawn` if the players do not meet, so that the game can only be
            dismissed.
    """
    with database.write() as connection:
        totals.lock(connection, number)
        open_ = conflicts(connection, number)
        found = next((c for c in open_ if (c.board, c.game) == (board_name, game_name)), None)
        if found is None:
            raise ClubRefusal("no-such-conflict", board=board_name, game=game_name)
        place = (number, found.round, found.table)
        if not accept:
            connection.execute(
                sa.update(game)
                .where(game.c.board == board_name, game.c.game == game_name)
                .values(open=False)
            )
            return found
        if found.reason == "not-paired":
            names = {"one": found.result.winner, "two": found.result.loser}
            raise ClubRefusal("not-drawn", round=found.round, **names)
        met = next(
            met
            for met in meetings(connection, number)
            if (met.round, met.table) == (found.round, found.table)
        )
        if met.result is not None and met.result.corrected:
            raise ClubRefusal("players-agreed", one=met.one, two=met.two)
        others = (game.c.board != board_name) | (game.c.game != game_name)
        connection.execute(sa.update(game).where(_at(game, place), others).values(open=False))
        enter(database, connection, place, found.result, f"{board_name} {game_name}", at)
    return found


def games(connection: sa.Connection) -> Sequence[Game]:
    """Return all games sent by boards, oldest first."""
    rows = connection.execute(
        sa.select(game.c.board, game.c.game, game.c.version, game.c.result, game.c.at).order_by(
            game.c.at, game.c.board, game.c.game
        )
    )
    return [Game(b, g, version, json.loads(result), at) for b, g, version, result, at in rows]
