"""The command line's answers to good and bad input: in the user's language, in a sentence."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from click.testing import CliRunner, Result

from boardctl import games, text
from boardctl.app import config_file
from boardctl.commands import main
from boardctl.commands.shared import help_texts
from boardctl.commands.shared.user_language import ENVIRONMENT
from boardctl.storage import files
from tests.record.test_history import opened
from tests.tables import submit

ENGLISH = re.compile(r"(?<![-\w./{])[A-Za-z]{2,} [a-z]{2,}(?![-\w/}])")
"""Two consecutive words."""
NO_SENTENCE = re.compile(
    r"`[^`]*`"  # text to type
    r"|sudo [ -~]*|systemctl [ -~]*|kill -HUP|mosquitto -c \S+"
    r"|/[!-~]*"  # a file
    r"|boardctl [ -~]*|\|[ -~]*\|"
    r"|Raspberry Pi( OS| Pico)?|Home Assistant|Compute Module|Ann|Bob|USB [a-z]+"
    r"|game cribbage|sqlite:\S+"
    r"|\[?(one of|default)?: [a-z0-9, _|-]*\]?"
)
"""Text that is not a sentence: commands to be typed, files, names."""
PART_SAYS = re.compile(r"(?<=[：（])[ -~]+")
"""The reason of a library or the system, after the message that a part cannot be opened."""
PYTHON = re.compile(r"Traceback|Error\(|\b(None|True|False|dict|NoneType|TypeError)\b|Words\(")

GOOD = """
analyse 5H 6S 7D 8C JH QS --five-card
backup {tmp}/copy.sqlite3 --data {data}
card --help
club new Friday Ann Bob Cleo Dan --store {tmp}/club.sqlite3
club draw --store {tmp}/evening.sqlite3
discard 5H 6S 7D 8C JH QS --dealer
doctor
doctor --config {tmp}/pi.toml
draw layout classic-2
draw layout --out {tmp}/board.svg twice-round-2
export 1 --data {data}
games
games --played --data {data}
journal check --data {data}
journal repair --data {data}
journal check --data {hurt}
journal repair --data {hurt}
restore {tmp}/backup.sqlite3 --data {tmp}/new
review 1 --data {data}
review {tmp}/game.txt
replay {tmp}/game.txt
score 5H 5D 6S JC --starter 7C
sealed new
session --data {data}
setup --yes --config {tmp}/new.toml
simulate {tmp}/keys.txt
"""

BAD = """
unknown
scor
run --unknown
run --port 0
run --port x
run --layout nowhere
run --sim --config {tmp}/none.toml
run --sim --config {tmp}/broken.toml
run --sim --config {tmp}/end.toml
run --sim --config {tmp}/wrong.toml
run --sim --config {tmp}/key.toml
run --sim --config {tmp}/seats.toml
run --sim --config {tmp}
run --sim --data {tmp}/keys.txt
run --lang fr
analyse
analyse 5H 6X
analyse 5H 6S 7D 8C JH QS --score 1
backup {data}/journal.sqlite3 --data {data}
backup {tmp}/copy.sqlite3 --data {tmp}/nowhere
backup {tmp}/no/copy.sqlite3 --data {data}
backup
bot
bot --seat 9
card status
card update {tmp}/none
card reset
club draw --store {tmp}/keys.txt
club draw --store {tmp}
club draw --store mysql://x
club broker {tmp}/broker a
club broker {tmp}/broker a/b --host x
club broker {tmp}/broker a --revoke
club cards {tmp}/no/cards.pdf --store {tmp}/evening.sqlite3
club import Friday {tmp}/keys.txt --store {tmp}/new.sqlite3
club join x {tmp}
club result x Ann Bob 3
club result 1 Ann Bob 300 --store {tmp}/evening.sqlite3
club table 1 a/b --store {tmp}/evening.sqlite3
discard 5H
discard 5H 6S 7D 8C JH QX --dealer
discard 5H 6S 7D 8C JH Q --dealer
discard 5H 6S 7D 8C JH JH --dealer
discard 5H 6S 7D 8C JH QS
doctor --config {tmp}/broken.toml
draw layout nowhere
draw layout {tmp}/wrong.toml
draw layout {tmp}/layout.toml
draw template --out {tmp}/x.doc
draw template --out {data}/journal.sqlite3/x.svg
draw labels --game chess --out {tmp}/x.svg
draw parts --config {tmp}/key.toml
draw template
export 9 --data {data}
export 0 --data {data}
export --as html --data {data}
export --as svg --data {data}
export --as doc
export 1 --as html --layout nowhere --data {data}
flash {tmp}/nowhere
flash --milliamps 3
flash --file {tmp}/none
flash --file {tmp}/keys.txt
flash --pico {tmp}
games chess
games --played --data {tmp}/keys.txt
hub
hub --broker host:x
journal check --data {tmp}/nowhere
journal check --data {text}
journal repair --data {tmp}/nowhere
pin --data {tmp}
replay {tmp}/none
replay {tmp}
replay {tmp}/illegal.txt
restore {tmp}/none --data {tmp}/new
restore {tmp}/keys.txt --data {tmp}/new
restore {tmp} --data {tmp}/new
review 9 --data {data}
review {tmp}/none
review {tmp}/illegal.txt
score 5H 5D 6S XX --starter 7C
score 5H 5D 6S --starter 7C --crib
score 5H 5D 6S JC --starter 5H
score A 4 8 J --starter K
score 5H 5D 6S JC
sealed deal xyz
sealed verify
sealed verify x y
sealed verify --far {tmp}/keys.txt
see
see {tmp}/none.jpg
see {tmp}/keys.txt
see --teach A {tmp}/keys.txt
see --suit hearts --teach a {tmp}/keys.txt {tmp}/keys.txt
see --camera /dev/none
selftest
selftest --config {tmp}/broken.toml
selftest --config {tmp}/pi.toml
service install --config {tmp}/none.toml
session --data {tmp}/nowhere
setup --config {tmp}
setup --yes --config {tmp}
simulate {tmp}/none
simulate {tmp}/illegal.txt
simulate {tmp}/keys.txt --layout nowhere
"""


def lines(block: str) -> list[str]:
    return block.strip().splitlines()


@pytest.fixture
def places(made: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """The folders by name, and a Japanese terminal."""
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    monkeypatch.setattr(config_file, "DEFAULT_PATHS", (made / "config.toml",))
    monkeypatch.setattr(files, "data_directory", lambda: made / "usual")
    return {"tmp": made, **{name: made / name for name in ("data", "hurt", "text")}}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files, and folders with a journal, with a damaged journal, and with a text file in place of a
    journal."""
    tmp_path = tmp_path_factory.mktemp("words")
    game = ["game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "starter 5H"]
    game += ["1 peg 5", "1 resign"]
    for name in ("data", "hurt"):
        with opened(tmp_path / name) as table:
            for line in game:
                submit(table, line, "test")
    with closing(sqlite3.connect(tmp_path / "hurt/journal.sqlite3")) as db:
        db.execute("DELETE FROM line WHERE number = 3")
        db.commit()
    (tmp_path / "text").mkdir()
    written = {
        "text/journal.sqlite3": "no journal\n" * 100,
        "game.txt": "\n".join(game),
        "illegal.txt": "\n".join((*game[:4], "1 peg 99")),
        "keys.txt": "A 8 #   B 1 2 #",
        "broken.toml": "players = [",
        "end.toml": "players = = 3",
        "wrong.toml": "language = 'ja'\n[page]\nport = 'x'\n",
        "key.toml": "language = 'ja'\nlayot = 'x'\n",
        "seats.toml": "language = 'ja'\nseats = 3\nplayers = ['Ann', 'Ann']\n",
        "layout.toml": "title = 3\n",
        "pi.toml": "language = 'ja'\n[leds]\ndriver = 'ws2812_spi'\n"
        "[keys]\ndriver = 'gpio_matrix'\n[display]\ndriver = 'oled'\n",
    }
    for name, content in written.items():
        (tmp_path / name).write_text(content)
    for words in (
        ("backup", str(tmp_path / "backup.sqlite3"), "--data", str(tmp_path / "data")),
        ("club", "new", "x", "Ann", "Bob", "--store", str(tmp_path / "evening.sqlite3")),
    ):
        assert CliRunner().invoke(main, words).exit_code == 0
    return tmp_path


def run(line: str, places: dict[str, Path]) -> Result:
    words = [word.format(**places) for word in line.split()]
    return CliRunner().invoke(main, words, prog_name="boardctl")


def english(said: str, places: dict[str, Path]) -> list[str]:
    """Return the lines that contain an English sentence."""
    said = said.replace(str(places["tmp"]), "")
    shown = (
        (one, PART_SAYS.sub("", one) if re.match("(leds|keys|display): ", one) else one)
        for one in said.splitlines()
    )
    return [one for one, plain in shown if ENGLISH.search(NO_SENTENCE.sub("", plain))]


@pytest.mark.parametrize("line", lines(GOOD))
def test_a_command_speaks_japanese(line: str, places: dict[str, Path]) -> None:
    done = run(line, places)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert english(done.output, places) == []
    assert not PYTHON.search(done.output)


@pytest.mark.parametrize("line", lines(BAD))
def test_bad_input_gets_a_japanese_sentence(line: str, places: dict[str, Path]) -> None:
    done = run(line, places)
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (1, 2)
    assert english(done.output, places) == []
    assert re.search(r"[\u3040-\u30ff]", done.output.replace("使い方：", "")), done.output
    assert not PYTHON.search(done.output)


@pytest.mark.parametrize("line", lines(BAD))
def test_bad_input_gets_an_english_sentence(
    line: str, places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    done = run(line, places)
    assert isinstance(done.exception, SystemExit), done.exception
    if ".toml" not in line:  # a configuration has its own language
        assert not re.search(r"[\u3040-\u30ff]", done.output)
    assert not PYTHON.search(done.output)


def texts() -> Iterator[str]:
    """Return all texts of the commands' help, and the sources of the games' rules."""
    yield from help_texts.texts(main)
    yield from (games.find(name).source for name in games.names())


def test_every_help_text_is_translated() -> None:
    for language in text.LANGUAGES:
        if language == "en":
            continue
        file = text.LOCALE / language / "LC_MESSAGES" / "boardctl.po"
        with file.open("rb") as source:
            known = {str(message.id): str(message.string) for message in read_po(source)}
        for words in texts():
            assert known.get(words), words


def test_help_is_in_japanese_and_no_line_is_wider_than_the_terminal(
    places: dict[str, Path],
) -> None:
    for line in ("", "run", "review", "club", "club new", "draw template", "see", "sealed verify"):
        shown = (
            CliRunner()
            .invoke(main, [*line.split(), "--help"], prog_name="boardctl", terminal_width=80)
            .output
        )
        assert english(shown, places) == [], line
        wrapped = (one for one in shown.splitlines() if not one.startswith(" " * 6 + "boardctl"))
        assert max(map(text.columns, wrapped)) <= 80, line


def test_a_table_is_aligned_by_columns(places: dict[str, Path]) -> None:
    head, *rows = run("discard 5H 6S 7D 8C JH QS --dealer", places).output.splitlines()
    assert {text.columns(head), *map(text.columns, rows)} == {text.columns(head)}


def test_the_doctors_data_is_the_same_everywhere(
    places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    japanese = run("doctor --json --config {tmp}/pi.toml", places)
    monkeypatch.setenv("LANG", "C.UTF-8")
    english = run("doctor --json --config {tmp}/pi.toml", places)
    assert english.output == japanese.output
    found = [json.loads(line) for line in english.output.splitlines()]
    assert {"what", "state", "found", "remedy"} == set(found[0])
    assert any(one["remedy"] == "sudo raspi-config nonint do_i2c 0" for one in found)


@pytest.mark.parametrize(
    "words", ["--version", "--help", "games", "score 5H 5S 5C JD --starter 5D"]
)
def test_a_full_disk_behind_what_is_printed_is_said_in_a_sentence(words: str) -> None:
    """`boardctl export > evening.txt` used to end with a traceback."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "boardctl", *words.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "LC_ALL": "ja_JP.UTF-8"},
            check=False,
        )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done.stderr
    assert "No space" not in done.stderr


@pytest.mark.parametrize("words", ["cards", "export", "sheet", "export --what standings"])
def test_a_full_disk_is_said_with_the_file(words: str, tmp_path: Path) -> None:
    store = str(tmp_path / "club.sqlite3")
    CliRunner().invoke(main, ["club", "new", "Monday", "Ann", "Bob", "--store", store])
    done = CliRunner().invoke(main, ["club", *words.split(), "/dev/full", "--store", store])
    assert done.exit_code == 1
    assert done.output == "Error: /dev/full: cannot be written (No space left on device)\n"
