"""The end of a deal or a game: scores, skunks, draws and games won."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from boardctl.console.settings import TableSettings, VoiceSettings
from boardctl.speech.voice import Voice
from tests.speech.by_ear import Ear
from tests.speech.listening import keys, lines, listen
from tests.tables import KeyedTable, keyed, submit

NAMES = ("Ann", "Bob", "Cleo", "Dan")

GAMES: Final[dict[int, dict[str, str]]] = {
    2: {"en": "two", "ja": "2ゲーム"},
    4: {"en": "four", "ja": "4ゲーム"},
}


def test_a_skunk_and_the_last_scores_are_said(table: KeyedTable) -> None:
    submit(table.table, "starter 5D", "test")
    ear = listen(table)
    table.press("hold# 9 A 1 2 0 #")
    aloud = keys(table, ear, "A 1 #")
    assert aloud.startswith(
        "Ann pegs 1. Ann wins with a skunk: two games. Ann 121. Bob 0 / Next game: press hash"
    )


@pytest.mark.parametrize(
    ("language", "shown", "said"),
    [
        (
            "en",
            ("Games: 1, as 2", "Ann 2 Bob 0"),
            "Games: 1, counted as 2, because a big win counts more. "
            "Games won by Ann: 2. Games won by Bob: 0",
        ),
        (
            "ja",
            ("ゲーム: 1(2勝分)", "Ann 2 Bob 0"),
            "ゲーム：1。大勝ちは多く数えるので2勝分です。Annの勝ち：2ゲーム。Bobの勝ち：0ゲーム",
        ),
    ],
)
def test_after_a_skunk_the_games_and_who_won_them_agree(
    language: str, shown: tuple[str, ...], said: str, table: KeyedTable
) -> None:
    """It was one game, of which Ann has won two."""
    table.controller.language = language
    for line in ("undo 2", "start 120 10", "dealer 1", "deal", "1 peg 1"):
        submit(table.table, line, "test")
    ear = listen(table)
    table.press("hold# 7")
    assert table.controller.announced == shown
    assert ear.said == [said]


def test_partners_win_with_a_skunk_at_the_level_of_counts_too(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("cribbage", NAMES)) as table:
        for line in ("start 120 70", "dealer 1", "deal", "starter 5D"):
            submit(table.table, line, "test")
        ear = Ear()
        Voice(table.controller, VoiceSettings(level="counts")).join(ear)
        table.clock.run(0.05)
        assert lines(table, ear, "1 peg 1") == "Ann and Cleo win with a skunk: two games"


def test_a_draw_is_said(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("bezique", NAMES[:2])) as table:
        for line in ("dealer 1", "deal"):
            submit(table.table, line, "test")
        ear = listen(table)
        aloud = lines(table, ear, "1 adjust +980", "2 adjust +990", "1 count 90", "2 count 80")
        assert "the game is drawn. Ann 1070. Bob 1070" in aloud


def test_a_new_deal_says_the_scores_unless_there_are_none(tmp_path: Path) -> None:
    with keyed(tmp_path, TableSettings("cribbage", NAMES[:2], telling="points")) as table:
        submit(table.table, "dealer 1", "test")
        ear = listen(table)
        assert lines(table, ear, "deal").startswith("New deal / ")
        lines(table, ear, "1 peg 12", "2 peg 7")
        aloud = lines(table, ear, "deal")
        assert aloud.startswith("New deal. Ann 12. Bob 7. Ann leads by 5 / ")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("game", "opening"),
    [
        ("cribbage", ("start 120 70", "1 peg 1")),
        ("cribbage", ("set double_skunk on", "start 120 10", "1 peg 1")),
        ("belote", ("set double_win_below_half on", "start 990 10", "1 peg 162", "2 peg 0")),
    ],
)
def test_for_how_many_games_one_counts_is_said_and_shown(
    game: str, opening: tuple[str, ...], language: str, tmp_path: Path
) -> None:
    """The games won jump by two or four at once. The display shows the reason until the next
    game."""
    settings = TableSettings(game, NAMES[:2], language=language)
    with keyed(tmp_path, settings) as table:
        ear = listen(table)
        *before, last = opening
        for line in before:
            submit(table.table, line, "test")
        aloud = lines(table, ear, last)
        outcome = table.table.position.outcome
        assert outcome is not None
        assert table.table.position.tally.won == (outcome.won[0], 0)
        assert GAMES[outcome.won[0]][language] in aloud
        table.clock.run(20)
        assert str(outcome.won[0]) in table.screen.lines[1]
        assert table.clock.idle, "a table at rest turns no pages"
