"""Hints given to players: counted beside the moves, so that `undo` removes none. Pure.

`N hint` changes no score and is not a move. A hint belongs to a game and has a place between its
moves, where the game's separate record shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boardctl.games import IllegalMove, Move
from boardctl.record.position import Position, game_start


class Hint(NamedTuple):
    """One hint: the index of its game's first move (`game`), the number of moves before it
    (`after`), and the seat that got it."""

    game: int
    after: int
    seat: int


Hints = tuple[Hint, ...]


def add(hints: Hints, position: Position, moves: Sequence[Move], move: Move) -> Hints:
    """Return the hints with the given one added.

    Args:
        hints: the hints given so far.
        position: the current position.
        moves: the moves in effect.
        move: the line `N hint`.

    Raises:
        IllegalMove: `no-game`, `no-such-seat` or `game-over`.
    """
    if position.game is None:
        raise IllegalMove("no-game", verb=move.verb)
    if move.seat is None or move.seat not in position.seats:
        raise IllegalMove("no-such-seat", seat=move.seat, seats=max(position.seats, default=0))
    if position.over:
        raise IllegalMove("game-over")
    return (*hints, Hint(game_start(moves), len(moves), move.seat))


def cut(hints: Hints, count: int) -> Hints:
    """Return the hints when only the first `count` moves remain; hints of removed games are
    dropped."""
    return tuple(hint._replace(after=min(hint.after, count)) for hint in hints if hint.game < count)


def moved(hints: Hints, place: int, by: int) -> Hints:
    """Return the hints after a correction at move `place` that changed the record's length by this
    number."""
    return tuple(
        hint._replace(
            game=hint.game + by * (hint.game > place), after=hint.after + by * (hint.after > place)
        )
        for hint in hints
    )


def given(hints: Hints, moves: Sequence[Move]) -> dict[int, int]:
    """Return the number of hints that each seat got in the current game; seats without hints are
    left out."""
    game = game_start(moves)
    seats = [hint.seat for hint in hints if hint.game == game]
    return {seat: seats.count(seat) for seat in sorted(set(seats))}


def between(hints: Hints, moves: Sequence[Move], start: int, end: int) -> Iterator[Move]:
    """Return the moves of the game that begins with move `start`, after it and up to `end`, and its
    hints as lines between them."""
    own = [hint for hint in hints if hint.game == start]
    for count in range(start + 1, end):
        yield from (Move("hint", hint.seat) for hint in own if hint.after == count)
        yield moves[count]
    yield from (Move("hint", hint.seat) for hint in own if hint.after >= end)
