"""The penalties of congresses and leagues. In `N penalty CODE`, N is the offender.

A table may agree on a list of penalties (option `penalties`). Source: docs/rules/cribbage.md 13.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from boardctl.games import Ask, Award, IllegalMove, Move


class Penalty(NamedTuple):
    """The penalty for an irregularity.

    Its code may be followed by a number of cards or points.
    """

    gain: int = 0
    """The points for the other side, for each unit of the number."""
    loss: int = 0
    """The points that the offender loses, for each unit of the number. A score cannot fall below
    0."""
    fixed_loss: int = 0
    """The points that the offender loses regardless of the number."""
    numbers: range = range(1, 2)
    """The allowed numbers. If 1 is the first of them and no number is entered, the number is 1."""
    needs_number: bool = False
    """Whether the number must be entered."""
    loses_game: bool = False
    """Whether the offender loses the game."""


_TWO: Final = Penalty(gain=2)
_OVERPEG: Final = Penalty(gain=1, loss=1, numbers=range(1, 121), needs_number=True)
TABLES: Final[Mapping[str, Mapping[str, Penalty]]] = {
    "acc": {
        "bottom-card": _TWO,
        "crib-looked": _TWO,
        "crib-mixed": _TWO,
        "renege": Penalty(gain=2, numbers=range(1, 5)),
        "wrong-peg": _TWO,
        "wrong-cards": Penalty(fixed_loss=10),
        "overpeg": _OVERPEG,
        "false-claim": Penalty(gain=1, fixed_loss=15, numbers=range(1, 121), needs_number=True),
    },
    "laws": {
        "misdealt": _TWO,
        "cards-touched": _TWO,
        "crib-mixed": Penalty(gain=3),
        "renege": _TWO,
        "overpeg": _OVERPEG,
        "false-claim": Penalty(loses_game=True),
    },
}
"""The penalties by code, for each value of the option (13.1, 13.2)."""
CODES: Final = tuple(dict.fromkeys(code for table in TABLES.values() for code in table))
"""The codes of all tables, for the notation."""


def find(chosen: str, move: Move) -> tuple[Penalty, int]:
    """Return the penalty that a line names, and its number.

    Args:
        chosen: the value of the option `penalties`.
        move: `N penalty CODE [NUMBER]`.

    Raises:
        IllegalMove: `no-penalties`, `no-such-penalty` or `penalty-number`.
    """
    table = TABLES.get(chosen)
    if table is None:
        raise IllegalMove("no-penalties")
    penalty = table.get(move.words[0]) if len(move.words) == 1 else None
    if penalty is None:
        raise IllegalMove("no-such-penalty", said=" ".join(move.words), possible=", ".join(table))
    number = move.numbers[0] if move.numbers else 1
    if number not in penalty.numbers or (penalty.needs_number and not move.numbers):
        least, most = penalty.numbers[0], penalty.numbers[-1]
        code = move.words[0]
        raise IllegalMove("penalty-number", penalty=code, least=least, most=most)
    return penalty, number


def awards(penalty: Penalty, number: int, seat: int, other: int, score: int) -> tuple[Award, ...]:
    """Return the points that a penalty awards to the other side and deducts from the offender.

    Args:
        penalty: the penalty.
        number: the number that was entered with it.
        seat: the seat of the offender.
        other: a seat of the other side.
        score: the score of the offender's side.
    """
    lost = min(score, penalty.loss * number + penalty.fixed_loss)
    moved = (other, penalty.gain * number), (seat, -lost)
    return tuple(Award(at, points, "penalty") for at, points in moved if points)


def asks(chosen: str, seats: int) -> Iterator[Ask]:
    """Yield the entries for penalties that need no number, for each seat."""
    table = TABLES.get(chosen, {})
    codes = [code for code, penalty in table.items() if not penalty.needs_number]
    for seat in range(1, seats + 1) if codes and seats != 3 else ():
        moves = tuple(Move("penalty", seat, words=(code,)) for code in codes)
        yield Ask("penalty", "choice", Move("penalty", seat), after_points=True, choices=moves)
