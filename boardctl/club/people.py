"""The people in a league. Each has one identity in the whole league, is a member of one club at a
time, and has a PIN.

Names are looked up within a club, ignoring case. People who move to another club keep their
identity, PIN and results.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from boardctl.club import pin as pins
from boardctl.club.database import Database
from boardctl.club.evening import FIGURES, ClubRefusal
from boardctl.club.schema import (
    OF_PLAYER,
    club,
    evening,
    game,
    judged,
    meeting,
    membership,
    person,
    player,
    rating,
    season,
    standing,
    total,
)
from boardctl.record.names import INVISIBLE, name_key


def check_name(name: str) -> None:
    """Raise ClubRefusal (`name-unfit`) for an invisible or unprintable name."""
    if re.search(INVISIBLE, name) or not name.strip():
        raise ClubRefusal("name-unfit", name=re.sub(INVISIBLE, "\ufffd", name))


def member(connection: sa.Connection, club_id: int, name: str) -> int | None:
    """Return the person with this name in a club, or None if there is no such member."""
    found: int | None = connection.scalar(
        sa.select(membership.c.person).where(
            membership.c.club == club_id,
            membership.c.key == name_key(name),
            membership.c.until.is_(None),
        )
    )
    return found


def enrol(connection: sa.Connection, club_id: int, name: str, at: float) -> int:
    """Return the person with this name in a club, and store this spelling. If there is no such
    person, add a new member. `at` is in seconds since 1970."""
    found = member(connection, club_id, name)
    if found is not None:
        connection.execute(
            sa.update(person).where(person.c.id == found, person.c.name != name).values(name=name)
        )
        return found
    (who,) = connection.execute(
        sa.insert(person).values(name=name, since=at).returning(person.c.id)
    ).one()
    _join(connection, club_id, who, name, at)
    return int(who)


def transfer(connection: sa.Connection, who: int, club_id: int, at: float) -> None:
    """Make a person a member of another club from now on.

    Args:
        who: the person's number.
        club_id: the new club's number.
        at: the current time, in seconds since 1970.

    Raises:
        ClubRefusal: `no-such-member`, or `name-taken` if the club already has a member with that
            name.
    """
    name = connection.scalar(sa.select(person.c.name).where(person.c.id == who))
    if name is None:
        raise ClubRefusal("no-such-member", name=who)
    if member(connection, club_id, name) is not None:
        raise ClubRefusal("name-taken", name=name)
    connection.execute(
        sa.update(membership)
        .where(membership.c.person == who, membership.c.until.is_(None))
        .values(until=at)
    )
    _join(connection, club_id, who, name, at)


def _join(connection: sa.Connection, club_id: int, who: int, name: str, at: float) -> None:
    connection.execute(
        sa.insert(membership).values(club=club_id, person=who, key=name_key(name), since=at)
    )


# PINs


def new_pin(connection: sa.Connection, who: int, chosen: str | None = None) -> str:
    """Give a person a new PIN, random or chosen. The old PIN becomes invalid."""
    pin, hashed = pins.fresh(chosen)
    connection.execute(
        sa.update(person)
        .where(person.c.id == who)
        .values(salt=hashed.salt, hashed=hashed.hashed, wrong=0)
    )
    return pin


def without_pin(connection: sa.Connection, club_id: int, names: Iterable[str]) -> dict[str, int]:
    """Return which of these members have no PIN, with their person numbers."""
    found = {}
    for name in names:
        who = member(connection, club_id, name)
        has = who is not None and connection.scalar(
            sa.select(person.c.hashed).where(person.c.id == who)
        )
        if who is not None and not has:
            found[name] = who
    return found


def check_pin(database: Database, who: int | None, name: str, pin: str) -> None:
    """Check a player's PIN. Each attempt is counted before the comparison, so that simultaneous
    guesses are counted too. A correct PIN resets the count.

    Args:
        who: the person's number, or None for a person who is not a member.
        name: for the sentence of a refusal.
        pin: the typed digits.

    Raises:
        ClubRefusal: `word-missing`, `word-wrong`, `word-worn`.
    """
    with database.write() as connection:
        row = connection.execute(
            sa.select(person.c.salt, person.c.hashed, person.c.wrong)
            .where(person.c.id == who)
            .with_for_update()
        ).first()
        if row is None or row.hashed is None or not pin:
            raise ClubRefusal("word-missing", name=name)
        if row.wrong >= pins.TRIES:
            raise ClubRefusal("word-worn", name=name)
        good = pins.fits(pin, pins.PinHash(row.salt, row.hashed))
        connection.execute(
            sa.update(person).where(person.c.id == who).values(wrong=0 if good else row.wrong + 1)
        )
    if not good:
        raise ClubRefusal("word-wrong", name=name, left=pins.TRIES - row.wrong - 1)


# Stored personal data


def everything(connection: sa.Connection, who: int) -> dict[str, Any]:
    """Return all stored data of a person, except the PIN's hash.

    Raises:
        ClubRefusal: `no-such-member`.
    """
    about = connection.execute(sa.select(person).where(person.c.id == who)).first()
    if about is None:
        raise ClubRefusal("no-such-member", name=who)

    def rows(query: sa.Select[Any]) -> list[dict[str, Any]]:
        return [dict(row) for row in connection.execute(query).mappings()]

    return {
        "person": {"id": who, "name": about.name, "since": about.since, "pin": bool(about.hashed)},
        "clubs": rows(
            sa.select(club.c.name, membership.c.since, membership.c.until)
            .join(club, club.c.id == membership.c.club)
            .where(membership.c.person == who)
            .order_by(membership.c.id)
        ),
        "evenings": rows(
            sa.select(evening.c.name.label("evening"), player.c.name, standing)
            .select_from(player)
            .join(evening, evening.c.number == player.c.evening)
            .outerjoin(standing, OF_PLAYER)
            .where(player.c.person == who)
            .order_by(evening.c.number)
        ),
        "meetings": rows(sa.select(meeting).where(_met(who))),
        "seasons": rows(
            sa.select(season.c.name.label("season_name"), total)
            .join(season, season.c.id == total.c.season)
            .where(total.c.person == who)
        ),
        "rating": rows(sa.select(rating).where(rating.c.person == who)),
        "judged": rows(sa.select(judged).where(judged.c.person == who)),
        "games": [
            {**dict(row), "result": json.loads(row["result"])} for row in _games_of(connection, who)
        ],
    }


def delete(connection: sa.Connection, who: int) -> str:
    """Remove a person's name, PIN and membership from the store. Return the pseudonym that remains
    so that opponents keep their results.

    Raises:
        ClubRefusal: `no-such-member`.
    """
    row = connection.execute(sa.select(person.c.name).where(person.c.id == who)).first()
    if row is None:
        raise ClubRefusal("no-such-member", name=who)
    undrawn = sa.select(game.c.board, game.c.game, game.c.result).where(game.c.evening.is_(None))
    games = [*_games_of(connection, who), *connection.execute(undrawn).mappings()]
    names = {name_key(row.name)} | {
        name_key(found)
        for found in connection.scalars(
            sa.select(player.c.name).where(player.c.person == who).distinct()
        )
    }
    pseudonym = f"player {who}"
    for kept in games:
        result = json.loads(kept["result"])
        if not any(name_key(seat) in names for seat in result["seats"]):
            continue
        result["seats"] = [pseudonym if name_key(s) in names else s for s in result["seats"]]
        connection.execute(
            sa.update(game)
            .where(game.c.board == kept["board"], game.c.game == kept["game"])
            .values(result=json.dumps(result))
        )
    meetings = connection.execute(sa.select(meeting).where(_met(who))).all()
    for met in meetings:
        others = [key for key in met.pair.split("\n") if name_key(key) not in names]
        connection.execute(
            sa.update(meeting)
            .where(
                meeting.c.evening == met.evening,
                meeting.c.round == met.round,
                meeting.c.place == met.place,
            )
            .values(pair=pair_of(pseudonym, *others))
        )
    connection.execute(sa.update(player).where(player.c.person == who).values(name=pseudonym))
    connection.execute(
        sa.update(membership)
        .where(membership.c.person == who)
        .values(key=pseudonym, until=sa.func.coalesce(membership.c.until, membership.c.since))
    )
    connection.execute(sa.delete(rating).where(rating.c.person == who))
    connection.execute(sa.delete(judged).where(judged.c.person == who))
    connection.execute(
        sa.update(person)
        .where(person.c.id == who)
        .values(name=pseudonym, salt=None, hashed=None, wrong=0)
    )
    return pseudonym


def _met(who: int) -> sa.ColumnElement[bool]:
    """Return the SQL condition for this person's meetings, which uses the index of evenings."""
    evenings = sa.select(player.c.evening).where(player.c.person == who)
    return meeting.c.evening.in_(evenings) & ((meeting.c.one == who) | (meeting.c.two == who))


def _games_of(connection: sa.Connection, who: int) -> Sequence[sa.RowMapping]:
    """Return the games that boards have sent for a person's meetings."""
    return (
        connection.execute(
            sa.select(game.c.board, game.c.game, game.c.version, game.c.result, game.c.at)
            .join(
                meeting,
                (meeting.c.evening == game.c.evening)
                & (meeting.c.round == game.c.round)
                & (meeting.c.place == game.c.place),
            )
            .where(_met(who))
            .order_by(game.c.at)
        )
        .mappings()
        .all()
    )


def pair_of(*names: str) -> str:
    """Return the key of the meeting between the players named in a board's message."""
    return "\n".join(sorted(map(name_key, names)))


def history(connection: sa.Connection, who: int, count: int = 200) -> Sequence[sa.Row[Any]]:
    """Return a player's last evenings with their clubs and figures, newest first."""
    return connection.execute(
        sa.select(
            evening.c.number,
            evening.c.name,
            club.c.name.label("club"),
            *(standing.c[figure] for figure in FIGURES),
        )
        .select_from(standing)
        .join(evening, evening.c.number == standing.c.evening)
        .join(club, club.c.id == evening.c.club)
        .where(standing.c.person == who)
        .order_by(standing.c.evening.desc())
        .limit(count)
    ).all()
