"""A free transcript is read if every word of it belongs to the game; a move found so is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.speech import freely, recogniser
from boardctl.speech.hearing import Guess
from boardctl.speech.listening import Answer
from boardctl.speech.phrases import RANKS, SUITS, spell
from tests.speech.test_hearing import Talk
from tests.tables import keyed, submit
from tools.voice import corpus, evaluate, table

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
        ("let me have two", freely.Reading("points", 0, 2)),
        ("a couple for bob", freely.Reading("points", 2, 2)),
        ("ann's cards are worth four", freely.Reading("points", 1, 4)),
        ("ann six no nine", freely.Reading("points", 1, 9)),
        ("four for ann i mean for bob", freely.Reading("points", 2, 4)),
        ("ann gets three not four", freely.Reading("points", 1, 3)),
        ("fifteen two and a pair is four no six", freely.Reading("hand", 0, 6)),
        ("three fifteens and a run of three", freely.Reading("hand", 0, 9)),
        ("a triple run is fifteen", freely.Reading("counted", 0, 15)),
        ("nineteen", freely.Reading("hand", 0, 0)),
        ("not a thing", freely.Reading("hand", 0, 0)),
        ("two for his heels", freely.Reading("heels", 0, 2)),
        ("i play a seven sorry a nine", freely.Reading("card", card="nine")),
        ("pair of sevens for two", freely.Reading("card", card="seven")),
        ("the cut's a king", freely.Reading("card", card="king")),
        (
            "i've got two fives a jack and a king",
            freely.Reading("shown", cards=("five", "five", "jack", "king")),
        ),
        ("fifteen to fifteen for and a pair is six", freely.Reading("hand", 0, 6)),
        ("that's not what i said", freely.Reading("undo")),
        ("what did bob play", freely.Reading("answer", answer="last")),
        ("what's been played", freely.Reading("answer", answer="cards")),
    ],
)
def test_every_word_belongs_to_the_game(text: str, reading: freely.Reading) -> None:
    assert list(freely.read(text, TABLE)) == [reading]


def test_a_name_may_be_written_as_a_small_word() -> None:
    assert freely.Reading("points", 1, 10) in freely.read("and eight no sorry ten", TABLE)


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


def test_a_transcript_in_the_games_words_is_asked_if_nothing_fits(talk: Talk) -> None:
    near = ("bob moves six holes", recogniser.NEARLY, 2.0)
    unfit = ("bob nine", -90.0, 30.0)
    assert heard(talk, unfit, ("bomb it whole", -91.0, 0.1), near) == "Bob pegs 6? Yes or neither"
    talk.say("no")
    talk.ear.played.clear()
    heard(talk, unfit, ("bomb it whole", -91.0, 0.1), ("bob six", recogniser.NEARLY, 2.0))
    assert talk.table.scores == (0, 0), "even a phrase of the board's own"
    talk.say("no")
    talk.ear.played.clear()
    assert heard(talk, ("bob nine", -10.0, 0.1), near).startswith("Bob pegs 9"), "a guess fits"
    assert talk.table.scores == (0, 9)


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


@pytest.mark.parametrize("part", ["tune", "test", "fresh", "wider"])
def test_everyday_phrases_that_are_written_without_a_mistake_are_understood(part: str) -> None:
    outcomes = Counter(evaluate.text_outcome(phrase) for phrase in corpus.everyday(part))
    understood = outcomes["right"] + outcomes["offered"]
    assert outcomes["wrong"] == 0
    assert understood >= 0.97 * outcomes.total()


@pytest.mark.parametrize("part", ["tune", "test", "fresh", "wider"])
@pytest.mark.parametrize("situation", tuple(table.SITUATIONS))
def test_speech_that_is_not_meant_for_the_board_enters_nothing(part: str, situation: str) -> None:
    phrases = [one._replace(situation=situation) for one in corpus.aside(part)]
    outcomes = Counter(evaluate.text_outcome(phrase) for phrase in phrases)
    assert outcomes["wrong"] == outcomes["right"] == 0
    assert outcomes["astray"] <= 0.06 * outcomes.total()


def test_another_number_answers_a_question(talk: Talk) -> None:
    talk.say("ann five", "ann nine", scores=(-5.0, -5.1))
    assert heard(talk, ("no twelve", -20.0, 0.1)).startswith("Ann pegs 12? Yes or neither")
    assert talk.table.scores == (0, 0)
    talk.say("yes")
    assert talk.table.scores == (12, 0)


def test_a_question_is_answered_in_a_whole_sentence(talk: Talk) -> None:
    talk.say("ann five", "bob five", scores=(-5.0, -5.1))
    talk.say("five points to bob")
    assert talk.table.scores == (0, 5)


def test_the_cards_of_a_hand_are_read_freely_and_asked(talk: Talk) -> None:
    said = heard(talk, ("i hold two fours a five and a six", -60.0, 0.1))
    assert "Yes or neither" in said
    assert talk.table.scores == (0, 0)
    talk.say("yes")
    assert talk.table.scores == (0, 24)
