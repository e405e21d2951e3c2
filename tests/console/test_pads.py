"""Pads in the players' hands: they are paired by pressing a key, can be distinguished although they
are of the same model, and each has its own entry. Also a board played with one switch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.app.setup import BorrowedKeys
from boardctl.console.keypad import REST, Submit, press_as
from boardctl.console.settings import KeyTiming
from boardctl.drivers import usb_numpad
from boardctl.drivers.ports import KeyEvent, Wires
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce
from tests.console.test_presses import Keypad
from tests.speech.by_ear import Ear
from tests.tables import submit

LEFT, RIGHT = "usb-1.1", "usb-1.2"
"""Two pads of one model, distinguished by their ports."""
CODES = {key: code for code, key in reversed(tuple(usb_numpad.CODES.items()))}


class Evening:
    """A board whose keys are pads."""

    def __init__(self, data: Path, config: Config) -> None:
        self.clock = VirtualClock()
        part = configuration.part("usb_numpad", switch=57)
        config = replace(simulated(config), keys=part)
        self.wires = VirtualWires(self.clock, keys=part.options)
        wires: Wires = self.wires
        self.board = BoardApp(config, data, self.clock, wires, writer=AtOnce())
        self.clock.run(0.5)

    def tap(self, source: str, keys: str, seconds: float = 0.05) -> None:
        for key in keys.split():
            self.put(source, CODES[key], seconds)

    def put(self, source: str, code: int, seconds: float = 0.05) -> None:
        self.wires.keyboards[0].put(code, 1, source)
        self.clock.run(seconds)
        self.wires.keyboards[0].put(code, 0, source)
        self.clock.run(0.05)

    def pair(self, *sources: str) -> None:
        self.tap("", "#", 1.2)
        self.tap("", "8 3")
        for source in sources:
            self.tap(source, "5")

    @property
    def said(self) -> str:
        return " | ".join(self.board.controller.displayed_rows)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.board.table.position.scores


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path, Config())
    yield made
    made.board.close()


def start(evening: Evening, *lines: str) -> None:
    for line in ("dealer 1", "deal", *lines):
        submit(evening.board.table, line, "test")
    evening.clock.run(0.1)


def test_pads_are_paired_by_a_key_and_need_no_seat_key(evening: Evening) -> None:
    start(evening)
    evening.tap("", "#", 1.2)
    evening.tap("", "8 3")
    assert evening.said == "Ann: a key | on your pad  *no"
    evening.tap(LEFT, "5")
    assert evening.said.startswith("Bob: a key")
    evening.tap(LEFT, "5")
    assert "Ann has" in evening.said, "one pad for each"
    evening.tap(RIGHT, "5")
    assert evening.said == "Pads paired: | 2"
    evening.tap(LEFT, "8 #")
    evening.tap(RIGHT, "3 #")
    assert evening.scores == (8, 3)
    evening.tap("", "A 2 #")
    assert evening.scores == (10, 3), "a keypad of everybody's is as it was"


def test_each_hand_has_its_own_entry(evening: Evening) -> None:
    start(evening, "starter 5D")
    evening.pair(LEFT, RIGHT)
    evening.tap(RIGHT, "4")
    evening.tap(LEFT, "1")
    evening.tap(RIGHT, "5")
    evening.tap(LEFT, "2")
    evening.tap(RIGHT, "5 6")
    assert evening.said.startswith("Bob 23?")
    evening.tap(LEFT, "#")
    assert evening.scores == (12, 0)
    evening.tap(RIGHT, "#")
    assert evening.scores == (12, 23)


def test_a_pad_says_whose_turn_it_is_instead_of_playing_for_another(evening: Evening) -> None:
    start(evening, "starter 5D")
    evening.board.controller.telling = "cards"
    evening.pair(LEFT, RIGHT)
    evening.tap(LEFT, "7")
    assert "Bob" in evening.said
    assert "turn" in evening.said
    assert not any(m.verb == "play" for m in evening.board.table.record.moves)
    evening.tap(RIGHT, "0")
    evening.tap(LEFT, "5")
    played = [(m.seat, str(m.cards[0])) for m in evening.board.table.record.moves[-2:]]
    assert played == [(2, "T"), (1, "5")]


def test_pads_are_known_again_the_next_evening(tmp_path: Path) -> None:
    for n in range(2):
        evening = Evening(tmp_path, Config())
        if n == 0:
            start(evening)
            evening.pair(LEFT, RIGHT)
        evening.tap(RIGHT, "4 #")
        assert evening.scores == (0, 4 * (n + 1))
        evening.board.close()
    (tmp_path / "pads.json").write_text('{"usb-1.1": "x"}')
    evening = Evening(tmp_path, Config())
    evening.tap(LEFT, "A 5 #")
    assert evening.scores == (5, 8), "a damaged file forgets the pads, and nothing else"
    evening.board.close()


def test_a_pad_that_goes_in_the_middle_of_a_hand_goes_on_when_it_is_back(evening: Evening) -> None:
    start(evening, "starter 5D")
    evening.pair(LEFT, RIGHT)
    evening.tap(RIGHT, "4 5")
    evening.wires.keyboards[0].put(CODES["6"], 1, RIGHT)
    evening.clock.run(0.1)
    evening.wires.keyboards[0].put(-1, 0, RIGHT)
    evening.clock.run(0.1)
    evening.tap(LEFT, "2 #")
    assert evening.scores == (2, 0)
    evening.tap(RIGHT, "5")
    assert evening.said.startswith("Bob 23?") or evening.said.startswith("Bob 12?"), evening.said
    evening.tap(RIGHT, "#")
    assert evening.scores[1] > 0


def test_a_pad_has_no_key_for_another_seat() -> None:
    table = Keypad("hands", "starter 5")
    for seat, name in ((1, "Ann"), (2, "Bob")):
        state = REST
        for key in "4#":
            state, effect = press_as(state, table.view, key, seat)
        assert isinstance(effect, Submit), name
        assert effect.moves[0].seat == seat
    state, effect = press_as(REST, table.view, "#", 1)
    assert state.refused is None or state.refused.code == "not-your-turn"
    table.press("A8#")
    assert table.record.position.scores == (8, 0)


@pytest.mark.with_features
def test_one_switch_plays(evening: Evening) -> None:
    start(evening, "starter 5D")
    ear = Ear()
    evening.board.features.of("speech").voice.join(ear)
    evening.clock.run(0.1)

    def wait_for(word: str) -> None:
        evening.put("", 57)
        for _ in range(80):
            if word in " ".join(ear.said):
                break
            evening.clock.run(KeyTiming().pace)
        assert word in " ".join(ear.said), word
        evening.put("", 57)

    wait_for("Ann")
    for word in ("eight", "Ann pegs 8"):
        for _ in range(80):
            if ear.said and ear.said[-1].startswith(word):
                break
            evening.clock.run(KeyTiming().pace)
        evening.put("", 57)
    assert evening.scores == (8, 0)


def rests(evening: Evening) -> bool:
    return evening.clock.idle


def test_a_switch_that_is_left_alone_rests(evening: Evening) -> None:
    start(evening)
    evening.put("", 57)
    assert not rests(evening)
    evening.clock.run(300)
    assert rests(evening)
    assert not any(row.startswith(">") for row in evening.board.controller.displayed_rows)
    evening.put("", 57)
    evening.tap("", "A")
    assert evening.said.startswith("Ann:"), "any other key ends pointing"


def test_a_gamepad_points_with_its_cross(evening: Evening) -> None:
    start(evening)
    right, south = 547, 304
    shown = []
    for _ in range(3):
        evening.put("pad", right)
        shown.append(evening.said)
    assert len(set(shown)) == 3
    assert all(" | >" in row for row in shown)
    evening.put("pad", 305)
    assert ">" not in evening.said, "back only stops pointing"
    assert evening.board.table.record.moves[-1].verb == "deal"
    evening.put("pad", south)
    assert evening.said.startswith("Starter?"), "south answers the pending question"


def test_events_say_where_they_come_from() -> None:
    clock = VirtualClock()
    wires = VirtualWires(clock, keys=usb_numpad.Options())
    (keys,) = usb_numpad.open_ports(usb_numpad.Options(talk=183), wires)
    events: list[KeyEvent] = []
    keys.start(events.append)
    for source in (LEFT, RIGHT):
        wires.keyboards[0].put(CODES["7"], 1, source)
    wires.keyboards[0].put(183, 1, LEFT)
    wires.keyboards[0].put(-1, 0, LEFT)
    clock.run(0.1)
    edges = [(e.key, e.pressed, e.source) for e in events]
    assert edges[:3] == [("7", True, LEFT), ("7", True, RIGHT), ("talk", True, LEFT)]
    assert set(edges[3:]) == {("7", False, LEFT), ("talk", False, LEFT)}


def test_a_keypad_of_everybodys_ends_every_pairing_at_once(evening: Evening) -> None:
    start(evening)
    for _ in range(2):
        evening.pair(LEFT)
        evening.tap("", "*")
        assert evening.said == "Pads paired: | 1"


def test_a_key_whose_release_came_to_the_selftest_types_again(evening: Evening) -> None:
    start(evening)
    evening.tap("", "#", 1.2)
    evening.tap("", "8 3")
    keys = BorrowedKeys(evening.board.tested, evening.board.controller.forget_keys)
    evening.wires.keyboards[0].put(CODES["8"], 1, LEFT)
    evening.clock.run(0.05)
    keys.start(lambda event: None)
    evening.wires.keyboards[0].put(CODES["8"], 0, LEFT)
    evening.clock.run(0.05)
    keys.close()
    evening.tap(RIGHT, "5")
    evening.tap(LEFT, "8 #")
    assert evening.scores == (8, 0)
