"""Results of finished games for a hub, and its acknowledgements. Pure.

A game is identified by its journal, its session and its index in the session, so that a win that is
undone and redone belongs to the same game. The version of a result is the number of the journal
line that produced the result.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from boardctl.games import Outcome
from boardctl.record.position import Position
from boardctl.storage.journal import Post
from boardctl.table import Table


class Malformed(ValueError):
    """The error for a malformed message. Its text states the fault."""


def poster(table: Table) -> Callable[[int, Position, Position], Sequence[Post]]:
    """Return a function that returns a line's outbox entries: every game of the session that counts
    for clubs and whose result has changed."""

    def outbox_for(session: int, before: Position, after: Position) -> Sequence[Post]:
        old, new = before.outcomes, after.outcomes
        found = []
        for place in range(max(len(old), len(new))):
            was = old[place] if place < len(old) else None
            now = new[place] if place < len(new) else None
            if was == now or not (_ended(was) or _ended(now)):
                continue
            games = [game for _, game, _ in table.record.games() if game.outcome is not None]
            played = games[place] if place < len(games) else before
            if played.game is None or not played.game.for_clubs:
                continue
            payload = _result(now, list(played.seats.values()))
            name = f"{table.journal.identity}-{session}-{place + 1}"
            found.append(Post(name, table.number, json.dumps(payload)))
        return found

    return outbox_for


def _ended(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.state not in ("unfinished", "abandoned")


def _result(outcome: Outcome | None, seats: list[str]) -> dict[str, Any]:
    """Return a result in the form for a hub, or `withdrawn` if the result no longer exists."""
    if outcome is None or not _ended(outcome):
        return {"state": "withdrawn", "seats": seats, "scores": [], "winner": None, "margin": None}
    return {
        "state": outcome.state,
        "seats": seats,
        "scores": list(outcome.scores),
        "winner": outcome.winner,
        "margin": outcome.margin,
    }


_LARGEST: Final = 2**63 - 1
"""The largest line number that SQLite can store."""


class Ack(NamedTuple):
    """A hub's acknowledgement that it has stored a result."""

    game: str
    version: int


class LineCommand(NamedTuple):
    """A line to play, and the number of the last line known to the sender."""

    line: str
    expect: int


_LONGEST: Final = {"game": 100, "line": 500}
"""The maximum length of each text. The other fields are line numbers."""


def _check(name: str, value: object) -> None:
    """Raise Malformed unless the value fits the field of that name."""
    longest = _LONGEST.get(name)
    if longest is not None:
        if not isinstance(value, str) or not len(value) <= longest:
            raise Malformed(f"{name} is not a text of at most {longest} characters")
    # type(…) is, not isinstance: a bool is an int in Python but not in JSON.
    elif type(value) is not int or not 0 <= value <= _LARGEST:
        raise Malformed(f"{name} is not an integer from 0 to {_LARGEST}")


_Shape = TypeVar("_Shape", Ack, LineCommand)


def read(payload: bytes, shape: type[_Shape], longest: int = 2048) -> _Shape:
    """Parse a JSON object with exactly the fields of a class, within their bounds.

    Args:
        payload: the message's payload in UTF-8.
        shape: the class, whose fields declare type and bounds.
        longest: the maximum number of bytes read.

    Raises:
        Malformed: the exception's text names the fault in one sentence.
    """
    data = _read_json(payload, longest)
    names = shape._fields
    if not isinstance(data, dict) or set(data) != set(names):
        raise Malformed(f"expected a JSON object with exactly the keys {', '.join(names)}")
    for name in names:
        _check(name, data[name])
    return shape(**data)


def read_brightness(payload: bytes) -> int:
    """Parse a brightness in percent, from 5 to 100. Raises Malformed."""
    if len(payload) > 3 or not payload.isdigit() or not 5 <= int(payload) <= 100:
        raise Malformed("brightness is not an integer from 5 to 100")
    return int(payload)


def _read_json(payload: bytes, longest: int) -> Any:
    """Parse a JSON value of at most `longest` bytes. Raises Malformed, for example for a lone
    surrogate, which is valid in JSON but not in UTF-8."""
    if len(payload) > longest:
        raise Malformed("the message is too long")
    try:
        data = json.loads(payload)
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Malformed("is not valid JSON") from error
    return data
