"""One seat of a game, told in the table notation and answering in it: docs/bot.md, "The protocol".

A `Seat` is told the lines of the game that its player would see, and answers with the lines that
are due of it. The referee of `record` checks both: a line that is impossible raises IllegalMove.
What it is told of the other side's hand it never looks at.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final

from boardctl import notation
from boardctl.bot import habits
from boardctl.games import Move
from boardctl.record.position import Position
from boardctl.record.record import Record

MOST_IN_A_ROW: Final = 64
"""More lines of its own than any game makes due at once."""


class Seat:
    """A player at one seat, from 1; `level` from 1 to 5.

    The same seed and the same lines give the same answers.
    """

    def __init__(self, seat: int, level: int, seed: int) -> None:
        self.seat = seat
        self.level = level
        self._seed = seed
        self._record = Record()
        self._games = 0

    @property
    def position(self) -> Position:
        """Where the game stands, its own lines included."""
        return self._record.position

    def told(self, line: str) -> list[str]:
        """What this seat says after a line. Raises IllegalMove where the line is refused."""
        report = self._record.read(line)
        if report is None:
            return []
        said: list[str] = []
        while len(said) < MOST_IN_A_ROW:
            move = self._due()
            if move is None:
                break
            own = notation.spell(move)
            self._record.read(own)
            said.append(own)
        return said

    def due_after(self, lines: Iterable[str]) -> Move | None:
        """The next line that is due of this seat after lines which hold its own too, None where
        nothing is. Raises IllegalMove where one is refused."""
        for line in lines:
            self._record.read(line)
        return self._due()

    def _due(self) -> Move | None:
        """The next line that is due of this seat, None where nothing is."""
        position = self._record.position
        if position.game is None or position.state is None:
            return None
        if not 1 <= self.seat <= len(position.seats):
            return None
        moves = self._record.moves
        games = sum(move.verb == "game" for move in moves)
        start = max(place for place, move in enumerate(moves) if move.verb == "game")
        game = moves[start:]
        if position.game.name in ("cribbage", "five-card-cribbage"):
            from boardctl.bot import cribbage

            return cribbage.due(position, game, self.seat, self.level, (self._seed, games))
        random = Random(repr((self._seed, games, len(game))))
        return habits.due(self._record, self.seat, self.level, random)
