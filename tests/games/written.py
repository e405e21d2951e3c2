"""The sheet that a second referee writes: the lines of a record, and the result of each line.

A second referee is a program of these tests. It is written from the rules alone, deals and plays
games at random, and says what each line must earn. The records of its games are vectors
(`tests/vectors/README.md`).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Card = tuple[str, str]
"""A card of a second referee: its rank and its suit."""


def spelt(cards: Iterable[tuple[str, ...]]) -> str:
    """Return cards in the notation."""
    return " ".join(map("".join, cards))


@dataclass
class Sheet:
    """Lines by number from 1, the points of a seat by line, and the codes of refused lines."""

    lines: list[str] = field(default_factory=list)
    earned: dict[int, Counter[int]] = field(default_factory=dict)
    refused: dict[int, str | None] = field(default_factory=dict)

    def say(self, line: str, earned: Mapping[int, int] | None = None) -> None:
        """Write an accepted line and the points that it earns by seat."""
        self.lines.append(line)
        points = Counter({seat: some for seat, some in (earned or {}).items() if some})
        if points:
            self.earned[len(self.lines)] = points

    def deny(self, line: str, code: str | None = None) -> None:
        """Write a line that must be refused, with its code if the rules determine one."""
        self.lines.append(line)
        self.refused[len(self.lines)] = code

    def begin(
        self,
        game: str,
        seats: int,
        options: Mapping[str, str],
        dealer: int,
        start: Sequence[int] = (),
    ) -> None:
        """Write the lines before the first deal; `start` are the scores by side, if not 0."""
        self.say(f"game {game}")
        for seat in range(1, seats + 1):
            self.say(f"seat {seat} P{seat}")
        for option, value in options.items():
            self.say(f"set {option} {value}")
        if any(start):
            self.say(f"start {' '.join(map(str, start))}")
        self.say(f"dealer {dealer}")

    def row(self, name: str, source: str, scores: list[int], winner: int | None) -> dict[str, Any]:
        """Return the sheet as a row of the vectors; `scores` and `winner` are by side."""
        return {
            "id": name,
            "meta": {"source": source},
            "record": "\n".join(self.lines) + "\n",
            "expect": {
                "lines": {
                    str(line): {str(seat): points for seat, points in sorted(by_seat.items())}
                    for line, by_seat in self.earned.items()
                },
                "scores": scores,
                "winner": winner,
                "refused": {str(line): code for line, code in self.refused.items()},
            },
        }


def write(rows: Iterable[dict[str, Any]]) -> None:
    """Print rows, one per line."""
    for row in rows:
        sys.stdout.write(json.dumps(row) + "\n")
