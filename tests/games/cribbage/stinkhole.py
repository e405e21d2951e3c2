"""A second referee for the end of games with the stinkhole rule, written from the rules alone.

Source: docs/rules/cribbage.md 6.6. The deals are those of `singles.py`, with six cards each, and
begin shortly before the target. The records of `records-stinkhole.jsonl` are from it:

    python -m tests.games.cribbage.stinkhole > tests/vectors/records-stinkhole.jsonl
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tests.games.cribbage.singles import Game, deal, opening
from tests.games.written import write

RECORDS: Final = 60
SEED: Final = 20261129
TARGET: Final = 121


@dataclass
class Stuck(Game):
    """A game with a stinkhole rule."""

    rule: str = "heels"
    missed: int = 0
    """The number of points that the rule took away."""

    def say(self, line: str, *earned: tuple[int, int]) -> bool:
        """Write a line without the points that do not count from one point short."""
        kept: list[tuple[int, int]] = []
        for place, (seat, points) in enumerate(earned):
            heels = line.startswith("starter")
            last = line.endswith(" go") or (" play " in line and place == 1)
            score = self.scores[seat - 1] + sum(some for at, some in kept if at == seat)
            if score == self.target - 1 and (heels or (last and self.rule == "heels_go")):
                self.missed += points
            else:
                kept.append((seat, points))
        return super().say(line, *kept)


def play(chance: Random, rule: str) -> Stuck:
    """Play the end of a game at random."""
    dealer = chance.randint(1, 2)
    game = Stuck(TARGET, rule=rule)
    opening(game, dealer, f"stinkhole {rule}")
    game.scores = [chance.choice((120, 120, 119, 118, 115, 110)) for _ in (1, 2)]
    game.lines.append(f"start {game.scores[0]} {game.scores[1]}")
    game.play(dealer, lambda dealer: deal(game, chance, dealer, 0))
    return game


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records, with both rules in turn. In every third, the rule takes points away."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        rule = ("heels", "heels_go")[number % 2]
        game = play(chance, rule)
        while number % 3 == 0 and not game.missed:
            game = play(chance, rule)
        rows.append(game.row(f"stinkhole-{number}", "cribbage.md 6.6, by stinkhole.py"))
    return rows


if __name__ == "__main__":
    write(records())
