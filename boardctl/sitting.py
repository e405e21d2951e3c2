"""A sitting: everything on one table joined, from key to light.

Keys arrive as events, become lines, are submitted to the table, and what results is shown on the
strip. All time comes from the clock it is given: the daemon's event loop, or a virtual clock.
Called by `daemon` and `simulate`.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Final

from boardctl import entry
from boardctl.board.layout import Layout
from boardctl.board.render import Picture, render
from boardctl.entry import Conversation
from boardctl.games import IllegalMove
from boardctl.ports import Clock, KeyEvent, Strip, Timer
from boardctl.table import Receipt, Table

FRAME: Final = 0.02
"""Seconds between frames while something moves."""


class Sitting:
    """One table with its keys and lights."""

    def __init__(self, table: Table, layout: Layout, strip: Strip, clock: Clock) -> None:
        self.table = table
        self.talk = Conversation()
        self._layout = layout
        self._strip = strip
        self._clock = clock
        self._saving = 0
        self._timer: Timer | None = None
        table.watchers.append(self._accepted)

    def on_key(self, event: KeyEvent) -> None:
        """A debounced key edge."""
        if not event.pressed:
            return
        self.talk, line = entry.press(self.talk, self.table.position.prompt, event.key)
        if line is not None:
            try:
                self.table.submit(line, "keypad")
            except IllegalMove:
                self.talk = Conversation()
        self.draw()

    def _accepted(self, receipt: Receipt) -> None:
        self._saving += 1
        receipt.saved.add_done_callback(
            lambda saved: self._clock.call_soon_threadsafe(lambda: self._saved(saved))
        )

    def _saved(self, saved: Future[None]) -> None:
        if saved.exception() is None:
            self._saving -= 1
        self.draw()

    def draw(self) -> None:
        """Show the position as it stands now; while pegs are unsaved, again and again."""
        position = self.table.position
        if position.game is None or position.state is None:
            return
        board = position.game.scoreboard(position.state)
        unsaved = frozenset(range(1, len(board.standings) + 1)) if self._saving else frozenset()
        now = self._clock.time()
        self._strip.show(render(self._layout, Picture(board, unsaved), now))
        if unsaved and self._timer is None:
            self._timer = self._clock.call_at(now + FRAME, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.draw()
