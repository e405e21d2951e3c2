"""What a hub is told of finished games, and what it answers. Pure.

A game is named by its journal, its session and its place in it, so that a win that is taken back
and won again is the same game; the number of the journal's line that made it so is its version.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardctl.games import Outcome
from boardctl.record.position import Position
from boardctl.storage.journal import Post
from boardctl.table import Table


class Malformed(ValueError):
    """A message that is not what it should be; the message says what is wrong."""


def poster(table: Table) -> Callable[[int, Position, Position], Sequence[Post]]:
    """What a line puts into the outbox: every game of the session whose result it changed."""
    identity = table.journal.identity

    def posts(session: int, before: Position, after: Position) -> Sequence[Post]:
        old, new = before.outcomes, after.outcomes
        found = []
        for place in range(max(len(old), len(new))):
            was = old[place] if place < len(old) else None
            now = new[place] if place < len(new) else None
            if was == now or not (_ended(was) or _ended(now)):
                continue
            games = [game for _, game, _ in table.record.games() if game.outcome is not None]
            seats = games[place].seats if place < len(games) else before.seats
            told = _result(now, list(seats.values()))
            name = f"{identity}-{session}-{place + 1}"
            found.append(Post(name, table.number, json.dumps(told)))
        return found

    return posts


def _ended(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.state not in ("unfinished", "abandoned")


def _result(outcome: Outcome | None, seats: list[str]) -> dict[str, Any]:
    """A result as it is sent; `withdrawn` where there is none any more."""
    if outcome is None or not _ended(outcome):
        return {"state": "withdrawn", "seats": seats, "scores": [], "winner": None, "margin": None}
    return {
        "state": outcome.state,
        "seats": seats,
        "scores": list(outcome.scores),
        "winner": outcome.winner,
        "margin": outcome.margin,
    }


def _read_json(payload: bytes, longest: int) -> Any:
    """Anything that JSON can express in so many bytes and UTF-8 can encode: a lone surrogate is
    valid in the one and not in the other. Raises Malformed."""
    if len(payload) > longest:
        raise Malformed("the message is too long")
    try:
        told = json.loads(payload)
        json.dumps(told, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Malformed("is no JSON") from error
    return told


def read_object(payload: bytes, shape: Mapping[str, type], longest: int = 2048) -> dict[str, Any]:
    """A JSON object with exactly these keys and types. Raises Malformed."""
    told = _read_json(payload, longest)
    if not isinstance(told, dict) or set(told) != set(shape):
        raise Malformed(f"has not exactly the keys {', '.join(shape)}")
    for key, kind in shape.items():
        if type(told[key]) is not kind:
            raise Malformed(f"{key} is no {kind.__name__}")
    return told
