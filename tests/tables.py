"""A table on a virtual clock with keys, for tests that need no waveform."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from boardctl.board import layout
from boardctl.board.palette import Frame
from boardctl.console.settings import TableSettings
from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import Display, KeyEvent, Strip
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.features import installed
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Receipt, Table


def submit(table: Table, line: str, by: str, expect: int | None = None) -> Receipt:
    """Play a line of the notation, like a surface on which text is entered."""
    return table.submit(table.parse(line), by, expect)


class Later:
    """A worker that works on demand, like a slow disk."""

    def __init__(self) -> None:
        self.queue: list[Callable[[], object]] = []
        self.healed = False

    def put(self, work: Callable[[], object]) -> None:
        self.queue.append(work)
        if self.healed:
            self.work()

    def work(self) -> None:
        while self.queue:
            self.queue.pop(0)()

    def close(self) -> None: ...


class Screen(Display):
    """A display that tests can read."""

    languages: tuple[str, ...] = ("en", "ja")

    def __init__(self) -> None:
        self.lines: tuple[str, ...] = ("", "")

    def show(self, lines: tuple[str, ...]) -> None:
        assert len(lines) == 2
        assert all(len(line) <= 16 for line in lines), lines
        self.lines = lines

    def close(self) -> None: ...


class Row(Strip):
    """A strip that counts its frames."""

    def __init__(self) -> None:
        self.frame: Frame = b""
        self.frames = 0

    def show(self, frame: Frame) -> None:
        self.frame = frame
        self.frames += 1

    def close(self) -> None: ...


class KeyedTable:
    """A table whose keys are pressed by `press("A 8 #")`. A longer word is typed key by key, and
    `hold#` holds a key."""

    def __init__(
        self,
        journal: Journal,
        settings: TableSettings | None = None,
        row: Row | None = None,
        board: str = "classic-2",
    ) -> None:
        self.clock = VirtualClock()
        self.screen = Screen()
        self.row = Row() if row is None else row
        self.table = Table(journal, now=self.clock.time)
        self.controller = TableController(
            self.table,
            layout.load(board),
            self.row,
            self.clock,
            settings,
            self.screen,
            today=lambda: "friday",
            items=lambda: tuple(item for feature in installed() for item in feature.menu),
        )
        self.controller.open()
        self.presses = 0

    def press(self, keys: str) -> None:
        for word in keys.split():
            for key in (word,) if word.startswith("hold") else word:
                self.tap(key.removeprefix("hold"), 1.2 if word.startswith("hold") else 0.05)

    def tap(self, key: str, seconds: float = 0.05) -> None:
        self.presses += 1
        self.controller.on_key(KeyEvent(key, True, self.clock.time()))
        self.clock.run(seconds)
        self.controller.on_key(KeyEvent(key, False, self.clock.time()))
        self.clock.run(0.05)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.table.position.scores

    @property
    def game(self) -> str:
        """The name of the game on the table."""
        game = self.table.position.game
        return "" if game is None else game.name

    @property
    def playing(self) -> bool:
        """Whether an evening is in progress."""
        return self.table.position.game is not None

    @property
    def said(self) -> str:
        """Return the display's two lines as one."""
        return " | ".join(self.screen.lines)


@contextmanager
def keyed(
    data: Path,
    settings: TableSettings | None = None,
    row: Row | None = None,
    board: str = "classic-2",
) -> Iterator[KeyedTable]:
    """A table in a data directory, closed at the end."""
    journal = Journal(data, AtOnce())
    try:
        yield KeyedTable(journal, settings, row, board)
    finally:
        journal.close()
