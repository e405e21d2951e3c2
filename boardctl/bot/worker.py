"""A player of one seat that speaks the table notation, and its process: `python -m
boardctl.bot.worker`.

A `Seat` receives the lines of the game that its player would see, and answers with its own lines
(docs/notes/player.md, "The protocol"). The referee checks both: an illegal line raises IllegalMove.
Information about the opponent's hand is never used.

In the process, each line of standard input is a JSON object `{"seat": 2, "level": 5, "seed": 7,
"lines": […]}` with the lines of the current game that this seat sees (`seated.visible_lines`), and
perhaps the `objective` of a game of cribbage (`aims.read`). Each is answered by one line of
standard output: `{"line": "2 play 5H"}`, null if it is not the seat's turn, or `{"error": "…"}` in
one sentence. `{"seat": 2, "hint": true, "lines": […]}` is answered by `{"hint": …}`
(`hints.Hint.as_data`), null if there is none. The process ends at the end of its input.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from boardctl import text
from boardctl.games import IllegalMove, Move
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.record import Record

MOST_IN_A_ROW: Final = 64
"""The maximum number of lines that the player enters in a row."""


class Seat:
    """A player at one seat, from 1; `level` one of `LEVELS`.

    The same seed and the same lines give the same answers.
    """

    def __init__(self, seat: int, level: int, seed: int, objective: str = "win") -> None:
        """Args:
        objective: the objective of a game of cribbage (`aims.read`).
        """
        self.seat = seat
        self._objective = objective
        self.level = level
        self._seed = seed
        self._record = Record()
        self._games = 0

    @property
    def position(self) -> Position:
        """The game's position, including its own lines."""
        return self._record.position

    def receive(self, line: str) -> list[str]:
        """Return this seat's answers to a line. Raises IllegalMove if the line is rejected."""
        if not self._read(line):
            return []
        said: list[str] = []
        while len(said) < MOST_IN_A_ROW:
            move = self._next_line()
            if move is None:
                break
            own = notation.spell(move)
            self._record.read(own)
            said.append(own)
        return said

    def next_line_after(self, lines: Iterable[str]) -> Move | None:
        """Return this seat's next line after these lines, which include its own, or None if it is
        not its turn. Raises IllegalMove if one is rejected."""
        for line in lines:
            self._read(line)
        return self._next_line()

    def _read(self, line: str) -> bool:
        """Read a line; return whether it contained anything. Only the lines of the current game are
        stored, so a line costs the same after thousands of games. Raises IllegalMove."""
        before = self._record.position
        report = self._record.read(line)
        if report is not None and report.move.verb == "game":
            self._games += 1
            self._record = Record(before._replace(finished=(), sat=()))
            self._record.apply(report.move)
        return report is not None

    def _next_line(self) -> Move | None:
        """Return this seat's next line, or None if it is not its turn."""
        position = self._record.position
        if position.game is None or position.state is None:
            return None
        if not 1 <= self.seat <= len(position.seats):
            return None
        game, games = self._record.moves, self._games
        if position.game.name in ("cribbage", "five-card-cribbage"):
            from boardctl.bot import aims, cribbage

            chosen = aims.read(self._objective)
            return cribbage.next_line(
                position, game, self.seat, self.level, (self._seed, games), chosen
            )
        from boardctl.bot import search

        random = Random(repr((self._seed, games, len(game))))
        return search.next_line(self._record, self.seat, self.level, random)


class Worker:
    """A server for requests. It stores the last request's record and reads only new lines, unless
    another seat asks or an earlier line has changed."""

    def __init__(self) -> None:
        self._asked: tuple[Any, ...] = ()
        self._lines: list[str] = []
        self._seat: Seat | None = None

    def answer(self, request: str) -> str:
        """Return the answer to one request."""
        asked = json.loads(request)
        chosen = asked.get("objective", "win")
        try:
            if asked.get("hint"):
                return json.dumps({"hint": _hint(asked["lines"], asked["seat"], chosen)})
            move = self._next_line(
                (asked["seat"], asked["level"], asked["seed"], chosen), asked["lines"]
            )
        except IllegalMove as error:
            self._seat = None
            return json.dumps({"error": text.refusal(error)})
        return json.dumps({"line": None if move is None else notation.spell(move)})

    def _next_line(self, asked: tuple[int, int, int, str], lines: list[str]) -> Move | None:
        seat, known = self._seat, len(self._lines)
        if seat is None or asked != self._asked or lines[:known] != self._lines:
            seat, known = Seat(*asked), 0
        self._asked, self._lines, self._seat = asked, lines, seat
        return seat.next_line_after(lines[known:])


def _hint(lines: Sequence[str], seat: int, played_for: str) -> dict[str, Any] | None:
    """Return a hint for the pending decision after these lines. Raises IllegalMove if one is
    rejected."""
    from boardctl.bot import aims
    from boardctl.bot.hints import hint  # the imports for hints take long

    record = Record()
    for line in lines:
        record.read(line)
    found = hint(record, seat, aims.read(played_for))
    return None if found is None else found.as_data()


@cache
def _worker() -> Worker:
    """Return the worker of this process."""
    return Worker()


def reply(arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Answer each line of a request; the worker remembers the earlier lines.

    Returns:
        The exit status, and one line per request.
    """
    answers = (_worker().answer(line) + "\n" for line in given.decode().splitlines())
    return 0, "".join(answers).encode()


def main() -> None:
    """Answer requests until the input ends, which may happen in the middle of a request if the
    board is killed. If nobody reads the answers any more, end silently."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    gc.disable()
    worker = Worker()
    for request in sys.stdin:
        if not request.endswith("\n"):
            break
        sys.stdout.write(worker.answer(request) + "\n")
        sys.stdout.flush()
        gc.collect()


if __name__ == "__main__":
    main()
