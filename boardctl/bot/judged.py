"""Judge the decisions of one game. The page runs this as a separate process.

`python -m boardctl.bot.judged` reads a game's lines in the notation and writes the data of
`boardctl review --json`. With the argument `stages`, it first writes a line of JSON for each stage
of the analysis (`report.so_far`). The exit status is 1 if the game cannot be judged. `weighing`
judges games other than two-handed six-card cribbage.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

from boardctl.bot import report, weighed_report, weighing
from boardctl.bot.analysis import analyse, can_judge
from boardctl.games import IllegalMove
from boardctl.record.record import Record


def reply(arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Judge a game, without its stages.

    Returns:
        The exit status, and the analysis as JSON.
    """
    return judge(given, lambda stage: None)


def judge(given: bytes, tell: Callable[[dict[str, Any]], object]) -> tuple[int, bytes]:
    """Judge a game as `reply` does, and call `tell` with the data of each stage."""
    record = Record()
    try:
        for line in given.decode().splitlines():
            record.read(line)
    except IllegalMove:
        return 1, b""
    moves = record.moves
    start = next((place for place, move in enumerate(moves) if move.verb == "game"), None)
    known = any(move.verb == "deal" for move in moves)
    if start is None or not known:
        return 1, b""
    before, game = record.position_at(start), moves[start:]
    if can_judge(record.position):
        analysis = analyse(before, game, tell=lambda stage: tell(report.so_far(stage)))
        found = report.as_data(analysis)
    elif weighing.can_weigh(record.position):
        weighed = weighing.weigh(before, game, lambda some: tell(weighed_report.so_far(some)))
        found = weighed_report.as_data(weighed)
    else:
        return 1, b""
    return 0, json.dumps({"game": 1, **found}).encode() + b"\n"


if __name__ == "__main__":
    # the board may have ended, which is not an error here
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)

    def show(stage: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(stage) + "\n")
        sys.stdout.flush()

    told = show if sys.argv[1:] == ["stages"] else lambda stage: None
    status, judged = judge(sys.stdin.buffer.read(), told)
    sys.stdout.buffer.write(judged)
    sys.exit(status)
