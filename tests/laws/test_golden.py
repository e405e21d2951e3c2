"""The answers of every game's referee to seeded random games are unchanged."""

from __future__ import annotations

import json

import pytest

from boardctl import games
from tests.laws import golden
from tests.report import LongRun
from tests.unfinished import unfinished


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_the_answers_are_those_of_before(name: str) -> None:
    kept = json.loads(golden.FILE.read_text(encoding="utf-8"))
    if name not in kept:
        unfinished(f"{name} has no digest: `python -m tests.laws.golden` writes golden.json")
        return
    assert golden.digest(name, range(golden.SEEDS)) == kept[name]["short"], (
        f"python -m tests.laws.golden {name} SEED prints the answers of one game"
    )


@pytest.mark.long
@pytest.mark.parametrize("name", games.names())
def test_the_answers_in_thousands_of_games(name: str, long_run: LongRun) -> None:
    kept = json.loads(golden.FILE.read_text(encoding="utf-8"))
    if name not in kept:
        unfinished(f"{name} has no digest: `python -m tests.laws.golden` writes golden.json")
        return
    assert golden.digest(name, range(golden.LONG_SEEDS)) == kept[name]["long"]
    long_run(games=golden.LONG_SEEDS)
