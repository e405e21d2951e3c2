"""The picture of a game: its content, and that it needs no other file."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from boardctl import text
from boardctl.board import layout
from boardctl.board.layout import fitting
from boardctl.record.highlights import highlights
from boardctl.record.history import PlayedGame, played
from boardctl.record.record import Entry
from boardctl.web.viewer.game_picture import draw, result, sentences
from tests.spread import spread

VECTORS = Path(__file__).parents[1] / "vectors"


@cache
def game(file: str, names: tuple[str, ...] = ()) -> PlayedGame:
    row = json.loads((VECTORS / f"records-{file}.jsonl").read_text("utf-8").splitlines()[0])
    lines = row["record"].splitlines()
    for seat, name in enumerate(names, 1):
        lines = [f"seat {seat} {name}" if line.startswith(f"seat {seat} ") else line
                 for line in lines]  # fmt: skip
    entries = [Entry(n, line, 1.7e9, "test") for n, line in enumerate(lines, 1)]
    return next(iter(played([("", entries)])))


@pytest.mark.parametrize("language", text.LANGUAGES)
@pytest.mark.parametrize(
    "file",
    spread(3, ["cribbage-2", "cribbage-3", "cribbage-4", "full-bezique", "pinochle-3-4", "noddy"]),
)
def test_it_shows_players_result_pegs_and_course(file: str, language: str) -> None:
    shown = game(file)
    drawn = draw(shown, layout.load("classic-2"), language)
    root = ElementTree.fromstring(drawn)
    said = " ".join(node.text or "" for node in root.iter() if node.tag.endswith("text"))
    for names in shown.teams:
        assert " & ".join(names) in said
    for score in shown.shown_scores:
        assert str(score) in said
    partners = len(shown.seats) > len(shown.sides)
    if language == "en" and shown.outcome is not None and shown.outcome.state == "won":
        assert bool(re.search(r" win\b", said)) == partners
    curves = [node for node in root if node.tag.endswith("polyline")]
    assert len(curves) == len(shown.sides)
    lamps = [node for node in root.iter() if "data-name" in node.attrib]
    assert {lamp.get("data-name", "").partition(".")[0] for lamp in lamps} >= {
        f"track{side}" for side in range(1, len(shown.sides) + 1)
    }
    assert not re.search(r"(href|src|url\()", drawn), "it stands alone"
    red = [node.text or "" for node in root.iter() if node.tag.endswith("tspan")]
    assert all(card[-1] in "♥♦" for card in red)
    cards = re.findall(
        "[0-9A-Z]+[♥♦]", " ".join(sentences(shown, highlights(shown), language).values())
    )
    assert red == cards


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_a_game_without_a_winner_says_how_it_ended(language: str) -> None:
    shown = game("cribbage-2")
    assert shown.outcome is not None
    said = {
        state: result(
            replace(shown, outcome=shown.outcome._replace(state=state, winner=None)), language
        )
        for state in ("draw", "abandoned", "unfinished")
    }
    assert len(set(said.values())) == len(said)
    if language == "en":
        assert said == {"draw": "A draw", "abandoned": "Abandoned", "unfinished": "Unfinished"}


def test_the_day_is_that_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """West of Greenwich, an evening does not get the next day's date."""
    shown = replace(game("cribbage-2"), began=1_700_000_000.0)  # 2023-11-14, 22:13 UTC
    for zone, day in (("UTC", "2023-11-14"), ("Asia/Tokyo", "2023-11-15")):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert f">{day}<" in draw(shown, layout.load("classic-2"), "en")
    monkeypatch.undo()
    time.tzset()


def boxes(drawn: str) -> list[tuple[str, float, float, float, float]]:
    """Return each text beside the board, with its approximate left, right, top and bottom."""
    found = []
    for node in ElementTree.fromstring(drawn):
        if node.tag.endswith("text"):
            said, size = "".join(node.itertext()), float(node.attrib["font-size"])
            letter = 0.62 if node.attrib["font-weight"] == "700" else 0.53
            wide = letter * size * sum(2 if ord(one) > 0x2FFF else 1 for one in said)
            x, y = float(node.attrib["x"]), float(node.attrib["y"])
            left = x - wide if node.attrib["text-anchor"] == "end" else x
            found.append((said, left, left + wide, y - 0.75 * size, y + 0.2 * size))
    return found


LONG = ("Maximilian-Alexander von und zu Hohenst", "Grandmother Elisabeth from the old mill")
JAPANESE = (
    "ひいおばあちゃんの花子さんと猫のタマと犬のポチと金魚のきんちゃん",
    "みんなの大好きなおじいちゃん",
)


@pytest.mark.parametrize("names", [LONG * 2, JAPANESE * 2, ("Ann", "Bob", "Cid", "Dan")])
@pytest.mark.parametrize("file", spread(1, ["cribbage-2", "cribbage-4", "full-bezique"]))
def test_long_names_lie_on_nothing_and_are_not_cut_off(file: str, names: tuple[str, ...]) -> None:
    found = boxes(draw(game(file, names), layout.load("classic-2"), "ja"))
    for said, left, right, top, bottom in found:
        assert left >= 0 and right <= 1080, said
        for other, left2, right2, top2, bottom2 in found:
            apart = right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
            assert apart or other == said, (said, other)


def test_names_are_text_and_never_markup() -> None:
    shown = game("cribbage-2", ("<b>Ann&amp;", '"Bob"</svg>'))
    root = ElementTree.fromstring(draw(shown, layout.load("classic-2"), "en"))
    said = [node.text for node in root.iter() if node.tag.endswith("text")]
    assert "<b>Ann&amp;" in said
    assert '"Bob"</svg>' in said


def test_the_course_of_scores_below_nothing_is_read() -> None:
    """No numbers of its grid overlap, and the grid extends to the lowest score."""
    shown = game("pinochle-3-4")
    root = ElementTree.fromstring(draw(shown, layout.load("classic-3"), "en"))
    numbers = [
        (float(node.attrib["y"]), int(node.text or ""))
        for node in root.iter()
        if node.attrib.get("font-size") == "24" and re.fullmatch(r"-?\d+", node.text or "")
    ]
    assert min(number for _, number in numbers) < 0
    assert all(one - other >= 24 for (one, _), (other, _) in pairwise(numbers))


def test_a_board_with_too_few_tracks_is_another_one() -> None:
    small = layout.load("classic-2")
    assert fitting(small, 2) is small
    assert fitting(small, 3).tracks >= 3


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_no_word_is_broken_between_lines(language: str) -> None:
    """This holds for names in Japanese, and for English next to a Japanese name."""
    names = ("Anneliese-Wilhelmina", "小野寺花子")
    shown = game("cribbage-2", names)
    root = ElementTree.fromstring(draw(shown, layout.load("classic-2"), language))
    said = ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")]
    whole = sentences(shown, highlights(shown), language).values()
    for sentence in whole:
        start = max(n for n, line in enumerate(said) if line and sentence.startswith(line))
        rest = sentence
        for line in said[start:]:
            if not line or not rest.startswith(line):
                break
            before, rest = line, rest.removeprefix(line)
            assert not re.match("[A-Za-z]", rest) or not re.search("[A-Za-z-]$", before), said
            rest = rest.lstrip()
        assert not rest, said
