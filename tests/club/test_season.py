"""A season of many clubs in one store: every query of the pages uses an index."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from boardctl import text
from boardctl.club import league, schema, totals, views
from boardctl.club.evening import FIGURES, Draw, Result, draw
from boardctl.club.hub import Hub
from boardctl.club.page import render
from boardctl.club.people import pair_of
from boardctl.club.store import Game, Store
from boardctl.message import Message
from boardctl.mqtt.connection import Broker
from tests.club.paper import standings
from tests.report import LongRun

PLAYERS = 16
ROUNDS = 9
LARGE = {"entry", "meeting", "standing", "total", "player", "game", "evening", "person"}
LARGE |= {"one", "two"}  # the name in `results` for the players of a meeting


def rounds() -> tuple[Draw, ...]:
    """Return the draws of an evening, by positions in its random order."""
    drawn: list[Draw] = []
    for _ in range(ROUNDS):
        drawn.append(draw([str(n) for n in range(PLAYERS)], drawn))
    return tuple(drawn)


def season(store: Store, clubs: int, evenings: int, chance: random.Random) -> None:
    """Fill an empty store with a played season, directly in the tables."""
    drawn = rounds()
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("person", "membership", "evening", "player", "meeting", "entry",
                              "standing", "total")
    }  # fmt: skip
    with store.database.write() as connection:
        for club in range(1, clubs + 1):
            if club > 1:
                connection.execute(sa.insert(schema.club).values(name=f"club {club}"))
            first = (club - 1) * PLAYERS + 1
            people = range(first, first + PLAYERS)
            names = {who: f"player {who}" for who in people}
            for who, name in names.items():
                rows["person"].append({"name": name, "since": 0.0})
                rows["membership"].append({"club": club, "person": who, "key": name, "since": 0.0})
            sums = {who: dict.fromkeys(totals.SUMS, 0) for who in people}
            for week in range(evenings):
                number = (club - 1) * evenings + week + 1
                rows["evening"].append(
                    {"club": club, "season": 1, "name": f"week {week + 1}", "rounds": ROUNDS,
                     "kind": "evening", "at": float(week), "code": ""}
                )  # fmt: skip
                lot = chance.sample(people, PLAYERS)
                rows["player"] += [
                    {"evening": number, "person": who, "place": place, "name": names[who]}
                    for place, who in enumerate(lot)
                ]
                results = _evening(number, lot, names, drawn, chance, rows)
                for row in standings(names.values(), results):
                    who = int(row.name.split()[1])
                    figures = {figure: getattr(row, figure) for figure in FIGURES}
                    rows["standing"].append({"evening": number, "person": who, **figures})
                    card = row.points >= 12
                    more = {"evenings": 1, "cards": card, "earned": card * row.points}
                    for name, value in (figures | more).items():
                        sums[who][name] += value
            rows["total"] += [
                {"season": 1, "club": club, "person": who, **sums[who]} for who in people
            ]
            for name, found in rows.items():
                connection.execute(sa.insert(schema.metadata.tables[name]), found)
                found.clear()
        if store.database.path is None:
            connection.execute(sa.text("ANALYZE"))


def _evening(
    number: int,
    lot: list[int],
    names: dict[int, str],
    drawn: tuple[Draw, ...],
    chance: random.Random,
    rows: dict[str, list[dict[str, Any]]],
) -> list[Result]:
    results = []
    for round_, one_round in enumerate(drawn, 1):
        for table, pair in enumerate(one_round.pairs, 1):
            one, two = (lot[int(place)] for place in pair)
            winner, loser = chance.sample((one, two), 2)
            spread = min(121, 1 + int(chance.expovariate(1 / 18)))
            at = {"evening": number, "round": round_, "place": table}
            key = pair_of(names[one], names[two])
            rows["meeting"].append({**at, "one": one, "two": two, "pair": key})
            skunk = spread >= 31
            entered = {**at, "winner": winner, "spread": spread, "skunk": skunk, "at": 0.0}
            rows["entry"].append({**entered, "source": f"t{table} g-{number}-{round_}"})
            results.append(Result(names[winner], names[loser], spread, skunk))
    return results


def pages(store: Store) -> dict[str, Callable[[], object]]:
    """Return the pages and actions of a hub, by name."""
    hub = Hub(store, Broker("localhost"))

    def words(code: str, **fields: object) -> str:
        return text.say(Message("club", code, fields), text.Reader("en"))

    met = store.meetings(store.about().number)[0]
    game = Game(
        "t1", "late", 1,
        {"state": "won", "seats": [met.one, met.two], "scores": [121, 90], "winner": 1,
         "margin": "skunk"}, 1.0,
    )  # fmt: skip
    return {
        "club page": lambda: render(hub),
        "director": lambda: views.director(hub, words),
        "player": lambda: views.player(hub, store.person(met.one), words),
        "league": lambda: views.league(hub),
        "result": lambda: store.keep(game),
        "person": lambda: league.everything(store, met.one),
    }


@contextmanager
def listened(store: Store) -> Iterator[list[tuple[str, Any]]]:
    """Record the queries that a store runs."""
    found: list[tuple[str, Any]] = []

    def heard(_: Any, cursor: Any, statement: str, parameters: Any, *__: Any) -> None:
        if statement.lstrip().startswith("SELECT"):
            found.append((statement, parameters))

    engine = store.database.engine
    sa.event.listen(engine, "before_cursor_execute", heard)
    try:
        yield found
    finally:
        sa.event.remove(engine, "before_cursor_execute", heard)


def scanned(store: Store, statement: str, parameters: Any) -> list[str]:
    """Return the large tables that the engine scans completely for a query, by its own plan."""
    server = store.database.path is None
    with store.database.write() as connection:
        if server:  # small tables are scanned unless that is disabled
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        explain = "EXPLAIN " if server else "EXPLAIN QUERY PLAN "
        rows = connection.exec_driver_sql(explain + statement, parameters).all()
    plan = [str(row[-1]) for row in rows]
    word = "Seq Scan on " if server else "SCAN "
    found = [line.split(word)[1].split()[0] for line in plan if word in line]
    return [f"{name}: {statement}" for name in found if name in LARGE]


def test_every_query_of_a_page_uses_an_index(store: Store) -> None:
    season(store, clubs=3, evenings=4, chance=random.Random(1))
    asked = 0
    for name, page in pages(store).items():
        with listened(store) as queries:
            page()
        assert queries, name
        for statement, parameters in queries:
            assert not scanned(store, statement, parameters), name
        asked += len(queries)
    assert asked > 20


def cpu(page: Callable[[], object], times: int = 9) -> float:
    """Return the CPU milliseconds of a page, the median of several runs."""
    found = []
    for _ in range(times):
        began = time.process_time()
        page()
        found.append(1000 * (time.process_time() - began))
    return sorted(found)[times // 2]


@pytest.mark.long
def test_a_season_of_200_clubs_and_30_evenings(store: Store, seed: int, long_run: LongRun) -> None:
    """The figures are this process's CPU time; PostgreSQL's work is in a separate process."""
    season(store, clubs=200, evenings=30, chance=random.Random(seed))
    figures = {name: f"{cpu(page):.1f} ms" for name, page in pages(store).items()}
    with store.database.read() as connection:
        count = sa.select(sa.func.count()).select_from(schema.entry)
        long_run(results=connection.scalar(count) or 0, **figures)
