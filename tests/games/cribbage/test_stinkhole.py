"""One point short of the target, heels or a go do not win by option (cribbage.md 6.6)."""

from __future__ import annotations

import pytest

from boardctl import bot
from tests.games.cribbage.table import Table

HIGH = "deal; starter 4H; 1 play KS; 2 play 9S; 1 play JS"
"""The count is 29."""


def at(first: int, second: int, rule: str, dealer: int = 2) -> Table:
    """Return a table whose players have these scores before the first deal."""
    table = Table(stinkhole=rule)
    table.read(f"start {first} {second}; dealer {dealer}")
    return table


@pytest.mark.parametrize("rule", ["heels", "heels_go"])
def test_his_heels_do_not_win_from_120(rule: str) -> None:
    table = at(5, 120, rule)
    report = table.read("deal; starter JH")
    assert [(note.code, note.fields) for note in report.notes] == [("stinkhole", {"seat": 2})]
    assert table.scores == (5, 120)
    assert at(5, 119, rule).points("deal; starter JH") == {2: 2}, "not in hole 120"
    assert at(5, 120, "off").points("deal; starter JH") == {2: 2}


def test_a_go_wins_only_where_the_table_lets_it() -> None:
    for rule, earned in (("off", {1: 1}), ("heels", {1: 1}), ("heels_go", {})):
        table = at(120, 9, rule)
        table.read(HIGH)
        assert table.points("2 go; 1 go") == earned, rule
    table = at(119, 9, "heels_go")
    table.read(HIGH)
    assert table.points("2 go; 1 go") == {1: 1}, "it only reaches the hole"


def test_other_points_win_from_120() -> None:
    table = at(9, 120, "heels_go")
    assert table.points("deal; starter 4H; 1 play 7S; 2 play 8S") == {2: 2}
    assert table.scores == (9, 122)


def test_a_card_that_reaches_120_does_not_win_with_last_card() -> None:
    """The pair brings 120, and the last card of the deal would be the 121st point."""
    table = at(9, 118, "heels_go")
    hands = "1 hand KS QS JS TS 2S 3S; 2 hand KH QH 9H 8H 2H 3H; 1 discard 2S 3S; 2 discard 2H 3H"
    table.read(f"deal; {hands}; starter 4C")
    table.read("1 play JS; 2 play KH; 1 play TS; 2 go; 1 go")
    table.read("2 play 9H; 1 play QS")
    assert table.points("2 play QH") == {2: 2}
    assert table.scores == (10, 120)
    table.read("1 go; 2 go")
    assert table.scores == (10, 120)


def test_an_unsaid_go_that_cannot_win_need_not_be_said() -> None:
    table = at(120, 9, "heels_go")
    table.read(f"{HIGH}; 2 play 5S")
    assert table.scores == (120, 9)
    table = at(120, 9, "off")
    table.read(HIGH)
    assert table.refused("2 play 5S") == "go-unsaid"


@pytest.mark.parametrize("line", ["2 peg 2 heels", "2 peg 1 go", "2 peg 1 play"])
def test_such_points_are_not_entered_either(line: str) -> None:
    table = at(9, 120, "heels_go")
    table.read("deal")
    assert table.refused(line) == "stinkhole"
    table = at(9, 120, "off")
    table.read(f"deal; {line}")
    assert table.scores[1] > 120


def test_partners_share_the_hole() -> None:
    table = Table(4, stinkhole="heels")
    table.read("start 120 30; dealer 3; deal; starter JH")
    assert table.scores == (120, 30)


def test_the_player_does_not_judge_such_a_game_by_its_tables() -> None:
    assert bot.judges("cribbage", 2, {"stinkhole": "off"})
    assert not bot.judges("cribbage", 2, {"stinkhole": "heels"})
