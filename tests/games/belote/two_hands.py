"""Whole games of Belote with two players, from the second referee of `whole_games.py`.

python -m tests.games.belote.two_hands > tests/vectors/records-belote-two.jsonl
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.games.belote.whole_games import RECORDS, SEED, Game
from tests.games.written import write


def records(many: int = RECORDS, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records of games."""
    chance = Random(seed)
    rows = []
    for number in range(1, many + 1):
        game = Game(chance, coinche=False, seats=2)
        source = "docs/rules/belote.md, by tests/games/belote/whole_games.py"
        rows.append(game.sheet.row(f"belote-two-{number}", source, game.scores, game.winner))
    return rows


if __name__ == "__main__":
    write(records())
