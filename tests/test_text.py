"""Every sentence in every language: none untranslated, no field missing."""

from __future__ import annotations

import ast
import copy
import errno
import importlib
import json
import os
import pickle
import re
import string
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import boardctl
from boardctl import games, modules, text
from boardctl.bot import lessons
from boardctl.games import IllegalMove, Move
from boardctl.games.cards import UNSEEN
from boardctl.message import Message
from boardctl.record.notation import parse
from boardctl.text.moves import describe
from tests.unfinished import UnfinishedWarning, unfinished

LOCALE = Path(text.__file__).parent / "locale"
OTHERS = [language for language in text.LANGUAGES if language != "en"]


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def of_lessons() -> Iterator[tuple[str, str]]:
    """Return the sentences of the lessons, which are read when a lesson begins."""
    for name in lessons.names():
        for sentence in lessons.sentences(lessons.load(name)):
            yield name, sentence


@pytest.mark.parametrize("language", OTHERS)
def test_every_code_is_translated(language: str) -> None:
    """A sentence without a translation is shown in English; only a release fails for it."""
    with (LOCALE / language / "LC_MESSAGES" / "boardctl.po").open("rb") as source:
        known = {str(message.id): str(message.string) for message in read_po(source)}
    missing = []
    for code, template in (*text.sentences().items(), *of_lessons()):
        translation = known.get(template)
        if not translation:
            missing.append(code)
            continue
        assert fields(translation) == fields(template), code
    if missing:
        unfinished(f"{language}: shown in English until boardctl.po has them: {missing}")


def test_a_sentence_without_a_translation_is_shown_in_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text, "sentences", lambda: {"note.new": "Something new for {seat}."})
    assert (
        text.say(Message("note", "new", {"seat": 1}), text.Reader("ja", ("Ann",)))
        == "Something new for Ann."
    )


def test_a_missing_part_is_a_warning_and_fails_a_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELEASE", raising=False)
    with pytest.warns(UnfinishedWarning, match="a part"):
        unfinished("a part")
    monkeypatch.setenv("RELEASE", "1")
    with pytest.raises(pytest.fail.Exception, match="a part"):
        unfinished("a part")


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_catalogue_is_that_of_the_text(language: str, tmp_path: Path) -> None:
    folder = LOCALE / language / "LC_MESSAGES"
    with (folder / "boardctl.po").open("rb") as source, (tmp_path / "mo").open("wb") as target:
        write_mo(target, read_po(source, locale=language))
    assert (tmp_path / "mo").read_bytes() == (folder / "boardctl.mo").read_bytes(), (
        "make catalogues"
    )


STRANGE = re.compile(
    r"commitment|コミットメント|sealed shuffle|lines? of the notation|teach your pack|"
    r"(?<!--)\bpone\b|31 left to 31|\(corrected\)|ranks / cards",
    re.IGNORECASE,
)
"""Words that players meet only in the glossary; one is also an option's name."""
STATIC = Path(boardctl.__file__).parent / "web" / "static"


def words_of_catalogues() -> Iterator[tuple[str, str]]:
    """Return every sentence, including those of the commands' help, and its translations."""
    yield from text.sentences().items()
    yield from of_lessons()
    for language in OTHERS:
        with (LOCALE / language / "LC_MESSAGES" / "boardctl.po").open("rb") as source:
            for message in read_po(source):
                yield f"{language} {message.id}", f"{message.id} {message.string}"


def words_of_pages() -> Iterator[tuple[str, str]]:
    """Return the text of the page's own files: the text between tags, and literals of several
    words."""
    for path in (*STATIC.glob("*.html"), *STATIC.glob("*.js"), *STATIC.glob("*.json")):
        source = path.read_text("utf-8")
        if path.suffix == ".js":
            source = re.sub(r"^\s*//.*$", "", source, flags=re.MULTILINE)
            literals = re.findall(r"""'[^'\n]*'|"[^"\n]*"|`[^`\n]*`""", source)
            found = [literal for literal in literals if " " in literal]
        else:
            found = [re.sub(r"<!--.*?-->", "", source, flags=re.DOTALL)]
        for words in found:
            yield path.name, words


def test_nobody_meets_words_of_the_workshop() -> None:
    said = [*words_of_catalogues(), *words_of_pages()]
    assert len({place for place, _ in said if place.endswith(".js")}) > 20
    assert [(place, words) for place, words in said if STRANGE.search(words)] == []


def test_the_computer_player_is_known_by_its_name_in_every_language() -> None:
    name = text.sentences()["player.own-name"]
    assert {text.catalogue(language).gettext(name) for language in text.LANGUAGES}


def test_a_code_nobody_knows_is_told_by_its_own_words() -> None:
    error = IllegalMove("moon-too-high", count=33)
    assert text.refusal(error) == "moon too high (count 33)"


def test_seats_are_told_by_name() -> None:
    error = IllegalMove("cut-twice", seat=2)
    assert text.refusal(error, text.Reader(names=("Ann", "Bob"))) == "Bob has already cut."
    assert text.refusal(error) == "seat 2 has already cut."
    assert "Bob" in text.refusal(error, text.Reader("ja", ("Ann", "Bob")))


def test_one_card_unseen_is_a_card() -> None:
    """In a game of three each player throws one card."""
    sentences = [
        describe(Move("discard", 1, cards=(UNSEEN,) * count), ("Ann",)) for count in (1, 2)
    ]
    assert sentences == ["Ann discards a card", "Ann discards 2 cards"]


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_a_move_of_nobody_names_nobody(language: str) -> None:
    """This applies to the card that the dealer of three adds to the crib, and to every other move
    without a seat."""
    for path in (Path(__file__).parent / "vectors").glob("records-*.jsonl"):
        game = None
        for line in json.loads(path.read_text("utf-8").splitlines()[0])["record"].splitlines():
            if line.startswith("game "):
                game = games.find(line.removeprefix("game "))
            move = parse(line, game)
            assert move is None or "None" not in describe(move, ("A", "B", "C", "D"), language)


def test_one_thing_has_one_name_in_japanese() -> None:
    """The test covers a game's title, its lessons and its drills; the board on every page; a game,
    a hand, a card and the count of the play everywhere. There is also one way to write a number of
    people or things, a percentage and a span."""
    with (LOCALE / "ja/LC_MESSAGES/boardctl.po").open("rb") as file:
        sentences = [str(message.string) for message in read_po(file)]
    one_word = (
        "クラバージャス",
        "プレー",
        "(?<!キー)ボード",
        "対局",
        "最高の手(?!札)",
        "累計",
        "だれ",
    )
    card = "(?<!手)(?<!切り)(?<!山)(?<!捨て)(?<!絵)(?<!続き)(?<!最高)札"  # alone, it is カード
    of_games = ("スカンク", "ロイヤル", "ラスト・トリック", "5枚クリベッジ", "非ディーラー", card)
    spelled = (
        "コンピュータ(?!ー)",
        "卓",
        "分かり",
        "[一二三四](人|つ)",
        "二度",
        "パーセント",
        "％",
        "～",
    )
    for other in (*one_word, *of_games, *spelled, "[0-9}] %(?!})"):
        assert [one for one in sentences if re.search(other, one)] == [], other


@pytest.mark.parametrize(
    ("values", "read"),
    [
        ((7,), "7"),
        ((0, 162), "0, 162"),
        ((*range(163), 252), "0–162, 252"),
        (tuple(range(0, 180, 10)), "0, 10 … 170"),
        ((10, 20, 40), "10, 20, 40"),
    ],
)
def test_numbers_are_read_as_ranges(values: tuple[int, ...], read: str) -> None:
    assert text.numbers(values) == read


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_nothing_is_nothing_in_every_language(language: str) -> None:
    """A catalogue's header has the empty text as its key."""
    assert text.words("", language) == text.sentence(Exception(), language) == ""


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_what_points_are_for_does_not_run_into_their_number(language: str) -> None:
    """ "Three points for 25" must not read as 253."""
    for code in text.sentences():
        kind, _, reason = code.partition(".")
        if kind == "award":
            said = text.say(Message("award", reason), text.Reader(language))
            shown = text.say(
                Message("happened", "reason", {"reason": said, "points": 3}), text.Reader(language)
            )
            assert [number for number in re.findall(r"\d+", shown) if number.endswith("3")] == ["3"]


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_what_the_small_display_asks_fits_its_row(language: str) -> None:
    """A row has sixteen characters, with a name of three letters."""
    for code, template in text.sentences().items():
        if code.startswith(("ask.", "readout.")):
            said = text.catalogue(language).gettext(template)
            fixed = re.sub(r"\{(seat|winner|side)\}", "Ann", said)
            assert len(re.sub(r"\{\w+\}", "", fixed)) <= 16, code


def test_a_list_has_the_commas_of_its_language() -> None:
    error = IllegalMove("suits-needed", cards=(), questions=("flush", "nobs"))
    assert text.refusal(error).endswith("answer these: flush, his nobs.")
    assert "フラッシュ、ヒズ・ノブがあるかどうか" in text.refusal(error, text.Reader("ja"))
    error = IllegalMove("seats-missing", players=(2, 3, 4))
    assert "2, 3 or 4 players" in text.refusal(error)
    assert "2、3、4人用" in text.refusal(error, text.Reader("ja"))


def test_an_error_is_said_with_its_place_and_what_is_within_it() -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    error = text.SpokenError("unwritable", "a/b", reason=full)
    assert str(error) == "a/b: cannot be written (No space left on device)"
    assert text.sentence(error, "ja") == "a/b: 書き込めません（空き容量がありません）"
    fault = text.Sentence("fault", "missing", line=3, last=4)
    assert fault == "lines 3 to 4 are missing"
    assert text.words(fault, "ja") == "3行目から4行目までがありません"
    assert copy.deepcopy(fault) is fault
    assert pickle.loads(pickle.dumps(fault)) == fault
    assert text.sentence(text.SpokenError("file", reason="a\nb")) == "a\\nb"


def codes_in(path: Path) -> Iterator[str]:
    """Return the codes, with their kinds, that a file literally uses or raises."""
    failures = FAILURES | ({"refused"} if path.parent.name == "commands" else set())
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        given = [one.value if isinstance(one, ast.Constant) else None for one in node.args]
        words = [one if isinstance(one, str) else "" for one in given] + ["", ""]
        if name in ("Sentence", "Words") and words[0] and words[1]:
            yield f"{words[0]}.{words[1]}"
        elif name in failures and words[0]:
            yield f"failure.{words[0]}"
        elif name in JOURNALS and words[1]:
            yield f"journal.{words[1]}"
        elif name == "trouble" and words[0]:
            yield f"trouble.{words[0]}"
        elif name == "needs" and words[0]:
            yield f"part.{words[0]}"


FAILURES = {
    *("SchemaError", "ConfigError", "LayoutError", "BrokerError", "StoreError", "JoinError"),
    *("NotInvitedError", "KeysError", "ServiceError", "NotConfiguredError", "CardError"),
    *("PartsError", "KicadError", "PhotoError", "SpokenError"),
}
JOURNALS = {"JournalError", "DamagedError", "UnwritableError"}


def test_every_code_that_is_raised_has_a_sentence() -> None:
    """Otherwise the code's own words would be shown, in English."""
    root = Path(text.__file__).parents[1]
    found = {code: path for path in root.rglob("*.py") for code in codes_in(path)}
    assert len(found) > 200
    assert {code: path for code, path in found.items() if code not in text.sentences()} == {}


def test_a_thread_waits_for_the_file_that_another_one_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The history asks for words in a thread."""
    found: list[str | None] = []
    threads: list[threading.Thread] = []

    def slow(name: str) -> ModuleType:
        if name.endswith(".table"):  # meanwhile another thread asks for one of its sentences
            thread = threading.Thread(target=lambda: found.append(known.get("ask.dealer")))
            thread.start()
            thread.join(0.2)
            threads.append(thread)
        return importlib.import_module(name)

    monkeypatch.setattr(text, "import_module", slow)
    monkeypatch.setattr(text, "_FIRST", ("table",))
    monkeypatch.setattr(modules, "names", lambda folders: [])
    known = text._Sentences()
    assert known["ask.dealer"] == "Who deals?"
    for thread in threads:
        thread.join()
    assert found == ["Who deals?"]
    assert known.get("ask.nothing") is None
