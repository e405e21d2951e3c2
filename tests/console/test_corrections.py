"""Statistics on the page and corrections on the keypad, in unusual cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardctl.web.move_list import Viewer
from boardctl.web.state import Snapshots
from tests.tables import keyed, submit
from tests.web.test_live import Board


def test_a_target_between_two_holes_is_shown_as_it_is(tmp_path: Path) -> None:
    """In Belote, the target is 1001, and each hole is worth ten points."""
    board = Board(tmp_path)
    try:
        for line in ("game belote", "seat 1 Ann", "seat 2 Bob", "set target 1001"):
            submit(board.table, line, "test")
        assert Snapshots(board).now(Viewer("en"))["target"] == 1001
        submit(board.table, "game bezique", "test")
        assert Snapshots(board).now(Viewer("en"))["target"] == 1000
    finally:
        board.close()


def test_an_amended_number_is_typed_in_tens_where_it_was(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        for line in ("game bezique", "dealer 1", "deal", "1 peg 40"):
            submit(table.table, line, "test")
        table.press("hold# 2 # 1 0 #")
        assert table.scores == (100, 0)
        table.press("hold# 2 # 4 #")
        assert table.scores == (40, 0)


def test_a_six_card_hand_is_typed_again(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        for line in ("game cribbage", "dealer 1", "deal", "1 hand 4 5 5 6 7 8"):
            submit(table.table, line, "test")
        table.press("hold# 2 # 3A 5A 5B 6A 7A 8A #")
        assert [str(card) for card in table.table.record.moves[-1].cards] == [
            *("3S", "5S", "5H", "6S", "7S", "8S"),
        ]


@pytest.mark.parametrize(("answer", "score"), [("#", 9), ("1", 13), ("0", 9)])
def test_a_hand_that_is_typed_again_is_asked_about_its_suits(
    answer: str, score: int, tmp_path: Path
) -> None:
    """The suits used to be required, but could not be entered with any key, so a hand of four
    different ranks could not be corrected."""
    with keyed(tmp_path) as table:
        for line in ("dealer 1", "deal", "starter 5D", "2 show 4 5 5 6", "1 show 3 3 9 9"):
            submit(table.table, line, "test")
        table.press("hold# 2 A # 6 7 8 9 #")
        assert table.controller.keypad_state.mode == "question"
        assert table.said.startswith("Bob 9?")
        table.press(answer)
        assert table.scores == (8, score)
        assert table.table.record.moves[-2].cards == table.table.parse("2 show 6 7 8 9").cards


def test_a_question_about_a_corrected_hand_goes_back_to_its_cards(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        for line in ("dealer 1", "deal", "starter 5D", "2 show 4 5 5 6"):
            submit(table.table, line, "test")
        table.press("hold# 2 # 6 7 8 9 # *")
        assert table.controller.keypad_state.mode == "retype"
        table.press("4 4 5 5 #")
        assert table.scores == (0, 10)
        table.press("hold# 2 # 6 7 8 9 #")
        submit(table.table, "undo", "page")
        refused = table.controller.keypad_state.refused
        assert refused is not None
        assert refused.code == "overtaken"
