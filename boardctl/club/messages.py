"""Validate the messages that a hub receives. A payload that does not fit its schema and bounds
raises Malformed.

The schemas are msgspec structures. They check types, lengths and ranges while the JSON is decoded,
so that oversized values are never created. `boardctl.mqtt.results` creates the messages.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from boardctl.mqtt.results import Malformed

LONGEST: Final = 16_384
"""The maximum size in bytes of a result, or of a state with four names of the maximum length."""
SHOWN: Final = 40
"""The maximum number of characters of a name on the hub's page of live games."""

Name = Annotated[str, Meta(max_length=4096, pattern=r"^[^\x00-\x1f\x7f]*\Z")]
"""A text without control characters. No board accepts them in a name, and PostgreSQL could not
store them."""
Score = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""The bounds of scores in all games. In Bezique and Pinochle, scores can be negative."""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of a game, in the form that a board sends. `withdrawn` means that the game no
    longer has a result."""

    state: Literal["won", "draw", "withdrawn"]
    seats: Annotated[tuple[Name, ...], Meta(max_length=4)]
    scores: Annotated[tuple[Score, ...], Meta(max_length=4)]
    winner: Annotated[int, Meta(ge=1, le=4)] | None
    margin: Literal["game", "skunk", "double-skunk", "double"] | None


class Finished(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result and the game to which it belongs. A result with a higher version replaces one with a
    lower version."""

    game: Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{1,64}\Z")]
    version: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    result: Result


class State(msgspec.Struct, frozen=True):
    """The part of a board's state that the page shows. Other fields of the message are ignored."""

    seats: Annotated[tuple[Name, ...], Meta(max_length=4)]
    scores: Annotated[tuple[Score, ...], Meta(max_length=4)]
    game: Name | None = None
    over: bool = False


_FINISHED: Final = msgspec.json.Decoder(Finished)
_STATE: Final = msgspec.json.Decoder(State)


def read_result(payload: bytes) -> Finished:
    """Decode a finished game.

    Raises:
        Malformed: if the message is too long, is not valid JSON, does not match the schema, or is a
        win without a winner, a margin or all scores.
    """
    read: Finished = _decoded(_FINISHED, payload)
    result = read.result
    if result.state != "won":
        if result.winner is not None:
            raise Malformed("only a win has a winner")
        return read
    if result.winner is None or result.margin is None:
        raise Malformed("a win has a winner and a margin")
    if len(result.scores) < max(2, result.winner) or len(result.seats) % len(result.scores):
        raise Malformed("a win has everybody's score")
    return read


def read_state(payload: bytes) -> State:
    """Decode a table's state, and truncate names to the length shown. Raises Malformed."""
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
