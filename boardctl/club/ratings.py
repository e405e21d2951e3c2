"""Rate all players in a store from its results. One evening is one rating period."""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa

from boardctl.club.draws import people
from boardctl.club.evening import COUNTED
from boardctl.club.glicko import Rating, after
from boardctl.club.results import meetings
from boardctl.club.schema import evening, person, rating
from boardctl.club.store import Store


def rate_all(store: Store) -> list[tuple[str, Rating, int]]:
    """Recompute and store all ratings. Return each player's name, rating and number of games, best
    first.

    Playoffs do not count, because their results are matches. An evening changes only the ratings of
    those who played. Deviations do not grow during absence.
    """
    ratings: dict[int, Rating] = {}
    games: Counter[int] = Counter()
    with store.database.read() as connection:
        evenings = sa.select(evening.c.number).where(evening.c.kind.in_(COUNTED))
        for number in connection.scalars(evenings.order_by(evening.c.number)).all():
            played = _played(connection, number)
            here = {who for pair in played for who in pair}
            ratings |= after({who: ratings.get(who, Rating()) for who in here}, played)
            games.update(who for pair in played for who in pair)
        names: dict[int, str] = {
            row.id: row.name for row in connection.execute(sa.select(person.c.id, person.c.name))
        }
    now = store.now()
    with store.database.write() as connection:
        connection.execute(sa.delete(rating))
        if ratings:
            connection.execute(
                sa.insert(rating),
                [
                    {
                        "person": who,
                        "value": found.value,
                        "deviation": found.deviation,
                        "volatility": found.volatility,
                        "games": games[who],
                        "at": now,
                    }
                    for who, found in ratings.items()
                ],
            )
    ranked = sorted(ratings, key=lambda who: ratings[who].value, reverse=True)
    return [(names[who], ratings[who], games[who]) for who in ranked]


def _played(connection: sa.Connection, number: int) -> list[tuple[int, int]]:
    """Return the winner and loser of each counted game of an evening."""
    who = people(connection, number)
    results = [met.result for met in meetings(connection, number)]
    return [(who[r.winner], who[r.loser]) for r in results if r is not None]
