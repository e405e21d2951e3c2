"""A second referee for games of cribbage with penalties and misdeals, written from the rules alone.

Source: docs/rules/cribbage.md sections 2.4 and 13. The deals are those of `singles.py`, which is
written likewise, with six cards each. The records of `records-penalties.jsonl` are from it:

    python -m tests.games.cribbage.penalised > tests/vectors/records-penalties.jsonl
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from tests.games.cribbage.singles import Game, deal, opening
from tests.games.written import write

RECORDS: Final = 60
SEED: Final = 20261129
NUMBERED: Final = {"acc": ("renege", "false-claim", "overpeg"), "laws": ("overpeg",)}
"""The codes that need a number, by table."""
CODES: Final = {
    "acc": (
        "bottom-card",
        "crib-looked",
        "crib-mixed",
        "renege",
        "wrong-peg",
        "wrong-cards",
        "false-claim",
        "overpeg",
    ),
    "laws": ("misdealt", "cards-touched", "crib-mixed", "overpeg", "renege"),
}
LOST: Final = "false-claim"
"""Under the old laws, this loses the game."""


def cost(table: str, code: str, number: int) -> tuple[int, int]:
    """Return the points for the other side, and the points by which the offender goes back (13)."""
    if code == "overpeg":
        return number, number
    if table == "acc":
        if code == "wrong-cards":
            return 0, 10
        if code == "false-claim":
            return number, 15
        return (2 * number if code == "renege" else 2), 0
    return (3 if code == "crib-mixed" else 2), 0


class Misdealt(Exception):
    """The players agree on a misdeal in the middle of a deal."""


@dataclass
class Penalised(Game):
    """A game in which penalties and misdeals follow lines at random."""

    chance: Random = field(default_factory=Random)
    table: str = "acc"
    deal_points: Counter[int] = field(default_factory=Counter)
    """The points of the current deal by seat, without penalties."""
    dealt: bool = False
    misdeals: bool = True
    """Whether the players may agree on misdeals."""

    def say(self, line: str, *earned: tuple[int, int]) -> bool:
        before = [*self.scores]
        going = super().say(line, *earned)
        for seat in (1, 2):
            self.deal_points[seat] += self.scores[seat - 1] - before[seat - 1]
        if line == "deal":
            self.deal_points.clear()
            self.dealt = True
        if not going or not self.dealt:
            return going
        if self.chance.random() < 0.05:
            self.penalty()
        elif self.misdeals and not line.endswith(" crib") and self.chance.random() < 0.008:
            raise Misdealt  # the crib ends a deal
        return not self.winner

    def penalty(self) -> None:
        """Write a penalty."""
        seat = self.chance.randint(1, 2)
        if self.table == "laws" and self.chance.random() < 0.02:
            self.lines.append(f"{seat} penalty {LOST}")
            self.winner = 3 - seat
            return
        code = self.chance.choice(CODES[self.table])
        number = self.chance.randint(1, 4)
        given, back = cost(self.table, code, number)
        self.lines.append(f"{seat} penalty {code}")
        if code in NUMBERED[self.table]:
            self.lines[-1] += f" {number}"
        self.change({3 - seat: given, seat: -back})

    def change(self, points: dict[int, int]) -> None:
        """Change the scores by the last line; none falls below 0."""
        for seat, some in points.items():
            step = max(some, -self.scores[seat - 1])
            if step:
                self.points.setdefault(len(self.lines), Counter())[seat] += step
            self.scores[seat - 1] += step
            if self.scores[seat - 1] >= self.target:
                self.winner = seat

    def finish(self, dealer: int, deal: Callable[[int], None]) -> bool:
        try:
            return super().finish(dealer, deal)
        except Misdealt:
            self.void()
            return False

    def void(self) -> None:
        """Write a misdeal, which takes back what the deal scored (2.4)."""
        self.lines.append("misdeal")
        self.change({seat: -some for seat, some in self.deal_points.items()})


def play(chance: Random, table: str, target: int, dealer: int) -> Penalised:
    """Play a game at random from its first deal to its end."""
    game = Penalised(target, chance=chance, table=table)
    opening(game, dealer, f"penalties {table}")
    game.play(dealer, lambda dealer: deal(game, chance, dealer, 0))
    return game


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records: the tables in turn, every third game to 121, the others to 61."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        table = ("acc", "laws")[number % 2]
        game = play(chance, table, 121 if number % 3 == 0 else 61, chance.randint(1, 2))
        source = "cribbage.md 13, by tests/games/cribbage/penalised.py"
        rows.append(game.row(f"penalties-{number}", source))
    return rows


if __name__ == "__main__":
    write(records())
