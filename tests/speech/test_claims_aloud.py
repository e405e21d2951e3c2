"""The referee's questions about a hand's suits, asked and answered without looking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardctl.console.keypad import effects
from boardctl.console.settings import TableSettings
from boardctl.drivers.ports import KeyEvent
from boardctl.games import find
from boardctl.record import notation
from boardctl.speech import recogniser
from boardctl.speech.hearing import Grammar, Guess, Meaning
from boardctl.speech.listening import KEY, Answer, Listening
from boardctl.speech.voice import Voice
from boardctl.storage.journal import AtOnce, Journal
from tests.speech.by_ear import Ear
from tests.speech.by_voice import Mouth
from tests.tables import KeyedTable, submit

HANDS = {
    "cribbage": (["dealer 1", "deal", "starter 2C"], "2 show 4 5 J 6"),
    "five-card-cribbage": (["dealer 1", "deal", "starter 2C"], "2 show 4 J 6"),
    "noddy": (["dealer 1", "deal", "starter 2C"], "2 show 4 J 8"),
    "costly-colours": (["dealer 1", "deal", "starter 2C", "2 no-mog"], "2 show 4 J 8"),
}


class Exact(Mouth):
    """Hears exactly the spoken words."""

    def hear(self, task: dict[str, object]) -> Answer:
        return Answer((Guess(self.phrase, 0.0),), judged=True)


class Seat:
    """A table that hears and speaks, at a hand whose suits matter."""

    def __init__(self, journal: Journal, game: str, language: str) -> None:
        lines, hand = HANDS[game]
        settings = TableSettings(game, ("Ann", "Bob"), telling="hands", language=language)
        self.keyed = KeyedTable(journal, settings, board="classic-2")
        self.voice, self.ear, self.mouth = Voice(self.keyed.controller), Ear(), Exact()
        self.voice.join(self.ear)
        self.listening = Listening(self.keyed.controller, self.voice, "default", self.mouth)
        for line in lines:
            submit(self.keyed.table, line, "test")
        self.move = notation.parse(hand, find(game))
        self.heard()

    def heard(self) -> list[str]:
        self.keyed.clock.run(0.1)
        return self.ear.heard()

    def say(self, phrase: str) -> list[str]:
        self.mouth.phrase = phrase
        for pressed in (True, False):
            self.listening.take(KeyEvent(KEY, pressed, self.keyed.clock.time()))
            self.keyed.clock.run(0.05)
        return self.heard()


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Callable[[str, str], Seat]]:
    journal = Journal(tmp_path, AtOnce())

    def sit(game: str, language: str = "en") -> Seat:
        return Seat(journal, game, language)

    yield sit
    journal.close()


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", sorted(HANDS))
def test_each_key_says_what_it_claims(
    seat: Callable[[str, str], Seat], game: str, language: str
) -> None:
    table = seat(game, language)
    controller = table.keyed.controller
    assert table.move is not None
    controller.speak(table.move)
    state = controller.keypad_state
    assert state.mode == "question"
    view = controller.view._replace(language=language)
    keys = dict(effects.does(state, view))
    digits = {key: what for key, what in keys.items() if key.isdigit()}
    assert len(digits) == min(len(state.choices) - 1, 9), "the first is that of hash"
    assert len({*digits.values()}) == len(digits), "no two keys say the same"


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(HANDS))
def test_each_answer_is_made_of_words_that_the_recogniser_knows(
    seat: Callable[..., Seat], game: str
) -> None:
    pytest.importorskip("pocketsphinx", reason="the optional extra `voice`")
    machine, table = recogniser.decoder(), seat(game)
    assert table.move is not None
    table.keyed.controller.speak(table.move)
    choices = table.keyed.controller.keypad_state.choices
    may = Grammar(table.keyed.controller.view, only=[Meaning(move) for move in choices])
    assert {said for known in may.phrases.values() for said in known} >= {*map(Meaning, choices)}
    for word in " ".join(may.phrases).split():
        assert machine.lookup_word(word) is not None, word


def test_a_hand_is_said_and_what_its_suits_add(seat: Callable[..., Seat]) -> None:
    table = seat("cribbage")
    (asked,) = table.say("my hand four five jack six")
    assert asked.startswith("Bob shows four, five, jack, six: nothing more, his nobs, flush or ")
    assert asked.endswith("flush with the starter and his nobs?")
    heard = table.say("his nobs")
    assert heard[0] == "Bob shows four, five, jack, six"
    assert table.keyed.table.position.shown_scores == (0, 8)
    assert table.keyed.controller.keypad_state.mode == "rest"


def test_twelve_answers_are_asked_in_steps(seat: Callable[..., Seat]) -> None:
    table = seat("costly-colours")
    (asked,) = table.say("bob hand four jack eight")
    assert asked.count(",") < 10, "not all at once"
    (asked,) = table.say("three of a colour")
    assert "one jack or deuce of the starter’s suit?" in asked
    before = table.keyed.table.position.scores
    table.say("second")
    assert table.keyed.controller.keypad_state.mode == "rest"
    (move,) = [line.move for line in table.keyed.table.record.deal[-1:]]
    assert move.words == ("three-colour", "right 1")
    assert table.keyed.table.position.scores != before


def test_a_step_that_was_left_leads_nowhere(seat: Callable[..., Seat]) -> None:
    table = seat("costly-colours")
    (asked,) = table.say("bob hand four jack eight")
    table.listening.take(KeyEvent("*", True, table.keyed.clock.time()))
    table.keyed.press("*")
    assert table.say("bob hand four jack eight") == [asked]


@pytest.mark.parametrize("answer", ["neither", "#"])
def test_what_was_asked_is_left_or_answered_by_keys(seat: Callable[..., Seat], answer: str) -> None:
    table = seat("cribbage")
    table.say("my hand four five jack six")
    if answer == "#":
        table.listening.take(KeyEvent("#", True, table.keyed.clock.time()))
        table.keyed.press("#")
    else:
        assert table.say("neither")[:2] == ["Neither", "Bob’s hand: which cards?"]
    assert table.keyed.table.position.shown_scores == ((0, 0) if answer == "neither" else (0, 7))
    assert table.keyed.controller.keypad_state.mode == "rest"
    assert table.say("what is the score"), "any phrase is heard again"
