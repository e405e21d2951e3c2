"""A game and a driver are one file each, and appear everywhere: no other file names a game."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import pytest

import boardctl
from boardctl import drivers, games
from boardctl.app import config, doctor, wizard
from boardctl.app.simulation import Simulation
from boardctl.console.keypad.correction import choices
from boardctl.drawings import labels
from boardctl.record import history
from boardctl.storage.journal import read_sessions
from boardctl.web.table_api import games_to_choose
from tests.laws.test_toy import TOYS
from tests.project.test_contributing import blocks, recipe
from tests.tables import submit

ROOT = Path(boardctl.__file__).parent
ALLOWED = MappingProxyType(
    {
        "games/": "the games",
        "text/": "their words",
        "bot/": "the player plays cribbage; `bot.GAME` says so to others",
        "far/__init__.py": "whose cards two houses can deal",
        "app/config.py": "the game that a new board begins with",
        "console/settings.py": "the same",
        "speech/recogniser.py": "how a word is pronounced: a noddy is also a jack, as the nob is",
        "commands/score.py": "counts a hand of cribbage",
        "record/library.py": "the same as a public function",
    }
)


def names_a_game(source: str, names: frozenset[str]) -> list[str]:
    """Return the parts of a module's code that name a game: a text with its name, or an import of
    its rules."""
    modules = {f"boardctl.games.{name.replace('-', '_')}" for name in names}
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and node.value in names:
            found.append(str(node.value))
        imported = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Import):
            imported = [name.name for name in node.names]
        found += [one for one in imported if any(f"{one}.".startswith(f"{m}.") for m in modules)]
    return found


def test_nothing_else_names_a_game() -> None:
    names = frozenset(games.names())
    assert names_a_game("import boardctl.games.noddy\nx = 'belote'", names)
    used = set()
    for path in sorted(ROOT.rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        found = names_a_game(path.read_text("utf-8"), names)
        allowed = [
            one for one in ALLOWED if file == one or (one[-1] == "/" and file[: len(one)] == one)
        ]
        used |= set(allowed if found else ())
        assert allowed or not found, (file, found)
    assert used == set(ALLOWED), "an exception that is no longer needed"
    for script in (ROOT / "web" / "static").glob("*.js"):
        code = script.read_text("utf-8")
        assert not [n for n in names for quote in "'\"`" if f"{quote}{n}{quote}" in code], script


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(TOYS)])
    yield


def test_a_game_of_one_file_is_in_menu_page_and_history(toy: None, tmp_path: Path) -> None:
    with Simulation(config.Config(), tmp_path) as simulation:
        board = simulation.board
        for line in ("session x", "game toy", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal"):
            submit(board.table, line, "test")
        submit(board.table, "1 take 6", "test")
        menu = [name for name, _ in choices(board.controller.view)]
        page = [game["name"] for game in games_to_choose(board, "en")["games"]]
        assert "toy" in menu
        assert "toy" in page
        simulation.settle()
        *_, played = history.played(read_sessions(tmp_path))
    assert history.summary(played)["game"] == "toy"
    assert [step.line for step in history.walk(played)][-1] == "1 take 6"
    assert not labels.claims("toy")


def test_a_driver_of_one_file_is_in_config_wizard_and_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source,) = blocks(recipe("A new driver"), "python")
    (tmp_path / "hexlamp.py").write_text(
        source.replace('INTERFACE: Final = ""', 'INTERFACE: Final = "spi"'), "utf-8"
    )
    monkeypatch.setattr(drivers, "__path__", [*drivers.__path__, str(tmp_path)])
    asked = {one.name: one for one in wizard.questions(wizard.Attached(), {})}
    assert "hexlamp" in (asked["leds.driver"].choices or ())
    assert "hexlamp" not in (asked["keys.driver"].choices or ())
    assert doctor.uses(config.Config(leds=config.part("hexlamp"))) == {"spi"}
