"""With ten times the games in the journal, a start, a move and an undo cost the same work. So do a
move and an undo with eight times the moves in the game.

The tests count instead of timing: SQLite's instructions, the bytes read from files, and function
calls. A remaining difference in time is due to the disk or the machine.
"""

from __future__ import annotations

import json
import sqlite3
import tracemalloc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from boardctl.games import IllegalMove
from boardctl.record.position import FULL_GAMES
from boardctl.storage import database
from boardctl.storage.journal import NAME, AtOnce, Journal
from boardctl.table import PLAYER, Table
from tests.tables import KeyedTable, submit
from tests.work import calls, reachable

RECORDS = Path(__file__).parents[1] / "vectors" / "records-cribbage-2.jsonl"
OPENING = ("game cribbage", "seat 1 Ann", "seat 2 Bob")
LINES = 100
"""The lines of a finished game."""
FEW, MANY = 1_000, 10_000
"""The numbers of games in the journals; both journals are too large to be checked completely before
use."""
SHORT, LONG = 250, 2_000
"""The numbers of moves in a game; ten times the longest game entered by cards."""


class Work(NamedTuple):
    """The amount of work: instructions of SQLite's machine, and bytes read from files."""

    instructions: int
    bytes_read: int


class Counter:
    """Counts the instructions of every connection opened by `database`, and this thread's reads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.instructions = 0
        connect = sqlite3.connect

        def counted(*place: Any, **more: Any) -> sqlite3.Connection:
            db: sqlite3.Connection = connect(*place, **more)
            db.set_progress_handler(self._count, 1)
            return db

        monkeypatch.setattr(sqlite3, "connect", counted)

    def _count(self) -> int:
        self.instructions += 1
        return 0

    @contextmanager
    def of(self, found: list[Work]) -> Iterator[None]:
        """Append the work of a block to `found`."""
        instructions, read = self.instructions, bytes_read()
        yield
        found.append(Work(self.instructions - instructions, bytes_read() - read))


def bytes_read() -> int:
    """Return the bytes that this thread has read by system calls (proc_pid_io(5))."""
    text = Path("/proc/thread-self/io").read_text()
    return int(text.split()[1])


def game(moves: int) -> list[str]:
    """Return a game with this many moves after its opening."""
    return [*OPENING, *("1 adjust +1", "1 adjust -1") * (moves // 2)]


def fill(data: Path, games: int) -> None:
    """Write a journal of finished games, ten to an evening, and a game just begun."""
    found = game(LINES - len(OPENING)) * 10
    write(data, (found if evening < games // 10 else OPENING for evening in range(games // 10 + 1)))


def write(data: Path, evenings: Iterable[Sequence[str]]) -> None:
    """Write a journal with the lines of these evenings."""
    data.mkdir()
    database.create(data / NAME)
    with closing(sqlite3.connect(data / NAME)) as db:
        number = 0
        for lines in evenings:
            texts = ["session evening", *lines]
            first = number + 1
            db.execute("INSERT INTO session VALUES (?, '')", (first,))
            db.executemany(
                "INSERT INTO line VALUES (?, ?, ?, 1e9, 'keypad')",
                ((first + n, first, text) for n, text in enumerate(texts)),
            )
            number += len(texts)
        db.commit()


def worked(data: Path, counter: Counter) -> dict[str, Work]:
    """Return the work of an opening, a move and an undo."""
    found: list[Work] = []
    with counter.of(found):
        journal = Journal(data, AtOnce())
        table = Table(journal, now=lambda: 1e9)
    for line in ("1 adjust +3", "undo"):
        with counter.of(found):
            assert submit(table, line, "test").saved.done()
    journal.close()
    return dict(zip(("start", "move", "undo"), found, strict=True))


@pytest.mark.slow
def test_ten_times_the_games_cost_the_same_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for games in (FEW, MANY):
        fill(tmp_path / str(games), games)
        assert not database.is_small(tmp_path / str(games) / NAME)
    counter = Counter(monkeypatch)
    few, many = (worked(tmp_path / str(games), counter) for games in (FEW, MANY))
    for what, cost in few.items():
        assert many[what].instructions == pytest.approx(cost.instructions, rel=0.02), what
        # One more level of the tables' trees is a page or two.
        assert many[what].bytes_read <= cost.bytes_read + 4 * 4096, what


def test_eight_times_the_moves_cost_the_same_work(tmp_path: Path) -> None:
    found = []
    for moves in (SHORT, LONG):
        data = tmp_path / str(moves)
        write(data, [game(moves)])
        journal = Journal(data, AtOnce())
        table = KeyedTable(journal)
        lines = ("1 peg 3", "undo")
        found.append([calls(partial(submit, table.table, line, "page")) for line in lines])
        journal.close()
    short, long = found
    assert long == pytest.approx(short, rel=0.1)


def play(table: Table, games: int, by: str = "page") -> None:
    """Play so many games by points to their ends; after each the next begins."""
    for game in range(games):
        for n in count(game):
            submit(table, f"{n % 2 + 1} peg {7 + n * 5 % 17}", by)
            if table.position.over:
                break
        submit(table, "game cribbage", by)


def test_the_next_evening_begins_after_a_hundred_games(tmp_path: Path) -> None:
    """Every position has the outcomes of its evening's games, and each light counts their wins."""
    journal = Journal(tmp_path, AtOnce())
    journal._db.execute("PRAGMA synchronous=OFF")
    table = Table(journal, now=lambda: 1.0)
    for line in OPENING:
        submit(table, line, "test")
    play(table, FULL_GAMES - 1)
    assert (table.session, len(table.position.outcomes)) == (1, FULL_GAMES)
    play(table, 1)
    assert table.session > 1
    assert len(table.position.outcomes) == 1
    journal.close()


def test_every_evening_leaves_as_many_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evenings of three games, by people and by the computer player."""
    monkeypatch.setattr("boardctl.table.FULL_GAMES", 3)
    journal = Journal(tmp_path, AtOnce())
    board = KeyedTable(journal)
    for line in OPENING:
        submit(board.table, line, "page")
    found = []
    for _ in range(6):
        for by in ("page", PLAYER):
            session = board.table.session
            play(board.table, 3, by)
            assert board.table.session > session
        board.clock.run(20)
        found.append(reachable(board))
    journal.close()
    # Line numbers above 256 are objects, and by the fourth of these rounds all are above.
    assert found[5] - found[3] == {}
    assert found[5]["Move"] > 10


@pytest.mark.slow
def test_an_endless_evening_stays_within_the_boards_memory(tmp_path: Path) -> None:
    """Games with all their cards are played until a new evening begins. Two thousand games made a
    board use 56 MiB, 6 of which were one evening's moves."""
    with RECORDS.open(encoding="utf-8") as written:
        games = [json.loads(line)["record"].splitlines() for line in written]
    journal = Journal(tmp_path, AtOnce())
    journal._db.execute("PRAGMA synchronous=OFF")
    table = Table(journal, now=lambda: 1.0)
    tracemalloc.start()
    try:
        for line in games[0]:
            table.submit(table.parse(line), "test")
        began, _ = tracemalloc.get_traced_memory()
        for game in cycle(games):
            for line in game:
                with suppress(IllegalMove):  # the end of a game may be reported as the next begins
                    table.submit(table.parse(line), "test")
            if table.session > 1:
                break
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    journal.close()
    assert most - began < 4 << 20
