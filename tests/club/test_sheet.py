"""Printed sheets: any player name can be printed."""

from __future__ import annotations

import base64
import re
import zlib
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from reportlab.lib.units import mm

from boardctl import text
from boardctl.club import cards, sheet
from boardctl.club.evening import Draw, Result, Standing
from boardctl.club.store import Meeting
from boardctl.commands import main
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
        done = CliRunner().invoke(main, ["club", *words, *store])
        assert done.exit_code == 0, done.output[-200:]
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")


def test_a_list_of_players_that_is_no_text_is_named(tmp_path: Path) -> None:
    names = tmp_path / "players.txt"
    names.write_bytes(b"\xff\x80")
    words = ["new", "friday", "--file", str(names), "--store", str(tmp_path / "club.sqlite3")]
    done = CliRunner().invoke(main, ["club", *words])
    assert done.exit_code == 1
    assert done.output.startswith(f"Error: {names}: cannot be read: ")


@pytest.mark.parametrize("words", [("sheet",), ("cards",), ("export",)])
def test_a_file_that_cannot_be_written_is_one_sentence(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    store = ["--store", str(tmp_path / "club.sqlite3")]
    assert CliRunner().invoke(main, ["club", "new", "friday", "Ann", "Bob", *store]).exit_code == 0
    nowhere = str(tmp_path / "nowhere" / "file")
    done = CliRunner().invoke(main, ["club", *words, nowhere, *store])
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        f"Error: {nowhere}: cannot be written (No such file or directory)"
    ]


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


def first_page(content: bytes) -> str:
    """Return the drawing of the first page with lines in a PDF by reportlab."""
    found = re.findall(rb"/ASCII85Decode /FlateDecode.*?stream\r?\n(.*?)~>endstream", content, re.S)
    pages = (zlib.decompress(base64.a85decode(one)).decode("latin-1") for one in found)
    return next(page for page in pages if " l S" in page)


@pytest.mark.parametrize(("tables", "least"), [(4, 9.0), (19, 9.0), (34, 5.0)])
def test_a_round_is_read_from_a_distance_and_has_room_to_write_where_it_fits(
    tables: int, least: float
) -> None:
    """Rows have 9 mm and letters 12 points; they are smaller only if one page cannot hold all
    tables."""
    pairs = tuple((f"Ann {n}", f"Bob {n}") for n in range(tables))
    meetings = [Meeting(1, n, *pair) for n, pair in enumerate(pairs, 1)]
    meetings[0] = meetings[0]._replace(result=Result("Ann 0", "Bob 0", 31, True))
    for paper in sheet.SIZES:
        content = sheet.write("Friday", [Draw(pairs)], meetings, [], paper)
        assert content.count(b"/Type /Page\n") == 1, "the round on one page"
        first = first_page(content)
        lines = re.findall(r"n ([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", first)
        heights = sorted({float(y) for _, y, _, end in lines if y == end})
        *rows, _ = [below - above for above, below in pairwise(heights)]  # the last: the heading
        assert len(rows) == tables
        assert min(rows) / mm >= least
        sizes = {float(size) for size in re.findall(r"/F\d\+?\d* ([\d.]+) Tf", first)}
        assert 12 in sizes or tables > 19


@pytest.mark.parametrize("tables", [12, 19, 25])
def test_a_round_of_long_names_is_one_page_too(tables: int) -> None:
    """Names on two lines do not cause a page with only a footnote."""
    pairs = tuple(
        (f"Christopher Montgomery {n}", f"Alexandra Vandenberg-Smythe {n}") for n in range(tables)
    )
    results = (Result(one, two, 31, True) for one, two in pairs)
    meetings = [
        Meeting(1, n, *pair, result)
        for n, (pair, result) in enumerate(zip(pairs, results, strict=True), 1)
    ]
    for paper in sheet.SIZES:
        content = sheet.write("Friday", [Draw(pairs, "Somebody Else")], meetings, [], paper)
        assert content.count(b"/Type /Page\n") == 1, (paper, "the round on one page")


def test_the_mark_of_a_skunk_is_explained_where_it_stands() -> None:
    def length(skunk: bool) -> int:
        meeting = Meeting(1, 1, "Ann", "Bob", Result("Ann", "Bob", 31, skunk))
        content = sheet.write("Friday", [Draw((("Ann", "Bob"),))], [meeting], [])
        return len(first_page(content))

    assert length(skunk=True) > length(skunk=False) + 100


def test_the_summary_is_in_the_congress_s_order() -> None:
    """Game points, games won, spread: what the congress ranks by (docs/league.md)."""
    words = text.saying("club", "en")
    rows = sheet.summary([Standing(1, "Ann", 9, 6, 2, 14, 130, 59)], words)
    assert rows == [
        [
            "",
            "player",
            "games",
            "game points",
            "games won",
            "skunks",
            "plus points",
            "minus points",
            "net spread",
        ],
        ["1", "Ann", "9", "14", "6", "2", "130", "59", "+71"],
    ]


def test_the_summary_before_the_first_result_is_a_form_to_fill_in() -> None:
    rows = sheet.summary(
        [Standing(1, name, 0, 0, 0, 0, 0, 0) for name in ("Ann", "Bob")], text.saying("club", "en")
    )
    assert rows[1:] == [["", name, *[""] * 7] for name in ("Ann", "Bob")]


@pytest.mark.parametrize("rounds", [9, 22])
def test_a_score_card_has_room_for_the_congress_s_figures(
    rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opponent, game points, plus, minus and initials of each game; below them the sums, games won,
    net spread, and the signature of the checker (Tournament Rules 12.1 and 13.2 a)."""
    typed: list[tuple[float, str]] = []
    monkeypatch.setattr(cards, "_type", lambda _c, _x, y, words, _s, _r: typed.append((y, words)))
    cards.write("Friday", ["Ann"], rounds, [Draw((("Ann", "Bob"),))])
    words = [word for _, word in typed if word]
    games = ["1", "Bob", *(str(number) for number in range(2, rounds + 1))]
    assert words == [
        *("1  Ann", "Friday", "congress no.:"),
        *("opponent", "points", "+", "−", "initials"),
        *games,
        *("sums", "games won:", "net spread:", "checked by:"),
    ]
    rows = sorted({y for y, _ in typed})
    assert rows[0] > cards.MARGIN, "the last line is on the paper"
    assert min(above - below for below, above in pairwise(rows)) / mm > 3.5
