"""The cost of a move, an undo and a resume as games and the journal grow.

Each is timed as a user experiences it: a line submitted to the table (`Table.submit`, with the
journal on its own thread and on disk), `undo`, and a board opened on a journal until its first
frame is ready, with its modules loaded. The times are the CPU time of the waiting thread, the
minimum of several rounds in which all sizes alternate. The games are entered by hand, as at most
tables. A game that is about to be won is prolonged by setting scores back.
"""

from __future__ import annotations

import gc
import random
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.games.cards import CARDS
from boardctl.record.record import Record
from boardctl.storage.database import NAME, create
from tests.tables import submit
from tools.bench.core import CONFIG, Copper

MOVES: Final = (1, 250, 500, 750, 1000, 1500, 2000)
GAMES: Final = (1, 10, 100, 1000, 2500, 5000, 10_000)
EVENING: Final = 10
"""The number of games in an evening."""
OPENING: Final = ("session evening", "game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1")
ROUNDS: Final = 7


class Sample(NamedTuple):
    """The milliseconds at one size."""

    size: int
    move: float
    undo: float
    resume: float


def lines(endless: bool) -> Iterator[str]:
    """Yield a game of cribbage line by line, entered by hand, until it is won or without end."""
    chance = random.Random(2000)
    record = Record()

    def spelled(*moves: str) -> Iterator[str]:
        for move in moves:
            if not record.position.over:
                record.read(move)
                yield move

    yield from spelled(*OPENING)
    while not record.position.over:
        cards = [str(card) for card in chance.sample(CARDS, 13)]
        play = [f"{seat} peg {chance.randint(1, 3)} play" for seat in (1, 2, 1, 2)]
        yield from spelled("deal", f"starter {cards[12]}", *play)
        dealer = record.position.situation.dealer
        assert dealer is not None
        pone = 3 - dealer
        yield from spelled(
            f"{pone} show {' '.join(cards[:4])}",
            f"{dealer} show {' '.join(cards[4:8])}",
            f"{dealer} crib {' '.join(cards[8:12])}",
        )
        if endless:
            high = [n for n, score in enumerate(record.position.scores, 1) if score > 50]
            yield from spelled(*(f"{side} adjust -40" for side in high))


class Evening:
    """Lines for a journal, with consecutive numbers."""

    def __init__(self, path: Path) -> None:
        create(path)
        self.db = sqlite3.connect(path, isolation_level=None)
        self.number = 0
        self.finished = list(lines(endless=False))

    def add(self, lines: list[str]) -> None:
        """Add one session with these lines."""
        first = self.number + 1
        rows = [(first + n, first, line, 1e9 + n, "keypad") for n, line in enumerate(lines)]
        self.number += len(lines)
        self.db.execute("INSERT INTO session VALUES (?, ?)", (first, ""))
        self.db.executemany("INSERT INTO line VALUES (?, ?, ?, ?, ?)", rows)


def by_moves() -> list[Sample]:
    """Measure one game in its own journal, at each size in `MOVES`."""
    endless = list(islice(lines(endless=True), max(MOVES) + len(OPENING)))
    with TemporaryDirectory() as folder:
        boards = []
        for size in MOVES:
            moves = size + len(OPENING) - 1
            data = Path(folder, str(size))
            data.mkdir()
            evening = Evening(data / NAME)
            evening.add(endless[:moves])
            evening.db.close()
            boards.append(_Case(size, data, endless[moves]))
        return _samples(boards)


def by_games() -> list[Sample]:
    """Measure a journal of finished games followed by a game that has just begun, at each size in
    `GAMES`."""
    with TemporaryDirectory() as folder:
        journal = Path(folder, NAME)
        evening = Evening(journal)
        game = evening.finished
        boards = []
        games = 0
        for size in GAMES:
            evening.db.execute("BEGIN")
            while games < size:
                many = min(EVENING, size - games)
                evening.add(["session evening", *(game[1:] * many)])
                games += many
            evening.add(game[:10])
            evening.db.execute("COMMIT")
            # A board's log has only a few lines; this one would have every game.
            evening.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            data = Path(folder, str(size))
            data.mkdir()
            shutil.copy(journal, data)
            boards.append(_Case(size, data, game[10]))
        evening.db.close()
        return _samples(boards)


class _Case(NamedTuple):
    """A board's folder, and the next line to enter."""

    size: int
    folder: Path
    line: str


def _samples(cases: Sequence[_Case]) -> list[Sample]:
    rounds = [[_sample(case) for case in cases] for _ in range(ROUNDS)]
    return [
        Sample(case.size, *(1000 * min(times) for times in zip(*samples, strict=True)))
        for case, samples in zip(cases, zip(*rounds, strict=True), strict=True)
    ]


def _sample(case: _Case) -> tuple[float, float, float]:
    """Return the seconds of a move, an undo and a resume."""
    gc.collect()
    began = time.thread_time()
    board = _board(case.folder)
    resume = time.thread_time() - began
    move, undo = _timed(board, case.line), _timed(board, "undo")
    board.close()
    return move, undo, resume


def _timed(board: BoardApp, line: str) -> float:
    """Return the seconds until a line has been accepted and shown with the LEDs."""
    began = time.thread_time()
    receipt = submit(board.table, line, "page")
    took = time.thread_time() - began
    receipt.saved.result()
    return took


def _board(folder: Path) -> BoardApp:
    wires: Any = Copper()
    board = BoardApp(_config(folder), folder, VirtualClock(), wires)
    assert wires.bus, "the first frame is out"
    return board


def _config(folder: Path) -> configuration.Config:
    path = folder / "config.toml"
    path.write_text(CONFIG)
    return configuration.load(path)
