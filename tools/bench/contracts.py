"""The share of contracts that computer players of one level make in Coinche.

    python -m tools.bench.contracts [--deals N] [--seed S] > some-rows.jsonl

Four players of a level bid and play each deal. A row is written after each deal in which somebody
bid; docs/contracts.jsonl contains the rows that docs/notes/strength.md summarizes
(`tools.bot_page`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from boardctl.record.record import Record
from tests.bot.dealer import Dealt

ROWS: Final = Path(__file__).parents[2] / "docs" / "contracts.jsonl"
LEVELS: Final = (1, 2)
"""The levels at which players of this game differ."""


class Row(NamedTuple):
    """A deal: the points bid, and whether the bidder's side made them."""

    level: int
    seed: int
    number: int
    bid: int
    made: bool


def contract(level: int, seed: int, number: int) -> Row | None:
    """Play a deal between players of one level. Return None if nobody bids."""
    chance = Random(repr((seed, number)))
    dealt = Dealt("belote", [level] * 4, chance, {"bidding": "coinche"})
    dealt.play(1)
    again, bid = Record(), 0
    for move in dealt.truth.moves:
        if move.verb == "bid" and "pass" not in move.words:
            bid = move.numbers[0] if move.numbers else 250
        report = again.apply(move)
        for note in report.notes if report else ():
            if note.code in ("contract-made", "contract-failed"):
                return Row(level, seed, number, bid, note.code == "contract-made")
    return None


def rows() -> list[Row]:
    """Return the stored rows."""
    return [Row(**json.loads(line)) for line in ROWS.read_text("ascii").splitlines()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write one row per deal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    for number in range(chosen.deals):
        for level in LEVELS:
            row = contract(level, chosen.seed, number)
            if row is not None:
                print(json.dumps(row._asdict()), flush=True)


if __name__ == "__main__":
    main()
