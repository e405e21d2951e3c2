"""The player of a table in a separate process: `python -m boardctl.bot.worker`.

Each line of standard input is a JSON object `{"seat": 2, "level": 5, "seed": 7, "lines": […]}` with
the lines of the game at hand as that seat knows them (`seated.seen_by`). Each is answered by one
line of standard output: `{"line": "2 play 5H"}`, null if nothing is due of the seat, or
`{"error": "…"}` in one sentence. `{"seat": 2, "hint": true, "lines": […]}` is answered by
`{"hint": …}` (`hints.Hint.as_data`), null if there is none. End of input ends it.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
from collections.abc import Sequence
from typing import Any

from boardctl import text
from boardctl.bot.hints import hint
from boardctl.bot.protocol import Seat
from boardctl.games import IllegalMove, Move
from boardctl.record import notation
from boardctl.record.record import Record


class Worker:
    """Answers requests. It keeps the record of the last one: lines that follow it are read alone,
    and the whole only where another seat asks, or where a line before was changed."""

    def __init__(self) -> None:
        self._asked: tuple[Any, ...] = ()
        self._lines: list[str] = []
        self._seat: Seat | None = None

    def answer(self, request: str) -> str:
        """One request answered."""
        asked = json.loads(request)
        try:
            if asked.get("hint"):
                return json.dumps({"hint": _hint(asked["lines"], asked["seat"])})
            move = self._due((asked["seat"], asked["level"], asked["seed"]), asked["lines"])
        except IllegalMove as error:
            self._seat = None
            return json.dumps({"error": text.refusal(error)})
        return json.dumps({"line": None if move is None else notation.spell(move)})

    def _due(self, asked: tuple[int, int, int], lines: list[str]) -> Move | None:
        seat, known = self._seat, len(self._lines)
        if seat is None or asked != self._asked or lines[:known] != self._lines:
            seat, known = Seat(*asked), 0
        self._asked, self._lines, self._seat = asked, lines, seat
        return seat.due_after(lines[known:])


def _hint(lines: Sequence[str], seat: int) -> dict[str, Any] | None:
    """A hint for what is due after these lines. Raises IllegalMove if one is rejected."""
    record = Record()
    for line in lines:
        record.read(line)
    found = hint(record, seat)
    return None if found is None else found.as_data()


def main() -> None:
    """Answer requests until the input ends, as it does in the middle of one if the board is killed;
    where nobody is left to hear the answer, this process ends without a word."""
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
