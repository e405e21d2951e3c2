"""Skill, separated from luck in games with known cards: the cost of the players' decisions.

The result of one game is mostly luck. `boardctl league skill` judges games whose cards were entered
(docs/bot.md). For each player and game, it stores the chance of winning lost through decisions and
the chance gained through cuts and deals.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa

from boardctl.bot.strength import Strength, of_sums
from boardctl.club.evening import ClubRefusal
from boardctl.club.schema import judged
from boardctl.club.store import Store


class Judged(NamedTuple):
    """A player's judged decisions in one game: their number, the sum of their costs in chance of
    winning, the sum of the squared costs, and the chance gained by luck. A value of 1 is a whole
    game."""

    game: str
    name: str
    decisions: int
    loss: float
    squares: float
    luck: float


class Skill(NamedTuple):
    """A player's judged games, the strength over all decisions in these games, and the luck per
    game."""

    games: int
    strength: Strength
    luck: float


def keep(store: Store, found: Iterable[Judged]) -> tuple[int, set[str]]:
    """Store each judged game once. Return the number of new games and the names that are not
    members of the club."""
    new = 0
    unknown: set[str] = set()
    known: dict[str, int] = {}
    for one in found:
        if one.name not in known and one.name not in unknown:
            try:
                known[one.name] = store.person(one.name)
            except ClubRefusal:
                unknown.add(one.name)
        if one.name in unknown:
            continue
        values = {"person": known[one.name], **one._asdict()}
        del values["name"]
        with store.database.write() as connection:
            insert = store.database.insert(judged).values(values)
            once = insert.on_conflict_do_nothing(index_elements=("person", "game"))
            new += connection.execute(once.returning(judged.c.game)).first() is not None
    return new, unknown


def of_person(connection: sa.Connection, who: int) -> Skill | None:
    """Return a person's skill over all judged games, or None if there are fewer than two
    decisions."""
    row = connection.execute(
        sa.select(
            sa.func.count(),
            sa.func.sum(judged.c.decisions),
            sa.func.sum(judged.c.loss),
            sa.func.sum(judged.c.squares),
            sa.func.sum(judged.c.luck),
        ).where(judged.c.person == who)
    ).one()
    games, decisions, loss, squares, luck = row
    if not games or decisions < 2:
        return None
    return Skill(games, of_sums(decisions, loss, squares), luck / games)
