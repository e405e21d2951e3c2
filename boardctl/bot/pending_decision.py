"""The decision at the end of a record of any game, judged for one of its players.

python -m boardctl.bot.pending_decision reads a record as JSON and writes its judgement
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from boardctl import text
from boardctl.bot import cribbage, positions, weighing
from boardctl.bot.analysis import can_judge
from boardctl.bot.weighing import Compared
from boardctl.games import IllegalMove
from boardctl.games.cards import spell
from boardctl.message import Message
from boardctl.record import notation
from boardctl.record.position import game_start
from boardctl.record.record import Record
from boardctl.record.visibility import VisibleRecords
from boardctl.text import moves


class Pending(NamedTuple):
    """A judged decision. Either `position` or `lines` is given."""

    seat: int
    position: dict[str, Any] | None
    """The fields of a `positions.KnownPosition` in two-handed six-card cribbage, not yet judged."""
    lines: tuple[Compared, ...]
    """The judged lines of any other game, the best of each kind first."""


def pending(record: Record, seat: int | None) -> Pending:
    """Judge the decision at the end of a record.

    Args:
        record: its cards that the player has not seen do not matter.
        seat: the player who decides, or None for the only one.

    Raises:
        IllegalMove: `which-seat` if several players decide and none is given, `no-decision` if
            there is no decision that can be judged.
    """
    seats = weighing.deciders(record) if record.position.state is not None else []
    if seat is None and len(seats) > 1:
        raise IllegalMove("which-seat", seats=" ".join(map(str, seats)))
    decides = seat or (seats or [0])[0]
    if decides in seats and can_judge(record.position):
        position = _of_cribbage(record, decides)
        if position is not None:
            return Pending(decides, position, ())
    found = weighing.pending(record, decides) if decides in seats else []
    if not found:
        raise IllegalMove("no-decision")
    return Pending(decides, None, tuple(found))


def as_data(found: Pending) -> dict[str, Any]:
    """Return judged lines as JSON data."""
    rows = [
        {
            "line": notation.spell(one.move),
            "win": None if one.win is None else round(one.win, 5),
            "points": round(one.points, 3),
            "half": round(one.half, 5),
        }
        for one in found.lines
    ]
    return {"kind": "lines", "seat": found.seat, "choices": rows}


def answer(lines: Sequence[str], seat: int | None, language: str) -> dict[str, Any]:
    """Return the judgement of the decision after lines of the notation, in the form of
    `positions.answer`. In games other than two-handed cribbage, each choice has its `line`, and the
    line in words (`said`)."""
    record = Record()
    names: tuple[str, ...] = ()
    try:
        for number, line in enumerate(lines, 1):
            try:
                record.read(line)
            except IllegalMove as error:
                said = text.refusal(error, text.Reader(language, _names(record, language)))
                at = Message("page", "position-at-line", {"number": number, "said": said})
                return {"error": text.say(at, text.Reader(language))}
        names = _names(record, language)
        found = pending(record, seat)
    except IllegalMove as error:
        return {"error": text.refusal(error, text.Reader(language, names))}
    if found.position is not None:
        return positions.answer(found.position | {"objective": "win"}, language)
    data = as_data(found)
    for row, one in zip(data["choices"], found.lines, strict=True):
        row["said"] = moves.describe(one.move, names, language, own=found.seat)
    return data


def _names(record: Record, language: str) -> tuple[str, ...]:
    return tuple(text.called(name, language) for name in record.position.seats.values())


def _of_cribbage(record: Record, seat: int) -> dict[str, Any] | None:
    """Return the fields of a position in two-handed six-card cribbage, or None if the hand is not
    known."""
    view = VisibleRecords().of(record, seat).record
    state: Any = view.position.state
    deal = cribbage.deal_knowledge(view.position, view.moves[game_start(view.moves) :], seat)
    if deal is None:
        return None
    scores = view.position.scores
    starter = state.deal.starter if deal.thrown else None
    return {
        "hand": spell(deal.hand),
        "deals": seat == deal.dealer,
        "score": [scores[seat - 1], scores[2 - seat]],
        "thrown": spell(deal.thrown),
        "starter": "" if starter is None else str(starter),
        "played": spell(card for move in deal.lines if move.verb == "play" for card in move.cards),
        "target": state.target,
    }


def reply(arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Judge the record in a request: `{"language": "en", "seat": 2, "record": ["game belote", …]}`.

    Returns:
        The exit status, and the judgement as JSON.
    """
    asked = json.loads(given)
    found = answer(asked["record"], asked["seat"], asked["language"])
    return 0, json.dumps(found).encode() + b"\n"


if __name__ == "__main__":
    # the board may have ended, which is not an error here
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout.buffer.write(reply((), sys.stdin.buffer.read())[1])
