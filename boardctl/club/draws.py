"""An evening's players and pairings in the store.

Each function is part of its caller's transaction. `evening` and `playoff` contain the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sqlalchemy as sa

from boardctl.club import people as persons
from boardctl.club import totals
from boardctl.club.evening import ClubRefusal, Draw
from boardctl.club.schema import meeting, player
from boardctl.record.names import name_key, spelled


def enrol(
    connection: sa.Connection,
    club_id: int,
    number: int,
    at: float,
    names: Sequence[str],
    first: int = 0,
) -> None:
    """Add players to an evening. New people become members of the evening's club.

    Args:
        club_id: of the club.
        number: of the evening.
        at: seconds since 1970.
        names: the players' names as spelled on that evening, in the order of the draw.
        first: the first name's position in the draw.

    Raises:
        ClubRefusal: `name-taken`, `name-unfit`.
    """
    known = set(map(name_key, players(connection, number)))
    composed = list(map(spelled, names))
    for name in composed:
        persons.check_name(name)
        if name_key(name) in known:
            raise ClubRefusal("name-taken", name=name)
        known.add(name_key(name))
    rows = [
        {
            "evening": number,
            "person": persons.enrol(connection, club_id, name, at),
            "place": place,
            "name": name,
        }
        for place, name in enumerate(composed, first)
    ]
    if rows:
        connection.execute(sa.insert(player), rows)
        totals.begin(connection, number, [int(str(row["person"])) for row in rows])


def players(connection: sa.Connection, number: int) -> tuple[str, ...]:
    """Return the names of an evening's players, in the order of the draw."""
    return tuple(
        connection.scalars(
            sa.select(player.c.name).where(player.c.evening == number).order_by(player.c.place)
        )
    )


def people(connection: sa.Connection, number: int) -> dict[str, int]:
    """Return the people of an evening by name."""
    return {
        row.name: row.person
        for row in connection.execute(sa.select(player).where(player.c.evening == number))
    }


def drawn(connection: sa.Connection, number: int) -> tuple[Draw, ...]:
    """Return the rounds of an evening so far."""
    names: dict[int | None, str] = {who: name for name, who in people(connection, number).items()}
    rounds: dict[int, tuple[list[tuple[str, str]], list[str]]] = {}
    for row in connection.execute(
        sa.select(meeting)
        .where(meeting.c.evening == number)
        .order_by(meeting.c.round, meeting.c.place)
    ):
        pairs, byes = rounds.setdefault(row.round, ([], []))
        if row.two is None:
            byes.append(names[row.one])
        else:
            pairs.append((names[row.one], names[row.two]))
    return tuple(Draw(tuple(pairs), byes[0] if byes else None) for pairs, byes in rounds.values())


def keep(
    connection: sa.Connection,
    number: int,
    round_: int,
    places: Iterable[tuple[int, str, str | None]],
) -> None:
    """Store a round of an evening.

    Args:
        number: of the evening.
        round_: from 1.
        places: the tables and their players. A player without an opponent has a bye.
    """
    who = people(connection, number)
    rows = [
        {
            "evening": number,
            "round": round_,
            "place": place,
            "one": who[one],
            "two": who[two] if two else None,
            "pair": persons.pair_of(one, two or ""),
        }
        for place, one, two in places
    ]
    connection.execute(sa.insert(meeting), rows)


def promote(connection: sa.Connection, place: tuple[int, int, int], winner: str) -> None:
    """If the next round of a playoff has been drawn, enter the winner of a match in it. If the
    result was corrected, the winner replaces the other player.

    Args:
        place: the match's evening, round and table.
    """
    number, round_, table = place
    onward = (meeting.c.evening == number, meeting.c.round == round_ + 1)
    there = (*onward, meeting.c.place == (table + 1) // 2)
    drawn = connection.execute(sa.select(meeting).where(*there)).one_or_none()
    if drawn is None:
        return
    who = people(connection, number)
    seats = {"one": drawn.one, "two": drawn.two, "one" if table % 2 else "two": who[winner]}
    names = {person: name for name, person in who.items()}
    pair = persons.pair_of(names[seats["one"]], names[seats["two"]])
    connection.execute(sa.update(meeting).where(*there).values(**seats, pair=pair))
