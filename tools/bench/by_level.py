"""The advantage of one level over another in all games except two-handed cribbage, in points per
deal.

    python -m tools.bench.by_level [--levels HIGH LOW] [--deals N] [--seed S] [--only GAME …]
        [--seats N] [--set OPTION=VALUE …] > some-rows.jsonl

Each deal is played with the same cards once for each seat (with four players, for each pair of
partners): the higher level plays there, and the lower level at the other seats. The result is the
mean advantage of the higher level over these games. A row is written after each deal;
docs/by-level.jsonl contains the rows that docs/notes/strength.md summarizes (`tools.bot_page`). The
referee and the table check each line.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean
from typing import Final, NamedTuple

from boardctl import games
from tests.bot.dealer import Dealt

_LEFT_OUT: Final = ("cribbage", 2)
"""The form with levels of its own."""
FORMS: Final = tuple(
    (name, seats)
    for name in games.names()
    for seats in games.find(name).seats
    if (name, seats) != _LEFT_OUT
)
"""Every measured form: the game and the number of players."""
PAIRS: Final = ((2, 1), (5, 2))
"""The compared levels, the higher first."""
ROWS: Final = Path(__file__).parents[2] / "docs" / "by-level.jsonl"


class Row(NamedTuple):
    """A deal. more: the points of the level `high` minus those of `low`. said: the number of lines
    that the players entered, all of which were accepted. chosen: the options of the game, as
    `NAME=VALUE`."""

    game: str
    seats: int
    seed: int
    number: int
    more: float
    said: int
    high: int = 2
    low: int = 1
    chosen: tuple[str, ...] = ()


def measured(
    game: str,
    seats: int,
    seed: int,
    number: int,
    levels: tuple[int, int] = (2, 1),
    chosen: Sequence[str] = (),
) -> Row:
    """Measure a deal with the higher level in each place."""
    sides = 2 if seats == 4 else seats
    high, low = levels
    options = dict(one.split("=") for one in chosen)
    more, said = [], 0
    for place in range(sides):
        players = [high if seat % sides == place else low for seat in range(seats)]
        dealt = Dealt(game, players, Random(repr((seed, number))), options)
        dealt.play(1)
        scores = dealt.truth.position.scores
        others = [points for side, points in enumerate(scores) if side != place]
        more.append(scores[place] - mean(others))
        said += dealt.said
    return Row(game, seats, seed, number, round(mean(more), 2), said, high, low, tuple(chosen))


def rows() -> list[Row]:
    """Return the stored rows."""
    kept = map(json.loads, ROWS.read_text("ascii").splitlines())
    return [Row(**{**row, "chosen": tuple(row.get("chosen", ()))}) for row in kept]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write one row per deal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--levels", type=int, nargs=2, default=(2, 1))
    parser.add_argument("--set", nargs="*", default=[])
    chosen = parser.parse_args(arguments)
    for number in range(chosen.deals):
        for name, seats in FORMS:
            if chosen.only and name not in chosen.only:
                continue
            if chosen.seats not in (None, seats):
                continue
            levels = chosen.levels[0], chosen.levels[1]
            row = measured(name, seats, chosen.seed, number, levels, chosen.set)
            print(json.dumps(row._asdict()), flush=True)


if __name__ == "__main__":
    main()
