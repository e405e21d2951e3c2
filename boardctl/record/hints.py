"""Hints that a player was given: counted beside the moves, so that no `undo` takes one back. Pure.

`N hint` changes no score and is no move. A hint belongs to a game and has a place between its
moves, where the game's separate record names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boardctl.games import IllegalMove, Move
from boardctl.record.position import Position, game_start


class Hint(NamedTuple):
    """One hint: the index of its game's first move (`game`), the number of moves before it
    (`after`), and the seat that it was given to."""

    game: int
    after: int
    seat: int


Hints = tuple[Hint, ...]


def add(hints: Hints, position: Position, moves: Sequence[Move], move: Move) -> Hints:
    """The hints with one more.

    Args:
        hints: those given so far.
        position: the position now.
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
    """The hints once only the first `count` moves are left; those of a game that is gone go."""
    return tuple(hint._replace(after=min(hint.after, count)) for hint in hints if hint.game < count)


def moved(hints: Hints, place: int, by: int) -> Hints:
    """The hints after a correction at move `place` that made the record longer by so many."""
    return tuple(
        hint._replace(
            game=hint.game + by * (hint.game > place), after=hint.after + by * (hint.after > place)
        )
        for hint in hints
    )


def given(hints: Hints, moves: Sequence[Move]) -> dict[int, int]:
    """How many hints each seat was given in the current game; seats without one are left out."""
    game = game_start(moves)
    seats = [hint.seat for hint in hints if hint.game == game]
    return {seat: seats.count(seat) for seat in sorted(set(seats))}


def between(hints: Hints, moves: Sequence[Move], start: int, end: int) -> Iterator[Move]:
    """The moves of the game that begins with move `start`, after it and up to `end`, and its hints
    as lines between them."""
    own = [hint for hint in hints if hint.game == start]
    for count in range(start + 1, end):
        yield from (Move("hint", hint.seat) for hint in own if hint.after == count)
        yield moves[count]
    yield from (Move("hint", hint.seat) for hint in own if hint.after >= end)
