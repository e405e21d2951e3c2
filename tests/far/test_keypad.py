"""An invitation is accepted, and the other house answered, by keys alone."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.console.keypad import Command, screen
from boardctl.console.keypad.machine import press
from boardctl.console.keypad.state import REST, KeypadState, TableView
from boardctl.far import words
from boardctl.games import IllegalMove, Move, Played, Prompt
from boardctl.record.position import Position


def _attempt(move: Move) -> Played[Position]:
    raise IllegalMove("wrong-turn")


VIEW = TableView(Prompt(), (), (), "hands", _attempt)


def typed(*keys: str) -> tuple[KeypadState, object]:
    state = REST
    effect: object = None
    for key in ("hold #", "8", "4", *keys):
        state, effect = press(state, VIEW, key)
    return state, effect


def test_the_numbers_of_six_words_accept_an_invitation() -> None:
    secret = Random(1).getrandbits(words.BITS)
    digits = "".join(words.numbers(words.spell(secret)))
    state, effect = typed(*digits)
    assert effect is None
    assert screen.lines(state, VIEW)[0] == "Accept?"
    state, effect = typed(*digits, "5", "#")
    assert effect == Command("far", digits)
    assert words.read(digits) == secret
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
