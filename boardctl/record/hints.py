"""Hints given to players. They are recorded separately from the moves, so `undo` does not remove
them. All functions are pure.

The line `N hint` does not change a score and is not a move. A hint belongs to a game and to a place
between two of its moves. When a game is exported, its hints appear in those places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boardctl.games import IllegalMove, Move
from boardctl.record.position import Position, game_start


class Hint(NamedTuple):
    """One hint: the index of the first move in its game (`game`), the number of moves before the
    hint (`after`), and the seat that received it."""

    game: int
    after: int
    seat: int


Hints = tuple[Hint, ...]


def add(hints: Hints, position: Position, moves: Sequence[Move], move: Move) -> Hints:
    """Return the hints after adding a new one.

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
    """Return the hints that remain when only the first `count` moves remain. Hints of removed games
    are dropped."""
    return tuple(hint._replace(after=min(hint.after, count)) for hint in hints if hint.game < count)


def moved(hints: Hints, place: int, by: int) -> Hints:
    """Return the hints after a correction at move `place` has changed the number of moves by
    `by`."""
    return tuple(
        hint._replace(
            game=hint.game + by * (hint.game > place), after=hint.after + by * (hint.after > place)
        )
        for hint in hints
    )


def given(hints: Hints, moves: Sequence[Move]) -> dict[int, int]:
    """Return the number of hints that each seat received in the current game, without seats that
    received none."""
    game = game_start(moves)
    seats = [hint.seat for hint in hints if hint.game == game]
    return {seat: seats.count(seat) for seat in sorted(set(seats))}


def between(hints: Hints, moves: Sequence[Move], start: int, end: int) -> Iterator[Move]:
    """Yield the moves of a game after its first move `start` up to `end`, with hint lines between
    them."""
    own = [hint for hint in hints if hint.game == start]
    for count in range(start + 1, end):
        yield from (Move("hint", hint.seat) for hint in own if hint.after == count)
        yield moves[count]
    yield from (Move("hint", hint.seat) for hint in own if hint.after >= end)
