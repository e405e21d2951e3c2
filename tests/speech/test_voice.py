"""The board's speech: every state of the keypad, every key, counts, news, corrections, and sounds.
At three levels, in two languages, silenced by the next key."""

from __future__ import annotations

import io
import wave
from array import array
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from boardctl import games
from boardctl.console import keypad
from boardctl.console.keypad import LEVELS, Command, Level, effects, menu, spoken
from boardctl.console.keypad.mode import MODES, mode_of
from boardctl.console.keypad.state import KeypadState, Request, TableView
from boardctl.console.settings import TableSettings, VoiceSettings
from boardctl.drivers.ports import KeyEvent
from boardctl.games import Played, Telling
from boardctl.record import notation
from boardctl.speech.keypad_menu import VALUES
from boardctl.speech.sounds import NOTES, RATE, wav
from boardctl.speech.voice import Voice
from boardctl.text import spoken as words
from tests.speech.by_ear import Ear
from tests.speech.listening import listen
from tests.tables import KeyedTable, keyed, submit

NAMES = ("Ann", "Bob", "Cleo", "Dan")
START = ("start 95 100", "dealer 1", "deal")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[KeyedTable]:
    with keyed(tmp_path) as made:
        for line in START:
            submit(made.table, line, "test")
        yield made


def heard(table: KeyedTable, ear: Ear, line: str) -> str:
    """Return the words spoken after a line from another surface."""
    submit(table.table, line, "page")
    table.clock.run(0.05)
    aloud = " / ".join(ear.said)
    ear.said.clear()
    return aloud


PLAY = {
    "starter 5D": ("", ""),
    "2 play T": ("ten", "10"),
    "1 play 5": ("fifteen for two", "15で2てん"),
    "2 play 9": ("twenty-four", "24"),
    "1 play 7": ("thirty-one for two", "31で2てん"),
    "2 play 2": ("two", "2"),
}


@pytest.mark.parametrize("language", [0, 1])
def test_the_lowest_level_counts_and_no_more(table: KeyedTable, language: int) -> None:
    table.controller.language = ("en", "ja")[language]
    ear = listen(table, "counts")
    for line, said in PLAY.items():
        assert heard(table, ear, line) == said[language], line
    table.press("A 8 *")
    assert ear.said == []


def test_it_says_who_did_what_for_how_many_and_whose_turn_it_is(table: KeyedTable) -> None:
    table.controller.telling = "cards"
    ear = listen(table)
    heard(table, ear, "starter 5D")
    assert heard(table, ear, "2 play T") == "Bob plays ten. ten / Which card does Ann play?"
    aloud = heard(table, ear, "1 play 5")
    assert aloud == "Ann plays five. Ann 2: fifteen two / Which card does Bob play?"


COUNTS = (
    ("2 play 4", "Bob plays four. four"),
    ("1 play 4", "Ann plays four. eight. Ann 2: pair is two"),
    ("2 play 4", "Bob plays four. twelve. Bob 6: pair royal is six"),
    ("1 play 3", "Ann plays three. Ann 2: fifteen two"),
    ("2 play 2", "Bob plays two. seventeen. Bob 3: run of three is three"),
    ("1 play T", "Ann plays ten. twenty-seven"),
    ("2 play 9", "Bob plays nine. Ann 1: last card. nine"),
    ("1 play 9", "Ann plays nine. eighteen. Ann 3: pair, last card"),
)


def test_the_count_is_said_with_every_card(table: KeyedTable) -> None:
    """When a card scored, or the count began anew, a listener did not know the count for the next
    card."""
    table.controller.telling = "cards"
    ear = listen(table)
    heard(table, ear, "starter 5D")
    for line, said in COUNTS:
        assert heard(table, ear, line).partition(" / ")[0] == said


@pytest.mark.parametrize(("language", "said"), [("en", "The count is four"), ("ja", "カウントは4")])
def test_the_count_can_be_asked_for_and_is_told_after_a_correction(
    language: str, said: str, table: KeyedTable
) -> None:
    """After a restart, or after a card was taken back, nothing announced it."""
    table.controller.telling, table.controller.language = "cards", language
    ear = listen(table)
    for line in ("starter 5D", "2 play 4", "1 play T"):
        heard(table, ear, line)
    assert said in heard(table, ear, "undo").partition(" / ")[0]
    table.press("hold2")
    assert ear.said[0].endswith(said)


@pytest.mark.parametrize(
    ("game", "lines", "level", "said"),
    [
        (
            "noddy",
            ("2 show 4S 9C KH", "1 show 4H 8C QS"),
            "questions",
            ("four", "eight. Ann 2: pair is two"),
        ),
        ("noddy", ("2 show 4S 9C KH", "1 show 4H 8C QS"), "counts", ("four", "eight for two")),
        ("costly-colours", ("2 no-mog",), "questions", ("four", "eight")),
        ("costly-colours", ("2 no-mog",), "counts", ("four", "eight")),
    ],
)
def test_the_relatives_of_cribbage_are_counted_too(
    game: str, lines: tuple[str, ...], level: Level, said: tuple[str, ...], tmp_path: Path
) -> None:
    with keyed(tmp_path, TableSettings(game, telling="cards")) as table:
        for line in ("dealer 1", "deal", "starter 5D", *lines):
            submit(table.table, line, "test")
        ear = listen(table, level)
        aloud = [heard(table, ear, line) for line in ("2 play 4", "1 play 4")]
    assert [one.partition(" / ")[0].partition(" four. ")[2] or one for one in aloud] == list(said)


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("questions", "Bob plays ten. ten / Card 3 in the board’s row. Which card does Ann play?"),
        ("counts", "Bob: ten. Card 3 in the board’s row / ten"),
    ],
)
def test_a_move_of_the_board_is_said_once_and_then_what_is_due(
    table: KeyedTable, level: Level, said: str
) -> None:
    """The move was spoken three times, and the question never."""
    table.controller.telling = "cards"
    ear = listen(table, level)
    heard(table, ear, "starter 5D")
    place = "Card 3 in the board’s row"
    table.controller.obey(Command("say", f"Bob: ten. {place}"))
    table.controller.announce(("Bob: 10♠", "card 3"), aloud=(place,))
    assert heard(table, ear, "2 play T") == said


def test_a_hand_is_counted_and_a_winner_named(table: KeyedTable) -> None:
    ear = listen(table)
    heard(table, ear, "starter 5D")
    aloud = heard(table, ear, "2 show 5H 5S 5C JD")
    assert "fifteen two, fifteen four, fifteen six" in aloud
    assert "one for his nob" in aloud
    assert "Bob wins" in aloud
    assert ear.played[-1] == "game"


@pytest.mark.parametrize("language", [0, 1])
def test_a_draw_is_said(tmp_path: Path, language: int) -> None:
    with keyed(tmp_path) as table:
        table.controller.language = ("en", "ja")[language]
        for line in ("game bezique", "start 920 970", "dealer 1", "deal", "turnup 9D"):
            submit(table.table, line, "test")
        ear, drawn = listen(table, "counts"), ("the game is drawn", "ひきわけ")[language]
        assert heard(table, ear, "1 count 110") == ""
        assert heard(table, ear, "2 count 60") == drawn


def test_partners_win_together(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        for seat, name in enumerate(NAMES, 1):
            submit(table.table, f"seat {seat} {name}", "test")
        for line in ("start 95 119", "dealer 1", "deal"):
            submit(table.table, line, "test")
        ear = listen(table)
        heard(table, ear, "starter 5D")
        assert "Bob and Dan win" in heard(table, ear, "2 show 5H 5S 5C JD")


def test_what_is_typed_is_said_key_by_key(table: KeyedTable) -> None:
    submit(table.table, "starter 5D", "test")
    ear = listen(table)
    aloud = []
    for key in "B4556":
        table.tap(key)
        aloud.append(" ".join(ear.said))
    assert aloud == [
        "Bob: points and hash, or a hand",
        "four",
        "five",
        "five",
        "four, five, five, six: Bob 23, press hash",
    ]
    table.tap("#")
    assert "Bob shows four, five, five, six" in ear.said[0]
    assert ear.said[0].endswith("run of three is twenty-three, Bob wins. Ann 95. Bob 121")
    assert ear.played[-1] == "game"


def test_a_refusal_is_said_and_the_question_again(table: KeyedTable) -> None:
    ear = listen(table)
    table.press("A 9 9 #")
    assert ear.said == ["A score of 99 is not possible here. Which card is the starter? Press hash"]
    assert ear.played == ["rejected"]


def test_a_key_that_does_nothing_says_so(table: KeyedTable) -> None:
    ear = listen(table)
    table.tap("5")
    assert ear.said == ["five does nothing here"]


def test_speech_stops_at_the_next_key(table: KeyedTable) -> None:
    ear = listen(table)
    table.tap("A")
    hushed = ear.hushed
    table.controller.on_key(keypad_event(table, "8", True))
    assert ear.hushed == hushed + 1
    assert ear.said == [], "nothing waits behind the key"


def keypad_event(table: KeyedTable, key: str, pressed: bool) -> KeyEvent:
    return KeyEvent(key, pressed, table.clock.time())


class Broken(Ear):
    """A speaker with an unexpected error."""

    def hush(self) -> None:
        raise RuntimeError("hush")


class Fails:
    """A listener to the keys that has such an error in every method."""

    answers = True

    def __getattr__(self, name: str) -> Callable[..., None]:
        def fail(*about: object) -> None:
            raise RuntimeError(name)

        return fail


def test_whoever_cannot_speak_keeps_no_key_from_acting(
    table: KeyedTable, caplog: pytest.LogCaptureFixture
) -> None:
    """The key was lost, and so was each later one."""
    controller = table.controller
    voice = Voice(controller, VoiceSettings())
    voice.join(Broken())
    controller.voice = VoiceSettings()
    fails = Fails()
    controller.key_down.connect(fails.hush)
    controller.acted.connect(fails.pressed)
    controller.drawn.connect(fails.changed)
    controller.answered.connect(fails.answer)
    controller.pointed.connect(fails.point)
    good = Ear()
    Voice(controller, VoiceSettings()).join(good)
    controller.adjusted.connect(fails.adjust)
    lit = table.row.frames
    table.press("A 8 #")
    assert table.scores == (103, 100)
    assert table.row.frames > lit
    assert good.hushed == 3
    table.tap("3", 1.2)
    assert good.said
    controller.set_light("dim")
    controller.point("undo")
    errors = [record.exc_info[1] for record in caplog.records if record.exc_info]
    kinds = {error.args[0] for error in errors if error is not None}
    assert kinds == {"hush", "pressed", "changed", "answer", "adjust", "point"}


def test_a_correction_says_only_what_changed(table: KeyedTable) -> None:
    ear = listen(table)
    heard(table, ear, "1 peg 8")
    aloud = heard(table, ear, "undo")
    assert aloud.startswith("Taken back: Ann pegs 8. Ann 95")
    assert "Bob" not in aloud.partition("/")[0]
    heard(table, ear, "1 peg 8")
    assert heard(table, ear, "amend 1 1 peg 6").startswith("Changed: Ann pegs 6. Ann 101")


def test_a_correction_of_an_earlier_deal_says_which_move(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        for line in ("dealer 1", "deal", "starter 5D", "1 peg 4", "2 show 5H 5S 5C JD"):
            submit(table.table, line, "test")
        for line in ("1 show 2H 4H 6H 8S", "1 crib 2C 3D 7S TC", "deal"):
            submit(table.table, line, "test")
        ear = listen(table)
        aloud = heard(table, ear, "amend 5 1 peg 2")
        assert aloud.startswith("Changed in an earlier deal: Ann pegs 2. Ann "), aloud


def test_held_keys_repeat_tell_the_score_and_the_choices(table: KeyedTable) -> None:
    ear = listen(table)
    table.press("A 8")
    last = ear.said[-1]
    before = table.controller.keypad_state, table.table.number
    table.press("hold1")
    assert ear.said == [last]
    table.press("hold2")
    assert ear.said == ["Ann 95. Bob 100. Bob leads by 5"]
    table.press("hold3")
    assert "hash: Ann pegs 8" in ear.said[0]
    assert (table.controller.keypad_state, table.table.number) == before, "nothing was typed"
    table.tap("3")
    assert table.controller.keypad_state.keys == "83", "a short press types"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_first_lesson_is_heard_and_enters_nothing(tmp_path: Path, language: str) -> None:
    with keyed(tmp_path, TableSettings(language=language)) as table:
        ear = listen(table)
        number = table.table.number
        table.press("hold# 6 0")
        heard = [ear.said[-1]]
        for key in "#A8#*":
            table.press("7")
            assert ear.said, "another key is answered, and the step stays"
            table.press(key)
            heard.append(ear.said[-1])
        assert len(set(heard)) == 6, heard
        assert table.controller.keypad_state.mode == "lesson"
        table.press("#")
        assert table.controller.keypad_state == KeypadState()
        assert table.table.number == number
        table.press("hold# 6 0 *")
        assert table.controller.keypad_state == KeypadState(), "star ends it"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_new_board_says_how_to_begin_by_ear(tmp_path: Path, language: str) -> None:
    """The instructions are correct, and the voice gives them only until somebody has played."""
    with keyed(tmp_path, TableSettings(language=language)) as table:
        ear = Ear()
        Voice(table.controller).join(ear)
        table.clock.run(0.1)
        welcome = words.sentence((words.say("welcome", language),), language)
        assert ear.said[0] == welcome
        assert len(ear.said) > 1, "the question follows"
        table.press("hold3")
        assert table.controller.keypad_state == KeypadState(), "a held key only speaks"
        table.press("hold# 6 0")
        assert table.controller.keypad_state.mode == "lesson"
        table.press("*")
        submit(table.table, "1 peg 5", "test")
        again = Ear()
        Voice(table.controller).join(again)
        table.clock.run(0.1)
        assert again.said
        assert welcome not in again.said


def test_earlier_messages_are_heard_again(table: KeyedTable) -> None:
    ear = listen(table)
    messages = []
    for key in "A89":
        table.press(key)
        messages.append(ear.said[-1])
    for message in (messages[1], messages[0]):
        table.press("hold4")
        assert ear.said == [message]
    table.press("hold1")
    assert ear.said == [messages[2]], "the last again, and back begins anew"
    table.press("hold4")
    assert ear.said == [messages[1]]
    for _ in range(40):
        table.press("hold4")
    assert ear.said, "the oldest stays"


def test_the_moves_of_the_deal_are_reviewed(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings(telling="cards")) as table:
        ear = listen(table)
        for key, said in (("5", "No move in this deal yet"), ("7", "No card played in this")):
            table.press(f"hold{key}")
            assert ear.said[0].startswith(said)
        for line in ("dealer 1", "deal", "starter 5D", "2 play TH", "1 play 7C", "2 play 4S"):
            submit(table.table, line, "test")
        table.clock.run(0.1)
        table.press("hold5")
        assert ear.said == ["Bob plays four of spades"]
        table.press("hold8")
        assert ear.said[0].endswith(
            "Bob plays ten of hearts. Ann plays seven of clubs. Bob plays four of spades"
        )
        table.press("hold7")
        assert ear.said == ["Bob played ten of hearts, four of spades. Ann played seven of clubs"]
        table.press("hold6")
        assert ear.said == ["Which card does Ann play?"]


def test_an_entry_that_would_be_rejected_is_not_promised(table: KeyedTable) -> None:
    not_promised(table, listen(table), "A 1 2 3")


def test_a_bid_that_would_be_rejected_is_not_promised(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("pinochle", players=NAMES[:3])) as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        not_promised(table, listen(table), "# 1")


def not_promised(table: KeyedTable, ear: Ear, keys: str) -> None:
    """If the words say that `#` will reject an entry, and why, then `#` does."""
    table.press(keys)
    table.press("hold3")
    aloud = " ".join(ear.said)
    assert "hash will not be accepted: " in aloud
    assert "hash:" not in aloud
    assert "press hash" not in aloud
    reason = aloud.partition("not be accepted: ")[2].partition(". ")[0]
    table.tap("#")
    assert ear.played == ["rejected"]
    assert ear.said[0].startswith(reason)


def test_a_correction_that_would_be_rejected_is_not_promised(table: KeyedTable) -> None:
    submit(table.table, "1 peg 8", "test")
    ear = listen(table)
    table.press("hold# 2 # 9")
    assert ear.said == ["nine. Now: Ann pegs 9"]
    table.press("9")
    assert ear.said == ["nine. hash will not be accepted: A score of 99 is not possible here"]
    table.press("hold3")
    assert "hash:" not in ear.said[0]
    table.tap("#")
    assert table.scores[0] == 103
    assert ear.played == ["rejected"]


def test_keys_keep_their_order_when_the_next_goes_down_early(table: KeyedTable) -> None:
    listen(table)
    table.tap("A")
    for key, down in (("1", True), ("5", True), ("1", False), ("5", False)):
        table.controller.on_key(keypad_event(table, key, down))
        table.clock.run(0.02)
    assert table.controller.keypad_state.keys == "15"


def test_without_a_voice_no_key_waits_for_its_release(table: KeyedTable) -> None:
    table.tap("A")
    table.controller.on_key(keypad_event(table, "1", True))
    assert table.controller.keypad_state.keys == "1"


def test_the_menu_sets_what_is_said_and_explains_the_sounds(table: KeyedTable) -> None:
    ear = Ear()
    voice = Voice(table.controller)
    voice.join(ear)
    for keys, level in (("5", "counts"), ("7", "everything"), ("6", "questions")):
        table.press(f"hold# 6 {keys}")
        assert voice.settings.level == level
    ear.played.clear()
    table.press("hold# 6 B A 8 #")
    assert ear.played == []
    table.press("hold# 6 A hold# 6 C")
    assert set(NOTES) <= set(ear.played)
    assert {words.say(f"sound-{name}", "en") for name in NOTES} <= set(ear.said)
    table.press("hold# 6 2")
    ear.said.clear()
    table.press("A 8 #")
    assert ear.said == []
    table.press("hold# 6 1")
    assert ear.said


def test_the_sounds_are_short_and_distinct() -> None:
    lengths = {}
    for name in NOTES:
        with wave.open(io.BytesIO(wav(name))) as file:
            assert file.getframerate() == RATE
            lengths[name] = file.getnframes() / RATE
            assert any(file.readframes(file.getnframes()))
    assert max(lengths.values()) <= 0.7
    assert max(lengths[name] for name in ("accepted", "rejected", "turn")) <= 0.25
    assert len({wav(name) for name in NOTES}) == len(NOTES)
    assert len({notes[0][0] for notes in NOTES.values()}) == len(NOTES), (
        "each begins on its own note"
    )


def test_a_turn_sounds_from_the_players_side() -> None:
    loud = {}
    for seat in (1, 2, 3, 4):
        with wave.open(io.BytesIO(wav("turn", seat))) as file:
            assert file.getnchannels() == 2
            samples = array("h", file.readframes(file.getnframes()))
        loud[seat] = max(samples[0::2]), max(samples[1::2])
    assert loud[1][0] > 4 * loud[1][1]
    assert loud[2][1] > 4 * loud[2][0]
    assert loud[3][0] > loud[3][1] > loud[1][1]
    assert len({wav("turn", seat) for seat in loud}) == 4


def test_the_next_turn_is_heard_as_its_players(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings(telling="cards")) as table:
        ear = listen(table)
        for line in ("dealer 1", "deal", "starter 5D", "2 play TH", "1 play 7C"):
            submit(table.table, line, "test")
            table.clock.run(0.1)
        assert [one for one in ear.played if one.startswith("turn")][-2:] == ["turn-1", "turn-2"]


class Walk:
    """Random keys from every mode, so that every reachable state is heard."""

    def __init__(self, table: KeyedTable, chance: Random, seen: set[str]) -> None:
        self.table, self.chance, self.seen = table, chance, seen

    def listen(self) -> None:
        state, view = self.table.controller.keypad_state, self.table.controller.view
        self.seen.add(state.mode)
        for language, level in (("ja", "everything"), *product(("en",), LEVELS)):
            said = spoken.words_after_key(
                KeypadState(), state, view._replace(language=language), level
            )
            aloud = words.sentence(said, language)
            assert aloud, (state, level)
            assert not set("#*_“”♠♥♦♣{}") & set(aloud), aloud
        self.keys_do_as_said(state._replace(refused=None), view)

    def keys_do_as_said(self, state: KeypadState, view: TableView) -> None:
        """Check that every key with an announced effect has it, and that no other key is
        unannounced."""
        view = view._replace(attempt=lambda move: Played(None), rejects=lambda moves: None)
        acting = set()
        before = KeypadState() if state.mode == "refused" else state  # any key clears the refusal
        for key in "0123456789ABCD#*":
            after, effect = keypad.press(state, view, key)
            if effect is not None or (after != before and after.refused is None):
                acting.add(key)
        said = {key for key, _ in effects.scan(state, view)}
        if mode_of(state).only_hash:
            acting = {"#", "*"}
        if state.mode in ("let-in", "allow") and state.request is None:
            acting |= set("0123456789")  # the correct number is not given away
        if state.mode == "refused":
            acting.add("#")  # to clear it
        if state.mode == "question":
            acting.discard("0")  # the same as hash
        if before.mode == "rest" and not any(ask.code == "go" for ask in view.prompt.asks):
            acting.discard("D")  # the referee only gives a reason for refusing it
        assert said == acting, state

    def step(self) -> None:
        """Listen, and press some key."""
        self.listen()
        if self.table.controller.lights.asleep or not self.table.playing:
            self.table.tap("5")
            self.table.clock.run(1)
        key = self.chance.choice("####**0123456789ABCD")
        held = key == "#" and self.chance.random() < 0.05
        promised = None if held else self.promised(key)
        self.table.tap(key, 1.2 if held else 0.05)
        refused = self.table.controller.keypad_state.refused
        if promised is not None:
            unknown = refused is None or refused.code == "secret"
            assert unknown if promised else refused is not None, (key, promised, refused)

    def promised(self, key: str) -> bool | None:
        """Return whether the words promise an effect of a key; None if they do not mention it."""
        state, view = self.table.controller.keypad_state, self.table.controller.view
        if key in dict(effects.does(state, view)):
            return True
        aloud = spoken.question_words(state._replace(refused=None), view)
        rejected = words.say("not-taken", "en", reason="")
        return False if key == "#" and any(one.startswith(rejected) for one in aloud) else None


MENU = (
    *("0", "1", "2", "2 #", "3", "4", "5", "6", "8", "9", "9 A", "B", "B 0 0", "C", "C 0 0"),
    *("4 1", "6 0", "8 0"),
)


@pytest.mark.slow
def test_no_state_of_the_keypad_is_silent(tmp_path: Path) -> None:
    chance, seen = Random(7), set[str]()
    for name, telling in product(games.names(), get_args(Telling)):
        folder = tmp_path / f"{name}-{telling}"
        folder.mkdir()
        settings = TableSettings(name, telling=telling, players=NAMES[: games.find(name).seats[0]])
        with keyed(folder, settings) as table:
            for request in (
                Request(1, "let-in", "00", "phone"),
                Request(2, "allow", "00", "restart"),
            ):
                table.controller.requests.add(request, request.identity, "", guest=False)
            walk = Walk(table, chance, seen)
            for _ in range(100):
                walk.step()
            for keys in MENU:
                table.press(f"* * * hold# {keys}")
                walk.listen()
    folder = tmp_path / "refused"
    folder.mkdir()
    with keyed(folder) as table:
        for line in (*START, "starter 5"):
            submit(table.table, line, "test")
        table.press("B 5 5 5 5")
        Walk(table, chance, seen).listen()
    assert seen == set(MODES)


def test_a_question_of_yes_or_no_tells_two_keys(table: KeyedTable) -> None:
    ear = listen(table)
    table.press("A 8 # *")
    assert ear.said[-1] == "Take back? Ann pegs 8. hash: take back. star: no"


def test_players_that_were_taken_back_can_be_brought_back(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        ear = listen(table)
        table.press("* # * #")
        assert "Hold hash, then press three; or hold star" in " ".join(ear.said)
        table.press("hold* hold*")
        assert len(table.scores) == 2


def test_every_item_of_the_menu_has_its_words() -> None:
    for item in menu.ITEMS.values():
        if item == "offer":
            continue
        code = f"to-{item}" if item not in ("evening", "photo", "hint") else f"do-{item}"
        assert words.say(code, "en") != code.replace("-", " "), code
    for what, values in {
        "telling": menu.TELLINGS,
        "light": menu.LIGHTS,
        "pair": menu.PHONES,
    }.items():
        for value in values.values():
            assert effects.command(Command(what, value), "en")
    for command in VALUES.values():
        assert effects.command(command, "ja") != effects.command(command, "en")


def test_cards_that_are_secret_are_not_said(table: KeyedTable) -> None:
    ear = listen(table, "everything")
    aloud = heard(table, ear, "2 hand 5H 6S 7D 8C QS KS")
    for word in ("five", "hearts", "queen", "spades"):
        assert word not in aloud.partition("one: ace")[0].partition("zero")[0], aloud
    assert notation.spell(table.table.record.moves[-1]) == "2 hand 5H 6S 7D 8C QS KS"
    assert keypad.lines(KeypadState(), table.controller.view)
