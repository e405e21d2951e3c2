"""Many boards, one hub, one broker, all of them killed again and again: every result is there,
and once. The boards are real tables with real journals; the broker is Debian's Mosquitto."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest

from boardctl.club.hub import Hub
from boardctl.club.store import Store
from boardctl.mqtt.link import linked
from tests.mqtt.broker import Mosquitto
from tests.mqtt.tables import Seated, soon, until
from tests.parts import need
from tests.report import LongRun


class _Board:
    """A board whose process can end at any moment: its link is cut, its journal opened anew."""

    def __init__(self, name: str, broker: Mosquitto, data: Path) -> None:
        self.name = name
        self._broker = broker
        self._data = data
        self._up = AsyncExitStack()
        self.seated: Seated

    async def start(self) -> None:
        self.seated = Seated(self._data)
        await self._up.enter_async_context(
            linked(self.seated, self._broker.options(self.name), soon)
        )

    async def stop(self) -> None:
        await self._up.aclose()
        self.seated.close()

    def waiting(self) -> int:
        return len(self.seated.table.journal.outbox().result())


async def storm(directory: Path, boards: int, games: int, kills: int) -> int:
    """Play so many games through as many kills; how many results the hub has."""
    chance = random.Random(boards)
    names = [f"t{n}" for n in range(boards)]
    broker = Mosquitto(directory / "broker", names)
    broker.start()
    store = Store(directory / "club.sqlite3")

    def hub() -> asyncio.Task[None]:
        return asyncio.create_task(Hub(store, broker.as_user("hub"), waits=soon).run())

    async def end(task: asyncio.Task[None]) -> None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    listening = hub()
    tables = [_Board(name, broker, directory / name) for name in names]
    for table in tables:
        await table.start()
    strikes = set(chance.sample(range(games), kills))
    played: list[tuple[str, int]] = []
    try:
        for game in range(games):
            table = tables[game % boards]
            behind = game % 91 + 1
            table.seated.win(1 + game % 2, behind)
            played.append((table.name, behind))
            await asyncio.sleep(0.01)
            if game in strikes:
                struck = chance.choice(("broker", "hub", "board"))
                if struck == "broker":
                    broker.kill()
                    await asyncio.sleep(0.05)
                    broker.start()
                elif struck == "hub":
                    await end(listening)
                    listening = hub()
                else:
                    hurt = chance.choice(tables)
                    await hurt.stop()
                    await hurt.start()
        await until(lambda: not any(table.waiting() for table in tables), "all delivered")
        kept = Counter((game.board, min(game.result["scores"])) for game in store.games())
        assert kept == Counter(played), "none lost, none twice"
        assert len({(game.board, game.game) for game in store.games()}) == games
        return kept.total()
    finally:
        for table in tables:
            await table.stop()
        await end(listening)
        store.close()
        broker.kill()


def test_a_short_storm(tmp_path: Path) -> None:
    need("mosquitto")
    asyncio.run(storm(tmp_path, boards=4, games=40, kills=6))


@pytest.mark.long
def test_400_games_from_20_boards_while_everything_is_killed_20_times(
    tmp_path: Path, long_run: LongRun
) -> None:
    need("mosquitto")
    long_run(seed=20, boards=20, games=400, kills=20)
    long_run(results_kept=asyncio.run(storm(tmp_path, boards=20, games=400, kills=20)))
