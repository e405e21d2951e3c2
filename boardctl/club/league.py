"""The data shared by a store's clubs: season ranking, player cards, transfers and privacy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from boardctl.club import people, skill, totals
from boardctl.club.schema import club, membership, person
from boardctl.club.store import Store


class Card(NamedTuple):
    """A player's name, rating, skill, season figures and last evenings."""

    name: str
    rating: totals.Rated | None
    skill: skill.Skill | None
    season: tuple[totals.Total, ...]
    evenings: Sequence[sa.Row[Any]]


def clubs(store: Store) -> list[tuple[str, int]]:
    """Return the clubs in the store, sorted by name, with their numbers of members."""
    query = (
        sa.select(club.c.name, sa.func.count(membership.c.id))
        .outerjoin(membership, (membership.c.club == club.c.id) & membership.c.until.is_(None))
        .group_by(club.c.id)
        .order_by(club.c.name)
    )
    with store.database.read() as connection:
        return [(name, members) for name, members in connection.execute(query)]


def best(store: Store, count: int = 100) -> tuple[totals.Total, ...]:
    """Return the season's top players across all clubs."""
    with store.database.read() as connection:
        return totals.best(connection, store.season, count)


def card(store: Store, who: int) -> Card | None:
    """Return a person's card, or None if there is no such person."""
    with store.database.read() as connection:
        name = connection.scalar(sa.select(person.c.name).where(person.c.id == who))
        if name is None:
            return None
        rated = totals.ratings(connection, (who,)).get(who)
        season = totals.of_person(connection, who, store.season)
        judged = skill.of_person(connection, who)
        return Card(str(name), rated, judged, season, people.history(connection, who))


def transfer(store: Store, name: str, to: str) -> None:
    """Move a member to another club, given by name. A missing club is created.

    Raises:
        ClubRefusal: `no-such-member`, `name-taken`.
    """
    who, there = store.person(name), store.named(club, to, club.c.id.asc())
    with store.database.write() as connection:
        people.transfer(connection, who, there, store.now())


def everything(store: Store, name: str) -> dict[str, Any]:
    """Return all stored data of a member (`people.everything`)."""
    who = store.person(name)
    with store.database.read() as connection:
        return people.everything(connection, who)


def forget(store: Store, name: str) -> str:
    """Delete a member and return the pseudonym (`people.delete`)."""
    who = store.person(name)
    with store.database.write() as connection:
        return people.delete(connection, who)
