"""A computer player for one seat, and its process: `python -m boardctl.bot.worker`.

A `Seat` receives the lines of the game that its player would see, in the table notation, and
replies with its own lines (docs/notes/player.md, "The protocol"). The referee checks all lines. An
illegal line raises IllegalMove. The player never uses information about the opponent's hand.

Each line of standard input is a request as a JSON object: `{"seat": 2, "level": 5, "seed": 7,
"lines": […]}`. It contains the lines of the current game that this seat sees
(`seated.visible_lines`). In cribbage it may also contain the `objective` of the game (`aims.read`).
The process writes one line in reply: `{"line": "2 play 5H"}`, or `{"line": null}` if it is not the
seat's turn. If the request is invalid, the reply is `{"error": "…"}`, where the value is one
sentence.

The reply to `{"seat": 2, "hint": true, "lines": […]}` is `{"hint": …}` (`hints.Hint.as_data`), with
null if there is no hint. The process stops at the end of its input.
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
"""The maximum number of lines that the player may enter in a row."""


class Seat:
    """The computer player in one seat. `seat` counts from 1. `level` is one of `LEVELS`.

    The same seed and the same lines always produce the same replies.
    """

    def __init__(self, seat: int, level: int, seed: int, objective: str = "win") -> None:
        """Start a player. `objective` is its objective in a game of cribbage (`aims.read`)."""
        self.seat = seat
        self._objective = objective
        self.level = level
        self._seed = seed
        self._record = Record()
        self._games = 0

    @property
    def position(self) -> Position:
        """The position of the game, including the seat's own lines."""
        return self._record.position

    def receive(self, line: str) -> list[str]:
        """Return this seat's replies to a line. Raises IllegalMove if the line is rejected."""
        if not self._read(line):
            return []
        lines: list[str] = []
        while len(lines) < MOST_IN_A_ROW:
            move = self._next_line()
            if move is None:
                break
            own = notation.spell(move)
            self._record.read(own)
            lines.append(own)
        return lines

    def next_line_after(self, lines: Iterable[str]) -> Move | None:
        """Return this seat's next line after these lines, or None if it is not its turn. The lines
        include the seat's own lines. Raises IllegalMove if a line is rejected."""
        for line in lines:
            self._read(line)
        return self._next_line()

    def _read(self, line: str) -> bool:
        """Read a line. Return whether it contained anything. Only the lines of the current game are
        stored, so that reading a line does not become slower with every game. Raises IllegalMove if
        the line is rejected."""
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
    """A server for requests. It stores the record of the last request, so that it reads only the
    new lines unless the request is for another seat or an earlier line has changed."""

    def __init__(self) -> None:
        self._settings: tuple[Any, ...] = ()
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
        if seat is None or asked != self._settings or lines[:known] != self._lines:
            seat, known = Seat(*asked), 0
        self._settings, self._lines, self._seat = asked, lines, seat
        return seat.next_line_after(lines[known:])


def _hint(lines: Sequence[str], seat: int, played_for: str) -> dict[str, Any] | None:
    """Return a hint for the pending decision after these lines, or None. Raises IllegalMove if a
    line is rejected."""
    from boardctl.bot import aims
    from boardctl.bot.hints import hint  # these imports are slow

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
    """Reply to each request line. The worker remembers earlier lines.

    Returns:
        The exit status, and one reply line for each request.
    """
    answers = (_worker().answer(line) + "\n" for line in given.decode().splitlines())
    return 0, "".join(answers).encode()


def main() -> None:
    """Reply to requests until the input ends. The input may end in the middle of a request if the
    board's process is killed. If the replies are no longer read, return silently."""
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
