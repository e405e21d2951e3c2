"""A simulated board changes to a layout that fits its players, and later returns to its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from boardctl.app import service
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.app.setup import Setup
from boardctl.board import layout
from boardctl.console.keypad import seating
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce
from boardctl.web.board_view import SetupRefused
from boardctl.web.table_api import begin, games_to_choose
from tests.tables import submit


def opened(data: Path) -> tuple[BoardApp, VirtualClock]:
    clock = VirtualClock()
    board = BoardApp(simulated(Config()), data, clock, None, writer=AtOnce())
    clock.run(1)
    return board, clock


@pytest.fixture
def board(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[BoardApp]:
    board, _ = opened(tmp_path)
    yield board
    board.close()
    assert not caplog.records, caplog.text


def play(board: BoardApp, *names: str) -> None:
    begin(board.table, "cribbage", list(names), board.table.number)


def test_three_take_a_board_of_three_tracks_and_two_their_own(board: BoardApp) -> None:
    assert board.layout.name == "classic-2"
    cribbage = next(g for g in games_to_choose(board, "en")["games"] if g["name"] == "cribbage")
    assert cribbage["seats"] == [2, 3, 4]
    play(board, "Ann", "Bob", "Cleo")
    assert board.layout.name == "classic-3"
    board._clock.run(30)  # type: ignore[attr-defined]
    assert len(board.frame()) == 3 * layout.load("classic-3").leds
    assert not board.controller.faults
    play(board, "Ann", "Bob")
    assert board.layout.name == "classic-2"
    play(board, "Ann", "Bob", "Cleo", "Dan")
    assert board.layout.name == "classic-2", "partners share a track"
    board._clock.run(30)  # type: ignore[attr-defined]
    assert len(board.frame()) == 3 * layout.load("classic-2").leds
    assert not board.controller.faults


def test_three_on_the_keypad_too(board: BoardApp) -> None:
    board.table.submit_all(seating(("Ann", "Bob", "Cleo")), "keypad")
    assert board.layout.tracks == 3
    submit(board.table, "undo", "keypad")
    assert board.layout.tracks == 2
    submit(board.table, "redo", "keypad")
    assert board.layout.tracks == 3


def test_a_game_of_three_goes_on_after_a_restart(tmp_path: Path) -> None:
    board, _ = opened(tmp_path)
    play(board, "Ann", "Bob", "Cleo")
    submit(board.table, "dealer 1", "test")
    submit(board.table, "deal", "test")
    submit(board.table, "3 peg 8", "test")
    board.close()
    board, clock = opened(tmp_path)
    clock.run(30)
    assert board.layout.name == "classic-3"
    assert not board.controller.faults
    board.close()


def test_a_layout_is_set_up_without_a_configuration_file(board: BoardApp) -> None:
    setup = Setup(board, Config(), None, board._clock, lambda: None)
    setup.configure({"layout": "classic-3"}, "en")
    assert board.layout.name == board.own_layout.name == "classic-3"
    play(board, "Ann", "Bob")
    assert board.layout.name == "classic-3", "it is the board's own now"
    play(board, "Ann", "Bob", "Cleo")
    with pytest.raises(SetupRefused, match="3 sides do not fit"):
        setup.configure({"layout": "twice-round-2"}, "en")
    assert board.layout.name == "classic-3"


def test_set_up_on_the_page_lets_the_service_reach_its_broker(
    board: BoardApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    units, config = tmp_path / "units", tmp_path / "config.toml"
    units.mkdir()
    config.write_text('[far]\nhost = "203.0.113.5"\n', "utf-8")
    done: list[Sequence[str]] = []
    monkeypatch.setattr(service, "run", done.append)
    monkeypatch.setattr(service, "follow", partial(service.follow, folder=units))
    installed = partial(service.installed, folder=units, packaged=tmp_path / "none")
    monkeypatch.setattr(service, "installed", installed)
    setup = Setup(board, Config(), config, board._clock, lambda: None)
    setup.configure({"layout": "classic-3"}, "en")
    assert not done, "no service reads this file"
    (units / "boardctl.service").write_text(service.unit("/usr/bin/boardctl", config), "utf-8")
    setup.configure({"layout": "classic-2"}, "en")
    dropped = (units / "boardctl.service.d" / "broker.conf").read_text("utf-8")
    assert "IPAddressAllow=203.0.113.5\n" in dropped
    assert done == [("systemctl", "daemon-reload")]
