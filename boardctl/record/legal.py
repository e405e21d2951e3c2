"""The legal moves of a position, derived from the prompt of the game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from boardctl.games import Ask, IllegalMove, Move
from boardctl.record.record import Record

MOST: Final = 400
"""The maximum number of completions of one ask. A Bezique meld may have thousands."""


def completed(ask: Ask) -> Iterator[Move]:
    """Yield at most `MOST` moves that complete an `Ask`. If the cards are unknown, yield none."""
    if ask.kind == "confirm":
        yield ask.move
    elif ask.kind == "choice":
        yield from ask.choices
    elif ask.kind == "number":
        for number in range(ask.least, ask.most + 1, ask.scale):
            if number not in ask.barred:
                yield ask.move._replace(numbers=(*ask.move.numbers, number))
    else:
        chosen = combinations(ask.cards or (), ask.least)
        for _, cards in zip(range(MOST), chosen, strict=False):
            yield ask.move._replace(cards=(*ask.move.cards, *cards))


def accepted(record: Record, move: Move) -> bool:
    """Return whether the referee would accept a move, without playing it."""
    try:
        record.try_out(move)
    except IllegalMove:
        return False
    return True


def legal_moves(record: Record, seat: int | None = None) -> list[Move]:
    """Return the moves that may be played now, in the order of the prompt. Moves that only enter
    points are left out.

    Args:
        record: the game so far.
        seat: the seat whose moves are returned, from 1, or None for all seats.
    """
    return [
        move
        for ask in record.position.prompt.asks
        if seat is None or ask.seat == seat
        for move in completed(ask)
        if accepted(record, move)
    ]
