"""Choices made at the board survive a restart, until the configuration changes their value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from boardctl.app import choices
from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.app.night import Options as Night
from boardctl.console.keypad import Command, Preset
from boardctl.console.settings import KeyTiming
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce

CONFIG = Config(voice=configuration.part("espeak"))
CHOSEN = {"telling": "cards", "language": "ja", "light": "dim", "voice": "counts", "sounds": "off"}


class Chosen(NamedTuple):
    telling: str
    language: str
    light: str | None
    voice: tuple[Any, ...] | None


def start(
    data: Path, config: Config = CONFIG, choose: Mapping[str, str] = MappingProxyType({})
) -> Chosen:
    """Return a board's settings after a start. Then somebody makes choices, and the power fails."""
    clock = VirtualClock()
    board = BoardApp(simulated(config), data, clock, None, writer=AtOnce())
    clock.run(1)
    controller = board.controller
    found = Chosen(
        controller.telling, controller.language, controller.lights.name, controller.voice
    )
    for what, value in choose.items():
        controller.obey(Command(what, value))
    board.close()
    return found


FIRST = Chosen("hands", "en", "bright", (True, "questions", True, 150))
LATER = Chosen("cards", "ja", "dim", (True, "counts", False, 150))


def test_what_was_chosen_is_found_again(tmp_path: Path) -> None:
    assert start(tmp_path, choose=CHOSEN) == FIRST
    assert start(tmp_path) == LATER
    assert start(tmp_path, choose={"light": "bright", "voice": "off"}) == LATER, (
        "it is kept, not used up"
    )
    assert start(tmp_path, choose={"voice": "on"}) == LATER._replace(
        light="bright", voice=(False, "counts", False, 150)
    )


def test_a_new_configuration_says_something_new(tmp_path: Path) -> None:
    start(tmp_path, choose=CHOSEN)
    by_points = replace(CONFIG, telling="points")
    assert start(tmp_path, by_points) == LATER._replace(telling="points")
    assert start(tmp_path, by_points, choose={"telling": "hands"}).telling == "points"
    assert start(tmp_path, by_points).telling == "hands"


def test_where_a_night_is_configured_the_light_is_the_clocks(tmp_path: Path) -> None:
    """Otherwise a board switched off at night would stay dark by day."""
    start(
        tmp_path,
        replace(CONFIG, night=Night("22:30")),
        choose={"light": "night", "telling": "cards"},
    )
    assert start(tmp_path, replace(CONFIG, night=Night("23:30"))).telling == "cards"
    assert start(tmp_path).light == "bright"


def test_what_is_asked_while_the_board_plays_is_nobodys_choice(tmp_path: Path) -> None:
    clock = VirtualClock()
    board = BoardApp(simulated(CONFIG), tmp_path, clock, None, writer=AtOnce())
    board.controller.obey(Command("light", "dim"))
    board.controller.ask_for_every_card()
    assert board.controller.telling == "cards"
    board.close()
    assert start(tmp_path) == FIRST._replace(light="dim")


@pytest.mark.parametrize(
    "content",
    ["", "[]", "[1]", "{", '{"light": 1}', '{"light": [1.0, 7.0]}', '{"light": [1.0, true]}',
     '{"telling": ["hands", ["cards"]]}', '{"language": ["en", "xx"], "level": [{}, {}]}'],
)  # fmt: skip
def test_a_damaged_file_chooses_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / choices.FILE).write_text(content)
    assert start(tmp_path, choose={"light": "dim"}) == FIRST
    assert start(tmp_path).light == "dim", "and is replaced"
    assert json.loads((tmp_path / choices.FILE).read_text())["light"] == [1.0, 0.35]


def test_a_board_without_a_disk_goes_on(tmp_path: Path) -> None:
    (tmp_path / choices.FILE).mkdir()
    assert start(tmp_path, choose={"light": "dim"}) == FIRST
    assert start(tmp_path) == FIRST


def test_how_fast_it_speaks_is_found_again(tmp_path: Path) -> None:
    start(tmp_path, choose={"voice": "slower"})
    assert start(tmp_path).voice == (True, "questions", True, 120)


def test_how_the_keys_act_is_found_again(tmp_path: Path) -> None:
    def timing(*choose: str) -> KeyTiming:
        board = BoardApp(simulated(CONFIG), tmp_path, VirtualClock(), None, writer=AtOnce())
        found = board.controller.timing
        for value in choose:
            board.controller.obey(Command("timing", value))
        board.close()
        return found

    assert timing("hold-long", "slow-short", "bounce-long", "pace-long") == KeyTiming()
    assert timing("hold-usual") == KeyTiming(hold=2.0, slow=0.3, bounce=0.8, pace=3.0)
    assert timing() == KeyTiming(slow=0.3, bounce=0.8, pace=3.0)


def test_a_board_with_slow_keys_ignores_a_brushed_one(tmp_path: Path) -> None:
    clock = VirtualClock()
    board = BoardApp(simulated(CONFIG), tmp_path, clock, None, writer=AtOnce())
    clock.run(1)
    board.controller.obey(Command("timing", "slow-short"))
    for seconds, mode in ((0.2, "rest"), (0.5, "seat")):
        board.press("A", True)
        clock.run(seconds)
        board.press("A", False)
        clock.run(0.1)
        assert board.controller.keypad_state.mode == mode
    board.close()


RULES = Preset("Friday", "cribbage", {"muggins": "full", "target": "61"})


def test_saved_rules_are_found_again_on_the_keypad(tmp_path: Path) -> None:
    configured = configuration.Preset("House", "noddy")
    config = replace(CONFIG, preset=(configured,))
    clock = VirtualClock()
    board = BoardApp(simulated(config), tmp_path, clock, None, writer=AtOnce())
    board.controller.save_rules(RULES)
    assert [one.name for one in board.controller.view.presets] == ["House", "Friday"]
    board.controller.save_rules(RULES._replace(options={"muggins": "off"}))
    board.close()
    board = BoardApp(simulated(config), tmp_path, VirtualClock(), None, writer=AtOnce())
    assert [one.name for one in board.controller.settings.presets] == ["House", "Friday"]
    assert board.controller.own_rules == (RULES._replace(options={"muggins": "off"}),), "replaced"
    board.controller.remove_rules("friday")
    board.controller.remove_rules("House")
    assert [one.name for one in board.controller.settings.presets] == ["House"], "the config's stay"
    board.close()


@pytest.mark.parametrize(
    "kept",
    [
        *(7, "Friday", [7], [["Friday"]], [["Friday", "whist", {}]], [[7, "cribbage", {}]]),
        *([["Friday", "cribbage", []]], [["Friday", "cribbage", {"target": 61}]]),
    ],
)
def test_damaged_rules_are_left_out(kept: Any, tmp_path: Path) -> None:
    (tmp_path / choices.FILE).write_text(json.dumps({"rules": [None, kept]}), "utf-8")
    board = BoardApp(simulated(CONFIG), tmp_path, VirtualClock(), None, writer=AtOnce())
    assert board.controller.own_rules == ()
    board.close()
