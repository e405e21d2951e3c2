"""Klaberjass on the keypad: the key presses promised by docs/keypad.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tables import KeyedTable, keyed, submit


@pytest.fixture
def table(tmp_path: Path) -> Iterator[KeyedTable]:
    with keyed(tmp_path) as table:
        for line in ("session x", "game klaberjass", "seat 1 Ann", "seat 2 Bob", "dealer 2"):
            submit(table.table, line, "test")
        yield table


def said(table: KeyedTable, keys: str) -> str:
    """Return the last line entered by these keys."""
    table.press(keys)
    return table.table.record.deal[-1].text


def test_a_deal_entered_by_its_points(table: KeyedTable) -> None:
    assert said(table, "A 9 5 #") == "1 peg 95"
    assert said(table, "B 4 2 #") == "2 peg 42"
    assert table.scores == (95, 42)
    table.press("A 1 6 2 # #")
    assert table.scores == (257, 42), "# says that the other side has none"


def test_a_deal_entered_by_what_is_scored(table: KeyedTable) -> None:
    assert said(table, "#") == "deal"
    assert said(table, "# 4") == "1 bid H"
    assert said(table, "A # 1") == "1 meld ? ? ?", "a sequence in three presses"
    assert said(table, "B # # 1") == "2 bella"
    assert said(table, "A 7 5 #") == "1 count 75"
    assert said(table, "B 6 2 #") == "2 count 62"
    assert table.scores == (95, 82)


def test_every_card_entered(table: KeyedTable) -> None:
    table.press("hold# 1 3")
    table.press("#")
    assert said(table, "9 B") == "turnup 9H"
    assert said(table, "# 1") == "1 bid take"
    assert said(table, "# 2") == "1 declare 20"
    assert said(table, "# 1") == "2 reply good"
    assert said(table, "1 A") == "1 play AS"
    assert said(table, "7 A") == "2 play 7S"
    table.press("9 B")
    assert table.table.record.deal[-1].text == "2 play 7S", "the turned card is in nobody's hand"
