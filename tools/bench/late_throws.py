"""Late throws: compare two estimates of the three best throws, the shipped judgement and playing
the deal to its end.

    python -m tools.bench.late_throws [--positions N] [--samples N] [--seed S] > some-rows.jsonl

Each position has six random cards, a random role and two random scores of 100 to 120. Each of its
samples has the opponent's six cards and a starter, the same for the three throws. The opponent
throws and both play like level 5, and the deal is counted. The tables give the worth of the scores
after the deal. A row is written after each position; docs/late-throws.jsonl contains the rows that
docs/notes/strength.md summarizes (`tools.bot_page`).
"""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean
from typing import Final, NamedTuple

from boardctl.bot import throwing
from boardctl.bot.cribbage import Player
from boardctl.bot.playing import View
from boardctl.bot.tables import DEALER, PONE, TARGET, start
from tools.bench.bots import Stats, deal

ROWS: Final = Path(__file__).parents[2] / "docs" / "late-throws.jsonl"
LEAST: Final = 100
"""The lowest score of a late position."""
THROWS: Final = 3
"""The number of compared throws in a position: the best by the judgement."""


class Row(NamedTuple):
    """A position. judged: the chance of winning with each throw according to the judgement, best
    first. first, second: the same chances from playing the deal, over the two halves of the
    samples."""

    role: int
    scores: tuple[int, int]
    six: tuple[int, ...]
    judged: tuple[float, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def played(self) -> tuple[float, ...]:
        """The chances from playing the deal, over all samples."""
        return tuple(map(mean, zip(self.first, self.second, strict=True)))


class _Side:
    """A player like level 5 with a fixed throw."""

    def __init__(self, throw: tuple[int, int]) -> None:
        self._throw = throw
        self._player = Player(5, 1)

    def throw(
        self, six: Sequence[int], role: int, mine: int, theirs: int, place: object
    ) -> tuple[int, int]:
        return self._throw

    def play(self, view: View, place: object) -> int | None:
        return self._player.play(view, place)


def measured(seed: int, number: int, samples: int) -> Row:
    """Measure one position, with this many samples in each half."""
    chance = Random(repr((seed, number)))
    role = chance.choice((PONE, DEALER))
    mine, theirs = (chance.randrange(LEAST, TARGET) for _ in range(2))
    six = tuple(sorted(chance.sample(range(52), 6)))
    judged = throwing.throws(six, role, mine, theirs)[:THROWS]
    wins = tuple(one.win if one.win is not None else 0.0 for one in judged)
    halves = []
    for _ in range(2):
        found: list[list[float]] = [[] for _ in judged]
        for sample in range(samples):
            rest = chance.sample([card for card in range(52) if card not in six], 7)
            other = throwing.throws(rest[:6], 1 - role, theirs, mine)[0].cards
            for place, throw in enumerate(judged):
                worth = _played_on(six, throw.cards, rest, other, role, (mine, theirs), sample)
                found[place].append(worth)
        halves.append(tuple(map(mean, found)))
    return Row(role, (mine, theirs), six, wins, halves[0], halves[1])


def _played_on(
    six: Sequence[int],
    throw: tuple[int, int],
    rest: Sequence[int],
    other: tuple[int, int],
    role: int,
    scores: tuple[int, int],
    sample: int,
) -> float:
    """Return side 0's chance of winning after the deal, in which it has `role`; `rest` are the
    opponent's six cards and the starter."""
    hands = (six, rest[:6]) if role == PONE else (rest[:6], six)
    after = list(scores)
    dealer = 0 if role == DEALER else 1
    sides = (_Side(throw), _Side(other))
    stats = (Stats(), Stats())
    won = deal(sides, (*hands[0], *hands[1], rest[6]), dealer, after, stats, sample, [])
    return float(won == 0) if won is not None else start(dealer == 1, after[0], after[1])


def rows() -> list[Row]:
    """Return the stored rows."""
    found = []
    for line in ROWS.read_text("ascii").splitlines():
        row = json.loads(line)
        lists = (tuple(row[name]) for name in Row._fields[1:])
        found.append(Row(row["role"], *lists))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Write one row per position."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--samples", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    gc.disable()
    for number in range(chosen.positions):
        row = measured(chosen.seed, number, chosen.samples // 2)._asdict()
        rounded = {
            name: [round(one, 4) for one in value] if name in Row._fields[3:] else value
            for name, value in row.items()
        }
        print(json.dumps(rounded), flush=True)
        gc.collect()


if __name__ == "__main__":
    main()
