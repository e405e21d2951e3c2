"""The bot protocol for one seat, in the table notation: docs/bot.md, "The protocol".

A `Seat` receives the lines of the game that its player would see, and answers with its own lines.
The referee checks both: an illegal line raises IllegalMove. Information about the opponent's hand
is never used.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final

from boardctl.bot import habits
from boardctl.games import Move
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.record import Record

MOST_IN_A_ROW: Final = 64
"""An upper limit of consecutive lines of its own."""


class Seat:
    """A player at one seat, from 1; `level` one of `LEVELS`.

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
        """The game's position, including its own lines."""
        return self._record.position

    def receive(self, line: str) -> list[str]:
        """This seat's answers to a line. Raises IllegalMove if the line is rejected."""
        if not self._read(line):
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
        """This seat's next line after these lines, which include its own; None if it is not its
        turn. Raises IllegalMove if one is rejected."""
        for line in lines:
            self._read(line)
        return self._due()

    def _read(self, line: str) -> bool:
        """Follow a line; whether it said anything. A game's lines are all that is kept, so that a
        line costs the same after thousands of games. Raises IllegalMove."""
        before = self._record.position
        report = self._record.read(line)
        if report is not None and report.move.verb == "game":
            self._games += 1
            self._record = Record(before._replace(finished=(), sat=()))
            self._record.apply(report.move)
        return report is not None

    def _due(self) -> Move | None:
        """This seat's next line, None if it is not its turn."""
        position = self._record.position
        if position.game is None or position.state is None:
            return None
        if not 1 <= self.seat <= len(position.seats):
            return None
        game, games = self._record.moves, self._games
        if position.game.name in ("cribbage", "five-card-cribbage"):
            from boardctl.bot import cribbage

            return cribbage.due(position, game, self.seat, self.level, (self._seed, games))
        random = Random(repr((self._seed, games, len(game))))
        return habits.due(self._record, self.seat, self.level, random)
