"""A league under failures: three hubs on one PostgreSQL and one Mosquitto, each killed repeatedly
(SIGKILL, at any moment) while boards continue playing. Every result is stored exactly once.

Hubs, broker and database are the real processes. The boards are real journals, tables and links in
this process, each bound to its table.
"""

from __future__ import annotations

import asyncio
import random
import re
import signal
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from boardctl.club import schema, totals
from boardctl.club.evening import Result
from boardctl.club.store import Store
from boardctl.mqtt.client import linked
from tests.club.paper import standings
from tests.club.postgres import Postgres
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import HubProcess
from tests.mqtt.tables import Seated
from tests.parts import need
from tests.ports import free_port
from tests.report import LongRun
from tests.tables import submit

pytestmark = pytest.mark.usefixtures("real_pins")  # hubs are other processes

KINDS = ("hub", "database", "broker")


class League:
    """Broker, database and hubs, and the events that hit them."""

    def __init__(self, directory: Path, boards: int, rounds: int, hubs: int = 3) -> None:
        self.names = [f"t{n}" for n in range(1, boards + 1)]
        self.database = Postgres()
        self.database.start()
        self.url = self.database.new()
        store = Store(self.url)
        self.number = store.new("the storm", [f"player {n}" for n in range(2 * boards)], 63)
        for _ in range(rounds):
            store.draw(self.number)
        for place, name in enumerate(self.names, 1):
            store.bind(name, place)
        self.draws = store.draws(self.number)
        store.close()
        self.broker = Mosquitto(directory / "broker", self.names)
        self.broker.start()
        self.ports = [free_port() for _ in range(hubs)]
        self.hubs = [self._open(port) for port in self.ports]
        self.said: list[str] = []

    def _open(self, port: int) -> HubProcess:
        return HubProcess(self.broker, self.url, port)

    def _end(self, place: int, how: signal.Signals) -> None:
        self.said.append(self.hubs[place].end(how))

    async def strike(self, kind: str, chance: random.Random) -> None:
        """Kill something and restart it a moment later."""
        place, down = chance.randrange(len(self.hubs)), chance.uniform(0, 0.5)
        await asyncio.sleep(chance.uniform(0, 0.2))
        if kind == "hub":
            await asyncio.to_thread(self._end, place, signal.SIGKILL)
        else:
            part = self.database if kind == "database" else self.broker
            await asyncio.to_thread(part.kill)
        await asyncio.sleep(down)
        if kind == "hub":
            self.hubs[place] = await asyncio.to_thread(self._open, self.ports[place])
        elif kind == "database":
            await asyncio.to_thread(self.database.start)
        else:
            await asyncio.to_thread(self.broker.start)

    def pages(self) -> list[str]:
        """Return the standings and rounds on every hub's page."""
        found = []
        for port in self.ports:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/still", timeout=60) as answer:
                page = answer.read().decode()
            found.append(re.sub(r"<h2>live games</h2>.*?</div>", "", page))
        return found

    def end(self) -> None:
        for place in range(len(self.hubs)):
            self._end(place, signal.SIGTERM)
        self.broker.kill()
        self.database.remove()


def play(seated: Seated, round_: int, pair: tuple[str, str], winner: int, behind: int) -> None:
    """Play one complete game between two players on a board."""
    for line in (f"session round-{round_}", "game cribbage"):
        submit(seated.table, line, "test")
    for seat, name in enumerate(pair, 1):
        submit(seated.table, f"seat {seat} {name}", "test")
    seated.win(winner, behind)


def patient() -> Iterator[float]:
    """A waiting time long enough for three hubs to store the results of fifty boards before they
    are sent again."""
    while True:
        yield 2.0


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(3000):  # the bound only ensures that a failing test ends
        if await true():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("boards still wait for an acknowledgement")


async def storm(
    directory: Path, league: League, kills: int, chance: random.Random
) -> tuple[Counter[str], dict[tuple[int, int], Result]]:
    """Play all rounds while this many processes are killed, and return the killed processes and the
    played games."""
    kinds = [KINDS[n % len(KINDS)] for n in range(kills)]
    turns = [(r, place) for r in range(len(league.draws)) for place in range(len(league.names))]
    strikes = dict(zip(sorted(chance.sample(range(len(turns)), kills)), kinds, strict=True))
    played: dict[tuple[int, int], Result] = {}
    async with AsyncExitStack() as up:
        tables = []
        for name in league.names:
            tables.append(Seated(directory / name))
            up.callback(tables[-1].close)
            await up.enter_async_context(linked(tables[-1], league.broker.options(name), patient))
        striking: asyncio.Task[None] | None = None
        for turn, (round_, place) in enumerate(turns):
            if turn in strikes:
                if striking is not None:
                    await striking  # one at a time; otherwise a restart would meet the next kill
                striking = asyncio.create_task(league.strike(strikes[turn], chance))
            pair = league.draws[round_].pairs[place]
            winner, behind = chance.choice((1, 2)), chance.randrange(121)
            play(tables[place], round_, pair, winner, behind)
            names = pair if winner == 1 else (pair[1], pair[0])
            played[round_ + 1, place + 1] = Result(*names, 121 - behind, behind <= 90)
            await asyncio.sleep(0.01)
        if striking is not None:
            await striking

        async def empty() -> bool:
            for table in tables:
                if await asyncio.wrap_future(table.table.journal.outbox()):
                    return False
            return True

        await until(empty)
    return Counter(kinds), played


def run(directory: Path, boards: int, rounds: int, kills: int, seed: int) -> dict[str, int]:
    need("mosquitto", "postgresql")
    league = League(directory, boards, rounds)
    try:
        killed, played = asyncio.run(storm(directory, league, kills, random.Random(seed)))
        pages = league.pages()
        store = Store(league.url)
        found = {(m.round, m.table): m.result for m in store.meetings(league.number)}
        kept = store.standings(league.number)
        games = Counter((game.board, game.game) for game in store.games())
        with store.database.read() as connection:
            entries = connection.scalar(sa.select(sa.func.count()).select_from(schema.entry))
            season = totals.best(connection, store.season)
        store.close()
    finally:
        league.end()
    lost = [at for at, result in played.items() if found.get(at) != result]
    assert not lost, "each result counts at its table"
    assert (len(games), entries) == (len(played), len(played)), "none twice"
    assert kept == standings([s.name for s in kept], played.values())
    assert {t.name: (t.games, t.points, t.net) for t in season} == {
        s.name: (s.games, s.points, s.net) for s in kept
    }
    assert len(set(pages)) == 1, "all hubs show the same"
    assert "Traceback" not in "".join(league.said), "".join(league.said)
    return {
        "hubs": len(league.hubs),
        "boards": boards,
        "results": len(played),
        "lost": len(lost),
        "twice": (entries or 0) - len(played),
        **{f"{kind}s killed": killed[kind] for kind in KINDS},
    }


@pytest.mark.slow
def test_a_short_storm_over_a_league(tmp_path: Path) -> None:
    done = run(tmp_path, boards=4, rounds=5, kills=3, seed=1)
    assert (done["results"], done["lost"], done["twice"]) == (20, 0, 0)


@pytest.mark.long
def test_1000_results_of_50_boards_while_hubs_database_and_broker_are_killed_30_times(
    tmp_path: Path, seed: int, long_run: LongRun
) -> None:
    long_run(**run(tmp_path, boards=50, rounds=20, kills=30, seed=seed))
