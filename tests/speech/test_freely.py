"""A free transcript is read if every word of it belongs to the game; a move found so is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.speech import freely
from boardctl.speech.hearing import RANKS, SUITS, Guess, spell
from boardctl.speech.listening import Answer
from tests.speech.test_hearing import Talk
from tests.tables import keyed, submit

TABLE = freely.Table(
    {"ann": 1, "bob": 2}, {spell(n): n for n in range(1, 32)}, frozenset(RANKS), frozenset(SUITS)
)


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    with keyed(tmp_path) as table:
        for line in ("dealer 1", "deal", "starter 5D"):
            submit(table.table, line, "test")
        yield Talk(table)


def heard(talk: Talk, *guesses: tuple[str, float, float]) -> str:
    """Return the board's reply to judged guesses: text, score, how much better another one fits."""
    talk.hear(Answer(tuple(Guess(*one) for one in guesses), judged=True))
    return " / ".join(talk.ear.said)


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("give me four", freely.Reading("points", 0, 4)),
        ("bob moves six holes", freely.Reading("points", 2, 6)),
        ("anne scored twenty four", freely.Reading("points", 1, 24)),
        ("ann twelve i meant two", freely.Reading("points", 1, 2)),
        ("bob six not eight", freely.Reading("points", 2, 6)),
        ("fifteen two four six and a pair is eight", freely.Reading("hand", 0, 8)),
        ("fifteen two and nothing else", freely.Reading("hand", 0, 2)),
        ("bob didn't get anything", freely.Reading("hand", 2, 0)),
        ("up comes a four", freely.Reading("card", card="four")),
        ("six makes twenty three", freely.Reading("card", card="six")),
        ("twenty five with the eight", freely.Reading("card", card="eight")),
        ("it's the five of clubs", freely.Reading("card", card="five of clubs")),
        ("can we go back one", freely.Reading("undo")),
        ("i didn't mean that", freely.Reading("undo")),
        ("how many has bob got", freely.Reading("answer", answer="score")),
        ("whose hand is it", freely.Reading("answer", answer="turn")),
        ("sorry what was that", freely.Reading("answer", answer="again")),
        ("what should i do", freely.Reading("answer", answer="choices")),
        ("slow down a bit please", freely.Reading("answer", answer="slower")),
    ],
)
def test_every_word_belongs_to_the_game(text: str, reading: freely.Reading) -> None:
    assert list(freely.read(text, TABLE)) == [reading]


@pytest.mark.parametrize(
    "text",
    [
        "there are four of us for lunch", "he has nine lives that cat", "give bob his glasses",
        "i have to go at ten", "two for the price of one", "i'll have the same again", "wow",
        "seven days a week", "the answer is seven", "bob owes me a fiver", "it's gone eleven",
        "take my coat back to the shop", "ann has two and bob has four", "fifteen", "",
    ],
)  # fmt: skip
def test_one_word_of_another_world_means_nothing(text: str) -> None:
    assert list(freely.read(text, TABLE)) == []


def test_a_move_found_so_is_asked_and_never_entered(talk: Talk) -> None:
    said = heard(talk, ("give bob a total of six holes", -90.0, 0.1), ("bob six", -91.0, 40.0))
    assert said == "Bob pegs 6? Yes or neither"
    assert talk.table.scores == (0, 0)
    assert talk.say("yes").startswith("Bob pegs 6")
    assert talk.table.scores == (0, 6)


def test_points_without_a_player_ask_whose_they_are(talk: Talk) -> None:
    assert heard(talk, ("give me four", -28.0, 0.1)) == "Ann pegs 4 or Bob pegs 4?"


def test_a_question_to_the_board_is_answered(talk: Talk) -> None:
    assert heard(talk, ("how many has bob got", -60.0, 0.1)).startswith("Ann 0")


def test_a_move_that_the_referee_rejects_is_not_asked(talk: Talk) -> None:
    heard(talk, ("bob moves thirty holes", -28.0, 0.1))
    assert talk.ear.played == ["rejected"]


def test_only_the_transcript_is_read_freely(talk: Talk) -> None:
    """The grammar of a hand counted aloud is wider than what such a hand may be."""
    heard(talk, ("that was lucky", -24.0, 0.1), ("bob flush of five is five", -46.0, 26.0))
    assert talk.ear.played == ["rejected"]


def test_what_fits_better_and_is_no_phrase_asks(talk: Talk) -> None:
    said = heard(talk, ("i am a student", -32.3, 0.25), ("i take two", -34.7, 7.8))
    assert said == "Bob pegs 2 for the hand? Yes or neither"
    talk.say("no")
    assert heard(talk, ("i take two", -32.3, 7.8), ("i am a student", -34.7, 0.25)) != said
    assert talk.table.scores == (0, 2)


@pytest.mark.parametrize("text", ["number two", "it was nine", "i said nine", "no it's nine"])
def test_a_question_is_answered_in_more_ways(talk: Talk, text: str) -> None:
    talk.say("ann five", "ann nine", scores=(-5.0, -5.1))
    talk.say(text)
    assert talk.table.scores == (9, 0)
