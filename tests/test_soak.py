"""Many evenings in virtual time: no leaks, nothing left open, every score adds up.

Keys, referee, journal and render run in every game, and every hundredth frame is encoded to the
waveform and decoded again. Fifty games here; ten thousand in `make long`.
"""

from __future__ import annotations

import gc
import random
import resource
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from boardctl.board import layout
from boardctl.board.palette import Frame
from boardctl.board.reading import reading
from boardctl.drivers import ws2812_spi
from boardctl.drivers.virtual.spi import decode
from boardctl.games import Telling
from boardctl.games.cards import Card, Rank
from boardctl.games.cribbage import show
from boardctl.storage.journal import NAME
from boardctl.table import Receipt
from tests.players import RandomHands
from tests.report import LongRun
from tests.tables import KeyedTable, Row, keyed, submit

EVENING = 10
"""The number of games in an evening, one of them by cards, and the last played with the celebration
to its end."""
MOST_GROWN = 1 << 20
TABLES = ws2812_spi.tables(4)
HERTZ = ws2812_spi.HERTZ[4]
LAYOUT = layout.load("classic-2")


class Waved(Row):
    """A strip that encodes every hundredth frame for the wire."""

    decoded = 0

    def show(self, frame: Frame) -> None:
        super().show(frame)
        if self.frames % 100 == 0:
            assert decode(bytes(ws2812_spi.encode(frame, TABLES)), HERTZ) == frame
            self.decoded += 1


class Count:
    """The awards of the receipts, summed independently of the referee."""

    def __init__(self, table: KeyedTable) -> None:
        self.scores: list[int] = []
        self.awards = 0
        table.table.accepted.connect(self.hear)

    def hear(self, receipt: Receipt) -> None:
        if receipt.report.move.verb == "game":
            self.scores = [0, 0]
        for award in receipt.report.awards:
            self.scores[award.seat - 1] += award.points
            self.awards += 1


@dataclass(frozen=True, slots=True)
class Soaked:
    """The results of a soak: counts, and the bytes in use after each evening."""

    presses: int
    lines: int
    awards: int
    frames: int
    decoded: int
    used: tuple[int, ...]


def play(table: KeyedTable, telling: Telling, seed: int) -> None:
    """One game on the keypad, by cards or by points, until it is won."""
    table.controller.telling = telling
    chance = random.Random(seed)
    hands = RandomHands(seed)
    while not table.table.position.over:
        if telling == "points":
            table.press(f"{chance.choice('AB')} {chance.randint(1, 24)} #")
        else:
            table.tap(hands.keys(table.controller.keypad_state, table.controller.view), 0.05)


def soak(games: int, data: Path, seed: int) -> Soaked:
    """Play this many games, in evenings of ten."""
    row = Waved()
    used = []
    with keyed(data, row=row) as table:
        count = Count(table)
        submit(table.table, "game cribbage", "test")
        for number in range(games):
            play(table, "cards" if number % EVENING == 0 else "points", seed=seed + number)
            assert count.scores == list(table.scores)
            assert max(count.scores) >= 121
            if (number + 1) % EVENING:
                table.press("#")
                assert table.scores == (0, 0)
                continue
            table.clock.run(20)
            assert table.clock.idle
            seen = reading(LAYOUT, row.frame)
            for side, score in enumerate(table.scores, start=1):  # 0 is in the start holes
                assert seen.get(f"track{side}.front", 0) == min(121, score)
            table.press("hold# 0 # 5")
            gc.collect()
            used.append(memory())
        return Soaked(
            table.presses, table.table.number, count.awards, row.frames, row.decoded, tuple(used)
        )


def memory() -> int:
    """Return the bytes of memory that this process uses."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()


def fill_tables() -> None:
    """Fill the cache for each set of ranks, at most two megabytes, which would otherwise grow
    gradually as the sets occur."""
    for size in (4, 5):
        for ranks in combinations_with_replacement(Rank, size):
            if max(map(ranks.count, ranks)) <= 4:
                show.count([Card(rank) for rank in ranks[1:]], Card(ranks[0]))


def left_open() -> tuple[int, int]:
    """Return how many files and threads this process has."""
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


def check(games: int, settled: int, data: Path, seed: int, long_run: LongRun) -> None:
    fill_tables()
    gc.collect()  # the remains of earlier tests do not count
    before = left_open()
    soaked = soak(games, data, seed)
    assert left_open() == before
    used = soaked.used
    grown = used[-1] - used[settled // EVENING - 1]
    long_run(
        games=games,
        presses=soaked.presses,
        lines=soaked.lines,
        awards_added_up=soaked.awards,
        frames=soaked.frames,
        waveforms_decoded=soaked.decoded,
        kibibytes_grown=grown // 1024,
        kibibytes_in_all=used[-1] // 1024,
    )
    assert soaked.decoded > games
    assert grown < MOST_GROWN, f"{grown} bytes more after {games} games than after {settled}"
    with closing(sqlite3.connect(data / NAME)) as kept:
        assert kept.execute("SELECT count(*) FROM line").fetchone() == (soaked.lines,)


@pytest.mark.slow
def test_fifty_games_leave_nothing_behind(tmp_path: Path, long_run: LongRun) -> None:
    check(50, settled=20, data=tmp_path, seed=0, long_run=long_run)


@pytest.mark.long
def test_ten_thousand_games_leave_nothing_behind(
    tmp_path: Path, seed: int, long_run: LongRun
) -> None:
    check(10_000, settled=500, data=tmp_path, seed=seed, long_run=long_run)
