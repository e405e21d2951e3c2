"""What level 2 scores more than level 1 in the games played by rules of thumb, deal for deal.

    python -m tools.bench.by_level [--deals N] [--seed S] [--only GAME …] > some-rows.jsonl

The levels below 2 of these games play any line that fits (docs/bot.md). Each deal is played once
with level 2 at each seat (of four, at both seats of a side) and level 1 at the others, with the
same cards; what a side scored more than the others did on average is the mean over these. A row is
written after each deal; docs/by-level.jsonl keeps those that are summed up in
docs/notes/strength.md (`tools.bot_page`). Each line is checked by the referee, and by the table.
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

_LEFT_OUT: Final = ("cribbage", "five-card-cribbage")
"""Games with levels of their own."""
FORMS: Final = tuple(
    (name, seats)
    for name in games.names()
    if name not in _LEFT_OUT
    for seats in games.find(name).seats
)
"""Every form that is measured: the game and how many play."""
ROWS: Final = Path(__file__).parents[2] / "docs" / "by-level.jsonl"


class Row(NamedTuple):
    """A deal. more: the points of level 2 above those of level 1. said: how many lines the players
    said, all of them accepted."""

    game: str
    seats: int
    seed: int
    number: int
    more: float
    said: int


def measured(game: str, seats: int, seed: int, number: int) -> Row:
    """A deal with level 2 in each place."""
    sides = 2 if seats == 4 else seats
    more, said = [], 0
    for place in range(sides):
        levels = [2 if seat % sides == place else 1 for seat in range(seats)]
        dealt = Dealt(game, levels, Random(repr((seed, number))))
        dealt.play(1)
        scores = dealt.truth.position.scores
        others = [points for side, points in enumerate(scores) if side != place]
        more.append(scores[place] - mean(others))
        said += dealt.said
    return Row(game, seats, seed, number, round(mean(more), 2), said)


def rows() -> list[Row]:
    """The rows that are kept."""
    return [Row(**json.loads(line)) for line in ROWS.read_text("ascii").splitlines()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a row a deal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    chosen = parser.parse_args(arguments)
    for number in range(chosen.deals):
        for name, seats in FORMS:
            if chosen.only and name not in chosen.only:
                continue
            row = measured(name, seats, chosen.seed, number)
            print(json.dumps(row._asdict()), flush=True)


if __name__ == "__main__":
    main()
