"""An evening: its games one after the other, and its end."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from boardctl.console import keypad
from boardctl.console.settings import TableSettings
from boardctl.games import Move
from boardctl.table import Table


class Evening:
    """The evenings of one table. `today` returns the name of a new one (a date)."""

    def __init__(self, table: Table, settings: TableSettings, today: Callable[[], str]) -> None:
        self._table = table
        self._settings = settings
        self._today = today

    def begin(self) -> None:
        """Start a new one with the configured game and, if no players are seated, its players."""
        self._table.submit(Move("session", name=self._today()), "table")
        self._table.submit(Move("game", name=self._settings.game), "table")
        if self._table.position.state is None:
            self._table.submit_all(keypad.seating(self._settings.players), "table")

    def begin_after_match(self) -> bool:
        """Start the first game of an evening that has none yet; returns whether it had none."""
        position = self._table.position
        empty = position.game is None and position.session is not None
        if empty:
            self._table.submit(Move("game", name=self._settings.game), "table")
        return empty

    def won(self) -> str:
        """How many games everybody has won."""
        position = self._table.position
        people = dict.fromkeys(position.seats.values(), 0) | position.tally.people
        return " ".join(f"{name} {won}" for name, won in people.items())

    def end(self, saved: Callable[[Future[None]], object]) -> None:
        """End it; `saved` is called, on the journal's thread, once that is on disk."""
        receipt = self._table.submit(Move("session", words=("end",)), "keypad")
        receipt.saved.add_done_callback(saved)
