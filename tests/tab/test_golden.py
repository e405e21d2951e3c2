"""Every referee answers in the tab's Python as in this one: the digests of `tests/laws`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from boardctl import games
from tests.laws import golden
from tests.parts import need
from tools import tab

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.parametrize("name", games.names())
def test_the_answers_are_those_of_every_other_board(name: str, folder: Path) -> None:
    need("node", "pyodide")
    kept = json.loads(golden.FILE.read_text(encoding="utf-8"))
    script = Path(__file__).with_name("golden.mjs")
    command = ["node", str(script), str(tab.installed()), str(ROOT), str(folder), name]
    done = subprocess.run(
        [*command, str(golden.LONG_SEEDS)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == kept[name]["long"]
