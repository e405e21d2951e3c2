"""Long work reports its progress on a terminal, and prints nothing to a pipe."""

from __future__ import annotations

import sys
from io import StringIO

import pytest

from boardctl.bot.commands import review
from boardctl.commands.shared.terminal import progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("terminal", [True, False])
def test_items_are_counted_at_a_terminal(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    said = Terminal() if terminal else StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    assert list(progress("abc", "judging-game")) == ["a", "b", "c"]
    shown = said.getvalue()
    assert ("judging game 2 of 3" in shown) == terminal
    assert shown.endswith("\r\x1b[K") == terminal


def test_a_season_is_reviewed_game_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The output about a game is on a separate line."""
    said = Terminal()
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setattr(review, "analyse", lambda before, moves, objectives: "judged")
    games: list[review.Game] = []
    lines = ["game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "1 peg 8"] * 2
    list(review._judge([*lines[:6], "session end", *lines[6:]], games, []))
    assert "reading line 13 of 13" in said.getvalue()
    found = []
    for (number, *_), _ in review._analysed(games):
        assert said.getvalue().endswith("\r\x1b[K")
        found.append(number)
    assert found == [1, 2]
    assert "judging game 2 of 2" in said.getvalue()
