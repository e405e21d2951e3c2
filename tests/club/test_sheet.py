"""Printed sheets: any player name can be printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.club import cards, sheet
from boardctl.club.evening import Draw, Standing
from boardctl.club.store import Meeting
from boardctl.commands import main
from boardctl.commands.club import command
from tools import fonts

NAMES = ["x" * 5000, "W " * 2500, "<b>&" * 1250, "王" * 5000, "\U0001f0a1" * 5000, "a\0\x1b[31m\n"]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name[:4]))
@pytest.mark.parametrize("printed", ["sheet", "cards"])
def test_any_name_is_printed(name: str, printed: str) -> None:
    draws = [Draw(((name, "Bob"),), name)]
    if printed == "cards":
        assert cards.write(name, [name, "Bob"], 9, draws).startswith(b"%PDF")
        return
    meetings = [Meeting(1, 1, name, "Bob")]
    standings = [Standing(1, name, 1, 1, 0, 2, 17, 0)]
    assert sheet.write(name, draws, meetings, standings).startswith(b"%PDF")


def test_the_sheet_of_an_evening_with_a_name_of_5000_letters(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "club.sqlite3")]
    for words in (["new", "f" * 5000, "n" * 5000, "Bob"], ["draw"], ["sheet", "x.pdf"]):
        words = [str(tmp_path / "x.pdf") if word == "x.pdf" else word for word in words]
        done = CliRunner().invoke(command, [*words, *store])
        assert done.exit_code == 0, done.output[-200:]
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")


def test_a_list_of_players_that_is_no_text_is_named(tmp_path: Path) -> None:
    names = tmp_path / "players.txt"
    names.write_bytes(b"\xff\xfe")
    words = ["new", "friday", "--file", str(names), "--store", str(tmp_path / "club.sqlite3")]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 1
    assert done.output.startswith(f"Error: {names} cannot be read: ")


@pytest.mark.parametrize("words", [("sheet",), ("cards",), ("export",)])
def test_a_file_that_cannot_be_written_is_one_sentence(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    store = ["--store", str(tmp_path / "club.sqlite3")]
    assert CliRunner().invoke(main, ["club", "new", "friday", "Ann", "Bob", *store]).exit_code == 0
    nowhere = str(tmp_path / "nowhere" / "file")
    done = CliRunner().invoke(main, ["club", *words, nowhere, *store])
    assert done.exit_code == 1
    assert done.output.splitlines() == [f"Error: {nowhere}: No such file or directory"]


@pytest.mark.parametrize("printed", ["sheet", "cards"])
@pytest.mark.parametrize(
    ("name", "japanese"), [("Łukasz Őry-Jörgensen", False), ("田中太郎", True)]
)
def test_the_font_is_embedded_and_a_japanese_one_taken_only_where_a_name_needs_it(
    name: str, japanese: bool, printed: str
) -> None:
    draws = [Draw(((name, "Bob"),))]
    if printed == "cards":
        content = cards.write("Friday", [name, "Bob"], 9, draws)
    else:
        standings = [Standing(1, name, 1, 1, 0, 2, 17, 0)]
        content = sheet.write("Friday", draws, [Meeting(1, 1, name, "Bob")], standings)
    assert b"/FontFile2" in content
    assert b"Helvetica" not in content
    assert (b"HeiseiKakuGo" in content) is japanese


def test_the_font_of_the_papers_is_made_from_that_of_the_page() -> None:
    assert fonts.PAPER.read_bytes() == fonts.printed((fonts.STATIC / "sans.woff2").read_bytes())
