"""A board that is offline for a week, in virtual time: the loop's clock skips idle waiting.

The broker and the hub after its return are real.
"""

from __future__ import annotations

import asyncio
import selectors
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from random import Random
from typing import Any, TypeVar, TypeVarTuple

import pytest

from boardctl.club.store import Store
from boardctl.mqtt.client import linked
from boardctl.mqtt.connection import LONGEST, delays
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import HubProcess
from tests.mqtt.tables import Seated
from tests.parts import need
from tests.ports import free_port

DAY = 24 * 3600
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Skipping(asyncio.SelectorEventLoop):
    """A loop that may skip waiting if nothing is in progress: no open socket but its own, no
    working thread."""

    def __init__(self) -> None:
        self.skips = True
        self.skipped = 0.0
        self._at_work = 0
        loop = self

        class Selector(selectors.DefaultSelector):
            def select(self, timeout: float | None = None) -> Any:
                busy = len(self.get_map()) > 1 or loop._at_work
                if not timeout or busy or not loop.skips:
                    return super().select(timeout)
                loop.skipped += timeout
                return super().select(0)

        super().__init__(Selector())

    def time(self) -> float:
        return time.monotonic() + self.skipped

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        self._at_work += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._done)
        return future

    def _done(self, future: object) -> None:
        self._at_work -= 1


@pytest.mark.slow
def test_a_board_off_the_net_for_a_week_delivers_when_it_returns(tmp_path: Path) -> None:
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", ("one",))  # not started: the broker is absent
    seated = Seated(tmp_path / "one")
    paused: list[float] = []

    def waits() -> Iterator[float]:
        for wait in delays(Random(7)):
            paused.append(wait)
            yield wait

    async def week() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Skipping)
        async with linked(seated, broker.options("one"), waits):
            began = loop.time()
            for day in range(7):
                seated.win(1 + day % 2, day)
                await asyncio.sleep(DAY)
            assert loop.time() - began >= 7 * DAY
            assert len(seated.table.journal.outbox().result()) == 7
            attempts = len(paused)
            assert max(paused) <= LONGEST
            assert 7 * DAY / LONGEST <= attempts <= 2 * 7 * DAY / LONGEST + 10, (
                "neither mad nor lame"
            )
            broker.start()
            listening = HubProcess(broker, tmp_path / "club.sqlite3", free_port())
            try:
                back = loop.time()
                while seated.table.journal.outbox().result():
                    await asyncio.sleep(0.05)
                    assert loop.time() - back < 2 * LONGEST
            finally:
                listening.end(signal.SIGKILL)
        loop.skips = False  # finally asyncio waits for its threads

    try:
        with asyncio.Runner(loop_factory=Skipping) as runner:
            runner.run(week())
    finally:
        broker.kill()
        seated.close()
    store = Store(tmp_path / "club.sqlite3")
    assert sorted(min(game.result["scores"]) for game in store.games()) == list(range(7))
    store.close()
