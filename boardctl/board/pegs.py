"""Score -> hole, lap and remainder, with the unit and goal of each game.

Once round the board is one game: score = unit × hole + remainder, exact up to hole 120; above that
the peg is in the game hole and the display shows the score (docs/board.md).
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from boardctl.board.shape import CIRCUIT, GAME_HOLE

COARSE: Final = 100
"""From this unit on, a pip is worth a tenth of it: tens if a hole is a hundred."""


class Peg(NamedTuple):
    """A hole from 0 (the start holes) to 121, and the remainder; None if a peg in the game hole
    cannot show it."""

    hole: int
    remainder: int | None


def at(score: int, unit: int) -> int:
    """The peg of a score, from hole 0 to 121; a score below zero is in the start holes."""
    return max(0, min(GAME_HOLE, score // unit))


def hole(score: int, unit: int) -> Peg:
    """The hole of a score."""
    if score // unit >= GAME_HOLE and unit > 1:
        return Peg(GAME_HOLE, None)
    return Peg(at(score, unit), score % unit if score > 0 else 0)


def pips(score: int, unit: int) -> int:
    """The number of pips shown: the remainder, in tens for units of 100."""
    if unit == 1:
        return 0
    remainder = hole(score, unit).remainder or 0
    return remainder // (unit // 10) if unit >= COARSE else remainder


class Spot(NamedTuple):
    """A lamp of a track by the end of its name (`start2`, `57`, `121`), and the lap (from 1) of a
    front peg there."""

    place: str
    lap: int


def spot(number: int, laps: int, goal: int) -> Spot:
    """The place of a hole on a board with `laps` laps.

    A game whose goal ends a lap (five-card cribbage on a board of two laps of sixty) is won in the
    game hole.
    """
    if number <= 0:
        return Spot("start2", 1)
    circuit = CIRCUIT // laps
    home = goal if laps > 1 and (goal - 1) % circuit == 0 else GAME_HOLE
    if number >= home:
        return Spot(str(GAME_HOLE), max(1, (home - 1) // circuit))
    return Spot(str((number - 1) % circuit + 1), (number - 1) // circuit + 1)


@cache
def lamps(sides: int, laps: int, goal: int) -> tuple[tuple[str, ...], ...]:
    """By side, the names of the lamps of its track by hole, from 0 to 121."""
    holes = [spot(number, laps, goal).place for number in range(GAME_HOLE + 1)]
    return tuple(tuple(f"track{side}.{hole}" for hole in holes) for side in range(1, sides + 1))
