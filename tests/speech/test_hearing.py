"""Spoken moves: the possible phrases, the meaning, the questions asked back."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from boardctl import games
from boardctl.console.settings import TableSettings
from boardctl.drivers.ports import KeyEvent
from boardctl.games import Move, Telling
from boardctl.games.cards import UNSEEN, Card, Rank, Suit
from boardctl.record import notation
from boardctl.record.record import Record
from boardctl.speech import hearing, recogniser
from boardctl.speech.hearing import Grammar, Guess, Meaning
from boardctl.speech.listening import LONGEST, Answer, Listening
from boardctl.speech.voice import Voice
from tests.console.test_presses import Keypad
from tests.speech.by_ear import Ear
from tests.tables import KeyedTable, keyed, submit

Back = Callable[[Answer | None], None]


class Microphone:
    """A recogniser that hears the test's phrases."""

    def __init__(self) -> None:
        self.tasks: list[dict[str, object]] = []
        self.answers: list[Back] = []
        self.finished = self.cancelled = 0

    def __call__(self, task: dict[str, object], heard: Back) -> Microphone:
        self.tasks.append(task)
        self.answers.append(heard)
        return self

    def finish(self) -> None:
        self.finished += 1

    def cancel(self) -> None:
        self.cancelled += 1


class Talk:
    """A table at which moves are spoken."""

    def __init__(self, table: KeyedTable) -> None:
        self.table = table
        self.ear = Ear()
        self.microphone = Microphone()
        self.voice = Voice(table.controller)
        self.voice.join(self.ear)
        self.listening = Listening(table.controller, self.voice, "default", self.microphone)
        table.clock.run(0.1)

    def hold(self, pressed: bool) -> None:
        self.listening.take(KeyEvent("talk", pressed, self.table.clock.time()))

    def hear(self, answer: Answer) -> None:
        """Hold the key, and let the recogniser answer."""
        self.hold(True)
        self.hold(False)
        self.microphone.answers[-1](answer)
        self.table.clock.run(0.1)

    def say(
        self, *texts: str, scores: tuple[float, ...] = (0.0, -1.0, -2.0), clear: bool = True
    ) -> str:
        """Hold the key and speak; the recogniser guesses these texts."""
        self.hold(True)
        self.hold(False)
        guesses = tuple(Guess(text, score) for text, score in zip(texts, scores, strict=False))
        self.microphone.answers[-1](Answer(guesses, clear))
        self.table.clock.run(0.1)
        return " / ".join(self.ear.said)


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    with keyed(tmp_path) as table:
        for line in ("dealer 1", "deal", "starter 5D"):
            submit(table.table, line, "test")
        yield Talk(table)


def test_points_are_spoken_read_back_and_undone(talk: Talk) -> None:
    spoken = talk.say("ann eight")
    assert talk.table.scores == (8, 0)
    assert spoken.startswith("Ann pegs 8")
    spoken = talk.say("take that back")
    assert talk.table.scores == (0, 0)
    assert spoken.startswith("Taken back: Ann pegs 8")
    talk.say("player two twelve")
    assert talk.table.scores == (0, 12)
    talk.say("wrong")
    assert talk.table.scores == (0, 0)


def test_a_hand_is_spoken(talk: Talk) -> None:
    spoken = talk.say("bob hand four five five six")
    assert talk.table.scores == (0, 23)
    assert "twenty-three" in spoken
    talk.say("take that back")
    talk.say("my hand four five five six")
    assert talk.table.scores == (0, 23), "the hand that is due"


@pytest.mark.parametrize("telling", ["points", "hands"])
def test_the_points_of_a_hand_are_spoken(talk: Talk, telling: Telling) -> None:
    talk.table.controller.telling = telling
    spoken = talk.say("my hand eight")
    assert talk.table.scores == (0, 8), "the hand that is due"
    assert "Bob pegs 8" in spoken
    talk.ear.played.clear()
    talk.say("bob hand four")
    assert talk.ear.played == ["rejected"], "it is pegged"
    talk.say("ann hand twelve")
    assert talk.table.scores == (12, 8)
    talk.say("my crib two")
    assert talk.table.scores == (14, 8)
    talk.say("take that back")
    assert talk.table.scores == (12, 8)


def test_points_in_tricks_are_spoken(tmp_path: Path) -> None:
    settings = TableSettings("bezique", telling="points")
    with keyed(tmp_path, settings) as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        talk = Talk(table)
        assert talk.say("count eighty").startswith("Ann counts 80 in tricks")
        assert talk.say("yes").startswith("Bob counts 90 in tricks")
        assert table.scores == (80, 90)


def test_points_that_no_hand_has_are_not_heard(talk: Talk) -> None:
    grammar = Grammar(talk.table.controller.view)
    assert "my hand twenty nine" in grammar.phrases
    for points in ("nineteen", "twenty five", "thirty"):
        assert f"my hand {points}" not in grammar.phrases


def test_questions_change_nothing(talk: Talk) -> None:
    number = talk.table.table.number
    assert talk.say("what is the score") == "Ann 0. Bob 0. level"
    offered = talk.say("what can i do")
    assert offered.startswith("You can say: bob hand four five five six")
    assert "hash" not in offered
    assert talk.say("whose turn is it").startswith("Bob’s hand")
    assert talk.table.table.number == number


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("last move", "The starter is five"), ("the last five moves", "New deal. The starter"),
        ("which cards are out", "No card played"), ("whose turn is it", "Bob’s hand"),
    ],
)  # fmt: skip
def test_the_deal_is_reviewed_aloud(talk: Talk, phrase: str, said: str) -> None:
    assert talk.say(phrase) and said in " / ".join(talk.ear.said)


def test_the_referee_drops_what_cannot_be(talk: Talk) -> None:
    grammar = Grammar(talk.table.controller.view)
    assert "ann eight" in grammar.phrases
    assert "go" not in grammar.phrases
    assert not list(grammar.meanings("ann hand five five five five"))
    talk.say("bob hand five five five five", "bob hand four five five six", scores=(0.0, -0.001))
    assert talk.table.scores == (0, 23), "there are only four fives, and the starter is one"
    talk.say("bob hand five five five five")
    assert talk.table.scores == (0, 23)
    assert talk.ear.played[-1] == "rejected"


def test_what_is_close_is_asked_back_and_never_guessed(talk: Talk) -> None:
    spoken = talk.say("ann five", "ann nine", scores=(-0.2, -0.2 - 0.2 * hearing.MARGIN / 2))
    assert talk.table.scores == (0, 0)
    assert spoken == "Ann pegs 5 or Ann pegs 9?"
    phrases = talk.microphone.tasks[-1]["phrases"]
    assert isinstance(phrases, list)
    spoken = talk.say("nine")
    answers = talk.microphone.tasks[-1]["phrases"]
    assert isinstance(answers, list)
    assert len(answers) < len(phrases)
    assert {"five", "nine", "ann five", "ann nine", "neither"} <= set(answers)
    assert talk.table.scores == (9, 0)
    talk.say("bob two", "bob ten", scores=(0.0, 0.0))
    assert talk.say("neither") == "Neither"
    assert talk.table.scores == (9, 0)
    talk.say("bob two", "bob ten", scores=(0.0, 0.0))
    talk.listening.take(KeyEvent("5", True, 0.0))
    talk.say("ann two")
    assert talk.table.scores == (11, 0), "a key ends the question"


def test_who_does_it_is_asked_back_and_answered_by_name(tmp_path: Path) -> None:
    """Either player may have cut the card, so the card alone is not an answer."""
    with keyed(tmp_path) as table:
        talk = Talk(table)
        spoken = talk.say("two of hearts")
        assert spoken == "Ann cuts two of hearts or Bob cuts two of hearts?"
        talk.hold(True)
        answers = talk.microphone.tasks[-1]["phrases"]
        talk.hold(False)
        talk.microphone.answers[-1](Answer((Guess("bob", 0.0),)))
        table.clock.run(0.1)
        assert isinstance(answers, list)
        assert {"ann", "bob", "player one", "player two", "neither"} <= set(answers)
        assert not {"two of hearts", "deuce of hearts"} & set(answers)
        assert table.table.record.moves[-1] == Move("cut", 2, (Card(Rank.TWO, Suit.HEARTS),))


def test_cards_that_nobody_has_seen_are_answered_by_how_many(talk: Talk) -> None:
    """A recogniser accepts no phrase without words."""
    melds = [Meaning(Move("meld", 1, (UNSEEN,) * count)) for count in (3, 4)]
    answers = Grammar(talk.table.controller.view, only=melds).phrases
    assert answers["three cards"] == melds[:1]
    assert answers["four cards"] == melds[1:]
    assert all(answers)


def test_a_narrower_search_does_not_outdo_a_wider_one(talk: Talk) -> None:
    """A guess found when the best one is forbidden was possible before, and less likely."""
    spoken = talk.say("ann five", "ann nine", scores=(-0.3, -0.2))
    assert spoken == "Ann pegs 5 or Ann pegs 9?"


def test_the_less_likely_a_guess_the_further_ahead_it_must_be(talk: Talk) -> None:
    ahead = 0.2 * hearing.MARGIN
    assert talk.say("ann five", "ann nine", scores=(-0.4, -0.4 - ahead)).endswith("?")
    talk.say("neither")
    talk.say("ann five", "ann nine", scores=(-0.1, -0.1 - ahead))
    assert talk.table.scores == (5, 0)


def test_a_hand_and_a_crib_are_spoken_one_by_one(talk: Talk) -> None:
    """The grammar leaves out points that neither a hand nor a crib can have, because they sound
    like others: nineteen like nine, thirty like thirteen."""
    said = set(Grammar(talk.table.controller.view).phrases)
    for points in ("nineteen", "twenty five", "twenty six", "twenty seven", "thirty"):
        assert not {f"ann {points}", f"bob {points}"} & said
    assert {"ann fifteen", "ann eighteen", "ann twenty four", "bob twenty nine"} <= said


def test_what_is_said_in_noise_is_asked_back(talk: Talk) -> None:
    assert talk.say("ann eight", clear=False) == "Ann pegs 8? Yes or neither"
    assert talk.table.scores == (0, 0)
    talk.say("yes")
    assert talk.table.scores == (8, 0)


def test_noise_gets_a_sound_and_then_an_example(talk: Talk) -> None:
    said = "That was not understood. Say for example: bob hand four five five six, ann one"
    assert talk.say() == ""
    assert talk.ear.played == ["rejected"]
    assert talk.say("mumble") == said
    assert talk.table.scores == (0, 0)
    talk.say("what is the score")
    talk.ear.said.clear()
    assert talk.say("mumble") == "", "a phrase that was understood begins anew"


def test_without_sounds_it_is_said_that_nothing_was_understood(talk: Talk) -> None:
    talk.voice.settings = talk.voice.settings._replace(sounds=False)
    assert talk.say("mumble") == "That was not understood"


def judged(text: str, gap: float, score: float = -10.0) -> Answer:
    """Return a phrase judged by a second recogniser."""
    return Answer((Guess(text, score, gap),), judged=True)


def test_speech_that_fits_no_phrase_is_never_a_move(talk: Talk) -> None:
    """The second recogniser's free transcript fits far better. If it fits only slightly better, the
    board asks."""
    answers = {
        "far": judged("ann eight", hearing.VETO + 3 * hearing.EACH_WORD),
        "unlikely": judged("ann eight", 0.0, hearing.FLOOR - 2 * hearing.LOWER - 1),
    }
    for why, answer in answers.items():
        talk.hear(answer)
        assert talk.table.scores == (0, 0), why
    talk.ear.said.clear()
    talk.hear(judged("ann eight", hearing.DOUBT + 3 * hearing.EACH_WORD))
    assert talk.ear.said == ["Ann pegs 8? Yes or neither"]
    talk.hear(judged("no", 0.0))
    assert talk.table.scores == (0, 0)
    talk.hear(judged("ann eight", 0.0))
    assert talk.table.scores == (8, 0)


def test_no_example_has_a_hand_aloud_before_the_play() -> None:
    for telling in ("hands", "cards"):
        before = Grammar(Keypad(telling).view).examples()
        assert before
        assert not any("hand" in phrase or "crib" in phrase for phrase in before), before
    shown = Grammar(Keypad("hands", "starter 5").view).examples()
    assert shown[0] == "bob hand four five five six"
    for phrase in shown:
        assert list(Grammar(Keypad("hands", "starter 5").view).meanings(phrase)), phrase


@pytest.mark.parametrize("name", games.names())
def test_no_game_asks_for_a_hand_aloud_before_the_play(name: str, tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings(name, telling="cards")) as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        talk = Talk(table)
        for question in ("what can i do", "whose turn is it"):
            said = talk.say(question)
            assert said and "hand" not in said, (name, said)


def test_one_recogniser_alone_asks_about_everyday_phrases(talk: Talk) -> None:
    assert talk.say("fifteen two and a pair is four") == "Bob pegs 4 for the hand? Yes or neither"
    talk.say("yes")
    assert talk.table.scores == (0, 4)
    assert talk.say("ann has eight") == "Ann pegs 8? Yes or neither"
    talk.say("yes")
    assert talk.say("who's winning").startswith("Ann 8. Bob 4")


def test_a_meaning_fits_as_well_as_the_best_phrase_for_it(talk: Talk) -> None:
    guesses = (Guess("ann has eight", -10.0, 40.0), Guess("ann eight", -12.0, 0.0))
    talk.hear(Answer(guesses, judged=True))
    assert talk.table.scores == (8, 0)
    talk.hear(Answer((Guess("ann has nine", -10.0, 40.0),), judged=True))
    assert talk.table.scores == (8, 0)


@pytest.mark.parametrize("word", ["no", "nope", "none", "wrong", "cancel", "stop", "never mind"])
def test_a_refusal_is_one_in_every_question(talk: Talk, word: str) -> None:
    talk.say("ann eight", clear=False)
    assert talk.say(word) == "Neither"
    talk.say("ann five", "ann nine", scores=(-0.2, -0.2))
    assert talk.say(word) == "Neither"
    assert talk.table.scores == (0, 0)


@pytest.mark.parametrize("word", ["yes", "yeah", "okay", "sure", "right", "that's right"])
def test_agreement_is_one_where_one_move_is_asked(talk: Talk, word: str) -> None:
    talk.say("ann eight", clear=False)
    talk.say(word)
    assert talk.table.scores == (8, 0)
    talk.say("ann five", "ann nine", scores=(-0.2, -0.2))
    talk.say(word)
    assert talk.table.scores == (8, 0), "yes to which?"


@pytest.mark.parametrize(
    ("word", "points"),
    [("first", 5), ("the first one", 5), ("second", 9), ("the second one", 9), ("no nine", 9)],
)
def test_a_question_is_answered_by_place_and_number(talk: Talk, word: str, points: int) -> None:
    talk.say("ann five", "ann nine", scores=(-0.2, -0.2))
    talk.say(word)
    assert talk.table.scores == (points, 0)


def test_a_question_that_was_not_answered_stays_open(talk: Talk) -> None:
    talk.say("ann eight", clear=False)
    talk.say("mumble")
    talk.say("yes")
    assert talk.table.scores == (8, 0)


def test_a_question_ends_after_two_answers_that_were_not_understood(talk: Talk) -> None:
    """Otherwise only an answer would ever be understood again."""
    talk.say("ann eight", clear=False)
    talk.say("mumble")
    talk.ear.said.clear()
    assert "Say for example: bob hand four five five six" in talk.say("mumble")
    talk.say("bob four")
    assert talk.table.scores == (0, 4)


@pytest.mark.parametrize(
    ("phrase", "moves"),
    [
        ("fifteen two fifteen four and a pair is six", ["2 peg 6 hand"]),
        ("bob fifteen two fifteen four and a pair is six", ["2 peg 6 hand"]),
        ("fifteen two and the rest won't score", ["2 peg 2 hand"]),
        ("fifteen two fifteen four and a pair is eight", []),
        ("fifteen two fifteen six", []),
        ("she's got twelve", ["1 peg 12", "2 peg 12"]),
        ("i've got nothing", ["2 peg 0 hand"]),
        ("give ann two points", ["1 peg 2"]),
        ("eight for bob", ["2 peg 8"]),
        ("ann five no eight", ["1 peg 8"]),
        ("bob's hand is worth six", ["2 peg 6 hand"]),
        ("bob has four five five and a six", ["2 show 4 5 5 6"]),
        ("thirty one for two", ["1 peg 2", "2 peg 2"]),
        ("undo that", ["undo"]),
    ],
)
def test_everyday_phrases(phrase: str, moves: list[str]) -> None:
    grammar = Grammar(Keypad("hands", "starter 5").view)
    meant = [said.move for said in grammar.meanings(phrase)]
    assert meant == [notation.parse_move(line, games.find("cribbage")) for line in moves]


def test_a_card_is_played_and_turned_in_everyday_words() -> None:
    start = Grammar(Keypad("hands").view)
    for phrase in ("flip a five", "turned up the five", "the starter is a five"):
        (said,) = start.meanings(phrase)
        assert said.move == Move("starter", cards=(Card(Rank.FIVE),))
    play = Grammar(Keypad("cards", "starter 5", "2 play T", "1 play 7", "2 play 9").view)
    for phrase in ("i play the five", "ann plays a five", "thirty one for two", "a five"):
        (said,) = play.meanings(phrase)
        assert said.move == Move("play", 1, (Card(Rank.FIVE),)), phrase


def test_the_table_may_change_while_somebody_speaks(talk: Talk) -> None:
    talk.hold(True)
    submit(talk.table.table, "2 peg 4", "page")
    talk.hold(False)
    talk.microphone.answers[-1](Answer((Guess("bob four", 0.0),)))
    talk.table.clock.run(0.1)
    assert talk.table.scores == (0, 4)
    assert "changed" in talk.ear.said[-1]


def test_a_recogniser_that_fails_is_reported_and_the_keys_go_on(talk: Talk) -> None:
    talk.hold(True)
    talk.hold(False)
    talk.microphone.answers[-1](None)
    talk.table.clock.run(0.1)
    assert "hearing" in talk.table.controller.faults
    talk.table.press("A 3 #")
    assert talk.table.scores == (3, 0)
    talk.say("ann eight")
    assert talk.table.controller.faults == {}


def test_a_stuck_switch_ends_by_itself(talk: Talk) -> None:
    talk.hold(True)
    talk.table.clock.run(LONGEST + 1)
    assert talk.microphone.finished == 1
    talk.hold(False)
    assert talk.microphone.finished == 1
    talk.hold(True)
    talk.listening.close()
    assert talk.microphone.cancelled == 1


def test_cards_of_the_play_are_spoken() -> None:
    table = Keypad("cards", "starter 5", "2 play T")
    grammar = Grammar(table.view)
    heard = grammar.understand([Guess("queen", 0.0)])
    assert next(said.move for said in heard.meanings if said.move).seat == 1
    assert "queen of hearts" in grammar.phrases
    start = Grammar(Keypad("cards").view)
    (said,) = start.understand([Guess("starter queen of hearts", 0.0)]).meanings
    assert said.move is not None
    assert str(said.move.cards[0]) == "QH"


def test_every_offer_can_be_said() -> None:
    view = Keypad("cards", "starter 5", "2 play T", "1 play 9", "2 play A", "1 play A").view
    grammar = Grammar(view)
    for ask in view.asks:
        if ask.kind == "confirm":
            assert any(Meaning(ask.move) in known for known in grammar.phrases.values()), ask
    assert Meaning(Move("undo")) in grammar.phrases["take that back"]


def test_melds_are_spoken_by_the_names_of_their_cards() -> None:
    record = Record()
    for line in ("game bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "turnup 8S"):
        record.read(line)
    record.read("2 play 7H")
    record.read("1 play 8H")
    table = Keypad("cards")
    table.record = record
    grammar = Grammar(table.view)
    assert "ann melds king of hearts queen of hearts" in grammar.phrases
    letters = set("kqj") & {word for phrase in grammar.phrases for word in phrase.split()}
    assert letters == set(), "no voice says them, and no recogniser hears them"


class Scripted:
    """A decoder that hears scripted phrases, search by search; it keeps its grammars."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.grammars: list[str] = []

    def lookup_word(self, word: str) -> str:
        return word

    def add_jsgf_string(self, name: str, grammar: str) -> None:
        self.grammars.append(grammar)

    def activate_search(self, name: str) -> None: ...

    def start_utt(self) -> None: ...

    def process_raw(self, audio: bytes, full_utt: bool) -> None: ...

    def end_utt(self) -> None: ...

    def hyp(self) -> SimpleNamespace:
        return SimpleNamespace(hypstr=self.texts.pop(0), score=0.8)


def test_a_hand_is_compared_with_those_that_differ_in_one_card(talk: Talk) -> None:
    task: Any = Grammar(talk.table.controller.view).task() | {"frames": [], "counts": []}
    del task["names"], task["words"]
    machine = Scripted(
        "bob hand king five jack ten", "bob hand king five jack king", "bob ten", "", ""
    )
    found = recogniser.guesses(machine, audio=b"", **task)
    assert [text for text, _ in found] == [
        "bob hand king five jack ten",
        "bob hand king five jack king",
        "bob ten",
    ]
    rules = machine.grammars[1]
    assert "bob hand king five jack ( " in rules
    last = rules.partition("bob hand king five jack ( ")[2].partition(" )")[0].split(" | ")
    assert "king" in last
    assert "ten" not in last
    assert "bob hand king five jack" not in machine.grammars[2]
    heard = Grammar(talk.table.controller.view).understand(Guess(*one) for one in found)
    assert len(heard.meanings) > 1, "asked back"


def test_silence_around_a_phrase_is_left_out() -> None:
    """Noise counts as silence. A phrase that fills everything, or nothing at all, stays
    complete."""
    chance, frame = Random(3), recogniser.RATE // 50
    for noise in (0, 20):
        samples = [round(chance.gauss(0, noise)) for _ in range(120 * frame)]
        for n in range(50 * frame, 70 * frame):
            samples[n] += round(8000 * math.sin(n / 5))
        audio = array("h", samples).tobytes()
        kept = recogniser.trimmed(audio)
        assert len(kept) == 2 * frame * (20 + 2 * recogniser.AROUND)
        start = audio.index(kept) // 2 // frame
        assert start == 50 - recogniser.AROUND
    for whole in (b"", b"\0" * 64_000, kept[2 * frame * recogniser.AROUND :][: 40 * frame]):
        assert recogniser.trimmed(whole) == whole
