"""Commands run next to a board find its games: from an option, the environment, the service or the
user.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardctl.commands import main
from boardctl.storage import place
from tests.storage.test_archive import Evenings

COMMANDS = (
    "session", "games --played", "journal check", "journal repair", "export 1", "review 1",
    "backup {tmp}/copy.sqlite3", "pin",
)  # fmt: skip


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without boards: HOME is `home`, the service's directories are `state` and `run`."""
    for name in ("STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    found = place.find
    monkeypatch.setattr(place, "find", lambda: found(tmp_path / "state", tmp_path / "run"))
    return tmp_path


def play(data: Path) -> Path:
    data.mkdir(parents=True)
    evenings = Evenings(data)
    evenings.play("Sunday", games=1)
    evenings.journal.close()
    return data


def run(machine: Path, line: str) -> Result:
    return CliRunner().invoke(main, line.format(tmp=machine).split())


@pytest.mark.parametrize("line", COMMANDS)
@pytest.mark.parametrize("running", [True, False])
def test_every_command_finds_the_services_board_and_says_so(
    machine: Path, line: str, running: bool
) -> None:
    play(machine / "state")
    if running:
        (machine / "run").mkdir()
    done = run(machine, line)
    assert f"the service's board, in {machine}/state:" in done.stderr
    assert "the service's board" not in done.stdout, "not a part of what may be piped on"
    if line == "pin":
        assert "no board with a page is running on it" in done.stderr
    else:
        assert done.exit_code == 0, done.output


def own(machine: Path) -> Path:
    return machine / "home/.local/state/boardctl"


def test_the_order_is_option_environment_running_service_user(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert place.find() == (own(machine), False), "a machine on which nothing has run"
    (machine / "state").mkdir()
    assert place.find() == (machine / "state", True), "an installed service"
    play(own(machine))
    assert place.find() == (own(machine), False), "the user's board, while no service runs"
    assert "the service's" not in run(machine, "session").output
    (machine / "run").mkdir()
    assert place.find() == (machine / "state", True)
    monkeypatch.setenv("XDG_STATE_HOME", str(machine / "xdg"))
    assert place.find() == (machine / "xdg/boardctl", False)
    monkeypatch.setenv("STATE_DIRECTORY", str(machine / "named"))
    assert place.find() == (machine / "named", False)
    done = run(machine, f"session --data {own(machine)}")
    assert done.exit_code == 0
    assert "the service's" not in done.output


def test_a_picture_is_not_printed_on_a_terminal(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(own(machine))
    monkeypatch.setattr("boardctl.commands.export.is_shown", lambda: True)
    done = run(machine, "export 1 --as png")
    assert done.exit_code == 1
    assert "boardctl export 1 --as png > game.png" in done.stderr
    assert done.stdout == ""
    assert run(machine, "export 1 --as svg").stdout.startswith("<"), "text is shown"


@pytest.mark.parametrize("line", COMMANDS)
def test_a_user_who_may_not_read_the_services_games_is_told_to_use_sudo(
    machine: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    play(machine / "state")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    done = run(machine, line)
    assert done.exit_code == 1
    expected = f"{machine}/state: belongs to the board's service; run this command with sudo"
    assert expected in done.stderr
    assert len(done.stderr.splitlines()) == 1
