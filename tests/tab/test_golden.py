"""Every referee answers in the tab's Python as in this one: the digests of `tests/laws`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from boardctl import games
from tests.laws import golden
from tests.parts import need
from tests.report import LongRun

ROOT = Path(__file__).parents[2]


def in_tab(folder: Path, seeds: int) -> dict[str, str]:
    """Return the digest of every game's answers by the tab's Python.

    Args:
        folder: the result of `make tab`.
        seeds: the number of games of each kind.
    """
    need("node", "pyodide")
    script = Path(__file__).with_name("golden.mjs")
    command = ["node", str(script), str(folder), str(ROOT), str(seeds), *games.names()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, str] = json.loads(done.stdout)
    return found


def kept(length: str) -> dict[str, str]:
    """Return the digests of this Python's answers."""
    whole = json.loads(golden.FILE.read_text(encoding="utf-8"))
    return {name: whole[name][length] for name in games.names()}


@pytest.mark.slow
def test_the_answers_are_those_of_every_other_board(folder: Path) -> None:
    assert in_tab(folder, golden.SEEDS) == kept("short")


@pytest.mark.long
def test_the_answers_in_a_thousand_games(folder: Path, long_run: LongRun) -> None:
    assert in_tab(folder, golden.LONG_SEEDS) == kept("long")
    long_run(games=golden.LONG_SEEDS * len(games.names()))
