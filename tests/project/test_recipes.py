"""CONTRIBUTING.md's recipes, followed literally in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.test_contributing import ROOT, blocks, recipe

FOUND_EVERYWHERE = """
from pathlib import Path
from tempfile import mkdtemp

from boardctl import games, text
from boardctl.app import config
from boardctl.app.simulation import Simulation, strokes
from boardctl.console.keypad.correction import choices
from boardctl.features import installed
from boardctl.web.move_list import Viewer
from boardctl.web.state import Snapshots
from boardctl.web.table_api import games_to_choose
from tests.tables import submit

assert "twenty" in games.names()
assert "bell" in {feature.name for feature in installed()}
with Simulation(config.Config(), Path(mkdtemp())) as simulation:
    board = simulation.board
    assert "twenty" in [name for name, _ in choices(board.controller.view)], "the keypad's menu"
    titles = {game["name"]: game["title"] for game in games_to_choose(board, "en")["games"]}
    assert titles["twenty"] == "Twenty", "the page's list"
    for line in ("session x", "game twenty", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal"):
        submit(board.table, line, "test")
    submit(board.table, "1 take 6", "test")
    for seat in (None, 1, 2):
        state = Snapshots(board).now(Viewer("en", seat))
        assert "bell" in state["features"]
        assert state["rings"] == 0
    item = next(item for item in board.features.menu() if item.opens == "bell")
    assert item.title == "bell"
    from boardctl.console.keypad import Command
    board.controller.commanded.send(Command("bell"))
    assert Snapshots(board).now(Viewer("en"))["rings"] == 1
    assert board.controller.announced_aloud == ("Tea is ready",), "the voice says it"
    assert board.controller.announced == ("Tea is ready",), "the display shows it"
    assert {"text": "Ring for tea", "post": "bell"} in state["buttons"], "the page's button"
assert text.languages() == ("en", "fr", "ja")
assert "hexfile" in config.drivers()
"""


def run(checkout: Path, *words: str) -> str:
    """Return the output of a command, run in the copy with its own modules."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    environment.pop("RELEASE", None)
    done = subprocess.run(
        words, cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (words, done.stdout[-3000:], done.stderr[-3000:])
    return done.stdout


@pytest.mark.slow
def test_a_newcomer_adds_one_of_each_and_finds_it_everywhere(tmp_path: Path) -> None:
    checkout = tmp_path / "boardctl"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in filter(lambda name: (ROOT / name).is_file(), listed.stdout.splitlines()):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, checkout / name)

    def follow(shell: str) -> None:
        for line in shell.splitlines():
            run(checkout, "bash", "-c", line.replace("python ", f"{sys.executable} ", 1))

    def write(text: str) -> None:
        """Write the file that a recipe names before its block: "This is `boardctl/…`"."""
        (name,) = re.findall(r"This is\s`(boardctl/\S+?\.py)`", text)
        (source,) = blocks(text, "python")
        (checkout / name).parent.mkdir(exist_ok=True)
        (checkout / name).write_text(source, "utf-8")

    game = recipe("A new game")
    copy, tests = blocks(game, "sh")
    follow(copy)
    sentences = blocks(game, "python")
    (checkout / "boardctl/text/twenty.py").write_text(sentences[0], "utf-8")
    write(recipe("A new command"))
    write(recipe("A new feature"))
    (floors,) = blocks(recipe("A new feature"), "sh")
    follow(floors)
    driver = blocks(recipe("A new driver"), "python")
    (checkout / "boardctl/drivers/hexfile.py").write_text(driver[0], "utf-8")
    locale = checkout / "boardctl/text/locale"
    shutil.copytree(locale / "ja", locale / "fr")

    assert "twenty: 2, 3" in run(checkout, sys.executable, "-m", "boardctl", "players")
    assert "twenty: 2, 3 players" in run(checkout, sys.executable, "-m", "boardctl", "games")
    run(checkout, sys.executable, "-c", FOUND_EVERYWHERE)
    follow(tests)
    shutil.rmtree(locale / "fr")
    for checked in ("ruff check boardctl", "ruff format --check boardctl", "lint-imports"):
        name, *more = checked.split()
        program = Path(sys.executable).with_name(
            "lint-imports" if name == "import_linter" else name
        )
        run(checkout, str(program), *more)
    new = ("games/twenty.py", "text/twenty.py", "commands/players.py", "bell/feature.py",
           "drivers/hexfile.py")  # fmt: skip
    run(checkout, sys.executable, "-m", "mypy", "--no-incremental", "--follow-imports=silent",
        *(f"boardctl/{name}" for name in new))  # fmt: skip
    run(
        checkout, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not long",
        "tests/laws/test_golden.py", "tests/games/test_refusal_places.py", "tests/test_text.py",
        "-k", "twenty or translated or place",
    )  # fmt: skip
