"""The sums in a store: an evening's standings, and every player's season totals.

The transaction that changes a result updates both sums by adding the difference, so that several
hubs can work concurrently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from boardctl.club import evening as rules
from boardctl.club.database import Database
from boardctl.club.evening import COUNTED, FIGURES, Result, Standing
from boardctl.club.schema import (
    OF_PLAYER,
    club,
    evening,
    person,
    player,
    rating,
    standing,
    total,
)

SUMS: Final = (*FIGURES, "evenings", "cards", "earned")
"""The sums of a player's season. They include the evenings played, the score cards with 12 or more
game points, and the game points on these cards."""


class Total(NamedTuple):
    """One player's season totals in one club."""

    person: int
    name: str
    club: str
    games: int
    won: int
    skunks: int
    points: int
    plus: int
    minus: int
    evenings: int
    cards: int
    earned: int

    @property
    def net(self) -> int:
        return self.plus - self.minus


class Rated(NamedTuple):
    """A player's rating, and the number of games on which it is based."""

    value: float
    deviation: float
    games: int


def lock(connection: sa.Connection, number: int) -> None:
    """Lock an evening's sums until the transaction ends."""
    connection.execute(
        sa.select(evening.c.number).where(evening.c.number == number).with_for_update()
    )


def begin(connection: sa.Connection, number: int, people: Iterable[int]) -> None:
    """Create the standings of an evening's players, with all figures zero."""
    nothing = dict.fromkeys(FIGURES, 0)
    rows = [{"evening": number, "person": who, **nothing} for who in people]
    if rows:
        connection.execute(sa.insert(standing), rows)


def change(
    database: Database,
    connection: sa.Connection,
    number: int,
    before: Result | None,
    after: Result | None,
) -> None:
    """Update the sums after a meeting's result has changed.

    Args:
        number: of the evening.
        before, after: the meeting's result, or None for no result.
    """
    about = connection.execute(sa.select(evening).where(evening.c.number == number)).one()
    if about.kind not in COUNTED or before == after:
        return
    difference: dict[str, Counter[str]] = {}
    for result, sign in ((before, -1), (after, 1)):
        for name, figures in () if result is None else result.figures():
            count = difference.setdefault(name, Counter())
            for figure, value in figures.items():
                count[figure] += sign * value
    rows = connection.execute(
        sa.select(player.c.name, standing)
        .join(standing, OF_PLAYER)
        .where(player.c.evening == number, player.c.name.in_(difference))
        .order_by(player.c.person)  # always in the same order, to avoid deadlocks
    ).all()
    is_card = about.kind == "evening" and about.rounds == rules.ROUNDS
    sums = []
    for row in rows:
        old = tuple(getattr(row, figure) for figure in FIGURES)
        new = tuple(getattr(row, figure) + difference[row.name][figure] for figure in FIGURES)
        connection.execute(
            _SET,
            {"_evening": number, "_person": row.person, **dict(zip(FIGURES, new, strict=True))},
        )
        pairs = zip(SUMS, _summed(old, is_card), _summed(new, is_card), strict=True)
        sums.append({"person": row.person, **{name: now - was for name, was, now in pairs}})
    season_and_club = {"season": about.season, "club": about.club}
    connection.execute(_add(database.insert), [season_and_club | row for row in sums])


_SET: Final = sa.update(standing).where(
    standing.c.evening == sa.bindparam("_evening"), standing.c.person == sa.bindparam("_person")
)


@cache
def _add(insert_into: Callable[[sa.Table], Any]) -> Any:
    """Return an SQL statement that adds amounts to a season's totals."""
    insert = insert_into(total)
    added = {name: total.c[name] + insert.excluded[name] for name in SUMS}
    return insert.on_conflict_do_update(index_elements=("season", "club", "person"), set_=added)


def _summed(figures: Sequence[int], is_card: bool) -> tuple[int, ...]:
    """Return the amounts that an evening adds to a season."""
    games, points = figures[FIGURES.index("games")], figures[FIGURES.index("points")]
    card = is_card and points >= rules.CARD
    return (*figures, int(games > 0), int(card), points if card else 0)


def standings(connection: sa.Connection, number: int) -> tuple[Standing, ...]:
    """Return an evening's standings from the stored sums. A playoff has no standings, because its
    sums are all zero."""
    rows = connection.execute(
        sa.select(player.c.name, *(standing.c[figure] for figure in FIGURES))
        .select_from(player)
        .join(standing, OF_PLAYER)
        .join(evening, evening.c.number == player.c.evening)
        .where(player.c.evening == number, evening.c.kind.in_(COUNTED))
        .order_by(player.c.place)
    )
    return rules.ranked(Standing(0, *row) for row in rows)


def by_evening(
    connection: sa.Connection, club_id: int, season_id: int
) -> tuple[rules.Evening, ...]:
    """Return all evenings of a club's season with their standings, oldest first."""
    rows = connection.execute(
        sa.select(
            evening.c.number,
            evening.c.name.label("title"),
            player.c.name,
            *(standing.c[figure] for figure in FIGURES),
        )
        .select_from(evening)
        .join(player, player.c.evening == evening.c.number)
        .join(standing, OF_PLAYER)
        .where(
            evening.c.club == club_id,
            evening.c.season == season_id,
            evening.c.kind.in_(COUNTED),
        )
        .order_by(evening.c.number, player.c.place)
    )
    found: dict[int, tuple[str, list[Standing]]] = {}
    for number, title, *figures in rows:
        found.setdefault(number, (title, []))[1].append(Standing(0, *figures))
    return tuple(rules.Evening(title, rules.ranked(list_)) for title, list_ in found.values())


def _totals() -> sa.Select[Any]:
    return (
        sa.select(total.c.person, person.c.name, club.c.name, *(total.c[name] for name in SUMS))
        .select_from(total)
        .join(person, person.c.id == total.c.person)
        .join(club, club.c.id == total.c.club)
    )


def of_person(connection: sa.Connection, who: int, season_id: int) -> tuple[Total, ...]:
    """Return a player's season, club by club."""
    rows = connection.execute(
        _totals().where(total.c.person == who, total.c.season == season_id).order_by(total.c.club)
    )
    return tuple(Total(*row) for row in rows)


def best(connection: sa.Connection, season_id: int, count: int = 100) -> tuple[Total, ...]:
    """Return a season's top players across all clubs, sorted by game points, then games won."""
    rows = connection.execute(
        _totals()
        .where(total.c.season == season_id)
        .order_by(total.c.points.desc(), total.c.won.desc())
        .limit(count)
    )
    return tuple(Total(*row) for row in rows)


def ratings(connection: sa.Connection, people: Iterable[int]) -> Mapping[int, Rated]:
    """Return the ratings of those of the given players who have one."""
    rows = connection.execute(sa.select(rating).where(rating.c.person.in_(list(people))))
    return {row.person: Rated(row.value, row.deviation, row.games) for row in rows}
