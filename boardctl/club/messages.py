"""What a hub accepts from a broker: each payload against a schema with bounds, or Malformed.

The schemas are msgspec structures: types, lengths and ranges are checked while the JSON is read, so
nothing that is larger than its bound is ever built. What a board sends is `boardctl.mqtt.results`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from boardctl.mqtt.results import Malformed

LONGEST: Final = 16_384
"""Bytes of a result or a state: four names, each as long as a line of the page can make it."""
SHOWN: Final = 40
"""Letters of a name that the hub's page shows of a live game."""

Name = Annotated[str, Meta(max_length=4096)]
Score = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""No game of boardctl is won with more points; bézique and pinochle know scores below zero."""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended, as a board sends it. `withdrawn`: it has no result any more."""

    state: Literal["won", "draw", "withdrawn"]
    seats: Annotated[tuple[Name, ...], Meta(max_length=4)]
    scores: Annotated[tuple[Score, ...], Meta(max_length=4)]
    winner: Annotated[int, Meta(ge=1, le=4)] | None
    margin: Literal["game", "skunk", "double-skunk", "double"] | None


class Finished(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result and the game that it belongs to; a higher version replaces a lower one."""

    game: Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{1,64}\Z")]
    version: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    result: Result


class State(msgspec.Struct, frozen=True):
    """What the page shows of a table. A board's message has more; it is not read."""

    seats: Annotated[tuple[Name, ...], Meta(max_length=4)]
    scores: Annotated[tuple[Score, ...], Meta(max_length=4)]
    game: Name | None = None
    over: bool = False


_FINISHED: Final = msgspec.json.Decoder(Finished)
_STATE: Final = msgspec.json.Decoder(State)


def read_result(payload: bytes) -> Finished:
    """A finished game.

    Raises:
        Malformed: too long, no JSON, not of this schema, or a win without winner, margin and
            everybody's score.
    """
    read: Finished = _decoded(_FINISHED, payload)
    result = read.result
    if result.state != "won":
        return read
    if result.winner is None or result.margin is None:
        raise Malformed("a win has a winner and a margin")
    if len(result.scores) < max(2, result.winner) or len(result.seats) % len(result.scores):
        raise Malformed("a win has everybody's score")
    return read


def read_state(payload: bytes) -> State:
    """How a table stands, cut to what is shown. Raises Malformed."""
    read: State = _decoded(_STATE, payload)
    return msgspec.structs.replace(
        read,
        game=None if read.game is None else read.game[:SHOWN],
        seats=tuple(seat[:SHOWN] for seat in read.seats),
    )


def _decoded(decoder: msgspec.json.Decoder[Any], payload: bytes) -> Any:
    if len(payload) > LONGEST:
        raise Malformed(f"is longer than {LONGEST} bytes")
    try:
        return decoder.decode(payload)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Malformed(str(error)) from error
