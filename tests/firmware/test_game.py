"""A whole game of cribbage, with the daemon and the driver of a Pi and the chip's own program:
keys are pressed at the emulated pins, pegs are seen on the emulated strip."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from boardctl import config
from boardctl.config import Config
from boardctl.daemon import Board
from tests.firmware.rig import Bench, alone

POINTS = (12, 8, 24, 2, 17, 10, 9, 16, 20, 11, 6, 14, 4, 21, 18, 7, 5, 28, 29)
"""What the seats peg in turn: more than enough for a game."""


class AtOnce(Executor):
    """A disk that has always just written."""

    def submit(self, work: Any, /, *args: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(work(*args, **named))
        return future


class Table:
    """A board at which two people play, and every picture its daemon ever asked for."""

    def __init__(self, bench: Bench, data: Path) -> None:
        self.bench = bench
        self._data = data
        self.pictures: set[bytes] = set()
        self.open()

    def open(self) -> None:
        part = config.part("serial_board", port=str(self.bench.emulator.port))
        chosen = Config(telling="points", leds=part, keys=part)
        self.board = Board(chosen, self._data, self.bench, self.bench.wires, AtOnce())
        self.board.watch_frames(self.pictures.add)
        self.pictures.add(self.board.frame())

    def kill(self) -> None:
        """The daemon dies; only what it had written and what its kernel would free is gone."""
        self.bench.kill()
        self.board.table.journal.close()

    @property
    def scores(self) -> tuple[int, ...]:
        return self.board.table.position.scores

    def lit(self) -> bytes:
        return self.bench.emulator.strip()[: 3 * self.board.layout.leds]

    def settled(self) -> bool:
        """What is lit is what was asked for last."""
        return self.lit() == self.board.frame()

    def peg(self, side: int, points: int) -> None:
        for key in f"{'AB'[side]}{points}#":
            self.bench.tap(key, seed=self.bench.emulator.cycle % 9973)

    def check_pegs(self) -> None:
        """After the walk, each front peg stands in its hole."""
        self.bench.run(2.0)
        self.bench.until(self.settled, 2.0)
        places = self.board.layout.index()
        for side, score in enumerate(self.scores, 1):
            if score:
                place = 3 * places[f"track{side}.{min(score, 121)}"]
                assert any(self.lit()[place : place + 3]), f"side {side} at {score}"

    def check_pictures(self) -> None:
        """Nothing was ever lit that nobody asked for: whole pictures, darkness, or the pattern
        of a board whose host is gone."""
        leds = self.board.layout.leds
        fine = self.pictures | {bytes(3 * leds)}
        for refresh in self.bench.emulator.refreshes:
            assert refresh.bits % 24 == 0
            if refresh.bits == 24 * leds and refresh.leds not in fine:
                assert any(refresh.leds == alone(p, n) for p in fine for n in range(8))
            elif refresh.bits != 24 * leds:
                assert not any(refresh.leds)


@pytest.fixture
def table(bench: Bench, tmp_path: Path) -> Iterator[Table]:
    seated = Table(bench, tmp_path / "data")
    yield seated
    seated.kill()


def play(table: Table, pegs: range, check: bool = False) -> list[int]:
    """Peg in turn; the scores that this makes."""
    scores = list(table.scores)
    for turn in pegs:
        side, points = turn % 2, POINTS[turn]
        if max(scores) >= 121:
            break
        table.peg(side, points)
        scores[side] += points
        if check:
            table.bench.until(lambda: table.scores == tuple(scores), 2.0)
            table.check_pegs()
    return scores


def test_a_whole_game(table: Table) -> None:
    table.bench.run(1.0)
    scores = play(table, range(len(POINTS)), check=True)
    assert max(scores) >= 121
    assert table.board.table.position.over
    table.check_pictures()
    counted = table.bench.emulator.stats()
    assert counted["lost"] == 0
    assert counted["shorts"] == 0
