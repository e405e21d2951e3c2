"""Keys alone accept an invitation, and answer the other house."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.console.keypad import Command, screen
from boardctl.console.keypad.machine import press
from boardctl.console.keypad.state import REST, KeypadState, TableView
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.far import invitation_words
from boardctl.far.feature import FEATURE as FAR
from boardctl.far.game_log import Question
from boardctl.far.keypad_menu import GONE, FarKeys
from boardctl.games import IllegalMove, Move, Played, Prompt
from boardctl.record.position import Position
from boardctl.signals import Signal
from boardctl.speech.feature import FEATURE as SPEECH
from boardctl.storage.journal import AtOnce


def _attempt(move: Move) -> Played[Position]:
    raise IllegalMove("wrong-turn")


VIEW = TableView(Prompt(), (), (), "hands", _attempt, items=FAR.menu)


def typed(*keys: str) -> tuple[KeypadState, object]:
    state = REST
    effect: object = None
    for key in ("hold #", "8", "4", *keys):
        state, effect = press(state, VIEW, key)
    return state, effect


def test_the_numbers_of_six_words_accept_an_invitation() -> None:
    secret = Random(1).getrandbits(invitation_words.BITS)
    digits = "".join(invitation_words.numbers(invitation_words.spell(secret)))
    state, effect = typed(*digits)
    assert effect is None
    assert screen.lines(state, VIEW)[0] == "Accept?"
    state, effect = typed(*digits, "5", "#")
    assert effect == Command("far", digits)
    assert invitation_words.read(digits) == secret
    assert state == REST


def test_the_display_says_which_word_is_due() -> None:
    state, _ = typed(*"04120")
    assert screen.lines(state, VIEW) == ("Word 2 of 6?", "0_")
    state, effect = typed(*"04120", "#")
    assert effect is None
    state, _ = typed(*"04120", "*")
    assert state == REST


@pytest.mark.parametrize(
    ("key", "value"), [("#", "play"), ("A", "yes"), ("B", "no"), ("C", "stand")]
)
def test_the_other_house_is_answered(key: str, value: str) -> None:
    assert typed(key)[1] == Command("far", value)
    assert typed("1", key)[1] is None, "not while digits are typed"


class Table:
    """A board's display, and news of another house."""

    def __init__(self, data: Path) -> None:
        self.clock = VirtualClock()
        self.board = BoardApp(
            simulated(Config()),
            data,
            self.clock,
            None,
            AtOnce(),
            (SPEECH, replace(FAR, start=None)),
        )
        self.spoken: list[str] = []
        self.board.features.of("speech").voice.spoken.connect(self.spoken.append)
        self.notice = self.invitation = ""
        self.presence = (True, "Bob is there")
        self.house = SimpleNamespace(
            asks=None,
            notice=lambda language: self.notice,
            question=lambda language: "Bob asks: take back the last move",
            presence=lambda language: self.presence,
            invitation=lambda language: self.invitation,
        )
        self.far = SimpleNamespace(houses=self.house, changed=Signal())
        FarKeys(self.board.controller, self.far)  # type: ignore[arg-type]  # the parts that it uses
        self.clock.run(1)

    def hear(self, notice: str = "", asks: Question | None = None) -> str:
        """Return the display after an event, whatever else happens between the houses."""
        self.notice, self.house.asks = notice, asks
        for _ in range(3):
            self.far.changed.send()
            self.clock.run(0.2)
        return " ".join(self.board.controller.displayed_rows).rstrip()

    def press(self, key: str) -> None:
        self.board.press(key, True)
        self.clock.run(0.05)
        self.board.press(key, False)
        self.clock.run(0.3)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.board.close()


def test_what_the_other_house_refuses_is_shown_and_spoken(table: Table) -> None:
    before = table.hear()
    assert table.hear(asks=Question(7, "undo")).startswith("Bob asks: take back")
    assert any("Bob asks: take back the last move. Hold hash, 8, 4" in s for s in table.spoken)
    assert table.hear("Bob does not agree: take back the last move").startswith("Bob does not")
    assert any("Bob does not agree: take back" in said for said in table.spoken)
    assert table.hear() == before, "what happens next takes it away"


def test_a_house_that_wants_to_play_is_shown_and_spoken(table: Table) -> None:
    before = table.hear()
    table.invitation = "Bob wants to play"
    assert table.hear().startswith("Bob wants to")
    assert any("Bob wants to play. Hold hash, 8, 4, hash" in said for said in table.spoken)
    table.invitation = ""
    assert table.hear() == before


def test_a_notice_waits_for_an_entry_and_goes_with_a_key(table: Table) -> None:
    before = table.hear()
    table.press("A")
    typing = table.hear()
    assert table.hear("The game has stopped.") == typing, "nobody is interrupted"
    table.press("*")
    assert table.hear("The game has stopped.") == "The game has stopped."
    table.press("A")
    table.press("*")
    assert table.hear("The game has stopped.") == before, "it is said once"
    table.press("A")
    assert table.hear("Bob does not agree") == typing
    assert table.hear() == typing
    table.press("*")
    assert table.hear() == before, "it was over before anybody could read it"


def test_a_house_that_is_away_for_a_while_is_missed_and_greeted(table: Table) -> None:
    """The board also says so aloud, for people who play by ear and see no page."""
    before = table.hear()
    table.presence = (False, "Bob is not connected now")
    assert table.hear() == before
    table.presence = (True, "Bob is there")
    table.hear()
    table.clock.run(GONE)
    assert table.hear() == before, "a line that was lost for a moment"
    table.presence = (False, "Bob is not connected now")
    table.hear()
    table.clock.run(GONE)
    assert table.hear() == "Bob is not connected now"
    assert any("Bob is not connected now" in said for said in table.spoken)
    assert table.hear(asks=Question(7, "undo")).startswith("Bob asks")
    assert table.hear() == "Bob is not connected now"
    table.presence = (True, "Bob is there")
    assert table.hear() == "Bob is there"
    assert any("Bob is there" in said for said in table.spoken)
    table.press("A")
    table.press("*")
    assert table.hear() == before


def test_with_no_connection_of_our_own_that_is_what_is_said(table: Table) -> None:
    table.presence = (False, "Bob is not connected now")
    table.hear()
    table.clock.run(GONE)
    table.presence = (False, "No connection")
    assert table.hear() == "No connection"
