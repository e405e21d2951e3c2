"""Corrections of a record: what was changed, and how it is taken back. Pure."""

from __future__ import annotations

from typing import NamedTuple

from boardctl.games import Move
from boardctl.record import notation
from boardctl.record.position import DOUBTFUL, Position


class Correction(NamedTuple):
    """A correction that can be taken back: how many moves there are after it, and the line that is
    its opposite."""

    length: int
    inverse: Move


class Edited(NamedTuple):
    """A correction: the index of its move, that move before and after it (None where it was not
    there), the scores before, and the position after."""

    place: int
    old: Move | None
    new: Move | None
    scores: tuple[int, ...]
    position: Position


def inverse(move: Move, replaced: Move | None) -> Move | None:
    """The line that takes back a correction; None if the replaced move has no line.

    Args:
        move: an `amend` or `insert` line.
        replaced: the move that an `amend` has replaced or taken out.
    """
    (back,) = move.numbers
    if replaced is None:
        return Move("amend", numbers=(back + 1,))
    if replaced.verb == DOUBTFUL:
        return None
    if move.name is not None:
        return Move("amend", numbers=(back,), name=notation.spell(replaced))
    if back == 1:
        return replaced
    return Move("insert", numbers=(back - 1,), name=notation.spell(replaced))
