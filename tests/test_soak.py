"""Many evenings in virtual time: nothing grows, nothing stays open, every score adds up.

Keys, referee, journal and render in every game, the waveform encoded and decoded in each
hundredth. A short run here; ten thousand games in `make long`.
"""

from __future__ import annotations

import gc
import random
import sys
from pathlib import Path

import pytest

from boardctl.board import layout
from boardctl.board.reading import reading
from boardctl.drivers import ws2812_spi
from boardctl.drivers.virtual.spi import decode
from boardctl.games import Telling
from boardctl.table import Receipt
from tests.players import RandomHands
from tests.report import LongRun
from tests.tables import KeyedTable, keyed

EVENING = 9
"""Games of an evening, as a club plays them."""
BLOCK = 64
"""Bytes of a block of memory, more than CPython's own average of one."""
TABLES = ws2812_spi.tables(3)
LAYOUT = layout.load("classic-2")


class Count:
    """The awards told by the receipts, added up apart from the referee."""

    def __init__(self, table: KeyedTable) -> None:
        self.scores: list[int] = []
        table.table.watchers.append(self.hear)

    def hear(self, receipt: Receipt) -> None:
        if receipt.report.move.startswith("game "):
            self.scores = [0, 0]
        for award in receipt.report.awards:
            self.scores[award.seat - 1] += award.points


def play(table: KeyedTable, telling: Telling, seed: int) -> None:
    """One game on the keypad, by cards or by points, until it is won."""
    table.sitting.telling = telling
    chance = random.Random(seed)
    hands = RandomHands(seed)
    while not table.table.position.over:
        if telling == "points":
            table.press(f"{chance.choice('AB')} {chance.randint(1, 24)} #")
        else:
            table.tap(hands.keys(table.sitting.talk, table.sitting.scene), 0.05)


def soak(games: int, data: Path) -> list[int]:
    """Play so many games; gives the blocks of memory in use after each evening."""
    used = []
    with keyed(data) as table:
        count = Count(table)
        table.table.submit("game cribbage", "test")
        for number in range(games):
            play(table, "cards" if number % 10 == 0 else "points", seed=number)
            assert count.scores == list(table.scores)
            table.clock.run(10)
            assert table.clock.idle
            if number % 100 == 0:
                lit = decode(bytes(ws2812_spi.encode(table.row.frame, TABLES)), 2_400_000)
                assert lit[: len(table.row.frame)] == table.row.frame
                seen = reading(LAYOUT, lit)
                assert seen["track1.front"] == min(121, table.scores[0])
            if (number + 1) % EVENING == 0:
                table.press("hold# 0 # 5")
                gc.collect()
                used.append(sys.getallocatedblocks())
            else:
                table.press("#")
                assert table.scores == (0, 0)
    return used


def open_files() -> list[Path]:
    """What this process holds open."""
    return list(Path("/proc/self/fd").iterdir())


def check(games: int, settled: int, data: Path) -> int:
    """Play so many games; how many bytes grew after the first that are to settle."""
    files = len(open_files())
    used = soak(games, data)
    grown = (used[-1] - used[settled // EVENING]) * BLOCK
    assert grown < 1 << 20, f"{grown} bytes more after {games} games than after {settled}"
    assert len(open_files()) == files
    return grown


def test_a_hundred_games_leave_nothing_behind(tmp_path: Path) -> None:
    check(108, settled=45, data=tmp_path)


@pytest.mark.long
def test_ten_thousand_games_leave_nothing_behind(tmp_path: Path, long_run: LongRun) -> None:
    long_run(seeds="0 to 9999", games=10_000)
    long_run(bytes_grown=check(10_000, settled=500, data=tmp_path))
