"""The examples of docs/notation.md, played: the scores and refusals in their comments are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardctl.games import IllegalMove
from boardctl.record.record import Record

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")
BLOCK = re.compile(r"^```\n(.*?)^```$", re.M | re.S)
SCORES = re.compile(r"(?:Ann (\d+), Bob (\d+)|sides (\d+), (\d+))$")
REFUSED = re.compile(r"refused: ([a-z0-9-]+)$")


def played(text: str) -> tuple[int, int]:
    """Play a section's examples, and return the numbers of scores and refusals in them."""
    record = Record()
    scores = refusals = 0
    for line in "".join(BLOCK.findall(text)).splitlines():
        move, _, comment = line.partition("#")
        if move.strip() == "game cribbage":
            record = Record()
        if refusal := REFUSED.search(comment):
            refusals += 1
            before = record.position.scores
            with pytest.raises(IllegalMove) as error:
                record.read(line)
            assert error.value.code == refusal[1], line
            assert record.position.scores == before, line
            continue
        record.read(line)
        if said := SCORES.search(comment):
            scores += 1
            assert record.position.scores == tuple(int(n) for n in said.groups() if n), line
    return scores, refusals


def section(begin: str, end: str) -> str:
    return PAGE.partition(f"\n## {begin}\n")[2].partition(f"\n## {end}\n")[0]


def test_the_tutorial_has_the_scores_and_refusals_that_it_names() -> None:
    scores, refusals = played(section("Tutorial", "Reference"))
    assert scores > 20
    assert refusals > 1
