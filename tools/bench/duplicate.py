"""How soon an evening finds the true order of eight players, with and without the same deals for
all of them.

    python -m tools.bench.duplicate --form duplicate [--evenings N] [--seed S] > some-rows.jsonl
    python -m tools.bench.duplicate --form ordinary [--evenings N] [--seed S] > more-rows.jsonl

The players are the seven levels and the greedy player of `tools.bench.bots`, which level 5 beats
more often than level 4 and less often than level 3. In a duplicate evening, each of them plays the
board at level `BOARD` in every round, with the same cards. In an ordinary evening, they meet each
other with random cards, first in a round robin and then again in the same order.

After each round the players are ordered, and Kendall's tau (version b) between this order and the
true one is written: 1 for the true order, 0 for a random one. Each row is an evening.
docs/duplicate.jsonl contains the rows that docs/notes/strength.md summarizes (`tools.bot_page`).
"""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from boardctl.bot.cribbage import Player
from boardctl.club.evening import ROUNDS, SKUNK, Draw, draw
from tools.bench.bots import Greedy, Played, Side, Stats, deal

ROWS: Final = Path(__file__).parents[2] / "docs" / "duplicate.jsonl"
BOARD: Final = 3
"""The level of the board in a duplicate evening."""
FORMS: Final = ("ordinary", "duplicate")
PLAYERS: Final = ("-1", "0", "1", "2", "3", "greedy", "4", "5")
"""The players, the weakest first."""


class Row(NamedTuple):
    """An evening. taus: by measure, tau after each round."""

    form: str
    seed: int
    number: int
    taus: dict[str, tuple[float, ...]]


def side(name: str, seed: object) -> Side:
    """Return a player by its name."""
    return Greedy() if name == "greedy" else Player(int(name), seed)


def played(
    sides: Sequence[Side], deals: Random, dealer: int, place: object
) -> tuple[list[int], list[int]]:
    """Play a game.

    Returns:
        Side 0's points minus side 1's in each deal but the last, and both final scores.
    """
    scores, gained = [0, 0], list[int]()
    past: Played = []
    stats = (Stats(), Stats())
    while True:
        before = scores[0] - scores[1]
        cards = deals.sample(range(52), 13)
        won = deal(sides, cards, dealer, scores, stats, (place, len(gained)), past)
        if won is not None:
            return gained, scores
        gained.append(scores[0] - scores[1] - before)
        dealer = 1 - dealer


def tau(values: Sequence[float]) -> float:
    """Return Kendall's tau b between these values and their places (Kendall, "The treatment of ties
    in ranking problems", 1945)."""
    pairs = list(combinations(values, 2))
    agree = sum((two > one) - (two < one) for one, two in pairs)
    untied = sum(one != two for one, two in pairs)
    return agree / sqrt(len(pairs) * untied) if untied else 0.0


def duplicate(seed: int, number: int) -> Row:
    """Play an evening in which all meet the board with the same cards."""
    share = [[0.0, 0.0] for _ in PLAYERS]  # matchpoints, and those possible
    above = [[0.0, 0.0] for _ in PLAYERS]  # points above the others' average, and deals
    taus: dict[str, list[float]] = {"matchpoints": [], "points": []}
    for round_ in range(1, ROUNDS + 1):
        place = repr((seed, number, round_))
        games = []
        for name in PLAYERS:
            sides = (side(name, place), Player(BOARD, place))
            games.append(played(sides, Random(place), round_ % 2, place)[0])
        for n in range(max(map(len, games))):
            here = [(who, game[n]) for who, game in enumerate(games) if n < len(game)]
            if len(here) < 2:
                continue
            whole = sum(points for _, points in here)
            for who, points in here:
                beaten = sum((points > other) + (points == other) / 2 for _, other in here) - 0.5
                share[who][0] += beaten
                share[who][1] += len(here) - 1
                above[who][0] += points - (whole - points) / (len(here) - 1)
                above[who][1] += 1
        for measure, found in (("matchpoints", share), ("points", above)):
            taus[measure].append(round(tau([some / all_ for some, all_ in found]), 4))
    return Row("duplicate", seed, number, {name: tuple(some) for name, some in taus.items()})


def ordinary(seed: int, number: int) -> Row:
    """Play an evening of the club: new opponents with random cards, two game points for a win and
    three for a skunk, then the net spread."""
    score = dict.fromkeys(PLAYERS, 0.0)
    order = list(PLAYERS)
    Random(repr((seed, number))).shuffle(order)
    taus = []
    before: list[Draw] = []
    for round_ in range(1, ROUNDS + 1):
        if len(before) == len(order) - 1:
            before.clear()  # everybody has met everybody: once more
        before.append(draw(order, before))
        for one, two in before[-1].pairs:
            place = repr((seed, number, round_, one, two))
            sides = (side(one, place), side(two, place))
            _, scores = played(sides, Random(place), round_ % 2, place)
            spread = min(scores[0], 121) - min(scores[1], 121)
            for name, more in ((one, spread), (two, -spread)):
                points = (3 if more >= SKUNK else 2) if more > 0 else 0
                score[name] += points + more / 10_000
        taus.append(round(tau([score[name] for name in PLAYERS]), 4))
    return Row("ordinary", seed, number, {"game points": tuple(taus)})


def rows() -> list[Row]:
    """Return the stored rows."""
    found = map(json.loads, ROWS.read_text("utf-8").splitlines())
    return [
        Row(**{**one, "taus": {name: tuple(some) for name, some in one["taus"].items()}})
        for one in found
    ]


def evenings(form: str, seed: int, count: int) -> Iterator[Row]:
    """Play evenings of one form."""
    play = duplicate if form == "duplicate" else ordinary
    for number in range(count):
        yield play(seed, number)
        gc.collect()


def main(arguments: Sequence[str] | None = None) -> None:
    """Write one row per evening."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--form", choices=FORMS, required=True)
    parser.add_argument("--evenings", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    gc.disable()
    for row in evenings(chosen.form, chosen.seed, chosen.evenings):
        print(json.dumps(row._asdict()), flush=True)


if __name__ == "__main__":
    main()
