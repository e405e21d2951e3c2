"""The objectives that commands and tables can name: win, games, tournament, or the rest of a
match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from boardctl.bot.objective import COUNTS, TOURNAMENT, WIN, Objective, Objectives, games
from boardctl.bot.tables import ends

MOST_GAMES: Final = 99
"""The largest number of games that a match can require."""
_MOST_COUNTED: Final = 9


def match(
    to: int, mine: int = 0, theirs: int = 0, counts: tuple[int, int, int] = COUNTS
) -> Objective:
    """Return the objective of winning the rest of a match.

    Args:
        to: the number of games that a player must win to win the match.
        mine, theirs: the games won so far.
        counts: as for `games`.
    """
    chances = _match(to, counts)

    def after(own: int, other: int) -> float:
        return chances[max(0, to - own)][max(0, to - other)]

    one, two, four = counts
    won = after(mine + one, theirs), after(mine + two, theirs), after(mine + four, theirs)
    lost = after(mine, theirs + one), after(mine, theirs + two), after(mine, theirs + four)
    text = ":".join(map(str, ("match", to, mine, theirs, *counts)))
    return Objective("match", won, lost, text=text)


@cache
def _match(to: int, counts: tuple[int, int, int]) -> tuple[tuple[float, ...], ...]:
    """Return the chance of winning a match, by the number of games that each player still needs.
    Both players are assumed to be equally strong and to deal first in alternate games.
    """
    both = [ends(dealer, 0, 0) for dealer in (True, False)]
    margins = [sum(some) / 4 for some in zip(*both, strict=True)]
    wins = [one + other for one, other in zip(margins[:3], margins[3:], strict=True)]
    found = [[0.5] * (to + 1) for _ in range(to + 1)]
    for one in range(to + 1):
        for other in range(to + 1):
            if not one or not other:
                found[one][other] = float(other > 0) if one != other else 0.5
                continue
            found[one][other] = sum(
                share * (found[max(0, one - count)][other] + found[one][max(0, other - count)])
                for share, count in zip(wins, counts, strict=True)
            )
    return tuple(map(tuple, found))


def read(text: str) -> Objective:
    """Parse an objective: `win`, `games`, `tournament`, `match:5` or `match:5:2:1`.

    The numbers after `match` are the games needed to win the match, and the games already won by
    this side and by the opponent. `games` and `match` may be followed by the values of a game, a
    skunk and a double skunk, as in `games:1:2:2`.

    Raises:
        ValueError: if the text is not an objective.
    """
    name, *rest = text.split(":")
    if not all(map(_is_number, rest)):
        raise ValueError(text)
    numbers = [int(one) for one in rest]
    if not numbers and name in ("win", "tournament"):
        return WIN if name == "win" else TOURNAMENT
    if name == "games" and len(numbers) in (0, 3):
        return games(_counted(text, numbers))
    if name == "match" and len(numbers) in (1, 3, 6):
        to, mine, theirs = (*numbers, 0, 0)[:3]
        if to <= MOST_GAMES and max(mine, theirs) < to:
            return match(to, mine, theirs, _counted(text, numbers[3:]))
    raise ValueError(text)


def of_seats(text: str, won: Sequence[int]) -> Objectives:
    """Return the objectives of seats 1 and 2 in one game.

    Args:
        text: as for `read`. The numbers of a match are given for seat 1. `match:5` takes the games
            won so far from `won`, and becomes `win` once one side has won the match.
        won: the games that each side won before this game, or an empty sequence if nobody has won
            one.

    Raises:
        ValueError: if the text names no objective.
    """
    one = read(text)
    if one.name != "match":
        return one, one
    to, mine, theirs, *counts = map(int, one.text.split(":")[1:])
    if text.count(":") == 1:
        mine, theirs = (*won, 0, 0)[:2]
    if max(mine, theirs) >= to:
        return WIN, WIN
    values = _counted(text, counts)
    return match(to, mine, theirs, values), match(to, theirs, mine, values)


def _counted(text: str, numbers: Sequence[int]) -> tuple[int, int, int]:
    """Parse the values of a game, a skunk and a double skunk. Raises ValueError if they are
    invalid."""
    if not numbers:
        return COUNTS
    one, two, four = numbers
    if not 0 < one <= two <= four <= _MOST_COUNTED:
        raise ValueError(text)
    return one, two, four


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(MOST_GAMES))
